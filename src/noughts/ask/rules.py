"""The question ``rules``: how a game is played, in sentences with boards on which the moves are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from noughts.ask.games import cell_names
from noughts.ask.positions import PositionAnswer
from noughts.ask.question import lookup
from noughts.ask.requests import GameRequest
from noughts.games import Game
from noughts.games.cache import once_per_game
from noughts.games.quoting import count
from noughts.games.rules import Rule, rules_of
from noughts.games.titles import title_of
from noughts.schema import Shape

__all__ = ["RULES", "BoardAnswer", "RulesAnswer", "describe_rules"]

MAX_KEPT_CELLS = 256
"""The rules of larger games are found again for each request: their boards are too large to keep."""


@dataclass(frozen=True, kw_only=True)
class BoardAnswer(Shape):
    """A board to be drawn without input: marks, what is highlighted, and in Ultimate the boards."""

    marks: Annotated[str, "The mark on each cell; `.` is an empty one."]
    last_cell: int | None
    winning_cells: Annotated[tuple[int, ...], "The cells to highlight: a complete line, or what the text is about."]
    blocks: Annotated[str | None, "In Ultimate the owner of each block, as in a position."]
    block_to_play: int | None

    @classmethod
    def of(cls, position: PositionAnswer, highlighted: tuple[int, ...] = ()) -> BoardAnswer:
        """Return the board of a position."""
        return cls.from_attributes(position, winning_cells=position.winning_cells or highlighted)


@dataclass(frozen=True, kw_only=True)
class RulesStep(Shape):
    """A rule, and a playthrough that shows it."""

    name: Annotated[str, "What it is about: `turns`, `line`, `direction`, `exact`, `draw`, `board`, `sent`, `count`."]
    text: str
    picture: Annotated[str, "The moves that are shown, in words: a text for screen readers."]
    line: Annotated[tuple[str, ...], "The moves that are shown, the last of `cells`."]
    cells: Annotated[tuple[int, ...], "All moves from the start of the game."]
    position: Annotated[str, "The position string after them."]
    boards: Annotated[tuple[BoardAnswer, ...], "The board before the moves that are shown, and after each of them."]

    @classmethod
    def of(cls, game: Game, step: Rule) -> RulesStep:
        position, before = game.start(), len(step.moves) - step.shown
        position.play_all(step.moves[:before])
        shown = [PositionAnswer.of(position)]
        for move in step.moves[before:]:
            position.play(move)
            shown.append(PositionAnswer.of(position))
        boards = [BoardAnswer.of(each) for each in shown[:-1]]
        names = cell_names(game)
        return cls(
            name=step.name,
            text=step.text,
            picture=_picture(game, step, shown),
            line=tuple([names[move] for move in step.moves[before:]]),
            cells=step.moves,
            position=position.text,
            boards=(*boards, BoardAnswer.of(shown[-1], step.highlighted)),
        )


def _picture(game: Game, step: Rule, shown: list[PositionAnswer]) -> str:
    """What is to be seen, in words."""
    before = len(step.moves) - step.shown
    begin = f"After {count(before, 'move')}: " if before else ""
    played = " ".join([each.announcement for each in shown[1:]]) or "The empty board."
    names = cell_names(game)
    marked = "" if not step.highlighted else f" Highlighted: {', '.join([names[cell] for cell in step.highlighted])}."
    end = f" {shown[-1].status}." if shown[-1].is_over else ""
    return f"{begin}{played}{marked}{end}"


@dataclass(frozen=True, kw_only=True)
class RulesAnswer(Shape):
    """How a game is played."""

    game: str
    title: Annotated[str, "The name of the game: `Qubic`."]
    steps: tuple[RulesStep, ...]
    how_to_type: Annotated[str, "How to type a move."]

    @classmethod
    def of(cls, game: Game) -> RulesAnswer:
        """Return the rules of a game."""
        return _kept_rules(game) if game.cells <= MAX_KEPT_CELLS else _rules(game)


@once_per_game
def _kept_rules(game: Game) -> RulesAnswer:
    return _rules(game)


def _rules(game: Game) -> RulesAnswer:
    steps = tuple([RulesStep.of(game, step) for step in rules_of(game)])
    return RulesAnswer(game=game.label, title=title_of(game), steps=steps, how_to_type=game.how_to_type)


def describe_rules(answer: RulesAnswer) -> str:
    """Return the sentences, each with its moves."""
    steps = [f"{number}. {step.text} ({step.picture})" for number, step in enumerate(answer.steps, 1)]
    return "\n".join([f"How to play {answer.title}", *steps, f"A move is {answer.how_to_type}."])


RULES = lookup(
    "rules",
    GameRequest,
    RulesAnswer,
    lambda request: RulesAnswer.of(request.find_game()),
    "Say how a game is played: a few sentences, each with a board on which the moves are made.",
    words=describe_rules,
)
