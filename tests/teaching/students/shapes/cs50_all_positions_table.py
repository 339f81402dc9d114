"""Solves every position once, from the full boards backwards, without recursion."""

X = "X"
O = "O"
EMPTY = None

TABLE = {}


def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]


def player(board):
    filled = [cell for row in board for cell in row if cell]
    return O if len(filled) % 2 else X


def actions(board):
    return {(i, j) for i, row in enumerate(board) for j, cell in enumerate(row) if not cell}


def result(board, action):
    if action not in actions(board):
        raise IndexError(action)
    return [[player(board) if (i, j) == action else cell for j, cell in enumerate(row)] for i, row in enumerate(board)]


def winner(board):
    flat = sum(board, [])
    for cells in (flat[0:3], flat[3:6], flat[6:9], flat[0::3], flat[1::3], flat[2::3], flat[0::4], flat[2:7:2]):
        if cells == [X] * 3 or cells == [O] * 3:
            return cells[0]


def terminal(board):
    return bool(winner(board)) or not actions(board)


def utility(board):
    return {X: 1, O: -1}.get(winner(board), 0)


def key(board):
    return tuple(map(tuple, board))


def solve():
    """Breadth first, then values from the last layer to the first."""
    layers = [{key(initial_state())}]
    while layers[-1]:
        following = set()
        for board in layers[-1]:
            board = list(map(list, board))
            if not terminal(board):
                following |= {key(result(board, action)) for action in actions(board)}
        layers.append(following)
    for layer in reversed(layers):
        for board in layer:
            rows = list(map(list, board))
            if terminal(rows):
                TABLE[board] = utility(rows), None
            else:
                options = [(TABLE[key(result(rows, action))][0], action) for action in actions(rows)]
                TABLE[board] = max(options) if player(rows) == X else min(options)


def minimax(board):
    if not TABLE:
        solve()
    return TABLE[key(board)][1]
