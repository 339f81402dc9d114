"""Faces: they show the events of a session, as text for people or as JSON for programs."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Protocol, TextIO

from noughts.cli.capabilities import Capabilities, board_style, paint, terminal_width
from noughts.cli.terminal import events
from noughts.cli.terminal.events import as_data
from noughts.games import Outcome, Position, Side
from noughts.games.canvas import Paint
from noughts.games.drawing import draw
from noughts.games.quoting import escape_control_characters, terminal_json

__all__ = ["JsonOutput", "Output", "TextOutput", "describe_outcome"]

PLAIN_LETTERS = str.maketrans({"–": "-", "→": "->", "×": "x", "·": ".", "’": "'"})
"""What to write instead where only ASCII can be shown."""
REASONS = {
    "time": "on time",
    "resign": "by resignation",
    "illegal": "by an illegal move",
    "crash": "because the opponent's program failed",
    "count": "by more blocks",
    "line": "with a line",
}


class Output(Protocol):
    """Shows what happens."""

    def show(self, happened: Iterable[events.Event]) -> None:
        """Show some events."""


class JsonOutput:
    """Writes each event as one line of JSON."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout

    def show(self, happened: Iterable[events.Event]) -> None:
        """Write the events, at once."""
        for event in happened:
            self._out.write(terminal_json(as_data(event)) + "\n")
        self._out.flush()


class TextOutput:
    """Writes events as text, for people: with colours, or plain for pipes and simple terminals."""

    def __init__(self, capabilities: Capabilities, out: TextIO | None = None, watching: bool = False) -> None:
        self._out = out or sys.stdout
        self._capabilities = capabilities
        self._style = board_style(capabilities)
        self._watching = watching

    def show(self, happened: Iterable[events.Event]) -> None:
        """Write the events, at once."""
        for event in happened:
            self._show_one(event)
        self._out.flush()

    def _show_one(self, event: events.Event) -> None:
        match event:
            case events.Started():
                self._say(_describe_start(event))
            case events.Seated():
                self._say(f"X: {event.x}. O: {event.o}.")
            case events.Turned() | events.Drawn():
                self._draw(event.position)
            case events.Moved():
                self._say(_describe_move(event))
                if self._watching and not event.position.is_over:
                    self._draw(event.position)
            case events.TookBack():
                self._say(f"{'Played' if event.again else 'Took back'} {_listed(event.moves)}{' again' * event.again}.")
            case events.Said():
                self._say(event.text)
            case events.Refused():
                self._say(event.text, paint("1") if self._capabilities.colours else str)
            case events.Asked():
                self._say(event.text)
            case events.Ended():
                self._draw(event.position, notes=False)
                self._say(describe_ending(event))
            case events.Left():
                self._leave(event)

    def _draw(self, position: Position, notes: bool = True) -> None:
        board = draw(position, terminal_width(self._out), self._style, notes=notes)
        self._out.write(f"\n{board}\n\n")

    def _say(self, text: str, painted: Paint = str) -> None:
        width = terminal_width(self._out)
        text = text if self._capabilities.unicode else text.translate(PLAIN_LETTERS)
        for line in text.split("\n"):
            wrapped = textwrap.fill(
                escape_control_characters(line), width, subsequent_indent=_hanging(line), break_on_hyphens=False
            )
            self._out.write(painted(wrapped) + "\n")

    def _leave(self, event: events.Left) -> None:
        if event.resume:
            self._say(f"The game is kept. To go on with it: {event.resume}")
        elif event.why == "interrupted" and event.lost_plies == 0:
            self._say("Interrupted before the first move, so there is nothing to keep.")
        elif event.why == "interrupted" and event.lost_plies:
            self._say("Interrupted; the game is not kept.")


def _listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: ``b1, a3 and c2``."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _hanging(line: str) -> str:
    """How far to indent the lines that follow the first: tables keep their second column."""
    start = len(line) - len(line.lstrip())
    name, gap, _ = line[start:].partition("  ")
    rest = line[start + len(name) + len(gap) :]
    column = len(line) - len(rest.lstrip())
    return " " * column if gap and 0 < column <= 30 else ""


def _describe_start(event: events.Started) -> str:
    game = event.position.game
    title = game.name if game.name == game.id else f"{game.name} ({game.id})"
    clock = f" Clock: {event.clock}." if event.clock else ""
    how = "goes on" if event.resumed else "begins"
    return f"{title} {how}. X: {event.x}. O: {event.o}.{clock} Type help for the commands."


def _describe_move(event: events.Moved) -> str:
    if event.name == "you":
        return f"You ({event.side}) play {event.text}."
    return f"{event.side} ({event.name}) plays {event.text}."


def describe_outcome(outcome: Outcome, x: str, o: str) -> str:
    """Return who won and how: ``X (you) wins by resignation.``"""
    if outcome.winner is None:
        return "A draw by agreement." if outcome.reason == "agreement" else "A draw."
    name = x if outcome.winner is Side.X else o
    who = f"You ({outcome.winner}) win" if name == "you" else f"{outcome.winner} ({name}) wins"
    return f"{who} {REASONS[outcome.reason]}."


def describe_ending(event: events.Ended) -> str:
    """Return the result, the line that made it, and the points where they say more than the result."""
    text = describe_outcome(event.outcome, event.x, event.o)
    if event.line and event.outcome.reason == "line":
        loser = " of the other side" if event.position.game.is_misere else ""
        line = ", ".join(event.line) if event.position.game.is_ultimate else "–".join(event.line)
        text = text.removesuffix(" with a line.") + f" with the line{loser} {line}."
    if event.position.game.counts_blocks:
        text += " Points: {}–{}.".format(*event.outcome.points)
    return text
