"""The mistakes that the grader recognises: ids, which stay the same, and a sentence for the student."""

from __future__ import annotations

__all__ = ["DIAGNOSES"]

DIAGNOSES = {
    # Loading and running
    "syntax-error": "The file is not valid Python: correct the line that the message names.",
    "not-found": "The function, or a module that the file imports, was not found: check the names.",
    "not-written": "The function is not written yet.",
    "reads-input": 'The program reads input while it is graded: put the dialogue below if __name__ == "__main__":.',
    "raises": "The program raises an exception: call the function yourself on the position shown.",
    "endless-recursion": "The search calls itself without end: first return the value of a finished position.",
    "endless-loop": "The program does not finish: look for a loop or a search that never ends.",
    "memory": "The program needs more memory than allowed: look for a list or table that grows without bound.",
    "ends-process": "The program ends the whole process: return an answer instead of leaving with os._exit.",
    "exits": "The program calls exit or quit: return an answer instead.",
    # The form of the answer
    "returns-nothing": "The function returns None: a path through it has no return statement.",
    "returns-one": "The function returns one thing; it must return the value and the move.",
    "returns-value": "The function returns the value of the position; it must return the move.",
    "returns-both": "The function returns a pair; it must return the move alone.",
    "value-and-move-swapped": "The function returns (move, value); the value comes first.",
    "move-form": "The function returns something that is not a move.",
    # The position
    "forgets-undo": "A move stays on the board: every play needs an undo, also before break and return.",
    "changes-board": "The search changes the board it was given: work on a copy, such as copy.deepcopy(board).",
    # Values
    "mover-side": "These values are from the mover's side; they must be from X's: +1 when X wins.",
    "wrong-sign": "Every value has the wrong sign: +1 means that X wins, −1 that O does.",
    "swapped-min-max": "Min and max are swapped: X chooses the largest value, O the smallest.",
    "always-max": "Every node takes the maximum: where O is to move it must take the minimum.",
    "root-always-max": "The root takes the maximum for both sides: where O is to move it must take the minimum.",
    "negamax-leaf": "Negamax needs the values of finished positions from the side to move; these are from X's side.",
    "negamax-no-minus": "Negamax must negate the value of each child: it is the value for the opponent.",
    "forgets-loss": "A win of O counts as a draw: the value of a finished position must be −1 if O has won.",
    "one-ply": "The search looks only one move ahead: it must call itself for the position after each move.",
    "depth-one-less": "The depth is off by one: the search stops one move too early.",
    "depth-one-more": "The depth is off by one: the search looks one move too far.",
    "estimate-side": "The estimate at the depth is for the side to move; it must be from X's side.",
    "small-win": "A finished position is worth ±1 here, less than an estimate: a win must outweigh every estimate.",
    "no-estimate": "The search does not use the evaluation where the depth ends.",
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
    "heuristic-constant": "The evaluation does not tell good positions from bad ones.",
    # Players
    "illegal-move": "The player chooses a cell that is taken or outside the board.",
    "misses-win": "The player does not complete its line: look first for a move that wins at once.",
    "delays-win": "The player wins later than it could: of two winning moves it should take the sooner.",
    "misses-block": "The player does not stop a threat: look for the opponent's winning move and take its cell.",
    "loses": "The player can be beaten: replay the game shown and find the move that loses.",
}
"""The mistakes by their id."""
