"""Batches: the same as single positions, move by move; deterministic with any number of threads."""

from __future__ import annotations

import os
import pickle
import random
import threading
from contextlib import suppress
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

import noughts as no
from noughts.envs import Batch
from paths import ROOT
from plays import fano, tower

IDS = [
    "3x3",
    "3x3+misere",
    "4x4+wrap",
    "5x5:4+exact",
    "7x6:4+gravity",
    "4x4x4",
    "4x4x4+gravity",
    "15x15:5",
    "ultimate:2",
    "ultimate:3",
    "ultimate:3+count",
    "ultimate:3+open",
    "ultimate:3+misere",
]
GAMES = [*map(no.Game, IDS), fano(), tower()]
SIZE = 70


def reward(position: no.Position, mover: no.Side) -> int:
    return 0 if position.winner is None else 1 if position.winner is mover else -1


def arrays(batch: Batch) -> list[NDArray[np.generic]]:
    return [array.copy() for array in (*batch.state, batch.final_observations)]


def assert_same(a: Batch, b: Batch) -> None:
    for left, right in zip(arrays(a), arrays(b), strict=True):
        assert (left == right).all()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_batch_equals_single_positions_move_by_move(game: no.Game) -> None:
    chance = random.Random(game.id)
    batch = Batch(game, SIZE, seed=1, threads=2)
    positions = [game.start() for _ in range(SIZE)]
    for _ in range(2 * game.cells if game.cells < 100 else 130):
        moves = [chance.choice(position.legal_moves) for position in positions]
        step = batch.step(moves)
        for index, (position, move) in enumerate(zip(positions, moves, strict=True)):
            mover = position.side_to_move
            position.play(move)
            assert step.terminated[index] == position.is_over
            assert step.rewards[index] == reward(position, mover)
            if position.is_over:
                assert (batch.final_observations[index] == position.planes()).all()
                position = positions[index] = game.start()
            assert (step.observations[index] == position.planes()).all()
            assert (step.masks[index] == position.legal_mask()).all()
            assert step.to_move[index] == position.side_to_move.number
        index = chance.randrange(SIZE)
        assert batch.position(index) == positions[index]
        assert batch.position(index).moves == positions[index].moves


def test_random_moves_are_legal_and_follow_the_seed_with_any_number_of_threads() -> None:
    one, four = Batch("ultimate:3", 300, seed=5, threads=1), Batch("ultimate:3", 300, seed=5, threads=4)
    other = Batch("ultimate:3", 300, seed=6, threads=4)
    for _ in range(100):
        moves = one.random_moves()
        assert (moves == four.random_moves()).all()
        assert one.masks[np.arange(300), moves].all()
        one.step(moves)
        four.step(moves)
        assert_same(one, four)
    assert (other.random_moves() != Batch("ultimate:3", 300, seed=5).random_moves()).any()


def test_random_moves_are_uniform() -> None:
    counts = np.bincount(Batch("3x3", 90_000, seed=3).random_moves(), minlength=9)
    assert (abs(counts - 10_000) < 500).all()


def test_reset_with_the_seed_repeats_everything() -> None:
    batch = Batch("connect4", 20, seed=11)
    first = [batch.random_moves().tolist() for _ in range(3)]
    batch.step(batch.random_moves())
    step = batch.reset(seed=11)
    assert [batch.random_moves().tolist() for _ in range(3)] == first
    assert not step.observations[:, :2].any()
    assert not step.terminated.any()


def test_illegal_move_names_its_index_and_plays_nothing() -> None:
    batch = Batch("connect4", 100, seed=1, threads=1)
    batch.step(np.full(100, 38))
    before = arrays(batch)
    moves = batch.random_moves()
    moves[17] = 38
    moves[60] = 99
    with pytest.raises(no.IllegalMove, match=r"^illegal move 38 at index 17: d1 is taken by X$"):
        batch.step(moves)
    moves[17] = -1
    with pytest.raises(no.IllegalMove, match=r"^illegal move -1 at index 17: there is no such cell"):
        batch.step(moves)
    assert all((left == right).all() for left, right in zip(before, arrays(batch), strict=True))


