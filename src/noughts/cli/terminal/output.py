"""Output of a session's events: as text for people, or as JSON for programs."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Protocol, TextIO

from noughts.cli.output import Capabilities, board_style, paint, terminal_width
from noughts.cli.saved_table import title_with_id
from noughts.cli.terminal.session import (
    Answered,
    Asked,
    BoardShown,
    Event,
    LeaveReason,
    Left,
    Refused,
    TurnBegan,
)
from noughts.games import Game, Outcome, Position, Side, Termination
from noughts.games.outcome import describe_outcome
from noughts.games.quoting import escape_control_characters
from noughts.games.rendering.text import Paint, draw
from noughts.match import TimeControl
from noughts.match.events import Ended, Moved, OfferDeclined, PlayersChanged, Replayed, Started, TookBack

__all__ = ["JsonOutput", "Output", "TextOutput", "describe_event", "event_data"]

Names = Mapping[Side, str]
ASCII_REPLACEMENTS = str.maketrans({"–": "-", "→": "->", "×": "x", "·": ".", "’": "'"})
"""Replacements for terminals that can only show ASCII."""
MAX_INDENT_COLUMNS = 30


class Output(Protocol):
    """Shows the events of a session."""

    def show(self, events: Iterable[Event]) -> None:
        """Show events, and flush."""


class JsonOutput:
    """Writes each event as one line of JSON."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout

    def show(self, events: Iterable[Event]) -> None:
        from noughts.schema import encode  # here: the prompt for people must appear at once

        for event in events:
            self._out.write(encode(event_data(event)) + "\n")
        self._out.flush()


def event_data(event: Event) -> dict[str, object]:
    """Return an event as data for JSON: ``event`` is its name (``took_back``), positions are position strings."""
    data: dict[str, object] = {"event": re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()}
    for field in fields(event):
        data |= _field_data(field.name, getattr(event, field.name))
    if isinstance(event, Moved):
        data["move"], data["cell"] = data.pop("text"), event.move
    if isinstance(event, BoardShown):
        from noughts.ask.positions import PositionAnswer

        data = {"event": data["event"], "answer": PositionAnswer.of(event.position)}
    if isinstance(event, TurnBegan):
        data["legal_moves"] = [event.position.format_move(move) for move in event.position.legal_moves]
    if isinstance(event, Ended):
        data["line"] = winning_line(event.position)
    return data


def _field_data(name: str, value: object) -> dict[str, object]:
    match value:
        case Position():
            return {"game": value.game.id, name: value.text, "turn": value.turn}
        case Outcome():
            return {name: {"winner": value.winner, "reason": value.reason, "points": list(value.points)}}
        case TimeControl():
            return {name: str(value)}
        case Mapping() if name == "names":
            return {side.lower(): text for side, text in value.items()}
        case float():
            return {name: round(value, 3)}
        case tuple():
            return {name: [move.text if isinstance(move, Moved) else move for move in value]}
    return {name: value}


class TextOutput:
    """Writes events as text for people: with colours, or plain for pipes and simple terminals.

    With ``draws_every_move`` the board is drawn after each move, for people who watch two engines.
    """

    def __init__(self, capabilities: Capabilities, out: TextIO | None = None, draws_every_move: bool = False) -> None:
        self._out = out or sys.stdout
        self._capabilities = capabilities
        self._style = board_style(capabilities)
        self._draws_every_move = draws_every_move
        self._names: Names = {}
        self._game: Game | None = None

    def show(self, events: Iterable[Event]) -> None:
        for event in events:
            self._show_one(event)
        self._out.flush()

    def _show_one(self, event: Event) -> None:
        if isinstance(event, Started | PlayersChanged):
            self._names, self._game = event.names, event.position.game
        if isinstance(event, TurnBegan | BoardShown | Ended):
            self._draw(event.position, notes=not isinstance(event, Ended))
        text = describe_event(event, self._names)
        if isinstance(event, Answered) and event.command == "rules" and self._game is not None:
            self._draw_rules(self._game)
        elif text:
            is_bold = isinstance(event, Refused) and self._capabilities.colours
            self._write(text, paint("1") if is_bold else str)
        if isinstance(event, Moved) and self._draws_every_move and not event.position.is_over:
            self._draw(event.position)

    def _draw(self, position: Position, notes: bool = True) -> None:
        board = draw(position, terminal_width(self._out), self._style, notes=notes)
        self._out.write(f"\n{board}\n\n")

    def _draw_rules(self, game: Game) -> None:
        """Draw the boards of the rules as the game is drawn."""
        from noughts.cli.rules import draw_rules

        self._out.write(f"{draw_rules(game, terminal_width(self._out), self._style)}\n")

    def _write(self, text: str, paint_line: Paint = str) -> None:
        width = terminal_width(self._out)
        text = text if self._capabilities.unicode else text.translate(ASCII_REPLACEMENTS)
        for line in text.split("\n"):
            line, indent = escape_control_characters(line), _indent_of(line)
            wrapped = textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False)
            self._out.write(paint_line(wrapped) + "\n")


