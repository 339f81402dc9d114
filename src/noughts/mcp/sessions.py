"""Games in progress, kept in memory by id, each perhaps with an opponent; and the questions about them."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Annotated, Any, TypeVar

from noughts.ask.evaluations import PlayedMove
from noughts.ask.moves import MAX_SEED, MOVE, LevelName, MoveRequest
from noughts.ask.positions import PositionAnswer, describe_position
from noughts.ask.question import Context, Job, Question, Report, ignore
from noughts.ask.requests import GameReference, MoveText, PositionRequest, position_fields
from noughts.engine import rating_of
from noughts.games import Position, Side
from noughts.games.quoting import quote
from noughts.schema import Bound, InvalidData, Shape

__all__ = ["GameIdRequest", "NewGameRequest", "OpenGame", "OpenGames"]

Request = TypeVar("Request")

MAX_GAMES = 100
ID_BYTES = 4


@dataclass(frozen=True)
class Opponent:
    """A level or a rating that plays a side."""

    name: str
    side: Side
    seed: int | None


@dataclass(frozen=True)
class OpenGame:
    """A game in progress; ``position`` is never changed, but replaced by a new one."""

    id: str
    position: Position
    opponent: Opponent | None


@dataclass(frozen=True, kw_only=True)
class NewGameRequest(PositionRequest):
    """A game to start, from any position."""

    game: Annotated[
        GameReference,
        "An id such as 3x3, 5x5:4, 7x6:4+gravity or ultimate:3, an alias (tictactoe, connect4, gomoku, qubic, "
        "ultimate), or a custom game as an object with name, cells and lines.",
    ] = "3x3"
    opponent: Annotated[
        LevelName | None, "Who answers your moves, by level or rating. Without one you make the moves of both sides."
    ] = None
    side: Annotated[Side, "Your side if there is an opponent. X moves first."] = Side.X
    seed: Annotated[int | None, Bound(at_least=0, at_most=MAX_SEED), "Makes the opponent repeatable."] = None


@dataclass(frozen=True, kw_only=True)
class GameIdRequest(Shape):
    """A game in progress."""

    game_id: Annotated[str, "The game_id of new_game."]


@dataclass(frozen=True, kw_only=True)
class PlayRequest(GameIdRequest):
    """A move in a game in progress."""

    move: Annotated[int | MoveText, "A legal move, for example b2."]


@dataclass(frozen=True, kw_only=True)
class OpenGameAnswer(PositionAnswer):
    """A game in progress, and its position."""

    game_id: Annotated[str, "The id of this game for other tools."]
    opponent: Annotated[str | None, "The level that answers your moves; null if you play both sides."]
    opponent_rating: int | None
    opponent_side: Side | None
    reply: Annotated[PlayedMove | None, "The opponent's answer to your move."]


class OpenGames:
    """The games by id; when there are too many, the one that was used least recently is forgotten."""

    def __init__(self, most: int = MAX_GAMES) -> None:
        self._most = most
        self._games: OrderedDict[str, OpenGame] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._games)

    def add(self, position: Position, opponent: Opponent | None = None) -> OpenGame:
        game = OpenGame(secrets.token_hex(ID_BYTES), position, opponent)
        with self._lock:
            self._games[game.id] = game
            if len(self._games) > self._most:
                self._games.popitem(last=False)
        return game

    def find(self, id: str) -> OpenGame:
        """Return the game of an id; raises InvalidData if there is none."""
        with self._lock:
            if id not in self._games:
                reason = f"this server keeps the last {self._most} games in memory"
                raise InvalidData(f"there is no game {quote(id)}: {reason}; new_game starts one")
            self._games.move_to_end(id)
            return self._games[id]

    def update(self, game: OpenGame, position: Position) -> OpenGame:
        """Return a game with a new position; raises InvalidData if it was changed since it was found."""
        with self._lock:
            if self._games.get(game.id) is not game:
                raise InvalidData("another move was made in this game meanwhile; legal_moves shows it")
            self._games[game.id] = replace(game, position=position)
            return self._games[game.id]

    @property
    def questions(self) -> list[Question[Any, OpenGameAnswer]]:
        """The questions that start a game, show it and make a move in it."""
        return [
            _question(
                "new_game",
                NewGameRequest,
                self._prepare_game,
                "Start a game and show its board; an opponent that moves first has made its move already.",
            ),
            _question(
                "legal_moves",
                GameIdRequest,
                self._prepare_board,
                "Show the board of a game, whose turn it is, and the legal moves.",
            ),
            _question(
                "play",
                PlayRequest,
                self._prepare_play,
                "Make a move for the side to move; the opponent, if there is one, answers at once.",
            ),
        ]

    def _prepare_game(self, request: NewGameRequest) -> Job[OpenGameAnswer]:
        start, name = request.find_position(), request.opponent
        opponent = None if name is None else Opponent(name, request.side.opponent, request.seed)

        def work(context: Context, _: Report) -> OpenGameAnswer:
            after, reply = _reply(start, opponent, context)
            return _answer(self.add(after, opponent), reply)

        return Job(work, None)

    def _prepare_board(self, request: GameIdRequest) -> Job[OpenGameAnswer]:
        game = self.find(request.game_id)
        return Job(lambda _context, _report: _answer(game, None), None)

    def _prepare_play(self, request: PlayRequest) -> Job[OpenGameAnswer]:
        game = self.find(request.game_id)
        played = game.position.require_unfinished().after(request.move)

        def work(context: Context, _: Report) -> OpenGameAnswer:
            after, reply = _reply(played, game.opponent, context)
            context.check()  # a cancelled move changes nothing
            return _answer(self.update(game, after), reply)

        return Job(work, None)


def _reply(position: Position, opponent: Opponent | None, context: Context) -> tuple[Position, PlayedMove | None]:
    """Return the position after the opponent's move, and the move; None if it is not its turn."""
    if opponent is None or position.turn is not opponent.side:
        return position, None
    seed = None if opponent.seed is None else opponent.seed + position.ply  # other dice for every move
    request = MoveRequest(**position_fields(position), level=opponent.name, seed=seed)
    found = MOVE.prepare(request).work(context, ignore)
    return position.after(found.cell), PlayedMove.from_attributes(found, side=opponent.side)


def _answer(game: OpenGame, reply: PlayedMove | None) -> OpenGameAnswer:
    opponent = game.opponent
    return OpenGameAnswer.from_attributes(
        PositionAnswer.of(game.position, has_board=True),
        game_id=game.id,
        opponent=None if opponent is None else opponent.name,
        opponent_rating=None if opponent is None else rating_of(game.position.game, opponent.name),
        opponent_side=None if opponent is None else opponent.side,
        reply=reply,
    )


def _words(answer: OpenGameAnswer) -> str:
    head = f"Game {answer.game_id}: {answer.game}"
    if answer.opponent is not None:
        head += f", {answer.opponent_side} is played by {answer.opponent} (rating {answer.opponent_rating})"
    reply = [] if answer.reply is None else [f"{answer.reply.side} played {answer.reply.move}."]
    return "\n".join([head, *reply, describe_position(answer)])


def _question(
    name: str, request: type[Request], prepare: Callable[[Request], Job[OpenGameAnswer]], about: str
) -> Question[Request, OpenGameAnswer]:
    return Question(name, request, OpenGameAnswer, prepare, about, _words)
