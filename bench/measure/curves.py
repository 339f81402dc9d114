"""Draws the regret of trainings over time: python -m bench.measure.curves PPO=runs/ppo AlphaZero=runs/az --out FILE.

Each folder is that of a run of `examples/ppo.py` or `examples/alphazero.py`; the picture is in "Train an agent".
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

LINES = {"regret": ("", "-"), "policy_regret": (", the network alone", "--")}
"""The keys of the points that are drawn, with a word for the legend and a style."""


def draw(runs: dict[str, list[dict[str, float]]]) -> Figure:
    """Return a picture with the regrets of runs by their names."""
    figure = Figure(figsize=(9, 3), layout="constrained")
    axes = figure.subplots()
    for number, (name, points) in enumerate(runs.items()):
        minutes = [point["seconds"] / 60 for point in points]
        for key, (word, style) in LINES.items():
            if key in points[0]:
                axes.plot(minutes, [point[key] for point in points], style, color=f"C{number}", label=name + word)
    axes.set(xlabel="minutes of training", ylabel="mean regret of a move", xlim=(0, None), ylim=(0, None))
    figure.legend(loc="outside right center")
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.measure.curves", description=__doc__)
    parser.add_argument("runs", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    runs = {}
    for run in options.runs:
        name, _, folder = run.partition("=")
        curve = (Path(folder) / "curve.jsonl").read_text(encoding="utf-8")
        runs[name] = [json.loads(line) for line in curve.splitlines()]
    with rc_context({"svg.hashsalt": "noughts"}):  # the same names in every file
        draw(runs).savefig(options.out, metadata={"Date": None} if options.out.suffix == ".svg" else None)


if __name__ == "__main__":
    main()
