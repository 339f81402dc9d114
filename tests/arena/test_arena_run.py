"""Tournaments: schedules, results, failures, and recovery without losses."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arenas import PROGRAM, essence, make_plan, noughts, run_plan
from mocks import command, nothing_left
from noughts.arena.plan import Plan
from noughts.arena.runner import Run
from noughts.arena.schedule import (
    Key,
    KnockoutSchedule,
    ScheduledGame,
    SprtSchedule,
    make_schedule,
    opening_of,
    seed_of,
)
from noughts.arena.standings import Standings, notes
from noughts.arena.tournaments import Tournaments
from noughts.arena.worker import ArenaError, LocalWorkers, Worker, probe_entrants
from noughts.process.sandbox import why_no_sandbox
from noughts.store import Store, StoreError
from noughts.store.database import transaction

# Schedules


def all_tasks(plan: Plan) -> list[ScheduledGame]:
    return make_schedule(plan).new_tasks({})


def test_round_robin_plays_every_pairing_with_both_sides_of_every_opening(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "easy", "insane", rounds=3)
    tasks = all_tasks(plan)
    assert len(tasks) == len(set(tasks)) == 3 * 3 * 2
    met = Counter((task.x, task.o) for task in tasks)
    assert met == {(x, o): 3 for x in range(3) for o in range(3) if x != o}
    for task in tasks:
        assert opening_of(plan, task.key) == opening_of(plan, Key(0, task.key.pair, 1 - task.key.leg))


def test_gauntlet_lets_challengers_meet_the_others_only(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "easy", "insane", "difficult", format="gauntlet", challengers=["easy"])
    assert {frozenset((task.x, task.o)) for task in all_tasks(plan)} == {frozenset((1, other)) for other in (0, 2, 3)}
    assert make_plan(tmp_path, "random", "easy", format="gauntlet").challengers == ("random",)


def play_knockout(
    plan: Plan, strength: dict[int, float]
) -> tuple[KnockoutSchedule, dict[Key, tuple[float, float]], int]:
    """Let the stronger bot win and equal ones draw; returns the tasks played, and the number of steps."""
    schedule, steps = KnockoutSchedule(plan), 0
    scores: dict[Key, tuple[float, float]] = {}
    while tasks := schedule.new_tasks(scores):
        steps += 1
        for task in tasks:
            x, o = strength[task.x], strength[task.o]
            scores[task.key] = (0.5, 0.5) if x == o else (float(x > o), float(o > x))
    return schedule, scores, steps


@pytest.mark.parametrize("bots", range(2, 10))
def test_knockout_is_won_by_the_strongest_and_everyone_else_loses_once(tmp_path: Path, bots: int) -> None:
    entrants = [{"name": str(n), "run": "random"} for n in range(bots)]
    plan = make_plan(tmp_path, *entrants, format="knockout", rounds=2)
    strength = {n: float(n * 7 % bots if bots % 7 else n) for n in range(bots)}
    schedule, scores, _ = play_knockout(plan, strength)
    assert schedule.champion == max(strength, key=lambda n: strength[n])
    assert len({key.pairing for key in scores}) == bots - 1
    assert len(scores) == schedule.total == (bots - 1) * 4


def test_knockout_is_ranked_by_the_stage_reached(store: Store, tmp_path: Path) -> None:
    run = run_plan(store, make_plan(tmp_path, "insane", "beginner", "easy", "random", "difficult", format="knockout"))
    ranking = [bot.name for bot in Standings(run.plan, run.counted).ranking]
    assert isinstance(run.schedule, KnockoutSchedule)
    final = run.schedule.stages[-1][0]
    assert final.winner is not None
    assert ranking[0] == run.plan.names[final.winner]
    assert {run.plan.names[side] for side in final.sides if side is not None} == set(ranking[:2])
    assert ranking[-1] in {run.plan.names[side] for side in run.schedule.stages[0][1].sides if side is not None}


def test_drawn_knockout_match_gets_extra_pairs_then_the_first_listed_advances(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "easy", format="knockout", rounds=1)
    schedule, scores, steps = play_knockout(plan, {0: 1, 1: 1})
    assert (len(scores), steps) == (2 + 2 * 4, 5)
    assert schedule.champion == 0
    assert notes(plan, Standings(plan), schedule)[0] == "final: random drew with easy and advances, being listed first"


def test_match_of_a_knockout_that_was_won_is_not_called_drawn(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "easy", format="knockout")
    schedule, _, _ = play_knockout(plan, {0: 1, 1: 2})
    assert notes(plan, Standings(plan), schedule)[0] == "final: easy beat random"


def test_sequential_test_counts_pairs_in_their_order_not_as_they_finish(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "easy", format="sprt", sprt={"elo0": 0, "elo1": 200})
    orders = []
    for seed in (1, 2):
        schedule = SprtSchedule(plan)
        scores: dict[Key, tuple[float, float]] = {}
        waiting: list[ScheduledGame] = []
        random = Random(seed)
        while True:
            waiting += schedule.new_tasks(scores)
            if schedule.is_decided:
                break
            task = waiting.pop(random.randrange(len(waiting)))
            first_wins = seed_of(plan, *task.key) % 10 < 7
            scores[task.key] = (1.0, 0.0) if first_wins == (task.x == 0) else (0.0, 1.0)
        orders.append((schedule.test.counts, schedule.test.accepted))
        assert schedule.test.accepted == "H1"
        assert not schedule.counts(Key(0, schedule.test.pairs, 0))
    assert orders[0] == orders[1]


# Playing


def test_tournament_is_stored_with_every_playthrough(store: Store, tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "insane", "beginner", rounds=2, concurrency=2)
    with nothing_left():
        run = run_plan(store, plan)
    plays = list(Tournaments(store).results(run.number))
    assert len(plays) == run.total == 12
    assert Tournaments(store).summary(run.number).is_finished
    assert Tournaments(store).plan(run.number) == plan
    for played in plays:
        play = played.playthrough(plan)
        assert play.outcome == played.outcome
        assert play.position().is_over
        assert len(played.seconds) == len(played.moves) - played.opening
    standings = Standings(plan, plays)
    assert standings.ranking[0].name == "insane"
    assert sum(bot.score for bot in standings.bots) == 12
    assert sum(bot.record.played for bot in standings.bots) == 24


def test_same_seed_gives_the_same_tournament_with_any_concurrency(store: Store, tmp_path: Path) -> None:
    bots = ("random", "beginner", "master")
    runs = [run_plan(store, make_plan(tmp_path, *bots, game="4x4:3", rounds=2, concurrency=each)) for each in (1, 3)]
    first, second = ([essence(played) for played in run.counted] for run in runs)
    assert first == second
    other = run_plan(store, make_plan(tmp_path, *bots, game="4x4:3", rounds=2, seed=2, concurrency=2))
    assert [essence(played) for played in other.counted] != first


def test_points_of_the_game_are_scored(store: Store, tmp_path: Path) -> None:
    plan = make_plan(
        tmp_path, "random", {"name": "gone", "run": "/nowhere/bot", "protocol": "json"},
        game="ultimate4", scoring="points", openings={"plies": 0},
    )  # fmt: skip
    run = run_plan(store, plan)
    standings = Standings(plan, run.counted)
    assert {bot.name: bot.score for bot in standings.bots} == {"random": 32.0, "gone": 0.0}
    assert standings.bots[1].failures == {"start": 2}


def test_clock_runs_down_and_is_given_its_increment(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    print(json.dumps({'clock': asked['clock_ms'], 'inc': asked['increment_ms']}), file=sys.stderr)\n"
        "    time.sleep(0.4)\n"
        "    print(json.dumps({'move': asked['legal'][0]}), flush=True)\n"
    )
    slow = {"name": "slow", "run": f"{sys.executable} slow.py", "protocol": "json"}
    plan = make_plan(
        tmp_path,
        slow,
        "random",
        game="4x4",
        limit={"clock": "1.2s+0.1s", "margin": 0.05, "startup": 0},
        openings={"plies": 0},
    )
    worker = Worker(plan)
    result = worker.play(ScheduledGame(Key(0, 0, 0), 0, 1))
    worker.close()
    assert (result.failure, result.winner) == ("time", "O")
    assert 1 <= len(result.moves) // 2 <= 3  # of the eight it would have had without a clock
    assert result.stderr is not None
    assert '"inc": [100, 100]' in result.stderr


def test_programs_of_different_protocols_play_whole_tournaments(store: Store, tmp_path: Path) -> None:
    engine = f"{sys.executable} -c '{PROGRAM}' engine --level easy"
    bots = [{"name": each, "run": engine, "protocol": each} for each in ("codingame", "ugi")]
    asked = make_plan(tmp_path, *bots, game="ultimate:3+count", limit={"seconds": 0.01, "margin": 10})
    plan = probe_entrants(asked, pytest.fail)
    assert (asked.plies, plan.plies) == (None, 0)  # a bot of CodinGame has no openings
    with nothing_left():
        run = run_plan(store, plan)
    assert [played.failure for played in run.counted] == [None, None]
    assert {played.x for played in run.counted} == {"codingame", "ugi"}


@pytest.mark.skipif(why_no_sandbox() is not None, reason="bubblewrap does not work here")
@pytest.mark.parametrize("is_sandboxed", [True, False])
def test_sandboxed_bot_plays_but_writes_nothing(store: Store, tmp_path: Path, is_sandboxed: bool) -> None:
    (tmp_path / "scribbler.py").write_text(
        "import json, sys\n"
        "try: open('scribble', 'w').close()\n"
        "except OSError: pass\n"
        "for line in sys.stdin: print(json.dumps({'move': json.loads(line)['legal'][0]}), flush=True)\n"
    )
    bot = {"name": "scribbler", "run": f"{sys.executable} scribbler.py", "protocol": "json"}
    with nothing_left():
        run = run_plan(store, make_plan(tmp_path, bot, "random", sandbox=is_sandboxed, allow_root=True))
    assert [played.failure for played in run.counted] == [None, None]
    assert (tmp_path / "scribble").exists() is not is_sandboxed


def test_only_a_clock_makes_built_in_players_late(tmp_path: Path) -> None:
    limit = {"seconds": 0.001, "margin": 0}
    worker = Worker(make_plan(tmp_path, "difficult", "master", game="15x15:5", limit=limit, openings={"plies": 0}))
    result = worker.play(ScheduledGame(Key(0, 0, 0), 0, 1))
    assert result.failure is None
    assert max(result.seconds) > 0.003


def test_programs_get_the_seed_of_the_playthrough(tmp_path: Path) -> None:
    script = tmp_path / "seeded.py"
    script.write_text("import os, sys\nprint('seed', os.environ['NOUGHTS_SEED'], file=sys.stderr)\nsys.exit(3)\n")
    bot = {"name": "seeded", "run": f"{sys.executable} seeded.py", "protocol": "json"}
    plan = make_plan(tmp_path, bot, "random", openings={"plies": 0})
    worker = Worker(plan)
    result = worker.play(ScheduledGame(Key(0, 0, 0), 0, 1))
    assert result.stderr == f"seed {seed_of(plan, 0, 0, 0, 'X')}"
    assert "exit code 3" in str(result.detail)
    assert "NOUGHTS_SEED" not in os.environ


def test_bot_without_restart_plays_several_playthroughs_in_one_process(store: Store, tmp_path: Path) -> None:
    script = tmp_path / "count.py"
    script.write_text(
        "import json, sys\nopen('starts', 'a').write('x')\n"
        "for line in sys.stdin: print(json.dumps({'move': json.loads(line)['legal'][-1]}), flush=True)\n"
    )
    bot = {"name": "counter", "run": f"{sys.executable} count.py", "protocol": "json", "restart": False}
    bot |= {"sandbox": False, "allow_root": True}  # it writes a file
    with nothing_left():
        run_plan(store, make_plan(tmp_path, bot, "random", rounds=2))
    assert (tmp_path / "starts").read_text() == "xx"  # one for each side it plays
    run_plan(store, make_plan(tmp_path, bot | {"restart": True}, "random", rounds=2))
    assert len((tmp_path / "starts").read_text()) == 2 + 4


# Failures


@pytest.mark.slow
def test_five_hundred_failing_playthroughs_leave_no_process_no_file_and_no_gap(store: Store, tmp_path: Path) -> None:
    ways = (
        *("crash-at-start", "crash-in-the-middle", "hang", "illegal", "garbage", "flood-a-line", "flood-stderr"),
        *("segfault", "spin", "close-stdout", "binary", "daemonise", "fork-children", "twice", "deaf", "leave"),
    )
    plan = make_plan(
        tmp_path,
        "random",
        *({"name": way, "run": command(way), "protocol": "json"} for way in ways),
        limit={"seconds": 0.3, "startup": 0.3},
        rounds=2,
        concurrency=2,
        game="4x4",
    )
    with nothing_left():
        run = run_plan(store, plan)
    assert len(run.counted) == run.total == 17 * 16 // 2 * 4 > 500


def test_bot_that_does_not_speak_forfeits_all_its_playthroughs_quickly(store: Store, tmp_path: Path) -> None:
    mute = {"name": "mute", "run": f"{sys.executable} -c 'import sys; sys.exit()'", "protocol": "ugi"}
    gone = {"name": "gone", "run": "/nowhere/bot", "protocol": "gomocup"}
    plan = make_plan(tmp_path, mute, gone, "random", game="15x15:5", rounds=5, openings={"plies": 0})
    began = time.monotonic()
    run = run_plan(store, plan)
    assert time.monotonic() - began < 60
    assert len(run.counted) == 30
    failures = Counter(played.loser for played in run.counted if played.failure == "start")
    assert failures["mute"] + failures["gone"] == 30


def test_bot_that_started_once_is_always_tried_again(tmp_path: Path) -> None:
    script = tmp_path / "moody.py"
    script.write_text(
        "import json, os, sys\n"
        "if os.path.exists('moody'): sys.exit()\n"
        "print('id name moody\\nugiok', flush=True)\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('isready'): print('readyok', flush=True)\n"
        "    if line.startswith('go'): print('bestmove nowhere', flush=True)\n"
    )
    bot = {"name": "moody", "run": f"{sys.executable} moody.py", "protocol": "ugi"}
    worker = Worker(make_plan(tmp_path, bot, "random", openings={"plies": 0}))
    tasks = [ScheduledGame(Key(0, pair, 0), 0, 1) for pair in range(6)]
    assert worker.play(tasks[0]).failure == "illegal"
    (tmp_path / "moody").write_text("")
    assert [worker.play(task).failure for task in tasks[1:5]] == ["start"] * 4
    (tmp_path / "moody").unlink()
    assert worker.play(tasks[5]).failure == "illegal"


def test_bot_that_can_never_run_ends_the_tournament_with_one_line(store: Store, tmp_path: Path) -> None:
    bot = {"name": "gomoku", "run": command("good"), "protocol": "gomocup"}
    plan = make_plan(tmp_path, bot, "random")
    with nothing_left(), pytest.raises(ArenaError, match="expected five in a row"):
        run_plan(store, plan)


def test_worker_that_is_killed_has_its_playthrough_replayed(store: Store, tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "easy", rounds=8)
    expected = [essence(played) for played in run_plan(store, plan).counted]
    tournaments = Tournaments(store)
    run = Run(tournaments, tournaments.add(plan), plan)

    class Killer:
        kills = 0

        def begin(self, run: Run) -> None: ...
        def tick(self, run: Run) -> None: ...
        def end(self, run: Run) -> None: ...
        def on_result(self, run: Run, result: object) -> None:
            if self.kills < 2 and len(run.results) % 5 == 0:
                self.kills += 1
                os.kill(workers._processes[0]._worker.pid, signal.SIGKILL)

    killer = Killer()
    with nothing_left():
        workers = LocalWorkers(plan, 1)
        run.play(workers, [killer])
    assert killer.kills == 2
    assert [essence(played) for played in run.counted] == expected


# Nothing is lost


def test_ctrl_c_says_how_to_resume_and_exits_with_130(tmp_path: Path) -> None:
    with nothing_left():
        run = noughts(
            tmp_path, "arena", "run", "--bot", "random", "--bot", f"slow={command('good')}", "--protocol", "json",
            "--game", "5x5", "--rounds", "500", start_new_session=True,
        )  # fmt: skip
        assert run.stderr is not None
        while "2/1000" not in run.stderr.readline():
            assert run.poll() is None
        os.kill(run.pid, signal.SIGINT)
        out, talk = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "of 1000 playthroughs are stored; noughts arena resume 1 plays the rest" in talk
    assert "Traceback" not in talk
    assert out == ""


class InterruptedConnection:
    """A connection that is interrupted by Ctrl-C during a statement."""

    def __init__(self, store: Store, statement: str) -> None:
        self._connection = store.connection
        self._statement = statement

    def execute(self, text: str) -> None:
        self._connection.execute(text)
        if text.startswith(self._statement):
            raise KeyboardInterrupt

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction


@pytest.mark.parametrize("statement", ["BEGIN", "COMMIT"])
def test_ctrl_c_while_a_result_is_written_stays_a_keyboard_interrupt(store: Store, statement: str) -> None:
    connection: Any = InterruptedConnection(store, statement)
    with pytest.raises(KeyboardInterrupt), transaction(connection, store.path):
        pass
    assert not store.connection.in_transaction


def test_stored_result_is_not_replaced(store: Store, tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "easy")
    run = run_plan(store, plan)
    before = list(run.tournaments.results(run.number))
    run.tournaments.add_results(run.number, before)
    assert list(run.tournaments.results(run.number)) == before


def test_tournament_is_played_by_one_process_at_a_time(store: Store, tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "easy")
    tournaments = Tournaments(store)
    run = Run(tournaments, tournaments.add(plan), plan)
    with tournaments.lock(run.number), pytest.raises(StoreError, match="is being played by another process"):
        run.play(LocalWorkers(plan, 1))
    run.play(LocalWorkers(plan, 1))
    assert len(run.counted) == 2
    assert [path.name for path in tmp_path.glob("*.lock")] == []


def test_deleted_tournament_is_gone_with_its_playthroughs(store: Store, tmp_path: Path) -> None:
    run = run_plan(store, make_plan(tmp_path, "random", "easy"))
    run.tournaments.delete(run.number)
    assert store.connection.execute("SELECT count(*) FROM tournament_plays").fetchone()[0] == 0
    with pytest.raises(StoreError, match=r"no tournament 1;"):
        run.tournaments.plan(run.number)
    with pytest.raises(StoreError, match="no tournament"):
        run.tournaments.summary(10**30)
