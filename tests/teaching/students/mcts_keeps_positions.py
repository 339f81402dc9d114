import math, random

class Node:
    def __init__(self, position):
        self.position, self.children, self.visits, self.total = position, {}, 0, 0

def rollout(position):
    position = position.copy()
    while not position.is_over:
        position.play(random.choice(position.legal_moves))
    return {"X": 1, "O": -1, None: 0}[position.winner]

def bound(node, child):
    if not child.visits:
        return math.inf
    sign = 1 if node.position.turn == "X" else -1
    return sign * child.total / child.visits + 2 * math.sqrt(math.log(node.visits) / child.visits)

def mcts(position, simulations):
    root = Node(position)
    for _ in range(simulations):
        path = [root]
        while path[-1].visits and not path[-1].position.is_over:  # a node is expanded at its second visit
            node = path[-1]
            for move in reversed(node.position.legal_moves if not node.children else []):
                node.children[move] = Node(node.position.after(move))
            path.append(max(node.children.values(), key=lambda child: bound(node, child)))
        result = rollout(path[-1].position)
        for node in path:
            node.visits += 1
            node.total += result
    return max(root.children, key=lambda move: root.children[move].visits)
