"""Everything that chooses moves: built-in players, Python classes, programs; opened by name with ``open_player``."""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.players.player import HostedPlayer, Player
    from noughts.players.python_bot import InProcessPlayer
    from noughts.players.registry import (
        PEOPLE,
        PROTOCOLS,
        TREE_SEARCHES,
        NoProtocol,
        RandomPlayer,
        detect_protocol,
        is_builtin_name,
        is_person_name,
        normalise_name,
        open_player,
        player_names,
    )
    from noughts.process.failure import FailureReason, NotStarted, PlayerFailed
    from noughts.process.limits import GRACE_SECONDS, Limits

__all__ = [
    "GRACE_SECONDS",
    "PEOPLE",
    "PROTOCOLS",
    "TREE_SEARCHES",
    "FailureReason",
    "HostedPlayer",
    "InProcessPlayer",
    "Limits",
    "NoProtocol",
    "NotStarted",
    "Player",
    "PlayerFailed",
    "RandomPlayer",
    "detect_protocol",
    "is_builtin_name",
    "is_person_name",
    "normalise_name",
    "open_player",
    "player_names",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "FailureReason": "noughts.process.failure",
        "GRACE_SECONDS": "noughts.process.limits",
        "HostedPlayer": ".player",
        "InProcessPlayer": ".python_bot",
        "Limits": "noughts.process.limits",
        "NoProtocol": ".registry",
        "NotStarted": "noughts.process.failure",
        "PEOPLE": ".registry",
        "PROTOCOLS": ".registry",
        "TREE_SEARCHES": ".registry",
        "Player": ".player",
        "PlayerFailed": "noughts.process.failure",
        "RandomPlayer": ".registry",
        "detect_protocol": ".registry",
        "is_builtin_name": ".registry",
        "is_person_name": ".registry",
        "normalise_name": ".registry",
        "open_player": ".registry",
        "player_names": ".registry",
    },
)
