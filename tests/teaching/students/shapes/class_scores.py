"""A game object that changes, and a search that plays on it, takes moves back and returns a dictionary."""

import math


class TicTacToe:
    def __init__(self):
        self.board = [" " for _ in range(9)]
        self.current_winner = None

    def available_moves(self):
        return [i for i, spot in enumerate(self.board) if spot == " "]

    def empty_squares(self):
        return " " in self.board

    def num_empty_squares(self):
        return self.board.count(" ")

    def make_move(self, square, letter):
        if self.board[square] == " ":
            self.board[square] = letter
            if self.winner(square, letter):
                self.current_winner = letter
            return True
        return False

    def winner(self, square, letter):
        row_ind = square // 3
        if all(spot == letter for spot in self.board[row_ind * 3:(row_ind + 1) * 3]):
            return True
        col_ind = square % 3
        if all(self.board[col_ind + i * 3] == letter for i in range(3)):
            return True
        if square % 2 == 0:
            if all(self.board[i] == letter for i in [0, 4, 8]):
                return True
            if all(self.board[i] == letter for i in [2, 4, 6]):
                return True
        return False


def minimax(game, letter):
    """The best square for the letter that is to move, and its score, which is higher for sooner wins."""
    return search(game, letter, letter)


def search(game, letter, max_player):
    other = "O" if letter == "X" else "X"
    if game.current_winner == other:
        sign = 1 if other == max_player else -1
        return {"position": None, "score": sign * (game.num_empty_squares() + 1)}
    if not game.empty_squares():
        return {"position": None, "score": 0}
    best = {"position": None, "score": -math.inf if letter == max_player else math.inf}
    for square in game.available_moves():
        game.make_move(square, letter)
        found = search(game, other, max_player)
        game.board[square] = " "
        game.current_winner = None
        found["position"] = square
        if letter == max_player and found["score"] > best["score"]:
            best = found
        if letter != max_player and found["score"] < best["score"]:
            best = found
    return best
