"""Answers of the tools: structured content with a schema, and the same as text with the board drawn."""

from __future__ import annotations

from typing import Self

from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field

from noughts.analysis.advice import Advice, Source
from noughts.analysis.advice import Worth as StudyWorth
from noughts.analysis.hints import Hint
from noughts.analysis.judging import Proposal, Verdict
from noughts.games import Position, Side, Value
from noughts.games.outcome import describe_outcome
from noughts.games.quoting import count
from noughts.mcp.sessions import Table
from noughts.proof.solver import Solution

__all__ = ["AnalysisAnswer", "ExplanationAnswer", "SolutionAnswer", "TableAnswer"]

MAX_NAMED_MOVES = 100
"""Legal moves that the text lists; the structured content always has all of them."""


class _Answer(BaseModel):
    """An answer with a text form."""

    def words(self) -> str:
        """Return the answer as text."""
        raise NotImplementedError

    def as_result(self) -> CallToolResult:
        """Return the answer as the result of a tool."""
        content = TextContent(type="text", text=self.words())
        return CallToolResult(content=[content], structured_content=self.model_dump(mode="json"))


class TableAnswer(_Answer):
    """A game in progress."""

    game_id: str = Field(description="The id of this game for other tools.")
    game: str = Field(description="The rules.")
    board: str = Field(description="The board as text.")
    position: str = Field(description="The position string.")
    turn: Side | None = Field(description="The side to move; null when the game is over.")
    moves: list[str] = Field(description="The moves so far.")
    legal_moves: list[str]
    over: bool
    result: str | None = Field(description="How the game ended.")
    winner: Side | None
    opponent: str | None = Field(description="The level that answers your moves; null if you play both sides.")
    opponent_rating: int | None
    opponent_side: Side | None
    reply: str | None = Field(default=None, description="The opponent's answer to your move.")

    @classmethod
    def of(cls, table: Table, reply: int | None = None) -> Self:
        """Return the answer for a table, after the opponent's reply if there was one."""
        position, opponent, name = table.position, table.opponent, table.position.format_move
        outcome = position.outcome
        return cls(
            game_id=table.id,
            game=position.game.label,
            board=str(position),
            position=position.text,
            turn=position.turn,
            moves=[name(move) for move in position.moves],
            legal_moves=[name(move) for move in position.legal_moves],
            over=position.is_over,
            result=None if outcome is None else describe_outcome(outcome),
            winner=position.winner,
            opponent=None if opponent is None else opponent.name,
            opponent_rating=None if opponent is None else opponent.rating,
            opponent_side=None if opponent is None else opponent.side,
            reply=None if reply is None else name(reply),
        )

    def words(self) -> str:
        """Return the board, whose turn it is, and the legal moves."""
        head = f"Game {self.game_id}: {self.game}"
        if self.opponent is not None:
            head += f", {self.opponent_side} is played by {self.opponent} (rating {self.opponent_rating})"
        lines = [head, self.board]
        if self.reply is not None:
            lines.append(f"{self.opponent_side} played {self.reply}.")
        if self.over:
            return "\n".join([*lines, f"The game is over: {self.result}."])
        named = " ".join(self.legal_moves[:MAX_NAMED_MOVES])
        more = len(self.legal_moves) - MAX_NAMED_MOVES
        return "\n".join([*lines, f"{self.turn} to move. Legal moves: {named}" + (f" and {more} more" * (more > 0))])


class Worth(BaseModel):
    """The worth of a move or position to one side: a proven ``value``, or an estimated ``score``."""

    value: Value | None = Field(description="Proven with best play from both sides; null if it is not proven.")
    plies: int | None = Field(description="A proven win or loss takes at most this many plies.")
    score: int | None = Field(description="The engine's estimate; null if the value is proven.")
    chance: float = Field(description="The expected share of the point, from 0 to 1.")
    source: Source = Field(description="The origin of the verdict.")

    @classmethod
    def of(cls, worth: StudyWorth, source: Source) -> Self:
        """Return the answer for a worth."""
        return cls(value=worth.value, plies=worth.plies, score=worth.score, chance=worth.chance, source=source)

    def words(self) -> str:
        """Return the verdict, and whether it is proven."""
        if self.value is None:
            return f"estimated at {self.chance:.0%} of the point"
        length = f" in at most {count(self.plies, 'ply')}" if self.plies else ""
        return f"a proven {self.value}{length}"


class Line(BaseModel):
    """A move and the line of play that is expected to follow."""

    move: str
    worth: Worth
    line: list[str]


