"""The adapters pass the conformance tests of their libraries, and give what a single position gives."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

import noughts as no
from noughts.players import open_player

IDS = ["3x3", "connect4", "4x4x4", "ultimate", "3x3+misere"]


@pytest.mark.parametrize(
    ("package", "module", "name"),
    [
        ("pettingzoo", "noughts_v0", "PettingZoo"),
        ("gymnasium", "gymnasium", "Gymnasium"),
        ("pyspiel", "openspiel", "OpenSpiel"),
    ],
)
def test_adapter_without_its_package_says_what_to_install(package: str, module: str, name: str) -> None:
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        f"try: import noughts.envs.{module}\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"{name} is not installed: python -m pip install 'noughts[{name.lower()}]'\n"


def test_positions_and_values_take_numbers_of_numpy() -> None:
    from noughts.analysis import ExactValues

    position, move = no.Game("connect4").start(), np.int64(38)
    assert position.is_legal(move)
    assert position.after(move).moves == [38]
    assert ExactValues().regret(position, move) == 0
    position.play(move)
    position.play_all(np.array([31, 24]))
    assert position.moves == [38, 31, 24]
    assert all(type(played) is int for played in position.moves)


def test_limits_engines_players_and_seeds_take_numbers_of_numpy() -> None:
    start = no.Game("3x3").start()
    limit = no.Limit(seconds=np.float32(0.5), depth=np.uint8(3), nodes=np.int64(400))
    assert limit == no.Limit(seconds=0.5, depth=3, nodes=400)
    assert [type(bound) for bound in limit[:3]] == [float, int, int]
    engine = no.Engine(np.int64(1), np.uint16(1), search="mcts", exploration=np.float32(2), seed=np.int64(3))
    assert len(engine.analyse(start, limit, lines=np.int8(2))) == 2
    assert no.Solver(start, np.int32(16), np.int8(1)).solve().value is no.Value.DRAW
    for name in ("random", "easy", "mcts:20"):
        assert open_player(name, seed=np.int64(7)).choose(start) == open_player(name, seed=7).choose(start)


def test_environments_take_seeds_of_numpy() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    import noughts.envs.gymnasium  # noqa: F401

    for make in (gymnasium.make, gymnasium.make_vec):
        given, expected = (make("noughts/TicTacToe-v0", side="O").reset(seed=seed) for seed in (np.int64(4), 4))
        assert (given[0] == expected[0]).all()


# --- PettingZoo ---------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("id", IDS)
def test_pettingzoo_passes_its_api_test(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from noughts.envs import noughts_v0

    api_test(noughts_v0.env(id), num_cycles=100)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("observation", ["planes", "float", "flat"])
def test_pettingzoo_passes_its_tests_with_columns(observation: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from noughts.envs import noughts_v0

    api_test(noughts_v0.env("connect4", actions="columns", observation=observation), num_cycles=100)
    assert "Passed" in capsys.readouterr().out
    seed_test(lambda: noughts_v0.env("connect4", actions="columns", observation=observation), num_cycles=50)


def test_pettingzoo_agents_see_the_position_from_their_side() -> None:
    pytest.importorskip("pettingzoo")
    from noughts.envs import noughts_v0

    env = noughts_v0.env("3x3")
    env.reset(seed=1)
    position = no.Game("3x3").start()
    for move in (4, 1, 0):
        assert env.agent_selection == position.turn
        observation, _, _, _, _ = env.last()
        assert (observation["observation"] == position.planes()).all()
        assert (observation["action_mask"] == position.legal_mask()).all()
        waiting = env.observe(no.Side(env.agent_selection).opponent)
        assert (waiting["observation"][:2] == position.planes()[1::-1]).all()
        assert not waiting["action_mask"].any()
        env.step(move)
        position.play(move)


def test_pettingzoo_info_has_values_and_regrets_of_each_agent() -> None:
    pytest.importorskip("pettingzoo")
    from noughts.envs import noughts_v0

    env = noughts_v0.env("3x3", values="solve")
    env.reset()
    assert env.last()[4] == {"value": 0, "regret": None}
    env.step(4)
    env.step(1)  # an edge loses
    assert env.infos == {"X": {"value": 1, "regret": 0}, "O": {"value": -1, "regret": 1}}
    for move in (0, 8, 6, 3, 2):
        env.step(move)
    assert env.terminations == {"X": True, "O": True}
    assert env.rewards == {"X": 1.0, "O": -1.0}
    assert env.infos == {
        "X": {"value": 1, "regret": 0, "known_steps": 4, "mean_known_regret": 0.0},
        "O": {"value": -1, "regret": 0, "known_steps": 3, "mean_known_regret": 1 / 3},
    }


@pytest.mark.parametrize(("move", "reason"), [(4, "b2 is taken by X"), (99, "there is no such cell")])
def test_pettingzoo_illegal_move_loses_and_says_why(move: int, reason: str) -> None:
    pytest.importorskip("pettingzoo")
    from noughts.envs import noughts_v0

    env = noughts_v0.env("3x3")
    env.reset()
    env.step(4)
    env.step(move)
    assert env.terminations == {"X": True, "O": True}
    assert env.truncations == {"X": False, "O": False}
    assert env.rewards == {"X": 1, "O": -1}
    assert reason in env.infos["O"]["illegal"]
    raises = noughts_v0.env("3x3", illegal="raise")
    raises.reset()
    raises.step(4)
    with pytest.raises(no.IllegalMove, match=reason):
        raises.step(move)
    raises.step(0)
    assert raises.agent_selection == "X"


def test_pettingzoo_begins_at_positions() -> None:
    pytest.importorskip("pettingzoo")
    from noughts.envs import noughts_v0

    env = noughts_v0.env("3x3", starts=["3/1x1/3 o", "3/3/3 x"])
    turns = []
    for _ in range(3):
        env.reset()
        turns.append(env.agent_selection)
    assert turns == ["O", "X", "O"]
    env.reset(options={"position": "xx1/oo1/3 x"})
    env.step(2)
    assert env.rewards == {"X": 1, "O": -1}


# --- Gymnasium ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("side", ["X", "O"])
def test_gymnasium_passes_its_check(id: str, side: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import noughts.envs.gymnasium  # noqa: F401 - registers the environment

    env = gymnasium.make("noughts/Game-v0", game=id, side=side)
    check_env(env.unwrapped, skip_render_check=True)


def test_gymnasium_passes_its_check_of_rendering() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import noughts.envs.gymnasium  # noqa: F401 - registers the environment

    env = gymnasium.make("noughts/ConnectFour-v0", side="O", observation="flat", render_mode="rgb_array")
    check_env(env.unwrapped)
    env.reset(seed=1)
    assert env.render().dtype == np.uint8


def play_out(env: Any, seed: int) -> list[tuple[list[int], float, Any, Any]]:
    """Play legal moves, the first of each position, and return what was seen."""
    planes, info = env.reset(seed=seed)
    seen: list[tuple[list[int], float, Any, Any]] = []
    ended = False
    while not ended:
        planes, reward, ended, _, info = env.step(int(info["action_mask"].argmax()))
        seen.append((planes.reshape(-1).tolist(), reward, info.get("value"), info.get("regret")))
    return seen


@pytest.mark.parametrize("side", ["X", "O", None])
@pytest.mark.parametrize("opponent", ["beginner", "easy", "random", "elo:900"])
def test_gymnasium_playthrough_follows_the_seed(side: str | None, opponent: str) -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv

    env = GameEnv("4x4:3", side, opponent)
    assert play_out(env, 5) == play_out(env, 5) == play_out(GameEnv("4x4:3", side, opponent), 5)


def test_gymnasium_info_has_exact_values() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv

    env = GameEnv("3x3", "X", "insane", values="solve")
    _, info = env.reset(seed=1)
    assert (info["value"], info["regret"]) == (0, None)
    seen = play_out(env, 2)
    assert {value for _, _, value, _ in seen} <= {-1, 0, 1}
    assert {regret for _, _, _, regret in seen} <= {0, 1, 2}
    assert seen[-1][1] == seen[-1][2]


def test_gymnasium_illegal_move_loses_and_says_why() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv

    env = GameEnv("3x3", values="solve")
    env.reset(seed=1)
    value = env.step(4)[4]["value"]
    _, reward, ended, _, info = env.step(4)
    assert (reward, ended) == (-1.0, True)
    assert info["illegal"] == "b2 is taken by X"
    assert (info["value"], info["regret"]) == (-1, value + 1)


def test_gymnasium_step_after_the_end_needs_a_reset() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv

    env = GameEnv("3x3")
    env.reset(seed=1)
    env.step(99)
    with pytest.raises(gymnasium.error.ResetNeeded, match="the playthrough is over: call reset before the next step"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(TypeError, match="expected action as a whole number, got float"):
        env.step(cast(Any, 1.5))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"side": "Z"}, ValueError, "expected X, O or None as side, got 'Z'"),
        ({"opponent": 5}, TypeError, "expected a name or a player with choose as opponent, got int"),
        ({"opponent": "nobody"}, ValueError, "expected a level, a rating such as elo:1500, random or self as opponent"),
        ({"values": "yes"}, ValueError, "expected values as False, 'book', 'solve' or a Limit, got 'yes'"),
        ({"values": True}, ValueError, "expected values as False, 'book', 'solve' or a Limit, got True"),
        ({"render_mode": "svg"}, ValueError, "expected ansi or human or rgb_array as render mode, got 'svg'"),
        ({"actions": "rows"}, ValueError, "expected actions as 'cells' or 'columns', got 'rows'"),
        ({"actions": "columns"}, ValueError, "expected a game of columns with gravity for .*, got '3x3'"),
        ({"observation": "bits"}, ValueError, "expected observation as 'planes', 'float' or 'flat', got 'bits'"),
        ({"illegal": "win"}, ValueError, "expected illegal as 'raise' or 'lose', got 'win'"),
        ({"starts": "xxx/oo1/3 -"}, ValueError, "expected a position that is not over"),
        ({"game": None}, TypeError, "expected a Game, an id or the path of a game file, got NoneType"),
    ],
)
def test_gymnasium_refuses_nonsense_at_once(options: dict[str, Any], error: type[Exception], message: str) -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv, GameVectorEnv

    with pytest.raises(error, match=message):
        GameEnv(**options)
    with pytest.raises(error, match=message.replace("or human ", "")):
        GameVectorEnv(**options)


def first_legal(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    moves: NDArray[np.int64] = masks.argmax(axis=1)
    return moves


@pytest.mark.parametrize("side", ["X", "O"])
@pytest.mark.parametrize("id", ["3x3", "connect4", "ultimate:2"])
def test_vector_environment_equals_single_positions(id: str, side: str) -> None:
    """The agent plays its last legal move, the opponent its first."""
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameVectorEnv

    game, agent = no.Game(id), no.Side(side)
    env = GameVectorEnv(game, 3, side, first_legal)
    observations, info = env.reset(seed=1)
    position = game.start()
    assert env.observation_space.contains(observations)
    for _ in range(60):
        if position.turn is not agent:
            position.play(position.legal_moves[0])
        assert (observations == position.planes()).all()
        assert (info["action_mask"] == position.legal_mask()).all()
        move = position.legal_moves[-1]
        observations, rewards, ended, truncated, info = env.step(np.full(3, move))
        position.play(move)
        if not position.is_over:
            position.play(position.legal_moves[0])
        assert (ended == position.is_over).all()
        assert not truncated.any()
        winner = position.winner
        assert (rewards == (0 if winner is None else 1 if winner is agent else -1)).all()
        if position.is_over:
            final = info["final_obs"][1]
            assert (final[0] == np.array([mark == agent for mark in position.cells]).reshape(final[0].shape)).all()
            position = game.start()


@pytest.mark.parametrize("opponent", ["random", "beginner"])
def test_vector_environment_plays_against_names(opponent: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    import noughts.envs.gymnasium  # noqa: F401 - registers the environment

    env = gymnasium.make_vec("noughts/TicTacToe-v0", num_envs=4, side="O", opponent=opponent)
    _, info = env.reset(seed=3)
    ends = 0
    for _ in range(20):
        _, _, ended, _, info = env.step(info["action_mask"].argmax(axis=1))
        ends += int(ended.sum())
    assert ends > 0
    env.close()


def episodes(env: Any, steps: int, seed: int) -> list[Any]:
    """Play legal actions, the last of each position, and return all that was seen."""
    observations, info = env.reset(seed=seed)
    seen = [observations.tolist()]
    for _ in range(steps):
        actions = info["action_mask"].shape[1] - 1 - info["action_mask"][:, ::-1].argmax(axis=1)
        observations, rewards, ended, _, info = env.step(actions)
        seen += [observations.tolist(), rewards.tolist(), ended.tolist(), info["side"].tolist()]
    return seen


@pytest.mark.parametrize("opponent", ["random", "beginner", "self", ["random", "beginner", first_legal]])
@pytest.mark.parametrize("side", ["X", None])
def test_vector_environment_follows_the_seed(opponent: Any, side: str | None) -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameVectorEnv

    env, twin = (GameVectorEnv("4x4:3", 5, side, opponent) for _ in range(2))
    assert episodes(env, 12, 8) == episodes(env, 12, 8) == episodes(twin, 12, 8)
    if opponent != "self":
        assert episodes(env, 12, 8) != episodes(env, 12, 9)


def test_vector_environment_draws_sides_for_each_episode() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameVectorEnv

    env = GameVectorEnv("3x3", 200, None)
    observations, info = env.reset(seed=1)
    assert 60 < info["side"].sum() < 140
    before = info["side"]
    while True:
        assert (observations[:, 0].sum((1, 2)) == observations[:, 1].sum((1, 2)) - info["side"]).all()
        observations, _, ended, _, info = env.step(info["action_mask"].argmax(axis=1))
        assert (before == info["side"])[~ended].all()
        if ended.sum() > 20:
            break
        before = info["side"]
    assert (before != info["side"])[ended].any()


@pytest.mark.parametrize("id", ["3x3", "3x3+misere", "connect4"])
def test_agent_that_plays_itself_sees_each_position_as_the_side_to_move(id: str) -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv, GameVectorEnv

    game = no.Game(id)
    many, one = GameVectorEnv(game, 2, opponent="self", statistics=True), GameEnv(game, opponent="self")
    observations, info = many.reset(seed=1)
    observation, _ = one.reset(seed=1)
    position, plies = game.start(), 0
    chance = np.random.default_rng(5)
    for _ in range(100):
        mover = position.side_to_move
        assert info["side"].tolist() == [mover.number] * 2
        assert (observations == position.planes()).all()
        assert (observation == position.planes()).all()
        move = int(chance.choice(position.legal_moves))
        position.play(move)
        plies += 1
        observations, rewards, ended, _, info = many.step(np.full(2, move))
        observation, reward, is_over, _, _ = one.step(move)
        expected = 0 if position.winner is None else 1 if position.winner is mover else -1
        assert rewards.tolist() == [expected] * 2
        assert (reward, is_over) == (expected, position.is_over)
        assert ended.tolist() == [position.is_over] * 2
        if position.is_over:
            assert (observation == info["final_obs"][0]).all()
            result = {no.Side.X: 1, no.Side.O: -1, None: 0}[position.winner]
            assert info["episode"]["r"].tolist() == [result] * 2
            assert info["episode"]["l"].tolist() == [plies] * 2
            position, plies = game.start(), 0
            observation, _ = one.reset()


def test_agent_that_plays_itself_learns_never_to_lose() -> None:
    """Q-learning in a table from random self-play: the next position is the opponent's, so its value is subtracted."""
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameVectorEnv

    def state_of(observations: NDArray[np.float32]) -> NDArray[np.int64]:
        marks = observations[:, :9] + 2 * observations[:, 9:18]
        return (marks @ 3 ** np.arange(9)).astype(np.int64)

    values = np.zeros((3**9, 9))
    envs = GameVectorEnv("3x3", 1000, opponent="self", observation="flat", threads=1)
    chance = np.random.default_rng(1)
    observations, info = envs.reset(seed=1)
    for _ in range(600):
        states, legal = state_of(observations), info["action_mask"]
        values[states] = np.where(legal, values[states], -np.inf)
        actions = (legal * chance.random(legal.shape)).argmax(axis=1)
        observations, rewards, ended, _, info = envs.step(actions)
        following = np.where(info["action_mask"], values[state_of(observations)], -np.inf).max(axis=1)
        values[states, actions] = np.where(ended, rewards, -following)
    against = GameVectorEnv("3x3", 1000, None, observation="flat", statistics=True, threads=1)
    observations, info = against.reset(seed=2)
    results: list[float] = []
    for _ in range(20):
        observations, _, _, _, info = against.step(values[state_of(observations)].argmax(axis=1))
        if "episode" in info:
            results += info["episode"]["r"][info["_episode"]].tolist()
    assert len(results) > 3000
    assert min(results) == 0
    assert np.mean(results) > 0.8


