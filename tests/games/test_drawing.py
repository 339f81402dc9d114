"""Boards as text: exact pictures of each kind; every game fits every width."""

import dataclasses
import time

import pytest

from noughts import Game, Side, catalogue
from noughts.games.rendering.text import BOXES, LARGE, PLAIN, Style, compose, draw
from plays import played_at_random, position_after

FANO = [[0, 3, 1], [1, 4, 2], [2, 5, 0], [0, 6, 4], [1, 6, 5], [2, 6, 3], [3, 4, 5]]
TRIANGLE = [(0, -2), (-1.732, 1), (1.732, 1), (-0.866, -0.5), (0, 1), (0.866, -0.5), (0, 0)]


def picture(text: str) -> str:
    """The lines of a picture that is indented by eight blanks."""
    return "\n".join(line[8:] for line in text.strip("\n").rstrip().split("\n"))


def test_small_board_has_rules_and_the_last_move_in_brackets() -> None:
    assert str(position_after("3x3", "b2", "a1")) == picture("""
        3    |   |
          ---+---+---
        2    | X |
          ---+---+---
        1 [O]|   |
           a   b   c
    """)


def test_complete_line_stands_between_stars_and_the_last_move_keeps_its_brackets() -> None:
    assert str(position_after("3x3", "a1", "a3", "c3", "b3", "b2")) == picture("""
        3  O | O |*X*
          ---+---+---
        2    |[X]|
          ---+---+---
        1 *X*|   |
           a   b   c
    """)


def test_stars_of_neighbours_leave_the_brackets_of_the_last_move_whole() -> None:
    moves = ["a1", "a2", "c1", "b2", "d1", "c2", "b1"]
    bottom = draw(position_after("26x9:4", *moves)).splitlines()[-2]
    assert bottom.startswith("1 *X[X]X*X*. .")


def test_parsed_position_has_no_last_move_to_mark() -> None:
    assert "[" not in str(Game("3x3").parse("3/1x1/o2 x"))


def test_large_board_takes_two_characters_to_a_cell() -> None:
    lines = draw(position_after("15x15:5", "h8", "g10", "o1")).splitlines()
    assert lines[0] == "15  . . . . . . . . . . . . . . ."
    assert lines[5] == "10  . . . . . . O . . . . . . . ."
    assert lines[7] == " 8  . . . . . . . X . . . . . . ."
    assert lines[14] == " 1  . . . . . . . . . . . . . .[X]"
    assert lines[15] == "    a b c d e f g h i j k l m n o"
    assert len(lines) == 16


def test_gravity_board_is_drawn_as_it_stands() -> None:
    assert str(position_after("5x4:4+gravity", "c", "c", "d")) == picture("""
        4    |   |   |   |
          ---+---+---+---+---
        3    |   |   |   |
          ---+---+---+---+---
        2    |   | O |   |
          ---+---+---+---+---
        1    |   | X |[X]|
           a   b   c   d   e
    """)


def test_levels_stand_side_by_side_where_they_fit() -> None:
    assert draw(position_after("3x3x3", "2b2", "1a1"), 80) == picture("""
           level 1        level 2        level 3
        3    |   |     3    |   |     3    |   |
          ---+---+---    ---+---+---    ---+---+---
        2    |   |     2    | X |     2    |   |
          ---+---+---    ---+---+---    ---+---+---
        1 [O]|   |     1    |   |     1    |   |
           a   b   c      a   b   c      a   b   c
    """)


def test_levels_lose_their_rules_before_they_stack() -> None:
    assert draw(position_after("4x4x4", "2b2", "1a1"), 60) == picture("""
           level 1      level 2      level 3      level 4
        4  . . . .   4  . . . .   4  . . . .   4  . . . .
        3  . . . .   3  . . . .   3  . . . .   3  . . . .
        2  . . . .   2  . X . .   2  . . . .   2  . . . .
        1 [O]. . .   1  . . . .   1  . . . .   1  . . . .
           a b c d      a b c d      a b c d      a b c d
    """)


def test_levels_stack_in_even_rows_when_narrow() -> None:
    assert draw(position_after("3x3x3", "2b2", "1a1"), 25) == picture("""
           level 1     level 2
        3  . . .    3  . . .
        2  . . .    2  . X .
        1 [O]. .    1  . . .
           a b c       a b c

           level 3
        3  . . .
        2  . . .
        1  . . .
           a b c
    """)


def test_slices_beyond_three_dimensions_are_titled_by_their_coordinates() -> None:
    assert draw(position_after("2x2x2x2", "0,1,0,1", "1,1,1,0"), 40) == picture("""
           board 0,0     board 0,1
        0  . .        0  . X
        1  . .        1  . .
           0 1           0 1

           board 1,0     board 1,1
        0  . .        0  . .
        1  . .        1 [O].
           0 1           0 1
    """)


