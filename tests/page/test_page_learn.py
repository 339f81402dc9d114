"""The view that teaches searches, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web_pages import eventually, open_search, press, to_step, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

"""Chromium logs that invalid input was refused."""


def test_the_search_tree_is_stepped_through_and_pruning_makes_it_smaller(page: Page) -> None:
    open_search(page)
    page.wait_for_selector(".knot", state="attached")
    assert page.locator(".knot:not(.unseen)").count() == 1  # the root
    for seen in (1, 2, 3):
        press(page, "Forward")
        assert page.locator(".knot:not(.unseen)").count() == seen
    assert "is to move" in page.inner_text(".explanation")
    press(page, "Back")
    assert page.locator(".knot:not(.unseen)").count() == 2
    to_step(page, "End")
    full = page.locator(".knot:not(.unseen)").count()
    page.select_option('select[name="algorithm"]', "alphabeta")
    eventually(page, "many => document.querySelectorAll('.knot').length < many", full)
    press(page, "Next cutoff")
    assert "Cutoff" in page.inner_text(".explanation")
    assert page.locator(".stub").count() > 0
    to_step(page, "End")
    pruned = page.locator(".knot:not(.unseen)").count()
    page.wait_for_selector(".comparison tbody tr")
    rows = page.locator(".comparison tbody tr").all()
    nodes = {row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in rows}
    assert nodes["Minimax"] == str(full)
    assert nodes["Alpha-beta, row by row"] == str(pruned)
    assert pruned < full
    page.locator(".comparison button", has_text="Minimax").click()
    eventually(page, "many => document.querySelectorAll('.knot').length === many", full)


def test_tree_and_its_controls_fit_a_large_window(page: Page) -> None:
    page.set_viewport_size({"width": 1400, "height": 900})
    page.goto("#view=learn&door=think")
    page.wait_for_selector(".knot", state="attached")
    box = "selector => document.querySelector(selector).getBoundingClientRect().toJSON()"
    controls, canvas = page.evaluate(box, ".stepper"), page.evaluate(box, ".canvas")
    assert controls["height"] < 60
    assert canvas["top"] - controls["bottom"] < 120
    # A newcomer sees three buttons; everything else is folded.
    assert page.locator(".stepper button:visible").all_inner_texts() == ["Back", "Play", "Forward"]
    assert page.locator(".tuning select:visible").count() == 0
    assert canvas["bottom"] <= 900


def test_a_typed_position_is_searched_and_nonsense_is_refused(page: Page) -> None:
    open_search(page)
    page.select_option('select[name="lesson"]', "custom")
    page.fill('input[name="start"]', "nonsense")
    page.press('input[name="start"]', "Enter")
    page.wait_for_selector(".learn .failure")
    page.fill('input[name="start"]', "xo1/xo1/3 x")
    page.press('input[name="start"]', "Enter")
    page.wait_for_selector(".learn .failure", state="detached")
    to_step(page, "End")
    assert "+1" in page.inner_text(".explanation")


def choose_search(page: Page, algorithm: str, name: str = "algorithm") -> None:
    """Choose a search and wait for its recording."""
    with page.expect_response("**/api/trace"):
        page.select_option(f'select[name="{name}"]', algorithm)
    page.wait_for_selector(".phases")


def forward_to(page: Page, selector: str) -> None:
    """Step forward until something is shown."""
    for _ in range(40):
        if page.locator(selector).count():
            return
        press(page, "Forward")
    raise AssertionError(f"{selector} is not shown")


def test_a_round_of_monte_carlo_tree_search_is_stepped_through(page: Page) -> None:
    open_search(page)
    choose_search(page, "mcts")
    forward_to(page, ".mini .played")
    assert page.inner_text(".explanation").startswith("Simulation. After a2, random moves")
    assert page.inner_text(".phases [aria-current]") == "Simulation"
    assert sorted(page.locator(".mini b").all_inner_texts()) == ["1", "2", "3"]
    press(page, "Forward")
    assert page.locator(".mini .played").count() == 0
    assert page.text_content(".knot.current text.line >> nth=0") == "n 1"
    forward_to(page, ".phases [aria-current]:has-text('Selection')")
    assert "= ucb" in page.inner_text(".explanation")
    assert "ucb " in (page.text_content(".knot.current text.line >> nth=2") or "")
    page.click(".outline summary")
    assert "ucb " in page.inner_text(".outline li[aria-current] span")
    grown = page.locator(".knot").count()
    press(page, "Next round")
    to_step(page, "End")
    assert page.locator(".knot").count() == 31 > grown
    assert page.locator(".edge.principal").count() > 0


def test_the_reader_predicts_the_next_step_and_the_score_is_kept(page: Page) -> None:
    open_search(page)
    choose_search(page, "proof_number_search")
    page.get_by_label("Let me predict").check()
    forward_to(page, ".guide")
    assert "most proving node" in page.inner_text(".guide .task")
    assert page.get_by_role("button", name="Forward", exact=True).is_disabled()
    assert page.evaluate("document.activeElement.closest('.guide') !== null")
    page.keyboard.press("Enter")  # the first of equals
    assert page.inner_text(".verdict") == "Right."
    assert page.inner_text(".tally") == "1 of 1 predicted"
    press(page, "Next round")
    page.locator(".guide .buttons button").first.click()
    assert page.inner_text(".verdict").startswith("No, c2: pn 1")
    assert page.inner_text(".tally") == "1 of 2 predicted"
    press(page, "Next round")
    press(page, "Show me")
    choose_search(page, "mcts")
    assert page.inner_text(".tally") == "1 of 2 predicted"


def test_two_searches_are_compared_side_by_side_and_on_a_phone_one_above_the_other(page: Page) -> None:
    open_search(page)
    page.wait_for_selector(".knot", state="attached")
    with page.expect_response("**/api/trace"):
        page.get_by_label("Compare two searches").check()
    page.wait_for_selector(".search >> nth=1")
    press(page, "Forward")
    press(page, "Forward")
    assert [text.split(" ·")[0] for text in page.locator(".search .counts").all_inner_texts()] == [
        "step 2 of 122",
        "step 2 of 203",
    ]
    page.select_option('select[name="target"]', "1")
    press(page, "Forward")
    assert [text.split()[1] for text in page.locator(".search .counts").all_inner_texts()] == ["2", "3"]
    for width, beside in ((1280, True), (360, False)):
        page.set_viewport_size({"width": width, "height": 740})
        left, right = (found.bounding_box() for found in page.locator(".search .canvas").all())
        assert left is not None
        assert right is not None
        assert (abs(left["y"] - right["y"]) < 2) is beside
        assert (right["y"] >= left["y"] + left["height"]) is not beside
    page.get_by_label("Compare two searches").uncheck()
    assert page.locator(".search").count() == 1


def test_a_learner_is_trained_and_its_curve_drawn(page: Page) -> None:
    open_search(page)
    page.wait_for_selector(".learner")
    page.select_option('select[name="learner-game"]', "3x3+gravity")
    page.select_option('select[name="playthroughs"]', "2000")
    press(page, "Let it learn")
    page.wait_for_selector(".curve")
    assert "After 2,000 games: 8" in page.inner_text(".learner [role=status]")
    assert "0 losses" in (page.get_attribute(".curve svg", "aria-label") or "")
    page.click(".curve summary")
    assert page.locator(".curve tbody tr").count() == 20


def leaf_texts(page: Page) -> list[str]:
    """The values of the leaves from left to right."""
    leaves = [
        (leaf.bounding_box(), leaf.locator("text").first.text_content()) for leaf in page.locator(".knot.end").all()
    ]
    return [text or "" for box, text in sorted(leaves, key=lambda leaf: leaf[0]["x"] if leaf[0] else 0)]


def test_a_tree_with_typed_leaf_values_is_stepped_predicted_enlarged_and_saved(page: Page) -> None:
    open_search(page)
    page.wait_for_selector(".knot", state="attached")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.select_option('select[name="lesson"]', "leaves")
        page.fill('input[name="leaves"]', "3 5 / 6 9 // 1 2 / 0 -1")
        page.press('input[name="leaves"]', "Enter")
        eventually(page, "() => document.querySelectorAll('.knot.end').length === 8")
        # The exercise, before the first step.
        wait_until(page, lambda: leaf_texts(page) == ["3", "5", "6", "9", "1", "2", "0", "−1"])
        to_step(page, "End")
        assert page.locator(".knot.end.cut").count() == 3
        assert page.locator(".cross").count() == 2
        assert "≥ 6" in page.locator(".knot text").all_text_contents()
        assert page.inner_text(".explanation") == "The value of the root is 5."
        assert page.locator(".code li[aria-current]").all_inner_texts() == ["  return best"]
        to_step(page, "Home")
        page.get_by_label("Let me predict").check()
        page.keyboard.press("ArrowRight")
        eventually(page, "() => document.querySelectorAll('.knot:not(.unseen)').length === 1")
        page.get_by_label("Let me predict").uncheck()
        before = page.evaluate("document.querySelector('.canvas svg').getBoundingClientRect().width")
        press(page, "Larger")
        assert page.evaluate("document.querySelector('.canvas svg').getBoundingClientRect().width") > 1.2 * before
        press(page, "Smaller")
        with page.expect_download() as saved:
            press(page, "Save as PNG")
        assert saved.value.suggested_filename == "tree.png"
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        with page.expect_response("**/api/trace"):
            page.select_option('select[name="lesson"]', "end")