def test_statistics_are_those_of_gymnasium() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameVectorEnv

    ours = GameVectorEnv("3x3", 6, None, statistics=True)
    theirs = gymnasium.wrappers.vector.RecordEpisodeStatistics(GameVectorEnv("3x3", 6, None))
    _, info = ours.reset(seed=2)
    theirs.reset(seed=2)
    ends = 0
    for _ in range(30):
        actions = info["action_mask"].argmax(axis=1)
        info, other = ours.step(actions)[4], theirs.step(actions)[4]
        assert ("episode" in info) == ("episode" in other)
        if "episode" in info:
            ends += 1
            assert (info["_episode"] == other["_episode"]).all()
            for key in ("r", "l"):
                assert (info["episode"][key] == other["episode"][key]).all()
            assert info["episode"]["t"].shape == (6,)
    assert ends > 3


def test_vector_environment_loses_or_raises_by_illegal_actions() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameVectorEnv

    lose, raises = (GameVectorEnv("3x3", 3, "X", first_legal, illegal=illegal) for illegal in ("lose", "raise"))
    for env in (lose, raises):
        env.reset(seed=1)
        env.step(np.full(3, 4))
    _, rewards, ended, _, info = lose.step(np.array([4, 1, 99]))
    assert rewards.tolist() == [-1, 0, -1]
    assert ended.tolist() == info["illegal"].tolist() == [True, False, True]
    assert (info["final_obs"][0] == no.Game("3x3").parse("o2/1x1/3 x").planes())[:2].all()
    with pytest.raises(no.IllegalMove, match="illegal move 4 at index 0: b2 is taken by X"):
        raises.step(np.array([4, 1, 99]))
    assert raises.step(np.array([1, 1, 1]))[1].tolist() == [0, 0, 0]


