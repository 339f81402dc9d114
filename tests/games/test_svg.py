"""Boards as SVG: well-formed, complete, and the same in words."""

from xml.etree import ElementTree

import pytest

from noughts import Engine, Game, Limit, Playthrough, Position, Side, catalogue, solve
from noughts.games.rendering.svg import svg
from plays import played_at_random, position_after

SVG = "{http://www.w3.org/2000/svg}"
SQUARE = [(0, 0), (1, 0), (0, 1), (1, 1)]


def parse_svg(position: Position) -> ElementTree.Element:
    return ElementTree.fromstring(svg(position))


def kinds(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if element.get("class") == f"noughts-{kind}"]


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("id", [entry.id for entry in catalogue()])
def test_every_game_draws_every_mark_once(id: str) -> None:
    position = played_at_random(id, seed=5, plies=40)
    root = parse_svg(position)
    for side in ("x", "o"):
        drawn = len(kinds(root, side)) + len(kinds(root, f"under-{side}"))
        assert drawn == position.cells.count(Side(side.upper()))
    assert len(kinds(root, "last")) == 1


@pytest.mark.parametrize("id", [entry.id for entry in catalogue()])
def test_everything_lies_on_the_paper(id: str) -> None:
    root = parse_svg(played_at_random(id, seed=5, plies=40))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    for element in root.iter():
        for x, y in (("x", "y"), ("cx", "cy")):
            if element.get(x):
                assert 0 <= float(element.get(x, "")) + float(element.get("width", 0)) <= width
                assert 0 <= float(element.get(y, "")) + float(element.get("height", 0)) <= height


def test_notebooks_get_the_picture() -> None:
    position = Game("3x3").start()
    assert position._repr_svg_() == svg(position)


def test_games_and_playthroughs_are_pictures_in_notebooks() -> None:
    game = Game("3x3")
    picture, more = Playthrough(game, [4])._repr_mimebundle_()
    assert picture["image/svg+xml"] == svg(game.start().after(4))
    assert picture["text/plain"] == "<Playthrough of 3x3: b2, *>"
    assert more["image/svg+xml"]["alt"] == "3x3: 3/1x1/3 o"
    assert game._repr_mimebundle_()[0]["image/svg+xml"] == svg(game.start())


def test_results_of_searches_and_solutions_are_pictures_of_the_best_move() -> None:
    position = Game("3x3").parse("xx1/oo1/3 x")
    after = svg(position.after("c3"))
    result, solution = Engine().search(position, Limit(nodes=1000)), solve(position)
    position.play("a1")
    assert result._repr_mimebundle_()[0] == {"image/svg+xml": after, "text/plain": str(result)}
    assert solution._repr_mimebundle_()[0] == {"image/svg+xml": after, "text/plain": str(solution)}


def test_crosses_are_paths_and_noughts_are_circles_in_different_colours() -> None:
    root = parse_svg(position_after("3x3", "b2", "a1"))
    (x,), (o,) = kinds(root, "x"), kinds(root, "o")
    assert (x.tag, o.tag) == (f"{SVG}path", f"{SVG}circle")
    assert x.get("stroke") != o.get("stroke")


def test_picture_says_in_words_what_it_shows() -> None:
    root = parse_svg(position_after("3x3", "a1", "a2", "b1", "b2", "c1"))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "tictactoe, X wins"
    expected = "X: a1, b1, c1. O: a2, b2. Last move: c1. Complete line: a1, b1, c1."
    assert root.findtext(f"{SVG}desc") == expected


def test_coordinates_are_those_of_the_notation() -> None:
    assert texts(parse_svg(Game("3x2:3").start())) == ["2", "1", "a", "b", "c"]


def test_straight_line_is_lit_up_in_one_stroke() -> None:
    strokes = kinds(parse_svg(position_after("3x3", "a1", "a2", "b1", "b2", "c1")), "winning")
    assert {stroke.tag for stroke in strokes} == {f"{SVG}polyline"}
    assert {len((stroke.get("points") or "").split()) for stroke in strokes} == {3}


