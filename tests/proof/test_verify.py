"""Proofs are checked by the rules alone: correct ones pass, and any mistake is found and located."""

from __future__ import annotations

import ast
import gzip
import inspect
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import noughts as no
from mocks import nothing_left
from noughts import _core
from noughts.proof import breaker_check, claim_check, fixed_strategy, reference_rules, set_matching, zone_check
from paths import ROOT
from plays import play_randomly
from prover import Prover
from verify_parts import check_in_three_parts, verdict

checker: Any = import_module("noughts.proof.verify")

SMALL = [
    ("3x3", (), "draw"),
    ("3x3+misere", (), "draw"),
    ("4x3:3", (), "win"),
    ("4x3:3+misere", (), "loss"),
    ("4x3:3+exact", (), "win"),
    ("3x3+wrap", (), "win"),
    ("3x3+gravity", (), "draw"),
    ("4x4+gravity", (12, 13, 14, 15, 8, 9, 10, 11), "draw"),
    ("4x4:3+gravity+misere", (12, 13, 14, 15, 8), None),
    ("2x2x2", (), "win"),
    ("ultimate:2", (), "win"),
    ("ultimate:2+count", (), "win"),
    ("ultimate:2+open", (), "win"),
    ("ultimate:2+misere", (), "win"),
    ("ultimate:2+misere+count+open", (), None),
]


def rejection(proof: no.Proof) -> str:
    """Return why a proof is rejected."""
    with pytest.raises(no.InvalidProof) as caught:
        no.verify(proof)
    return str(caught.value)


def make(game: str | no.Game, position: str, value: str, body: str, symmetries: Sequence[list[int]] = ()) -> no.Proof:
    return no.Proof(no.Game(game) if isinstance(game, str) else game, position, value, body, symmetries)


def with_body(proof: no.Proof, body: str) -> no.Proof:
    return no.Proof(proof.game, proof.position, proof.value, body, proof.symmetries)


# Good proofs


@pytest.mark.parametrize(("id", "moves", "value"), SMALL, ids=[id for id, *_ in SMALL])
def test_exhaustive_proofs_of_every_family_pass(id: str, moves: tuple[int, ...], value: str | None) -> None:
    proof = Prover(id, moves).proof()
    assert value in (None, proof.value)
    report = no.verify(proof)
    assert report.positions >= report.nodes == len(proof)
    assert report.claims == (2 if proof.value == "draw" else 1)


@pytest.mark.parametrize("id", ["3x3", "4x3:3", "3x3+misere", "3x3+gravity", "4x3:3+exact"])
def test_references_to_symmetric_positions_shorten_a_proof(id: str) -> None:
    group = no.Game(id).symmetry.elements
    plain, folded = Prover(id).proof(), Prover(id, symmetries=group).proof()
    assert len(folded) < len(plain)
    assert any("/" in line for line in folded.body.splitlines())
    no.verify(folded)


@pytest.mark.parametrize("id", ["3x3", "4x3:3", "4x4:3"])
def test_dominated_replies_may_be_left_out(id: str) -> None:
    proof = Prover(id, dominate=True).proof()
    assert "<" in proof.body
    no.verify(proof)


def test_forced_sequence_wins() -> None:
    no.verify(make("3x3", "xo1/3/3 x", "win", "claim X win\nf 4 3"))


def test_default_answer_covers_replies_that_are_not_listed() -> None:
    no.verify(make("3x3", "xo1/1x1/3 o", "loss", "claim X win\nr = 3"))
    no.verify(make("3x3", "xo1/1x1/3 o", "loss", "claim X win\nr 8:1 =\nf 3"))


def test_forced_sequences_of_random_positions_with_gravity_pass() -> None:
    game = no.Game("5x4:3+gravity")
    found = _forced_positions(game)
    assert len(found) > 10
    for text, sequence in found:
        no.verify(make(game, text, "win", "claim X win\nf " + " ".join(map(str, sequence))))


def _forced_positions(game: no.Game) -> list[tuple[str, list[int]]]:
    """Positions with a win by threats, found by the core and checked here, up to the move that makes two."""
    found = []
    for position in random_positions(game, 300):
        chain = _core.forced_win(position, 1000)
        if position.turn == "X" and len(chain) >= 5:
            found.append((position.text, chain[:-2:2]))
    return found


def random_positions(game: no.Game, count: int) -> Iterator[no.Position]:
    for seed in range(count):
        dice = random.Random(seed)
        position = play_randomly(game.start(), dice, dice.choice((2, 4, 6, 8)))
        if not position.is_over:
            yield position


