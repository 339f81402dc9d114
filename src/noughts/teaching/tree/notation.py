"""The roles, numbers and words at the nodes of a drawn tree, for each family of searches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from noughts.games.quoting import count
from noughts.teaching.tree.search_tree import Family, Node, Numbers, SearchTree, format_number, format_value

__all__ = ["TreeNotation", "notation_of"]


class TreeNotation(ABC):
    """How a family of searches labels its nodes.

    ``texts`` returns the short texts drawn at a node by name: ``value`` stands in the frame, those named in ``lines``
    below it, one line each.
    """

    lines: tuple[str, ...]
    least_width: float
    key: Sequence[tuple[str, str]]

    @abstractmethod
    def role(self, node: Node) -> str:
        """Return the kind of a node that is not over: MAX, MIN, CHANCE, OR, AND, or the side to move."""

    def level(self, node: Node) -> str:
        """Return the label of the level of a node."""
        return f"{self.role(node)} {node.side}"

    def shape(self, node: Node) -> str:
        """Return the shape of a node: "max" points up, "min" down, "chance" has cut corners, "leaf" round ones."""
        if not node.children:
            return "leaf"
        return "max" if node.is_max else "min"

    @abstractmethod
    def texts(self, node: Node) -> dict[str, str]:
        """Return the texts drawn at a node after the whole search."""

    @abstractmethod
    def summary(self, node: Node) -> str:
        """Return the numbers of a node in one short line of text."""

    @abstractmethod
    def describe(self, node: Node) -> str:
        """Return the numbers of a node in words."""

    @abstractmethod
    def counts(self, root: Node) -> list[str]:
        """Return the totals of a tree in words."""


def notation_of(tree: SearchTree, root: Node | None = None) -> TreeNotation:
    if tree.family is Family.MONTE_CARLO:
        return MonteCarloNotation(tree)
    if tree.family is Family.PROOF_NUMBER:
        return ProofNumberNotation(tree)
    return DepthFirstNotation(tree, root or tree.root)


class DepthFirstNotation(TreeNotation):
    """Values, and alpha and beta if the search has them."""

    least_width = 34.0

    def __init__(self, tree: SearchTree, root: Node) -> None:
        self.tree = tree
        has_windows = any(node.alpha is not None or node.beta is not None for node in root.walk())
        has_chance = any(node.is_chance for node in root.walk())
        self.lines = ("alpha", "beta") if has_windows else ()
        self.is_typed = tree.typed is not None
        key = (
            [("max", "MAX"), ("min", "MIN")]
            if self.is_typed
            else [("max", "MAX (X to move)"), ("min", "MIN (O to move)")]
        )
        if has_chance:
            key.append(("chance", "CHANCE (average)"))
        key += [("leaf", "leaf" if self.is_typed else "evaluated"), ("pv", "principal line")]
        if not has_chance:
            key.append(("pruned", "pruned, and why"))
        if any(node.bound for node in root.walk()):
            key.append(("", "≥, ≤: only a bound"))
        if any(node.is_wrong for node in root.walk()):
            key.append(("wrong", "wrong value"))
        self.key = key
        self.has_chance = has_chance

    def role(self, node: Node) -> str:
        if node.is_chance:
            return "CHANCE"
        return "MAX" if node.is_max else "MIN"

    def shape(self, node: Node) -> str:
        return "chance" if node.is_chance else super().shape(node)

    def texts(self, node: Node) -> dict[str, str]:
        note = {"note": node.note} if node.note and not node.is_chance else {}
        return {"value": node.format_result("?"), **self._window(node), **note}

    def level(self, node: Node) -> str:
        return self.role(node) if self.is_typed else super().level(node)

    def _window(self, node: Node) -> dict[str, str]:
        return window_texts(node, node.alpha, node.beta) if self.lines and not (self.is_typed and node.is_over) else {}

    def summary(self, node: Node) -> str:
        has_window = node.children and (node.alpha is not None or node.beta is not None)
        window = f"  {' '.join(self._window(node).values())}" if has_window else ""
        return node.format_result("?") + window

    def describe(self, node: Node) -> str:
        parts = [f"value {node.format_result('unknown')}", *self._window(node).values()]
        return ", ".join([*parts, node.note] if node.note else parts)

    def counts(self, root: Node) -> list[str]:
        visited = sum(1 for _ in root.walk())
        pruned, cutoffs = self.tree.count_pruned(root), self.tree.count_cutoffs(root)
        cuts = [] if self.has_chance else [f"{count(pruned, 'branch')} pruned by {count(cutoffs, 'cutoff')}"]
        return [f"{count(visited, 'node')} visited", *cuts, f"value {root.format_result('unknown')}"]


def window_texts(node: Node, alpha: float | None, beta: float | None) -> dict[str, str]:
    """Return alpha and beta as drawn below a node."""
    return {"alpha": f"α {node.format(alpha, '−∞')}", "beta": f"β {node.format(beta, '+∞')}"}


class MonteCarloNotation(TreeNotation):
    """Mean results, visits, and the terms of the upper confidence bound when the node was last selected."""

    lines = ("visits", "terms", "ucb")
    least_width = 62.0
    key = (
        ("max", "X to move"),
        ("min", "O to move"),
        ("leaf", "no child yet"),
        ("pv", "most visits"),
        ("", "in the frame: mean result for X"),
        ("", "n: visits"),
        ("", "exploit + explore = ucb, when last compared"),
    )

    def __init__(self, tree: SearchTree) -> None:
        self.tree = tree

    def role(self, node: Node) -> str:
        return f"{node.side} to move"

    def level(self, node: Node) -> str:
        return str(node.side)

    def texts(self, node: Node) -> dict[str, str]:
        return monte_carlo_texts(node.numbers)

    def summary(self, node: Node) -> str:
        return "  ".join(text for text in self.texts(node).values() if text)

    def describe(self, node: Node) -> str:
        numbers = node.numbers
        visits, value = count(int(numbers.get("visits") or 0), "visit"), format_value(numbers.get("value"), "unknown")
        text = f"{visits}, mean result for X {value}"
        return f"{text}, {terms_in_words(numbers)} at its last selection" if "ucb" in numbers else text

    def counts(self, root: Node) -> list[str]:
        simulations = sum(step.phase == "simulate" for step in self.tree.steps)
        nodes = sum(1 for _ in root.walk())
        value = format_value(root.numbers.get("value"), "unknown")
        return [count(simulations, "simulation"), count(nodes, "node"), f"mean result for X {value}"]


def monte_carlo_texts(numbers: Mapping[str, int | float | None]) -> dict[str, str]:
    """Return the texts at a node of a Monte-Carlo tree, empty where a number is not known yet."""
    texts = {"value": format_value(numbers.get("value"), ""), "visits": "", "terms": "", "ucb": ""}
    if "visits" in numbers:
        texts["visits"] = f"n {format_number(numbers['visits'])}"
    if "exploit" in numbers and "explore" in numbers:
        texts["terms"] = f"{format_number(numbers['exploit'])} + {format_number(numbers['explore'])}"
    if "ucb" in numbers:
        texts["ucb"] = f"ucb {format_number(numbers['ucb'])}"
    return texts


def terms_in_words(numbers: Numbers) -> str:
    """Return the terms of the upper confidence bound as a sum."""
    terms = [format_number(numbers.get(name)) for name in ("exploit", "explore", "ucb")]
    return "exploit {} + explore {} = ucb {}".format(*terms)


class ProofNumberNotation(TreeNotation):
    """Proof and disproof numbers; nodes are OR if the side that is to win is to move, otherwise AND."""

    lines = ("proof", "disproof")
    least_width = 40.0
    key = (
        ("max", "OR"),
        ("min", "AND"),
        ("leaf", "not expanded"),
        ("pv", "most proving line"),
        ("", "pn, dn: proof and disproof number"),
        ("", "✓ proven, ✗ disproven"),
    )

    def __init__(self, tree: SearchTree) -> None:
        self.tree = tree

    def role(self, node: Node) -> str:
        return "OR" if node.is_or else "AND"

    def shape(self, node: Node) -> str:
        return ("max" if node.is_or else "min") if node.children else "leaf"

    def texts(self, node: Node) -> dict[str, str]:
        return proof_texts(node.numbers)

    def summary(self, node: Node) -> str:
        return "  ".join(text for text in self.texts(node).values() if text)

    def describe(self, node: Node) -> str:
        pn, dn = (format_number(node.numbers.get(name)) for name in ("proof", "disproof"))
        return f"proof number {pn}, disproof number {dn}"

    def counts(self, root: Node) -> list[str]:
        found = {"✓": "proven", "✗": "disproven"}.get(self.texts(root)["value"], "open")
        claim = f"{root.attacker} wins: {found}"
        return [count(sum(1 for _ in root.walk()), "node"), claim]


def proof_texts(numbers: Mapping[str, int | float | None]) -> dict[str, str]:
    """Return the texts at a node of a proof-number tree."""
    if "proof" not in numbers:
        return {"value": "", "proof": "", "disproof": ""}
    proof, disproof = numbers["proof"], numbers.get("disproof")
    mark = "✓" if proof == 0 else "✗" if disproof == 0 else "?"
    return {"value": mark, "proof": f"pn {format_number(proof)}", "disproof": f"dn {format_number(disproof)}"}