def test_illegal_move_of_an_opponent_is_an_error() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv, GameVectorEnv

    class Corner(FirstLegal):
        def choose(self, position: no.Position, limit: no.Limit | None = None) -> int:
            return 0

    one, many = GameEnv("3x3", "X", Corner()), GameVectorEnv("3x3", 2, "X", lambda observations, masks: [0, 0])
    one.reset(seed=1)
    many.reset(seed=1)
    with pytest.raises(no.IllegalMove, match="a3 is taken by X"):
        one.step(0)
    with pytest.raises(no.IllegalMove, match="illegal move 0 at index 0: a3 is taken by X"):
        many.step(np.zeros(2, np.int64))


@pytest.mark.parametrize("actions", [[1, 2], [1.0, 2.0, 3.0], None])
def test_actions_of_the_wrong_kind_are_refused(actions: Any) -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameVectorEnv

    env = GameVectorEnv("3x3", 3)
    env.reset(seed=1)
    with pytest.raises((TypeError, ValueError), match=r"expected (3 )?actions"):
        env.step(actions)


@pytest.mark.parametrize("id", ["connect4", "4x4x4+gravity"])
def test_columns_are_the_same_game_with_fewer_actions(id: str) -> None:
    """A vector, a single environment and positions, step by step; every column is tried, full ones too."""
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv, GameVectorEnv

    game = no.Game(id)
    floor = [cell for cell in range(game.cells) if not game.rests_on[cell]]
    many = GameVectorEnv(game, 2, opponent="self", actions="columns")
    one = GameEnv(game, opponent="self", actions="columns")
    chance, forfeits = np.random.default_rng(3), 0
    for _ in range(10):
        _, info = many.reset()
        one.reset()
        position, is_over = game.start(), False
        while not is_over:
            landings = [position.landing(cell) for cell in floor]
            assert info["action_mask"].tolist() == [[landing is not None for landing in landings]] * 2
            assert one.action_masks().tolist() == many.action_masks()[0].tolist()
            action = int(chance.integers(len(floor)))
            _, rewards, ended, _, info = many.step(np.full(2, action))
            _, reward, is_over, _, told = one.step(np.int64(action))
            assert rewards.tolist() == [reward] * 2
            assert ended.tolist() == [is_over] * 2
            landing = landings[action]
            if landing is None:
                forfeits += 1
                assert (reward, is_over) == (-1, True)
                assert "is taken by" in told["illegal"]
            else:
                position.play(landing)
                assert is_over == position.is_over
    if id == "connect4":
        assert forfeits > 0


