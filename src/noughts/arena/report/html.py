"""A tournament as one self-contained HTML page with tables, plots and a viewer."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from math import isfinite
from typing import TYPE_CHECKING

from noughts.arena.report.plots import bars, histogram, intervals, lines
from noughts.arena.report.replay import board_data, result_data
from noughts.arena.standings import Standing, Standings, notes
from noughts.games import Termination
from noughts.games.quoting import script_json
from noughts.players import FailureReason

if TYPE_CHECKING:
    from noughts.arena.runner import Run

__all__ = ["report_html"]

MAX_CURVES = 8
MAX_CROSS_TABLE_BOTS = 24

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header><h1>{title}</h1><p>{facts}</p></header>
<main>
<section aria-labelledby="table-title"><h2 id="table-title">Table</h2>
<div class="wide ranking" tabindex="0" role="region" aria-label="the ranking">{table}</div>{notes}</section>
{cross}
<section aria-labelledby="plots-title"><h2 id="plots-title">Plots</h2><div class="plots">{plots}</div></section>
<section aria-labelledby="plays-title"><h2 id="plays-title">Playthroughs</h2>
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
</main>
<footer><p>Made by noughts. This page loads nothing from the network.</p></footer>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def report_html(run: Run) -> str:
    """Return the page of a tournament, finished or not."""
    folder = files("noughts.arena.report")
    standings = Standings(run.plan, run.counted)
    return PAGE.format(
        title=escape(run.plan.name),
        facts=escape(_facts(run, standings)),
        table=_table(standings),
        notes=_notes(run, standings),
        cross=_cross(standings),
        plots="".join(_plots(standings)),
        style=(folder / "report.css").read_text(encoding="utf-8"),
        data=_data(run, standings),
        script=(folder / "report.js").read_text(encoding="utf-8"),
    )


def _facts(run: Run, standings: Standings) -> str:
    plan, times = run.plan, sorted(result.ended for result in standings.results)
    parts = [plan.game.name, plan.format.replace("-", " "), f"{len(standings.bots)} bots", plan.limits.text]
    parts.append(f"{len(standings.results)} of {run.total} playthroughs")
    parts.append(f"scored by {plan.scoring}, seed {plan.seed}")
    if times:
        parts.append(" to ".join(time[:16].replace("T", " ") for time in (times[0], times[-1])) + " UTC")
    return " · ".join(parts)


def _table(standings: Standings) -> str:
    names = ["#", "bot", "score", "played", "won", "drawn", "lost", "Elo", "± 95 %", "stronger than next"]
    names += ["forfeits", "s/move", "slowest"]
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    rows = "".join(_row(standings, rank) for rank in range(len(standings.bots)))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _row(standings: Standings, rank: int) -> str:
    ranking, ratings = standings.ranking, standings.ratings
    bot, rating = ranking[rank], ratings.of[ranking[rank].number]
    record = bot.record
    is_rated = record.played > 0 and isfinite(rating.error)
    following = ranking[rank + 1] if rank + 1 < len(ranking) else None
    los = f"{ratings.superiority(bot.number, following.number):.1%}" if following and is_rated else "–"
    cells = [f"{bot.score:g}", record.played, record.won, record.drawn, record.lost]
    cells += [rating.text, f"{rating.error:.0f}"] if is_rated else ["–", "–"]
    has_moved = bot.seconds_a_move is not None
    cells += [los, _failures(bot)]
    cells += [f"{bot.seconds_a_move:.3f}", f"{bot.slowest:.3f}"] if has_moved else ["–", "–"]
    body = "".join(f"<td>{escape(str(cell))}</td>" for cell in cells)
    return f'<tr><td>{rank + 1}</td><th scope="row">{escape(bot.name)}</th>{body}</tr>'


def _failures(bot: Standing) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in bot.failures.most_common()) or "0"


def _notes(run: Run, standings: Standings) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in notes(run.plan, standings, run.schedule))
    return f'<ul class="notes">{items}</ul>' if items else ""


def _cross(standings: Standings) -> str:
    ranking = standings.ranking
    if not 2 < len(ranking) <= MAX_CROSS_TABLE_BOTS:
        return ""
    head = "".join(f'<th scope="col" title="{escape(bot.name)}">{at}</th>' for at, bot in enumerate(ranking, 1))
    rows = []
    for at, bot in enumerate(ranking, 1):
        met = (standings.cross.get((bot.number, other.number)) for other in ranking)
        cells = "".join(f"<td>{record or '·'}</td>" for record in met)
        rows.append(f'<tr><th scope="row">{at} {escape(bot.name)}</th>{cells}</tr>')
    return (
        '<section aria-labelledby="cross-title"><h2 id="cross-title">Cross table</h2>'
        '<div class="wide" tabindex="0" role="region" aria-label="results of each pair of bots"><table><thead><tr>'
        f'<th scope="col">won–drawn–lost</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div></section>'
    )


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
        _figure("Ratings with 95 % intervals", intervals(shown, "Elo relative to the mean of all bots")),
        _figure("Score over time", lines(_curves(standings), "playthroughs of the bot", "score")),
        _figure("Length of playthroughs", histogram([len(result.moves) for result in results], "plies")),
        _figure("How playthroughs end", bars(endings)),
    ]


ENDINGS: dict[str, str] = {
    Termination.LINE: "a line",
    Termination.FULL: "a full board",
    Termination.COUNT: "more blocks",
    FailureReason.START: "does not start",
    FailureReason.CRASH: "crashed",
    FailureReason.TIME: "out of time",
    FailureReason.ILLEGAL: "illegal move",
    FailureReason.GARBAGE: "no move at all",
    FailureReason.FLOOD: "too much output",
    FailureReason.LIMIT: "over a limit",
    FailureReason.FORBIDDEN: "forbidden",
}


def _figure(title: str, picture: str) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>{picture}</figure>"


def _curves(standings: Standings) -> list[tuple[str, list[float]]]:
    """The running scores of the best bots, in the order in which the playthroughs ended."""
    shown = {bot.name: [0.0] for bot in standings.ranking[:MAX_CURVES]}
    for result in sorted(standings.results, key=lambda result: (result.ended, result.key)):
        for name, score in zip((result.x, result.o), result.scores(standings.plan.scoring), strict=True):
            if name in shown:
                shown[name].append(shown[name][-1] + score)
    return [(name, values[1:]) for name, values in shown.items()]


def _data(run: Run, standings: Standings) -> str:
    data = {
        "bots": run.plan.names,
        "board": board_data(run.plan.game),
        "endings": ENDINGS,
        "plays": [result_data(run.plan, result) for result in standings.results],
    }
    return script_json(data)
