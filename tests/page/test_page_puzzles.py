"""Puzzles in a real browser."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from noughts import Engine, Limit, Value
from noughts.analysis.puzzles import Goal, Puzzle, Theme, puzzle_of_day, shipped_puzzles
from web_pages import Home, cell, eventually, press, visiting, wait_for_mark

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def find(game: str, goal: Goal, steps: int) -> Puzzle:
    return next(
        puzzle
        for puzzle in shipped_puzzles()
        if (puzzle.game, puzzle.goal, puzzle.steps, puzzle.moves) == (game, goal, steps, steps)
    )


def open_puzzle(page: Page, puzzle: Puzzle) -> None:
    page.goto("about:blank")
    page.goto(f"#view=puzzles&puzzle={puzzle.id}")
    page.wait_for_selector(".score")


def score(page: Page, name: str) -> str:
    return page.inner_text(f".score div:has(dt:text-is('{name}')) dd").split()[0]


def solved(page: Page) -> str:
    title: str = page.get_attribute(".score", "title") or ""
    return title


def test_puzzle_is_solved_move_by_move_and_raises_the_rating(page: Page) -> None:
    puzzle = find("3x3", Goal.WIN, 2)
    open_puzzle(page, puzzle)
    assert page.inner_text(".guide .task") == f"{puzzle.text}."
    side = str(puzzle.position().turn)
    first, reply, second = puzzle.line
    cell(page, first).click()
    wait_for_mark(page, first, side)
    wait_for_mark(page, reply, "O" if side == "X" else "X")
    cell(page, second).click()
    wait_for_mark(page, second, side)
    eventually(page, "document.querySelector('.verdict.good')?.textContent.includes('Solved')")
    assert int(score(page, "Rating")) > 800
    assert score(page, "Streak") == "1"
    page.reload()
    page.wait_for_selector(".score")
    assert score(page, "Streak") == "1"
    press(page, "Skip")
    eventually(page, "id => !location.hash.includes(id)", puzzle.id)


def test_wrong_move_costs_rating_once_and_can_be_corrected(page: Page) -> None:
    puzzle = find("3x3", Goal.DRAW, 1)
    open_puzzle(page, puzzle)
    wrong = [move for move in puzzle.position().legal_moves if move != puzzle.line[0]]
    for move in wrong[:2]:
        cell(page, move).click()
        eventually(page, "document.querySelector('.verdict')?.matches('.guide.wrong .verdict')")
        assert page.locator(".planes .taken").count() == puzzle.start.count("x") + puzzle.start.count("o") - 1
    rating = int(score(page, "Rating"))
    assert rating < 800
    cell(page, puzzle.line[0]).click()
    eventually(page, "document.querySelector('.verdict')?.textContent.includes('Solved')")
    assert int(score(page, "Rating")) == rating
    press(page, "Next puzzle")
    eventually(page, "id => !location.hash.includes(id)", puzzle.id)


def puzzle_with_slower_win() -> tuple[Puzzle, int]:
    """Return a puzzle, and a move that also wins in it."""
    engine = Engine(hash_mb=8, book=False)
    for puzzle in shipped_puzzles():
        if (puzzle.game, puzzle.goal, puzzle.moves) == ("4x4:3", Goal.WIN, 2):
            moves = engine.analyse(puzzle.position(), Limit(nodes=20_000), lines=16)
            slow = [move for move in moves if move.value is Value.WIN and move.move != puzzle.line[0]]
            if slow:
                return puzzle, slow[0].move
    raise AssertionError("there is none")


def test_win_that_takes_longer_is_named_and_costs_nothing(page: Page) -> None:
    puzzle, slower = puzzle_with_slower_win()
    open_puzzle(page, puzzle)
    cell(page, slower).click()
    eventually(page, "document.querySelector('.verdict')?.textContent.includes('wins too')")
    words = page.inner_text(".verdict")
    assert re.fullmatch(r"\w+ wins too, in \d+ moves\. Find the win in 2 moves\.", words), words
    assert (score(page, "Rating"), solved(page)) == ("800", "0 of 0 puzzles solved at the first try")
    for move in puzzle.line[::2]:
        wait_for_mark_or_turn(page, move)
    eventually(page, "document.querySelector('.verdict.good')?.textContent.includes('Solved')")
    assert score(page, "Streak") == "1"


def wait_for_mark_or_turn(page: Page, move: int) -> None:
    """Play a move as soon as it is the solver's turn."""
    page.wait_for_selector(f'.planes [data-cell="{move}"].legal')
    cell(page, move).click()