def test_observations_have_the_form_that_was_asked_for() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv, GameVectorEnv

    planes = no.Game("connect4").start().planes()
    for kind, shape, dtype in (
        ("planes", (4, 6, 7), np.uint8),
        ("float", (4, 6, 7), np.float32),
        ("flat", (168,), np.float32),
    ):
        one, many = GameEnv("connect4", observation=kind), GameVectorEnv("connect4", 3, observation=kind)
        for env, observation in ((one, one.reset(seed=1)[0]), (many, many.reset(seed=1)[0])):
            assert env.observation_space.contains(observation)
            assert observation.dtype == dtype
            assert (observation.reshape(-1, 168) == planes.reshape(168)).all()
        assert one.observation_space.shape == many.single_observation_space.shape == shape
        final = [many.step(np.full(3, 99))[4]["final_obs"] for _ in range(1)]
        assert final[0].shape == (3, *shape)


def test_opponent_that_is_a_function_sees_what_the_agent_sees() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameVectorEnv

    shapes = set()

    def last_column(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        shapes.add((observations.shape, observations.dtype, masks.shape, masks.dtype))
        return np.full(len(masks), 6)

    env = GameVectorEnv("connect4", 2, "X", last_column, actions="columns", observation="flat")
    env.reset(seed=1)
    for _ in range(3):
        assert env.step(np.zeros(2, np.int64))[1].tolist() == [0, 0]
    assert env.step(np.zeros(2, np.int64))[1].tolist() == [1, 1]
    assert shapes == {((2, 168), np.dtype("float32"), (2, 7), np.dtype("bool"))}


def test_episodes_begin_at_positions() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv, GameVectorEnv

    starts = ["xx1/oo1/3 x", "3/1x1/3 o"]
    one, many = GameEnv("3x3", opponent="self", starts=starts), GameVectorEnv("3x3", 2, opponent="self", starts=starts)
    first, second = (no.Game("3x3").parse(start).planes() for start in starts)
    for seed, expected in ((1, first), (None, second), (None, first), (1, first)):
        assert (one.reset(seed=seed)[0] == expected).all()
        assert (many.reset(seed=seed)[0] == [first, second]).all()
    other = no.Game("3x3").parse("xo1/3/3 x")
    assert (one.reset(options={"position": other})[0] == other.planes()).all()
    assert (many.reset(options={"position": other.text})[0] == other.planes()).all()
    assert (many.reset()[0] == [first, second]).all()
    for env in (one, many):
        with pytest.raises(ValueError, match="expected a position that is not over"):
            env.reset(options={"position": "xxx/oo1/3 -"})
        with pytest.raises(TypeError, match="expected a position"):
            env.reset(options={"position": 7})
        with pytest.raises(ValueError, match="expected the options of a reset as 'position', got 'postion'"):
            env.reset(options={"postion": "3/1x1/3 o"})
    against = GameEnv("3x3", "X", "insane")
    planes, info = against.reset(options={"position": "xx1/1o1/3 o"})
    assert planes[1, 0, 2] == 1
    assert info["action_mask"].sum() == 5


def test_vector_environment_has_values_and_regrets_of_the_single_one() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv, GameVectorEnv

    many, one = (
        GameVectorEnv("3x3", 2, "X", first_legal, values="solve"),
        GameEnv("3x3", "X", FirstLegal(), values="solve"),
    )
    info, told = many.reset(seed=1)[1], one.reset(seed=1)[1]
    ends = 0
    for _ in range(20):
        assert info["_value"].all()
        assert info["value"].tolist() == [told["value"]] * 2
        move = int(told["action_mask"].nonzero()[0][-1])
        _, _, ended, _, info = many.step(np.full(2, move))
        _, _, is_over, _, told = one.step(move)
        assert ended.all() == is_over
        assert info["_regret"].all()
        assert info["regret"].tolist() == [told["regret"]] * 2
        if is_over:
            ends += 1
            for key in ("known_steps", "mean_known_regret"):
                assert info[f"_{key}"].all()
                assert np.allclose(info[key], told[key])
            assert told["known_steps"] > 2
            _, told = one.reset()
    assert ends > 2


class FirstLegal:
    """Plays the first legal move."""

    name = "first legal"

    def choose(self, position: no.Position, limit: no.Limit | None = None) -> int:
        return position.legal_moves[0]


def test_values_of_the_book_are_looked_up_only() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv, GameVectorEnv

    env = GameEnv("connect4", values="book")
    assert env.reset(seed=1)[1]["value"] == 1
    quiet = "7/7/7/7/3o3/xo1x1xo x"
    assert env.reset(options={"position": quiet})[1]["value"] is None
    many = GameVectorEnv("connect4", 2, opponent="self", values="book")
    assert many.reset(options={"position": ["7/7/7/7/7/7 x", quiet]})[1]["_value"].tolist() == [True, False]
    assert "value" not in GameEnv("3x3").reset(seed=1)[1]


def test_mean_regret_is_that_of_known_steps() -> None:
    from noughts.envs.episode import mean_known_regret

    assert mean_known_regret([0, None, 2, 1]) == (3, 1.0)
    assert mean_known_regret([None]) == (0, None)


@pytest.mark.parametrize("id", ["TicTacToe", "ConnectFour", "Qubic", "ScoreFour", "Gomoku", "Ultimate"])
def test_every_game_has_an_id_for_one_and_for_many(id: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    import noughts.envs.gymnasium  # noqa: F401 - registers the environments

    one, many = gymnasium.make(f"noughts/{id}-v0"), gymnasium.make_vec(f"noughts/{id}-v0", num_envs=2)
    assert one.observation_space == many.single_observation_space
    assert one.action_space == many.single_action_space
    sizes = {"TicTacToe": 9, "ConnectFour": 7, "Qubic": 64, "ScoreFour": 16, "Gomoku": 225, "Ultimate": 81}
    assert one.action_space.n == sizes[id]
    one.reset(seed=1)
    assert one.get_wrapper_attr("action_masks")().dtype == np.bool_
    many.close()


def test_environments_render_text_and_pixels(capsys: pytest.CaptureFixture[str]) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv, GameVectorEnv

    one = GameEnv("3x3", opponent="self", render_mode="rgb_array")
    one.reset(seed=1)
    empty = cast(Any, one.render())
    one.step(4)
    assert empty.shape == cast(Any, one.render()).shape == (181, 192, 3)
    assert (empty != one.render()).any()
    text = gymnasium.make_vec("noughts/TicTacToe-v0", num_envs=2, render_mode="ansi")
    text.reset(seed=1)
    assert text.render() == (no.Game("3x3").start().draw(),) * 2
    many = GameVectorEnv("3x3", 2, opponent="self", render_mode="rgb_array")
    many.reset(seed=1)
    many.step(np.full(2, 4))
    assert (np.stack(cast(Any, many.render())) == one.render()).all()
    printing = GameEnv("3x3", render_mode="human")
    printing.reset(seed=1)
    assert capsys.readouterr().out == no.Game("3x3").start().draw() + "\n"


@pytest.mark.parametrize("id", ["3x3", "connect4", "4x4x4", "ultimate", "15x15:5"])
def test_pixels_have_the_colours_of_the_marks(id: str) -> None:
    from noughts.envs.pixels import pixels

    def count(colour: tuple[int, int, int]) -> int:
        return int((pixels(position) == colour).all(axis=2).sum())

    blue, vermilion, position = (0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00), no.Game(id).start()
    assert (count(blue), count(vermilion)) == (0, 0)
    position.play(position.legal_moves[-1])
    assert count(blue) > 20
    position.play(position.legal_moves[0])
    assert count(vermilion) > 20


# --- OpenSpiel ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", [*IDS, "4x4x4+gravity"])
def test_openspiel_plays_the_same_game(id: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from noughts.envs import openspiel

    openspiel.register()
    game = pyspiel.load_game(f"noughts(game={id})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    state, position = game.new_initial_state(), no.Game(id).start()
    chance = np.random.default_rng(1)
    while not position.is_over:
        assert state.current_player() == position.side_to_move.number
        assert state.legal_actions() == position.legal_moves
        assert (np.array(state.observation_tensor(state.current_player())) == position.planes().reshape(-1)).all()
        move = int(chance.choice(position.legal_moves))
        state.apply_action(move)
        position.play(move)
    assert state.is_terminal()
    assert state.returns()[0] == {no.Side.X: 1, no.Side.O: -1, None: 0}[position.winner]


def test_openspiel_algorithms_work() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import mcts, minimax

    from noughts.envs import openspiel  # noqa: F401 - registers the game

    game = pyspiel.load_game("noughts(game=3x3)")
    state = game.new_initial_state()
    for action in (4, 1, 0, 8):
        state.apply_action(action)
    assert minimax.alpha_beta_search(game, state)[0] == 1.0
    bot = mcts.MCTSBot(game, 2.0, 200, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), solve=True)
    after = state.child(bot.step(state))
    assert minimax.alpha_beta_search(game, after, maximizing_player_id=0)[0] == 1.0
    small = pyspiel.load_game("noughts(game=2x2)")
    assert pyspiel.exploitability(small, pyspiel.UniformRandomPolicy(small)) >= 0


def test_openspiel_reports_an_unknown_game() -> None:
    code = "import pyspiel\nfrom noughts.envs import openspiel\npyspiel.load_game('noughts(game=renju)')"
    pytest.importorskip("pyspiel")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "renju" in done.stderr


def test_openspiel_states_begin_at_a_text() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import minimax

    from noughts.envs import openspiel  # noqa: F401 - registers the game

    game = pyspiel.load_game("noughts(game=3x3)")
    state = game.new_initial_state("xx1/oo1/3 x")
    assert (str(state), state.current_player(), state.history()) == ("xx1/oo1/3 x", 0, [])
    assert str(game.new_initial_state(str(state.child(8)))) == "xx1/oo1/2x o"
    assert str(state.clone()) == "xx1/oo1/3 x"
    assert minimax.alpha_beta_search(game, state)[0] == 1.0
    with pytest.raises(ValueError, match="expected"):
        game.new_initial_state("nonsense")


def test_openspiel_has_columns() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from noughts.envs import openspiel  # noqa: F401 - registers the game

    game = pyspiel.load_game("noughts(game=connect4,actions=columns)")
    assert game.num_distinct_actions() == 7
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    state, theirs = game.new_initial_state(), pyspiel.load_game("connect_four").new_initial_state()
    chance = np.random.default_rng(2)
    while not theirs.is_terminal():
        assert state.legal_actions() == theirs.legal_actions()
        action = int(chance.choice(theirs.legal_actions()))
        for each in (state, theirs):
            each.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == theirs.returns()
