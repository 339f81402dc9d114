"""Time controls, clocks, and the one rule for how long an engine thinks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manual_time import ManualTime
from noughts import Game, Limit, Side
from noughts.engine import ClockReading, Engine
from noughts.match import Clock, TimeControl, format_seconds


@pytest.mark.parametrize(
    ("text", "base", "increment", "moves"),
    [
        ("5+3", 300, 3, None),
        ("10", 600, 0, None),
        ("0.5+0.5", 30, 0.5, None),
        ("10s+0.1s", 10, 0.1, None),
        ("2m", 120, 0, None),
        ("2min + 1s", 120, 1, None),
        ("1h+30s", 3600, 30, None),
        ("500ms", 0.5, 0, None),
        ("40/5", 300, 0, 40),
        ("40/30s+1", 30, 1, 40),
        ("10s+2m", 10, 120, None),
    ],
)
def test_time_control_is_minutes_plus_seconds_unless_units_are_written(
    text: str, base: float, increment: float, moves: int | None
) -> None:
    control = TimeControl.parse(text)
    assert control == TimeControl(base, increment, moves)
    assert TimeControl.parse(str(control)) == control
    assert TimeControl.from_tag(control.tag) == control


@pytest.mark.parametrize(
    "text", ["", "five", "5+", "+3", "5+3+1", "-5", "0", "0+3", "25h", "5x", "0/5", "1001/5", "5\u0663", "1e3", "5+25h"]
)
def test_nonsense_is_not_a_time_control(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        TimeControl.parse(text)


@pytest.mark.parametrize(
    ("text", "short"), [("5+3", "5+3"), ("10", "10m"), ("10s+0.1s", "10s+0.1s"), ("90s", "1.5m"), ("40/5", "40/5m")]
)
def test_time_control_has_a_short_text(text: str, short: str) -> None:
    assert str(TimeControl.parse(text)) == short


def test_tag_of_a_game_file_is_in_seconds() -> None:
    assert TimeControl.parse("5+3").tag == "300+3"
    assert TimeControl.parse("40/5").tag == "40/300"
    with pytest.raises(ValueError, match="in seconds"):
        TimeControl.from_tag("5 minutes")


def test_time_is_up_at_zero_and_never_below() -> None:
    time = ManualTime()
    clock = Clock(TimeControl(60), now=time)
    clock.start(Side.X)
    time.pass_seconds(61)
    assert clock.left(Side.X) == 0


def test_base_is_added_again_after_the_moves_of_the_control() -> None:
    clock = Clock(TimeControl(10, 0, moves=2))
    clock.press(Side.X, seconds=4)
    assert clock.left(Side.X) == 6
    assert clock.reading(Side.X).moves_to_go == 1
    clock.press(Side.X, seconds=4)
    assert clock.left(Side.X) == 12
    assert clock.reading(Side.X).moves_to_go == 2


@pytest.mark.parametrize(
    ("seconds", "text"), [(298, "4:58"), (20, "0:20"), (7.36, "0:07.3"), (0, "0:00.0"), (3601, "60:01")]
)
def test_clock_is_read_in_minutes_and_seconds(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text


def test_engine_spends_an_even_share_of_its_clock_and_most_of_the_increment() -> None:
    start = Game("15x15:5").start()
    assert Limit(clock=ClockReading((60, 5), (1, 1))).thinking_seconds(start) == pytest.approx(60 / 20 + 0.9)
    assert Limit(clock=ClockReading((60, 5), moves_to_go=10)).thinking_seconds(start) == pytest.approx(6)


def test_unclear_move_may_take_more_than_its_share_but_leaves_time_for_the_others() -> None:
    start = Game("15x15:5").start()
    limit = Limit(clock=ClockReading((60, 5), (1, 1)))
    assert limit.max_thinking_seconds(start) == pytest.approx(3 * (60 / 20 + 0.9))
    two_moves = Limit(clock=ClockReading((10, 10), moves_to_go=2))
    assert two_moves.max_thinking_seconds(start) == pytest.approx(5 + 0.4 * 5)
    last_move = Limit(clock=ClockReading((10, 10), moves_to_go=1))
    assert last_move.max_thinking_seconds(start) == pytest.approx(10 - 0.03)


def test_fixed_time_is_both_share_and_maximum() -> None:
    start = Game("15x15:5").start()
    assert Limit(seconds=2).max_thinking_seconds(start) == 2
    assert Limit(seconds=0.5, clock=ClockReading((60, 60))).max_thinking_seconds(start) == 0.5
    assert Limit(depth=3).max_thinking_seconds(start) is None


@given(
    left=st.floats(0, 1000), increment=st.floats(0, 60), moves=st.none() | st.integers(1, 60), text=st.sampled_from(
        ["9/9/9/9/9/9/9/9/9 x", "xoxoxoxo1/9/9/9/9/9/9/9/9 x"]
    )
)  # fmt: skip
def test_maximum_is_no_less_than_the_share_and_within_the_clock(
    left: float, increment: float, moves: int | None, text: str
) -> None:
    position = Game("9x9:5").parse(text)
    limit = Limit(clock=ClockReading((left, left), (increment, increment), moves))
    share, most = limit.thinking_seconds(position), limit.max_thinking_seconds(position)
    assert share is not None
    assert most is not None
    assert 0 < share <= most <= max(0.001, left)


def test_time_spent_before_a_search_is_charged_to_the_limit() -> None:
    clock = ClockReading((10, 20))
    assert Limit(seconds=2, clock=clock).after(0.5, Side.O) == Limit(seconds=1.5, clock=ClockReading((10, 19.5)))
    assert Limit(seconds=1, depth=4).after(5, Side.X) == Limit(seconds=0.1, depth=4)
    assert Limit(clock=clock).after(15, Side.X) == Limit(clock=ClockReading((0, 20)))
    assert Limit(nodes=7).after(1, Side.X) == Limit(nodes=7)


def test_engine_does_not_plan_with_more_moves_than_the_board_has() -> None:
    position = Game("3x3").parse("xox/oxo/3 x")
    assert Limit(clock=ClockReading((10, 10))).thinking_seconds(position) == pytest.approx(5)


def test_engine_leaves_time_for_the_overhead_of_a_move() -> None:
    position = Game("3x3").parse("xox/oxo/1x1 o")
    limit = Limit(clock=ClockReading((60, 0.1), (0, 10)))
    seconds = limit.thinking_seconds(position)
    assert seconds is not None
    assert seconds <= 0.07 + 1e-9


def test_engine_with_an_empty_clock_answers_almost_at_once() -> None:
    seconds = Limit(clock=ClockReading((0, 0))).thinking_seconds(Game("3x3").start())
    assert seconds is not None
    assert 0 < seconds <= 0.01


def test_limit_in_seconds_bounds_the_share_of_the_clock() -> None:
    start = Game("15x15:5").start()
    assert Limit(seconds=0.5, clock=ClockReading((60, 60))).thinking_seconds(start) == 0.5
    assert Limit(seconds=0.5).thinking_seconds(start) == 0.5
    assert Limit(depth=3).thinking_seconds(start) is None


def test_side_is_late_when_its_seconds_or_its_clock_run_out() -> None:
    limit = Limit(seconds=2, clock=ClockReading((1, 5)))
    assert (limit.deadline(Side.X), limit.deadline(Side.O)) == (1, 2)
    assert Limit(nodes=10).deadline(Side.X) is None


def test_engine_searches_within_a_clock() -> None:
    result = Engine().search(Game("ultimate:3").start(), Limit(clock=ClockReading((3, 3))))
    assert result.seconds < 2