def test_threat_that_hangs_in_the_air_forces_nothing() -> None:
    tried = 0
    for position in random_positions(no.Game("5x4:3+gravity"), 300):
        for move in position.legal_moves:
            after = position.after(move)
            if position.turn != "X" or after.is_over or after.threats("X") or after.threats("O"):
                continue
            if after.completing("X"):
                tried += 1
                said = rejection(make(position.game, position.text, "win", f"claim X win\nf {move} 0"))
                assert "to threaten a line, but it does not" in said
    assert tried > 20


def test_pairing_holds_for_the_second_player() -> None:
    game = no.Game.from_lines("two pairs", cells=4, lines=[[0, 1], [2, 3]])
    no.verify(make(game, game.start().text, "draw", "claim X draw\nS\nclaim O draw\np 0-1 2-3"))


def test_erdos_selfridge_sum_holds_after_any_first_move_of_4x4() -> None:
    body = "claim X draw\nS\nclaim O draw\nr " + " ".join(f"{cell}:{cell + 1}" for cell in range(16)) + "\ns" * 16
    report = no.verify(make("4x4", "4/4/4/4 x", "draw", body))
    assert report.nodes == 18


def test_deep_proofs_need_no_deep_stack() -> None:
    count = 1000
    game = no.Game.from_lines("tower", count, [[count - 1, count - 3]], rests_on=[None, *range(count - 1)])
    nodes = [f"r {cell}:{cell + 1}" if cell % 2 == 0 else f"m {cell} {cell + 1}" for cell in range(count - 1)]
    no.verify(make(game, game.start().text, "loss", "\n".join(["claim O win", *nodes, f"m {count - 1}"])))


def test_checker_uses_neither_the_core_nor_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    proof, ultimate = Prover("3x3").proof(), Prover("ultimate:2").proof()

    def refuse(*_: object) -> None:
        raise AssertionError("the checker must not use positions of the core")

    monkeypatch.setattr(no.Position, "__init__", refuse)
    for each in (proof, ultimate):
        no.verify(each)


def test_checker_imports_only_the_rules_as_data() -> None:
    allowed = {
        "Claim",
        "DRAW",
        "FlatRules",
        "Game",
        "GameOver",
        "InvalidPosition",
        "InvalidProof",
        "Proof",
        "PositionContents",
        "Side",
    }
    allowed |= {"Sequences", "Symmetry", "UltimateRules", "Value", "cells_in", "quote", "read_position", "rules_of"}
    allowed |= {
        "FixedStrategy",
        "ProofGoal",
        "LocalTasks",
        "MOST_CELLS",
        "MirrorStrategy",
        "Rules",
        "SetMatching",
        "mask_of",
        "parse_items",
        "target_of",
        "union_of",
    }
    modules = [inspect.getmodule(no.verify), breaker_check, claim_check, fixed_strategy, reference_rules, set_matching]
    modules.append(zone_check)
    allowed |= {name for module in (breaker_check, claim_check, zone_check) for name in module.__all__}
    for module in modules:
        assert module is not None
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("noughts"):
                assert {name.name for name in node.names} <= allowed
            assert not (isinstance(node, ast.Import) and any(name.name.startswith("noughts") for name in node.names))


def test_checking_is_fast_enough() -> None:
    proof = Prover("4x3:3+misere").proof()
    began = time.process_time()
    positions = no.verify(proof).positions
    assert positions / (time.process_time() - began) > 20_000


def test_progress_is_reported() -> None:
    seen: list[tuple[int, int]] = []
    proof = Prover("4x4:3+misere", (0, 5, 3, 6)).proof()
    no.verify(proof, lambda done, total: seen.append((done, total)))
    assert len(proof) < 8192 or seen


# In parts


