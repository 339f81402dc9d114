"""Finds the mistakes of a search from its answers, its nodes and its own tree: one for each property that fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from noughts.games import Position, Side
from noughts.teaching.grading.diagnosis.diagnoses import EXCEPTIONS
from noughts.teaching.grading.diagnosis.first_difference import FirstDifference, draw, find_first_difference, orient
from noughts.teaching.grading.diagnosis.mistakes import LOOKING_AHEAD, Observation, find_missing_lines, find_mistakes
from noughts.teaching.grading.diagnosis.node_counts import explain_nodes
from noughts.teaching.grading.judge import MinimaxJudge, empty_cells
from noughts.teaching.grading.question_runner import Exam
from noughts.teaching.grading.report import EARLY_MARKS
from noughts.teaching.grading.runtime.calls import CallNode
from noughts.teaching.tree.search_tree import count_nodes

__all__ = ["SearchRecord", "diagnose_search"]

SIGN_MISTAKES = ("mover-side", "wrong-sign")
"""Mistakes that are shown by values as the submission returns them."""
KINDS = {
    "cut": "wrong-cut",
    "choice": "wrong-choice",
    "deep": "depth-one-more",
    "infinite": "returns-infinity",
}
"""The diagnosis of a departure, if no model explains the answers."""
WINDOW_MISTAKES = ("window-exchanged", "negamax-window")
NEGAMAX_MISTAKES = ("negamax-leaf", "negamax-no-minus", "colour-kept")
"""A search with MAX and MIN may answer like one of these: then another mistake is the cause."""
DIALECT_POSITIONS = 3
"""Whether a search has MAX and MIN is seen on this many boards with wrong answers."""
SKIPPING_CELLS = (5, 4)
SKIPPING_POSITIONS = 6
"""Whether a search leaves out moves is seen on this many boards with each of these numbers of empty cells."""
MIN_SKIPPING = 3
"""With fewer nodes at which moves are left out, it may be chance."""
MIN_LATER = 6
"""With fewer wrong moves, it may be chance that each of them is a good one later."""
CHANCE_POSITIONS = 3
CHANCE_CALLS = 4
"""The numbers of positions, and of calls on each, to see whether its move changes."""
OVERWRITTEN_POSITIONS = 8
"""Whether a search overwrites its moves is seen on this many boards with wrong moves."""
FEW_MOVES = 3
CENTRE = 4


@dataclass
class SearchRecord:
    """What a search did on the positions it was tried on."""

    observations: list[Observation] = field(default_factory=list)
    """Its well-formed answers."""
    visited: dict[str, int] = field(default_factory=dict)
    """The nodes by position."""
    raised: dict[str, str] = field(default_factory=dict)
    """The diagnosis of each exception, by position."""
    without_move: list[str] = field(default_factory=list)
    """Positions for which it returned None, or None as the move."""

    @property
    def wrong(self) -> list[Observation]:
        return [seen for seen in self.observations if not seen.is_right]


def diagnose_search(exam: Exam, judge: MinimaxJudge, record: SearchRecord, options: Mapping[str, int]) -> None:
    """Record a diagnosis for each property that fails, and the tree of the search."""
    SearchDiagnosis(exam, judge, record, options).run()


class SearchDiagnosis:
    def __init__(self, exam: Exam, judge: MinimaxJudge, record: SearchRecord, options: Mapping[str, int]) -> None:
        self.exam, self.judge, self.record, self.options = exam, judge, record, options
        self.failures = exam.grade.failures

    def run(self) -> None:
        """Record a diagnosis for each property that fails, and the tree of the search."""
        without_answer = self._explain_missing()
        if without_answer is not None:
            self.exam.diagnose(*without_answer)
        if any(id in self.failures for id in ("value", "cuts", "move")):
            self._explain_answers()
        if "nodes" in self.failures and self.failures["nodes"].diagnosis is None:
            visited = self.record.visited
            is_explained = self.exam.depth is None and self.exam.task.id != "minimax"
            self.exam.diagnose("nodes", explain_nodes(self.exam.game, visited) if is_explained else "too-many-nodes")

    # Missing answers

    def _explain_missing(self) -> tuple[str, str] | None:
        """Return the property that fails because there is no answer, and the mistake; None if there are answers."""
        record = self.record
        raised = {_turn(text) for text in (*record.raised, *record.without_move)}
        lost = {text for text in record.visited if self._is_lost(text) and _turn(text) in raised}
        if record.raised and record.raised.keys() <= lost and set(record.raised.values()) <= EXCEPTIONS:
            answered = {seen.position for seen in record.observations}
            return ("runs", "raises-when-lost") if answered and not answered & lost else None
        missing = set(record.without_move)
        property = "runs" if "runs" in self.failures else "move"
        if not missing:
            return None
        if missing == record.visited.keys():
            if any(seen.value is not None for seen in record.observations):
                return property, "returns-no-move"
            searches = any(nodes > 1 for nodes in record.visited.values())
            return property, "returns-nothing" if searches else "not-written"
        of_sides = {text for text in record.visited if _turn(text) in raised}
        if missing == of_sides and all(record.visited[text] == 1 for text in missing):
            return property, "returns-nothing-for-side"
        if missing <= lost and len(missing) * 2 > len(lost):
            return property, "no-move-when-lost"
        if self.exam.depth is not None:
            return None
        not_won = {text for text in record.visited if self._value_for_mover(text) < 1 and _turn(text) in raised}
        return (property, "starts-at-zero") if missing <= not_won and len(missing) * 2 > len(not_won) else None

    def _is_lost(self, text: str) -> bool:
        return self.exam.depth is None and self._value_for_mover(text) == -1

    def _value_for_mover(self, text: str) -> int:
        position = self.exam.game.parse(text)
        return self.judge.value(position) * (1 if position.turn is Side.X else -1)

    # Wrong answers

    def _explain_answers(self) -> None:
        exam, failures = self.exam, self.failures
        known = {id: failures[id].diagnosis for id in ("value", "cuts", "move") if id in failures}
        cause = self._cause() if None in known.values() or self._is_vague("move") else None
        self._record_tree(cause)
        if self._from_tree == "window-empty" or (cause is None and self._from_tree in WINDOW_MISTAKES):
            cause = self._from_tree
        cause = cause or self._from_choices() or self._from_tree or "wrong-move"
        if cause in ("move-not-best", "wrong-move"):
            cause = self._from_moves() or cause
        if cause == "depth-one-more" and self._never_ends():
            cause = "depth-not-reduced"
        values = [id for id in ("value", "cuts") if id in failures]
        for id in values:
            exam.diagnose(id, "wrong-cut" if id == "cuts" and cause == "wrong-choice" else cause)
        if "move" in failures and (known["move"] is None or self._is_vague("move")):
            follows = "move-taken" if self._takes_cells() else "move-follows-value"
            exam.diagnose("move", follows if values else cause)

    def _is_vague(self, id: str) -> bool:
        diagnosis = self.failures[id].diagnosis if id in self.failures else None
        return diagnosis is not None and diagnosis.id == "returns-nothing"

    def _cause(self) -> str | None:
        """Return the mistake that the answers show."""
        record = self.record
        if self._is_swapped():
            return "value-and-move-swapped"
        are_values_wrong = bool(self.failures.keys() & {"value", "cuts"})
        if not are_values_wrong and self._takes_cells():
            return "move-taken"
        are_values_right = self.exam.style.has_values and not are_values_wrong
        found = [] if are_values_right else find_mistakes(self.judge, record.observations)
        if found and not self._looks_beyond(FEW_MOVES):
            found = [id for id in found if id in LOOKING_AHEAD] or found
        elif self._looks_beyond(2):
            found = [id for id in found if id != "one-ply"]
        if found and found[0] in NEGAMAX_MISTAKES and self._is_min_max():
            found = [id for id in found if id not in NEGAMAX_MISTAKES] or found
        values = [seen.value for seen in record.observations if seen.value is not None]
        is_constant = len(values) > 1 and all(value == values[0] for value in values)
        is_constant = is_constant and not are_values_right
        cause = found[0] if found else "constant-value" if is_constant else self._without_search()
        is_unseen = cause is None and not self.exam.subject.has_rules
        return find_missing_lines(self.judge, record.observations) if is_unseen else cause

    def _takes_cells(self) -> bool:
        """Whether it returns a cell that is taken or outside the board."""
        moves = ((self.exam.game.parse(seen.position), seen.move) for seen in self.record.wrong)
        return any(move is not None and not position.is_legal(move) for position, move in moves)

    def _looks_beyond(self, moves: int) -> bool:
        """Whether it visits more nodes than there are so few moves ahead; so if that cannot be seen."""
        positions = [(self.exam.game.parse(text), nodes) for text, nodes in self.record.visited.items()]
        large = [(position, nodes) for position, nodes in positions if empty_cells(position) == max(SKIPPING_CELLS)]
        return not large or any(nodes > count_nodes(position, moves) for position, nodes in large)

    def _is_swapped(self) -> bool:
        """Whether every answer is (move, value)."""
        if not self.record.wrong:
            return False
        pairs = ((self.exam.game.parse(seen.position), seen) for seen in self.record.observations)
        return all(seen.move == self.judge.value(at) and seen.value in self.judge.best_moves(at) for at, seen in pairs)

    def _without_search(self) -> str | None:
        """Return the mistake of a program that answers some positions without looking at moves."""
        record, game = self.record, self.exam.game
        positions = {seen.position: game.parse(seen.position) for seen in record.observations}
        central = [seen for seen in record.observations if positions[seen.position].is_legal(CENTRE)]
        is_odd = game.cells == 2 * CENTRE + 1
        if is_odd and len(central) >= 8 and all(seen.move == CENTRE for seen in central):
            return "always-centre"
        large = [seen for seen in record.observations if len(positions[seen.position].legal_moves) > 1]
        if not record.wrong or any(record.visited[seen.position] > 1 for seen in record.wrong):
            return None
        if not any(record.visited[seen.position] > 1 for seen in large):
            return None  # it makes no moves that can be seen: it may search on boards of its own
        is_early = all(_marks(positions[seen.position]) < EARLY_MARKS for seen in record.wrong)
        return "opening-not-searched" if is_early else "not-searched"

    def _from_choices(self) -> str | None:
        """Return the mistake of a search whose values are right and whose moves are not."""
        legal = [(self.exam.game.parse(seen.position).legal_moves, seen) for seen in self.record.observations]
        if legal and all(seen.move == moves[-1] for moves, seen in legal):
            return "plays-last"
        if legal and all(seen.move == moves[0] for moves, seen in legal):
            return "plays-first"
        if self.failures.keys() & {"value", "cuts"}:
            return None
        if self._plays_later_moves():
            return "later-move"
        if not self.exam.style.has_values:
            return None
        wrong = [(moves, seen) for moves, seen in legal if not seen.is_right and seen.move in moves]
        is_later = all(
            moves.index(seen.move) > min(map(moves.index, self.judge.best_moves(self.exam.game.parse(seen.position))))
            for moves, seen in wrong
            if seen.move is not None
        )
        return "keeps-later-ties" if wrong and is_later and self.exam.task.id != "minimax" else "move-not-best"

    def _plays_later_moves(self) -> bool:
        """Whether each wrong move is the best reply to a best move, or each is the last move of best play."""
        wrong = [(self.exam.game.parse(seen.position), seen.move) for seen in self.record.wrong]
        ends: dict[int, set[int]] = {}
        return len(wrong) >= MIN_LATER and (
            all(move in _replies(self.judge, position) for position, move in wrong)
            or all(move in _last_moves(self.judge, position, ends) for position, move in wrong)
        )

    def _from_moves(self) -> str | None:
        """Return the mistake of a program that has the right values, or none, and other moves."""
        if self._changes_its_moves():
            return "random-move"
        if self._overwrites():
            return "move-overwritten"
        is_blind = self.exam.style.rules and all(nodes == 1 for nodes in self.record.visited.values())
        return "not-searched" if is_blind and not self._has_tree else None

    def _changes_its_moves(self) -> bool:
        """Whether the answers to some of the positions change from call to call."""
        for seen in self.record.wrong[:CHANCE_POSITIONS]:
            questions = [self.exam.question(seen.position, named=self.options)] * CHANCE_CALLS
            if len({repr(reply.answer) for reply in self.exam.ask_all(questions)}) > 1:
                return True
        return False

    def _overwrites(self) -> bool:
        """Whether the moves are the last ones with which any call, not only the first, improved its value."""
        wrong = self.record.wrong[:OVERWRITTEN_POSITIONS]
        trees = [(self._ask_tree(seen.position), seen) for seen in wrong]
        return bool(trees) and all(root is not None and seen.move == _last_improvement(root) for root, seen in trees)

    def _is_min_max(self) -> bool:
        """Whether a node of the tree has the value of one of its children, so that it is not negamax."""
        roots = [self._ask_tree(seen.position) for seen in self.record.wrong[:DIALECT_POSITIONS]]
        return any(_takes_value_of_child(node) for root in roots if root is not None for node in _all_nodes(root))

    def _never_ends(self) -> bool:
        """Whether a search continues two moves below its depth, on the emptiest board with a wrong answer."""
        root = self._ask_tree(self.record.wrong[-1].position)
        return root is not None and self.exam.depth is not None and _height(root) > self.exam.depth + 1

    # The student's own tree

    _has_tree = False
    """Whether the calls show that the program looks at boards after moves."""
    _from_tree: str | None = None
    """The mistake that the tree shows."""

    def _record_tree(self, cause: str | None) -> None:
        """Record the student's own tree on the smallest position that fails, and the mistake that it shows."""
        texts = [self.failures[id].position for id in ("value", "cuts", "move") if id in self.failures]
        text = min(texts, key=list(self.record.visited).index)
        position = self.exam.game.parse(text)
        chosen = next((seen.move for seen in self.record.observations if seen.position == text), None)
        root = self._ask_tree(text)
        if root is None:
            return
        self._has_tree = True
        if root.value is None:  # a search that returns only the move stands for the value of that move
            root.value = next((child.value for child in root.children if child.move == chosen), None)
        is_negamax = cause not in SIGN_MISTAKES and orient(
            root, self.judge, position, keeps_root=self.exam.style.has_values
        )
        finding = find_first_difference(root, self.judge, position, self.exam.style)
        self.exam.grade.departure = finding and finding.departure
        self.exam.grade.tree = draw(root, position, self.exam.grade.name, finding, self.exam.style)
        if finding is not None:
            self._from_tree = self._diagnose_finding(root, position, finding, is_negamax)
        elif self._keeps_ties(root, position, chosen):
            self._from_tree = "keeps-later-ties"

    def _ask_tree(self, text: str) -> CallNode | None:
        limit = 5 * self.judge.nodes_allowed(text, prunes=False) + 100
        return self.exam.ask_calls(self.exam.question(text, limit=limit, named=self.options))

    def _diagnose_finding(self, root: CallNode, position: Position, finding: FirstDifference, is_negamax: bool) -> str:
        if finding.kind == "stop":
            is_table = _is_searched_elsewhere(root, finding.node) or self._is_from_table(root, position, finding)
            return "table-bounds" if is_table else "stops-early"
        if finding.kind in ("cut", "choice"):
            if _is_empty(root):
                return "window-empty"
            if is_negamax and _has_windows(root):
                return "negamax-window"
            if _is_exchanged(root):
                return "window-exchanged"
            return self._skipping() or KINDS[finding.kind]
        return self._leaf(root, position, finding) if finding.kind == "leaf" else KINDS[finding.kind]

    def _leaf(self, root: CallNode, position: Position, finding: FirstDifference) -> str:
        """Return the mistake that the wrong value of a leaf shows."""
        leaf = next(at for node, at in _nodes(root, position, are_ends=True) if node is finding.node)
        if not leaf.is_over:
            return "estimate-value"
        exact, value = self.judge.value(leaf), finding.node.value or 0
        if exact == 0:
            return "draw-value" if abs(value) == 1 else "terminal-misses-draw"
        return "win-not-seen" if value == 0 else "win-for-other" if value * exact < 0 else "win-size"

    def _is_from_table(self, root: CallNode, position: Position, finding: FirstDifference) -> bool:
        """Whether a search with a window stops at a board that it searched when it was asked about it."""
        stopped = next(at for node, at in _nodes(root, position) if node is finding.node)
        searched = (self.exam.game.parse(text) for text, nodes in self.record.visited.items() if nodes > 1)
        return _has_windows(root) and any(at.canonical_hash == stopped.canonical_hash for at in searched)

    def _skipping(self) -> str | None:
        """Return the mistake of a search that leaves out all moves after the first ones."""
        positions = [self.exam.game.parse(text) for text in self.record.visited] if self.exam.depth is None else []
        for empty in SKIPPING_CELLS:  # an odd number with X to move, and an even one with O
            chosen = [position for position in positions if empty_cells(position) == empty][:SKIPPING_POSITIONS]
            roots = [(root, at) for at in chosen if (root := self._ask_tree(at.text)) is not None]
            below = [(node, at) for pair in roots for node, at in _nodes(*pair) if at.turn is not pair[1].turn]
            tried = _tried_always(roots) or _tried_always(below)
            if tried and (self.record.raised or not any(_has_windows(root) for root, _ in roots)):
                return "first-move-only" if tried == 1 else "skips-moves"
        return None

    def _keeps_ties(self, root: CallNode, position: Position, chosen: int | None) -> bool:
        """Whether a move was chosen whose value, which may be a bound, equals that of an earlier one that is best."""
        values = {child.move: child.value for child in root.children}
        if chosen is None or chosen not in values:
            return False
        earlier = list(values)[: list(values).index(chosen)]
        best = self.judge.best_moves(position)
        return any(move in best and values[move] == values[chosen] for move in earlier)


