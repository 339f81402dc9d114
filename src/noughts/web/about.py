"""The question ``about``: the features and limits of a server, or of a page without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from noughts import __version__
from noughts.analysis.reviews import Label
from noughts.ask.question import PublicBounds
from noughts.ask.table import QUESTIONS
from noughts.engine import LEVELS
from noughts.match import TimeControl
from noughts.schema import Shape
from noughts.teaching.comparison import ALGORITHMS, EVALUATIONS, ORDERS

__all__ = ["API_VERSION", "AboutAnswer", "describe_server"]

API_VERSION = 2
"""Raised when fields of requests or answers are renamed or removed; the changelog lists them."""
TIME_CONTROLS = ("1+1", "3+2", "5+3", "15+10")


@dataclass(frozen=True, kw_only=True)
class TimeControlAnswer(Shape):
    """A time control; times in seconds."""

    text: Annotated[str, "For example `5+3`."]
    seconds: float
    increment: float

    @classmethod
    def parse(cls, text: str) -> TimeControlAnswer:
        """Return the answer for the text of a time control."""
        control = TimeControl.parse(text)
        return cls(text=text, seconds=control.base, increment=control.increment)


@dataclass(frozen=True, kw_only=True)
class AboutAnswer(Shape):
    """The server, its features and its limits."""

    version: str
    api_version: Annotated[int, "Raised when fields of requests or answers are renamed or removed."]
    levels: tuple[str, ...]
    algorithms: tuple[str, ...]
    orders: tuple[str, ...]
    evaluations: tuple[str, ...]
    labels: tuple[str, ...]
    time_controls: Annotated[tuple[TimeControlAnswer, ...], "Usual time controls, to choose from."]
    is_local: bool
    has_friends: Annotated[bool, "Whether friends can be invited by a link."]
    has_lobby: Annotated[bool, "Whether open challenges are listed."]
    network_address: Annotated[str | None, "The link to the page for other devices in the network, if it is known."]
    checks_proofs: Annotated[bool, "Whether the page can check certificates."]
    limits: Annotated[dict[str, PublicBounds], "The most that each question may ask for; null is no bound."]


def describe_server(
    is_local: bool, has_server: bool = True, has_lobby: bool = False, network_address: str | None = None
) -> AboutAnswer:
    """Return the version, features and limits of this server, or of a page without a server."""
    return AboutAnswer(
        version=__version__,
        api_version=API_VERSION,
        levels=tuple(LEVELS),
        algorithms=tuple(ALGORITHMS),
        orders=tuple(ORDERS),
        evaluations=tuple(EVALUATIONS),
        labels=tuple(Label),
        time_controls=tuple([TimeControlAnswer.parse(text) for text in TIME_CONTROLS]),
        is_local=is_local,
        has_friends=has_server,
        has_lobby=has_lobby,
        network_address=network_address,
        checks_proofs=not has_server,
        limits={name: question.public for name, question in QUESTIONS.items()},
    )
