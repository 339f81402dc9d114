"""The commands one can type at any prompt instead of a move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from noughts.cli.session import events
from noughts.cli.session.seats import bot_names, make_seat
from noughts.cli.session.session import Session
from noughts.games import Side

__all__ = ["COMMANDS", "Command", "find_command", "nearest_command"]

Events = Iterator[events.Event]


@dataclass(frozen=True)
class Command:
    """A command: how it is typed, what it does in a few words, and the function that does it."""

    usage: str
    about: str
    run: Callable[[Session, str], Events]


def find_command(line: str) -> tuple[Command | None, str]:
    """Return the command a line calls and what follows its name; None when it is none."""
    name, _, argument = line.partition(" ")
    return COMMANDS.get(ALIASES.get(name.lower(), name.lower())), argument.strip()


def nearest_command(line: str) -> str | None:
    """Return the command that somebody may have meant, None when nothing is near."""
    name = line.partition(" ")[0].lower()
    near = get_close_matches(name, [*COMMANDS], n=1, cutoff=0.7) if len(name) > 2 else []
    return near[0] if near else None


def undo(session: Session, argument: str) -> Events:
    """Take back one's own last move and what followed it; between two people, or two bots, the last move."""
    plies = _plies_to_take_back(session)
    if plies == 0:
        yield events.Refused("there is no move of yours to take back")
        return
    yield from session.take_back(plies)


def _plies_to_take_back(session: Session) -> int:
    position, people = session.position, session.people
    if not position.moves or len(people) != 1:
        return min(1, position.ply)
    # Walk back to the last position in which the one person was to move.
    side = people[0]
    back = position.copy()
    while back.ply:
        back.undo()
        if back.turn is side:
            return position.ply - back.ply
    return 0


def redo(session: Session, argument: str) -> Events:
    """Play again what was taken back."""
    if not session.undone:
        yield events.Refused("there is nothing to play again")
        return
    plies = 1 if len(session.people) != 1 else min(2, len(session.undone))
    yield from session.replay(plies)


def moves(session: Session, argument: str) -> Events:
    """List the legal moves and those played so far."""
    position = session.position
    legal = [position.format_move(move) for move in position.legal_moves]
    played = [position.format_move(move) for move in position.moves]
    text = f"legal: {' '.join(legal) or 'none'}\nplayed: {' '.join(played) or 'none'}"
    yield events.Said("moves", text, {"legal": legal, "played": played})


def board(session: Session, argument: str) -> Events:
    """Draw the board again."""
    yield events.TookBack(session.position.copy(), ())


def swap(session: Session, argument: str) -> Events:
    """Let the two players change sides."""
    seats = session.seats
    yield from session.reseat({side: seats[side.opponent] for side in Side})


def level(session: Session, argument: str) -> Events:
    """Let another bot play, or say which there are."""
    if not argument:
        lines = [f"{name:<10} {about}" for name, about in bot_names().items()]
        yield events.Said("level", "\n".join(lines), bot_names())
        return
    try:
        seat = make_seat(argument)
    except ValueError as error:
        yield events.Refused(str(error))
        return
    yield from session.reseat({**session.seats, _side_to_replace(session): seat})


def _side_to_replace(session: Session) -> Side:
    bots = [side for side in Side if side not in session.people]
    if len(bots) == 1:
        return bots[0]
    turn = session.position.turn or Side.X
    return turn.opponent if not bots else turn


def new(session: Session, argument: str) -> Events:
    """Begin another playthrough of the same game."""
    yield from session.restart()


def resign(session: Session, argument: str) -> Events:
    """Give the game up."""
    if session.is_over:
        yield events.Refused("the game is over")
        return
    turn = session.position.turn
    loser = session.people[0] if len(session.people) == 1 else turn
    assert loser is not None
    yield from session.decide("resign", winner=loser.opponent)


def show_help(session: Session, argument: str) -> Events:
    """Say how to move and what can be typed."""
    how = session.position.game._notation.how
    lines = [f"a move: {how}"] + [f"{command.usage:<12} {command.about}" for command in COMMANDS.values()]
    data = {"move": how} | {name: command.about for name, command in COMMANDS.items()}
    yield events.Said("help", "\n".join(lines), data)


def leave(session: Session, argument: str) -> Events:
    """End the session; an unfinished game is kept."""
    yield from session.leave("quit")


COMMANDS = {
    "undo": Command("undo", "take your last move back", undo),
    "redo": Command("redo", "play again what was taken back", redo),
    "moves": Command("moves", "list the legal moves and those played", moves),
    "board": Command("board", "draw the board again", board),
    "swap": Command("swap", "change sides", swap),
    "level": Command("level NAME", "choose another opponent", level),
    "new": Command("new", "begin another game", new),
    "resign": Command("resign", "give the game up", resign),
    "help": Command("help", "show this", show_help),
    "quit": Command("quit", "leave; the game is kept", leave),
}
"""Every command by its name."""

ALIASES = {"?": "help", "exit": "quit", "bye": "quit", "back": "undo"}