@pytest.mark.parametrize("id", ["3x3", "4x3:3", "3x3+gravity", "ultimate:2"])
def test_parts_add_up_to_the_whole(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    proof = Prover(id, symmetries=no.Game(id).symmetry.elements).proof()
    whole = no.verify(proof)
    check_in_three_parts(monkeypatch)
    assert no.verify(proof)[:3] == whole[:3]


@pytest.mark.parametrize(("id", "moves"), [("3x3", (4, 0)), ("ultimate:2", ())])
def test_parts_reject_with_the_message_of_the_whole(
    id: str, moves: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    proof, dice = Prover(id, moves).proof(), random.Random(1)
    lines = proof.body.splitlines()
    damaged = []
    for at in dice.sample([at for at, line in enumerate(lines) if not line.startswith("claim")], 8):
        changed = [*mutations(lines[at]), "x", "m", "r 1 =", "m 99999999 1", "r 1:99999999"]
        damaged += [with_body(proof, "\n".join([*lines[:at], line, *lines[at + 1 :]])) for line in changed]
    said = [verdict(each) for each in damaged]
    check_in_three_parts(monkeypatch)
    assert [verdict(each) for each in damaged] == said
    assert len(set(said)) > 20


@pytest.mark.processes
def test_processes_check_a_part_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "NODES_PER_JOB", 10)
    proof = Prover("4x3:3").proof()
    with nothing_left():
        assert no.verify(proof, jobs=2)[:3] == no.verify(proof)[:3]
    with pytest.raises(ValueError, match="expected 1 to 1024 jobs, got 0"):
        no.verify(proof, jobs=0)


# Bad proofs


def mutations(line: str) -> Iterator[str]:
    """The line with each number changed, each item left out, and each item twice."""
    for number in re.finditer(r"\d+", line):
        for other in {int(number[0]) + 1, int(number[0]) - 1, int(number[0]) + 7} - {-1}:
            yield line[: number.start()] + str(other) + line[number.end() :]
    items = line.split(" ")
    for at in range(1, len(items)):
        yield " ".join(items[:at] + items[at + 1 :])
        yield " ".join(items[: at + 1] + items[at:])


@pytest.mark.parametrize(
    ("id", "moves"),
    [
        ("3x3", (4, 0)),
        ("3x3+misere", (4, 0)),
        ("4x3:3", (5, 0)),
        ("4x4+gravity", (12, 13, 14, 15, 8, 9, 10, 11, 4)),
        ("ultimate:2", ()),
        ("ultimate:2+open", ()),
    ],
)
def test_every_altered_line_is_rejected_with_its_place(id: str, moves: tuple[int, ...]) -> None:
    proof = Prover(id, moves).proof()
    no.verify(proof)
    lines = proof.body.splitlines()
    dice, tried = random.Random(1), 0
    for at in sorted(dice.sample(range(len(lines)), min(len(lines), 60))):
        if lines[at].startswith("claim"):
            continue
        for altered in mutations(lines[at]):
            changed = with_body(proof, "\n".join([*lines[:at], altered, *lines[at + 1 :]]))
            if _wins_too(lines[at], altered, changed):
                continue
            tried += 1
            assert re.match(r"claim [XO] (win|draw), node \d+ \(line \d+\)", rejection(changed)), altered
    assert tried > 100


def _wins_too(line: str, altered: str, changed: no.Proof) -> bool:
    """Whether another last move also wins: then the proof is still correct."""
    if not (line.startswith("m ") and line.count(" ") == 1 and altered.count(" ") == 1):
        return False
    try:
        no.verify(changed)
    except no.InvalidProof:
        return False
    return True


@pytest.mark.parametrize(
    ("game", "items", "reason"),
    [
        ("4x4+gravity", "16", "expected cells, or pairs of different cells, of the board, got 16"),
        ("4x4+gravity", "3-3", "expected cells, or pairs of different cells, of the board, got 3-3"),
        ("3x3", "4", "the board is filled without a line"),
        ("4x4x4x4", "", "the opponent threatens two"),
        ("5x5:4+gravity", "", "b3 completes one"),
        ("4x4:3+gravity", "12 13 14 15", "a3 completes one"),
        ("3x3+misere", "4", "expected an argument that holds in 3x3+misere for this claim, got a fixed strategy"),
        ("ultimate:2", "4", "expected an argument that holds in ultimate:2 for this claim, got a fixed strategy"),
    ],
)
def test_fixed_strategy_that_fails_is_rejected(game: str, items: str, reason: str) -> None:
    start = no.Game(game).start().text
    assert reason in rejection(make(game, start, "win", f"claim X win\ng {items}".rstrip()))


def test_fixed_strategy_that_visits_too_many_positions_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.proof.fixed_strategy.MAX_POSITIONS", 9)
    proof = make(no.Game.from_lines("wide", 8, [[0, 1]]), "8 x", "draw", "claim O draw\ng 0-1\nclaim X draw\ng 0")
    assert "expected a strategy that visits at most 9 positions" in rejection(proof)
    monkeypatch.undo()
    no.verify(proof)


def test_fixed_strategy_claims_the_cells_above_those_of_the_opponent() -> None:
    columns: dict[int, int | list[int]] = {1: 0, 3: 2, 5: 4}
    game = no.Game.from_lines("columns", 6, [[1, 3], [0, 2, 4, 5]], rests_on=columns)
    start = game.start().text
    assert no.verify(make(game, start, "loss", "claim O win\ng 1 3 5")).positions == 7
    assert "filled without a line" in rejection(make(game, start, "loss", "claim O win\ng 0-2 2-4 0-4"))
    no.verify(make(game, game.start().after(0).text, "win", "claim O win\ng 1 3 5"))


SQUARE = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]]


