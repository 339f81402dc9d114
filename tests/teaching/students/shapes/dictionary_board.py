"""The board is a dictionary from 1 to 9, as on a telephone."""

board = {1: " ", 2: " ", 3: " ", 4: " ", 5: " ", 6: " ", 7: " ", 8: " ", 9: " "}
player = "O"
bot = "X"


def check_for_win(board, mark):
    for a, b, c in ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7)):
        if board[a] == board[b] == board[c] == mark:
            return True
    return False


def check_draw(board):
    return " " not in board.values()


def minimax(board, is_maximizing, alpha=-1000, beta=1000):
    if check_for_win(board, bot):
        return 1
    if check_for_win(board, player):
        return -1
    if check_draw(board):
        return 0
    best_score = -800 if is_maximizing else 800
    for key in board:
        if board[key] == " ":
            board[key] = bot if is_maximizing else player
            score = minimax(board, not is_maximizing, alpha, beta)
            board[key] = " "
            if is_maximizing:
                best_score = max(score, best_score)
                alpha = max(alpha, best_score)
            else:
                best_score = min(score, best_score)
                beta = min(beta, best_score)
            if beta <= alpha:
                break
    return best_score


def comp_move(board):
    best_score = -800
    best_move = 0
    for key in board:
        if board[key] == " ":
            board[key] = bot
            score = minimax(board, False)
            board[key] = " "
            if score > best_score:
                best_score = score
                best_move = key
    return best_move
