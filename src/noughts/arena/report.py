"""A tournament as one self-contained HTML page with tables, plots and a viewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import isfinite
from typing import TYPE_CHECKING

from noughts.arena.plan import Plan
from noughts.arena.plots import bars, curves, histogram, intervals
from noughts.arena.standings import Standing, Standings, notes
from noughts.arena.tournaments import Result
from noughts.games import Game, Position, Side, Termination
from noughts.games.rendering.svg import SvgCanvas, template
from noughts.html_page import Html, figure, items, page, scripts, section, source, table
from noughts.players import FailureReason

if TYPE_CHECKING:
    from noughts.arena.runner import Run

__all__ = [
    "VIEWER",
    "board_data",
    "replay_data",
    "report_html",
    "result_data",
    "viewer_data",
    "viewer_script",
    "viewer_style",
]

MAX_CURVES = 8
MAX_CROSS_TABLE_BOTS = 64

VIEWER = """<section aria-labelledby="plays-title" id="plays-section"><h2 id="plays-title">Playthroughs</h2>
<div id="viewer" class="viewer">
  <div id="board"></div>
  <div class="side">
    <p id="who"></p>
    <p id="status" aria-live="polite"></p>
    <div class="buttons" role="toolbar" aria-label="moves">
      <button id="first" title="to the start (Home)">|◀</button>
      <button id="back" title="one move back (←)">◀</button>
      <button id="play" title="play or pause (space)">▶ play</button>
      <button id="forward" title="one move forward (→)">▶</button>
      <button id="last" title="to the end (End)">▶|</button>
    </div>
    <input id="ply" type="range" min="0" value="0" aria-label="move">
    <ol id="moves" aria-label="moves"></ol>
    <pre id="stderr" hidden tabindex="0" aria-label="standard error of the bot that failed"></pre>
  </div>
</div>
<form id="filter" class="filter">
  <label>bot <select id="bot"><option value="">all</option></select></label>
  <label>ended by <select id="ending"><option value="">anything</option></select></label>
  <span id="count" aria-live="polite"></span>