def describe_event(event: Event, names: Names) -> str:
    """Return an event as text for people; empty if it only changes the board. ``names`` are the players' names."""
    match event:
        case Started():
            return _describe_start(event)
        case PlayersChanged():
            return f"X: {event.names[Side.X]}. O: {event.names[Side.O]}."
        case Moved():
            return _describe_move(event)
        case TookBack():
            return f"Took back {_join(event.moves)}."
        case Replayed():
            return f"Played {_join([moved.text for moved in event.moves])} again."
        case OfferDeclined():
            return f"{event.side} ({names.get(event.side)}) declines; the game continues."
        case Answered() | Asked() | Refused():
            return event.text
        case Ended():
            return "\n".join([event.detail, describe_ending(event)] if event.detail else [describe_ending(event)])
        case Left():
            return describe_farewell(event)
    return ""


def describe_farewell(event: Left) -> str:
    """Return what became of the game: the command that resumes it, or that it is not saved."""
    if event.resume:
        return f"The game is saved. To resume: {event.resume}"
    if event.reason is LeaveReason.INTERRUPTED and event.lost_plies == 0:
        return "Interrupted before the first move; there is nothing to save."
    if event.lost_plies:
        interrupted = "Interrupted; the" if event.reason is LeaveReason.INTERRUPTED else "The"
        return f"{interrupted} game is not saved."
    return ""


def _join(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: ``b1, a3 and c2``."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _indent_of(line: str) -> str:
    """The indentation of continuation lines: tables keep their second column."""
    start = len(line) - len(line.lstrip())
    name, gap, _ = line[start:].partition("  ")
    rest = line[start + len(name) + len(gap) :]
    column = len(line) - len(rest.lstrip())
    return " " * column if gap and 0 < column <= MAX_INDENT_COLUMNS else ""


def _describe_start(event: Started) -> str:
    game = event.position.game
    clock = f" Clock: {event.control}." if event.control else ""
    verb = "resumes" if event.position.ply else "begins"
    players = f"X: {event.names[Side.X]}. O: {event.names[Side.O]}."
    return f"{title_with_id(game.id)} {verb}. {players}{clock} Type help for the commands."


def _describe_move(event: Moved) -> str:
    if event.name == "you":
        return f"You ({event.side}) play {event.text}."
    return f"{event.side} ({event.name}) plays {event.text}."


def describe_ending(event: Ended) -> str:
    """Return the result with the winning line, and with the points in games that count boards."""
    outcome, game, how = event.outcome, event.position.game, None
    line = winning_line(event.position)
    if line and outcome.reason is Termination.LINE:
        owner = " of the other side" if game.is_misere else ""
        cells = ", ".join(line) if game.is_ultimate else "–".join(line)
        how = f"with the line{owner} {cells}"
    text = describe_outcome(outcome, names=event.names, viewer=_viewer(outcome, event.names), how=how)
    points = " Points: {}–{}.".format(*outcome.points) if game.counts_blocks else ""
    return f"{text}.{points}"


def _viewer(outcome: Outcome, names: Names) -> Side | None:
    """The side whose view the result is told from; None if both or neither sit at this terminal."""
    if outcome.winner is None or names[outcome.winner] == "you":
        return outcome.winner
    loser = outcome.winner.opponent
    return loser if names[loser] == "you" and names[outcome.winner] != "friend" else None


def winning_line(position: Position) -> list[str] | None:
    """Return the cells of the winning line, or in Ultimate its boards, as text."""
    line = position.winning_line
    if line is None:
        return None
    if position.game.is_ultimate:
        return [f"board {block + 1}" for block in line]
    return [position.format_move(cell) for cell in line]
