"""Learning programs as their users write them learn in the environments: a PPO in CleanRL's style, and MaskablePPO."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.slow
torch: Any = pytest.importorskip("torch")
gymnasium: Any = pytest.importorskip("gymnasium")

import noughts.envs.gymnasium  # noqa: E402, F401 - registers the environments

NUM_ENVS, NUM_STEPS, EPOCHS, MINIBATCHES = 64, 32, 4, 4
GAMMA, LAMBDA, CLIP, ENTROPY = 0.99, 0.95, 0.2, 0.01


def make_agent(inputs: int, actions: int) -> tuple[Any, Any]:
    def layers(out: int) -> Any:
        return torch.nn.Sequential(
            torch.nn.Linear(inputs, 64),
            torch.nn.Tanh(),
            torch.nn.Linear(64, 64),
            torch.nn.Tanh(),
            torch.nn.Linear(64, out),
        )

    return layers(actions), layers(1)


def distribution(actor: Any, observations: Any, masks: Any) -> Any:
    return torch.distributions.Categorical(logits=actor(observations).masked_fill(~masks, -1e8))


def train(envs: Any, iterations: int) -> tuple[Any, list[float]]:
    """Train by PPO and return the actor and the returns of all episodes."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    actor, critic = make_agent(envs.single_observation_space.shape[0], int(envs.single_action_space.n))
    optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-3)
    returns: list[float] = []
    seen, info = envs.reset(seed=1)
    for _ in range(iterations):
        rows = []
        for _ in range(NUM_STEPS):
            observations, masks = torch.as_tensor(seen), torch.as_tensor(info["action_mask"]).bool()
            with torch.no_grad():
                chosen = distribution(actor, observations, masks)
                actions, values = chosen.sample(), critic(observations)[:, 0]
            seen, rewards, ended, _, info = envs.step(actions.numpy())
            rows.append(
                (
                    observations,
                    masks,
                    actions,
                    chosen.log_prob(actions),
                    values,
                    torch.as_tensor(rewards),
                    torch.as_tensor(ended),
                )
            )
            if "episode" in info:
                returns += info["episode"]["r"][info["_episode"]].tolist()
        observations, masks, actions, log_probs, values, rewards, ended = (
            torch.stack(column) for column in zip(*rows, strict=True)
        )
        with torch.no_grad():
            following, advantage = critic(torch.as_tensor(seen))[:, 0], torch.zeros(NUM_ENVS)
        advantages = torch.zeros_like(values)
        for step in reversed(range(NUM_STEPS)):
            discounts = GAMMA * ~ended[step]
            advantage = rewards[step] + discounts * (following + LAMBDA * advantage) - values[step]
            advantages[step], following = advantage, values[step]
        flat = [
            part.flatten(0, 1) for part in (observations, masks, actions, log_probs, advantages, advantages + values)
        ]
        for _ in range(EPOCHS):
            for part in torch.randperm(NUM_ENVS * NUM_STEPS).chunk(MINIBATCHES):
                observed, legal, made, old, gains, targets = (column[part] for column in flat)
                now = distribution(actor, observed, legal)
                ratio = (now.log_prob(made) - old).exp()
                gains = (gains - gains.mean()) / (gains.std() + 1e-8)
                policy_loss = -torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
                value_loss = (critic(observed)[:, 0] - targets).square().mean()
                loss = policy_loss + 0.5 * value_loss - ENTROPY * now.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 0.5)
                optimizer.step()
    return actor, returns


def mean_return(actor: Any, id: str, episodes: int = 1000) -> float:
    """The mean return of the likeliest actions against random moves, as X and as O."""
    envs = gymnasium.make_vec(id, num_envs=NUM_ENVS, side=None, observation="flat", statistics=True)
    seen, info = envs.reset(seed=5)
    returns: list[float] = []
    while len(returns) < episodes:
        with torch.no_grad():
            chosen = distribution(actor, torch.as_tensor(seen), torch.as_tensor(info["action_mask"]).bool())
        seen, _, _, _, info = envs.step(chosen.probs.argmax(dim=1).numpy())
        if "episode" in info:
            returns += info["episode"]["r"][info["_episode"]].tolist()
    return float(np.mean(returns))


@pytest.mark.parametrize(("id", "iterations"), [("noughts/TicTacToe-v0", 200), ("noughts/ConnectFour-v0", 60)])
def test_ppo_learns_against_random_moves(id: str, iterations: int) -> None:
    envs = gymnasium.make_vec(id, num_envs=NUM_ENVS, side=None, observation="flat", statistics=True)
    actor, returns = train(envs, iterations)
    assert np.mean(returns[:200]) < 0.4
    assert mean_return(actor, id) > 0.8


def test_maskable_ppo_learns_without_a_wrapper() -> None:
    maskable: Any = pytest.importorskip("sb3_contrib")
    torch.set_num_threads(1)
    env = gymnasium.make("noughts/TicTacToe-v0", observation="flat")
    model = maskable.MaskablePPO(
        "MlpPolicy", env, n_steps=512, batch_size=256, learning_rate=1e-3, seed=1, device="cpu"
    )
    model.learn(16_384)
    total, episodes = 0.0, 200
    for seed in range(episodes):
        observation, ended = env.reset(seed=seed)[0], False
        while not ended:
            masks = env.unwrapped.action_masks()
            action = model.predict(observation, action_masks=masks, deterministic=True)[0]
            observation, reward, ended, _, _ = env.step(action)
        total += float(reward)
    assert total / episodes > 0.8


@pytest.mark.parametrize("id", ["noughts/TicTacToe-v0", "noughts/ConnectFour-v0"])
def test_stable_baselines_accepts_the_environment(id: str) -> None:
    checker: Any = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gymnasium.make(id, observation="flat"))
