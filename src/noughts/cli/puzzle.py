"""``noughts puzzle``: puzzles in the terminal."""

from __future__ import annotations

import sys
from datetime import date
from random import Random

import click

from noughts.analysis.advice import Advisor
from noughts.analysis.hints import area_of
from noughts.analysis.puzzle_choice import choose_puzzle, rating_after
from noughts.analysis.puzzles import Goal, Puzzle, Theme, puzzle_of_day, shipped_puzzles
from noughts.analysis.reasons import reasons
from noughts.ask.puzzles import PuzzleAnswer, describe_task
from noughts.ask.question import Context, ask
from noughts.ask.reasons import REASONS, ReasonsAnswer, ReasonsRequest
from noughts.ask.requests import position_fields
from noughts.cli.options import json_option
from noughts.cli.output import board_style, print_json, say_filled, stdout_capabilities, table_width
from noughts.cli.review_steps import idea_of, refutation
from noughts.cli.saved_table import title_with_id
from noughts.cli.tables import Words, format_table
from noughts.cli.terminal.input import PromptInput
from noughts.cli.types import GAME, PUZZLE, one_of
from noughts.games import Game, IllegalMove, InvalidNotation
from noughts.games.quoting import count, quote
from noughts.games.rendering.text import draw
from noughts.games.titles import title_of
from noughts.store import Store

TRIAL_SECONDS = 1.0
"""Time to judge a wrong move."""
QUIT, HINT, HELP = ("quit", "q", "exit", "bye"), ("hint",), ("help", "?")
HOW = "Type a move. hint gives the idea, then the place; enter shows the solution, quit leaves."
HEADERS = ("id", "game", "task", "rating", "state", "themes")


@click.command(name="puzzle")
@click.argument("which", metavar="[ID]", type=PUZZLE, required=False)
@click.option("--daily", is_flag=True, help="The puzzle of the day, which is the same for everyone.")
@click.option("--game", metavar="GAME", type=GAME, help="Only puzzles of this game.")
@click.option(
    "--theme", type=one_of("noughts.analysis.themes", "Theme"), metavar="THEME",
    help=f"Only puzzles with this theme: {', '.join(Theme)}.",
)  # fmt: skip
@click.option("--list", "lists", is_flag=True, help="List the puzzles instead.")
@json_option("Print the puzzle, or the list, with the solutions as JSON.")
def command(which: str | None, daily: bool, game: Game | None, theme: str | None, lists: bool, as_json: bool) -> None:
    """Solve puzzles: positions in which only one move wins within a number of moves, or holds the draw.

    Without ID you get a new puzzle near your rating. A wrong move is refuted, and you can try again; only the first try
    changes your rating. Each solution is proven to be the only one.

    \b
    noughts puzzle
    noughts puzzle --daily
    noughts puzzle --game connect4 --theme zugzwang
    """
    if which is not None and daily:
        raise click.UsageError("expected an id or --daily, not both")
    puzzles = _find_puzzles(game, theme)
    with Store() as store:
        solving = _Puzzles(store)
        if lists:
            _print_list(puzzles, solving, as_json)
            return
        one = puzzle_of_day(date.today()) if daily else None if which is None else _find_puzzle(which)
        if as_json:
            print_json(PuzzleAnswer.of(one or solving.choose(puzzles)))
            return
        solving.run(one or solving.choose(puzzles), None if one else puzzles)


def _find_puzzles(game: Game | None, theme: str | None) -> list[Puzzle]:
    """Return the puzzles of a game and a theme; raises UsageError if there are none."""
    if theme is not None and theme not in list(Theme):
        raise click.UsageError(f"expected a theme of {', '.join(Theme)}, got {quote(theme)}")
    of_game = [puzzle for puzzle in shipped_puzzles() if game is None or puzzle.game == game.id]
    if not of_game:
        named = dict.fromkeys([title_with_id(puzzle.game) for puzzle in shipped_puzzles()])
        raise click.UsageError(f"there are no puzzles of {title_of(game or Game('3x3'))}, only of {', '.join(named)}")
    found = [puzzle for puzzle in of_game if theme is None or theme in puzzle.themes]
    if not found:
        themes = [each for each in Theme if any(each in puzzle.themes for puzzle in of_game)]
        raise click.UsageError(f"expected a theme that puzzles of this game have: {', '.join(themes)}; got {theme}")
    return found


def _find_puzzle(which: str) -> Puzzle:
    for puzzle in shipped_puzzles():
        if puzzle.id == which.lower():
            return puzzle
    raise click.UsageError(f"expected the id of a puzzle, which noughts puzzle --list shows, got {quote(which)}")


def _print_list(puzzles: list[Puzzle], solving: _Puzzles, as_json: bool) -> None:
    if as_json:
        print_json([PuzzleAnswer.of(puzzle) for puzzle in puzzles])
        return
    states = {each.puzzle: "solved" if each.is_solved else "failed" for each in solving.tries}
    rows = [
        (
            puzzle.id,
            title_with_id(puzzle.game),
            describe_task(puzzle.goal, puzzle.moves),
            str(puzzle.rating),
            states.get(puzzle.id, "new"),
            ", ".join(puzzle.themes),
        )
        for puzzle in sorted(puzzles, key=lambda puzzle: puzzle.rating)
    ]
    click.echo(format_table(HEADERS, rows, table_width(), words=Words.WRAPPED))