def test_wrong_move_is_refuted_on_the_board(page: Page) -> None:
    puzzle = find("3x3", Goal.DRAW, 1)
    open_puzzle(page, puzzle)
    wrong = next(move for move in puzzle.position().legal_moves if move != puzzle.line[0])
    cell(page, wrong).click()
    page.wait_for_selector(f'.planes [data-cell="{wrong}"] .order')
    name = puzzle.position().format_move(wrong)
    verdict = page.inner_text(".verdict")
    assert re.match(rf"{name} loses (at once|in \d+ moves): [XO] answers \w+, which .*\.", verdict), verdict
    # The line goes on until the win is on the board.
    page.wait_for_selector(".planes .stroke")
    side = puzzle.position().side_to_move
    numbers = page.locator(".planes .order").all_inner_texts()
    assert sorted(numbers) == [str(number) for number in range(1, len(numbers) + 1)]
    assert page.locator(f".planes .ahead.{str(side.opponent).lower()}").count() >= 2
    cell(page, puzzle.line[0]).click()
    eventually(page, "!document.querySelector('.planes .order')")


def test_hint_names_the_theme_and_then_the_place_and_nothing_is_gained_by_it(page: Page) -> None:
    puzzle = find("5x5:4", Goal.WIN, 2)
    open_puzzle(page, puzzle)
    press(page, "Hint")
    eventually(
        page, "document.querySelector('.guide .hint')?.textContent.includes('“fork”: two threats with one move')"
    )
    press(page, "Another hint")
    eventually(page, "document.querySelectorAll('.planes .area').length > 1")
    assert page.locator(f'.planes [data-cell="{puzzle.line[0]}"].area').count() == 1
    for move in puzzle.line[::2]:
        wait_for_mark_or_turn(page, move)
    eventually(page, "document.querySelector('.verdict.good')?.textContent.includes('Solved')")
    assert (score(page, "Rating"), solved(page)) == ("800", "1 of 1 puzzle solved at the first try")
    assert page.locator(".theme:has-text('fork')").count() == 1


def test_puzzles_of_one_theme_are_chosen(page: Page) -> None:
    page.goto("#view=puzzles")
    page.wait_for_selector(".score")
    before = page.url
    page.get_by_label("Theme").select_option("zugzwang")
    eventually(page, "before => location.href !== before", before)
    shown = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('puzzle')")
    assert Theme.ZUGZWANG in next(puzzle.themes for puzzle in shipped_puzzles() if puzzle.id == shown)


def test_solution_is_shown_on_the_board(page: Page) -> None:
    puzzle = find("4x4x4", Goal.WIN, 2)
    open_puzzle(page, puzzle)
    press(page, "Solution")
    wait_for_mark(page, puzzle.line[-1], str(puzzle.position().turn))
    assert score(page, "Streak") == "0"


def test_puzzle_of_the_day_that_failed_is_not_called_solved(page: Page) -> None:
    page.goto("#view=puzzles&puzzle=today")
    page.wait_for_selector(".score")
    press(page, "Solution")
    page.get_by_role("button", name="Puzzle of the day: not solved").wait_for()
    page.goto("#view=home")
    page.wait_for_selector(".tile:has-text('Not solved today')")