@pytest.mark.parametrize("extra", [[], [[0, 9, 10]], [[0, 1, 9, 10], [2, 4, 9, 10]]])
def test_square_of_nine_cells_stops_its_rows_and_columns(extra: list[list[int]]) -> None:
    game = no.Game.from_lines("square", 11, SQUARE + extra)
    pair = " 9-10" if extra else ""
    assert (
        no.verify(make(game, "11 x", "draw", f"claim X draw\nS\nclaim O draw\nt 0-1-2-3-4-5-6-7-8{pair}")).positions
        == 2
    )


@pytest.mark.parametrize(
    ("game", "sets", "reason"),
    [
        (no.Game.from_lines("square", 9, SQUARE), "0-1-2-3-4-5-6-7-9", "expected sets of 2 to 12 empty cells"),
        (no.Game.from_lines("square", 9, SQUARE), "0-1-2-3-4-5-6-7-7", "expected sets of 2 to 12 empty cells"),
        (no.Game.from_lines("square", 9, SQUARE), "0-1-2-3-4-5 5-6-7-8", "expected sets of 2 to 12 empty cells"),
        (no.Game.from_lines("square", 9, SQUARE), "0-1-2-3-4-5-6-7", "expected sets that stop every line"),
        (no.Game.from_lines("square", 9, SQUARE), "0-1-2 6-7-8", "expected sets that stop every line"),
        (no.Game("3x3"), "0-1-2-3-4-5-6-7-8", "expected sets that stop every line"),
        (no.Game("4x4"), "0-1-2-3-4-5-6-7-8-9-10-11-12", "expected sets of 2 to 12 empty cells"),
        (no.Game("3x3"), "4", "expected t CELL-CELL CELL-CELL-CELL"),
        (
            no.Game("3x3+misere"),
            "0-1",
            "expected an argument that holds in 3x3+misere for this claim, got a set matching",
        ),
        (no.Game("3x3+gravity"), "0-1", "expected an argument that holds in 3x3+gravity for this claim"),
    ],
)
def test_set_matching_that_fails_is_rejected(game: no.Game, sets: str, reason: str) -> None:
    assert reason in rejection(make(game, game.start().text, "draw", f"claim O draw\nt {sets}\nclaim X draw\nS"))


def test_dropped_and_added_nodes_are_rejected() -> None:
    proof = Prover("3x3", (4, 0)).proof()
    lines = proof.body.splitlines()
    for at in range(len(lines)):
        rejection(with_body(proof, "\n".join(lines[:at] + lines[at + 1 :])))
    assert "nothing leads to this one" in rejection(with_body(proof, proof.body + "r\n"))


def test_rejection_gives_the_moves_to_the_mistake() -> None:
    proof = make("3x3", "3/3/3 x", "win", "claim X win\nm 4 1\nr 0:2 1:2")
    assert rejection(proof) == "claim X win, node 1 (line 4), after b2: expected a node up to 1 after a3, got 2"


def test_moves_to_the_mistake_are_given_with_symmetries_undone() -> None:
    flip = [2, 1, 0, 5, 4, 3, 8, 7, 6]  # left and right exchanged
    body = "claim X win\nm 4 1/0\nr " + " ".join(f"{c}:{n}" for n, c in enumerate((0, 3, 5, 6, 7, 8), 2))
    proof = make("3x3", "xo1/3/3 x", "win", body + "\nm 7" * 6, [flip])
    # Node 1 stands at the image, where X is on c3: its cell 8 is c1 there, and a1 on the board; node 7 is the last.
    assert rejection(proof).startswith("claim X win, node 7 (line 10), after b2 a1: ")


