"""The mistakes that the grader recognises: ids, which stay the same, and a sentence for the student."""

from __future__ import annotations

__all__ = ["DIAGNOSES", "HARMLESS", "gravity"]

DIAGNOSES = {
    # Loading and running
    "syntax-error": "The file is not valid Python: correct the line that the message names.",
    "not-found": "The function, or a module that the file imports, was not found: check the names.",
    "not-written": "The function is not written yet: it raises NotImplementedError, or returns None on every board.",
    "reads-input": 'The program reads input while it is graded: put the dialogue below if __name__ == "__main__":.',
    "raises": "The program raises an exception: call the function yourself on the position shown.",
    "name-error": "NameError: a name is not defined where it is used. Check its spelling, also capital letters.",
    "index-error": "IndexError: an index is beyond the end of a list, such as 3 on a board of three rows.",
    "key-error": "KeyError: a key is looked up that is not in the dictionary.",
    "type-error": "TypeError: a value has the wrong type. Often it is None, from a path without a return.",
    "attribute-error": "AttributeError: an object does not have the attribute. Often it is None.",
    "value-error": "ValueError: a function does not accept a value, such as max() of an empty list.",
    "endless-recursion": "The search calls itself without end: first return the value of a finished position.",
    "endless-loop": "The program does not finish: look for a loop or a search that never ends.",
    "memory": "The program needs more memory than allowed: look for a list or table that grows without bound.",
    "ends-process": "The program ends the whole process: return an answer instead of leaving with os._exit.",
    "crashes": "The program crashes: the system had to end it.",
    "floods": "The program prints too much: remove its prints.",
    "too-many-processes": "The program starts too many processes or threads: a search needs none.",
    "too-many-files": "The program writes too many files: a search needs none.",
    "too-large": "The submission is too large: hand in the program without data.",
    "forged-answer": "The program writes answers of its own among those of the grader.",
    "attacks-grader": "The program attacks the processes that supervise it.",
    "exits": "The program calls exit or quit: return an answer instead.",
    # The form of the answer
    "returns-nothing": "The function returns None: a path through it has no return statement.",
    "returns-nothing-for-side": "The function returns None for one of the sides: write its branch as well.",
    "returns-one": "The function returns one thing; it must return the value and the move.",
    "returns-value": "The function returns the value of the position; it must return the move.",
    "returns-both": "The function returns a pair; it must return the move alone.",
    "value-and-move-swapped": "The function returns (move, value); the value comes first.",
    "value-form": "The value must be a number.",
    "answer-form": "The answer cannot be read: return plain numbers.",
    "move-form": "The function returns something that is not a move.",
    # The position
    "forgets-undo": "A move stays on the board: every play needs an undo, also before break and return.",
    "changes-board": "The search changes the board it was given: work on a copy, such as copy.deepcopy(board).",
    # The rules
    "turn-swapped": "The turns are swapped: X moves first, so X is to move when both have as many marks.",
    "turn-constant": "It is not always the same side's turn: compare the numbers of X and O on the board.",
    "turn-wrong": "The wrong side is to move: X moves first, then the sides take turns.",
    "not-repeatable": "The same board gets different answers: a global variable is kept between calls.",
    "actions-form": "The moves have the wrong form: a set of tuples (row, column) is expected.",
    "actions-exchanged": "actions returns the taken cells: it must return the empty ones.",
    "actions-kept": "actions keeps cells of earlier boards: start each call with a new set, not a default argument.",
    "actions-repeated": "actions lists a move twice.",
    "actions-swapped": "Rows and columns are swapped in the moves.",
    "actions-missing": "Some legal moves are missing: every empty cell is one.",
    "actions-taken": "Some moves are not legal: only empty cells are.",
    "no-copy": "result changes the board it was given and returns it: copy the board first, with copy.deepcopy(board).",
    "shallow-copy": "result copies only the outside of the board, so its parts are still shared: use copy.deepcopy.",
    "rule-changes-board": "The function changes the board it was given: it must only look at it.",
    "result-form": "result returns something that is not a board.",
    "result-unchanged": "result returns the board without the move: mark the cell on the copy, and return the copy.",
    "result-marks-given": "result marks the board that it was given and returns the copy: mark the copy instead.",
    "result-wrong-mark": "result sets the mark of the wrong side: it must be that of the side to move.",
    "result-swapped": "result marks another cell: row and column are exchanged.",
    "result-other-cell": "result marks another cell than that of the move.",
    "result-keeps-turn": "After result it is not the other side's turn: result must count the move or pass the turn.",
    "result-wrong-board": "result returns a wrong board: it differs from the old one in the cell of the move only.",
    "result-accepts-illegal": "result accepts an illegal move, to a taken cell: it must raise an exception for it.",
    "result-accepts-outside": "result accepts an illegal move outside the board, such as (−1, −1): raise an exception.",
    "winner-sees-none": "winner returns None on every board, even with a line: compare its cells with X and with O.",
    "winner-misses-rows": "winner does not see every row: there are three.",
    "winner-misses-columns": "winner does not see every column: there are three.",
    "winner-misses-diagonals": "winner does not see a diagonal: there are two.",
    "winner-misses-lines": "winner does not see every line: there are three rows, three columns and two diagonals.",
    "winner-mistypes-rows": "winner looks at wrong cells for a row: it misses it, or sees one where there is none.",
    "winner-mistypes-columns": "winner looks at wrong cells for a column: it misses it, or sees one that is none.",
    "winner-mistypes-diagonals": "winner looks at wrong cells for a diagonal: it misses it, or sees one that is none.",
    "winner-empty-line": "winner takes three empty cells for a line, and returns None before it looks at the others.",
    "winner-other-side": "winner names the wrong side: it must be the side that has the line, not the side to move.",
    "winner-form": "winner must return the mark of the side that has won, X or O, or None.",
    "winner-wrong": "winner names a side that has no line: compare all three cells, and without a line return None.",
    "terminal-misses-draw": "A full board without a line is not recognised as the end.",
    "terminal-misses-win": "Play continues after a side has won: a line ends the game, even if cells are empty.",
    "terminal-too-early": "Play ends too early: it ends with a line or a full board.",
    "terminal-inverted": "terminal is the wrong way round: it must return True where play is over, otherwise False.",
    "terminal-form": "terminal must return True or False.",
    "lines-miss-rows": "A win in a row is not seen: there are three rows.",
    "lines-miss-columns": "A win in a column is not seen: there are three columns.",
    "lines-mistyped": "Three cells that are no line count as one: compare the list of lines with the board.",
    "lines-miss-diagonals": "A win on a diagonal is not seen: there are two diagonals.",
    "utility-same": "utility is the same whether X or O has won: it must be 1 if X has won and −1 if O has won.",
    "utility-size": "utility has the right sign and the wrong size: it must be +1, 0 or −1.",
    "utility-draw": "utility is wrong for a draw: it must return 0.",
    "utility-ignores-player": "utility ignores the player: for O it must be the opposite of the value for X.",
    "utility-wrong": "The value of a finished board must be 1, 0 or −1.",
    # Values
    "mover-side": "These values are from the mover's side; they must be from X's: +1 when X wins.",
    "wrong-sign": "Every value has the wrong sign: +1 means that X wins, −1 that O does.",
    "swapped-min-max": "Min and max are swapped: X chooses the largest value, O the smallest.",
    "always-max": "Every node takes the maximum: where O is to move it must take the minimum.",
    "root-always-max": "The root takes the maximum for both sides: where O is to move it must take the minimum.",
    "negamax-leaf": "Negamax needs the values of finished positions from the side to move; these are from X's side.",
    "negamax-no-minus": "Negamax must negate the value of each child: it is the value for the opponent.",
    "colour-kept": "Negamax calls itself with the same colour: it must pass on −colour, and negate the value.",
    "leaf-side": "The value of a finished position is for the side to move there; it must be for X.",
    "forgets-loss": "A win of O counts as a draw: the value of a finished position must be −1 if O has won.",
    "leaf-sign": "A finished position has the wrong sign: the side to move there has lost. +1 means that X wins.",
    "draw-value": "A draw does not count as 0: the value of a finished position must be 0 without a line.",
    "starts-at-zero": "The best value starts at 0, so lost positions look like draws: start at −infinity or +infinity.",
    "starts-as-max": "The search starts with a MAX node for both sides: where O is to move it must start with MIN.",
    "starts-as-min": "The search starts with a MIN node for both sides: where X is to move it must start with MAX.",
    "max-calls-max": "A MAX node calls max_value for the opponent's reply: MAX and MIN must alternate.",
    "min-calls-min": "A MIN node calls min_value for the opponent's reply: MIN and MAX must alternate.",
    "root-calls-max": "The root values the opponent's reply like its own move: below MAX comes MIN, below MIN MAX.",
    "one-ply": "The search looks only one move ahead: it must call itself for the position after each move.",
    "shallow": "The search stops a few moves ahead: without a limit on the depth it must go on to the end of the game.",
    "depth-one-less": "The depth is off by one: the search stops one move too early.",
    "depth-one-more": "The depth is off by one: the search looks one move too far.",
    "depth-not-reduced": "The depth does not end the search: each call must pass on depth − 1, and stop at depth 0.",
    "estimate-side": "The estimate at the depth is for the side to move; it must be from X's side.",
    "small-win": "A finished position is worth ±1 here, less than an estimate: a win must outweigh every estimate.",
    "no-estimate": "The search does not use the evaluation where the depth ends.",
    "constant-value": "The value is the same for every position: the search must return the best value of the moves.",
    "leaf-value": "A leaf has the wrong value: look at the function that evaluates it.",
    "wrong-choice": "A node does not have the best value of its moves: X takes the largest, O the smallest.",
    "returns-infinity": "A MAX or MIN node returns infinity: MAX must keep larger values, MIN smaller ones.",
    "first-move-only": "A node looks only at its first move: the return stands inside the loop.",
    "skips-moves": "A node leaves out some moves without a cut: every legal move must be tried.",
    "stops-early": "The search stops at a position where play is not over.",
    "table-bounds": "The table gives a value that is only a bound: save beside it whether it is exact.",
    # Cuts and nodes
    "wrong-cut": "A cut is wrong: MAX may stop only where its value reaches beta, MIN only where it reaches alpha.",
    "window-exchanged": "alpha and beta are passed on in the wrong order: the window is empty, and every cut is wrong.",
    "window-empty": "The search starts with alpha above beta: alpha must start at −infinity, beta at +infinity.",
    "negamax-window": "Negamax must pass on the window negated and exchanged, as −beta, −alpha: its cuts are wrong.",
    "late-cut": "The search cuts only where alpha is above beta: it may cut as soon as they are equal.",
    "no-cuts": "The search visits every node: nothing is cut. Are alpha and beta updated and passed on?",
    "too-many-nodes": "The search prunes too little: are alpha and beta both updated, and both passed on?",
    # Moves
    "plays-last": "The move is always the last one: remember the move that belongs to the best value.",
    "plays-first": "The move is always the first one: remember the move that belongs to the best value.",
    "keeps-later-ties": "A later move that only seems equal is taken: its value is a bound. Compare with > or <.",
    "returns-no-move": "The value comes without a move: keep the move tried here, not the one that the call returns.",
    "later-move": "The move is one of the next turns: keep the move tried here, not the one that the call returns.",
    "move-overwritten": "Deeper calls overwrite the best move: keep it in a local variable, not in a global one.",
    "random-move": "The move changes from call to call: it must follow from a search, not from chance.",
    "move-not-best": "The value is right, but the move is not one that has it.",
    "move-follows-value": "The move follows from a wrong value: correct the value first.",
    "move-taken": "The move is a cell that is taken or outside the board: is a variable kept from an earlier call?",
    "no-move-when-lost": "No move is returned where every move loses: the best value must start at −infinity.",
    "raises-when-lost": "The search raises an exception where every move loses: it must return a move there too.",
    "always-centre": "The centre is taken whenever it is empty, without a search.",
    "opening-not-searched": "The opening is played without a search: while many cells are empty, it can go wrong.",
    "not-searched": "Some moves are chosen without a search: the program does not look at the replies to them.",
    "wrong-move": "The move is not one of the best: compare the values of all moves on the position shown.",
    # Orders
    "sorted-in-place": "The order is None: list.sort sorts in place and returns nothing; use sorted.",
    "order-drops-moves": "The order leaves out legal moves: a search with it can miss the best one.",
    "order-adds-moves": "The order lists moves that are not legal.",
    "order-repeats-moves": "The order lists a move twice: the search looks at it twice.",
    "order-random": "The order changes from call to call: it must not be random.",
    "order-reversed": "The order puts the worst moves first: reversed, it would save nodes.",
    "order-saves-nothing": "The order saves no nodes: put the moves first that are most often best.",
    # Evaluations
    "not-a-number": "The evaluation returns something that is not a finite number.",
    "heuristic-mover-side": "The evaluation is from the mover's side; it must be from X's.",
    "heuristic-ignores-wins": "The evaluation does not notice that a side has won.",
    "heuristic-wins": "The evaluation misjudges some finished positions: ask first whether a side has won.",
    "heuristic-draw": "A draw is worth something: it must be worth 0.",
    "heuristic-unbounded": "An estimate is as large as a win: the search would give up a win for it.",
    "heuristic-one-sided": "The evaluation counts X and O differently: exchanging them must only change the sign.",
    "heuristic-sign": "The estimates have the wrong sign: they must be larger where X wins than where O does.",
    "heuristic-constant": "The evaluation does not tell good positions from bad ones.",
    # Monte-Carlo tree search
    "mcts-no-exploration": "Some moves are tried once and never again: selection needs UCB's exploration term.",
    "mcts-wrong-sign": "The search prefers the worst moves: a result is backed up with the wrong sign.",
    "mcts-opponent-helps": "The opponent's nodes choose what is good for you: change the sign at each level.",
    "mcts-picks-by-value": "The move with the best average is played; the one with the most visits is safer.",
    "mcts-weak": "The moves are too often not the best: check selection, expansion, simulation and backpropagation.",
    # Players
    "illegal-move": "The player chooses a cell that is taken or outside the board.",
    "misses-win": "The player does not complete its line: look first for a move that wins at once.",
    "delays-win": "The player wins later than it could: of two winning moves it should take the sooner.",
    "misses-block": "The player does not stop a threat: look for the opponent's winning move and take its cell.",
    "loses": "The player can be beaten: replay the game shown and find the move that loses.",
}
"""The mistakes by their id."""

