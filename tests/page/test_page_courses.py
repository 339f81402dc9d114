"""Courses for players: whole courses on a phone and a desktop, refutations on the board, progress, and lost games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from noughts.ask.courses import COURSES, CourseAnswer, CoursesRequest, LessonAnswer
from noughts.ask.question import ask
from noughts.games import Game
from web_pages import COUNT_SHIFTS, PERSON, Home, cell, engine, eventually, press, resume_game, says, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}}
QUICK = "const wait = setTimeout; window.setTimeout = (run, ms, ...more) => wait(run, Math.min(ms, 30), ...more);"
"""Replies are shown without waiting."""


def course_on(game: str) -> CourseAnswer:
    found: CourseAnswer = next(each for each in ask(COURSES, CoursesRequest()).courses if each.game == game)
    return found


def task(page: Page) -> str:
    return page.get_by_role("region", name="Task").inner_text()


def choose(page: Page, move: int) -> None:
    """Choose a cell with the keyboard, which works the same on every board."""
    cell(page, move).focus()
    page.keyboard.press("Enter")


@pytest.mark.parametrize(("size", "game"), [(PHONE, "7x6:4+gravity"), (DESKTOP, "3x3")], ids=["phone", "desktop"])
def test_whole_course_step_by_step(home: Home, browser: Browser, size: dict[str, Any], game: str) -> None:
    course = course_on(game)
    with visiting(browser, home.address, **size) as page:
        page.add_init_script(QUICK)
        page.goto("#view=learn")
        page.get_by_role("link", name=course.title).click()
        for at, lesson in enumerate(course.lessons):
            page.get_by_role("heading", name=lesson.title, exact=True).wait_for()
            assert lesson.task in task(page)
            page.locator(".planes .legal").first.wait_for()
            cell(page, lesson.accepted[-1]).click(force=True)
            page.wait_for_selector(".guide.solved")
            assert lesson.right in task(page)
            assert page.locator(".lessons .done").count() == at + 1
            if lesson is not course.lessons[-1]:
                press(page, "Next lesson")
        press(page, f"Play {course.title}")
        page.wait_for_selector(".players")
        page.goto("#view=learn")
        card = page.get_by_role("link", name=course.title)
        card.get_by_text(f"{len(course.lessons)} of {len(course.lessons)} done").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def open_lesson(page: Page, game: str, title: str) -> LessonAnswer:
    lesson = next(each for each in course_on(game).lessons if each.title == title)
    page.add_init_script(QUICK)
    page.goto(f"#view=learn&course={game.replace('+', '%2B')}&lesson={lesson.id}")
    page.wait_for_selector(".planes .legal")
    return lesson


def test_wrong_move_is_refuted_on_the_board_and_can_be_tried_again(page: Page) -> None:
    lesson = open_lesson(page, "3x3", "Stop a threat")
    choose(page, Game("3x3").parse_cell("a2"))
    page.wait_for_selector(".guide.wrong")
    assert "a2 loses at once: O answers a1, which completes the diagonal c3–a1 and wins." in task(page)
    # As in puzzles and reviews, the try and the reply are numbered marks beside those of the position.
    page.wait_for_selector(".planes .stroke")
    assert page.locator(".planes .order").all_inner_texts() == ["1", "2"]
    press(page, "One move back")
    eventually(page, "document.querySelectorAll('.planes .order').length === 1")
    page.keyboard.press("ArrowRight")
    eventually(page, "document.querySelectorAll('.planes .order').length === 2")
    assert page.locator(".planes .taken").count() == 4
    # The verdict speaks of the idea, too.
    assert lesson.wrong in task(page)
    says(page, f"a2 loses at once: O answers a1, which completes the diagonal c3–a1 and wins. {lesson.wrong}")
    assert page.locator(".lessons .done").count() == 0
    choose(page, lesson.accepted[0])
    page.wait_for_selector(".guide.solved")
    assert page.locator(".planes .order").count() == 0
    eventually(page, "document.activeElement.textContent === 'Next lesson'")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="The fork").wait_for()
    eventually(page, "document.activeElement.closest('.planes')")


def test_move_that_misses_a_win_at_once_is_not_answered_by_a_reply(page: Page) -> None:
    lesson = open_lesson(page, "15x15:5", "Five")
    choose(page, Game("gomoku").parse_cell("a1"))
    page.wait_for_selector(".guide:is(.wrong, .slower)")
    assert "O answers" not in task(page)
    assert lesson.wrong in task(page)


def test_lesson_with_several_right_moves_says_so(page: Page) -> None:
    lesson = open_lesson(page, "3x3", "Answer the centre")
    assert "Four moves do it: find one." in task(page)
    choose(page, lesson.accepted[1])
    page.wait_for_selector(".guide.solved")
    assert f"Right. {lesson.right} 3 other moves do it, too." in task(page)


def test_slower_win_is_not_called_a_mistake(page: Page) -> None:
    open_lesson(page, "ultimate:3", "Finish the row of boards")
    choose(page, Game("ultimate").parse_cell("h8"))
    page.wait_for_selector(".guide:has-text('h8 wins too, in')")
    assert "Find the win at once." in task(page)
    # Fair words in the colour of plain text, not in that of a mistake.
    colours = "(name) => getComputedStyle(document.querySelector(`.guide ${name}`)).color"
    assert page.evaluate(colours, ".verdict") == page.evaluate(colours, ".task")
    assert page.locator(".guide.wrong").count() == 0
    assert page.locator(".planes .order").count() == 0


def test_lesson_has_hints_and_a_solution_to_step_through(page: Page) -> None:
    lesson = open_lesson(page, "3x3", "The fork")
    press(page, "Hint")
    page.wait_for_selector(".guide .hint:has-text('Make two threats with one move.')")
    press(page, "Another hint")
    eventually(page, "document.querySelectorAll('.planes .area').length > 1")
    press(page, "Solution")
    page.wait_for_selector(".guide.shown:has-text('The solution: c1')")
    eventually(page, "document.querySelector('.ply').textContent === '3 of 3'")
    press(page, "To the start")
    eventually(page, "count => document.querySelectorAll('.planes .taken').length === count", 4)
    press(page, "One move forward")
    page.wait_for_selector(".move-why:has-text('X c1 makes two threats')")
    # Only who finds the move has done the lesson.
    assert page.locator(".lessons .done").count() == 0
    press(page, "Again")
    choose(page, lesson.accepted[0])
    page.wait_for_selector(".guide.solved")
    assert page.locator(".lessons .done").count() == 1


def test_course_of_qubic_is_done_with_the_keyboard_in_the_cube(page: Page) -> None:
    lesson = open_lesson(page, "4x4x4", "A forced sequence")
    choose(page, lesson.accepted[0])
    page.wait_for_selector(".guide.solved")
    assert f"Right. {lesson.right}" in task(page)
    eventually(page, "document.querySelector('.ply').textContent === '5 of 5'")
    assert page.locator(".planes .taken").count() == 14 + len(lesson.cells)


def test_lost_game_offers_the_lesson_that_explains_it(page: Page) -> None:
    moves = [Game("3x3").parse_cell(name) for name in ("b2", "b3", "a3", "c1", "a1", "c3")]
    resume_game(page, engine(), PERSON, moves=[*moves, Game("3x3").parse_cell("a2")])
    page.get_by_role("link", name="The fork").click()
    page.get_by_role("heading", name="The fork").wait_for()
    page.wait_for_selector(".planes .legal")


def test_lesson_stands_still_while_it_opens_and_names_its_verdict_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.add_init_script(COUNT_SHIFTS)
    open_lesson(page, "3x3", "Stop a threat")
    assert page.evaluate("window.shift") < 0.02
    page.set_viewport_size({"width": 360, "height": 640})
    cell(page, Game("3x3").parse_cell("a2")).click()
    page.wait_for_selector(".guide.wrong")
    for shown in (".verdict", ".missed", ".panel > .buttons .primary"):
        assert page.evaluate(f"document.querySelector('{shown}').getBoundingClientRect().bottom < innerHeight - 56")


def test_both_doors_of_learn_lead_to_each_other(page: Page) -> None:
    page.goto("#view=learn&door=think")
    page.wait_for_selector(".stepper")
    backgrounds = page.locator(".doors a").evaluate_all("doors => doors.map(a => getComputedStyle(a).backgroundColor)")
    assert backgrounds[0] != backgrounds[1]
    page.keyboard.press("ArrowRight")
    eventually(page, "document.querySelectorAll('.knot:not(.unseen)').length === 1")
    page.get_by_role("link", name="To play").click()
    page.wait_for_selector(".course-list")
