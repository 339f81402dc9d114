"""The decisions before a match, and the match and engines that follow from them."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.cli.terminal.menu import Players
from noughts.cli.terminal.session import open_engine
from noughts.engine import Limit
from noughts.engine.network import Network
from noughts.games import Position, Side
from noughts.match import Clock, Match, TimeControl, resume_match
from noughts.players import HostedPlayer, normalise_name
from noughts.process.sandbox import Sandbox
from noughts.store import SavedPlaythrough

__all__ = ["Engines", "Setup"]

Engines = dict[Side, HostedPlayer]


@dataclass(frozen=True)
class Setup:
    """The position, the players' names and the clock of a match, and the settings of its engines."""

    position: Position
    names: Players
    control: TimeControl | None = None
    seconds: float | None = None
    """Seconds that an engine may think about a move."""
    seed: int | None = None
    book: bool = True
    network: Network = None
    sandbox: Sandbox | None = None
    """That of programs; on by default."""

    def open(self) -> tuple[Match, Engines]:
        """Return the match and its engines, which are started; raises ValueError if one cannot play."""
        match = Match(
            self.position,
            {side: normalise_name(name) for side, name in self.names.items()},
            clock=None if self.control is None else Clock(self.control),
            limits=None if self.seconds is None else dict.fromkeys(Side, Limit(seconds=self.seconds)),
        )
        return match, self.open_engines(match)

    def resume(self, saved: SavedPlaythrough) -> tuple[Match, Engines]:
        """Return the match of a saved playthrough and its engines, as ``open`` does."""
        match = resume_match(saved)
        return match, self.open_engines(match)

    def open_engines(self, match: Match) -> Engines:
        """Open the players that are not people: one that cannot play is refused before the first move."""
        engines: Engines = {}
        try:
            for side, name in match.names.items():
                seed = self._seed_of(side)
                engine = open_engine(name, match.position.game, seed, self.book, self.network, self.sandbox)
                if engine is not None:
                    engines[side] = engine
        except ValueError:
            for engine in engines.values():
                engine.close()
            raise
        return engines

    def _seed_of(self, side: Side) -> int | None:
        """Return a seed for a side: two engines of the same kind must not make the same random choices."""
        return None if self.seed is None else 2 * self.seed + side.number