@pytest.mark.parametrize(
    ("moves", "error", "message"),
    [
        ([1.0, 2.0], TypeError, "expected moves as integers, got float64"),
        ([1], ValueError, r"expected 2 moves, got an array of shape \(1,\)"),
        (np.array([2**63, 0], np.uint64), no.IllegalMove, "illegal move 9223372036854775808 at index 0"),
        (None, TypeError, "expected moves as integers, got object"),
    ],
)
def test_moves_of_the_wrong_kind_are_refused(moves: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Batch("3x3", 2, seed=1).step(np.asarray(moves))


def test_tampering_with_a_mask_does_not_make_a_move_legal() -> None:
    batch = Batch("3x3", 2, seed=1)
    batch.step([4, 4])
    batch.masks[:] = True
    with pytest.raises(no.IllegalMove, match="at index 0"):
        batch.step([4, 0])


def test_moves_that_lie_in_the_memory_of_the_batch_are_read_before_it_is_written() -> None:
    """The step overwrites the observations, and with them the moves of later playthroughs."""
    batch, twin = Batch("3x3", 1000, seed=1), Batch("3x3", 1000, seed=1)
    for _ in range(20):
        moves = twin.random_moves()
        overlaid = batch.observations.reshape(-1).view(np.int64)[:1000]
        overlaid[:] = moves
        batch.step(overlaid)
        twin.step(moves)
        assert_same(batch, twin)


def test_flags_of_active_playthroughs_may_lie_in_the_memory_of_the_batch() -> None:
    batch, twin = Batch("3x3", 200, seed=1), Batch("3x3", 200, seed=1)
    for _ in range(20):
        moves, active = twin.random_moves(), twin.random_moves() % 2 == 0
        overlaid = batch.masks.reshape(-1)[:200]
        overlaid[:] = active
        batch.step(np.where(active, moves, -1), overlaid)
        twin.step(moves, active)
        assert (batch.observations == twin.observations).all()


def test_only_active_playthroughs_move() -> None:
    batch = Batch("3x3", 3, seed=1)
    batch.step([0, 1, 2])
    before = arrays(batch)
    step = batch.step([99, 5, 99], active=np.array([False, True, False]))
    assert step.to_move.tolist() == [1, 0, 1]
    for index in (0, 2):
        assert (step.observations[index] == before[0][index]).all()
    numbers: Any = np.ones(3, np.int64)
    with pytest.raises(TypeError, match="expected a contiguous array of bool"):
        batch.step([3, 3, 3], active=numbers)


def test_views_stay_the_same_and_the_batch_lives_as_long_as_they_do() -> None:
    batch = Batch("3x3", 2, seed=1)
    observations = batch.observations
    assert batch.step([0, 4]).observations is observations
    assert batch.reset().observations is observations
    batch.step([0, 4])
    del batch
    assert observations[:, 1].reshape(2, 9).argmax(axis=1).tolist() == [0, 4]


def test_dlpack_shares_the_memory() -> None:
    batch = Batch("3x3", 4, seed=1)
    for array in (*batch.state, batch.final_observations):
        assert array.ctypes.data % 64 == 0
        assert np.shares_memory(np.from_dlpack(array), array)
    torch = pytest.importorskip("torch")
    shared = torch.from_dlpack(batch.observations)
    batch.step([4] * 4)
    assert shared.sum().item() == 4 * (1 + 8 + 1)


def test_clone_continues_alike_and_alone() -> None:
    batch = Batch("3x3x3", 50, seed=2)
    for _ in range(5):
        batch.step(batch.random_moves())
    twin = batch.clone()
    assert_same(batch, twin)
    before = arrays(batch)
    moves = twin.random_moves()
    twin.step(moves)
    assert all((left == right).all() for left, right in zip(before, arrays(batch), strict=True))
    assert (batch.random_moves() == moves).all()


@pytest.mark.parametrize("game", [no.Game("ultimate:3"), no.Game("7x6:4+gravity"), tower()], ids=lambda game: game.id)
def test_saved_batch_is_restored_exactly(game: no.Game) -> None:
    batch = Batch(game, 40, seed=4)
    while not batch.terminated.any():
        batch.step(batch.random_moves())
    saved, expected = batch.save(), batch.clone()
    batch.step(batch.random_moves())
    views = batch.observations
    assert batch.restore(saved).observations is views
    ended = batch.terminated
    assert (batch.final_observations[ended] == expected.final_observations[ended]).all()
    restored: Batch = pickle.loads(pickle.dumps(expected))
    for _ in range(20):
        assert [array.tolist() for array in batch.state] == [array.tolist() for array in expected.state]
        assert (batch.random_moves() == expected.random_moves()).all()
        moves = restored.random_moves()
        for each in (batch, expected, restored):
            each.step(moves)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e30, -2.0, 0.5])
def test_rewards_that_no_step_writes_are_not_saved(value: float) -> None:
    batch = Batch("3x3", 5, seed=1)
    batch.rewards[3] = value
    with pytest.raises(ValueError, match=r"expected rewards of -1, 0 or 1 to save, got .* in playthrough 3"):
        batch.save()
    batch.rewards[3] = -1
    assert Batch("3x3", 5).restore(batch.save()).rewards[3] == -1