@pytest.mark.parametrize(
    ("value", "body", "said"),
    [
        ("draw", "claim X win\nf 4 3", "expected claim O draw, claim X draw for a draw with X to move, got"),
        ("win", "claim O win\nf 4 3", "expected claim X win for a win"),
        ("loss", "claim X win\nf 4 3", "expected claim O win for a loss"),
        ("win", "claim X win\nf 4 3\nclaim X win\nf 4 3", "got claim X win, claim X win"),
        ("win", "", "line 2: expected claim X win or the like, got ''"),
        ("win", "claim X win", "expected nodes, got none"),
        ("win", "f 4 3", "line 2: expected claim X win"),
        ("win", "claim Z win\nf 4 3", "line 2: expected claim X win"),
        ("win", "claim X win\nf 4 3 5", "expected the sequence to end with a2"),
        ("win", "claim X win\nf 4", "stops before"),
        ("win", "claim X win\nf 5 3", "expected c2 to threaten a line"),
        ("win", "claim X win\nf 1", "expected a legal move in the sequence, got b3"),
        ("win", "claim X win\nf 99", "got cell 99"),
        ("win", "claim X win\nf", "expected f CELL CELL"),
        ("win", "claim X win\nm 0 1\nf 4", "expected a legal move, got a3"),
        ("win", "claim X win\nm 4", "expected the game to end with b2, but it is not over"),
        ("win", "claim X win\nm 4 0", "it stands at another position"),
        ("win", "claim X win\nm 4 7", "expected a node up to 0"),
        ("win", "claim X win\nm 4 1/0\nr = 3", "expected a symmetry below 0"),
        ("win", "claim X win\nm 4 1\nr", "expected an answer to c3, got none"),
        ("win", "claim X win\nm 4 1\nr 2:2 2:2 = 3\nm 8", "expected one answer to c3, got two"),
        ("win", "claim X win\nm 4 1\nr = 5", "after the reply c1: expected"),
        ("win", "claim X win\nm 4 1\nm 3 2\nr =", "expected X to move"),
        ("win", "claim X win\nr = 4 3", "expected O to move"),
        ("win", "claim X win\np", "got a pairing"),
        ("win", "claim X win\ns", "got an Erdős–Selfridge sum"),
        ("win", "claim X win\nS", "got strategy stealing"),
        ("win", "claim X win\nq 4", "expected a node of kind"),
        ("win", "claim X win\nm 4 -1", "expected m CELL NODE"),
        ("win", "claim X win\nm 4 1 1", "expected m CELL NODE"),
        ("win", "claim X win\nm ４ 1", "expected m CELL NODE"),
        ("win", "claim X win\nm 4444444444444444 1", "expected m CELL NODE"),
        ("win", "claim X win\n\nf 4 3", "expected a node of kind"),
    ],
)
def test_rejection_says_what_is_wrong(value: str, body: str, said: str) -> None:
    message = rejection(make("3x3", "xo1/3/3 x", value, body))
    assert said in message
    assert "\n" not in message


def test_sequence_that_lets_the_opponent_complete_a_line_is_rejected() -> None:
    # O threatens a1: a fork of X's comes too late.
    body = "claim X win\nf 4"
    assert "one can be completed" in rejection(make("3x3", "oxx/o2/3 x", "win", body))


def test_default_answer_does_not_cover_a_reply_that_wins() -> None:
    assert "it completes a line" in rejection(make("3x3", "oo1/xx1/3 x", "win", "claim X win\nm 8 1\nr = 5"))


def test_draw_argument_must_hold() -> None:
    game = no.Game.from_lines("two pairs", cells=5, lines=[[0, 1], [2, 3]])
    text = game.start().text
    for body, said in [
        ("p 0-1", "every line open to the opponent, but not 2 3"),
        ("p 0-1 1-2", "each cell in one set"),
        ("p 0-0 2-3", "each cell in one set"),
        ("p 0-9 2-3", "each cell in one set"),
        ("p 0-2 1-3", "every line open to the opponent, but not"),
        ("s 0-2", "expected an Erdős–Selfridge sum below 2, got 3"),
        ("s 0-1 1-2", "each cell in one set"),
        ("S", "only as X"),
    ]:
        assert said in rejection(make(game, text, "draw", f"claim X draw\nS\nclaim O draw\n{body}"))


def test_pairing_may_not_use_cells_that_are_taken() -> None:
    game = no.Game.from_lines("two pairs", cells=5, lines=[[0, 1], [2, 3]])
    position = game.start()
    position.play(0)
    said = rejection(make(game, position.text, "draw", "claim X draw\np 2-3 0-1\nclaim O draw\np 1-4 2-3"))
    assert "each cell in one set" in said


@pytest.mark.parametrize("id", ["3x3+misere", "3x3+gravity", "ultimate:2"])
@pytest.mark.parametrize("node", ["p", "s", "S"])
def test_draw_arguments_of_flat_boards_are_refused_elsewhere(id: str, node: str) -> None:
    game = no.Game(id)
    proof = make(game, game.start().text, "draw", f"claim X draw\n{node}\nclaim O draw\n{node}")
    assert f"expected an argument that holds in {id}" in rejection(proof)


@pytest.mark.parametrize("id", ["3x3+misere", "ultimate:2"])
def test_forced_sequences_are_refused_where_a_line_does_not_win(id: str) -> None:
    game = no.Game(id)
    assert "got a forced sequence" in rejection(make(game, game.start().text, "win", "claim X win\nf 4 3"))
    assert "got a forced sequence" in rejection(make(game, game.start().text, "loss", "claim O win\nr = 3"))


