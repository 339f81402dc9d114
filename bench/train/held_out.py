"""``python -m bench.train.held_out ROWS... --networks FILES...``: networks tested on rows kept out of training.

Prints the log loss on the results, overall and by the number of marks. With ``--game``, a file of
``bench.train.describe``, it also prints how far the errors follow the lead in lines of one, two, ... marks that only
one side can complete: a correlation far from zero is a blind spot. Each network gets its own scale and offset, fitted
to the rows. Rows without a result or with a decided score are left out. Needs torch and numpy, but not the compiled
core.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.results import say
from bench.train.networks import use_sources

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from noughts.learn.rows import Rows

    Numbers = NDArray[np.floating[Any]]
    Marks = NDArray[np.uint8]

PHASES = ((0, 16), (16, 26), (26, 40), (40, 70), (70, None))
"""The numbers of marks that are told apart."""
LATE = 26
BATCH = 2048
NEWTON_STEPS = 30


def usable(rows: Rows) -> Rows:
    """Return the rows with a result and without a decided score, each once."""
    import numpy as np

    from noughts.learn.labels import MIN_DECISIVE_SCORE
    from noughts.learn.rows import UNKNOWN

    found = rows.part(slice(None))
    data = rows.rows
    is_repeated = np.zeros(len(data), bool)
    is_repeated[1:] = data[1:] == data[:-1]
    is_decided = (data["proven"] != 0) | (abs(data["score"]) >= MIN_DECISIVE_SCORE)
    found.rows = data[(data["result"] != UNKNOWN) & ~is_decided & ~is_repeated]
    return found


def logits_of(network: Path, rows: Rows) -> Numbers:
    """Return the logits of a win that a network gives to rows."""
    import numpy as np
    import torch

    from noughts.learn.line_net import LineNet

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = LineNet.of(network.read_bytes(), rows.sight)
    positions = net.to(device).prepare(rows, device)
    with torch.no_grad():
        parts = torch.arange(len(rows), device=device).split(BATCH)
        return np.concatenate([net.value(positions, part).cpu().numpy() for part in parts])


def fitted(logits: Numbers, won: Numbers) -> tuple[float, Numbers]:
    """Return the least log loss that some scale and offset give, and the chances of a win with them."""
    import numpy as np

    inputs = np.stack([logits / max(float(logits.std()), 1e-9), np.ones_like(logits)], 1).astype(float)
    factors = np.zeros(2)
    for _ in range(NEWTON_STEPS):
        chances = 1 / (1 + np.exp(-(inputs @ factors).clip(-30, 30)))
        curvature = (inputs * (chances * (1 - chances))[:, None]).T @ inputs
        factors -= np.linalg.solve(curvature + 1e-3 * np.eye(2), inputs.T @ (chances - won))
    chances = (1 / (1 + np.exp(-inputs @ factors))).clip(1e-9, 1 - 1e-9)
    return float(-np.mean(won * np.log(chances) + (1 - won) * np.log(1 - chances))), chances


def leads(game: Path, marks: Marks) -> dict[int, Numbers]:
    """Return, for each number of marks, how many more lines the side to move has than its opponent."""
    import numpy as np

    words = [line.split() for line in game.read_text(encoding="utf-8").splitlines()]
    lines = np.array([[int(cell) for cell in cells] for word, *cells in words if word == "line"])
    own, others = (sum((marks[:, cells] == side).astype(np.int8) for cells in lines.T) for side in (1, 2))
    return {
        count: ((own == count) & (others == 0)).sum(1) - ((others == count) & (own == 0)).sum(1).astype(float)
        for count in range(1, lines.shape[1] - 1)
    }


def correlation(one: Numbers, other: Numbers) -> float:
    """Return the correlation of two variables; 0 if one of them is constant."""
    spread = float(one.std() * other.std())
    return float(((one - one.mean()) * (other - other.mean())).mean()) / spread if spread > 0 else 0.0


def table(rows: Rows, logits: Numbers, lead_in: dict[int, Numbers]) -> list[str]:
    """Return a line for each phase and one for all late rows."""
    import numpy as np

    won, count = (rows.rows["result"] + 1) / 2, (rows.rows["marks"] != 0).sum(1)
    texts = []
    for first, end in (*PHASES, (LATE, None)):
        use = (count >= first) & (count < (end or np.inf))
        if not use.any():
            continue
        loss, chances = fitted(logits[use], won[use])
        errors = chances - won[use]
        following = [f"{marks}: {correlation(errors, lead[use]):+.2f}" for marks, lead in lead_in.items()]
        texts.append(f"  from {first:2} marks {use.sum():7} rows  {loss:.4f}  {'  '.join(following)}")
    return texts


def main() -> None:
    use_sources()
    import numpy as np

    from noughts.learn.rows import Rows

    parser = argparse.ArgumentParser(prog="python -m bench.train.held_out", description=__doc__)
    parser.add_argument("rows", nargs="+", type=Path)
    parser.add_argument("--networks", nargs="+", type=Path, required=True)
    parser.add_argument("--game", type=Path, help="a description, for its lines")
    parser.add_argument("--first", type=float, default=1.0, metavar="SHARE", help="the share of each file that is used")
    options = parser.parse_args()
    parts = [Rows.read([path]) for path in options.rows]
    rows = parts[0]
    rows.rows = np.concatenate([each.rows[: int(len(each) * options.first)] for each in parts])
    rows = usable(rows)
    lead_in = leads(options.game, rows.rows["marks"]) if options.game else {}
    say(f"{len(rows)} rows")
    tested = {path.name: logits_of(path, rows) for path in options.networks}
    for name, logits in {"the search": rows.rows["score"].astype(float), **tested}.items():
        print("\n".join([name, *table(rows, logits, lead_in)]), flush=True)


if __name__ == "__main__":
    main()
