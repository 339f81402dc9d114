"""Passes in proofs: the checkers accept them exactly if docs/proof-format.md allows it, and then the win is real."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

import noughts as no
from damaged_proofs import make_relative, mutate
from pass_prover import (
    Branch,
    LineGame,
    Sample,
    ThreatProver,
    Tree,
    Zones,
    cells_of,
    marks_of_sides,
    random_samples,
    trees_of,
)
from second_checker import expect_agreement
from verify_parts import check_in_three_parts, verdict

SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
SAMPLES = 20_000 if SLOW else 150
BOARD_SAMPLES = 1000 if SLOW else 10
ATTACK_SAMPLES = 100 if SLOW else 5
MUTATIONS = 100_000 if SLOW else 250
BATCH = 250


def expect_verdicts(checker: Path, samples: Sequence[Sample], path: Path, accepted: bool) -> None:
    """Both checkers accept all samples, or refuse all."""
    found = expect_agreement(checker, [sample.proof.text.encode() for sample in samples], path)
    assert found
    assert all((verdict is not None) == accepted for verdict in found)


# Against brute force


def test_win_with_passes_is_accepted_and_its_moves_win_against_every_reply(checker: Path, tmp_path: Path) -> None:
    samples = list(islice(random_samples(random.Random(1), lies=False), SAMPLES))
    assert all(sample.is_valid() and sample.holds() for sample in samples)
    expect_verdicts(checker, samples, tmp_path / "proof.ngp", accepted=True)
    nodes = [tree for sample in samples for tree in trees_of(sample.branch)]
    assert sum(len(tree.passes) > 1 for tree in nodes) > 20
    assert sum(bool(tree.passes) and tree.default is not None for tree in nodes) > 20
    assert sum(branch.symmetry is not None for tree in nodes for branch in tree.branches) > 20
    assert sum(bool(tree.dominated) for tree in nodes) > 20


def test_false_win_with_passes_is_refused(checker: Path, tmp_path: Path) -> None:
    """The prover leaves each reply that refutes its claim to a pass or a default."""
    samples = list(islice(random_samples(random.Random(2), lies=True), SAMPLES))
    assert not any(sample.is_valid() for sample in samples)
    expect_verdicts(checker, samples, tmp_path / "proof.ngp", accepted=False)


def attacks_on_boards(dice: random.Random) -> Iterator[Sample]:
    """Wins of X, whose marks are in the middle of a board, by threats; too large for brute force."""
    games = [no.Game(id) for id in ("6x6:4", "7x7:4", "6x6:4+exact", "7x7:4+exact")]
    while True:
        game = dice.choice(games)
        width = round(game.cells**0.5)
        middle = {x + width * y for x in range(1, width - 1) for y in range(1, width - 1)}
        position = game.start()
        for turn in range(dice.randint(3, 7)):
            moves = [move for move in position.legal_moves if (move in middle) == (turn % 2 == 0)]
            position.play(dice.choice(moves))
        if position.is_over:
            continue
        lines = LineGame(game)
        zones = Zones(lines)
        prover = ThreatProver(lines, dice, zones, quiet=1, nodes=60)
        branch = prover.prove(*marks_of_sides(position, "X"), position.turn == "X")
        if branch is not None and any(tree.passes for tree in trees_of(branch)):
            yield Sample(position, "X", branch, zones)


def test_win_by_threats_on_a_board_is_accepted_and_its_moves_win(checker: Path, tmp_path: Path) -> None:
    samples = list(islice(attacks_on_boards(random.Random(3)), BOARD_SAMPLES))
    assert all(sample.holds() for sample in samples)
    expect_verdicts(checker, samples, tmp_path / "proof.ngp", accepted=True)


def test_board_with_one_reply_of_the_zone_left_out_is_refused(checker: Path, tmp_path: Path) -> None:
    dice, damaged = random.Random(4), []
    for sample in islice(attacks_on_boards(dice), BOARD_SAMPLES):
        tree = dice.choice([tree for tree in trees_of(sample.branch) if tree.passes and tree.replies])
        del tree.replies[dice.choice([*tree.replies])]
        damaged.append(sample)
    expect_verdicts(checker, damaged, tmp_path / "proof.ngp", accepted=False)


# Each part of the argument


ATTACKS = [[at, at + 1, at + move, at + win] for at in (0, 8) for move, win in ((2, 3), (2, 4), (5, 6), (5, 7))]
"""X has cells 0 and 8, and two attacks of which O can stop one.

