WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    def __init__(self):
        self.board = ["-"] * 9
        self.current_player = "X"

    def winner(self):
        for a, b, c in WINS:
            if self.board[a] != "-" and self.board[a] == self.board[b] == self.board[c]:
                return self.board[a]
        return None

    def make_move(self, square):
        self.board[square] = self.current_player
        self.current_player = "O" if self.current_player == "X" else "X"

    def undo_move(self, square):
        self.board[square] = "-"
        self.current_player = "O" if self.current_player == "X" else "X"

    def alpha_beta(self, alpha, beta):
        if self.winner():
            return 1 if self.winner() == "X" else -1
        if "-" not in self.board:
            return 0
        is_x = self.current_player == "X"
        for i in range(9):
            if self.board[i] == "-":
                self.make_move(i)
                score = self.alpha_beta(alpha, beta)
                self.undo_move(i)
                if is_x:
                    alpha = max(alpha, score)
                else:
                    beta = min(beta, score)
                if alpha >= beta:
                    break
        return alpha if is_x else beta

    def computer_move(self):
        sign = 1 if self.current_player == "X" else -1
        best, chosen = -2, None
        for i in range(9):
            if self.board[i] == "-":
                self.make_move(i)
                score = sign * self.alpha_beta(-1, 1)
                self.undo_move(i)
                if score > best:
                    best, chosen = score, i
        self.make_move(chosen)
