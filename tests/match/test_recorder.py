"""The recorder saves every move at once, and loses none while the store cannot be written to."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from manual_time import ManualTime, clocks_of
from noughts import Game, Side
from noughts.cli.terminal.commands import receive
from noughts.cli.terminal.session import LeaveReason, Session
from noughts.games.outcome import decide
from noughts.match import Clock, Match, TimeControl
from noughts.match.recorder import Recorder, resume_match
from noughts.store import Store, store_path
from plays import position_after


def begin_session(recorder: Recorder | None) -> Session:
    match = Match(Game("3x3").start(), {Side.X: "you", Side.O: "friend"})
    session = Session(match, recorder=recorder)
    session.start()
    return session


def open_recorder() -> Recorder:
    recorder = Recorder.open(partial(print, file=sys.stderr))
    assert recorder is not None
    return recorder


def close(session: Session) -> None:
    assert session.recorder is not None
    session.recorder.close()


def test_interruption_before_a_move_is_recorded_loses_nothing(store: Store) -> None:
    session = begin_session(Recorder(store, warn=pytest.fail))
    session.position.play("b2")  # as if Ctrl-C came before the event was emitted
    session.leave(LeaveReason.INTERRUPTED)
    assert store.get(1).moves == (4,)
    session.position.play("a1")
    session.position.play("c3")
    session.leave(LeaveReason.INTERRUPTED)
    assert store.get(1).moves == (4, 6, 2)


def test_store_that_fails_in_mid_game_is_reported_once_and_play_continues(store: Store) -> None:
    warnings: list[str] = []
    session = begin_session(Recorder(store, warnings.append))
    receive(session, "b2")
    store.connection.execute("DROP TABLE moves")
    receive(session, "a1")
    receive(session, "c3")
    assert session.position.moves == [4, 6, 2]
    assert len(warnings) == 1
    assert warnings[0].startswith("the game cannot be saved at the moment; it will be saved as soon as possible: ")


@pytest.fixture
def locked(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Another program that locks the store; the recorder retries with every move."""
    monkeypatch.setattr("noughts.match.recorder.RETRY_SECONDS", 0.0)
    monkeypatch.setattr("noughts.match.recorder.BUSY_SECONDS", 0.1)
    store.set_busy_timeout(0.1)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        yield other


def test_moves_made_while_another_program_writes_are_saved_afterwards(store: Store, locked: sqlite3.Connection) -> None:
    warnings: list[str] = []
    session = begin_session(Recorder(store, warnings.append))
    receive(session, "b2")
    locked.execute("BEGIN IMMEDIATE")
    for move in ("a1", "c3", "undo", "a3"):
        receive(session, move)
    assert store.get(1).moves == (4,)
    assert len(warnings) == 1
    assert "another program has been writing to it for too long" in warnings[0]
    locked.execute("ROLLBACK")
    receive(session, "c1")
    assert warnings[1:] == ["the game is saved again, with all its moves"]
    assert store.get(1).moves == tuple(session.position.moves)
    assert all(seconds is not None for seconds in store.get(1).move_seconds)
    receive(session, "b1")
    assert store.get(1).moves == tuple(session.position.moves)