def test_no_line_is_lit_up_before_one_is_complete() -> None:
    assert not kinds(parse_svg(position_after("3x3", "a1", "a2")), "winning")


def test_line_through_levels_is_lit_up_cell_by_cell() -> None:
    position = position_after("3x3x3", "1a1", "1a2", "2a1", "2a2", "3a1")
    assert position.winning_line == (6, 15, 24)
    assert [glow.tag for glow in kinds(parse_svg(position), "winning")] == [f"{SVG}circle"] * 3


def test_line_round_a_torus_is_lit_up_cell_by_cell() -> None:
    position = position_after("5x3:3+wrap", "e1", "e2", "a1", "c2", "b1")
    assert len(position.winning_line or ()) == 3
    assert [glow.tag for glow in kinds(parse_svg(position), "winning")] == [f"{SVG}circle"] * 3


def test_levels_are_titled() -> None:
    assert [text for text in texts(parse_svg(Game("4x4x4").start())) if "level" in text] == [
        "level 1",
        "level 2",
        "level 3",
        "level 4",
    ]


def test_ultimate_outlines_the_block_to_play() -> None:
    root = parse_svg(position_after("ultimate:3", "e5"))
    assert len(kinds(root, "target")) == 1
    assert "Play in board 5 (d4 to f6)." in (root.findtext(f"{SVG}desc") or "")
    assert not kinds(parse_svg(Game("ultimate:3").start()), "target")


def test_ultimate_covers_won_blocks_with_a_large_mark() -> None:
    root = parse_svg(Game("ultimate:3").parse("xxx6/9/9/3ooo3/9/9/9/6x2/9 o -"))
    assert len(kinds(root, "block-x")) == len(kinds(root, "block-o")) == 1
    assert len(kinds(root, "under-x")) == len(kinds(root, "under-o")) == 3
    assert len(kinds(root, "x")) == 1


def test_won_block_that_stays_open_keeps_its_marks_bright() -> None:
    root = parse_svg(Game("ultimate:3+open").parse("xxx6/9/9/3oo4/9/9/9/9/9 o 5 x........"))
    (owner,) = kinds(root, "block-x")
    assert float(owner.get("opacity", 1)) < 0.5
    assert len(kinds(root, "x")) == 3
    assert not kinds(root, "under-x")


def test_custom_game_is_drawn_by_its_layout_with_its_lines_behind() -> None:
    game = Game.from_lines("square", 4, [[0, 1], [2, 3]], layout=SQUARE)
    root = parse_svg(position_after(game, "0"))
    assert len(kinds(root, "line")) == 2
    assert texts(root) == ["1", "2", "3"]
    spots = [element for element in root.iter(f"{SVG}circle") if element.get("stroke")]
    assert len({spot.get("cx") for spot in spots}) == len({spot.get("cy") for spot in spots}) == 2


@pytest.mark.parametrize("cells", [1, 2, 9, 40])
def test_custom_game_without_a_layout_keeps_its_cells_apart(cells: int) -> None:
    root = parse_svg(Game.from_lines("plain", cells, [[0]]).start())
    places = {(c.get("cx"), c.get("cy")) for c in root.iter(f"{SVG}circle")}
    assert len(places) == cells


def test_names_are_escaped() -> None:
    game = Game.from_lines('a <b> & "c"', 4, [[0, 1]], layout=SQUARE)
    assert parse_svg(game.start()).findtext(f"{SVG}title") == 'a <b> & "c", X to move'


def test_width_is_as_asked_and_the_shape_is_kept() -> None:
    root = ElementTree.fromstring(svg(Game("7x6:4+gravity").start(), width=200))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    assert float(root.get("width", 0)) == 200
    assert float(root.get("height", 0)) == pytest.approx(200 * height / width, abs=0.01)
