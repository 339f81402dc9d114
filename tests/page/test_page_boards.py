"""The boards of the page in the system's Chromium: the cube, discs in a frame, large boards on a phone, overlays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from noughts.games import Game
from web_pages import (
    Home,
    cell,
    change_game,
    eventually,
    open_game,
    point_in_cube,
    press,
    says,
    status,
    visiting,
    wait_for_drawing,
    wait_for_mark,
    wait_for_marks,
    way_into_cube,
    whole_game,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Locator, Page

QUBIC = Game("4x4x4")
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def page(home: Home, browser: Browser) -> Iterator[Page]:
    with visiting(browser, home.address, viewport={"width": 1200, "height": 800}) as found:
        yield found


@pytest.fixture
def phone(home: Home, browser: Browser) -> Iterator[Page]:
    with visiting(browser, home.address, viewport=PHONE, has_touch=True) as found:
        yield found


def turned(page: Page) -> tuple[float, float]:
    """How the cube is turned and tilted, in degrees, once it stands still."""
    page.evaluate(
        """async () => {
          const scene = document.querySelector(".scene");
          for (let still = 0, before = ""; still < 3; ) {
            await new Promise(requestAnimationFrame);
            const now = scene.dataset.turn + scene.dataset.tilt + scene.dataset.zoom;
            still = now === before ? still + 1 : 0;
            before = now;
          }
        }"""
    )
    scene = page.locator(".scene")
    return float(scene.get_attribute("data-turn") or 0), float(scene.get_attribute("data-tilt") or 0)


def middle_of(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def lifted(page: Page) -> str | None:
    return page.locator(".scene").get_attribute("data-lifted")


# --- the cube -------------------------------------------------------------------------------------------------------


def test_every_drag_turns_the_cube_and_selects_nothing(page: Page) -> None:
    open_game(page, "4x4x4")
    x, y = middle_of(page, ".scene")
    before = turned(page)[0]
    for _ in range(6):
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 50, y + 6, steps=5)
        page.mouse.up()
        after = turned(page)[0]
        assert (after - before) % 360 > 15
        assert page.evaluate("getSelection().toString()") == ""
        before = after
    assert page.locator(".planes .taken").count() == 0


def test_the_cube_coasts_after_a_drag_unless_less_motion_is_asked_for(page: Page) -> None:
    def drag() -> float:
        """How far a drag of 60 pixels turns the cube in all, in degrees."""
        before = turned(page)[0]
        x, y = middle_of(page, ".scene")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y, steps=6)
        page.mouse.up()
        return (turned(page)[0] - before) % 360

    open_game(page, "4x4x4")
    by_hand = drag()
    assert drag() == pytest.approx(by_hand, abs=0.5)
    page.emulate_media(reduced_motion="no-preference")
    # On a busy machine a release may come too late for the drag to count as a push.
    assert any(drag() > by_hand + 5 for _ in range(5))


def test_the_cube_is_turned_by_buttons_and_keys_and_enlarged(page: Page) -> None:
    open_game(page, "4x4x4")
    seen = [turned(page)]
    press(page, "Turn left")
    seen.append(turned(page))
    cell(page, 0).focus()
    page.keyboard.press("Shift+ArrowUp")
    seen.append(turned(page))
    page.focus(".scene")
    # After a click plain arrows step through the moves.
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    seen.append(turned(page))
    assert len(set(seen)) == 4
    page.keyboard.press("+")
    turned(page)
    assert float(page.locator(".scene").get_attribute("data-zoom") or 0) > 1
    press(page, "Reset the view")
    assert turned(page) == pytest.approx(seen[0], abs=0.5)
    assert float(page.locator(".scene").get_attribute("data-zoom") or 0) == pytest.approx(1, abs=0.03)
    assert page.locator(".planes .taken").count() == 0


def test_lines_through_the_cell_pointed_at_are_lit_in_the_cube_and_on_its_levels(page: Page) -> None:
    open_game(page, "4x4x4")
    cell(page, 0).hover()
    lit = {at for line in QUBIC.lines if 0 in line for at in line}
    page.wait_for_selector(".planes .lit")
    in_space = "[...document.querySelectorAll('.scene .lit')].reduce((sum, one) => sum + Number(one.dataset.cells), 0)"
    eventually(page, f"count => {in_space} === count", len(lit))
    assert page.locator(".planes .lit").count() == len(lit) == 22


@pytest.mark.parametrize("turns", [0, 3])
def test_no_cell_of_the_cube_is_unreachable(page: Page, turns: int) -> None:
    open_game(page, "4x4x4")
    for _ in range(turns):
        press(page, "Turn right")
        turned(page)
    # Every cell is tried without a browser, in tests/page/js/space.test.mjs.
    for move in range(0, QUBIC.cells, 7):
        point_in_cube(page, QUBIC, move)
        eventually(page, "move => document.querySelector('.planes .pointed')?.dataset.cell === move", str(move))
        assert lifted(page) == str(int(QUBIC.coordinates[move][2]) + 1)
    assert page.locator(".planes .taken").count() == 0


def test_only_the_lifted_level_takes_the_click(page: Page) -> None:
    open_game(page, "4x4x4")
    # A cell of the lowest level whose middle lies under a higher one.
    covered = next(move for move in range(16) if is_covered(page, move))
    point_in_cube(page, QUBIC, covered)
    page.wait_for_selector(".scene .level.lifted")
    assert page.locator(".scene .level.covering").count() == 3
    page.mouse.down()
    page.mouse.up()
    wait_for_mark(page, covered, "X")
    assert page.locator(".planes .taken").count() == 1


def is_covered(page: Page, move: int) -> bool:
    """Whether another level takes the middle of a cell while nothing is lifted."""
    _, goal = way_into_cube(page, QUBIC, move)
    page.mouse.move(0, 0)
    page.mouse.move(*goal)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    return lifted(page) != "1"


def test_a_tap_lifts_a_level_and_a_second_tap_plays(phone: Page) -> None:
    open_game(phone, "4x4x4")
    free, goal = way_into_cube(phone, QUBIC, 5)
    phone.touchscreen.tap(*free)
    eventually(phone, "document.querySelector('.scene')?.dataset.lifted === '1'")
    assert phone.locator(".planes .taken").count() == 0
    phone.touchscreen.tap(*goal)
    wait_for_mark(phone, 5, "X")
    eventually(phone, "document.querySelector('.scene')?.dataset.lifted === ''")


def test_a_second_tap_at_the_same_place_plays_the_previewed_cell(phone: Page) -> None:
    open_game(phone, "4x4x4")
    for right, down in [(0.3, 0.2), (0.7, 0.17), (0.35, 0.3), (0.5, 0.22), (0.5, 0.5), (0.4, 0.75)]:
        change_game(phone, "4x4x4")
        wait_for_marks(phone, 0)
        box = phone.locator(".scene").bounding_box()
        assert box is not None
        at = (box["x"] + right * box["width"], box["y"] + down * box["height"])
        phone.touchscreen.tap(*at)
        phone.wait_for_selector(".planes .pointed", state="attached")
        eventually(phone, "document.querySelector('.scene .mark.ghost')")
        previewed = int(phone.locator(".planes .pointed").get_attribute("data-cell") or -1)
        phone.touchscreen.tap(at[0] + 3, at[1] - 4)
        wait_for_mark(phone, previewed, "X")
        wait_for_marks(phone, 1)


@pytest.mark.parametrize("game", ["4x4x4", "15x15:5"])
def test_where_two_taps_are_needed_the_page_says_so(phone: Page, game: str) -> None:
    open_game(phone, game)
    phone.touchscreen.tap(*middle_of(phone, ".scene" if game == "4x4x4" else '.planes [data-cell="112"]'))
    phone.wait_for_selector(".tap-again")
    assert phone.inner_text(".tap-again").endswith("tap again to play")
    says(phone, "tap again to play")
    bottom = phone.evaluate("document.querySelector('.top nav').getBoundingClientRect().top")
    box = phone.locator(".tap-again").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= bottom
    phone.touchscreen.tap(*middle_of(phone, ".scene" if game == "4x4x4" else '.planes [data-cell="112"]'))
    wait_for_marks(phone, 1)
    phone.wait_for_selector(".tap-again", state="detached")


def test_pinching_enlarges_the_cube(phone: Page) -> None:
    open_game(phone, "4x4x4")
    x, y = middle_of(phone, ".scene")
    wire = phone.context.new_cdp_session(phone)

    def touch(kind: str, *distances: float) -> None:
        points = [{"x": x + at, "y": y, "id": number} for number, at in enumerate(distances)]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", -40, 40)
    for by in range(5, 45, 5):
        touch("touchMove", -40 - by, 40 + by)
    touch("touchEnd")
    turned(phone)
    assert float(phone.locator(".scene").get_attribute("data-zoom") or 0) > 1.3
    assert phone.evaluate("visualViewport.scale") == 1
    assert phone.locator(".planes .taken").count() == 0


def test_a_phone_shows_the_cube_or_its_levels(phone: Page) -> None:
    open_game(phone, "4x4x4")
    assert phone.locator(".scene").is_visible()
    assert not phone.locator(".planes").is_visible()
    press(phone, "Levels")
    cell(phone, 0).click()
    wait_for_mark(phone, 0, "X")
    assert not phone.locator(".scene").is_visible()


def test_a_beam_runs_through_the_complete_line(page: Page) -> None:
    open_game(page, "4x4x4", (0, 3, 21, 15, 42, 22))
    assert page.locator(".scene .beam").count() == 0
    cell(page, 63).click()
    page.wait_for_selector(".scene .beam.x.through")
    assert "X wins" in status(page)
    # A piece for each level, and what shines through the plates.
    assert page.locator(".scene .beam.x").count() == 5


# --- discs in a frame -----------------------------------------------------------------------------------------------


def test_a_mark_dropped_anywhere_in_a_column_falls_to_the_floor(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    open_game(page, "7x6:4+gravity")
    cell(page, 3).click()
    wait_for_mark(page, 38, "X")
    assert page.locator(".disc.falls").evaluate("disc => getComputedStyle(disc).animationName") == "fall"
    page.emulate_media(reduced_motion="reduce")
    assert page.locator(".disc.falls").evaluate("disc => getComputedStyle(disc).animationName") == "none"
    cell(page, 38).click()
    wait_for_mark(page, 31, "O")


def test_a_ghost_lies_where_the_disc_would_land_from_any_cell_of_the_column(page: Page) -> None:
    open_game(page, "7x6:4+gravity", (38,))
    for above in (3, 17, 38):
        page.mouse.move(0, 0)
        cell(page, above).hover()
        ghost = page.locator('.planes [data-cell="31"] .disc.o.ghost.aimed')
        ghost.wait_for()
        eventually(page, "ghost => getComputedStyle(ghost).opacity > 0.3", ghost.element_handle())
        assert cell(page, above).evaluate("one => getComputedStyle(one).cursor") == "pointer"
    assert page.locator(".ghost.aimed").count() == 1


# --- large boards on a phone ----------------------------------------------------------------------------------------


def test_fifteen_columns_fit_a_phone_and_the_last_move_is_marked(phone: Page) -> None:
    open_game(phone, "15x15:5", (112, 119))
    window: FloatRect = {"x": 0, "y": 0, "width": PHONE["width"], "height": PHONE["height"]}
    assert all(is_inside(cell(phone, move), window) for move in (0, 14, 119, 210, 224))
    assert phone.locator(".planes").evaluate("board => board.scrollWidth <= board.clientWidth")
    assert middle_of(phone, ".anchor.ring.o") == pytest.approx(middle_of(phone, '.planes [data-cell="119"]'), abs=1)


def is_inside(element: Locator, outer: FloatRect | None) -> bool:
    box = element.bounding_box()
    assert box is not None
    assert outer is not None
    across = outer["x"] <= box["x"] <= box["x"] + box["width"] <= outer["x"] + outer["width"]
    return across and outer["y"] <= box["y"] <= box["y"] + box["height"] <= outer["y"] + outer["height"]


@pytest.mark.parametrize("move", [112, 0])
def test_a_tap_on_small_cells_magnifies_and_a_second_tap_confirms(phone: Page, move: int) -> None:
    open_game(phone, "15x15:5")
    at = middle_of(phone, f'.planes [data-cell="{move}"]')
    phone.touchscreen.tap(*at)
    phone.wait_for_selector(f'.loupe [data-aim="{move}"].aimed')
    assert phone.locator(".planes .taken").count() == 0
    phone.touchscreen.tap(*at)
    wait_for_mark(phone, move, "X")
    assert phone.locator(".loupe").count() == 0


def test_the_second_tap_may_correct_the_first_or_close_the_magnifier(phone: Page) -> None:
    open_game(phone, "15x15:5")
    phone.touchscreen.tap(*middle_of(phone, '.planes [data-cell="112"]'))
    phone.wait_for_selector(".loupe")
    phone.touchscreen.tap(*middle_of(phone, '.loupe [data-aim="97"]'))
    wait_for_mark(phone, 97, "X")
    phone.touchscreen.tap(*middle_of(phone, '.planes [data-cell="112"]'))
    phone.wait_for_selector(".loupe")
    phone.touchscreen.tap(*middle_of(phone, ".brand"))
    phone.wait_for_selector(".loupe", state="detached")


def test_enlarging_keeps_the_last_move_in_view(phone: Page) -> None:
    open_game(phone, "15x15:5", (112, 209))
    for _ in range(2):
        press(phone, "Larger cells")
    eventually(phone, "document.querySelector('.planes')?.scrollLeft > 0")
    assert is_inside(cell(phone, 209), phone.locator(".planes").bounding_box())
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_board_of_thirty_columns_scrolls_within_its_frame(phone: Page) -> None:
    open_game(phone, "30x30:5")
    assert phone.locator(".planes").evaluate("board => board.scrollWidth > board.clientWidth")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_board_is_as_large_as_the_window_allows(page: Page) -> None:
    open_game(page, "3x3")
    for width in (1400, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        wait_for_drawing(page)
        box = page.locator(".rows").bounding_box()
        assert box is not None
        assert box["height"] > 600
        assert box["y"] + box["height"] <= 900


# --- everything else ------------------------------------------------------------------------------------------------


def test_ultimate_outlines_and_brightens_the_block_to_play(page: Page) -> None:
    open_game(page, "ultimate:3", (36, 5))
    assert page.locator(".target").count() == page.locator(".target.sent").count() == 1
    legal = {int(at.get_attribute("data-cell") or -1) // 9 for at in page.locator(".cell.legal").all()}
    assert legal == {5}
    assert "middle right board" in status(page)
    # The block to play is the brightest.
    sheet = "getComputedStyle(document.querySelector('.rows')).backgroundColor"
    other = "getComputedStyle(document.querySelector('.planes [data-cell=\"80\"]')).backgroundColor"
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert brightness(page.evaluate(sheet)) > brightness(page.evaluate(other)), theme


def brightness(colour: str) -> float:
    """The sum of the channels of ``rgb(…)`` or ``color(srgb …)``, 0 to 3."""
    channels = [float(number) for number in re.findall(r"[\d.]+", colour)][:3]
    return sum(channels) / (1 if colour.startswith("color(") else 255)


def test_a_won_block_is_covered_by_a_large_mark(page: Page) -> None:
    moves = whole_game("ultimate:3")
    position = Game("ultimate:3").start()
    while not any(position.blocks):
        position.play(moves[position.ply])
    open_game(page, "ultimate:3", tuple(position.moves))
    assert page.locator(".cover .mark").count() == 1
    side = next(owner for owner in position.blocks if owner)
    assert page.locator(f".cover.{str(side).lower()}").count() == 1


def test_a_custom_game_is_drawn_by_its_layout(page: Page) -> None:
    game = '{"name":"y","cells":7,"lines":[[0,1,2],[2,3,4],[4,5,6]]}'
    page.goto(f"#game={game}&moves=0.5")
    wait_for_mark(page, 5, "O")
    assert page.locator(".planes [role=gridcell]").count() == 7
    boxes = [cell(page, at).bounding_box() for at in range(7)]
    assert len({(box["x"], box["y"]) for box in boxes if box}) == 7
    cell(page, 2).hover()
    eventually(page, "document.querySelectorAll('.planes .lit').length === 5")
    for ply, move in enumerate((1, 6, 2)):
        cell(page, move).click()
        wait_for_mark(page, move, "XO"[ply % 2])
    assert "X wins" in status(page)


def test_threats_that_are_asked_for_in_a_game_are_missed_in_words(page: Page) -> None:
    open_game(page, "4x4x4")
    press(page, "Threats")
    says(page, "No threats now")


def test_threats_are_shown_on_demand(page: Page) -> None:
    open_game(page, "3x3", (0, 3, 1, 4))
    assert page.locator(".threat-x, .threat-o").count() == 0
    press(page, "Threats")
    assert page.locator('.planes [data-cell="2"].threat-x').count() == 1
    assert page.locator('.planes [data-cell="5"].threat-o').count() == 1
    assert "X can complete a line here" in (cell(page, 2).get_attribute("aria-label") or "")


DRAW_OVERLAYS = """async (id) => {
  const [{ask}, {boardOf, framed}, {patch}] = await Promise.all(
    ["server/api", "board/boards", "ui/dom"].map(name => import(`/js/${name}.js`)));
  const [game, position] = await Promise.all([ask("game", {game: id}), ask("position", {game: id})]);
  const board = boardOf({focus: 0, pointed: null}, game, position, {
    onplay: () => {},
    badges: new Map([
      [0, {text: "62%", says: "62%", kind: "score", chance: 0.62, best: true}],
      [1, {text: "", says: "40%", kind: "score", chance: 0.4}],
    ]),
    preview: [{cell: 3, side: "X", number: 1}, {cell: 6, side: "O", number: 2}],
  });
  const place = document.createElement("div");
  place.id = "drawn";
  document.body.append(place);
  patch(place, [framed(board)]);
  await new Promise(requestAnimationFrame);
}"""


@pytest.mark.parametrize("id", ["4x4", "4x4x4"])
def test_values_and_the_preview_of_a_line_are_drawn(page: Page, id: str) -> None:
    page.goto("/")
    page.wait_for_selector(".top nav")
    page.evaluate(DRAW_OVERLAYS, id)
    flat = page.locator("#drawn .planes")
    assert flat.locator(".badge").all_inner_texts() == ["62%"]
    assert flat.locator(".worth-score").count() == 2
    assert flat.locator(".order").all_inner_texts() == ["1", "2"]
    assert flat.locator(".mark.ahead").count() == 2
    if id == "4x4x4":
        space = page.locator("#drawn .scene")
        assert space.locator(".value").all_text_contents() == ["62%"]
        assert space.locator(".order").all_text_contents() == ["1", "2"]


DRAW_SMALL = """async ([id, cells]) => {
  const [{ask}, {miniature}, {patch}] = await Promise.all(
    ["server/api", "board/miniature", "ui/dom"].map(name => import(`/js/${name}.js`)));
  const place = document.createElement("div");
  place.id = "drawn";
  place.style.width = "200px";
  document.body.prepend(place);
  patch(place, [miniature(await ask("game", {game: id}), cells, {label: "small"})]);
}"""


def test_small_boards_show_discs_and_a_turning_cube(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector(".top nav")
    page.evaluate(DRAW_SMALL, ["7x6:4+gravity", "." * 40 + "XO"])
    assert page.locator("#drawn .disc.x, #drawn .disc.o, #drawn .windows").count() == 3
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    page.wait_for_selector(".top nav")
    page.evaluate(DRAW_SMALL, ["4x4x4", "X" + "." * 62 + "O"])
    plate = "document.querySelector('#drawn .plate').getAttribute('d')"
    before = page.evaluate(plate)
    eventually(page, f"before => {plate} !== before", before)
    page.emulate_media(reduced_motion="reduce")
    wait_for_drawing(page)
    before = page.evaluate(plate)
    wait_for_drawing(page)
    assert page.evaluate(plate) == before
