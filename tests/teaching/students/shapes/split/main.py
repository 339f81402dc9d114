"""Play against the computer."""

from rules import actions, initial_state, player, result, terminal, winner
from search import alphabeta


def show(state):
    for row in state["board"]:
        print("|".join(row))


def play():
    state = initial_state()
    while not terminal(state):
        show(state)
        if player(state) == "X":
            action = tuple(int(part) for part in input("row col: ").split())
            if action not in actions(state):
                continue
        else:
            action = alphabeta(state)[1]
        state = result(state, action)
    print(winner(state) or "draw")


if __name__ == "__main__":
    play()