Each attack is a quiet move, 1 or 9, and two moves that make two threats each, so that the proof needs a pass after the
quiet move, within the pass before it.
"""


def attack(game: no.Game, text: str, zones: Zones, dice: random.Random, allows: str, nodes: int) -> Sample | None:
    """A proof that X, whose opponent is to move, wins by its attacks."""
    position = game.parse(text)
    prover = ThreatProver(zones.game, dice, zones, quiet=2, nodes=nodes, allows=allows)
    branch = prover.prove(*marks_of_sides(position, "X"), False)
    return Sample(position, "X", branch, zones) if branch is not None else None


def two_attacks(line: int, omitted: str, allows: str) -> Sample | None:
    """O has one mark elsewhere, and a line of some empty cells."""
    cells = 16 + line + 3
    game = no.Game.from_lines("two attacks", cells, [*ATTACKS, list(range(16, 16 + line))])
    zones = Zones(LineGame(game), omitted=omitted)
    return attack(game, f"x7x{cells - 10}o o", zones, random.Random(3), allows, 20_000)


def attacks_among_lines(dice: random.Random, omitted: str) -> Iterator[Sample]:
    """O has a mark and some lines, with guards, most of them away from the attacks."""
    while True:
        near, far = [cell for cell in range(1, 24) if cell != 8], range(16, 24)
        cells = [near if dice.random() < 0.3 else far for _ in range(dice.randint(1, 4))]
        lines = sorted({tuple(sorted(dice.sample(each, dice.choice((3, 3, 4, 4, 5))))) for each in cells})
        guards = [
            [dice.choice([c for c in range(24) if c not in line])] if dice.random() < 0.3 else [] for line in lines
        ]
        all_guards = [*([] for _ in ATTACKS), *guards]
        game = no.Game.from_lines("attacks", 24, [*ATTACKS, *lines], guards=all_guards if any(guards) else None)
        mark = dice.choice(far)
        text = f"x7x{mark - 9}o{23 - mark} o".replace("x0o", "xo").replace("o0", "o")
        sample = attack(game, text, Zones(LineGame(game), omitted=omitted), dice, dice.choice(("f~", "f~=")), 2000)
        if sample is not None:
            yield sample


@pytest.mark.parametrize("omitted", ["", "one more pass", "one more cell"])
def test_pass_within_a_pass_is_accepted_only_if_its_moves_win(omitted: str, checker: Path, tmp_path: Path) -> None:
    samples = list(islice(attacks_among_lines(random.Random(9), omitted), ATTACK_SAMPLES))
    holds = [sample.holds() for sample in samples]
    found = expect_agreement(checker, [sample.proof.text.encode() for sample in samples], tmp_path / "proof.ngp")
    assert all(is_won for is_won, verdict in zip(holds, found, strict=True) if verdict is not None)
    assert (False in holds) == (None in found) == (omitted != "")


@pytest.mark.parametrize("line", [3, 4])
@pytest.mark.parametrize("allows", ["f~", "f~="])
def test_pass_within_a_pass_is_accepted(line: int, allows: str, checker: Path, tmp_path: Path) -> None:
    sample = two_attacks(line, "", allows)
    assert sample is not None
    assert sample.holds()
    expect_verdicts(checker, [sample], tmp_path / "proof.ngp", accepted=True)


@pytest.mark.parametrize(
    ("omitted", "line", "allows"),
    [
        ("one more pass", 3, "f~"),  # two extra marks on a line of O that lacks three cells
        ("one more cell", 3, "f~"),
        ("lines", 3, "f~="),
        ("default", 4, "f~="),
        ("wins", 4, "f~"),
        ("moves", 4, "f~"),
        ("sequence", 4, "f~"),
    ],
)
def test_zone_without_one_of_its_parts_is_too_small(
    omitted: str, line: int, allows: str, checker: Path, tmp_path: Path
) -> None:
    """A proof that would be accepted with the smaller zone loses to some replies, and is refused."""
    sample = two_attacks(line, omitted, allows)
    assert sample is not None
    assert sample.is_valid()
    assert not sample.holds()
    expect_verdicts(checker, [sample], tmp_path / "proof.ngp", accepted=False)


@pytest.mark.parametrize("is_listed", [True, False])
def test_dominating_reply_is_in_the_zone(is_listed: bool, checker: Path, tmp_path: Path) -> None:
    """O takes cell 17 while the proof passes, and cell 16 where the proof says that 17 is at least as good."""
    sample = two_attacks(3, "" if is_listed else "dominating", "f~")
    assert sample is not None
    own, other = sample.marks
    free = sample.zones.game.board & ~(own | other | 1 << 1)
    replies = Tree("r", own | 1 << 1, other, dominated={16: 17, 18: 17})
    for cell in set(cells_of(free)) - {16, 18}:
        answer = 5 if cell in (2, 3, 4) else 2
        replies.replies[cell] = Branch(Tree("f", own | 1 << 1, other | 1 << cell, [answer]))
    sample.branch.tree.passes = [Branch(Tree("m", own, other, [1], Branch(replies)))]
    if not is_listed:
        del sample.branch.tree.replies[17]
    assert sample.is_valid()
    assert sample.holds() == is_listed
    expect_verdicts(checker, [sample], tmp_path / "proof.ngp", accepted=is_listed)


@pytest.mark.parametrize("omitted", ["moves", "listed"])
def test_random_tree_with_a_zone_that_is_too_small_is_refused(omitted: str, checker: Path, tmp_path: Path) -> None:
    dice = random.Random(5)
    false = (sample for sample in random_samples(dice, lies=True, omitted=omitted) if sample.is_valid())
    expect_verdicts(checker, list(islice(false, 1)), tmp_path / "proof.ngp", accepted=False)


FORKS = [[0, 1, 2], [0, 1, 3], [4, 5, 6], [4, 5, 7]]
"""X has cells 0 and 4: with cell 1, or with cell 5, it makes two threats."""
FORK_PROOF = "r 1:2 2:3 3:4 ~ 1\nf 1\nf 5\nf 5\nf 5"


def fork_proof(
    lines: Sequence[Sequence[int]] = (),
    body: str = FORK_PROOF,
    position: str = "x3x3o3 o",
    guards: dict[int, list[int]] | None = None,
    symmetries: Sequence[list[int]] = (),
    **rules: object,
) -> no.Proof:
    """A proof of the two forks, with further lines; ``guards`` are by the number of the line."""
    all_lines = [*FORKS, *lines]
    by_line = [(guards or {}).get(number, []) for number in range(len(all_lines))] if guards else None
    game = no.Game.from_lines("forks", 12, all_lines, guards=by_line, **rules)  # type: ignore[arg-type]
    return no.Proof(game, position, "loss", f"claim X win\n{body}", symmetries)


SWAP = [4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11]

ACCEPTED = {
    "far replies": fork_proof(),
    "a line of O that lacks three cells": fork_proof([[8, 9, 10, 11]]),
    "a line of O that lacks two cells when X completes its own": fork_proof(
        [[3, 8, 9]], "r 2:2 ~ 1\nm 2\nm 3", "xx2xx2o1oo o"
    ),
    "a reply on a guard of X's lines": fork_proof(guards={0: [9], 1: [9], 2: [9], 3: [9]}),
    "a line of O with a mark of O on its guard": fork_proof([[9, 10]], guards={4: [8]}),
    "an image": fork_proof(body=FORK_PROOF.replace("~ 1\nf 1", "~ 1/0\nf 5"), symmetries=[SWAP]),
    "two passes": fork_proof(body="r ~ 1 ~ 2\nf 1\nf 5"),
    "three passes": fork_proof(body="r ~ 1 ~ 2 ~ 1\nf 1\nf 5"),
    "a pass and a default": fork_proof(body="r ~ 1 = 5\nf 1"),
    "a listed reply outside of the zone": fork_proof(body=FORK_PROOF.replace("~ 1", "9:5 ~ 1") + "\nf 1"),
    "a fixed strategy and every reply listed": fork_proof(
        body="r 1:2 2:3 3:4 5:5 6:6 7:7 9:8 10:9 11:10 ~ 1\ng 1" + "\nf 5" * 3 + "\nf 1" * 6
    ),
    "a reply in the zone that is dominated": fork_proof(body="r 1:2 2<1 3<1 ~ 1\nf 1\nf 5"),
}

REFUSED = {
    "a threat of O by a reply": fork_proof([[8, 9, 10]]),
    "a line of O that its reply completes": fork_proof([[8, 9]]),
    "a line of O that is complete before X completes its own": fork_proof(
        [[8, 9, 10]], "r 2:2 ~ 1\nm 2\nm 3", "xx2xx2o1oo o"
    ),
    "a fixed strategy, whose zone is the board": fork_proof(body=FORK_PROOF.replace("f 1", "g 1")),
    "the cell that X plays": fork_proof(body="r 2:2 3:3 ~ 1\nf 1\nf 5\nf 5"),
    "a cell where X completes a line": fork_proof(body="r 1:2 3:3 ~ 1\nf 1\nf 5\nf 5"),
    "a guard on which O has no mark": fork_proof([[8, 9, 10]], guards={4: [11]}),
    "a guard of O's line that X has marked": fork_proof([[8, 9, 10]], guards={4: [0]}),
    "an image of another zone": fork_proof(body="r 5:2 6:3 7:4 ~ 1/0\nf 5\nf 1\nf 1\nf 1", symmetries=[SWAP]),
    "two passes that share a cell": fork_proof(body="r ~ 1 ~ 2\nf 1\nf 1"),
    "a default that fails": fork_proof(body="r ~ 1 = 1\nf 1"),
    "a dominating reply that is left out": fork_proof(body="r 2<1 3<1 ~ 1\nf 1"),
    "a pass to the opponent": fork_proof(body="r ~ 1\nr ~ 2\nf 1"),
    "a node of the other side to move": fork_proof(body="r 1:2 2:3 3:4 9:1 ~ 1\nf 1\nf 5\nf 5\nf 5"),
    "a pass to itself": fork_proof(body="r ~ 0"),
    "a pass to no node": fork_proof(body="r 1:2 2:3 3:4 ~ 9\nf 1\nf 5\nf 5\nf 5"),
    "an unknown symmetry": fork_proof(body=FORK_PROOF.replace("~ 1", "~ 1/0")),
    "an item after a pass": fork_proof(body="r 1:2 2:3 ~ 1 3:4\nf 1\nf 5\nf 5\nf 5"),
    "an item after the default": fork_proof(body="r = 5 ~ 1\nf 1"),
    "a pass without a node": fork_proof(body="r 1:1 2:2 3:3 ~\nf 5\nf 5\nf 5"),
    "a pass without a space": fork_proof(body=FORK_PROOF.replace("~ 1", "~1")),
    "a pass with two spaces": fork_proof(body=FORK_PROOF.replace("~ 1", "~  1")),
    "a pass as the first item of a move": fork_proof(body="m ~ 1\nf 1"),
    "replies that are said to end the game": fork_proof(body="r 9 99 ~ 1\nf 1"),
    "a game with gravity": fork_proof(rests_on={11: 10}),
    "a misère game": fork_proof(misere=True),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_pass_is_accepted_with(name: str, checker: Path, tmp_path: Path) -> None:
    assert None not in expect_agreement(checker, [ACCEPTED[name].text.encode()], tmp_path / "proof.ngp")


@pytest.mark.parametrize("name", REFUSED)
def test_pass_is_refused_with(name: str, checker: Path, tmp_path: Path) -> None:
    assert expect_agreement(checker, [REFUSED[name].text.encode()], tmp_path / "proof.ngp") == [None]


@pytest.mark.parametrize(("id", "position"), [("4x3:3", "x3/4/4 o"), ("ultimate:2", "4/4/4/4 x -")])
def test_pass_is_refused_in_other_claims_and_games(id: str, position: str, checker: Path, tmp_path: Path) -> None:
    bodies = ["claim X draw\nr ~ 1\np\nclaim O draw\ns", "claim X draw\np\nclaim O draw\nr ~ 1\ns"]
    files = [no.Proof(no.Game(id), position, "draw", body).text.encode() for body in bodies]
    files.append(no.Proof(no.Game(id), position, "loss", "claim X win\nr ~ 1\nf 5").text.encode())
    files.append(
        no.Proof(no.Game(id), position, "draw", "claim X block\nr ~ 1\np\nclaim O block\nr ~ 1\np").text.encode()
    )
    assert expect_agreement(checker, files, tmp_path / "proof.ngp") == [None] * len(files)


class Nodes(list[str]):
    """The nodes of a proof about forks; nodes are added before those that they refer to."""

    def add(self, line: str = "") -> int:
        self.append(line)
        return len(self) - 1

    def add_items(self, line: str, cells: Iterable[int]) -> str:
        return " ".join(f"{cell}:{self.add(line)}" for cell in cells)

    def add_block(self, cell: int) -> int:
        """X takes a cell, O is to move, and the forks are left."""
        move = self.add(f"m {cell} {len(self) + 1}")
        replies = self.add()
        items = f"{self.add_items('f 5', (1, 2, 3))} {self.add_items('f 1', [10])}"
        self[replies] = f"r {items} ~ {self.add('f 1')}"
        return move


def chain(passes: int) -> no.Proof:
    """X plays away from its forks, as long as O passes."""
    nodes = Nodes()
    spare = list(range(9, 8 + passes))
    for at, cell in enumerate(spare):
        replies = nodes.add()
        items = f"{nodes.add_items('f 5', (1, 2, 3))} {nodes.add_items('f 1', (5, 6, 7, *spare[at:]))}"
        nodes[replies] = f"r {items} ~ {nodes.add(f'm {cell} {len(nodes) + 1}')}"
    last = nodes.add()
    nodes[last] = f"r {nodes.add_items('f 5', (1, 2, 3))} ~ {nodes.add('f 1')}"
    cells = 10 + passes
    game = no.Game.from_lines("chain", cells, FORKS)
    return no.Proof(game, f"x3x3o{cells - 9} o", "loss", "\n".join(["claim X win", *nodes]))


def test_path_has_at_most_eight_passes(checker: Path, tmp_path: Path) -> None:
    files = [chain(passes).text.encode() for passes in (1, 2, 8, 9)]
    found = expect_agreement(checker, files, tmp_path / "proof.ngp")
    assert [each is not None for each in found] == [True, True, True, False]
    with pytest.raises(no.InvalidProof, match="expected at most 8 passes on a path, got one more"):
        no.verify(chain(9))


@pytest.mark.parametrize("is_default", [False, True])
def test_default_that_needs_a_mark_of_the_opponent_on_a_guard_takes_every_cell(
    is_default: bool, checker: Path, tmp_path: Path
) -> None:
    """After X's 10, O's 11 and X's 1, O completes its line 8 11 12, unless O has spoiled it by its reply 13."""
    nodes = Nodes()

    def add_replies(cells: Sequence[int], rest: str) -> None:
        number = nodes.add()
        items = [nodes.add_items("f 5", (1, 2, 3)), nodes.add_items("f 1", cells)]
        items += [f"11:{nodes.add_block(12)}", f"12:{nodes.add_block(11)}"]
        nodes[number] = f"r {' '.join(items)} {rest.replace('NEXT', str(len(nodes)))}".rstrip()

    add_replies((5, 6, 7, 10, 13, 15), "~ NEXT")
    nodes.add(f"m 15 {len(nodes) + 1}")
    add_replies((5, 6, 7, 10, 16), "= 10 1") if is_default else add_replies((5, 6, 7, 10, 13, 16), "")
    lines = [*FORKS, [9, 10, 11], [8, 11, 12]]
    game = no.Game.from_lines("guarded", 17, lines, guards=[[], [], [], [], [], [13]])
    proof = no.Proof(game, "x3x3ox4o2 o", "loss", "\n".join(["claim X win", *nodes]))
    found = expect_agreement(checker, [proof.text.encode()], tmp_path / "proof.ngp")
    assert [each is None for each in found] == [is_default]
    if is_default:
        with pytest.raises(no.InvalidProof, match=r"node 0 \(line 3\): expected an answer to 16"):
            no.verify(proof)


