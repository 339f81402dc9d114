import math, random

class Node:
    def __init__(self, move=None, parent=None, untried=(), side=None):
        self.move, self.parent, self.side = move, parent, side
        self.children, self.untried = [], list(untried)
        self.visits, self.wins = 0, 0.0

def uct(child, parent):
    return child.wins / child.visits + 1.4 * math.sqrt(math.log(parent.visits) / child.visits)

def mcts(position, simulations=400):
    root = Node(untried=position.legal_moves)
    for _ in range(simulations):
        node, board = root, position.copy()
        while not node.untried and node.children:
            node = max(node.children, key=lambda c: uct(c, node))
            board.play(node.move)
        if node.untried:
            move = node.untried.pop(random.randrange(len(node.untried)))
            side = board.turn
            board.play(move)
            child = Node(move, node, board.legal_moves, side)
            node.children.append(child)
            node = child
        while not board.is_over:
            board.play(random.choice(board.legal_moves))
        while node is not None:
            node.visits += 1
            if board.winner is None:
                node.wins += 0.5
            elif board.winner == node.side:
                node.wins += 1
            node = node.parent
    return max(root.children, key=lambda c: c.wins / c.visits).move
