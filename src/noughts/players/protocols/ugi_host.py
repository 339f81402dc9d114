"""Hosts of engines that speak UGI, or UCI, the protocol of chess engines it comes from."""

from __future__ import annotations

import json
from typing import ClassVar

from noughts.games import Game, Position
from noughts.players import BotFailed, Deadline
from noughts.players.loading import parse_move_text
from noughts.players.protocols.clock import Clock
from noughts.players.protocols.dialect import NATIVE, Cutechess, Dialect, variant_of
from noughts.players.protocols.host import ProgramHost

__all__ = ["UciHost", "UgiHost"]

DEFAULT_MS = 1000
"""For a move that nothing bounds."""


class UgiHost(ProgramHost):
    """Universal Game Interface."""

    protocol: ClassVar[str] = "ugi"
    farewell: ClassVar[str] = "quit"
    greeting: ClassVar[str] = "ugi"
    beginning: ClassVar[str] = "uginewgame"
    times: ClassVar[tuple[str, str, str, str]] = ("p1time", "p2time", "p1inc", "p2inc")

    def _greet(self, deadline: Deadline) -> None:
        self._options: dict[str, str] = {}
        self._dialect: Dialect = NATIVE
        self._say(self.greeting, deadline)
        while (line := self._hear(deadline).strip()) != f"{self.greeting}ok":
            if line.startswith("id name "):
                self._take_name(line[len("id name ") :])
            elif line.startswith("option name "):
                name, _, rest = line[len("option name ") :].partition(" type ")
                self._options[name.strip().lower()] = rest

    def _set_game(self, game: Game, deadline: Deadline) -> None:
        self._dialect = NATIVE
        if option := self._game_option(game):
            self._say(f"setoption name {option}", deadline)
        self._wait_until_ready(deadline)

    def _game_option(self, game: Game) -> str | None:
        """How the engine is told of the game; one without such an option plays one game only, we trust this one."""
        if "game" in self._options:
            return f"Game value {json.dumps(game.to_data()) if game.is_custom else game.id}"
        return self._variant_option(game)

    def _variant_option(self, game: Game) -> str | None:
        variant = variant_of(game)
        if variant is None or variant not in self._options.get("uci_variant", "").split():
            return None
        self._dialect = Cutechess()
        return f"UCI_Variant value {variant}"

    def _wait_until_ready(self, deadline: Deadline) -> None:
        self._say("isready", deadline)
        while self._hear(deadline).strip() != "readyok":
            pass

    def _begin(self, start: Position, deadline: Deadline) -> None:
        self._say(self.beginning, deadline)
        self._wait_until_ready(deadline)

    def _ask(self, position: Position, clock: Clock, deadline: Deadline) -> int:
        self._hush()
        self._say(f"{self._position_line(position)}\n{self._go_line(clock)}", deadline)
        while True:
            word, _, rest = self._hear(deadline).strip().partition(" ")
            if word == "bestmove":
                return self._parse(position, rest)

    def _parse(self, position: Position, rest: str) -> int:
        text = next(iter(rest.split(maxsplit=1)), "")
        try:
            return parse_move_text(text, lambda move: self._dialect.parse_move(position, move))
        except BotFailed as failed:
            raise BotFailed(f"bestmove {text[:40]}: {failed}", "illegal" if text else "garbage") from None

    def _position_line(self, position: Position) -> str:
        start = position.game.start() if position.start_text is None else position.game.parse(position.start_text)
        words = ["position", "startpos"]
        if position.start_text is not None:
            words[1:] = ["fen", self._dialect.format_position(start)]
        moves = [self._dialect.format_move(start, move) for move in position.moves]
        return " ".join([*words, *(["moves", *moves] if moves else [])])

    def _go_line(self, clock: Clock) -> str:
        words = ["go"]
        if clock.remaining is not None:
            for name, seconds in zip(self.times, (*clock.remaining, *clock.increment), strict=True):
                words += [name, str(max(0, round(seconds * 1000)))]
        bounds = {"movestogo": clock.moves_to_go, "depth": clock.depth, "nodes": clock.nodes}
        bounds["movetime"] = None if clock.seconds is None else max(1, round(clock.seconds * 1000))
        if len(words) == 1 and not any(bounds.values()):
            bounds["movetime"] = DEFAULT_MS
        return " ".join(words + [f"{name} {bound}" for name, bound in bounds.items() if bound is not None])


class UciHost(UgiHost):
    """Universal Chess Interface; games that cutechess has are told as cutechess tells them."""

    protocol: ClassVar[str] = "uci"
    greeting: ClassVar[str] = "uci"
    beginning: ClassVar[str] = "ucinewgame"
    times: ClassVar[tuple[str, str, str, str]] = ("wtime", "btime", "winc", "binc")

    def _game_option(self, game: Game) -> str | None:
        return self._variant_option(game) or super()._game_option(game)