def test_strategy_stealing_is_refused_where_a_mark_may_hurt_or_the_board_is_not_empty() -> None:
    body = "claim X draw\nS\nclaim O draw\nS"
    assert "got strategy stealing" in rejection(make("4x4:3+exact", "4/4/4/4 x", "draw", body))
    assert "empty board" in rejection(make("3x3", "xo1/3/3 x", "draw", body))


def test_domination_must_hold() -> None:
    body = "claim X draw\nS\nclaim O draw\nr 0<4 " + " ".join(f"{cell}:{cell}" for cell in range(1, 9)) + "\ns" * 8
    said = rejection(make("3x3", "3/3/3 x", "draw", body))
    assert "claim O draw, node 0 (line 5): expected b2 on every open line of a3, but not on a3 b3 c3" in said
    one = Prover("3x3", dominate=True).proof()
    lines, tried = one.body.splitlines(), 0
    for at, line in [(at, line) for at, line in enumerate(lines) if "<" in line][:25]:
        match = re.search(r"(\d+)<(\d+)", line)
        assert match is not None
        for other in set(range(9)) - {int(match[2])}:
            tried += 1
            changed = line.replace(match[0], f"{match[1]}<{other}", 1)
            if f" {other}:" not in line:  # taken, itself dominated, or the last item
                rejection(with_body(one, "\n".join([*lines[:at], changed, *lines[at + 1 :]])))
    assert tried > 50
    exact = Prover("4x3:3+exact", dominate=True).proof()
    assert "got a dominated reply" in rejection(exact)


def test_dominating_reply_must_be_answered_itself() -> None:
    proof = Prover("3x3", dominate=True).proof()
    lines = proof.body.splitlines()
    at = next(i for i, line in enumerate(lines) if "<" in line)
    cell, by = re.search(r"(\d+)<(\d+)", lines[at]).groups()  # type: ignore[union-attr]
    lines[at] = re.sub(rf" {by}(:\S+)?(?= |$)", f" {by}<{cell}", lines[at])
    assert "to be answered itself" in rejection(with_body(proof, "\n".join(lines)))


@pytest.mark.parametrize(
    ("id", "numbers", "said"),
    [
        ("3x3", [1, 0, 2, 3, 4, 5, 6, 7, 8], "takes lines and their guards to lines"),
        ("3x3", [0, 0, 2, 3, 4, 5, 6, 7, 8], "each cell from 0 to 8 once"),
        ("3x3", [0, 1], "each cell from 0 to 8 once"),
        ("3x3+gravity", [6, 7, 8, 3, 4, 5, 0, 1, 2], "keeps what each cell rests on"),
        ("ultimate:2", [4, 1, 2, 3, 0, *range(5, 16)], "blocks to blocks"),
        ("ultimate:2", [1, 0, 2, 3, *range(4, 16)], "where each cell sends"),
    ],
)
def test_permutation_that_does_not_keep_the_game_is_rejected(id: str, numbers: list[int], said: str) -> None:
    proof = Prover(id).proof()
    assert said in rejection(no.Proof(proof.game, proof.position, proof.value, proof.body, [numbers]))


def test_wrong_symmetry_of_a_reference_is_rejected() -> None:
    group = no.Game("3x3").symmetry.elements
    proof = Prover("3x3", symmetries=group).proof()
    lines, tried, refused = proof.body.splitlines(), 0, 0
    for at, line in enumerate(lines):
        for match in re.finditer(r":(\d+)/(\d+)", line):
            tried += 1
            other = f"{line[: match.start()]}:{match[1]}/{(int(match[2]) + 1) % 8}{line[match.end() :]}"
            try:
                no.verify(with_body(proof, "\n".join([*lines[:at], other, *lines[at + 1 :]])))
            except no.InvalidProof:
                refused += 1
    # For the few symmetric positions, another symmetry gives the same position and the proof stays correct.
    assert tried > 50
    assert refused > 0.9 * tried


def test_reference_by_a_symmetry_goes_to_the_image_and_no_other() -> None:
    flip, turn = [2, 1, 0, 5, 4, 3, 8, 7, 6], [6, 3, 0, 7, 4, 1, 8, 5, 2]
    body = "claim X win\nm 4 1/{}\nr 6:2 =\nf 5"  # on the flipped board, where X is on c3 and b2 and O on b3
    no.verify(make("3x3", "xo1/3/3 x", "win", body.format(0), [flip, turn]))
    rejection(make("3x3", "xo1/3/3 x", "win", body.format(1), [flip, turn]))
    rejection(make("3x3", "xo1/3/3 x", "win", body.replace("/{}", ""), [flip, turn]))


