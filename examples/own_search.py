"""Write your own search and see it drawn: run this, then open own_search.html and own_search.svg in a browser."""

from noughts import Game, Position
from noughts.teaching import Trace, grade


def my_search(position: Position, trace: Trace | None = None, alpha: int = -2, beta: int = 2) -> tuple[int, int | None]:
    """Return the value (from X's side) and the best move: plain alpha-beta. Change it and look again."""
    if trace is not None:
        trace.enter(position, alpha, beta)  # one call on the way down ...
    is_max, best_move = position.turn == "X", None
    value = {"X": 1, "O": -1, None: 0}[position.winner] if position.is_over else (-2 if is_max else 2)
    for move in position.legal_moves:
        position.play(move)
        found, _ = my_search(position, trace, alpha, beta)
        position.undo()
        if found > value if is_max else found < value:
            value, best_move = found, move
        alpha, beta = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
        if alpha >= beta:
            break  # what is left out here is drawn as pruned
    if trace is not None:
        trace.leave(value)  # ... and one on the way up
    return value, best_move


if __name__ == "__main__":
    picture = Trace("my_search")
    my_search(Game("3x3").parse("xox/1o1/1x1 o"), picture)
    picture.save("own_search.svg")
    picture.save("own_search.html")
    print(picture, grade(my_search), sep="\n")