class _Puzzles:
    """A session of puzzles, with the person's progress."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.tries = store.puzzle_tries()
        self._ratings = {puzzle.id: puzzle.rating for puzzle in shipped_puzzles()}
        self._random = Random()
        self._advisor = Advisor(store=store)

    @property
    def rating(self) -> int:
        return rating_after(self.tries, self._ratings)

    def choose(self, puzzles: list[Puzzle]) -> Puzzle:
        return choose_puzzle(puzzles, [each.puzzle for each in self.tries], self.rating, self._random)

    def run(self, puzzle: Puzzle, others: list[Puzzle] | None) -> None:
        """Ask for the solution of a puzzle, and then of others until the person leaves."""
        prompts = PromptInput(sys.stdout)
        while True:
            before = self.rating
            if not _Solving(puzzle, self._advisor, prompts).run(self):
                return
            change = self.rating - before
            say_filled(f"Your puzzle rating: {self.rating}{f' ({change:+})' if change else ''}.")
            if others is None:
                return
            line = prompts.read("enter for the next puzzle, or quit: ")
            if line is None or line.strip().lower() in QUIT:
                return
            puzzle = self.choose([each for each in others if each.id != puzzle.id] or others)

    def add_try(self, puzzle: Puzzle, is_solved: bool, is_hinted: bool) -> None:
        """Save the first try at a puzzle."""
        self._store.add_puzzle_try(puzzle.id, is_solved, is_hinted)
        self.tries = self._store.puzzle_tries()


class _Solving:
    """One puzzle at the prompt."""

    def __init__(self, puzzle: Puzzle, advisor: Advisor, prompts: PromptInput) -> None:
        self._puzzle, self._advisor, self._prompts = puzzle, advisor, prompts
        self._position = puzzle.position()
        self._hints = 0

    def run(self, puzzles: _Puzzles) -> bool:
        """Ask for each move of the solution; returns False if the person leaves before it is found or shown."""
        puzzle = self._puzzle
        say_filled(f"\nPuzzle {puzzle.id}: {title_of(self._position.game)}, rating {puzzle.rating}")
        self._draw()
        say_filled(f"{puzzle.text}. {HOW}")
        for step in range(puzzle.steps):
            answer = self._ask_move(step, puzzles)
            if answer is None:
                return False
            if not answer:
                puzzles.add_try(puzzle, False, self._hints > 0)
                self._show_solution(step)
                return True
            self._play(2 * step, 2 * step + 1)
            if step + 1 < puzzle.steps:
                self._play(2 * step + 1, 2 * step + 2)
                self._draw()
                reply = self._position.format_move(puzzle.line[2 * step + 1])
                say_filled(f"Yes. {self._position.side_to_move.opponent} answers {reply}.")
        puzzles.add_try(puzzle, True, self._hints > 0)
        rest = puzzle.line[2 * puzzle.steps - 1 :]
        self._draw()
        say_filled(f"Solved.{f' It ends with {self._format(rest)}.' if rest else ''}")
        return True

    def _ask_move(self, step: int, puzzles: _Puzzles) -> bool | None:
        """Ask until the move of a step is found; returns False to be shown the solution, None to leave."""
        best = self._puzzle.line[2 * step]
        while True:
            line = self._prompts.read(f"your move ({self._position.side_to_move}): ")
            word = (line or "").strip()
            if line is None or word.lower() in QUIT:
                return None
            if not word:
                return False
            if word.lower() in HELP:
                say_filled(HOW)
            elif word.lower() in HINT:
                self._hint(best)
            elif self._is_right(step, best, word, puzzles):
                return True

    def _hint(self, best: int) -> None:
        self._hints += 1
        if self._hints == 1:
            say_filled(idea_of(self._position, best))
        else:
            place = area_of(self._position, best)[1]
            say_filled(f"Look at {place}." if place else idea_of(self._position, best))

    def _is_right(self, step: int, best: int, word: str, puzzles: _Puzzles) -> bool:
        """Judge a move that was typed, and say why it is wrong if it is; a slower win costs nothing."""
        try:
            cell = self._position.parse_move(word)
            self._position.after(cell)
        except (InvalidNotation, IllegalMove) as error:
            say_filled(str(error))
            return False
        if cell == best:
            return True
        request = ReasonsRequest(**position_fields(self._position), move=cell, seconds=TRIAL_SECONDS)
        tried: ReasonsAnswer = ask(REASONS, request, Context(self._advisor))
        left = count(self._puzzle.moves - step, "move")
        if self._puzzle.goal is Goal.WIN and tried.value == "win":
            slow = f"in {count((tried.plies + 1) // 2, 'move')}" if tried.plies else "but more slowly"
            say_filled(f"{tried.move} wins too, {slow}: find the win in {left}.")
            return False
        puzzles.add_try(self._puzzle, False, self._hints > 0)
        short = f"does not win in {left}" if self._puzzle.goal is Goal.WIN else "is not the move"
        say_filled(f"{refutation(tried, short)} Try another move, or press enter.")
        return False

    def _show_solution(self, step: int) -> None:
        rest = self._puzzle.line[2 * step :]
        why = next((reason.text for reason in reasons(self._position, rest[0]) if reason.idea), "")
        because = f" {self._position.game.format_cell(rest[0])} {why}." if why else ""
        say_filled(f"The solution is {self._format(rest)}.{because}")

    def _play(self, first: int, end: int) -> None:
        for move in self._puzzle.line[first:end]:
            self._position.play(move)

    def _format(self, moves: tuple[int, ...]) -> str:
        return " ".join(map(self._position.game.format_cell, moves))

    def _draw(self) -> None:
        capabilities = stdout_capabilities()
        click.echo(f"\n{draw(self._position, capabilities.width, board_style(capabilities))}\n")
