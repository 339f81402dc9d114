"""The pages of a cup that has ended: one for each student, one for the class. They need no server."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from html import escape
from pathlib import Path

from noughts.arena.check import Check
from noughts.arena.plan import Plan
from noughts.arena.report import VIEWER, report_html, viewer_data, viewer_script, viewer_style
from noughts.arena.runner import Run
from noughts.arena.standings import Standing, Standings
from noughts.arena.tournaments import Result
from noughts.games import Position, Side, save
from noughts.games.atomic_file import write_file
from noughts.games.quoting import count
from noughts.html_page import Html, items, page, pre, section, source, table
from noughts.players import FailureReason
from noughts.players.protocols.json_protocol import format_question
from noughts.process.sandbox import NO_SANDBOX
from noughts.teaching.cup.losses import LossExaminer
from noughts.teaching.cup.submissions import CupSubmission
from noughts.teaching.cup.time_advice import advise_time

__all__ = ["class_html", "student_html", "write_reports"]

CLASS_PAGE, STUDENTS = "index.html", "students"
MAX_LOSSES = 40
MAX_QUESTION_CHARACTERS = 4_000


def write_reports(submissions: Sequence[CupSubmission], run: Run, home: Path) -> list[Path]:
    """Write the page of the class and those of the students, with their playthroughs; returns the pages.

    The page of the class comes first.
    """
    folder = home / STUDENTS
    folder.mkdir(exist_ok=True)
    for old in [*folder.glob("*.html"), *folder.glob("*.ngn")]:  # of an earlier cup, perhaps with other students
        old.unlink()
    standings = Standings(run.plan, run.counted)
    examiner = LossExaminer()
    pages = [home / CLASS_PAGE]
    write_file(pages[0], class_html(submissions, run))
    for submission in submissions:
        page = folder / f"{submission.slug}.html"
        write_file(page, student_html(submission, run, standings, examiner))
        if plays := [result.playthrough(run.plan) for result in _results_of(submission, standings)]:
            save(plays, page.with_suffix(".ngn"))
        pages.append(page)
    return pages


# The class


def class_html(submissions: Sequence[CupSubmission], run: Run) -> str:
    """Return the page of the class: the submissions, and the report of the tournament."""
    ready = sum(submission.is_ready for submission in submissions)
    text = (
        f"<p>{ready} of {count(len(submissions), 'submission')} passed the check. Each has a page with its checks,"
        " its results and how to reproduce its failures.</p>"
    )
    advice = advise_time(submissions, run.plan.limits.seconds) if run.plan.limits.seconds else None
    if advice is not None:
        text += f"<p>{escape(str(advice))}.</p>"
    columns = ("submission", "file", "run as", "check")
    rows = table("the submissions", columns, map(_class_row, submissions), kind="entries")
    more = _sandbox_note(run.plan) + section("entries", "Submissions", text, rows)
    return report_html(run, more, source("teaching/cup/student.css"))


def _sandbox_note(plan: Plan) -> str:
    """Return a paragraph that says if the submissions ran without a sandbox."""
    is_open = any(not entrant.sandbox.is_on for entrant in plan.entrants if not entrant.is_built_in)
    return f"<p>{escape(NO_SANDBOX.capitalize())}.</p>" if is_open else ""


def _class_row(submission: CupSubmission) -> list[object]:
    link = f'<a href="{STUDENTS}/{escape(submission.slug)}.html">{escape(submission.name)}</a>'
    kind = "" if submission.is_ready else ' class="failed"'
    verdict = Html(f"<td{kind}>{escape(submission.verdict)}</td>")
    return [Html(link), submission.source, submission.typed or "–", verdict]


# A student


def student_html(submission: CupSubmission, run: Run, standings: Standings, examiner: LossExaminer) -> str:
    """Return the page of one submission: its checks, its results, its losses with the move that lost, and all plays."""
    results = _results_of(submission, standings)
    parts = [_checks_section(submission, run.plan)]
    if results:
        losses = _losses_section(submission, run.plan, results, examiner)
        played = [_results_section(submission, standings), losses, VIEWER]
        parts = played + parts if submission.is_ready else parts + played
    script = viewer_script(viewer_data(run.plan, results)) if results else ""
    facts, style = _facts(submission, run, standings), viewer_style(source("teaching/cup/student.css"))
    return page(submission.name, facts, _sandbox_note(run.plan) + "".join(parts), script, style)


def _results_of(submission: CupSubmission, standings: Standings) -> list[Result]:
    return [result for result in standings.results if submission.name in (result.x, result.o)]


def _standing_of(submission: CupSubmission, standings: Standings) -> tuple[int, Standing] | None:
    ranked = enumerate(standings.ranking, 1)
    return next(((rank, bot) for rank, bot in ranked if bot.name == submission.name), None)


def _facts(submission: CupSubmission, run: Run, standings: Standings) -> str:
    parts = [run.plan.name, run.plan.game.name, submission.source]
    found = _standing_of(submission, standings)
    if found is None:
        return " · ".join([*parts, "did not play"])
    rank, bot = found
    record = f"won {bot.record.won}, drew {bot.record.drawn}, lost {bot.record.lost}"
    return " · ".join([*parts, f"place {rank} of {len(standings.bots)}", f"score {bot.score:g}", record])


def _checks_section(submission: CupSubmission, plan: Plan) -> str:
    failed = submission.failed_checks
    summary = f"{len(failed)} of {count(len(submission.checks), 'check')} failed." if failed else "All checks passed."
    lines = [_check_item(check, check in failed[:1]) for check in submission.checks]
    return section(
        "checks",
        "Checks",
        f'<p class="{"failed" if failed else "passed"}">{summary}</p>',
        items(lines, "checks"),
        _reproduction(submission, plan),
    )


def _check_item(check: Check, is_first_failure: bool) -> Html:
    kind, mark = ("note", "note") if check.is_note else ("passed", "ok") if check.passed else ("failed", "fix")
    detail = f": {escape(check.detail)}" if check.detail else ""
    more = "" if check.passed else _exchange(check, is_first_failure)
    return Html(f'<strong class="{kind}">{mark}</strong> {escape(check.name)}{detail}{more}')


def _exchange(check: Check, is_open: bool) -> str:
    lines = [*check.exchange, *(f"stderr: {line}" for line in check.stderr.splitlines())]
    if not lines:
        return ""
    text = pre("\n".join(lines), "the exchange with the program")
    return text if is_open else f"<details><summary>the exchange with the program</summary>{text}</details>"


def _reproduction(submission: CupSubmission, plan: Plan) -> str:
    """The commands that repeat the check and play on the author's machine."""
    if not submission.typed:
        return ""
    game = "" if plan.game.is_custom else f" --game {shlex.quote(plan.game.id)}"
    bounds = f"{game} --seconds {plan.limits.seconds:g}" if plan.limits.seconds else game
    bot = shlex.quote(submission.typed)
    commands = [f"noughts arena check {bot}{bounds}", f"noughts arena run --bot me={bot} --bot easy{bounds}"]
    return "<p>To reproduce, in the folder of the submission:</p>" + pre("\n".join(commands), "commands to type")


