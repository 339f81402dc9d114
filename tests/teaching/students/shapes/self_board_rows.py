class Game:
    def __init__(self):
        self.initialize_game()

    def initialize_game(self):
        self.current_state = [[".", ".", "."], [".", ".", "."], [".", ".", "."]]
        self.player_turn = "X"

    def is_valid(self, px, py):
        return 0 <= px <= 2 and 0 <= py <= 2 and self.current_state[px][py] == "."

    def play(self, px, py):
        self.current_state[px][py] = self.player_turn
        self.player_turn = "O" if self.player_turn == "X" else "X"

    def is_end(self):
        s = self.current_state
        for i in range(3):
            if s[i][0] != "." and s[i][0] == s[i][1] == s[i][2]:
                return s[i][0]
            if s[0][i] != "." and s[0][i] == s[1][i] == s[2][i]:
                return s[0][i]
        if s[1][1] != "." and (s[0][0] == s[1][1] == s[2][2] or s[0][2] == s[1][1] == s[2][0]):
            return s[1][1]
        if any("." in row for row in s):
            return None
        return "."

    def max_alpha_beta(self, alpha, beta):
        maxv, px, py = -2, None, None
        result = self.is_end()
        if result is not None:
            return {"X": 1, "O": -1, ".": 0}[result], 0, 0
        for i in range(3):
            for j in range(3):
                if self.current_state[i][j] == ".":
                    self.current_state[i][j] = "X"
                    m, _, _ = self.min_alpha_beta(alpha, beta)
                    self.current_state[i][j] = "."
                    if m > maxv:
                        maxv, px, py = m, i, j
                    if maxv >= beta:
                        return maxv, px, py
                    alpha = max(alpha, maxv)
        return maxv, px, py

    def min_alpha_beta(self, alpha, beta):
        minv, qx, qy = 2, None, None
        result = self.is_end()
        if result is not None:
            return {"X": 1, "O": -1, ".": 0}[result], 0, 0
        for i in range(3):
            for j in range(3):
                if self.current_state[i][j] == ".":
                    self.current_state[i][j] = "O"
                    m, _, _ = self.max_alpha_beta(alpha, beta)
                    self.current_state[i][j] = "."
                    if m < minv:
                        minv, qx, qy = m, i, j
                    if minv <= alpha:
                        return minv, qx, qy
                    beta = min(beta, minv)
        return minv, qx, qy

    def best_move(self):
        search = self.max_alpha_beta if self.player_turn == "X" else self.min_alpha_beta
        value, row, column = search(-2, 2)
        return row, column
