"""Everything that can be typed at the prompt: moves, answers and commands."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.cli.output import system_reason
from noughts.cli.terminal.advisor import advise_to_the_end, describe_review, describe_score, player_accuracy
from noughts.cli.terminal.session import Answered, Asked, BoardShown, Event, Session, describe_results, open_engine
from noughts.games import GameOver, IllegalMove, InvalidNotation, Playthrough, Side, load_all
from noughts.games import save as save_file
from noughts.games.quoting import nearest, quote
from noughts.games.titles import title_of
from noughts.match import Offer
from noughts.players import HostedPlayer, normalise_name, player_names

if TYPE_CHECKING:
    from noughts.analysis.reviews import Review

__all__ = ["COMMANDS", "Command", "find_command", "playthrough_of", "receive", "seat"]

MAX_LISTED_MOVES = 12
"""After a wrong move, the legal ones are listed if there are no more than this."""


@dataclass(frozen=True)
class Command:
    """A command: how it is typed, what it does in a few words, and the function that does it."""

    usage: str
    about: str
    run: Callable[[Session, str], None]
    ahead: Callable[[Session], Callable[[], object] | None] = lambda session: None
    """Returns the slow part of the command if it has one, which may be done in another thread before ``run``: the
    advisor remembers the answer."""


def receive(session: Session, line: str) -> list[Event]:
    """Carry out a line that was typed: an answer, a command or a move."""
    if not session.match.check_flag():
        try:
            _carry_out(session, line.strip())
        except GameOver as error:
            session.refuse(f"{error}; type new, undo, review, save FILE or quit")
    return session.take_events()


def _carry_out(session: Session, word: str) -> None:
    """Carry out a line; raises GameOver for one that needs a side to move."""
    command, argument = find_command(word)
    if session.match.offer is not None:
        # a command instead of an answer means no
        _answer_offer(session, word if command is None else "no")
        if command is None:
            return
    if command is not None:
        command.run(session, argument)
    elif word:
        play_typed_move(session, word)


def find_command(line: str) -> tuple[Command | None, str]:
    """Return the command that a line begins with, or None, and the rest of the line."""
    name, _, argument = line.partition(" ")
    name = ALIASES.get(name.lower(), name.lower())
    return (COMMANDS | HIDDEN_COMMANDS).get(name), argument.strip()


# Moves


def play_typed_move(session: Session, word: str) -> None:
    """Play a move that a person typed; if it cannot be played, say why and how to type one."""
    session.match.require_unfinished()
    if not session.waits_for_person:
        session.refuse("it is not your turn; press enter to continue, or type a command")
        return
    try:
        session.match.play(word)
    except InvalidNotation as error:
        near = nearest(word.partition(" ")[0], COMMANDS)
        session.refuse(f"{error}; did you mean {near}?" if near else f"{error}; help lists the commands")
    except IllegalMove as error:
        session.refuse(f"{error}{_list_moves(session)}")


def _list_moves(session: Session) -> str:
    moves = session.position.legal_moves
    if len(moves) > MAX_LISTED_MOVES:
        return ""
    return f"; you can play {', '.join(session.position.format_move(move) for move in moves)}"


def undo(session: Session, argument: str) -> None:
    """Take back the person's last move and the reply to it; between two people or two engines, the last move."""
    person = session.only_person
    plies = min(1, session.position.ply) if person is None else session.match.plies_to_take_back(person)
    if plies == 0:
        session.refuse("you have not made a move yet")
    else:
        session.match.take_back(plies)


def redo(session: Session, argument: str) -> None:
    """Replay what was taken back: against an engine up to the person's next move, otherwise one move."""
    available = session.match.can_replay
    if not available:
        session.refuse("there is nothing to redo")
    else:
        session.match.replay(min(2, available) if session.only_person else 1)


# Players, games and ends


def swap(session: Session, argument: str) -> None:
    names = {side: session.match.names[side.opponent] for side in Side}
    session.change_players(names, {side.opponent: engine for side, engine in session.engines.items()})


def level(session: Session, argument: str) -> None:
    """Let another engine play, or list the engines."""
    if not argument:
        lines = [f"  {name:<12} {about}" for name, about in player_names().items()]
        session.emit(Answered("level", "\n".join(lines), player_names()))
        return
    try:
        engine = open_engine(argument, session.position.game, None, session.uses_book, session.network, session.sandbox)
    except ValueError as error:
        session.refuse(str(error))
    else:
        seat(session, argument, engine)


def seat(session: Session, name: str, engine: HostedPlayer | None) -> None:
    """Let another player take over: an engine that was opened, or None for a person of this name."""
    side = _side_to_replace(session)
    engines = {each: other for each, other in session.engines.items() if each is not side}
    names = {**session.match.names, side: normalise_name(name)}
    session.change_players(names, engines if engine is None else {**engines, side: engine})


def _side_to_replace(session: Session) -> Side:
    """The engine's side; between two people the side that waits, between two engines the side to move."""
    person, turn = session.only_person, session.position.turn or Side.X
    if person is not None:
        return person.opponent
    return turn.opponent if session.people else turn