def test_references_cannot_go_in_circles() -> None:
    body = "claim X win\nm 4 1\nr " + " ".join(f"{cell}:0" for cell in (2, 3, 5, 6, 7, 8))
    assert "another position" in rejection(make("3x3", "xo1/3/3 x", "win", body))


def test_finished_or_impossible_positions_prove_nothing() -> None:
    for text, said in [
        ("xxx/oo1/3 -", "no line is complete"),
        ("xoxxoxoxo -", "rows"),
        ("xxx/3/3 x", "as many X as O"),
        ("nonsense", "expected 2 fields"),
    ]:
        assert said in rejection(make("3x3", text, "win", "claim X win\nf 4 3"))
    assert "floats" in rejection(make("3x3+gravity", "x2/3/o2 x", "win", "claim X win\nf 4 3"))


def test_random_damage_is_never_an_unexpected_error() -> None:
    proof = Prover("3x3", symmetries=no.Game("3x3").symmetry.elements, dominate=True).proof()
    dice, text = random.Random(7), proof.text
    refused = 0
    for _ in range(400):
        at = dice.randrange(len(text))
        broken = text[:at] + dice.choice(["", *"7 :/<=-m\né\x00"]) + text[at + 1 :]
        try:
            no.verify(no.Proof.parse(broken))
        except no.InvalidProof as error:
            refused += "\n" not in str(error)
    assert refused > 300


@pytest.mark.parametrize("seed", range(30) if os.environ.get("NOUGHTS_SLOW") else range(1))
def test_damaged_file_is_never_an_unexpected_error(seed: int, tmp_path: Path) -> None:
    proof = Prover("3x3", symmetries=no.Game("3x3").symmetry.elements, dominate=True).proof()
    path, dice = tmp_path / "damaged.ngp", random.Random(seed)
    proof.save(path)
    files = path.read_bytes(), proof.text.encode()
    for _ in range(1000):
        data = bytearray(dice.choice(files))
        for _ in range(dice.choice((1, 1, 3, 20))):
            data[dice.randrange(len(data))] = dice.randrange(256)
        path.write_bytes(data if dice.random() < 0.8 else data[: dice.randrange(len(data))])
        try:
            no.verify(no.Proof.load(path))
        except no.InvalidProof as error:
            assert len(str(error)) < 1000  # noqa: PT017 - some damage is harmless


# Files


def test_proof_survives_a_file(tmp_path: Path) -> None:
    proof = Prover("3x3", symmetries=no.Game("3x3").symmetry.elements).proof()
    proof.save(tmp_path / "a.ngp")
    assert (tmp_path / "a.ngp").read_bytes()[:2] == b"\x1f\x8b"
    assert no.Proof.load(tmp_path / "a.ngp") == proof
    (tmp_path / "plain.ngp").write_text(proof.text)
    assert no.Proof.load(tmp_path / "plain.ngp") == proof
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_proof_of_a_custom_game_survives_a_file(tmp_path: Path) -> None:
    game = no.Game.from_lines("two pairs", cells=4, lines=[[0, 1], [2, 3]])
    make(game, game.start().text, "draw", "claim X draw\nS\nclaim O draw\np 0-1 2-3").save(tmp_path / "a.ngp")
    loaded = no.Proof.load(tmp_path / "a.ngp")
    assert loaded.game == game
    no.verify(loaded)


