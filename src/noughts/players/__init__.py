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
        ".player": ["HostedPlayer", "Player"],
        ".python_bot": ["InProcessPlayer"],
        ".registry": [
            "PEOPLE",
            "PROTOCOLS",
            "TREE_SEARCHES",
            "NoProtocol",
            "RandomPlayer",
            "detect_protocol",
            "is_builtin_name",
            "is_person_name",
            "normalise_name",
            "open_player",
            "player_names",
        ],
        "noughts.process.failure": ["FailureReason", "NotStarted", "PlayerFailed"],
        "noughts.process.limits": ["GRACE_SECONDS", "Limits"],
    },
)
