"""A small policy network that improves by self-play: policy iteration, in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from noughts.games import Game, Position
from noughts.games.planes import require_numpy
from noughts.textbook.common import check_amount, check_count
from noughts.textbook.learning import Policy, Score, is_measured, play_against

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]


@dataclass(slots=True)
class PolicyNetwork:
    """A network with one hidden layer: from the planes of a position to a policy and a value for the side to move.

    ``choose`` plays the most probable move, so this is a bot; ``probabilities`` is a model for ``expectimax``.
    """

    weights: list[Array]
    """Hidden weights and biases, then output weights and biases: an output for each cell, and one for the value."""
    curve: list[Score] = field(default_factory=list)

    def forward(self, inputs: Array) -> tuple[Array, Array, Array]:
        """Return the hidden layer, the logits of all cells, and the values, for a row of inputs per position."""
        np = require_numpy()
        hidden = np.maximum(0, inputs @ self.weights[0] + self.weights[1])
        outputs = hidden @ self.weights[2] + self.weights[3]
        return hidden, outputs[:, :-1], np.tanh(outputs[:, -1])

    def probabilities(self, position: Position) -> dict[int, float]:
        """Return the probability of each legal move."""
        _, logits, _ = self.forward(_inputs([position]))
        policy = _softmax(logits, _masks([position]))[0]
        return {move: float(policy[move]) for move in position.legal_moves}

    def choose(self, position: Position, limit: object = None) -> int:
        """Return the most probable move; a network needs no time, so the limit is ignored."""
        probabilities = self.probabilities(position)
        return max(probabilities, key=probabilities.__getitem__)


def policy_network(
    game: Game,
    playthroughs: int = 20_000,
    hidden: int = 128,
    learning_rate: float = 0.01,
    temperature: float = 0.1,
    exploration: float = 0.4,
    batch: int = 16,
    seed: int | None = None,
    opponent: Policy | None = None,
    points: int = 20,
) -> PolicyNetwork:
    """Return a network that learned a policy by playing both sides: policy iteration with a lookahead of one ply.

    In each round, ``batch`` playthroughs are played by the policy, mixed with ``exploration`` of random moves. For
    every position on the way, a lookahead values each move: by the result if it ends play, otherwise by the network's
    value of the position it leads to. The *improved policy* prefers the better moves (a softmax of their values at the
    ``temperature``). Then the network is trained by one step of gradient descent: its policy towards the improved
    policy, its value towards the value of that. The learning rate falls linearly to a fiftieth.

    On 3x3, 20,000 playthroughs suffice to never lose as X and to keep the value in 95% of all positions. The same seed
    gives the same network on the same machine. The curve and the opponent are those of ``q_learning``.
    Raises ValueError without NumPy.
    """
    check_count("a number of playthroughs", playthroughs, least=1)
    check_count("a batch", batch, least=1)
    check_count("a number of hidden units", hidden, least=1)
    check_count("a number of points", points, least=0)
    check_amount("a learning rate", learning_rate)
    check_amount("a probability of exploration", exploration, most=1)
    if not temperature > 0:
        raise ValueError(f"expected a temperature above 0, got {temperature:g}")
    np = require_numpy()
    random = np.random.default_rng(seed)
    inputs = int(np.prod(game.observation_shape))
    network = PolicyNetwork(
        [
            random.normal(0, np.sqrt(2 / inputs), (inputs, hidden)),
            np.zeros(hidden),
            random.normal(0, 0.01, (hidden, game.cells + 1)),
            np.zeros(game.cells + 1),
        ]
    )
    optimizer = _Adam(network.weights)
    for played in range(0, playthroughs, batch):
        examples = _self_play(network, game, batch, temperature, exploration, random)
        rate = learning_rate * (1 - 0.98 * played / playthroughs)
        optimizer.step(_gradients(network, *examples), rate)
        if is_measured(played + batch, batch, playthroughs, points):
            network.curve.append(play_against(network.choose, game, opponent, min(played + batch, playthroughs), seed))
    return network


def _self_play(
    network: PolicyNetwork, game: Game, batch: int, temperature: float, exploration: float, random: Generator
) -> tuple[Array, Mask, Array, Array]:
    """Play a batch of playthroughs; return inputs, legal moves, improved policies and values of their positions."""
    np = require_numpy()
    positions = [game.start() for _ in range(batch)]
    examples = []
    while positions:
        inputs, masks = _inputs(positions), _masks(positions)
        move_values = _look_ahead(network, positions)
        improved = _softmax(move_values / temperature, masks)
        examples.append((inputs, masks, improved, (improved * move_values).sum(axis=1)))
        policy = _softmax(network.forward(inputs)[1], masks)
        mixed = (1 - exploration) * policy + exploration * masks / masks.sum(axis=1, keepdims=True)
        for position, probabilities in zip(positions, mixed, strict=True):
            position.play(int(random.choice(game.cells, p=probabilities / probabilities.sum())))
        positions = [position for position in positions if not position.is_over]
    inputs, masks, policies, values = (np.concatenate(parts) for parts in zip(*examples, strict=True))
    return inputs, masks, policies, values


def _look_ahead(network: PolicyNetwork, positions: Sequence[Position]) -> Array:
    """Return the value of every legal move for the side that makes it, 0 for the other cells."""
    np = require_numpy()
    values: Array = np.zeros((len(positions), positions[0].game.cells))
    moves, following = [], []
    for row, position in enumerate(positions):
        for move in position.legal_moves:
            after = position.after(move)
            if not after.is_over:
                moves.append((row, move))
                following.append(after)
            elif after.winner is not None:
                values[row, move] = 1 if after.winner is position.turn else -1
    if following:
        values[tuple(np.transpose(moves))] = -network.forward(_inputs(following))[2]
    return values


def _gradients(network: PolicyNetwork, inputs: Array, masks: Mask, policies: Array, values: Array) -> list[Array]:
    """Return the gradients of the loss, the cross entropy of the policies and half the square error of the values."""
    np = require_numpy()
    hidden, logits, predicted = network.forward(inputs)
    of_logits = _softmax(logits, masks) - policies
    of_value = (predicted - values) * (1 - predicted**2)
    of_outputs = np.column_stack([of_logits, of_value]) / len(inputs)
    of_hidden = (of_outputs @ network.weights[2].T) * (hidden > 0)
    return [inputs.T @ of_hidden, of_hidden.sum(axis=0), hidden.T @ of_outputs, of_outputs.sum(axis=0)]


class _Adam:
    """Gradient descent with a step size of its own for every weight: Adam, with its usual constants."""

    def __init__(self, weights: list[Array]) -> None:
        self.weights, self.steps = weights, 0
        self.means = [0 * weight for weight in weights]
        self.squares = [0 * weight for weight in weights]

    def step(self, gradients: list[Array], rate: float) -> None:
        """Change the weights in place by one step."""
        self.steps += 1
        correction = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for weight, mean, square, gradient in zip(self.weights, self.means, self.squares, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            weight -= rate * correction * mean / (square**0.5 + 1e-8)


def _inputs(positions: Sequence[Position]) -> Array:
    """Return a row of numbers for each position: its planes, as the side to move sees them."""
    rows: Array = require_numpy().array([position.planes() for position in positions], dtype="float64")
    return rows.reshape(len(positions), -1)


def _masks(positions: Sequence[Position]) -> Mask:
    masks: Mask = require_numpy().array([position.legal_mask() for position in positions])
    return masks


def _softmax(logits: Array, masks: Mask) -> Array:
    """Return the probabilities of the legal moves; the others have 0."""
    np = require_numpy()
    weights = np.exp(np.where(masks, logits - logits.max(axis=1, keepdims=True), -np.inf))
    probabilities: Array = weights / weights.sum(axis=1, keepdims=True)
    return probabilities
