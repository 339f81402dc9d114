"""Commands that change the game: moves taken back, other players, other games, ends."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.cli.terminal import events
from noughts.cli.terminal.seats import bot_names, make_seat
from noughts.cli.terminal.session import Session
from noughts.games import Side

__all__ = ["level", "new", "offer_draw", "redo", "resign", "swap", "undo"]

Events = Iterator[events.Event]


def undo(session: Session, argument: str) -> Events:
    """Take back the person's last move and what followed it; between two people, or two bots, the last move."""
    plies = _plies_to_take_back(session)
    if plies == 0:
        yield events.Refused("there is no move of yours to take back")
        return
    yield from session.take_back(plies)


def _plies_to_take_back(session: Session) -> int:
    position, people = session.position, session.people
    if len(people) != 1:
        return min(1, position.ply)
    back = position.copy()
    while back.ply:
        back.undo()
        if back.turn is people[0]:
            return position.ply - back.ply
    return 0


def redo(session: Session, argument: str) -> Events:
    """Play again what was taken back: against a bot, up to the person's next move."""
    if not session.undone:
        yield events.Refused("there is nothing to play again")
        return
    plies = min(2, len(session.undone)) if len(session.people) == 1 else 1
    yield from session.replay(plies)


def swap(session: Session, argument: str) -> Events:
    """Let the two players change sides."""
    seats = session.seats
    yield from session.reseat({side: seats[side.opponent] for side in Side})


def level(session: Session, argument: str) -> Events:
    """Let another bot play, or say which there are."""
    if not argument:
        lines = [f"  {name:<12} {about}" for name, about in bot_names().items()]
        yield events.Said("level", "\n".join(lines), bot_names())
        return
    try:
        seat = make_seat(argument)
        seat.start(session.position.game)
    except ValueError as error:
        yield events.Refused(str(error))
        return
    yield from session.reseat({**session.seats, _side_to_replace(session): seat})


def _side_to_replace(session: Session) -> Side:
    """The bot's side; between two people the one who waits, between two bots the one who is to move."""
    bots = [side for side in Side if side not in session.people]
    if len(bots) == 1:
        return bots[0]
    turn = session.position.turn or Side.X
    return turn.opponent if not bots else turn


def new(session: Session, argument: str) -> Events:
    """Begin another playthrough of the same game; one that is not over stays kept."""
    kept = session.keeper.kept
    if kept is not None and not session.is_over:
        yield events.Said("new", f"The game so far is kept as number {kept}.", {"kept": kept})
    yield from session.restart()


def resign(session: Session, argument: str) -> Events:
    """Give the game up."""
    turn = session.position.turn
    if session.is_over or turn is None:
        yield events.Refused("the game is over")
        return
    loser = session.people[0] if len(session.people) == 1 else turn
    yield from session.decide("resign", winner=loser.opponent)


def offer_draw(session: Session, argument: str) -> Events:
    """Offer a draw: a friend is asked, a bot agrees when it does not see itself ahead."""
    if session.is_over:
        yield events.Refused("the game is over")
    elif not session.people:
        yield events.Refused("two engines play on until the end")
    elif len(session.people) == 2:
        turn = session.position.turn
        assert turn is not None
        yield from session.ask(f"{session.describe(turn.opponent)}, do you agree to a draw?", _answered(session))
    elif session.bot_would_draw():
        yield from session.decide("agreement")
    else:
        bot = next(side for side in Side if side not in session.people)
        yield events.Said("draw", f"{session.describe(bot)} plays on.", {"accepted": False})


def _answered(session: Session) -> events.Answer:
    def answered(agreed: bool) -> Events:
        if agreed:
            yield from session.decide("agreement")
        else:
            yield events.Said("draw", "No draw; play goes on.", {"accepted": False})

    return answered
