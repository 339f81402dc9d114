from collections import namedtuple

Position = namedtuple("Position", "board player")
Choice = namedtuple("Choice", "action score")
WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def start():
    return Position("." * 9, "x")


def moves(s):
    return [i for i in range(9) if s.board[i] == "."]


def play(s, move):
    return Position(s.board[:move] + s.player + s.board[move + 1:], "o" if s.player == "x" else "x")


def outcome(s):
    for a, b, c in WINS:
        if s.board[a] != "." and s.board[a] == s.board[b] == s.board[c]:
            return 1 if s.board[a] == "x" else -1
    return None if "." in s.board else 0


def decide(s, low=-9, high=9):
    if outcome(s) is not None:
        return Choice(None, outcome(s))
    best = None
    for move in moves(s):
        score = decide(play(s, move), low, high).score
        if best is None or (score > best.score if s.player == "x" else score < best.score):
            best = Choice(move, score)
        if s.player == "x":
            low = max(low, score)
        else:
            high = min(high, score)
        if low >= high:
            break
    return best
