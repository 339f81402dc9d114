"""Commands that tell something about the game and change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from noughts.cli.terminal import events
from noughts.cli.terminal.advice import describe_review, describe_score, line_to_the_end, player_accuracy
from noughts.cli.terminal.file_commands import playthrough_of
from noughts.cli.terminal.session import Session
from noughts.games import Side
from noughts.plural import count
from noughts.store import Record

if TYPE_CHECKING:
    from noughts.study.reviews import Review

__all__ = ["board", "evaluate", "hint", "moves", "review", "standing", "stats"]

Events = Iterator[events.Event]


def moves(session: Session, argument: str) -> Events:
    """List the legal moves and those played so far."""
    position = session.position
    legal = [position.format_move(move) for move in position.legal_moves]
    played = [position.format_move(move) for move in position.moves]
    text = f"legal: {' '.join(legal) or 'none'}\nplayed: {' '.join(played) or 'none'}"
    yield events.Said("moves", text, {"legal": legal, "played": played})


def board(session: Session, argument: str) -> Events:
    """Draw the board again."""
    yield events.Drawn(session.position.copy())


def hint(session: Session, argument: str) -> Events:
    """Say the idea first; asked again in the same position, the move and why."""
    if session.is_over or session.advisor is None:
        yield events.Refused("the game is over" if session.is_over else "there is no engine to ask")
        return
    from noughts.study import hints

    found = hints.explain(session.position, [session.advisor.analyse(session.position)])
    text = session.position.format_move(found.move)
    if not session.hinted:
        session.hinted = True
        yield events.Said("hint", f"{found.idea} (hint again for the move)", {"idea": found.idea})
        return
    why = "; ".join(found.why)
    yield events.Said("hint", f"{text}: {why}." if why else f"{text}.", {"move": text, "why": list(found.why)})


def evaluate(session: Session, argument: str) -> Events:
    """Say who is ahead, proven or as far as the engine looks."""
    if session.is_over or session.advisor is None:
        yield events.Refused("the game is over" if session.is_over else "there is no engine to ask")
        return
    found = session.advisor.analyse(session.position)
    turn = session.position.turn
    assert turn is not None
    moves = line_to_the_end(session.advisor, session.position, found)
    line = " ".join(session.position.game.format_cell(move) for move in moves)
    data = {"side": turn, "score": found.score, "value": found.value, "plies": found.plies, "line": line}
    yield events.Said("eval", f"{describe_score(found, turn)}\nline: {line}", data)


def review(session: Session, argument: str) -> Events:
    """Go through the moves so far: the mistakes and what was better."""
    if session.advisor is None:
        yield events.Refused("there is no engine to ask")
    elif not session.position.moves:
        yield events.Refused("there are no moves to review")
    else:
        found = session.advisor.review(playthrough_of(session))
        if session.is_over:
            session.keeper.reviewed({side: _accuracy(session, found, side) for side in Side})
        yield events.Said("review", describe_review(found, session.movers), found.to_data())


def _accuracy(session: Session, found: Review, side: Side) -> float | None:
    """How accurately the player of a side played, whichever side that was at the time."""
    names = [session.seats[each].name for each in Side]
    return player_accuracy(found, session.movers, session.seats[side].name, side if names[0] == names[1] else None)


def stats(session: Session, argument: str) -> Events:
    """Say the results so far in this game."""
    found = session.keeper.records(session.position.game)
    text = "\n".join(standing(record, session.position.game.name) for record in found) or "No finished game yet."
    yield events.Said("stats", text, [vars(record) for record in found])


def standing(record: Record, game: str) -> str:
    """Return a record in a game as a sentence."""
    return (
        f"Against {record.opponent} at {game}: {record.won} won, {record.drawn} drawn, {record.lost} lost"
        f" in {count(record.played, 'game')}."
    )


def standing_after(session: Session) -> Events:
    """Say how the person at the keyboard stands against this opponent, once a game is over."""
    if len(session.people) != 1:
        return
    opponent = session.seats[session.people[0].opponent].name
    for record in session.keeper.records(session.position.game):
        if record.opponent == opponent:
            yield events.Said("stats", standing(record, session.position.game.name), vars(record))
