"""Other libraries' players, over the same games: easyAI's negamax, OpenSpiel's Monte-Carlo and alpha-beta searches.

Each gets the best it can reasonably have: easyAI our incremental score as its scoring and a table, OpenSpiel's
Monte-Carlo search its own solver; the deepening ones deepen until their time is up.
"""

from __future__ import annotations

from importlib import import_module
from time import perf_counter
from typing import Any

from noughts import Game, Position, Side

__all__ = ["Bridge", "make_peer", "spiel_name"]

SPIEL_NAMES = {
    "3x3": "tic_tac_toe",
    "7x6:4+gravity": "connect_four",
    "ultimate:3": "ultimate_tic_tac_toe",
    "4x4x4": "gomoku(dims=3,size=4,connect=4)",
    "3x3x3": "gomoku(dims=3,size=3,connect=3)",
}
WON = 1_000_000


def spiel_name(game: Game) -> str | None:
    """Return OpenSpiel's name of a game, or None where it has none.

    >>> spiel_name(Game("15x15:5"))
    'mnk(m=15,n=15,k=5)'
    """
    if game.id in SPIEL_NAMES:
        return SPIEL_NAMES[game.id]
    sides = game.dimensions
    if sides is None or len(sides) != 2 or "+" in game.id:
        return None
    return f"mnk(m={sides[0]},n={sides[1]},k={game.k})"


def make_peer(kind: str, seconds: float | None, nodes: int | None, depth: int | None) -> Any:
    """Return the player of that kind: ``easyai``, ``mcts`` or ``alphabeta``."""
    if kind == "easyai":
        return EasyAi(seconds, depth)
    if kind == "mcts":
        return SpielMcts(seconds, nodes)
    if kind == "alphabeta":
        return SpielAlphaBeta(seconds, depth)
    raise ValueError(f"expected easyai, mcts or alphabeta, got {kind!r}")


class Bridge:
    """A game of ours as OpenSpiel's: translates moves into its actions, of which Ultimate can need two."""

    def __init__(self, game: Game) -> None:
        name = spiel_name(game)
        if name is None:
            raise ValueError(f"expected a game that OpenSpiel has, got {game.id}")
        self.game = game
        self.spiel = import_module("pyspiel").load_game(name)

    def actions(self, move: int, is_free: bool) -> list[int]:
        """Return the actions of a move; ``is_free`` says that a block is to be chosen first."""
        if self.game.has_gravity:
            return [move % (self.game.dimensions or (1,))[0]]
        if not self.game.is_ultimate:
            return [move]
        return [move // 9, move % 9] if is_free else [move % 9]

    def state(self, moves: list[int]) -> Any:
        """Return the state after some moves."""
        state, position = self.spiel.new_initial_state(), self.game.start()
        for move in moves:
            for action in self.actions(move, position.block_to_play is None):
                state.apply_action(action)
            position.play(move)
        return state

    def move(self, position: Position, actions: list[int]) -> int:
        """Return the move that actions mean."""
        if self.game.has_gravity:
            width = (self.game.dimensions or (1,))[0]
            return next(move for move in position.legal_moves if move % width == actions[0])
        if not self.game.is_ultimate:
            return actions[0]
        block = position.block_to_play
        return actions[0] * 9 + actions[1] if block is None else block * 9 + actions[0]


class _SpielPlayer:
    """What both of OpenSpiel's players share: our position in, its actions out."""

    def __init__(self) -> None:
        self._bridge: Bridge | None = None
        self._seed = 0

    def new(self, seed: int) -> None:
        self._seed = seed

    def close(self) -> None:
        pass

    def choose(self, position: Position) -> int:
        if self._bridge is None or self._bridge.game.id != position.game.id:
            self._bridge = Bridge(position.game)
        state = self._bridge.state(position.moves)
        needed = 2 if position.game.is_ultimate and position.block_to_play is None else 1
        actions = []
        for _ in range(needed):
            actions.append(self._action(self._bridge, state))
            state.apply_action(actions[-1])
        return self._bridge.move(position, actions)

    def _action(self, bridge: Bridge, state: Any) -> int:
        raise NotImplementedError


class SpielMcts(_SpielPlayer):
    """OpenSpiel's C++ Monte-Carlo tree search with random rollouts and its solver; the full time for each action."""

    def __init__(self, seconds: float | None, simulations: int | None) -> None:
        super().__init__()
        self._seconds = seconds
        self._simulations = simulations

    def _action(self, bridge: Bridge, state: Any) -> int:
        spiel = import_module("pyspiel")
        bot = spiel.MCTSBot(
            bridge.spiel,
            spiel.RandomRolloutEvaluator(1, self._seed),
            2.0,
            self._simulations or 100_000_000,
            500,
            True,
            self._seed,
            False,
            max_wall_clock_time=self._seconds or -1.0,
        )
        return int(bot.step(state))


class SpielAlphaBeta(_SpielPlayer):
    """OpenSpiel's alpha-beta search (Python over its C++ states), deepened until the time is up."""

    def __init__(self, seconds: float | None, depth: int | None) -> None:
        super().__init__()
        self._seconds = seconds
        self._depth = depth or 60

    def _action(self, bridge: Bridge, state: Any) -> int:
        search = import_module("open_spiel.python.algorithms.minimax").alpha_beta_search
        deadline = _deadline(self._seconds)
        player = state.current_player()
        best: int = state.legal_actions()[0]

        def value(_: Any) -> float:
            _check(deadline)
            return 0.0

        for depth in range(1, self._depth + 1):
            try:
                found, action = search(bridge.spiel, state, value, depth, player)
            except TimeoutError:
                break
            best = best if action is None else int(action)
            if abs(found) == 1:
                break
        return best


class EasyAi:
    """easyAI's negamax over our position, with our running score as its scoring, deepened until the time is up."""

    def __init__(self, seconds: float | None, depth: int | None) -> None:
        self._seconds = seconds
        self._depth = depth or 60

    def new(self, seed: int) -> None:
        """Nothing to forget."""

    def close(self) -> None:
        """Nothing to give back."""

    def choose(self, position: Position) -> int:
        """Return the move of the deepest search that was finished in time."""
        easy = import_module("easyAI")
        deadline = _deadline(self._seconds)
        best = position.legal_moves[0]
        for depth in range(1, min(self._depth, len(position.legal_moves) * 2 + 80) + 1):
            game = _easy_game(position.copy(), deadline)
            try:
                best = int(easy.Negamax(depth, win_score=WON // 2, tt=easy.TranspositionTable())(game))
            except TimeoutError:
                break
            if depth >= position.game.cells - position.ply:
                break
        return best


def _easy_game(position: Position, deadline: float | None) -> Any:
    """The position as easyAI wants a game: an object of a subclass of its own, made when it is first needed."""
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


def _deadline(seconds: float | None) -> float | None:
    return None if seconds is None else perf_counter() + seconds


def _check(deadline: float | None) -> None:
    if deadline is not None and perf_counter() >= deadline:
        raise TimeoutError
