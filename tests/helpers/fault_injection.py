"""Runs work on files while its n-th file operation fails, for n = 1, 2, 3, … until it runs through.

``fault_injection.c`` makes operations fail, whether Python, SQLite or the compiled core calls them. It has to be
preloaded, so this module is also a program: ``fault_injection.py LIBRARY CASE EFFORT EVERY FOLDER`` runs one case with
all kinds of faults and prints a JSON object. Each fault happens in a fork of that program.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["CARELESS", "CASES", "Case", "Kind", "sweep"]

MAX_OPERATIONS = 20_000
"""More operations than any case has."""


class Kind(IntEnum):
    """What happens at the n-th operation."""

    NO_SPACE = 0
    IO_ERROR = 1
    FULL_DISK = 2
    """From then on everything that takes space fails."""
    SHORT_WRITE = 3
    """A half is written, which the caller is told; other operations succeed."""
    HALF_THEN_ERROR = 4
    """A half is written, and the next operation fails."""
    KILL_BEFORE = 5
    KILL_AFTER = 6
    KILL_HALFWAY = 7
    """The process is killed after a half was written."""
    POWER_CUT = 8
    """The process is killed, and everything that was not flushed is as it was before; names of files stay."""


Acknowledge = Callable[[object], None]


class Case(NamedTuple):
    """Work on the files of a folder.

    ``prepare`` makes the files; ``work`` changes them, acknowledges each change that it reports as saved, and raises
    OSError or ConfigError if it fails; ``check`` raises AssertionError unless the files are as they were or as they
    should be, with every acknowledged change. ``effort`` says how much work there is.
    """

    prepare: Callable[[Path, int], None]
    work: Callable[[Path, int, Acknowledge], None]
    check: Callable[[Path, int, list[Any], bool], None]


class Outcome(NamedTuple):
    """The end of a process that met a fault."""

    happened: bool
    acknowledged: list[Any]
    is_done: bool
    problem: str | None


def sweep(
    library: ctypes.CDLL, case: Case, kinds: Iterable[Kind], effort: int, every: int, folder: Path
) -> dict[str, Any]:
    """Let every ``every``-th operation of a case fail in each way; returns the number of faults and the problems.

    The kinds begin with different operations, so that together they meet more of them.
    """
    template, place = folder / "template", folder / "place"
    template.mkdir()
    place.mkdir()  # the same name every time
    case.prepare(place, effort)
    shutil.copytree(place, template, dirs_exist_ok=True)
    faults, errors, problems = 0, 0, []
    for kind in kinds:
        for at in range(1 + kind % every, MAX_OPERATIONS, every):
            shutil.rmtree(place)
            shutil.copytree(template, place)
            found = _run(library, case, kind, at, effort, place)
            if not found.happened:
                break
            faults += 1
            errors += not found.is_done
            problem = found.problem or _check(case, effort, place, found)
            if problem is not None:
                problems.append(f"{kind.name} at operation {at}: {problem}")
    return {"faults": faults, "errors": errors, "problems": problems}


def _run(library: ctypes.CDLL, case: Case, kind: Kind, at: int, effort: int, place: Path) -> Outcome:
    """Do the work in a fork of this process, with a fault."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        _work(library, case, kind, at, effort, place, writer)
    os.close(writer)
    with os.fdopen(reader) as lines:
        messages = [json.loads(line) for line in lines]
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    acknowledged = [message["saved"] for message in messages if "saved" in message]
    if status == -signal.SIGKILL:
        return Outcome(True, acknowledged, {"done": True} in messages, None)
    if status != 0:
        return Outcome(True, acknowledged, False, f"the process ended with {status}")
    end = messages[-1]
    return Outcome(end["happened"], acknowledged, end["error"] is None, end["problem"])


def _work(library: ctypes.CDLL, case: Case, kind: Kind, at: int, effort: int, place: Path, writer: int) -> None:
    """Do the work and write lines of JSON about it; does not return."""

    def write(**message: object) -> None:
        os.write(writer, f"{json.dumps(message)}\n".encode())

    error = problem = None
    library.faults_arm(os.fsencode(place), at, kind)
    try:
        case.work(place, effort, lambda change: write(saved=change))
        write(done=True)
        library.faults_end()
    except BaseException as raised:
        error, problem = str(raised), _problem_with(raised, place)
    happened = bool(library.faults_happened())
    write(happened=happened, error=error, problem=problem)
    os._exit(0)


