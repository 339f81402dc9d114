"""Minimax, alpha-beta and their refinements: plain Python on top of ``play`` and ``undo``, written to be read.

Every search works for any position of any game and returns a ``Result`` whose value is from X's side. Read ``minimax``,
then ``alphabeta`` and ``negamax``; each of the others adds one idea to ``negamax``.
"""

from noughts.textbook.alphabeta import alphabeta, negamax
from noughts.textbook.common import INFINITY, Evaluate, GrowthTracer, Order, Phase, Result, Tracer
from noughts.textbook.deepening import aspiration_windows, iterative_deepening
from noughts.textbook.evaluations import evaluate_lines, evaluate_nothing, evaluate_outcome
from noughts.textbook.history import alphabeta_with_history
from noughts.textbook.mcts import mcts
from noughts.textbook.minimax import minimax
from noughts.textbook.negascout import negascout
from noughts.textbook.orders import best_lines_first, center_first, corners_before_edges, row_by_row
from noughts.textbook.proof_number import proof_number_search
from noughts.textbook.table import alphabeta_with_table

__all__ = [
    "INFINITY",
    "Evaluate",
    "GrowthTracer",
    "Order",
    "Phase",
    "Result",
    "Tracer",
    "alphabeta",
    "alphabeta_with_history",
    "alphabeta_with_table",
    "aspiration_windows",
    "best_lines_first",
    "center_first",
    "corners_before_edges",
    "evaluate_lines",
    "evaluate_nothing",
    "evaluate_outcome",
    "iterative_deepening",
    "mcts",
    "minimax",
    "negamax",
    "negascout",
    "proof_number_search",
    "row_by_row",
]