def test_ultimate_frames_the_block_to_play_and_says_which_it_is() -> None:
    assert str(position_after("ultimate:3", "e5", "d6", "a9")) == picture("""
          #########-------+-------+
        9 #[X]. . # . . . | . . . |
        8 # . . . # . . . | . . . |
        7 # . . . # . . . | . . . |
          #########-------+-------+
        6 | . . . | O . . | . . . |
        5 | . . . | . X . | . . . |
        4 | . . . | . . . | . . . |
          +-------+-------+-------+
        3 | . . . | . . . | . . . |
        2 | . . . | . . . | . . . |
        1 | . . . | . . . | . . . |
          +-------+-------+-------+
            a b c   d e f   g h i
        play in board 1 (a7 to c9)
    """)


def test_won_blocks_are_filled_with_a_large_mark() -> None:
    position = Game("ultimate:3").parse("xxx6/9/9/3ooo3/9/9/9/6x2/9 o -")
    assert draw(position, style=BOXES) == picture("""
          ┌───────┬───────┬───────┐
        9 │ X   X │ · · · │ · · · │
        8 │   X   │ · · · │ · · · │
        7 │ X   X │ · · · │ · · · │
          ├───────┼───────┼───────┤
        6 │ · · · │ O O O │ · · · │
        5 │ · · · │ O   O │ · · · │
        4 │ · · · │ O O O │ · · · │
          ├───────┼───────┼───────┤
        3 │ · · · │ · · · │ · · · │
        2 │ · · · │ · · · │ X · · │
        1 │ · · · │ · · · │ · · · │
          └───────┴───────┴───────┘
            a b c   d e f   g h i
        play in any open board
    """)


def test_won_block_that_stays_open_shows_its_cells_and_its_owner_in_the_frame() -> None:
    position = Game("ultimate:3+open").parse("xxx6/9/9/3oo4/9/9/9/9/9 o 5 x........")
    lines = str(position).splitlines()
    assert lines[0] == "  +---X---+-------+-------+"
    assert lines[1] == "9 | X X X | . . . | . . . |"
    assert lines[5] == "6 | . . . # O O . # . . . |"


def test_line_of_blocks_stands_between_stars() -> None:
    position = Game("ultimate:2").parse("xxoo/4/xx2/2o1 - -")
    assert position.winning_line == (0, 2)
    assert str(position) == picture("""
          +-----+-----+
        4 |*X*X*| O O |
        3 |*X*X*| O O |
          +-----+-----+
        2 |*X*X*| . . |
        1 |*X*X*| O . |
          +-----+-----+
            a b   c d
    """)


def test_names_beyond_z_are_written_downwards() -> None:
    *_, first, second = draw(Game("28x3").start()).splitlines()
    assert first.endswith(" y z a a")
    assert second.split() == ["a", "b"]
    assert len(first) == len(second)


def test_board_too_wide_is_cut_into_even_strips() -> None:
    assert draw(position_after("8x3:3", "a1", "h3"), 16) == picture("""
           columns a to d
        3  . . . .
        2  . . . .
        1  X . . .
           a b c d

           columns e to h
        3  . . .[O]
        2  . . . .
        1  . . . .
           e f g h
    """)


def test_ultimate_too_wide_is_cut_between_blocks() -> None:
    assert draw(position_after("ultimate:2", "a1"), 12) == picture("""
           columns a to b
          +-----+
        4 | . . |
        3 | . . |
          #######
        2 # . . #
        1 #[X]. #
          #######
            a b

           columns c to d
          +-----+
        4 | . . |
        3 | . . |
          +-----+
        2 | . . |
        1 | . . |
          +-----+
            c d
        play in board 3 (a1 to b2)
    """)


def test_custom_game_shows_the_numbers_of_its_empty_cells_by_its_layout() -> None:
    game = Game.from_lines("fano", 7, FANO, layout=TRIANGLE)
    assert str(position_after(game, "6", "4", "0")) == picture("""
            [X]
           3   5
             X
         1   O   2
    """)


def test_custom_game_without_a_layout_is_a_list_that_wraps() -> None:
    game = Game.from_lines("fano", 7, FANO)
    assert draw(position_after(game, "0", "4", "3", "5", "1"), 30) == picture("""
        0*X*  1[X]  2 .   3*X*  4 O
        5 O   6 .
    """)


def test_custom_game_whose_layout_does_not_fit_becomes_a_list() -> None:
    layout = [(cell**3, cell) for cell in range(12)]
    game = Game.from_lines("cubic", 12, [[0, 1, 2]], layout=layout)
    assert draw(game.start(), 40).startswith(" 0 .    1 .    2 .    3 .")


def test_custom_game_in_three_dimensions_has_levels() -> None:
    layout = [(x, y, 10 * z) for z in range(2) for y in range(2) for x in range(2)]
    game = Game.from_lines("cube", 8, [[0, 7], [1, 6]], layout=layout)
    assert draw(position_after(game, "0", "1", "7")) == picture("""
         level 1   level 2
        *X*  O     4   5

         2   3     6  [X]
    """)


