"""Score a player over many positions of several games: mean regret, share of best moves, illegal moves.

    python examples/evaluate_player.py                       # a pretended language model
    python examples/evaluate_player.py easy --games 3x3,connect4 --positions 50
    python examples/evaluate_player.py "json:python3 examples/bots/bot.py"

A player is a function of a position that returns its move as it was written. Replace `pretend` by one that sends
`prompt(position)` to a model and returns the text of its answer.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator

import noughts as no
from noughts.analysis import Judge, Proposal
from noughts.players import FailureReason, HostedPlayer, PlayerFailed, open_player

Ask = Callable[[no.Position], object]


def prompt(position: no.Position) -> str:
    """The question for a language model."""
    legal = " ".join(position.format_move(move) for move in position.legal_moves)
    return f"{position.game.id}, {position.turn} to move.\n{position}\nLegal moves: {legal}\nAnswer with one move."


def pretend(position: no.Position) -> str:
    """Answer like a careless model: often a fair move, sometimes a taken cell, sometimes a sentence."""
    chance = random.Random(prompt(position))
    if chance.random() < 0.1:
        return "I would take the centre."
    move = chance.randrange(position.game.cells) if chance.random() < 0.2 else no.level("easy", 1).choose(position)
    return position.format_move(move)


def answer_of(player: HostedPlayer, position: no.Position) -> object:
    """The answer of an opened player: a level, a rating, a Python bot or a program (docs/protocols.md)."""
    try:
        return player.choose(position, no.Limit(seconds=1))
    except PlayerFailed as failed:
        return -1 if failed.reason is FailureReason.ILLEGAL else None  # no cell, and no move


def positions(game: no.Game, number: int, seed: int) -> Iterator[no.Position]:
    """Yield positions after some random moves, with a choice of moves."""
    chance = random.Random(seed)
    while number:
        position = game.start()
        for _ in range(chance.randrange(game.cells // 2 + 1)):
            if not position.is_over:
                position.play(chance.choice(position.legal_moves))
        if len(position.legal_moves) > 1:
            number -= 1
            yield position


def evaluate(ask: Ask, game: no.Game, number: int, judge: Judge, seed: int = 1) -> list[Proposal]:
    """Return the verdict on the player's answer in each of some positions."""
    found = []
    for position in positions(game, number, seed):
        answer = ask(position.copy())
        found.append(judge.judge(position, proposed=answer).of(answer))
    return found


def row(name: str, found: list[Proposal]) -> str:
    """A line of the table: illegal and invalid answers count as neither good nor bad moves."""
    verdicts = Counter(each.verdict.value for each in found)
    legal = [each.judged for each in found if each.judged is not None]
    regret = sum(each.regret for each in legal) / max(1, len(legal))
    exact = sum(each.is_exact for each in legal) / max(1, len(legal))
    counts = f"{verdicts['illegal']:8} {verdicts['invalid']:8}"
    return f"{name:12} {len(found):9} {verdicts['best'] / len(found):6.0%} {regret:7.3f} {counts} {exact:6.0%}"


def report(ask: Ask, games: list[str], number: int, judge: Judge) -> None:
    """Print a table with a line for each game."""
    everything = list[Proposal]()
    print(f"{'game':12} {'positions':>9} {'best':>6} {'regret':>7} {'illegal':>8} {'invalid':>8} {'exact':>6}")
    for name in games:
        found = evaluate(ask, no.Game(name), number, judge)
        everything += found
        print(row(name, found))
    print(row("all", everything))


def main() -> None:
    """Evaluate the player of the command line."""
    parser = argparse.ArgumentParser(description="Score a player over many positions.")
    parser.add_argument("player", nargs="?", help="a name as in noughts play; without it, a pretended language model")
    parser.add_argument("--games", default="3x3,4x4:3,connect4,ultimate")
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=20_000, help="the judge's budget for a position")
    options = parser.parse_args()
    games, judge = options.games.split(","), Judge(no.Limit(nodes=options.nodes))
    if options.player is None:
        report(pretend, games, options.positions, judge)
    else:
        with open_player(options.player, seed=1) as player:
            report(lambda position: answer_of(player, position), games, options.positions, judge)


if __name__ == "__main__":
    main()
