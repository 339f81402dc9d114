from dataclasses import dataclass

WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True)
class State:
    cells: tuple = (None,) * 9
    to_move: str = "X"

    def moves(self):
        return [i for i, cell in enumerate(self.cells) if cell is None]

    def play(self, i):
        cells = self.cells[:i] + (self.to_move,) + self.cells[i + 1:]
        return State(cells, "O" if self.to_move == "X" else "X")

    def winner(self):
        for a, b, c in WINS:
            if self.cells[a] and self.cells[a] == self.cells[b] == self.cells[c]:
                return self.cells[a]
        return None


def alphabeta(state, alpha=-2, beta=2):
    if state.winner() or not state.moves():
        return {"X": 1, "O": -1, None: 0}[state.winner()], None
    chosen = None
    for move in state.moves():
        value, _ = alphabeta(state.play(move), alpha, beta)
        if state.to_move == "X" and value > alpha:
            alpha, chosen = value, move
        if state.to_move == "O" and value < beta:
            beta, chosen = value, move
        if alpha >= beta:
            break
    return (alpha if state.to_move == "X" else beta), chosen
