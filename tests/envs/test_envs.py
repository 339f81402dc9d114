"""The adapters pass the conformance tests of their libraries, and give what a single position gives."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

import noughts as no

IDS = ["3x3", "connect4", "4x4x4", "ultimate", "3x3+misere"]


@pytest.mark.parametrize(
    ("package", "module", "name"),
    [
        ("pettingzoo", "pettingzoo", "PettingZoo"),
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
    assert done.stdout == f"{name} is not installed: pip install 'noughts[{module}]'\n"


# --- PettingZoo ---------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("id", IDS)
def test_pettingzoo_passes_its_api_test(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from noughts.envs import pettingzoo

    api_test(pettingzoo.env(id, values=False), num_cycles=100)
    assert "Passed" in capsys.readouterr().out


def test_pettingzoo_agents_see_the_position_from_their_side() -> None:
    pytest.importorskip("pettingzoo")
    from noughts.envs import pettingzoo

    env = pettingzoo.env("3x3")
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
    from noughts.envs import pettingzoo

    env = pettingzoo.env("3x3")
    env.reset()
    assert env.last()[4] == {"value": 0, "regret": None}
    env.step(4)
    env.step(1)  # an edge loses
    assert env.infos == {"X": {"value": 1, "regret": 0}, "O": {"value": -1, "regret": 1}}
    for move in (0, 8, 6, 3, 2):
        env.step(move)
    assert env.terminations == {"X": True, "O": True}
    assert env.rewards == {"X": 1.0, "O": -1.0}
    assert env.infos["X"] == {"value": 1, "regret": 0}


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_illegal_move_loses() -> None:
    pytest.importorskip("pettingzoo")
    from noughts.envs import pettingzoo

    env = pettingzoo.env("3x3")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.terminations == {"X": True, "O": True}
    assert env.rewards["O"] == -1


# --- Gymnasium ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("side", ["X", "O"])
def test_gymnasium_passes_its_check(id: str, side: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import noughts.envs.gymnasium  # noqa: F401 - registers the environment

    env = gymnasium.make("noughts/Game-v0", game=id, side=side, opponent="random", values=False)
    check_env(env.unwrapped, skip_render_check=True)


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

    env = GameEnv("4x4:3", side, opponent, values=False)
    assert play_out(env, 5) == play_out(env, 5) == play_out(GameEnv("4x4:3", side, opponent, values=False), 5)


def test_gymnasium_info_has_exact_values() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv

    env = GameEnv("3x3", "X", "insane")
    _, info = env.reset(seed=1)
    assert (info["value"], info["regret"]) == (0, None)
    seen = play_out(env, 2)
    assert {value for _, _, value, _ in seen} <= {-1, 0, 1}
    assert {regret for _, _, _, regret in seen} <= {0, 1, 2}
    assert seen[-1][1] == seen[-1][2]


def test_gymnasium_illegal_move_loses_and_says_why() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv

    env = GameEnv("3x3", "X", "random")
    env.reset(seed=1)
    value = env.step(4)[4]["value"]
    _, reward, ended, _, info = env.step(4)
    assert (reward, ended) == (-1.0, True)
    assert info["illegal"] == "b2 is taken by X"
    assert (info["value"], info["regret"]) == (-1, value + 1)


def test_gymnasium_step_after_the_end_needs_a_reset() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv

    env = GameEnv("3x3", "X", "random", values=False)
    env.reset(seed=1)
    env.step(99)
    with pytest.raises(gymnasium.error.ResetNeeded, match="the playthrough is over: call reset before the next step"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(TypeError):
        env.step(cast(Any, 1.5))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"side": "Z"}, ValueError, "expected X or O as side, got 'Z'"),
        ({"opponent": 5}, TypeError, "expected a name or a player with choose as opponent, got int"),
        ({"values": "yes"}, TypeError, "expected values as True, False or a Limit, got str"),
        ({"render_mode": "rgb_array"}, ValueError, "expected ansi as render mode, got 'rgb_array'"),
        ({"game": None}, TypeError, "expected a Game, an id or the path of a game file, got NoneType"),
    ],
)
def test_gymnasium_refuses_nonsense_at_once(options: dict[str, Any], error: type[Exception], message: str) -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv

    with pytest.raises(error, match=message):
        GameEnv(**options)


def test_gymnasium_refuses_an_unknown_opponent() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameEnv

    with pytest.raises(ValueError, match="expected a level, a rating such as elo:1500 or random as opponent"):
        GameEnv("3x3", "X", "nobody")


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

    env = gymnasium.make_vec("noughts/Game-v0", num_envs=4, game="3x3", side="O", opponent=opponent)
    _, info = env.reset(seed=3)
    ends = 0
    for _ in range(20):
        _, _, ended, _, info = env.step(info["action_mask"].argmax(axis=1))
        ends += int(ended.sum())
    assert ends > 0
    env.close()


def test_vector_environment_against_a_level_follows_the_seed() -> None:
    pytest.importorskip("gymnasium")
    from noughts.envs.gymnasium import GameVectorEnv

    env = GameVectorEnv("4x4:3", 5, "O", "beginner")
    first = [env.reset(seed=8)[0].tolist()]
    again = [env.reset(seed=8)[0].tolist()]
    for seen in (first, again):
        _, info = env.reset(seed=8)
        for _ in range(10):
            observations, _, _, _, info = env.step(info["action_mask"].argmax(axis=1))
            seen.append(observations.tolist())
    assert first == again


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