FATAL = frozenset(
    {
        "syntax-error",
        "not-found",
        "reads-input",
        "memory",
        "ends-process",
        "crashes",
        "floods",
        "too-many-processes",
        "too-many-files",
        "too-large",
        "forged-answer",
        "attacks-grader",
        "exits",
    }
)
"""After these nothing else can be judged."""
EXCEPTIONS = frozenset(
    {"raises", "name-error", "index-error", "key-error", "type-error", "attribute-error", "value-error"}
)
"""Exceptions that a program raises."""
VAGUE = EXCEPTIONS | frozenset(
    {
        "returns-nothing",
        "move-follows-value",
        "move-not-best",
        "wrong-move",
        "mcts-weak",
        "delays-win",
    }
)
"""These name an effect; another mistake of the search may be its cause."""
PRUNING = frozenset({"late-cut", "no-cuts", "too-many-nodes"})
HARMLESS = frozenset({"result-accepts-illegal", "result-accepts-outside"})
"""Mistakes in the rules that a search does not notice."""


def gravity(id: str, is_rule: bool) -> int:
    """Return how soon a mistake should be corrected, 0 first."""
    if id in FATAL:
        return 0
    if id in HARMLESS:
        return 5
    if is_rule:
        return 1
    return 4 if id in PRUNING else 3 if id in VAGUE or not id else 2
