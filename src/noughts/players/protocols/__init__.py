"""UGI and UCI, Gomocup, CodinGame and JSON lines, each as host of other programs and as engine for other hosts.

Each is imported when it is first used: a game against a level and ``noughts engine`` must start at once.
"""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.players.protocols.codingame import CodingameEngine, CodingameHost
    from noughts.players.protocols.gomocup import GomocupEngine, GomocupHost
    from noughts.players.protocols.host import ProgramHost
    from noughts.players.protocols.json_protocol import JsonEngine, JsonHost, PythonHost
    from noughts.players.protocols.ugi import UciHost, UgiEngine, UgiHost

__all__ = [
    "CodingameEngine",
    "CodingameHost",
    "GomocupEngine",
    "GomocupHost",
    "JsonEngine",
    "JsonHost",
    "ProgramHost",
    "PythonHost",
    "UciHost",
    "UgiEngine",
    "UgiHost",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".codingame": ["CodingameEngine", "CodingameHost"],
        ".gomocup": ["GomocupEngine", "GomocupHost"],
        ".host": ["ProgramHost"],
        ".json_protocol": ["JsonEngine", "JsonHost", "PythonHost"],
        ".ugi": ["UciHost", "UgiEngine", "UgiHost"],
    },
)