def test_ends_that_no_step_writes_are_not_saved() -> None:
    batch = Batch("3x3", 5, seed=1)
    batch.terminated.view(np.uint8)[2] = 7
    with pytest.raises(ValueError, match="expected terminated to be 0 or 1 to save, got 7 in playthrough 2"):
        batch.save()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda saved: b"", "expected a saved batch of version 2"),
        (lambda saved: saved[:-1], "expected a whole saved batch, but it ends early"),
        (lambda saved: saved + b"x", "expected the end of the saved batch, but more follows"),
        (lambda saved: Batch("4x4", 5).save(), "expected a saved batch of this game, got one of another"),
        (lambda saved: Batch("3x3", 6).save(), "expected a batch of the same size"),
        (lambda saved: Batch("3x3", 5, starts="3/1x1/3 o").save(), "expected a batch with the same starts"),
    ],
    ids=["empty", "short", "long", "another game", "another size", "other starts"],
)
def test_damaged_save_is_refused_and_loses_nothing(spoil: object, message: str) -> None:
    batch = Batch("3x3", 5, seed=1)
    batch.step(batch.random_moves())
    before = batch.save()
    assert callable(spoil)
    with pytest.raises(ValueError, match=message):
        batch.restore(spoil(before))
    assert batch.save() == before


def test_flipped_bytes_never_crash() -> None:
    batch = Batch("3x3", 3, seed=1)
    for _ in range(8):
        batch.step(batch.random_moves())
    saved = batch.save()
    for place in range(len(saved)):
        with suppress(ValueError):
            batch.restore(saved[:place] + bytes([saved[place] ^ 0xFF]) + saved[place + 1 :])
        batch.step(batch.random_moves())


STARTS = {
    "3x3": ["3/1x1/3 o", "xo1/3/3 x", "3/3/3 x"],
    "7x6:4+gravity": ["7/7/7/7/7/3x3 o", "7/7/7/7/3o3/3x3 x"],
    "ultimate:3": ["9/9/9/9/4x4/9/9/9/9 o 5", "9/9/9/9/9/9/9/9/9 x -", "x8/9/9/9/9/9/9/9/9 o 1"],
}


@pytest.mark.parametrize("id", STARTS)
def test_batch_from_starts_equals_single_positions_move_by_move(id: str) -> None:
    """Playthrough i begins at start i, then at start i + n, and so on."""
    game, starts, n = no.Game(id), STARTS[id], 4
    chance = random.Random(id)
    batch = Batch(game, n, seed=1, starts=starts)
    numbers = [index % len(starts) for index in range(n)]
    positions = [game.parse(starts[number]) for number in numbers]
    for _ in range(150):
        for index, position in enumerate(positions):
            assert (batch.observations[index] == position.planes()).all()
            assert (batch.masks[index] == position.legal_mask()).all()
            assert batch.to_move[index] == position.side_to_move.number
            copied = batch.position(index)
            assert (copied, copied.moves, copied.start_text) == (position, position.moves, position.start_text)
        moves = [chance.choice(position.legal_moves) for position in positions]
        ended = batch.step(moves).terminated
        for index, (position, move) in enumerate(zip(positions, moves, strict=True)):
            position.play(move)
            assert ended[index] == position.is_over
            if position.is_over:
                numbers[index] = (numbers[index] + n) % len(starts)
                positions[index] = game.parse(starts[numbers[index]])


def test_starts_are_kept_by_resets_copies_and_pickles() -> None:
    batch = Batch("3x3", 5, seed=1, starts=STARTS["3x3"])
    for _ in range(7):
        batch.step(batch.random_moves())
    restored: Batch = pickle.loads(pickle.dumps(batch))
    assert [array.tolist() for array in restored.state] == [array.tolist() for array in batch.state]
    for twin in (restored, batch.clone()):
        assert [start.text for start in twin.starts] == STARTS["3x3"]
        for _ in range(20):
            twin.step(twin.random_moves())
        assert twin.reset().to_move.tolist() == [1, 0, 0, 1, 0]
    assert batch.reset(starts=no.Game("3x3").parse("3/1x1/3 o")).to_move.tolist() == [1] * 5
    assert batch.reset().to_move.tolist() == [1] * 5


def test_playthroughs_that_are_given_up_begin_again() -> None:
    batch = Batch("3x3", 3, seed=1, starts=STARTS["3x3"])
    batch.step([0, 4, 4])
    before = arrays(batch)
    step = batch.restart(np.array([True, False, True]))
    assert [batch.position(index).text for index in (0, 2)] == ["3/1x1/3 o", "3/3/3 x"]
    assert (step.observations[1] == before[0][1]).all()
    assert (step.rewards == before[2]).all()