def new(session: Session, argument: str) -> None:
    """Begin another playthrough of the same game; one that is not over stays saved."""
    saved = session.saved_as
    if saved is not None and not session.match.is_over:
        session.emit(Answered("new", f"The game so far is saved as number {saved}.", {"saved": saved}))
    session.restart()


def resign(session: Session, argument: str) -> None:
    session.match.require_unfinished()
    session.match.resign(session.only_person or session.position.side_to_move)


def offer_draw(session: Session, argument: str) -> None:
    """Offer a draw: a friend is asked, an engine accepts unless it sees itself ahead."""
    session.match.require_unfinished()
    turn, person = session.position.side_to_move, session.only_person
    if not session.people:
        session.refuse("two engines play to the end")
    elif person is None:
        session.match.make_offer(turn, Offer.DRAW)
        session.emit(Asked(f"{session.describe(turn.opponent)}, do you agree to a draw?"))
    else:
        accepts = _engine_accepts_draw(session)
        session.match.make_offer(person, Offer.DRAW)
        answer = session.match.accept if accepts else session.match.decline
        answer(person.opponent, Offer.DRAW)


def _engine_accepts_draw(session: Session) -> bool:
    """Whether the position is not better for the engine; without an advisor it declines."""
    if session.advisor is None:
        return False
    score = session.advisor.advise(session.position)[0].score
    return score >= 0 if session.match.turn is session.only_person else score <= 0


def _answer_offer(session: Session, word: str) -> None:
    assert session.match.offer is not None
    offer, side = session.match.offer
    if word.lower() in ("y", "yes"):
        session.match.accept(side.opponent, offer)
    elif word.lower() in ("n", "no"):
        session.match.decline(side.opponent, offer)
    else:
        session.refuse(f"expected yes or no, got {quote(word)}")


# Advice


def list_moves(session: Session, argument: str) -> None:
    from noughts.ask.positions import PositionAnswer

    found = PositionAnswer.of(session.position)
    text = f"legal: {' '.join(found.legal_moves) or 'none'}\nplayed: {' '.join(found.line) or 'none'}"
    session.emit(Answered("moves", text, found))


def show_board(session: Session, argument: str) -> None:
    session.emit(BoardShown(session.position.copy()))


def hint(session: Session, argument: str) -> None:
    """Give the idea first; asked again in the same position, the move and the reason."""
    session.match.require_unfinished()
    if session.advisor is None:
        session.refuse("no engine is available")
        return
    from noughts.analysis.hints import explain
    from noughts.ask.hint import HintAnswer

    began = time.monotonic()
    hint = explain(session.position, session.advisor.advise(session.position))
    found = HintAnswer.of_hint(session.position, hint, None)
    session.hints += 1
    text = f"{found.idea} (ask again for the move)"
    if session.hints > 1:
        text = f"{': '.join(filter(None, (found.move, '; '.join(found.why))))}."
    session.emit(Answered("hint", text, found, time.monotonic() - began))


def evaluate(session: Session, argument: str) -> None:
    """Say who is ahead: proven, or as far as the engine looks."""
    session.match.require_unfinished()
    if session.advisor is None:
        session.refuse("no engine is available")
        return
    from noughts.ask.analyse import AnalysisAnswer

    began = time.monotonic()
    advice = advise_to_the_end(session.advisor, session.position)
    is_proven = all(each.value is not None for each in advice)
    found = AnalysisAnswer.of(session.position, advice, "proven" if is_proven else "limit")
    text = f"{describe_score(advice[0], found.turn)}\nline: {' '.join(found.moves[0].line)}"
    session.emit(Answered("eval", text, found, time.monotonic() - began))


def review(session: Session, argument: str) -> None:
    """Review the moves so far: the mistakes and what was better."""
    if session.advisor is None:
        session.refuse("no engine is available")
    elif not session.position.moves:
        session.refuse("there are no moves to review")
    else:
        from noughts.ask.review import ReviewAnswer

        began = time.monotonic()
        found = session.advisor.review(playthrough_of(session))
        if session.match.is_over and session.recorder is not None:
            session.recorder.save_accuracy({side: _accuracy(session, found, side) for side in Side})
        text = describe_review(found, session.match.movers)
        session.emit(Answered("review", text, ReviewAnswer.of(found), time.monotonic() - began))


def _advise_ahead(session: Session) -> Callable[[], object] | None:
    advisor, position = session.advisor, session.position.copy()
    return None if advisor is None or session.match.is_over else lambda: advisor.advise(position)


def _evaluate_ahead(session: Session) -> Callable[[], object] | None:
    advisor, position = session.advisor, session.position.copy()
    if advisor is None or session.match.is_over:
        return None
    return lambda: advise_to_the_end(advisor, position)


def _review_ahead(session: Session) -> Callable[[], object] | None:
    advisor, play = session.advisor, playthrough_of(session)
    return None if advisor is None or not play.moves else lambda: advisor.review(play)


