"""Ways to call the functions and methods of a program, by the names of their parameters.

Used in the process of the submission only.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from typing import NamedTuple

__all__ = ["Moment", "calls"]


class Moment(NamedTuple):
    """A position as a program sees it."""

    state: object
    game: object
    """The object whose methods know the rules, or None."""
    own: object
    """The mark of the side to move."""
    other: object
    is_x: bool
    empty: int
    """The number of empty cells."""


Plan = tuple[Callable[[Moment], object], ...]
"""The arguments of a function, each made from a moment."""


def calls(
    name: str, kind: type | None, callee: Callable[..., object]
) -> Iterator[tuple[str, Callable[[Moment], object]]]:
    """Yield ways to call a function or method, each with a text that shows it."""
    if kind is None:
        for plan in _plans(callee):
            yield f"{name}({_shown(callee)})", partial(_call, callee, plan)
        return
    for receiver in _receivers(kind):
        is_bound = not isinstance(inspect.getattr_static(kind, name), staticmethod)
        method = getattr(kind, name)
        parameters = [*inspect.signature(method).parameters.values()]
        if is_bound and not inspect.ismethod(method):
            parameters = parameters[1:]
        for plan in _plans_of(parameters):

            def call(moment: Moment, receiver: Callable[[Moment], object] = receiver, plan: Plan = plan) -> object:
                return getattr(receiver(moment), name)(*(each(moment) for each in plan))

            yield f"{kind.__name__}.{name}({', '.join(each.name for each in parameters)})", call


def _call(callee: Callable[..., object], plan: Plan, moment: Moment) -> object:
    return callee(*(each(moment) for each in plan))


def _receivers(kind: type) -> Iterator[Callable[[Moment], object]]:
    """Yield ways to find the object of a method: the state or game itself, or a new object."""

    def from_moment(moment: Moment) -> object:
        for each in (moment.state, moment.game):
            if isinstance(each, kind):
                return each
        raise TypeError(kind.__name__)

    yield from_moment
    with suppress(TypeError, ValueError):
        for plan in _plans(kind):
            yield partial(_call, kind, plan)


def _shown(callee: Callable[..., object]) -> str:
    return ", ".join(inspect.signature(callee).parameters)


def _plans(callee: Callable[..., object]) -> Iterator[Plan]:
    try:
        parameters = [*inspect.signature(callee).parameters.values()]
    except (TypeError, ValueError):
        return
    yield from _plans_of(parameters)


def _plans_of(parameters: Sequence[inspect.Parameter]) -> Iterator[Plan]:
    """Yield plans for the parameters without defaults, then for those with defaults, too."""
    wanted = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    required = [each for each in wanted if each.default is each.empty]
    names = [each.name.lower() for each in required]
    yield from product(*_alternatives(names))
    if len(wanted) > len(required):
        yield from product(*_alternatives([each.name.lower() for each in wanted]))


def _alternatives(names: list[str]) -> list[tuple[Callable[[Moment], object], ...]]:
    """Return what may be meant by each parameter; the first that is nothing else is the state."""
    found: list[tuple[Callable[[Moment], object], ...]] = []
    has_state = False
    for name in names:
        role = _role(name)
        is_game = role == "state" and name in ("game", "env", "problem") and len(names) > 1
        if role == "state" and (not has_state or is_game):
            has_state = has_state or not is_game
            found.append(ROLES["game" if is_game else "state"])
        else:
            found.append(ROLES["mark" if role == "state" else role])
    if found and not has_state:
        found[0] = (*found[0], *ROLES["state"])
    return found


ROLES: Mapping[str, tuple[Callable[[Moment], object], ...]] = {
    "state": (lambda m: m.state,),
    "game": (lambda m: m.game if m.game is not None else m.state,),
    "depth": (lambda m: m.empty, lambda m: 0, lambda m: 9),
    "alpha": (lambda m: -float("inf"),),
    "beta": (lambda m: float("inf"),),
    "maximises": (lambda m: m.is_x, lambda m: True, lambda m: not m.is_x, lambda m: False),
    "sign": (lambda m: 1 if m.is_x else -1, lambda m: 1),
    "mark": (lambda m: m.own, lambda m: m.other, lambda m: m.is_x),
    "opponent": (lambda m: m.other, lambda m: m.own),
}
"""What to give to a parameter, the likeliest first."""
WORDS = {
    "depth": ("depth", "level", "ply", "plies", "limit"),
    "alpha": ("alpha", "lo", "low"),
    "beta": ("beta", "hi", "high"),
    "maximises": ("max",),
    "sign": ("color", "colour", "sign"),
    "opponent": ("opp", "opponent", "human", "enemy", "other"),
    "mark": ("player", "mark", "letter", "symbol", "turn", "side", "piece", "token", "who", "me", "ai", "computer"),
}


def _role(name: str) -> str:
    """Return the role of a parameter by its name."""
    parts = [part for part in name.split("_") if part]
    for role, words in WORDS.items():
        if any(_matches(part, word) for part in parts for word in words):
            return role
    return "state"


def _matches(part: str, word: str) -> bool:
    """Whether a part of a name means a word: short words must be equal, except for max."""
    return part == word or (len(word) > 3 and part.startswith(word)) or (word == "max" and "max" in part)