def test_puzzle_of_the_day_that_is_solved_after_a_slip_is_called_so(page: Page) -> None:
    page.goto("#view=puzzles&puzzle=today")
    page.wait_for_selector(".score")
    press(page, "Solution")
    press(page, "Again")
    puzzle = puzzle_of_day(date.fromisoformat(page.evaluate("new Date().toLocaleDateString('sv')")))
    for move in puzzle.line[: 2 * puzzle.steps : 2]:
        wait_for_mark_or_turn(page, move)
    page.get_by_role("button", name="Puzzle of the day: solved, not at the first try").wait_for()
    page.goto("#view=home")
    page.wait_for_selector(".tile:has-text('Solved today, not at the first try.')")


def test_long_refutation_stops_after_the_answer_and_the_move_is_taken_back(page: Page) -> None:
    puzzle = find("7x6:4+gravity", Goal.DRAW, 1)
    open_puzzle(page, puzzle)
    played = sum(mark is not None for mark in puzzle.position().cells)
    for wrong in puzzle.position().legal_moves:
        if wrong == puzzle.line[0]:
            continue
        cell(page, wrong).click()
        eventually(page, "document.querySelector('.ply')?.textContent.match(/^[^0]/)")
        if int(page.inner_text(".ply").split()[-1]) > 6:
            break
        press(page, "Try again")
    eventually(page, "document.querySelector('.ply').textContent.startsWith('3 of ')")
    press(page, "The rest")
    eventually(page, "document.querySelector('.ply').textContent.split(' of ')[0] > 3")
    press(page, "Try again")
    eventually(page, "!document.querySelector('.verdict, .planes .order')")
    eventually(page, "count => document.querySelectorAll('.planes .taken').length === count", played)


def test_puzzle_of_the_day_is_the_same_for_everyone(home: Home, browser: Browser) -> None:
    addresses = []
    for _ in range(2):
        with visiting(browser, home.address) as page:
            page.goto("#view=puzzles")
            page.wait_for_selector("h1:has-text('Puzzle of the day')")
            eventually(page, "location.hash.includes('puzzle=')")
            addresses.append(page.url)
    assert addresses[0] == addresses[1]


def test_reply_that_failed_is_tried_again(home: Home, browser: Browser) -> None:
    puzzle = find("3x3", Goal.WIN, 2)
    first, reply, _ = puzzle.line
    with visiting(browser, home.address, allowing=("Failed to load resource",)) as page:
        open_puzzle(page, puzzle)
        lost = len(puzzle.line) - 1
        page.route(
            "**/api/position",
            lambda route: route.abort() if len(route.request.post_data_json["moves"]) == lost else route.continue_(),
        )
        cell(page, first).click()
        page.wait_for_selector(".panel .failure:has-text('does not answer')")
        page.unroute("**/api/position")
        press(page, "Try again")
        wait_for_mark(page, reply, "O" if puzzle.position().turn == "X" else "X")
        eventually(page, "document.querySelector('.verdict.good')?.textContent.includes('And now?')")
        assert page.locator(".failure").count() == 0


def test_puzzles_of_one_game_are_chosen(page: Page) -> None:
    page.goto("#view=puzzles")
    page.wait_for_selector(".score")
    page.get_by_label("Game").select_option("7x6:4+gravity")
    eventually(page, "document.querySelector('.game p')?.textContent.startsWith('Connect Four')")


def test_review_makes_puzzles_of_mistakes(page: Page) -> None:
    # O answers the corner on the edge, where only the centre holds the draw.
    page.goto("#game=3x3&moves=0.1.4.8&view=analyse")
    page.wait_for_selector(".branches .move")
    press(page, "Review the line")
    page.wait_for_selector(".mistakes li")
    press(page, "Step through all mistakes")
    eventually(page, "(JSON.parse(localStorage.getItem('noughts.puzzles.made')) ?? []).length > 0")
    page.click("nav a:has-text('Puzzles')")
    page.wait_for_selector(".score")
    page.get_by_label("Game").select_option("own")
    eventually(page, "document.querySelector('.guide .task')?.textContent.includes('only one move holds the draw')")
