"""The pictures and the step-through page in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from noughts.games import Game
from noughts.teaching import record
from noughts.teaching.tree.files import save_tree
from noughts.teaching.tree.trace import record_typed
from noughts.teaching.tree.typed_tree import TypedTree
from noughts.textbook import alphabeta, mcts, minimax
from web_pages import CHROMIUM, browsing

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browsing() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(20_000)
        yield page


def test_the_leaves_of_a_typed_tree_are_given_and_its_value_is_not_told_to_a_reader_who_predicts(
    page: Page, tmp_path: Path
) -> None:
    record_typed(alphabeta, TypedTree.parse("3 12 8 / 2 4 6 / 14 5 2")).save(tmp_path / "exam.html")
    page.goto((tmp_path / "exam.html").as_uri())
    values = page.locator(".node.leaf > .value").all_text_contents()
    assert sorted(values, key=int) == ["2", "2", "3", "5", "8", "12", "14"]
    assert page.locator(".node:not(.leaf) > .value").all_text_contents() == [""] * 4
    page.get_by_label("let me predict").check()
    page.wait_for_function("getComputedStyle(document.querySelector('.tree .counts')).visibility === 'hidden'")


@pytest.fixture
def stepper(page: Page, tmp_path: Path) -> Page:
    """The page that steps through 21 nodes and 5 cutoffs."""
    record(alphabeta, Game("3x3").parse("xox/1o1/1x1 o"), depth=3).save(tmp_path / "tree.html")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "tree.html").as_uri())
    assert not errors
    return page


def count(page: Page, selector: str) -> int:
    return page.locator(selector).count()


@pytest.mark.parametrize("position", ["xox/1o1/1x1 o", "xo1/1xo/3 x"])
@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_an_end_game_at_depth_3_opens_without_scrolling_sideways(
    page: Page, tmp_path: Path, position: str, search: type
) -> None:
    trace = record(search, Game("3x3").parse(position), depth=3)
    for name in ("tree.svg", "tree.html"):
        trace.save(tmp_path / name)
        page.goto((tmp_path / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert count(page, ".node") == trace.visited
    boxes = [box for box in (node.bounding_box() for node in page.locator(".node .frame").all()) if box]
    assert min(box["width"] for box in boxes) > 30
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 1280 for box in boxes)


def test_the_page_loads_nothing_from_elsewhere(stepper: Page) -> None:
    assert stepper.evaluate("performance.getEntriesByType('resource').length") == 0


def test_forward_shows_one_node_after_the_other_and_back_hides_it(stepper: Page) -> None:
    assert count(stepper, ".node:not(.unseen)") == 0
    for seen in (1, 2, 3):
        stepper.click("#forward")
        assert count(stepper, ".node:not(.unseen)") == seen
    assert stepper.inner_text(".message").startswith("X tries c2. MIN (O) is to move")
    stepper.click("#back")
    assert count(stepper, ".node:not(.unseen)") == 2
    stepper.click("#first")
    assert count(stepper, ".node:not(.unseen)") == 0
    assert stepper.is_disabled("#back")


def test_the_end_shows_everything_and_the_principal_line(stepper: Page) -> None:
    stepper.click("#last")
    assert count(stepper, ".unseen") == 0
    assert count(stepper, ".node.pv") == 4
    assert stepper.inner_text(".counts").endswith("21 nodes visited · 8 branches pruned")
    assert stepper.is_disabled("#forward")


def test_next_cutoff_stops_where_branches_are_pruned(stepper: Page) -> None:
    for cutoffs in range(1, 6):
        stepper.click("#next-mark")
        assert count(stepper, "g.pruned[data-parent]:not(.unseen)") == cutoffs
        assert stepper.inner_text(".message").startswith("Cutoff: ")
    assert stepper.is_disabled("#next-mark")


def test_values_go_up_as_the_search_goes_back(stepper: Page) -> None:
    root = stepper.locator('.node[data-id="0"]')
    stepper.click("#forward")
    assert root.locator(".value").text_content() == ""
    stepper.click("#next-mark")
    stepper.click("#last")
    assert root.locator(".value").text_content() == "0"
    assert root.locator(".beta").text_content() == "β 0"


def test_play_runs_at_the_chosen_speed_until_paused(stepper: Page) -> None:
    stepper.fill("#speed", "20")
    stepper.click("#play")
    assert "pause" in stepper.inner_text("#play")
    stepper.wait_for_function("document.querySelectorAll('.node:not(.unseen)').length > 4")
    stepper.click("#play")
    assert "play" in stepper.inner_text("#play")
    before = stepper.inner_text(".counts")
    stepper.wait_for_timeout(250)
    assert stepper.inner_text(".counts") == before


def test_keys_and_the_slider_step_too(stepper: Page) -> None:
    stepper.locator("body").press("ArrowRight")
    stepper.locator("body").press("ArrowRight")
    stepper.locator("body").press("ArrowLeft")
    assert count(stepper, ".node:not(.unseen)") == 1
    stepper.fill("#scrub", "10")
    assert stepper.inner_text(".counts").startswith("step 10 of 47")


def test_prediction_is_asked_for_before_the_branch_is_shown(stepper: Page) -> None:
    stepper.check("#predict")
    stepper.wait_for_function("getComputedStyle(document.querySelector('.unseen')).opacity === '0'")
    stepper.click("#next-mark")
    assert stepper.is_visible(".question")
    assert "searched or pruned?" in stepper.inner_text(".question")
    assert count(stepper, "g.pruned[data-parent]:not(.unseen)") == 0
    stepper.click(".choices button:text('pruned')")
    assert count(stepper, "g.pruned[data-parent]:not(.unseen)") == 1
    assert stepper.inner_text("#score") == "1 of 1 predicted"
    stepper.click("#next-mark")
    stepper.click(".choices button:text('searched')")
    assert stepper.inner_text("#score") == "1 of 2 predicted"
    assert stepper.locator(".question").get_attribute("class") == "question wrong"


@pytest.fixture
def growth(page: Page, tmp_path: Path) -> Page:
    """The page that steps through Monte-Carlo tree search."""
    record(mcts, Game("3x3").parse("xox/1o1/1x1 o"), simulations=12, seed=1).save(tmp_path / "mcts.html")
    page.goto((tmp_path / "mcts.html").as_uri())
    return page


def test_a_round_is_selected_expanded_simulated_and_propagated(growth: Page) -> None:
    words = []
    for _ in range(5):
        growth.click("#forward")
        words.append(growth.inner_text(".message").split(".")[0])
    assert words == [
        "The search starts with the root alone",
        "Expansion",
        "Simulation",
        "Backpropagation",
        "Backpropagation",
    ]
    assert growth.locator('.node[data-id="0"] .visits').text_content() == "n 1"


def test_a_rollout_is_shown_on_a_board_while_it_is_simulated(growth: Page) -> None:
    for _ in range(3):
        growth.click("#forward")
    assert count(growth, ".rollout svg .order") == 3
    growth.click("#forward")
    assert count(growth, ".rollout svg") == 0


def test_the_reader_predicts_which_child_is_selected(growth: Page) -> None:
    for _ in range(4):
        growth.click("#next-mark")
    growth.check("#predict")
    growth.click("#forward")
    growth.wait_for_selector(".choices", state="attached")
    while not growth.is_visible(".question"):
        growth.click("#forward")
    assert "Which move is selected next?" in growth.inner_text(".question")
    assert count(growth, ".choices button") == 4
    growth.click(".choices button >> nth=0")
    assert growth.inner_text("#score") in ("1 of 1 predicted", "0 of 1 predicted")
    assert growth.inner_text(".message").startswith("Selection.")


def test_two_searches_step_together_or_one_by_one(page: Page, tmp_path: Path) -> None:
    start = Game("3x3").parse("xox/1o1/1x1 o")
    left, right = record(alphabeta, start, depth=2), record(mcts, start, simulations=5, seed=1)
    save_tree(tmp_path / "both.html", [left, right])
    page.goto((tmp_path / "both.html").as_uri())

    def seen(panel: int) -> int:
        return page.locator(".panel").nth(panel).locator(".node:not(.unseen)").count()

    page.click("#forward")
    page.click("#forward")
    assert (seen(0), seen(1)) == (2, 2)
    page.select_option("#target", "1")
    page.click("#last")
    assert (seen(0), seen(1)) == (2, right.visited)
    page.select_option("#target", "both")
    page.click("#first")
    assert (seen(0), seen(1)) == (0, 0)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_arrow_key_steps_after_the_box_for_predictions_was_ticked(stepper: Page) -> None:
    stepper.click("#predict")
    stepper.keyboard.press("ArrowRight")
    assert count(stepper, ".node:not(.unseen)") == 1


def test_the_lines_of_the_pseudocode_that_a_step_carries_out_are_marked(stepper: Page) -> None:
    stepper.click("#forward")
    assert stepper.locator(".code li.now").all_inner_texts() == ["alphabeta(node, α, β)"]
    stepper.click("#next-mark")
    assert "cutoff" in stepper.locator(".code li.now").inner_text()


def test_the_tree_is_enlarged_by_buttons_and_by_two_fingers_and_scrolls(stepper: Page) -> None:
    width = "document.querySelector('main svg.tree').getBoundingClientRect().width"
    before = stepper.evaluate(width)
    stepper.click("#larger")
    assert stepper.evaluate(width) == pytest.approx(1.3 * before, rel=0.01)
    stepper.evaluate(
        """() => {
            const frame = document.querySelector(".picture");
            const touch = (id, x) => new Touch({ identifier: id, target: frame, clientX: x, clientY: 300 });
            const send = (kind, apart) => frame.dispatchEvent(new TouchEvent(kind, {
              touches: [touch(1, 300), touch(2, 300 + apart)], bubbles: true, cancelable: true }));
            send("touchstart", 100);
            send("touchmove", 200);
        }"""
    )
    assert stepper.evaluate(width) == pytest.approx(2.6 * before, rel=0.01)
    assert stepper.evaluate("(f => f.scrollWidth > f.clientWidth)(document.querySelector('.picture'))")
    assert stepper.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