def _accuracy(session: Session, found: Review, side: Side) -> float | None:
    """The accuracy of a side's player, on either side; players of the same name are told apart by their side."""
    names = session.match.names
    only_side = side if names[Side.X] == names[Side.O] else None
    return player_accuracy(found, session.match.movers, names[side], only_side)


def show_results(session: Session, argument: str) -> None:
    game = session.position.game
    found = [] if session.recorder is None else session.recorder.results("you", game)
    text = "\n".join(describe_results(record, title_of(game)) for record in found) or "No finished game yet."
    session.emit(Answered("stats", text, [vars(record) for record in found]))


# Files


def playthrough_of(session: Session) -> Playthrough:
    """Return the playthrough so far, with its players, clocks and date."""
    match = session.match
    tags = {str(side): match.names[side] for side in Side} | {"Date": date.today().strftime("%Y.%m.%d")}
    if match.clock is not None:
        tags["TimeControl"] = match.clock.controls[Side.X].tag
    return Playthrough.of(match.position, tags, outcome=match.outcome, clocks=match.clocks)


def show_rules(session: Session, argument: str) -> None:
    """Say how this game is played, with a board for each rule."""
    from noughts.ask.rules import RulesAnswer
    from noughts.cli.rules import draw_rules

    game = session.position.game
    session.emit(Answered("rules", draw_rules(game), RulesAnswer.of(game)))


def save(session: Session, argument: str) -> None:
    """Write the game to a new file."""
    path = Path(argument).expanduser()
    if path.is_file() and path not in session.exported:
        session.refuse(f"the file {argument} exists; to replace it, type save! {argument}")
    else:
        replace_file(session, argument)


def replace_file(session: Session, argument: str) -> None:
    """Write the game to a file; an existing one is replaced."""
    if not argument:
        session.refuse("expected a file name, such as save game.ngn")
        return
    path = Path(argument).expanduser()
    try:
        save_file(playthrough_of(session), path)
    except (OSError, ValueError) as error:
        session.refuse(_file_problem("write", argument, error))
        return
    session.exported.add(path)
    session.emit(Answered("save", f"Saved to {argument}.", {"file": str(path)}))


def load(session: Session, argument: str) -> None:
    """Continue the first game of a file; the current one stays saved."""
    if not argument:
        session.refuse("expected a file name, such as load game.ngn")
        return
    try:
        plays = load_all(Path(argument).expanduser())
    except (OSError, ValueError) as error:
        session.refuse(_file_problem("read", argument, error))
        return
    if len(plays) > 1:
        text = f"{argument} has {len(plays)} games; this is the first."
        session.emit(Answered("load", text, {"games": len(plays)}))
    session.restart(plays[0].position(), plays[0].outcome)


def _file_problem(verb: str, file: str, error: Exception) -> str:
    """Return why a file cannot be read or written; parse errors already say so."""
    if isinstance(error, OSError):
        return f"cannot {verb} {file}: {system_reason(error)}"
    return str(error)


# The session


def show_help(session: Session, argument: str) -> None:
    """Explain how to type a move, and list the commands."""
    how = session.position.game.how_to_type
    lines = [f"  {command.usage:<12} {command.about}" for command in COMMANDS.values()]
    text = "\n".join([f"A move is {how}. Instead of a move you can type:", *lines])
    data = {"move": how} | {name: command.about for name, command in COMMANDS.items()}
    session.emit(Answered("help", text, data))


def leave(session: Session, argument: str) -> None:
    session.quit()


COMMANDS = {
    "undo": Command("undo", "take your last move back", undo),
    "redo": Command("redo", "replay what was taken back", redo),
    "hint": Command("hint", "an idea; typed again, a move and why", hint, _advise_ahead),
    "eval": Command("eval", "who is ahead", evaluate, _evaluate_ahead),
    "moves": Command("moves", "the legal moves, and those played", list_moves),
    "board": Command("board", "draw the board again", show_board),
    "rules": Command("rules", "how this game is played", show_rules),
    "save": Command("save FILE", "write the game to a file, .ngn or .sgf", save),
    "load": Command("load FILE", "continue a game from a file", load),
    "swap": Command("swap", "change sides", swap),
    "level": Command("level NAME", "another opponent; alone, lists them", level),
    "new": Command("new", "begin another game", new),
    "resign": Command("resign", "resign the game", resign),
    "draw?": Command("draw?", "offer a draw", offer_draw, _advise_ahead),
    "review": Command("review", "the mistakes, and what was better", review, _review_ahead),
    "stats": Command("stats", "your results so far", show_results),
    "help": Command("help", "show this", show_help),
    "quit": Command("quit", "leave; an unfinished game stays saved", leave),
}
"""The commands by name, in the order in which help lists them."""

HIDDEN_COMMANDS = {"save!": Command("save! FILE", "replace an existing file", replace_file)}
"""Commands that help does not list; the refusal of another command names them."""

ALIASES = {"?": "help", "exit": "quit", "bye": "quit", "draw": "draw?"}