def _results_section(submission: CupSubmission, standings: Standings) -> str:
    found = _standing_of(submission, standings)
    assert found is not None
    met = [
        (rank, other.name, record.won, record.drawn, record.lost)
        for rank, other in enumerate(standings.ranking, 1)
        if (record := standings.cross.get((found[1].number, other.number))) is not None
    ]
    columns = ("place", "opponent", "won", "drawn", "lost")
    return section(
        "results", "Results", table("results against each opponent", columns, met, heading=1, kind="ranking")
    )


def _losses_section(submission: CupSubmission, plan: Plan, results: Sequence[Result], examiner: LossExaminer) -> str:
    losses = [result for result in results if result.loser == submission.name]
    text = "" if losses else "<p>None.</p>"
    if len(losses) > MAX_LOSSES:
        text = f"<p>The first {MAX_LOSSES} of {len(losses)}; the list of playthroughs has the rest.</p>"
    lines = [_loss_item(submission, plan, result, examiner) for result in losses[:MAX_LOSSES]]
    return section("losses", "Losses", text, items(lines, "losses"))


def _loss_item(submission: CupSubmission, plan: Plan, result: Result, examiner: LossExaminer) -> Html:
    """One loss and the move that lost; after a forfeit its reason, the last errors, and the question to ask again."""
    side, opponent = (Side.X, result.o) if result.x == submission.name else (Side.O, result.x)
    number = ".".join(str(part + 1) for part in result.key)
    head = f"<strong>{number}, as {side} against {escape(opponent)}</strong>"
    moves = " ".join(plan.game.format_cell(move) for move in result.moves) or "no moves"
    if result.failure is None:
        how = f"<p>{head}: the opponent won {escape(result.reason.how)}, after {escape(moves)}.</p>"
        return Html(how + examiner.html(plan, result, side))
    reason = FailureReason(result.failure).description
    parts = [
        f'<p>{head}: <span class="failed">{escape(result.detail or "")}</span> (it {escape(reason)}),'
        f" after {escape(moves)}.</p>",
        pre(result.stderr, "standard error") if result.stderr else "",
        f"<details><summary>ask it again</summary>{pre(again, 'a command to type')}</details>"
        if (again := _question(submission, plan, result))
        else "",
    ]
    return Html("".join(parts))


def _position_of(plan: Plan, result: Result) -> Position:
    position = plan.game.start_from(result.start)
    for move in result.moves:
        position.play(move)
    return position


def _question(submission: CupSubmission, plan: Plan, result: Result) -> str:
    """A command that asks the submission once more for the move it failed to make; empty if there is none."""
    position = _position_of(plan, result)
    if position.is_over or not submission.typed:
        return ""
    if submission.protocol == "json":
        question = format_question(position, plan.limits.move_limit)
        command = f"echo {shlex.quote(question)} | {submission.typed}"
    elif submission.protocol == "python" and not plan.game.is_custom:
        command = f"python3 -c {shlex.quote(_python_question(submission.typed, position))}"
    else:
        command = f"noughts analyse {shlex.quote(plan.game.id)} {shlex.quote(position.text)}"
    return command if len(command) <= MAX_QUESTION_CHARACTERS else ""


def _python_question(typed: str, position: Position) -> str:
    """The same in Python; strings have double quotes, so that the shell needs none but its own around them."""
    game, start = position.game, position.start_text
    begin = "start()" if start is None else f"parse({json.dumps(start)})"
    moves = json.dumps([game.format_cell(move) for move in position.moves])
    return (
        "from noughts import Game; from noughts.players import open_player; "
        f"p = Game({json.dumps(game.id)}).{begin}; p.play_all({moves}); "
        f'print(open_player({json.dumps(typed)}, protocol="in-process").choose(p))'
    )
