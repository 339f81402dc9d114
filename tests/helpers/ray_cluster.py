"""A Ray cluster of two nodes on this machine, one of which is killed in the middle of a tournament.

``test_arena_ray.py`` runs this as a program, because Ray leaves threads and handlers behind in its process.
Arguments: the tournament file, the store, and after how many results the second node dies.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

from ray.cluster_utils import Cluster


def results(store: str) -> int:
    """The number of stored results."""
    try:
        with closing(sqlite3.connect(store, timeout=5)) as connection:
            found: int = connection.execute("SELECT count(*) FROM tournament_plays").fetchone()[0]
            return found
    except sqlite3.OperationalError:
        return 0


def main(file: str, store: str, deadly: int) -> int:
    """Play the tournament; kill the second node once ``deadly`` results are stored."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    second = cluster.add_node(num_cpus=1)
    program = "from noughts.cli import main; main()"
    environment = os.environ | {"RAY_ADDRESS": cluster.address}
    command = [sys.executable, "-c", program, "arena", "run", file, "--store", store, "--on", "ray"]
    process = subprocess.Popen(command, env=environment)
    try:
        while process.poll() is None and results(store) < deadly:
            time.sleep(0.02)
        stored = results(store)
        cluster.remove_node(second, allow_graceful=False)
        print(f"killed a node after {stored} results", flush=True)
        return process.wait(200)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(60)
        cluster.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