def _turn(text: str) -> str:
    return text.rpartition(" ")[2]


def _marks(position: Position) -> int:
    return sum(mark is not None for mark in position.cells)


def _nodes(node: CallNode, position: Position, are_ends: bool = False) -> Iterator[tuple[CallNode, Position]]:
    """Yield the nodes of a tree at which play is not over, or all, with their positions."""
    if are_ends or not position.is_over:
        yield node, position
        for child in node.children:
            if child.move is not None and position.is_legal(child.move):
                yield from _nodes(child, position.after(child.move), are_ends)


def _replies(judge: MinimaxJudge, position: Position) -> set[int | None]:
    """Return the best replies to the best moves; None stands for no reply, where a best move ends the game."""
    following = [position.after(move) for move in judge.best_moves(position)]
    return {reply for after in following for reply in ([None] if after.is_over else judge.best_moves(after))}


def _last_moves(judge: MinimaxJudge, position: Position, known: dict[int, set[int]]) -> set[int]:
    """Return the moves that can end the game if both sides play their best moves."""
    if position.hash not in known:
        found: set[int] = set()
        for move in judge.best_moves(position):
            after = position.after(move)
            found |= {move} if after.is_over else _last_moves(judge, after, known)
        known[position.hash] = found
    return known[position.hash]