@pytest.mark.parametrize(
    ("starts", "error", "message"),
    [
        ([], ValueError, "expected at least one start, got none"),
        ("xxx/oo1/3 -", ValueError, "expected a position that is not over, got 'xxx/oo1/3 -'"),
        (no.Game("4x4").start(), ValueError, "expected a position of 3x3, got one of 4x4"),
        ([4], TypeError, "expected a position or a position string as start, got int"),
        (4, TypeError, "expected a position, a position string or several as starts, got int"),
        ("nonsense", ValueError, "expected"),
    ],
)
def test_impossible_starts_are_refused(starts: Any, error: type[Exception], message: str) -> None:
    batch = Batch("3x3", 2, seed=1)
    with pytest.raises(error, match=message):
        batch.reset(starts=starts)
    with pytest.raises(error, match=message):
        Batch("3x3", 2, starts=starts)
    assert batch.step([0, 1]).to_move.tolist() == [1, 1]


def test_moves_before_a_start_are_forgotten() -> None:
    position = no.Game("3x3").start()
    position.play(4)
    batch = Batch("3x3", 1, starts=position)
    assert (batch.position(0).text, batch.position(0).moves) == ("3/1x1/3 o", [])
    assert not batch.observations[0, 3].any()


def test_random_rollouts_leave_the_batch_and_agree_with_play() -> None:
    batch = Batch("3x3", 20_000, seed=9)
    before = batch.clone()
    results = batch.rollout()
    for left, right in zip(arrays(batch), arrays(before), strict=True):
        assert (left == right).all()
    # Random play on 3x3: X wins 58.5%, O 28.8%, the rest are draws.
    assert abs((results == 1).mean() - 0.585) < 0.02
    assert abs((results == -1).mean() - 0.288) < 0.02
    assert (batch.rollout() != results).any()


