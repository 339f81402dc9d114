"""UGI and UCI, Gomocup, CodinGame and JSON lines, each as host of other programs and as engine for other hosts.

The hosts are imported with the first program, because a game against a level must start at once.
"""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.players.protocols.codingame import CodingameHost
    from noughts.players.protocols.gomocup import GomocupHost
    from noughts.players.protocols.host import ProgramHost
    from noughts.players.protocols.json_lines import JsonHost, PythonHost
    from noughts.players.protocols.ugi import UciHost, UgiHost

__all__ = ["CodingameHost", "GomocupHost", "JsonHost", "ProgramHost", "PythonHost", "UciHost", "UgiHost"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "CodingameHost": ".codingame",
        "GomocupHost": ".gomocup",
        "JsonHost": ".json_lines",
        "ProgramHost": ".host",
        "PythonHost": ".json_lines",
        "UciHost": ".ugi",
        "UgiHost": ".ugi",
    },
)