def test_broken_file_is_refused_with_the_line(tmp_path: Path) -> None:
    proof = Prover("3x3").proof()
    packed = gzip.compress(proof.text.encode())
    header, body = proof.text.split("\n", 1)
    for data, said in [
        (packed[:-9], "expected a whole compressed file"),
        (packed[: len(packed) // 2], "expected a whole compressed file"),
        (packed[:40] + b"\0" * 40 + packed[80:], "expected a whole compressed file"),
        (b"", "line 1: expected the header of a proof as JSON, got ''"),
        (b"hello", "line 1: expected the header of a proof as JSON, got 'hello'"),
        (b"[1]", "line 1: expected the header of a proof, got other JSON: [1]"),
        (b'{"name": "fano"}', 'line 1: expected the header of a proof, got other JSON: {"name": "fano"}'),
        (b'{"noughts_proof":2}', "line 1: expected a proof of version 1, got version 2"),
        (b'{"noughts_proof":1}', "line 1: expected the key 'game'"),
        (header.replace('"3x3"', '"3y3"').encode(), "line 1: "),
        (header.replace('"3x3"', "[1]").encode(), "line 1: expected a game id or an object"),
        (header.replace('"draw"', '"maybe"').encode(), "line 1: expected a value of win, draw, loss, got 'maybe'"),
        (header.replace("[]", '[["a"]]').encode(), "line 1: expected the symmetries as lists of cells"),
        (header.replace("[]", "3").encode(), "line 1: expected the symmetries as lists of cells"),
        (b"\xff" + header.encode(), "line 1: expected text in ASCII"),
        (f"{header}\n".encode() + b"claim X draw\n\xff\xfe", "line 3: expected text in ASCII"),
    ]:
        (tmp_path / "broken.ngp").write_bytes(data)
        with pytest.raises(no.InvalidProof, match=re.escape(said)):
            no.Proof.load(tmp_path / "broken.ngp")
    for kept in range(0, len(body) - 1, 97):
        rejection(no.Proof.parse(header + "\n" + body[:kept]))


HEADER = '{"noughts_proof":1,"game":"3x3","position":"3/3/3 x","value":"draw","symmetries":[]}\n'
BOMBS = {
    "one long line": (HEADER + "claim X draw\n", "m"),
    "one long header": ("", "["),
    "many empty lines": (HEADER, "\n"),
    "many nodes": (HEADER + "claim X draw\n", "m 1 1\n"),
    "many claims": (HEADER, "claim X draw\n"),
}
"""The beginning of each, and the part that is repeated."""


@pytest.mark.parametrize("name", BOMBS)
def test_file_that_unpacks_to_far_too_much_is_refused_in_little_memory(name: str, tmp_path: Path) -> None:
    begin, repeated = BOMBS[name]
    (tmp_path / "bomb.ngp").write_bytes(gzip.compress((begin + repeated * ((128 << 20) // len(repeated))).encode(), 6))
    program = (
        "import resource, sys, noughts as no\n"
        "from noughts.proof import verify\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try:\n"
        "    no.verify(no.Proof.load(sys.argv[1]))\n"
        "except no.InvalidProof as error:\n"
        "    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "bomb.ngp"], capture_output=True, text=True, timeout=120, check=True
    )
    grown, message = done.stdout.split(" ", 1)
    assert re.match(r"line \d+: expected ", message)
    assert len(message) < 200
    assert int(grown) < 100


def test_lines_and_claims_that_no_proof_has_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.proof.proof.MAX_NODES", 1000)
    for text, said in [
        ("[" * (17 << 20), "line 1: expected a line of a proof"),
        (HEADER + "claim X draw\n" + "m" * (2 << 20), "line 3: expected a line of a proof"),
        (HEADER + "claim X draw\n" + "s\n" * 2000, "expected at most 1,000 nodes, got more"),
        (HEADER + "claim X draw\ns\n" * 400, "line 6: expected at most two claims, got a third"),
    ]:
        (tmp_path / "plain.ngp").write_text(text)
        with pytest.raises(no.InvalidProof, match=re.escape(said)):
            no.verify(no.Proof.load(tmp_path / "plain.ngp"))


def test_limit_on_the_text_of_a_proof_can_be_set(tmp_path: Path) -> None:
    proof = Prover("3x3").proof()
    padded = no.Proof(proof.game, proof.position, proof.value, proof.body + "s\n" * (1 << 20), proof.symmetries)
    (tmp_path / "plain.ngp").write_text(padded.text)
    with pytest.raises(no.InvalidProof, match="expected at most"):
        no.Proof.load(tmp_path / "plain.ngp", most_mb=1)
    assert no.Proof.load(tmp_path / "plain.ngp", most_mb=4) == padded


def test_summary_of_a_proof_is_one_line() -> None:
    assert str(make("3x3", "xo1/3/3 x", "win", "claim X win\nf 4 3")) == "3x3  xo1/3/3 x  win, 1 node"


def test_only_proofs_can_be_verified() -> None:
    with pytest.raises(TypeError, match=r"expected a Proof, which Proof.load reads from a file, got str"):
        no.verify("proof")  # type: ignore[arg-type]
    with pytest.raises(no.InvalidProof, match="expected a value"):
        make("3x3", "3/3/3 x", "maybe", "")


def test_examples_of_the_page_about_proofs_are_proofs() -> None:
    page = (ROOT / "docs" / "proof-format.md").read_text(encoding="utf-8")
    examples = re.findall(r"```\n(\{.*?)```", page, re.DOTALL)
    found = [no.verify(no.Proof.parse(example))[:3] for example in examples]
    assert found == [(1, 3, 11), (1, 5, 33), (2, 5, 9), (1, 2, 3)]
