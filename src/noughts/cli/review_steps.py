"""``noughts review --step``: the mistakes of a game on the board, one by one; the better move is asked for first."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from noughts.analysis.advice import Advisor
from noughts.analysis.reasons import reasons
from noughts.ask.question import Context, ask
from noughts.ask.reasons import REASONS, ReasonsAnswer, ReasonsRequest
from noughts.ask.requests import position_fields
from noughts.ask.review import ReviewAnswer, ReviewedMove, describe_cost
from noughts.cli.output import Capabilities, board_style, say_filled
from noughts.cli.terminal.input import PromptInput
from noughts.games import IllegalMove, InvalidNotation, Playthrough, Position, Side
from noughts.games.quoting import count
from noughts.games.rendering.text import draw
from noughts.players import PEOPLE

__all__ = ["idea_of", "refutation", "step_through"]

TRIAL_SECONDS = 1.0
"""Time to judge a move that was tried."""
AS_GOOD = 0.05
"""Difference of the chances up to which a move is as good as the best one."""
MOST_SHOWN = 8
"""Moves of a line of play."""
YOU = "you"
QUIT, BACK, HINT, HELP = ("quit", "exit", "bye"), ("back",), ("hint",), ("help", "?")
"""Whole words: a single letter may be a move."""
HOW = "Type a move. Enter shows the better one; hint gives the idea, back returns to the mistake before, quit leaves."


def step_through(play: Playthrough, answer: ReviewAnswer, advisor: Advisor, capabilities: Capabilities) -> None:
    """Go through the mistakes in a game: of the person who played against an engine, else of both sides."""
    names = {Side.X: answer.x or "X", Side.O: answer.o or "O"}
    people = [side for side, name in names.items() if name in PEOPLE]
    sides = people if len(people) == 1 else list(Side)
    mistakes = [move for move in answer.moves if not move.label.is_good and move.side in sides]
    steps = _Steps(play, names, mistakes, advisor, capabilities)
    steps.run()
    accuracies = [f"{side} ({names[side]}) {percent:.0f}%" for side, percent in answer.accuracy.items() if percent]
    if accuracies:
        click.echo(f"\nAccuracy: {', '.join(accuracies)}.")


class _Steps:
    def __init__(
        self,
        play: Playthrough,
        names: dict[Side, str],
        mistakes: Sequence[ReviewedMove],
        advisor: Advisor,
        capabilities: Capabilities,
    ) -> None:
        self._play, self._names, self._mistakes = play, names, mistakes
        self._advisor, self._capabilities = advisor, capabilities
        self._prompts = PromptInput(sys.stdout)

    def run(self) -> None:
        """Show each mistake and ask for a better move, until the last one or until the person leaves."""
        total = len(self._mistakes)
        if not total:
            say_filled("No mistakes.")
            return
        say_filled(f"{count(total, 'move')} could be better. {HOW}")
        at = 0
        while at < total:
            step = self._ask_about(self._mistakes[at], f"{at + 1} of {total}")
            if step is None:
                return
            at = max(0, at + step)

    def _ask_about(self, found: ReviewedMove, which: str) -> int | None:
        """Ask for a better move than one that was played; returns 1 to continue, -1 to go back, None to leave."""
        before = self._play.position(found.ply - 1)
        board = draw(before, self._capabilities.width, board_style(self._capabilities))
        click.echo(f"\n{board}\n")
        who = "You" if self._names[found.side] == YOU else f"{found.side} ({self._names[found.side]})"
        against = f": it {found.why_not[0]}" if found.why_not else ""
        say_filled(f"Mistake {which}. Move {found.ply}: {who} played {found.move}, {describe_cost(found)}{against}.")
        while True:
            line = self._prompts.read(f"a better move for {found.side}: ")
            word = (line or "").strip()
            if line is None or word.lower() in QUIT:
                return None
            if word.lower() in BACK:
                return -1
            if word.lower() in HINT:
                say_filled(idea_of(before, found.best_cell))
            elif word.lower() in HELP:
                say_filled(HOW)
            elif not word or self._is_found(before, found, word):
                break
        self._show(found)
        return 1

    def _is_found(self, before: Position, found: ReviewedMove, word: str) -> bool:
        """Judge a move that was typed, and say why it is not good enough if it is not."""
        try:
            cell = before.parse_move(word)
            before.after(cell)
        except (InvalidNotation, IllegalMove) as error:
            say_filled(str(error))
            return False
        if cell == found.cell:
            say_filled(f"{found.move} is the move that was played.")
            return False
        if cell == found.best_cell:
            say_filled("Yes.")
            return True
        request = ReasonsRequest(**position_fields(before), move=cell, seconds=TRIAL_SECONDS)
        tried: ReasonsAnswer = ask(REASONS, request, Context(self._advisor))
        if tried.value is found.before.value and tried.chance >= found.before.chance - AS_GOOD:
            say_filled(f"{tried.move} is as good: it {tried.why[0]}." if tried.why else f"{tried.move} is as good.")
            return True
        say_filled(f"{refutation(tried)} Try another move, or press enter.")
        return False

    def _show(self, found: ReviewedMove) -> None:
        """Show the better move, why it is better, and both lines of play."""
        why = f": it {'; it '.join(found.why)}" if found.why else ""
        say_filled(f"The best move is {found.best}{why}.")
        for name, line in ((found.best, found.line), (found.move, found.played_line)):
            if len(line) > 1:
                say_filled(f"After {name}: {' '.join(line[1:MOST_SHOWN])}{' …' if len(line) > MOST_SHOWN else ''}")


def idea_of(position: Position, move: int) -> str:
    """Return the idea of a good move, which does not give it away."""
    ideas = (reason.idea for reason in reasons(position, move) if reason.idea)
    return next(ideas, "Compare what each move threatens and what it leaves to the other side.")


def refutation(tried: ReasonsAnswer, verdict: str = "is worth less") -> str:
    """Return what is wrong with a move that was tried, with the reply and its reason: ``b1 loses: O answers a3 …``.

    ``verdict`` is for a move that does not lose.
    """
    found = f"{tried.move} {'loses' if tried.value == 'loss' else verdict}"
    if len(tried.line) < 2:
        return f"{found}."
    because = f", which {tried.reply_why[0]}" if tried.reply_why else ""
    return f"{found}: {tried.turn.opponent} answers {tried.line[1]}{because}."
