"""The algorithms of a course on games: plain Python on top of ``play`` and ``undo``, written to be read.

Every search works for any position of any game and returns a ``Result`` whose value is from X's side. Read ``minimax``,
then ``alphabeta`` and ``negamax``; the searches named ``alphabeta_with_...`` and ``negascout`` each add one idea to
``negamax``. ``mcts`` and ``proof_number_search`` grow a tree in memory, ``expectimax`` expects mistakes, and
``retrograde`` solves every position of a small game. ``q_learning``, ``td_learning`` and ``policy_network`` learn to
play by playing against themselves.
"""

from noughts.lazy import public_names
from noughts.textbook.alphabeta import alphabeta, negamax
from noughts.textbook.common import INFINITY, Evaluate, GrowthTracer, Key, Order, Phase, Result, Tracer
from noughts.textbook.deepening import aspiration_windows, iterative_deepening
from noughts.textbook.evaluations import (
    evaluate_lines,
    evaluate_lines_sooner,
    evaluate_nothing,
    evaluate_outcome,
    evaluate_sooner,
)
from noughts.textbook.expectimax import Model, expectimax, uniformly_random
from noughts.textbook.history import alphabeta_with_history
from noughts.textbook.killers import alphabeta_with_killers
from noughts.textbook.learning import Learned, Policy, Score, q_learning, td_learning
from noughts.textbook.mcts import mcts
from noughts.textbook.minimax import minimax
from noughts.textbook.negascout import negascout
from noughts.textbook.network import PolicyNetwork, policy_network
from noughts.textbook.orders import best_lines_first, center_first, corners_before_edges, row_by_row
from noughts.textbook.proof_number import proof_number_search
from noughts.textbook.quiescence import alphabeta_with_quiescence, urgent_moves
from noughts.textbook.retrograde import Solved, Tablebase, retrograde
from noughts.textbook.table import alphabeta_with_symmetry, alphabeta_with_table, plain_key, symmetric_key

__all__ = [
    "INFINITY",
    "Evaluate",
    "GrowthTracer",
    "Key",
    "Learned",
    "Model",
    "Order",
    "Phase",
    "Policy",
    "PolicyNetwork",
    "Result",
    "Score",
    "Solved",
    "Tablebase",
    "Tracer",
    "alphabeta",
    "alphabeta_with_history",
    "alphabeta_with_killers",
    "alphabeta_with_quiescence",
    "alphabeta_with_symmetry",
    "alphabeta_with_table",
    "aspiration_windows",
    "best_lines_first",
    "center_first",
    "corners_before_edges",
    "evaluate_lines",
    "evaluate_lines_sooner",
    "evaluate_nothing",
    "evaluate_outcome",
    "evaluate_sooner",
    "expectimax",
    "iterative_deepening",
    "mcts",
    "minimax",
    "negamax",
    "negascout",
    "plain_key",
    "policy_network",
    "proof_number_search",
    "q_learning",
    "retrograde",
    "row_by_row",
    "symmetric_key",
    "td_learning",
    "uniformly_random",
    "urgent_moves",
]

__dir__ = public_names(__name__)
