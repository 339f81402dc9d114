"""The pseudocode of the searches, and its lines that a step of a replay carries out."""

from __future__ import annotations

__all__ = ["Pseudocode", "pseudocode_of"]


class Pseudocode:
    """The lines of a search; a line may have labels, such as ``max.cut``, by which steps find it.

    A step at a node of MAX looks for ``max.cut`` first, then for ``cut``.
    """

    def __init__(self, *lines: tuple[str, str]) -> None:
        self.lines = [text for _, text in lines]
        self._labels = {label: at for at, (labels, _) in enumerate(lines) for label in labels.split()}

    def find(self, role: str, *labels: str) -> list[int]:
        """Return the numbers of the lines with these labels, for a role such as "max"; without repetitions."""
        found = (self._labels.get(f"{role}.{label}", self._labels.get(label)) for label in labels)
        return sorted({at for at in found if at is not None})


MINIMAX = Pseudocode(
    ("enter", "minimax(node)"),
    ("leaf", "  if node is a leaf: return its value"),
    ("", "  if MAX is to move:"),
    ("", "    best ← −∞"),
    ("", "    for each child:"),
    ("max.update", "      best ← max(best, minimax(child))"),
    ("", "  else:  # MIN is to move"),
    ("", "    best ← +∞"),
    ("", "    for each child:"),
    ("min.update", "      best ← min(best, minimax(child))"),
    ("return", "  return best"),
)
ALPHABETA_LINES = (
    ("", "  if MAX is to move:"),
    ("", "    best ← −∞"),
    ("", "    for each child:"),
    ("max.update", "      best ← max(best, alphabeta(child, α, β))"),
    ("max.window", "      α ← max(α, best)"),
    ("max.cut", "      if α ≥ β: break  # cutoff"),
    ("", "  else:  # MIN is to move"),
    ("", "    best ← +∞"),
    ("", "    for each child:"),
    ("min.update", "      best ← min(best, alphabeta(child, α, β))"),
    ("min.window", "      β ← min(β, best)"),
    ("min.cut", "      if α ≥ β: break  # cutoff"),
)
ALPHABETA = Pseudocode(
    ("enter", "alphabeta(node, α, β)"),
    ("leaf", "  if node is a leaf: return its value"),
    *ALPHABETA_LINES,
    ("return", "  return best"),
)
WITH_TABLE = Pseudocode(
    ("enter", "alphabeta(node, α, β)"),
    ("note", "  if the table answers: return its value"),
    ("leaf", "  if node is a leaf: return its value"),
    *ALPHABETA_LINES,
    ("return", "  store best in the table; return best"),
)
NEGAMAX = Pseudocode(
    ("enter", "negamax(node, α, β)  # as the side to move sees it"),
    ("leaf", "  if node is a leaf: return its value"),
    ("", "  best ← −∞"),
    ("", "  for each child:"),
    ("update", "    best ← max(best, −negamax(child, −β, −α))"),
    ("window", "    α ← max(α, best)"),
    ("cut", "    if α ≥ β: break  # cutoff"),
    ("return", "  return best"),
)
NEGASCOUT = Pseudocode(
    ("enter", "negascout(node, α, β)  # as the side to move sees it"),
    ("leaf", "  if node is a leaf: return its value"),
    ("", "  best ← −∞; scout ← β"),
    ("", "  for each child:"),
    ("", "    value ← −negascout(child, −scout, −α)"),
    ("", "    if scout ≤ value < β:  # search again"),
    ("", "      value ← −negascout(child, −β, −value)"),
    ("update", "    best ← max(best, value)"),
    ("window", "    α ← max(α, best); scout ← α + 1"),
    ("cut", "    if α ≥ β: break  # cutoff"),
    ("return", "  return best"),
)
EXPECTIMAX = Pseudocode(
    ("enter", "expectimax(node)"),
    ("leaf", "  if node is a leaf: return its value"),
    ("", "  if the move is left to chance:"),
    ("chance.update chance.return", "    return the mean of expectimax(child)"),
    ("return", "  return the best of expectimax(child)"),
)
MONTE_CARLO = Pseudocode(
    ("", "mcts(root)"),
    ("", "  repeat:"),
    ("select", "    node ← child with the highest ucb, down to one with untried moves"),
    ("expand", "    add a new child"),
    ("simulate", "    play random moves from it to the end"),
    ("backpropagate", "    count the result at every node up to the root"),
    ("", "  return the child with the most visits"),
)
PROOF_NUMBER = Pseudocode(
    ("", "proof_number_search(root)"),
    ("", "  while the root is open:"),
    ("select", "    node ← most proving child, down to a leaf"),
    ("expand", "    add its children, with pn and dn"),
    ("or.backpropagate", "    OR node up to the root: pn ← least pn of children; dn ← sum of dn"),
    ("and.backpropagate", "    AND node up to the root: pn ← sum of pn; dn ← least dn of children"),
)
NO_CODE = Pseudocode()

CODES = {
    "minimax": MINIMAX,
    "alphabeta": ALPHABETA,
    "alphabeta_with_history": ALPHABETA,
    "alphabeta_with_killers": ALPHABETA,
    "alphabeta_with_table": WITH_TABLE,
    "alphabeta_with_symmetry": WITH_TABLE,
    "negamax": NEGAMAX,
    "negascout": NEGASCOUT,
    "expectimax": EXPECTIMAX,
    "mcts": MONTE_CARLO,
    "proof_number_search": PROOF_NUMBER,
}


def pseudocode_of(algorithm: str) -> Pseudocode:
    """Return the pseudocode of a search; one without any lines if it is not known here."""
    return CODES.get(algorithm, NO_CODE)