</form>
<div class="wide" tabindex="0" role="region" aria-label="list of playthroughs"><table id="plays">
<thead><tr><th scope="col">no.</th><th scope="col">X</th><th scope="col">O</th><th scope="col">result</th>
<th scope="col">ended by</th><th scope="col">plies</th><th scope="col">replay</th></tr></thead>
<tbody></tbody></table></div>
<p><button id="more" hidden>show more</button></p>
</section>
"""
ENDINGS: dict[str, str] = {reason: reason.label for reason in Termination} | {
    FailureReason.START: "does not start",
    FailureReason.GARBAGE: "no move at all",
    FailureReason.FLOOD: "too much output",
    FailureReason.LIMIT: "over a limit",
    FailureReason.FORBIDDEN: "forbidden",
}
"""Labels of terminations, and of failures that are more specific."""


def report_html(run: Run, more: str = "", style: str = "") -> str:
    """Return the page of a tournament, finished or not; ``more`` is HTML to follow its tables, with its ``style``."""
    standings = Standings(run.plan, run.counted)
    main = [
        section("table", "Table", _table(standings), items(notes(run.plan, standings, run.schedule))),
        _cross(standings),
        more,
        section("plots", "Plots", '<div class="plots">', *_plots(standings), "</div>"),
        VIEWER,
    ]
    script = viewer_script(viewer_data(run.plan, standings.results))
    return page(run.plan.name, _facts(run, standings), "".join(main), script, viewer_style(style))


def viewer_script(data: dict[str, object], more: str = "") -> str:
    """Return the data and the scripts of ``VIEWER``, followed by another script."""
    return scripts("data", data, source("arena/board.js") + source("arena/report.js") + more)


def viewer_style(more: str = "") -> str:
    """Return the style of ``VIEWER``, followed by another."""
    return source("arena/report.css") + more


def _facts(run: Run, standings: Standings) -> str:
    plan, times = run.plan, sorted(result.ended for result in standings.results)
    parts = [plan.game.name, plan.format.replace("-", " "), f"{len(standings.bots)} bots", plan.limits.text]
    parts.append(f"{len(standings.results)} of {run.total} playthroughs")
    parts.append(f"scored by {plan.scoring}, seed {plan.seed}")
    if times:
        parts.append(" to ".join(time[:16].replace("T", " ") for time in (times[0], times[-1])) + " UTC")
    return " · ".join(parts)


def _table(standings: Standings) -> str:
    names = ["#", "bot", "score", "played", "won", "drawn", "lost", "Elo", "± 95%", "stronger than next"]
    names += ["forfeits", "s/move", "slowest"]
    rows = [_row(standings, rank) for rank in range(len(standings.bots))]
    return table("the ranking", names, rows, heading=1, kind="ranking")


def _row(standings: Standings, rank: int) -> list[object]:
    ranking, ratings = standings.ranking, standings.ratings
    bot, rating = ranking[rank], ratings.of[ranking[rank].number]
    record = bot.record
    is_rated = record.played > 0 and isfinite(rating.error)
    following = ranking[rank + 1] if rank + 1 < len(ranking) else None
    los = f"{ratings.superiority(bot.number, following.number):.1%}" if following and is_rated else "–"
    cells: list[object] = [rank + 1, bot.name, f"{bot.score:g}", record.played, record.won, record.drawn, record.lost]
    cells += [rating.text, f"{rating.error:.0f}"] if is_rated else ["–", "–"]
    has_moved = bot.seconds_a_move is not None
    cells += [los, _failures(bot)]
    return [*cells, f"{bot.seconds_a_move:.3f}", f"{bot.slowest:.3f}"] if has_moved else [*cells, "–", "–"]


def _failures(bot: Standing) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in bot.failures.most_common()) or "0"


def _cross(standings: Standings) -> str:
    ranking = standings.ranking
    if not 2 < len(ranking) <= MAX_CROSS_TABLE_BOTS:
        return ""
    numbers = [Html(f'<th scope="col" title="{escape(bot.name)}">{at}</th>') for at, bot in enumerate(ranking, 1)]
    rows = [
        [f"{at} {bot.name}", *(standings.cross.get((bot.number, other.number)) or "·" for other in ranking)]
        for at, bot in enumerate(ranking, 1)
    ]
    return section("cross", "Cross table", table("results of each pair of bots", ["won–drawn–lost", *numbers], rows))


def _plots(standings: Standings) -> list[str]:
    results, ratings = standings.results, standings.ratings
    rated = [(bot.name, ratings.of[bot.number]) for bot in standings.ranking if bot.record.played]
    shown = [(name, rating.elo, rating.error) for name, rating in rated if isfinite(rating.error)]
    if not results:
        return ["<p>Nothing has been played yet.</p>"]
    endings = [
        (ENDINGS.get(name, name), count, "failed" if name in tuple(FailureReason) else "")
        for name, count in standings.endings.most_common()
    ]
    return [
        figure("Ratings with 95% intervals", intervals(shown, "Elo relative to the mean of all bots")),
        figure("Score over time", curves(_running_scores(standings), "playthroughs of the bot", "score")),
        figure("Length of playthroughs", histogram([len(result.moves) for result in results], "plies")),
        figure("How playthroughs end", bars(endings)),
    ]


def _running_scores(standings: Standings) -> list[tuple[str, list[float]]]:
    """The running scores of the best bots, in the order in which the playthroughs ended."""
    shown = {bot.name: [0.0] for bot in standings.ranking[:MAX_CURVES]}
    for result in sorted(standings.results, key=lambda result: (result.ended, result.key)):
        for name, score in zip((result.x, result.o), result.scores(standings.plan.scoring), strict=True):
            if name in shown:
                shown[name].append(shown[name][-1] + score)
    return [(name, values[1:]) for name, values in shown.items()]


def viewer_data(plan: Plan, results: Iterable[Result]) -> dict[str, object]:
    """Return the playthroughs and all that is needed to show them in ``VIEWER``."""
    return {
        "bots": plan.names,
        "board": board_data(plan.game),
        "endings": ENDINGS,
        "how": {reason: reason.how for reason in Termination},
        "plays": [result_data(plan, result) for result in results],
    }


def board_data(game: Game) -> dict[str, object]:
    """Return the empty board as SVG, and the places of marks on it."""
    drawn = template(game)
    return {
        "svg": drawn.svg,
        "names": [game.format_cell(cell) for cell in range(game.cells)],
        "centres": [[round(at, 1) for at in drawn.centres[cell]] for cell in range(game.cells)],
        "blocks": [[*map(round, drawn.blocks[block][0]), drawn.blocks[block][1]] for block in sorted(drawn.blocks)],
        "shapes": _shapes(game, [size for _, size in drawn.blocks.values()]),
    }


def _shapes(game: Game, block_sizes: Sequence[float]) -> dict[str, str]:
    """The marks, drawn at the origin; the page moves them to their places."""
    found = {}
    for side in Side:
        sheet = SvgCanvas()
        if game.is_custom:
            sheet.cover((0, 0), False)
        sheet.mark(side, (0, 0))
        found[side.lower()] = sheet.shapes
        if block_sizes:
            large = SvgCanvas()
            large.big_mark(side, (0, 0), block_sizes[0], faint=game.keeps_won_blocks_open)
            found[f"block-{side.lower()}"] = large.shapes
    last, glow, target = SvgCanvas(), SvgCanvas(), SvgCanvas()
    last.last((0, 0), 32)
    glow.glow((0, 0))
    target.target((0, 0), block_sizes[0] if block_sizes else 0)
    return found | {"last": last.shapes, "glow": glow.shapes, "target": target.shapes}


def result_data(plan: Plan, result: Result) -> dict[str, object]:
    """Return one playthrough with short keys; empty values are left out."""
    names = plan.names
    data: dict[str, object] = {
        "x": names.index(result.x),
        "o": names.index(result.o),
        "n": f"{result.key.pairing + 1}.{result.key.pair + 1}.{result.key.leg + 1}",
        "m": " ".join(map(str, result.moves)),
        "b": result.opening,
        "w": result.winner or "",
        "r": result.reason,
        "p": list(result.points),
    }
    data |= replay_data(plan.game, result.start, result.moves)
    extras = {"f": result.failure, "d": result.detail, "e": result.stderr}
    return data | {key: value for key, value in extras.items() if value}


def replay_data(game: Game, start: str | None, moves: Sequence[int]) -> dict[str, object]:
    """Return the effects of moves that a page without rules needs: first marks, blocks won, blocks to play in."""
    position = game.start_from(start)
    found: dict[str, object] = {}
    if start is not None:
        found["s"] = "".join("." if mark is None else str(mark) for mark in position.cells)
        found["t"] = str(position.turn)
    blocks: list[list[object]] = []
    targets = [_target(position)]
    owners = [None if owner is None else str(owner) for owner in position.blocks]
    for block, owner in enumerate(owners):
        if owner is not None and game.is_ultimate:
            blocks.append([0, block, owner])
    for ply, move in enumerate(moves, 1):
        position.play(move)
        if not game.is_ultimate:
            continue
        targets.append(_target(position))
        block = game.block_of(move)
        owner = position.blocks[block]
        if owner is not None and owners[block] is None:
            owners[block] = str(owner)
            blocks.append([ply, block, str(owner)])
    if game.is_ultimate:
        found |= {"B": blocks, "T": targets}
    if line := position.winning_line:
        found["l"] = list(line)
    return found


def _target(position: Position) -> int:
    return -1 if position.block_to_play is None else position.block_to_play
