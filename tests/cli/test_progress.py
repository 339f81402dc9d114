"""The display of progress: a bar on a terminal, lines elsewhere."""

import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper

import pytest

from noughts.cli import progress
from noughts.cli.progress import ProgressDisplay
from noughts.proof.progress_estimate import ProgressEstimate

ROUGH = ProgressEstimate(0.12, 0.05, 0.4)
FACTS, DETAILS = ["1,234 nodes", "56 a second"], ["table 3% of 64 MB", "b2 c3 a1"]


class Stream(TextIOWrapper):
    """Standard error: a terminal or a file."""

    is_terminal = True

    def isatty(self) -> bool:
        return self.is_terminal

    @property
    def text(self) -> str:
        self.flush()
        assert isinstance(self.buffer, BytesIO)
        return self.buffer.getvalue().decode()


class Clock:
    """A clock that the test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "monotonic", clock)
    return clock


@pytest.fixture
def stderr(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Stream]:
    def make(is_terminal: bool = True, columns: int = 80, encoding: str = "utf-8", term: str = "xterm") -> Stream:
        stream = Stream(BytesIO(), encoding=encoding)
        stream.is_terminal = is_terminal
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("TERM", term)
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return make


def drawn(stream: Stream) -> list[str]:
    """The lines of the last drawing."""
    text = stream.text.rsplit("\x1b[J", 1)[0].rsplit("\x1b[J", 1)[-1]
    return [line.split("\r")[-1] for line in text.split("\x1b[K\r\n")]


def test_share_names_its_range_and_never_claims_more_than_it_knows() -> None:
    assert str(ROUGH) == "12% (5 to 40)"
    assert str(ProgressEstimate.exact(3, 4)) == "75%"
    assert str(ProgressEstimate(0.004, 0.0005, 0.03)) == "0.4% (0.05 to 3)"
    assert str(ProgressEstimate(0.999, 0.9, 0.9999)) == "99% (90 to 99)"
    assert str(ProgressEstimate.exact(0, 0)) == "100%"


def test_terminal_has_a_bar_with_the_range_and_a_line_of_details(stderr: Callable[..., Stream]) -> None:
    stream = stderr()
    ProgressDisplay().show(FACTS, ROUGH, DETAILS)
    assert drawn(stream) == [
        "█▒▒▒▒▒▒▒░░░░░░░░░░░░ 12% (5 to 40)  1,234 nodes  56 a second",
        "table 3% of 64 MB  b2 c3 a1",
    ]


@pytest.mark.parametrize("columns", [20, 30, 40, 60, 200])
def test_drawing_fits_into_the_width(columns: int, stderr: Callable[..., Stream]) -> None:
    stream = stderr(columns=columns)
    ProgressDisplay("a game with a name").show(FACTS * 4, ROUGH, DETAILS * 4)
    assert all(0 < len(line) < columns for line in drawn(stream))


def test_terminal_without_unicode_has_a_plain_bar(stderr: Callable[..., Stream]) -> None:
    stream = stderr(encoding="ascii")
    ProgressDisplay().show([], ROUGH)
    assert drawn(stream) == ["#=======............ 12% (5 to 40)"]


def test_time_left_is_a_range_too(clock: Clock, stderr: Callable[..., Stream]) -> None:
    stream, display = stderr(), ProgressDisplay()
    clock.now = 60
    display.show([], ROUGH)
    assert drawn(stream)[0].endswith("12% (5 to 40)  1:30 to 19:00 left")


def test_bar_is_erased_at_the_end(stderr: Callable[..., Stream]) -> None:
    stream = stderr()
    with ProgressDisplay() as display:
        display.show_count(3, 4)
    assert stream.text.endswith("\r\x1b[J")


@pytest.mark.parametrize("stream", [{"is_terminal": False}, {"term": "dumb"}], ids=["file", "dumb terminal"])
def test_elsewhere_there_is_a_line_after_ten_seconds_and_then_every_minute(
    stream: dict[str, object], clock: Clock, stderr: Callable[..., Stream]
) -> None:
    file, display = stderr(**stream), ProgressDisplay("5x5:4")
    for second in range(140):
        clock.now = second
        display.show(FACTS, ROUGH if second > 100 else None, DETAILS)
    display.clear()
    assert file.text.splitlines() == [
        "5x5:4: 1,234 nodes, 56 a second, table 3% of 64 MB, b2 c3 a1",
        "5x5:4: 1,234 nodes, 56 a second, table 3% of 64 MB, b2 c3 a1",
        "5x5:4: 12% (5 to 40), 1,234 nodes, 56 a second, 3:15 to 41:10 left, table 3% of 64 MB, b2 c3 a1",
    ]


def test_names_from_outside_cannot_move_the_cursor(stderr: Callable[..., Stream]) -> None:
    stream = stderr()
    ProgressDisplay("evil\x1b[2J").show([])
    assert drawn(stream) == [r"evil\x1b[2J"]