def _problem_with(error: BaseException, place: Path) -> str | None:
    """What is wrong with an error, if users were to read it."""
    from noughts.cli.main import _without_number
    from noughts.settings import ConfigError

    if not isinstance(error, OSError | ConfigError):
        return "".join(traceback.format_exception(error))
    line = _without_number(error) if isinstance(error, OSError) else str(error)
    if "\n" in line or str(place) not in line:
        return f"expected one line that names the file, got {line!r}"
    return None


def _check(case: Case, effort: int, place: Path, found: Outcome) -> str | None:
    """Check the files after a fault, and that the work can be done now; returns the problem."""
    try:
        case.check(place, effort, found.acknowledged, found.is_done)
        acknowledged: list[Any] = []
        case.work(place, effort, acknowledged.append)
        case.check(place, effort, acknowledged, True)
        left = [path.name for path in place.rglob("*") if path.name.endswith((".tmp", "-journal"))]
        assert not left, f"left behind: {left}"
    except BaseException as error:
        with suppress(KeyboardInterrupt):
            return "".join(traceback.format_exception(error))
        raise
    return None


# --- one file that is replaced ----------------------------------------------------------------------------------------


def replaced(name: str, write: Callable[[Path, bool, int], None], read: Callable[[Path], object] | None = None) -> Case:
    """A file that ``write`` replaces; ``is_new`` tells the contents. ``read`` raises if they cannot be used."""
    contents: dict[bool, bytes] = {}

    def prepare(folder: Path, effort: int) -> None:
        for is_new in (True, False):
            write(folder / name, is_new, effort)
            contents[is_new] = (folder / name).read_bytes()

    def work(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
        write(folder / name, True, effort)

    def check(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
        found = (folder / name).read_bytes()
        assert found == contents[True] or (found == contents[False] and not is_done)
        if read is not None:
            read(folder / name)

    return Case(prepare, work, check)


def write_text(path: Path, is_new: bool, effort: int) -> None:
    from noughts.games.atomic_file import atomic_file

    with atomic_file(path) as file:
        for number in range(3 * effort):
            file.write((b"new" if is_new else b"old") * 5000 + b"%d" % number)
            file.flush()


def change_settings(path: Path, is_new: bool, effort: int) -> None:
    from noughts.settings import change_file

    change_file(path, "play.against", "insane" if is_new else "easy")


def read_settings(path: Path) -> None:
    from noughts.settings import read_file

    assert read_file(path)["play.against"] in ("insane", "easy")


def save_game(path: Path, is_new: bool, effort: int) -> None:
    import noughts as no

    no.save(no.Playthrough(no.Game("3x3"), ["b2"] if is_new else ["a1", "b1"]), path)


def load_game(path: Path) -> None:
    import noughts as no

    no.load(path)


def save_solver(path: Path, is_new: bool, effort: int) -> None:
    solver_after(3000 if is_new else 300).save(path)


def load_solver(path: Path) -> None:
    from noughts.proof.solver import Solver

    Solver(solver_after(300).position, memory_mb=1).load(path)


SOLVERS: dict[int, Any] = {}


def solver_after(nodes: int) -> Any:
    """A solver that has done some work; always the same, so that it saves the same bytes."""
    import noughts as no
    from noughts.proof.solver import Solver

    if nodes not in SOLVERS:
        SOLVERS[nodes] = Solver(no.Game("4x4+misere").start(), memory_mb=1)
        SOLVERS[nodes].solve(no.Limit(nodes=nodes))
    return SOLVERS[nodes]


PROOFS: dict[bool, Any] = {}


def save_proof(path: Path, is_new: bool, effort: int) -> None:
    import noughts as no

    if is_new not in PROOFS:
        PROOFS[is_new] = no.solve(no.Game("4x4" if is_new else "3x3").start()).proof
    PROOFS[is_new].save(path)


def load_proof(path: Path) -> None:
    import noughts as no

    no.verify(no.Proof.load(path))


def save_checkpoint(path: Path, is_new: bool, effort: int) -> None:
    from noughts.learn.folder import TrainingFolder

    TrainingFolder.write_bytes(path, b"weights" * (50_000 if is_new else 30_000))


# --- files that are appended to ---------------------------------------------------------------------------------------


def entries(effort: int) -> list[list[Any]]:
    return [["expand", "X", f"{number}" * (1 + 700 * (number % 3))] for number in range(6 * effort)]


def open_journal(folder: Path, is_new: bool) -> Any:
    import noughts as no
    from noughts.proof.jobs import Journal

    return Journal(folder / "journal", no.Game("3x3").start(), is_new)


def read_journal(folder: Path) -> list[list[Any]]:
    journal = open_journal(folder, is_new=False)
    found = [entry for _, entry in journal.read()]
    assert journal.damaged_lines == 0
    return found


def prepare_journal(folder: Path, effort: int) -> None:
    journal = open_journal(folder, is_new=True)
    for entry in entries(effort)[:2]:
        journal.write(*entry)
    journal.flush()


def append_to_journal(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
    journal = open_journal(folder, is_new=False)
    done = sum(1 for _ in journal.read())
    for number, entry in enumerate(entries(effort)[done:], done + 1):
        journal.write(*entry)
        if number % 2 == 0:
            journal.flush()
            acknowledge(number)


def check_journal(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
    found, wanted = read_journal(folder), entries(effort)
    assert found == wanted[: len(found)]
    assert len(found) >= max([2, *acknowledged])
    assert len(found) == len(wanted) or not is_done


def begin_journal(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
    journal = open_journal(folder, is_new=True)
    for entry in entries(effort)[2:]:
        journal.write(*entry)
    journal.flush()


def check_new_journal(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
    found = read_journal(folder)
    assert found == entries(effort)[2:] or (found == entries(effort)[:2] and not is_done)


def records(effort: int) -> list[Any]:
    from noughts.atlas import Record
    from noughts.atlas.records import Budget

    return [Record(f"{number}x3", "family", Budget(1.0, 4), "0.1.0") for number in range(3, 3 + 4 * effort)]


def add_records(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
    from noughts.atlas import Records

    kept = Records(folder)
    for record in records(effort):
        if kept.get(record.game) is None:
            kept.add(record)
            acknowledge(record.game)
    kept.sort([record.game for record in reversed(records(effort))])


def check_records(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
    from noughts.atlas import Records

    found, wanted = list(Records(folder)), records(effort)
    assert {record.game for record in found} >= set(acknowledged)
    assert sorted(found, key=wanted.index) == wanted[: len(found)]
    assert len(found) == len(wanted) or not is_done


# --- the store --------------------------------------------------------------------------------------------------------


def store_in(folder: Path) -> Any:
    from noughts.store import Store

    return Store(folder / "noughts.sqlite3")


def dump(path: Path) -> list[str]:
    """All that a database has, after a check."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        return [f"version {connection.execute('PRAGMA user_version').fetchone()[0]}", *connection.iterdump()]


def prepare_store(folder: Path, effort: int) -> None:
    import noughts as no

    with store_in(folder) as store:
        store.begin(no.Game("15x15:5").start(), "you", "friend")


def play_moves(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
    with store_in(folder) as store:
        done = len(store.get(1).moves)
        for ply in range(done + 1, 3 * effort + 1):
            store.add_move(1, ply, "XO"[ply % 2 == 0], ply)
            acknowledge(ply)


def check_moves(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
    dump(folder / "noughts.sqlite3")
    with store_in(folder) as store:
        moves = store.get(1).moves
    assert moves == tuple(range(1, len(moves) + 1))
    assert len(moves) >= max([0, *acknowledged])
    assert len(moves) == 3 * effort or not is_done


def create_store(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
    import noughts as no

    with store_in(folder) as store:
        if not store.list():
            store.begin(no.Game("3x3").start().after(4), "you", "friend")
        acknowledge(1)


def check_created(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
    with store_in(folder) as store:
        assert len(store.list()) == 1 or not (is_done or acknowledged)
    dump(folder / "noughts.sqlite3")


def results(effort: int) -> list[Any]:
    from noughts.arena.schedule import Key
    from noughts.arena.tournaments import Result
    from noughts.games import Side, Termination

    return [
        Result(Key(0, number // 2, number % 2), "random", "easy", None, (4, 0, 5, 1, 3), 0, (0.1,) * 5,
               Side.X, Termination.LINE, (2, 0), ended="2026-01-01T00:00:00")
        for number in range(4 * effort)
    ]  # fmt: skip


def prepare_tournament(folder: Path, effort: int) -> None:
    from noughts.arena.plan import read_plan
    from noughts.arena.tournaments import Tournaments

    with store_in(folder) as store:
        Tournaments(store).add(read_plan({"game": "3x3", "bots": [{"run": "random"}, {"run": "easy"}]}, folder))


def add_results(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
    from noughts.arena.tournaments import Tournaments

    wanted = results(effort)
    with store_in(folder) as store:
        tournaments = Tournaments(store)
        for at in range(0, len(wanted), 2):
            tournaments.add_results(1, wanted[at : at + 2])
            acknowledge(at + 2)
        tournaments.finish(1)


def check_results(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
    from noughts.arena.tournaments import Tournaments

    dump(folder / "noughts.sqlite3")
    with store_in(folder) as store:
        found = list(Tournaments(store).results(1))
        is_finished = Tournaments(store).summary(1).is_finished
    assert found == results(effort)[: len(found)]
    assert len(found) % 2 == 0
    assert len(found) >= max([0, *acknowledged])
    assert is_finished or not is_done


OLD_VERSION = 3


def prepare_upgrade(folder: Path, effort: int) -> None:
    """Make a store of an earlier version with some games."""
    import sqlite3
    from contextlib import closing

    from noughts.store.schema import STEPS

    row = "('3x3', 'you', 'easy', 'terminal', '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00')"
    with closing(sqlite3.connect(folder / "noughts.sqlite3", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for step in STEPS[:OLD_VERSION]:
            connection.executescript(step)
        connection.execute(f"PRAGMA user_version = {OLD_VERSION}")
        for _ in range(20 * effort):
            connection.execute(f"INSERT INTO playthroughs (game, x, o, source, started, updated) VALUES {row}")
    OLD["store"] = dump(folder / "noughts.sqlite3")


OLD: dict[str, Any] = {}


def open_store(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
    store_in(folder).close()


def check_upgrade(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
    path, copy = folder / "noughts.sqlite3", folder / f"noughts.sqlite3.v{OLD_VERSION}"
    found = dump(path)
    assert found == OLD["store"] or dump(copy) == OLD["store"]
    assert found != OLD["store"] or not is_done
    assert not copy.exists() or dump(copy) == OLD["store"]
    store_in(folder).close()
    assert sum('INSERT INTO "playthroughs"' in line for line in dump(path)) == 20 * effort


def use_folder(folder: Path) -> None:
    os.environ["NOUGHTS_DATA"], os.environ["NOUGHTS_CONFIG"] = str(folder), str(folder / "config.toml")


def prepare_backup(folder: Path, effort: int) -> None:
    from noughts.store.backup import back_up

    use_folder(folder)
    prepare_store(folder, effort)
    change_settings(folder / "config.toml", False, effort)
    back_up(folder / "backup.zip")
    OLD["backup"], OLD["settings"] = dump(folder / "noughts.sqlite3"), (folder / "config.toml").read_bytes()
    play_moves(folder, 3 * effort, lambda _: None)
    change_settings(folder / "config.toml", True, effort)
    OLD["store"], OLD["changed"] = dump(folder / "noughts.sqlite3"), (folder / "config.toml").read_bytes()


def write_backup(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
    from noughts.store.backup import back_up

    use_folder(folder)
    back_up(folder / "backup.zip")


def check_backup(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
    from zipfile import ZipFile

    assert dump(folder / "noughts.sqlite3") == OLD["store"]
    assert (folder / "config.toml").read_bytes() == OLD["changed"]
    with ZipFile(folder / "backup.zip") as archive:
        assert archive.testzip() is None
        archive.extract("noughts.sqlite3", folder / "unpacked")
        settings = archive.read("config.toml")
    found = dump(folder / "unpacked" / "noughts.sqlite3"), settings
    shutil.rmtree(folder / "unpacked")
    new, old = (OLD["store"], OLD["changed"]), (OLD["backup"], OLD["settings"])
    assert found == new or (found == old and not is_done)


def restore_backup(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
    from noughts.store.backup import restore

    use_folder(folder)
    restore(folder / "backup.zip")


def check_restored(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
    found, settings = dump(folder / "noughts.sqlite3"), (folder / "config.toml").read_bytes()
    assert found == OLD["backup"] or (found == OLD["store"] and not is_done)
    assert settings == OLD["settings"] or (settings == OLD["changed"] and not is_done)
    if found == OLD["backup"]:
        assert OLD["store"] in [dump(copy) for copy in folder.glob("noughts.sqlite3.replaced-?")]
    if settings == OLD["settings"]:
        assert OLD["changed"] in [copy.read_bytes() for copy in folder.glob("config.toml.replaced-?")]


# --- a cup ------------------------------------------------------------------------------------------------------------


def cup_in(folder: Path) -> Any:
    from noughts.teaching.cup.cup import Cup

    return Cup(folder / "class", folder / "home")


def prepare_cup(folder: Path, effort: int) -> None:
    from noughts.teaching.cup.cup import CupSettings

    (folder / "class" / "ann").mkdir(parents=True)
    (folder / "class" / "ann" / "bot.py").write_text("print('a1')\n")
    cup = cup_in(folder)
    with cup.lock():
        cup.begin(CupSettings())


def change_cup(folder: Path, effort: int, acknowledge: Acknowledge) -> None:
    cup = cup_in(folder)
    with cup.lock():
        cup.load()
        for port in range(cup.port + 1, 3 * effort + 1):
            cup.port = port
            acknowledge(port)


def check_cup(folder: Path, effort: int, acknowledged: list[Any], is_done: bool) -> None:
    cup = cup_in(folder)
    cup.load()
    assert len(cup.submissions) == 1
    assert max([0, *acknowledged]) <= cup.port <= 3 * effort
    assert cup.port == 3 * effort or not is_done


def prepare_nothing(folder: Path, effort: int) -> None:
    pass


def write_at_once(path: Path, is_new: bool, effort: int) -> None:
    path.write_text(("new" if is_new else "old") * 5000)


def write_without_flush(path: Path, is_new: bool, effort: int) -> None:
    beside = path.with_suffix(".new")
    write_at_once(beside, is_new, effort)
    beside.replace(path)


CARELESS = {"in place": replaced("text", write_at_once), "not flushed": replaced("text", write_without_flush)}
"""Cases with problems, which show that they are found."""
CASES = {
    "atomic file": replaced("text", write_text),
    "settings": replaced("config.toml", change_settings, read_settings),
    "saved game": replaced("game.ngn", save_game, load_game),
    "saved solve": replaced("game.solve", save_solver, load_solver),
    "proof": replaced("game.ngp", save_proof, load_proof),
    "checkpoint": replaced("checkpoint.pt", save_checkpoint),
    "journal": Case(prepare_journal, append_to_journal, check_journal),
    "new journal": Case(prepare_journal, begin_journal, check_new_journal),
    "records": Case(prepare_nothing, add_records, check_records),
    "new store": Case(prepare_nothing, create_store, check_created),
    "moves": Case(prepare_store, play_moves, check_moves),
    "tournament": Case(prepare_tournament, add_results, check_results),
    "upgrade": Case(prepare_upgrade, open_store, check_upgrade),
    "backup": Case(prepare_backup, write_backup, check_backup),
    "restore": Case(prepare_backup, restore_backup, check_restored),
    "cup": Case(prepare_cup, change_cup, check_cup),
}


def main(path: str, name: str, effort: str, every: str, folder: str) -> None:
    library = ctypes.CDLL(path)
    library.faults_arm.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_int]
    found = sweep(library, (CASES | CARELESS)[name], list(Kind), int(effort), int(every), Path(folder).resolve())
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
