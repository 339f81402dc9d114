"""Players of other libraries in our games: easyAI's negamax, OpenSpiel's Monte-Carlo and alpha-beta searches.

Each gets the best reasonable set-up: easyAI our incremental score and a transposition table, OpenSpiel's Monte-Carlo
search its own solver. The depth-first searches deepen until their time is up.
"""

from __future__ import annotations

import os
from importlib import import_module
from math import inf
from time import perf_counter
from typing import Any

from noughts import Game, Limit, Position, Side
from noughts.limit import DEFAULT_LIMIT

__all__ = ["EasyAi", "SpielAlphaBeta", "SpielGame", "SpielMcts", "spiel_name"]

SPIEL_NAMES = {
    "3x3": "tic_tac_toe",
    "7x6:4+gravity": "connect_four",
    "ultimate:3": "ultimate_tic_tac_toe",
    "4x4x4": "gomoku(dims=3,size=4,connect=4)",
    "3x3x3": "gomoku(dims=3,size=3,connect=3)",
}
WON = 1_000_000
MAX_DEPTH = 60


def spiel_name(game: Game) -> str | None:
    """Return OpenSpiel's name of a game, or None if it does not have the game.

    >>> spiel_name(Game("15x15:5"))
    'mnk(m=15,n=15,k=5)'
    """
    if game.id in SPIEL_NAMES:
        return SPIEL_NAMES[game.id]
    sides = game.dimensions
    if sides is None or len(sides) != 2 or "+" in game.id:
        return None
    return f"mnk(m={sides[0]},n={sides[1]},k={game.k})"


class SpielGame:
    """An OpenSpiel game for one of ours. Translates moves to its actions; a move of Ultimate can take two."""

    def __init__(self, game: Game) -> None:
        name = spiel_name(game)
        if name is None:
            raise ValueError(f"OpenSpiel does not have {game.id}")
        self.game = game
        self.spiel = import_module("pyspiel").load_game(name)

    def actions(self, move: int, is_free: bool) -> list[int]:
        """Return the actions of a move; with ``is_free`` the block is chosen first."""
        if self.game.has_gravity:
            return [move % (self.game.dimensions or (1,))[0]]
        if not self.game.is_ultimate:
            return [move]
        return [move // 9, move % 9] if is_free else [move % 9]

    def state(self, moves: list[int]) -> Any:
        """Return OpenSpiel's state after moves."""
        state, position = self.spiel.new_initial_state(), self.game.start()
        for move in moves:
            for action in self.actions(move, position.block_to_play is None):
                state.apply_action(action)
            position.play(move)
        return state

    def move(self, position: Position, actions: list[int]) -> int:
        """Return the move for actions."""
        if self.game.has_gravity:
            width = (self.game.dimensions or (1,))[0]
            return next(move for move in position.legal_moves if move % width == actions[0])
        if not self.game.is_ultimate:
            return actions[0]
        block = position.block_to_play
        return actions[0] * 9 + actions[1] if block is None else block * 9 + actions[0]


class _SpielPlayer:
    """Shared by both OpenSpiel players: our position in, OpenSpiel's actions out."""

    def __init__(self) -> None:
        import_module("pyspiel")  # while the player is loaded, when more is allowed than during play
        self._game: SpielGame | None = None
        self._seed = int(os.environ.get("NOUGHTS_SEED", "0"))

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return a move; each action of a move gets the full limit."""
        if self._game is None or self._game.game.id != position.game.id:
            self._game = SpielGame(position.game)
        state = self._game.state(position.moves)
        needed = 2 if position.game.is_ultimate and position.block_to_play is None else 1
        actions = []
        for _ in range(needed):
            actions.append(self._action(self._game, state, limit or DEFAULT_LIMIT))
            state.apply_action(actions[-1])
        return self._game.move(position, actions)

    def _action(self, game: SpielGame, state: Any, limit: Limit) -> int:
        raise NotImplementedError


class SpielMcts(_SpielPlayer):
    """OpenSpiel's Monte-Carlo tree search in C++, with random rollouts and its solver."""

    def _action(self, game: SpielGame, state: Any, limit: Limit) -> int:
        spiel = import_module("pyspiel")
        bot = spiel.MCTSBot(
            game.spiel,
            spiel.RandomRolloutEvaluator(1, self._seed),
            2.0,
            limit.nodes or 100_000_000,
            500,
            True,
            self._seed,
            False,
            max_wall_clock_time=limit.seconds or -1.0,
        )
        return int(bot.step(state))


class SpielAlphaBeta(_SpielPlayer):
    """OpenSpiel's alpha-beta search (Python over its C++ states), deepened until the time is up."""

    def __init__(self) -> None:
        super().__init__()
        self._search = import_module("open_spiel.python.algorithms.minimax").alpha_beta_search

    def _action(self, game: SpielGame, state: Any, limit: Limit) -> int:
        deadline = _deadline(limit)
        player = state.current_player()
        best: int = state.legal_actions()[0]

        def value(_: Any) -> float:
            _check(deadline)
            return 0.0

        for depth in range(1, (limit.depth or MAX_DEPTH) + 1):
            try:
                found, action = self._search(game.spiel, state, value, depth, player)
            except TimeoutError:
                break
            best = best if action is None else int(action)
            if abs(found) == 1:
                break
        return best


class EasyAi:
    """easyAI's negamax over our position with our incremental score, deepened until the time is up."""

    def __init__(self) -> None:
        self._library = import_module("easyAI")

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return the move of the deepest search that finished in time."""
        easy, limit = self._library, limit or DEFAULT_LIMIT
        deadline = _deadline(limit)
        best = position.legal_moves[0]
        for depth in range(1, min(limit.depth or MAX_DEPTH, len(position.legal_moves) * 2 + 80) + 1):
            game = _easy_game(position.copy(), deadline)
            try:
                best = int(easy.Negamax(depth, win_score=WON // 2, tt=easy.TranspositionTable())(game))
            except TimeoutError:
                break
            if depth >= position.game.cells - position.ply:
                break
        return best


def _easy_game(position: Position, deadline: float) -> Any:
    """The position as a game of easyAI; the class is made here because its base class may not be installed."""
    base: Any = import_module("easyAI").TwoPlayerGame

    class EasyGame(base):  # type: ignore[misc]
        def __init__(self) -> None:
            self.players = [None, None]
            self.current_player = 1 if position.turn is Side.X else 2

        def possible_moves(self) -> list[int]:
            return position.legal_moves

        def make_move(self, move: int) -> None:
            _check(deadline)
            position.play(move)

        def unmake_move(self, move: int) -> None:
            position.undo()

        def is_over(self) -> bool:
            return position.is_over

        def scoring(self) -> int:
            mover = Side.X if self.current_player == 1 else Side.O
            if position.is_over:
                return 0 if position.winner is None else WON if position.winner is mover else -WON
            return position._score if mover is Side.X else -position._score

        def ttentry(self) -> int:
            return position.hash

    return EasyGame()


def _deadline(limit: Limit) -> float:
    return inf if limit.seconds is None else perf_counter() + limit.seconds


def _check(deadline: float) -> None:
    if perf_counter() >= deadline:
        raise TimeoutError