def test_message_names_the_reply_and_the_passes_before_the_mistake() -> None:
    with pytest.raises(no.InvalidProof, match="expected an answer to 3, which is in the zone of every pass"):
        no.verify(fork_proof(body="r 1:2 2:3 ~ 1\nf 1\nf 5\nf 5"))
    with pytest.raises(no.InvalidProof, match=r"node 1 \(line 4\), after a pass: expected 9 to threaten a line"):
        no.verify(fork_proof(body=FORK_PROOF.replace("f 1", "f 9")))


# Damaged proofs


@pytest.fixture(scope="module")
def with_passes() -> list[bytes]:
    """Small proofs with passes, each of another position."""
    samples = [*islice(random_samples(random.Random(6), lies=False), 60)]
    proofs = [sample.proof for sample in samples] + [*ACCEPTED.values()]
    texts = [text for proof in proofs if len(text := proof.text.encode()) < 3000]
    return [make_relative(text) if number % 2 else text for number, text in enumerate(texts)]


def is_true(data: bytes) -> bool:
    """Whether brute force confirms a proof of a win in a game without gravity or misère; others are not looked at."""
    proof = no.Proof.parse(data.decode())
    game, position = proof.game, proof.game.parse(proof.position)
    if game.has_gravity or game.is_misere or game.blocks > 1 or proof.value == "draw":
        return True
    side = proof.claims[0].side
    return LineGame(game).wins(*marks_of_sides(position, side), position.turn == side)


