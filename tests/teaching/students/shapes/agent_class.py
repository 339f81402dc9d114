class Board:
    def __init__(self):
        self.grid = [["", "", ""] for _ in range(3)]

    def put(self, row, col, mark):
        self.grid[row][col] = mark

    def empty(self):
        return [(row, col) for row in range(3) for col in range(3) if self.grid[row][col] == ""]

    def has_line(self, mark):
        lines = [[(i, j) for j in range(3)] for i in range(3)] + [[(j, i) for j in range(3)] for i in range(3)]
        lines += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
        return any(all(self.grid[row][col] == mark for row, col in line) for line in lines)


class MinimaxAgent:
    def __init__(self, symbol):
        self.symbol = symbol
        self.opponent = "O" if symbol == "X" else "X"

    def get_move(self, board):
        return self.search(board, True, -100, 100)[1]

    def search(self, board, my_turn, alpha, beta):
        if board.has_line(self.symbol):
            return 1, None
        if board.has_line(self.opponent):
            return -1, None
        if not board.empty():
            return 0, None
        best = None
        for row, col in board.empty():
            board.put(row, col, self.symbol if my_turn else self.opponent)
            score, _ = self.search(board, not my_turn, alpha, beta)
            board.put(row, col, "")
            if my_turn and score > alpha:
                alpha, best = score, (row, col)
            if not my_turn and score < beta:
                beta, best = score, (row, col)
            if alpha >= beta:
                break
        return (alpha if my_turn else beta), best