def _is_empty(node: CallNode) -> bool:
    """Whether a node was entered with alpha above beta."""
    low, high = node.window
    return low is not None and high is not None and low > high


def _is_exchanged(node: CallNode) -> bool:
    """Whether a node of a tree was entered with alpha above beta."""
    return _is_empty(node) or any(map(_is_exchanged, node.children))


def _tried_always(nodes: list[tuple[CallNode, Position]]) -> int:
    """Return the number of moves that are tried at all nodes, if all of them have more; otherwise 0."""
    counts = {len(node.children) for node, position in nodes if len(node.children) < len(position.legal_moves)}
    tried = counts.pop() if len(counts) == 1 else 0
    large = [node for node, position in nodes if len(position.legal_moves) > tried]
    return tried if len(large) >= MIN_SKIPPING and all(len(node.children) == tried for node in large) else 0


def _all_nodes(node: CallNode) -> Iterator[CallNode]:
    yield node
    for child in node.children:
        yield from _all_nodes(child)


def _takes_value_of_child(node: CallNode) -> bool:
    """Whether the value is one of the children's, and of no child with the opposite sign."""
    values = [child.value for child in node.children if child.value is not None]
    return node.value in values and -(node.value or 0) not in values


def _last_improvement(node: CallNode) -> int | None:
    """Return the move with which this node or one below it improved its value last; X maximises."""
    is_max = node.cells.count("X") == node.cells.count("O")
    best: float | None = None
    last: int | None = None
    for child in node.children:
        below = _last_improvement(child)
        last = last if below is None else below
        if child.value is not None and (best is None or (child.value > best if is_max else child.value < best)):
            best, last = child.value, child.move
    return last


def _height(node: CallNode) -> int:
    return 1 + max(map(_height, node.children)) if node.children else 0


def _has_windows(root: CallNode) -> bool:
    return root.window != (None, None) or any(map(_has_windows, root.children))


def _is_searched_elsewhere(node: CallNode, wanted: CallNode) -> bool:
    """Whether the board of a node was searched at another node, as it is when a table answers."""
    if node.cells == wanted.cells and node.children:
        return True
    return any(_is_searched_elsewhere(child, wanted) for child in node.children)