def test_rollout_by_a_function_gives_results_for_the_side_to_move() -> None:
    batch = Batch("3x3", 2, seed=1)
    batch.step([0, 4])

    def first_legal(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        moves: NDArray[np.int64] = masks.argmax(axis=1)

        return moves

    expected = []
    for index in range(2):
        position = batch.position(index)
        while not position.is_over:
            position.play(position.legal_moves[0])
        expected.append(reward(position, no.Side.O))
    assert batch.rollout(first_legal).tolist() == expected
    assert batch.to_move.tolist() == [1, 1]


def test_unknown_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a function or 'random' as policy, got 'perfect'"):
        Batch("3x3", 1).rollout("perfect")


@pytest.mark.parametrize(("n", "threads"), [(0, 1), (-1, 1), (2_000_000, 1), (10**30, 1), (1, 0), (1, -1), (1, 1000)])
def test_impossible_sizes_are_refused(n: int, threads: int) -> None:
    with pytest.raises(ValueError, match=r"expected (n|threads) from 1 to"):
        Batch("3x3", n, threads=threads)


@pytest.mark.parametrize("name", ["n", "seed", "threads", "index"])
@pytest.mark.parametrize("value", [1.5, "3"])
def test_numbers_of_another_kind_are_refused_in_one_line(name: str, value: Any) -> None:
    numbers: dict[str, Any] = {"n": 3, "seed": 1, "threads": 1, "index": 0} | {name: value}
    index = numbers.pop("index")
    with pytest.raises(TypeError, match=rf"^expected {name} as a whole number, got {type(value).__name__}$"):
        Batch("3x3", **numbers).position(index)


def test_numbers_of_numpy_are_numbers() -> None:
    batch = Batch("3x3", np.int32(3), np.int64(5), threads=np.uint8(1))
    assert batch.random_moves().tolist() == Batch("3x3", 3, 5).random_moves().tolist()
    assert batch.reset(np.int64(5)) is batch.state
    assert batch.position(np.int64(2)).moves == []


@pytest.mark.parametrize("index", [-1, 3, 2**70])
def test_index_out_of_range_is_refused(index: int) -> None:
    with pytest.raises(ValueError, match=f"expected index from 0 to 2, got {index}"):
        Batch("3x3", 3).position(index)


def test_game_is_a_game_an_id_or_a_path() -> None:
    pyramid = ROOT / "examples" / "games" / "pyramid.json"
    assert Batch(pyramid, 2).game == Batch(str(pyramid), 2).game == no.find_game(str(pyramid))
    for other in (None, 5, no.Game("3x3").start()):
        with pytest.raises(TypeError, match="expected a Game, an id or the path of a game file, got "):
            Batch(cast(Any, other), 2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_batch_steps_in_the_child_of_a_fork() -> None:
    batch = Batch("3x3", 500, seed=1, threads=4)
    batch.step(batch.random_moves())
    child = os.fork()
    if child == 0:
        batch.step(batch.random_moves())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    batch.step(batch.random_moves())


def test_threads_of_python_cannot_use_a_batch_at_the_same_time() -> None:
    batch = Batch("15x15:5", 2000, seed=1, threads=1)
    errors: list[Exception] = []

    def roll_out() -> None:
        for _ in range(5):
            try:
                batch.rollout()
            except RuntimeError as error:
                errors.append(error)

    threads = [threading.Thread(target=roll_out) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert all(str(error) == "this batch is in use by another thread" for error in errors)
    batch.step(batch.random_moves())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_bits_unpack_to_planes(game: no.Game) -> None:
    planes, bits = Batch(game, 40, seed=1), Batch(game, 40, seed=1, observations="bits")
    assert bits.observations.shape == (40, len(planes.observations[0]), (game.cells + 7) // 8)
    ended = 0
    while ended < 40:
        moves = planes.random_moves()
        expected, found = planes.step(moves), bits.step(moves)
        for packed, array in (
            (found.observations, expected.observations),
            (bits.final_observations, planes.final_observations),
        ):
            unpacked = np.unpackbits(packed, axis=-1, count=game.cells, bitorder="little")
            assert (unpacked.reshape(array.shape) == array).all()
        for left, right in zip(arrays(planes)[1:-1], arrays(bits)[1:-1], strict=True):
            assert np.array_equal(left, right)
        ended += int(expected.terminated.sum())


def test_batch_without_observations_plays_the_same() -> None:
    planes, none = Batch("ultimate:3", 50, seed=2), Batch("ultimate:3", 50, seed=2, observations=None)
    assert none.observations.shape == none.final_observations.shape == (50, 0)
    for _ in range(150):
        for batch in (planes, none):
            batch.step(batch.random_moves())
        for left, right in zip(arrays(planes)[1:-1], arrays(none)[1:-1], strict=True):
            assert np.array_equal(left, right)
    assert none.rollout().tolist() == planes.rollout().tolist()


def test_bytes_of_a_step_depend_on_the_observations() -> None:
    kinds: list[str | None] = ["planes", "bits", None]
    sizes = [Batch("connect4", 10, observations=kind).bytes_per_step for kind in kinds]
    assert sizes == [4 * 42 + 42 + 6, 4 * 6 + 42 + 6, 42 + 6]


@pytest.mark.parametrize("kind", ["planes", "bits", None])
def test_batches_with_any_observations_are_copied_and_saved(kind: str | None) -> None:
    batch = Batch("3x3", 30, seed=4, observations=kind, illegal="lose")
    for _ in range(7):
        batch.step(batch.random_moves())
    copies = [batch.clone(), pickle.loads(pickle.dumps(batch))]
    other = Batch("3x3", 30, observations=kind)
    other.restore(batch.save())
    for twin in (*copies, other):
        for left, right in zip(arrays(batch)[:-1], arrays(twin)[:-1], strict=True):
            assert np.array_equal(left, right)
        ends = batch.terminated
        assert (twin.final_observations[ends] == batch.final_observations[ends]).all()
    for twin in copies:
        assert twin.step([99] * 30).rewards.tolist() == [-1] * 30
    with pytest.raises(ValueError, match="a batch with the same observations"):
        Batch("3x3", 30, observations="planes" if kind is None else None).restore(batch.save())


def test_illegal_move_that_loses_ends_its_playthrough_where_it_stands() -> None:
    batch = Batch("3x3", 4, seed=1, illegal="lose")
    batch.step([4, 4, 4, 4])
    step = batch.step([4, 0, -1, 2**40])
    assert step.terminated.tolist() == [True, False, True, True]
    assert step.rewards.tolist() == [-1, 0, -1, -1]
    assert step.to_move.tolist() == [0, 0, 0, 0]
    assert not step.observations[[0, 2, 3], :2].any()
    assert (batch.final_observations[0] == no.Game("3x3").parse("3/1x1/3 o").planes())[:3].all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"observations": "bytes"}, "expected observations as None, 'planes' or 'bits', got 'bytes'"),
        ({"observations": 0}, "expected observations as None, 'planes' or 'bits', got 0"),
        ({"illegal": "win"}, "expected illegal as 'raise' or 'lose', got 'win'"),
    ],
)
def test_unknown_options_of_a_batch_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        Batch("3x3", 2, **options)