def test_checkers_agree_on_damaged_proofs_with_passes_and_accept_true_ones(
    checker: Path, with_passes: list[bytes], tmp_path: Path
) -> None:
    dice, held = random.Random(7), 0
    for _ in range(MUTATIONS // BATCH):
        files = [mutate(dice.choice(with_passes), dice) for _ in range(BATCH)]
        verdicts = expect_agreement(checker, files, tmp_path / "proof.ngp")
        accepted = [data for data, verdict in zip(files, verdicts, strict=True) if verdict is not None]
        assert all(map(is_true, accepted))
        held += len(accepted)
    assert 0.01 * MUTATIONS < held < 0.5 * MUTATIONS


def test_parts_of_a_proof_with_passes_have_the_verdict_of_the_whole(
    with_passes: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(8)
    files = [*with_passes, *(proof.text.encode() for proof in REFUSED.values())]
    files += [mutate(dice.choice(with_passes), dice) for _ in range(MUTATIONS)]
    proofs = [proof for data in files if (proof := parsed(data)) is not None]
    said = [verdict(proof) for proof in proofs]
    check_in_three_parts(monkeypatch)
    assert [verdict(proof) for proof in proofs] == said
    assert len(set(said)) > 50


def parsed(data: bytes) -> no.Proof | None:
    try:
        return no.Proof.parse(data.decode())
    except (no.InvalidProof, UnicodeDecodeError):
        return None