def colours() -> Style:
    """A style that writes the names of its colours."""
    names = [f.name for f in dataclasses.fields(Style) if getattr(PLAIN, f.name) is str]
    return dataclasses.replace(PLAIN, **{name: _tagged(name) for name in names})


def _tagged(name: str):  # type: ignore[no-untyped-def]
    return lambda text: f"<{name}>{text}</{name}>"


def test_style_paints_marks_by_side_then_line_then_last_move() -> None:
    drawn = draw(position_after("3x3", "a1", "a3", "b1", "b3", "c1"), style=colours())
    assert "<winning><x>*X*</x></winning>" in drawn
    assert "<last><winning><x>[X]</x></winning></last>" in drawn
    assert "<coordinate>3</coordinate>" in drawn
    assert "<o>O</o>" in drawn
    assert "<rule>---+---+---</rule>" in drawn


def test_style_paints_the_frame_and_the_empty_cells_of_the_block_to_play() -> None:
    drawn = draw(position_after("ultimate:3", "e5"), style=colours())
    assert "<target>#########</target>" in drawn
    assert drawn.count("<target>.</target>") == 8
    assert drawn.count("<empty>.</empty>") == 72
    assert "<note>play in board 5 (d4 to f6)</note>" in drawn


@pytest.mark.parametrize("id", [entry.id for entry in catalogue()])
@pytest.mark.parametrize("width", [60, 80])
def test_every_game_fits_the_width_in_ascii_and_shows_every_open_mark(id: str, width: int) -> None:
    position = played_at_random(id, seed=3, plies=12)
    drawn = draw(position, width)
    assert max(map(len, drawn.splitlines())) <= width
    assert drawn.isascii()
    assert drawn.count("[") == drawn.count("]") == 1
    if not position.game.is_ultimate:
        assert drawn.count("X") == position.cells.count(Side.X)
        assert drawn.count("O") == position.cells.count(Side.O)


def test_gomoku_is_drawn_quickly() -> None:
    position = played_at_random("15x15:5", seed=1, plies=60)
    times = []
    for _ in range(20):
        start = time.process_time()
        draw(position)
        times.append(time.process_time() - start)
    assert min(times) < 0.002


@pytest.mark.parametrize("size", [(50, 20), (90, 36), (20, 8)])
@pytest.mark.parametrize("id", [entry.id for entry in catalogue()])
def test_every_cell_of_a_composed_board_has_a_place_of_its_own(id: str, size: tuple[int, int]) -> None:
    canvas = compose(played_at_random(id, 1, 7), *size, style=LARGE)
    middles = {cell: canvas.cell_at(place.x, place.y) for cell, place in canvas.places.items()}
    assert middles == {cell: cell for cell in range(Game(id).cells)}


def test_composed_board_is_as_large_as_the_screen_allows() -> None:
    sizes = [compose(Game("3x3").start(), 60, rows, style=LARGE).height for rows in (5, 6, 12, 18, 24)]
    assert sizes == [4, 6, 12, 18, 24]


def test_large_marks_show_the_last_move_in_brackets_and_a_line_between_stars() -> None:
    canvas = compose(position_after("3x3", "a1", "a3", "c3", "b3", "b2"), 40, 12, style=LARGE)
    assert canvas.render(LARGE) == picture("""
           ▄▀▀▀▄ │ ▄▀▀▀▄ │*▀▄ ▄▀*
        3  █   █ │ █   █ │   █
           ▀▄▄▄▀ │ ▀▄▄▄▀ │*▄▀ ▀▄*
          ───────┼───────┼───────
                 │┌▀▄ ▄▀┐│
        2        ││  █  ││
                 │└▄▀ ▀▄┘│
          ───────┼───────┼───────
          *▀▄ ▄▀*│       │
        1    █   │       │
          *▄▀ ▀▄*│       │
             a       b       c
    """)


def test_won_block_of_a_large_board_shows_its_owner() -> None:
    position = position_after("ultimate:2", "a4", "b3", "c2", "a3")
    drawn = compose(position, 40, 20, style=LARGE).render(LARGE)
    assert "┃   ▄▄█████▄▄   ┃" in drawn


@pytest.mark.parametrize("size", [(50, 20), (84, 36)])
def test_layout_of_a_custom_game_fills_a_screen_and_fits_it(size: tuple[int, int]) -> None:
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0.5, 0.5, 1)]
    pyramid = Game.from_lines("pyramid", 5, [[0, 4], [1, 4], [2, 4], [3, 4]], layout=corners)
    for game in (pyramid, Game.from_lines("fano", 7, FANO, layout=TRIANGLE), Game.from_lines("fano", 7, FANO)):
        canvas = compose(game.start(), *size, style=LARGE)
        assert size[0] // 2 < canvas.width <= size[0] or size[1] // 2 < canvas.height <= size[1]
        assert (canvas.width <= size[0], canvas.height <= size[1]) == (True, True)
        assert {canvas.cell_at(place.x, place.y) for place in canvas.places.values()} == set(range(game.cells))