class AnalysisAnswer(_Answer):
    """The best moves of a position, best first."""

    game_id: str
    position: str
    turn: Side
    lines: list[Line]
    depth: int
    nodes: int

    @classmethod
    def of(cls, identifier: str, position: Position, found: list[Advice]) -> Self:
        """Return the answer for some advice."""
        name = position.format_move
        lines = [
            Line(move=name(each.move), worth=Worth.of(each.worth, each.source), line=[name(move) for move in each.pv])
            for each in found
        ]
        search = found[0].result
        return cls(
            game_id=identifier,
            position=position.text,
            turn=position.side_to_move,
            lines=lines,
            depth=search.depth,
            nodes=search.nodes,
        )

    def words(self) -> str:
        """Return one line for each move."""
        lines = (f"{each.move}: {each.worth.words()}; {' '.join(each.line)}" for each in self.lines)
        return "\n".join([f"Best moves for {self.turn}:", *lines])


class SolutionAnswer(_Answer):
    """The value of a position with best play, for the side to move, or bounds for it."""

    game_id: str
    position: str
    turn: Side
    value: Value | None = Field(description="Null if the time was too short; then there are bounds.")
    lower: Value
    upper: Value
    move: str | None = Field(description="A move that keeps the value.")
    nodes: int
    seconds: float

    @classmethod
    def of(cls, identifier: str, found: Solution) -> Self:
        """Return the answer for a solution."""
        position = found.position
        return cls(
            game_id=identifier,
            position=position.text,
            turn=position.side_to_move,
            value=found.value,
            lower=found.lower,
            upper=found.upper,
            move=position.format_move(found.move) if found.move is not None and found.move_is_proven else None,
            nodes=found.nodes,
            seconds=round(found.seconds, 3),
        )

    def words(self) -> str:
        """Return the value in a sentence."""
        if self.value is None:
            known = f"between a {self.lower} and a {self.upper}"
            return f"Not solved within the time: for {self.turn} it is {known}. A longer time may help."
        by = (
            "" if self.move is None else f"; {self.move} keeps it" if self.value != "loss" else f"; {self.move} resists"
        )
        return f"Proven: with best play it is a {self.value} for {self.turn}{by}."


class ExplanationAnswer(_Answer):
    """The best move with its reasons, and a verdict on another move."""

    game_id: str
    position: str
    turn: Side
    idea: str = Field(description="A hint that does not give the move away.")
    best: str
    best_worth: Worth
    best_reasons: list[str]
    move: str | None = Field(default=None, description="The move that was asked about.")
    verdict: Verdict | None = None
    worth: Worth | None = None
    reasons: list[str] = Field(default=[], description="The effects of the move that was asked about.")
    regret: float | None = Field(
        default=None,
        description="What the move gives away: 1 turns a win into a draw or a draw into a loss; "
        "2 turns a win into a loss.",
    )
    regret_is_exact: bool | None = None

    @classmethod
    def of(cls, identifier: str, position: Position, hint: Hint) -> Self:
        """Return the answer for a hint."""
        return cls(
            game_id=identifier,
            position=position.text,
            turn=position.side_to_move,
            idea=hint.idea,
            best=position.format_move(hint.move),
            best_worth=Worth.of(hint.advice.worth, hint.advice.source),
            best_reasons=list(hint.why),
        )

    def with_move(self, name: str, proposal: Proposal, reasons: list[str]) -> Self:
        """Return the answer with the verdict on a legal move."""
        judged = proposal.judged
        assert judged is not None
        verdict = {
            "move": name,
            "verdict": proposal.verdict,
            "worth": Worth.of(judged.worth, judged.source),
            "reasons": reasons,
            "regret": judged.regret,
            "regret_is_exact": judged.is_exact,
        }
        return self.model_copy(update=verdict)

    def words(self) -> str:
        """Return the reasons in sentences."""
        why = "; ".join(self.best_reasons) or self.idea
        best = f"Best for {self.turn} is {self.best}, {self.best_worth.words()}: {why}"
        if self.move is None or self.worth is None:
            return f"{self.idea}\n{best}"
        cost = f", which costs about {self.regret / 2:.0%} of the point" if self.regret else ""
        if self.regret and self.regret_is_exact:
            cost = f", where a {self.best_worth.value} was possible"
        effects = f": {'; '.join(self.reasons)}" if self.reasons else ""
        judged = f"{self.move} is {self.worth.words()}{cost}{effects}"
        return f"{judged}\n{best}" if self.move != self.best else judged
