"""The live page of a tournament: what is being played, the standings, and every playthrough, for browsers.

A server (``noughts.web.page_server``) asks ``LivePage.answer`` for three addresses; the answers are made from data that
the tournament has published, and never touch files, bots or the store.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from time import monotonic
from uuid import uuid4

from noughts.arena.plan import Plan
from noughts.arena.report import VIEWER, replay_data, result_data, viewer_data, viewer_script, viewer_style
from noughts.arena.runner import Run
from noughts.arena.standings import Standing, Standings
from noughts.arena.tournaments import Result
from noughts.arena.worker import Progress
from noughts.html_page import page, source

__all__ = ["LivePage"]

PUBLISH_SECONDS = 0.3
"""Time between two updates of the boards and the standings."""
MAX_DRAWING_SHARE = 0.1
"""The standings of many playthroughs take a while; updates must not take more than this share of the time."""
MAX_PLAYS = 400
"""Playthroughs in one answer; the page asks for the rest."""
POLICY = (  # for a page with its style and its script inside
    "default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
MAIN = """<section aria-labelledby="now-title" id="now"><h2 id="now-title">Now playing</h2>
<div id="boards" class="boards"></div></section>
<section aria-labelledby="standings-title" id="ranking"><h2 id="standings-title">Standings</h2>
<div class="wide" tabindex="0" role="region" aria-label="the standings"><table id="standings"><thead><tr>
<th scope="col">#</th><th scope="col">player</th><th scope="col">score</th><th scope="col">played</th>
<th scope="col">won</th><th scope="col">drawn</th><th scope="col">lost</th><th scope="col">forfeits</th>
</tr></thead><tbody></tbody></table></div></section>
<details id="entries" hidden><summary>Submissions</summary><ul id="submissions" class="submissions"></ul></details>
"""
FOOTER = "Made by noughts. This page follows the tournament as it is played."
STATUS = """<div class="status"><p id="phase" role="status">waiting for the tournament …</p>
<progress id="progress" max="1" value="0" aria-label="playthroughs played"></progress></div>
"""


class LivePage:
    """A watcher of a tournament that publishes it as a page, which is served from before the checks on."""

    def __init__(self, title: str, plan: Plan) -> None:
        self._plan = plan
        self._lock = Lock()
        self._plays: list[str] = []
        self._state: dict[str, object] = {
            "phase": "checking",
            "bots": [],
            "standings": [],
            "boards": [],
            "submissions": [],
        }
        self._run_id = uuid4().hex
        self._standings = Standings(plan)
        self._published_at = self._publish_seconds = 0.0
        self._progress: Callable[[], list[Progress]] = list
        self._html = self._make_html(title)

    def _make_html(self, title: str) -> bytes:
        data = viewer_data(self._plan, []) | {"bots": [], "latestFirst": True}
        script = viewer_script(data, source("arena/live_page.js"))
        digest = hashlib.sha256(script.split("<script>")[1].split("</script>")[0].encode()).digest()
        self._policy = f"{POLICY}; script-src 'sha256-{b64encode(digest).decode()}'"
        facts = " · ".join([self._plan.game.name, self._plan.format.replace("-", " "), self._plan.limits.text])
        style = viewer_style(source("arena/live_page.css"))
        return page(title, facts, STATUS + MAIN + VIEWER, script, style, FOOTER).encode()

    def answer(self, path: str, query: Mapping[str, str]) -> tuple[bytes, Mapping[str, str]] | None:
        """Return the body and the headers of a path with its parameters, or None if there is no such page."""
        if path == "/":
            return self._html, {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": self._policy}
        if path == "/state.json":
            return self._state_from(query), {"Content-Type": "application/json"}
        if path == "/favicon.ico":
            return b"", {"Content-Type": "image/x-icon"}
        return None

    def _state_from(self, query: Mapping[str, str]) -> bytes:
        """The state, and the playthroughs after those that the page already has."""
        known, run = query.get("after", "0"), query.get("run", "")
        after = int(known) if known.isascii() and known.isdigit() and len(known) < 10 and run == self._run_id else 0
        with self._lock:
            state = json.dumps(self._state | {"run": self._run_id, "after": after, "played": len(self._plays)})
            plays = self._plays[after : after + MAX_PLAYS]
        return f'{state[:-1]}, "plays": [{",".join(plays)}]}}'.encode()

    # Publishing

    def show_submissions(self, states: Sequence[tuple[str, str]]) -> None:
        """Publish the names of submissions, each with its state: ``waiting``, ``ready`` or ``not ready``."""
        self._publish(submissions=[{"name": name, "state": state} for name, state in states])

    def follow(self, progress: Callable[[], list[Progress]]) -> None:
        """Show the playthroughs in progress, which ``progress`` returns."""
        self._progress = progress

    def begin(self, run: Run) -> None:
        """Publish the playthroughs that are already played."""
        self._plan = run.plan
        self._standings = Standings(run.plan, run.results.values())
        plays = [_play_text(run.plan, result) for result in sorted(run.results.values(), key=lambda each: each.ended)]
        with self._lock:
            self._run_id, self._plays = uuid4().hex, plays
        self._update(run, "playing")

    def on_result(self, run: Run, result: Result) -> None:
        self._standings.add(result)
        text = _play_text(run.plan, result)
        with self._lock:
            self._plays.append(text)

    def tick(self, run: Run) -> None:
        pause = max(PUBLISH_SECONDS, self._publish_seconds / MAX_DRAWING_SHARE)
        if monotonic() - self._published_at >= pause:
            self._update(run, "playing")

    def end(self, run: Run) -> None:
        self._progress = list
        is_over = len(run.results) >= run.total
        self._update(run, "finished" if is_over else "interrupted")

    def _update(self, run: Run, phase: str) -> None:
        began = monotonic()
        boards = [_board_data(run.plan, each) for each in self._progress()]
        rows = [_standing_data(rank, bot) for rank, bot in enumerate(self._standings.ranking, 1)]
        self._publish(
            phase=phase, bots=run.plan.names, boards=boards, standings=rows, done=len(run.results), total=run.total
        )
        self._published_at = monotonic()
        self._publish_seconds = self._published_at - began

    def _publish(self, **changes: object) -> None:
        with self._lock:
            self._state = self._state | changes


def _play_text(plan: Plan, result: Result) -> str:
    """A playthrough as JSON, without the standard error of the bot: that is for its author alone."""
    data = result_data(plan, result)
    data.pop("e", None)
    return json.dumps(data, separators=(",", ":"))


def _board_data(plan: Plan, progress: Progress) -> dict[str, object]:
    key = progress.task.key
    return {
        "x": progress.task.x,
        "o": progress.task.o,
        "n": f"{key.pairing + 1}.{key.pair + 1}.{key.leg + 1}",
        "m": " ".join(map(str, progress.moves)),
        **replay_data(plan.game, progress.start, progress.moves),
    }


def _standing_data(rank: int, bot: Standing) -> dict[str, object]:
    record = {"played": bot.record.played, **vars(bot.record), "forfeits": sum(bot.failures.values())}
    return {"rank": rank, "bot": bot.number, "score": bot.score, **record}
