"""Grades a player: legal moves, wins, blocks, and no loss against any replies."""

from __future__ import annotations

from noughts.games import Position, Side
from noughts.teaching.grading.answers import OpaqueMove
from noughts.teaching.grading.judge import judge_of, unfinished_positions, wins_at_once
from noughts.teaching.grading.question_runner import DEPTH_NAMES, CallReply, Exam, show
from noughts.teaching.grading.runtime.server import SubmissionQuestion
from noughts.textbook import evaluate_outcome

__all__ = ["check_choice", "check_tactics", "examine_player", "move_of", "show_malformed"]


PLAYER_DEPTH = 6
"""The depth of a search that must be given one: on 3x3 every loss is seen in time."""


def examine_player(exam: Exam) -> None:
    """Ask for a move on every position, then play every game against it."""
    texts = unfinished_positions(exam.game)
    for text, reply in zip(texts, exam.ask_all(_question(exam, text) for text in texts), strict=False):
        exam.grade.positions += 1
        position = exam.game.parse(text)
        cell = check_choice(exam, position, reply)
        if cell is not None:
            check_tactics(exam, position, cell)
        if "runs" in exam.grade.failures or "undo" in exam.grade.failures:
            return
    if "legal" not in exam.grade.failures:
        _check_unbeaten(exam)


def _question(exam: Exam, text: str) -> SubmissionQuestion:
    """Return the question for a move; a search to a depth gets one that never loses on 3x3."""
    name = next((name for name in DEPTH_NAMES if name in (exam.subject.required or ())), None)
    return exam.question(text, named={name: PLAYER_DEPTH} if name else None)


def check_choice(exam: Exam, position: Position, reply: CallReply) -> int | None:
    """Return the move that the submission chooses, or None if it is not legal."""
    if not exam.check_reply(position.text, reply):
        return None
    cell = move_of(exam, position, reply.answer)
    if cell is not None and position.is_legal(cell):
        exam.holds("legal")
        return cell
    show_malformed(exam, position, reply.answer, cell)
    return None


def show_malformed(exam: Exam, position: Position, answer: object, cell: int | None) -> None:
    """Record that an answer is not a move, or not a legal one."""
    if cell is None:
        exam.fail("runs", position.text, f"expected a move, got {show(answer)}", _diagnose(answer))
    else:
        exam.fail("legal", position.text, f"an illegal move: {show(answer)}", "illegal-move")


def move_of(exam: Exam, position: Position, answer: object) -> int | None:
    """Return the cell of a move, which may be a number, a name or part of a search's result."""
    if isinstance(answer, OpaqueMove):
        answer = answer.move
    if exam.style.has_values and isinstance(answer, tuple) and len(answer) == 2 and exam.style.id != "noughts":
        answer = answer[1]
    if isinstance(answer, str) and exam.style.id == "noughts":
        try:
            return position.parse_move(answer)
        except ValueError:
            return None
    return exam.style.cell_of(position, answer)


def _diagnose(answer: object) -> str:
    if answer is None:
        return "returns-nothing"
    return "returns-both" if isinstance(answer, tuple | list) else "move-form"


def check_tactics(exam: Exam, position: Position, cell: int, is_strict: bool = True) -> None:
    """Check that a move wins if it can, and else blocks if it must.

    Unless it is strict, a move that wins later is good enough.
    """
    wins = wins_at_once(position)
    name = exam.style.format_move
    if wins:
        exam.holds("wins")
        still_wins = judge_of(exam.game, None, evaluate_outcome).best_moves(position)
        if cell not in (wins if is_strict else still_wins):
            wanted = " or ".join(name(position, move) for move in wins)
            diagnosis = "delays-win" if cell in still_wins else "misses-win"
            exam.fail("wins", position.text, f"{wanted} wins at once, got {name(position, cell)}", diagnosis)
        return
    threats = _threats(position)
    if threats:
        exam.holds("blocks")
        best = judge_of(exam.game, None, evaluate_outcome).best_moves(position)
        if cell not in best:  # where every move loses, none is wrong
            message = f"the opponent threatens {name(position, threats[0])}, got {name(position, cell)}"
            exam.fail("blocks", position.text, message, "misses-block")


def _threats(position: Position) -> list[int]:
    """Return the cells with which the opponent would win if it were to move."""
    cells = [None if mark is None else str(mark) for mark in position.cells]
    opponent = "O" if position.turn is Side.X else "X"
    found = set()
    for line in position.game.lines:
        empty = [cell for cell in line if cells[cell] is None]
        if len(empty) == 1 and all(cells[cell] in (None, opponent) for cell in line):
            found.add(empty[0])
    return sorted(found)


def _check_unbeaten(exam: Exam) -> None:
    exam.holds("unbeaten")
    choices: dict[int, int] = {}
    for side in (Side.X, Side.O):
        lost = _shortest_loss(exam, side, choices)
        if lost is not None:
            start = exam.game.start()
            names = []
            for move in lost:
                names.append(exam.style.format_move(start, move))
                start.play(move)
            exam.fail("unbeaten", start.text, f"loses as {side}: {' '.join(names)}", "loses")
            return


def _shortest_loss(exam: Exam, side: Side, choices: dict[int, int]) -> list[int] | None:
    """Return the moves of the shortest game that the player loses with a side, or None if it loses none."""
    level: list[Position] = [exam.game.start()]
    seen: set[int] = set()
    while level:
        following = []
        _ask_choices(exam, [position for position in level if position.turn is side], choices)
        for position in level:
            for move in [choices[position.hash]] if position.turn is side else position.legal_moves:
                after = position.copy()
                after.play(move)
                if after.winner is not None and after.winner is not side:
                    return list(after.moves)
                if not after.is_over and after.hash not in seen:
                    seen.add(after.hash)
                    following.append(after)
        level = following
    return None


def _ask_choices(exam: Exam, positions: list[Position], choices: dict[int, int]) -> None:
    """Add the player's moves on positions to the choices; the first legal move stands for one that is wrong."""
    new = [position for position in positions if position.hash not in choices]
    questions = (_question(exam, position.text) for position in new)
    for position, reply in zip(new, exam.ask_all(questions), strict=False):
        cell = check_choice(exam, position, reply)
        choices[position.hash] = position.legal_moves[0] if cell is None else cell
