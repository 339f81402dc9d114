"""Search trees as a self-contained HTML page that steps through one search, or through two side by side."""

from __future__ import annotations

from dataclasses import asdict
from html import escape

from noughts.html_page import document, scripts, source
from noughts.teaching.tree.board import SmallBoard
from noughts.teaching.tree.pseudocode import pseudocode_of
from noughts.teaching.tree.replay import replay
from noughts.teaching.tree.rollout import rollout_svg
from noughts.teaching.tree.search_tree import Family, SearchTree
from noughts.teaching.tree.svg import MAX_WIDTH, STYLE, Picture, sheet_svg

__all__ = ["tree_html"]

BODY = """<header>
  <div class="bar" role="toolbar" aria-label="steps">
    <button id="first" title="to the start (Home)">|◀</button>
    <button id="back" title="one step back (←)">◀ back</button>
    <button id="play" title="play or pause (space)">▶ play</button>
    <button id="forward" title="one step forward (→)">forward ▶</button>
    <button id="next-mark" title="to the {mark_long} (c)">{mark}</button>
    <button id="last" title="to the end (End)">▶|</button>
    {target}
    <label>speed <input id="speed" type="range" min="1" max="20" value="4"></label>
    <label><input id="predict" type="checkbox"> let me predict</label>
    <span class="zoom" role="group" aria-label="zoom"><button id="smaller" title="smaller (−)">−</button>
    <button id="larger" title="larger (+)">+</button></span>
    <span id="score" hidden></span>
  </div>
  <input id="scrub" type="range" min="0" value="0" aria-label="step">
  <div class="columns">{statuses}</div>
</header>
<main class="columns">{panels}</main>
{script}"""

STATUS = """<div class="status">
  <div><p class="message" aria-live="polite"></p>
  <p class="question" hidden><span class="ask"></span> <span class="choices"></span></p>
  <p class="counts"></p></div>
  <div class="rollout"></div>
</div>"""

CODE_WIDTH = 420
"""Pixels that pseudocode takes beside a tree; it stands above one that needs them."""
CUTOFF = ("next cutoff ✂", "next cutoff")
ROUND = ("next round ↻", "next round")


def tree_html(trace: SearchTree, most_nodes: int = 400, versus: SearchTree | None = None) -> str:
    """Return a page that replays the last pass of a trace, with at most ``most_nodes`` nodes drawn.

    With a second trace both are replayed side by side, step by step together or each on its own.
    """
    traces = [trace] if versus is None else [trace, versus]
    marks = {CUTOFF if each.family is Family.DEPTH_FIRST else ROUND: None for each in traces}
    mark, mark_long = (" / ".join(words) for words in zip(*marks, strict=True))
    body = BODY.format(
        mark=mark,
        mark_long=mark_long,
        target=_target(traces),
        statuses=STATUS * len(traces),
        panels="".join(_panel(each, most_nodes, MAX_WIDTH / len(traces)) for each in traces),
        script=scripts("steps", [_steps(each, most_nodes) for each in traces], source("teaching/tree/stepper.js")),
    )
    title = f"{' and '.join(each.algorithm or 'search' for each in traces)} on {trace.subject}"
    style = STYLE + source("teaching/tree/stepper.css")
    return document(title, body, style, kind="" if versus is None else "versus")


def _target(traces: list[SearchTree]) -> str:
    """Return the choice which of two searches the buttons move."""
    if len(traces) == 1:
        return ""
    left, right = (escape(trace.algorithm or "search") for trace in traces)
    options = (("both", "both together"), ("0", f"left: {left}"), ("1", f"right: {right}"))
    choices = "".join(f'<option value="{value}">{words}</option>' for value, words in options)
    return f'<label>step <select id="target">{choices}</select></label>'


def _panel(trace: SearchTree, most_nodes: int, width: float) -> str:
    name, picture = escape(trace.algorithm or "search"), Picture(trace, most_nodes, max_width=width)
    kind = "panel" if picture.width <= width - CODE_WIDTH else "panel wide"
    kind += "" if trace.typed is None else " typed"
    tree = f'<div class="picture" tabindex="0">{sheet_svg([picture], stylesheet=False)}</div>'
    return f'<section class="{kind}" aria-label="{name}">{_code(trace)}{tree}</section>'


def _code(trace: SearchTree) -> str:
    """Return the pseudocode of a search, whose current lines the script marks."""
    lines = "".join(f"<li>{escape(line)}</li>" for line in pseudocode_of(trace.algorithm).lines)
    return f'<details class="code" open><summary>pseudocode</summary><ol>{lines}</ol></details>' if lines else ""


def _steps(trace: SearchTree, most_nodes: int) -> list[dict[str, object]]:
    """Return the steps as plain data, simulations with a picture of the rollout."""
    steps = []
    for step in replay(trace, most_nodes):
        data = asdict(step)
        if step.kind == "simulate":
            data["picture"] = rollout_svg(trace.start, SmallBoard(trace.game, 26, widest=132), step)
        steps.append(data)
    return steps