@pytest.fixture
def being_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Another program that is creating the store, so that it cannot even be opened."""
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))
    monkeypatch.setattr("noughts.match.recorder.RETRY_SECONDS", 0.0)
    monkeypatch.setattr("noughts.match.recorder.BUSY_SECONDS", 0.1)
    for module in ("noughts.match.recorder", "noughts.store.store"):
        monkeypatch.setattr(f"{module}.Store", partial(Store, busy_seconds=0.1))
    with closing(sqlite3.connect(store_path(), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield other


def test_store_that_cannot_be_opened_at_first_saves_all_moves_later(
    being_made: sqlite3.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    session = begin_session(open_recorder())
    for move in ("b2", "a1"):
        receive(session, move)
    assert "the game cannot be saved at the moment" in capsys.readouterr().err
    being_made.execute("ROLLBACK")
    receive(session, "c3")
    assert "the game is saved again, with all its moves" in capsys.readouterr().err
    receive(session, "a3")
    with Store() as store:
        assert store.get(1).moves == tuple(session.position.moves)


def test_store_that_cannot_be_opened_before_the_end_saves_the_game_then(being_made: sqlite3.Connection) -> None:
    session = begin_session(open_recorder())
    for move in ("a1", "a2", "b1", "b2", "c1"):
        receive(session, move)
    being_made.execute("ROLLBACK")
    close(session)
    with Store() as store:
        outcome = store.get(1).summary.outcome
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (Side.X, "line")


def test_store_that_can_never_be_opened_loses_only_what_was_played(
    being_made: sqlite3.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    open_recorder().close()
    assert "lost" not in capsys.readouterr().err
    session = begin_session(open_recorder())
    receive(session, "b2")
    session.leave(LeaveReason.QUIT)
    close(session)
    assert "moves that could not be saved are lost" in capsys.readouterr().err


def test_whole_games_played_while_another_program_writes_are_saved_at_the_end(
    store: Store, locked: sqlite3.Connection
) -> None:
    warnings: list[str] = []
    session = begin_session(Recorder(store, warnings.append))
    locked.execute("BEGIN IMMEDIATE")
    for line in ("a1", "a2", "b1", "b2", "c1", "new", "b2"):
        receive(session, line)
    locked.execute("ROLLBACK")
    session.leave(LeaveReason.QUIT)
    close(session)
    assert len(warnings) == 2
    with Store(store.path) as again:
        won, begun = again.get(1), again.get(2)
        assert won.summary.outcome is not None
        assert won.summary.outcome.winner is Side.X
        assert len(won.moves) == 5
        assert begun.moves == (4,)


def test_loss_of_moves_is_reported_at_the_end(store: Store, locked: sqlite3.Connection) -> None:
    warnings: list[str] = []
    session = begin_session(Recorder(store, warnings.append))
    locked.execute("BEGIN IMMEDIATE")
    receive(session, "b2")
    session.leave(LeaveReason.QUIT)
    close(session)
    assert len(warnings) == 2
    assert warnings[1] == "moves that could not be saved are lost"


def test_moves_of_another_session_are_not_forgotten_with_those_taken_back(
    store: Store, locked: sqlite3.Connection
) -> None:
    warnings: list[str] = []
    session = begin_session(Recorder(store, warnings.append))
    receive(session, "b2")
    receive(session, "a1")
    locked.execute("BEGIN IMMEDIATE")
    receive(session, "undo")
    locked.execute("ROLLBACK")
    store.add_move(1, 3, "X", 8)  # by another session that resumed the game
    receive(session, "c3")
    assert warnings[-1].startswith("the game is no longer saved: ")
    with Store(store.path) as again:
        assert again.get(1).moves == (4, 6, 8)


def test_undo_after_the_end_leaves_the_finished_game_and_begins_another(store: Store) -> None:
    warnings: list[str] = []
    session = begin_session(Recorder(store, warnings.append))
    for line in ("a1", "a2", "b1", "b2", "c1", "undo", "c3"):
        receive(session, line)
    first, second = store.get(1), store.get(2)
    assert first.summary.outcome is not None
    assert first.summary.outcome.winner is Side.X
    assert len(first.moves) == 5
    assert second.summary.outcome is None
    assert second.moves == tuple(session.position.moves)
    assert not warnings
    assert store.player_records("you", "3x3")[0].won == 1


def test_game_whose_moves_were_all_taken_back_is_not_listed(store: Store) -> None:
    session = begin_session(Recorder(store, warn=pytest.fail))
    receive(session, "b2")
    assert [summary.id for summary in store.list()] == [1]
    receive(session, "undo")
    assert store.list() == []
    receive(session, "a1")
    assert [summary.plies for summary in store.list()] == [1]


def timed_match(store: Store, time: ManualTime, control: str) -> Match:
    clock = Clock(TimeControl.parse(control), now=time)
    match = Match(Game("3x3").start(), {Side.X: "you", Side.O: "friend"}, clock=clock, now=time)
    match.subscribe(Recorder(store, warn=pytest.fail).record)
    match.start()
    return match


def test_resumed_match_continues_with_its_clocks_and_knows_the_earlier_ones(store: Store) -> None:
    time = ManualTime()
    match = timed_match(store, time, "1+2")
    for move, seconds in (("b2", 5), ("a1", 10)):
        time.pass_seconds(seconds)
        match.play(move)
    time.pass_seconds(7)
    match.suspend()
    resumed = resume_match(store.get(1))
    assert clocks_of(resumed) == (50, 52)
    assert resumed.clocks == [57, 52]
    resumed.take_back(1)
    resumed.pause()
    assert clocks_of(resumed) == pytest.approx((57, 60), abs=1)


def test_clocks_of_a_killed_match_are_those_after_its_last_moves(store: Store) -> None:
    time = ManualTime()
    match = timed_match(store, time, "1+2")
    time.pass_seconds(5)
    match.play("b2")
    time.pass_seconds(20)
    assert clocks_of(resume_match(store.get(1))) == (57, 60)
    match.suspend()
    assert clocks_of(resume_match(store.get(1))) == (57, 40)


def test_resumed_match_counts_the_moves_of_its_time_control(store: Store) -> None:
    time = ManualTime()
    match = timed_match(store, time, "2/1m")
    for move in ("b2", "a1", "c3"):
        time.pass_seconds(10)
        match.play(move)
    resumed = resume_match(store.get(1))
    limit = resumed.limit()
    assert limit is not None
    assert limit.clock is not None
    assert (limit.clock.left, limit.clock.moves_to_go) == ((100, 50), 1)


def test_resumed_match_is_saved_under_its_number(store: Store) -> None:
    time = ManualTime()
    match = timed_match(store, time, "1+2")
    match.play("b2")
    match.suspend()
    saved = store.get(1)
    resumed, recorder = resume_match(saved), Recorder(store, warn=pytest.fail, resumed=saved)
    resumed.subscribe(recorder.record)
    resumed.start()
    assert recorder.number == 1
    resumed.play("a1")
    assert store.get(1).moves == (4, 6)
    assert store.get(1).move_clocks[0] == 62


def test_finished_game_that_is_only_looked_at_is_not_saved_again(store: Store) -> None:
    game = Game("3x3")
    position = position_after(game, "b2", "a1")
    outcome = decide(position, "resign", Side.O)
    match = Match(position, {Side.X: "you", Side.O: "friend"}, outcome=outcome)
    match.subscribe(Recorder(store, warn=pytest.fail).record)
    match.start()
    match.change_players({Side.X: "friend", Side.O: "you"})
    match.suspend()
    assert store.list() == []
    match.take_back(1)
    match.play("c3")
    assert [summary.plies for summary in store.list()] == [2]


def test_moves_from_a_set_up_position_are_saved_with_their_sides(store: Store) -> None:
    match = Match(Game("3x3").parse("3/1x1/3 o"), {Side.X: "you", Side.O: "friend"})
    match.subscribe(Recorder(store, warn=pytest.fail).record)
    match.start()
    for move in ("a1", "c3", "a3"):
        match.play(move)
    sides = store.connection.execute("SELECT side FROM moves ORDER BY ply").fetchall()
    assert [row["side"] for row in sides] == ["O", "X", "O"]
    assert store.get(1).position() == match.position
