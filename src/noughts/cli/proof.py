"""``noughts proof``: shows what a proof contains, what it plays after some moves, and takes parts of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from noughts.cli.groups import HelpfulGroup
from noughts.cli.options import json_option
from noughts.cli.output import print_result, say
from noughts.cli.types import File, WholeNumberRange
from noughts.games.quoting import count

if TYPE_CHECKING:
    from noughts.proof.proof import Claim, Proof
    from noughts.proof.proof_walk import ProofWalk

MOST_REPLIES = 12
"""Replies with the same answer that the tree names."""
file_argument = click.argument("file", type=File(".ngp", exists=True))
moves_argument = click.argument("moves", nargs=-1)


@click.group(name="proof", cls=HelpfulGroup)
def command() -> None:
    """Look into a proof: its size, its moves, and its parts. noughts verify checks it.

    MOVES are those of both sides, from the position that the proof is about.

    \b
    noughts solve 6x6:4 --proof 6x6.ngp
    noughts proof stats 6x6.ngp
    noughts proof play 6x6.ngp c4 c3
    """


@dataclass(frozen=True, kw_only=True)
class ClaimSize:
    """The claim of one side and its nodes; ``plies`` is the length of the longest line of a win."""

    claim: str
    nodes: int
    kinds: dict[str, int]
    passes: int
    plies: int | None


@dataclass(frozen=True, kw_only=True)
class ProofSize:
    """The theorem of a proof, and what its file contains; the hash is that of the unpacked text."""

    file: str
    game: str
    position: str
    value: str
    bytes: int
    sha256: str
    symmetries: int
    claims: tuple[ClaimSize, ...]

    @property
    def text(self) -> str:
        lines = [f"{self.game} {self.position} is a {self.value}"]
        for claim in self.claims:
            kinds = ", ".join(_count_kind(kind, number) for kind, number in claim.kinds.items())
            passes = f", {count(claim.passes, 'pass')}" if claim.passes else ""
            length = "" if claim.plies is None else f"; at most {claim.plies} plies"
            lines.append(f"{claim.claim}: {count(claim.nodes, 'node')} ({kinds}){passes}{length}")
        return "\n".join([*lines, f"{self.bytes:,} bytes, SHA-256 of the text {self.sha256}"])


def _count_kind(kind: str, number: int) -> str:
    return f"{number:,} {kind}" if number != 1 else f"1 {kind.replace('ies', 'y').removesuffix('s')}"


@command.command(name="stats")
@file_argument
@json_option()
def stats(file: Path, as_json: bool) -> None:
    """Show the value that a proof proves, its nodes by their kinds, and the hash of its text."""
    from noughts.proof.proof import ProofGoal, plies_to_end
    from noughts.proof.proof_walk import count_kinds

    proof = _load(file)
    empty = proof.empty_cells
    claims = tuple(
        ClaimSize(
            claim=str(claim),
            nodes=len(claim.nodes),
            kinds=count_kinds(claim),
            passes=sum(line.count(" ~ ") for line in claim.nodes),
            plies=plies_to_end(claim.nodes, empty)[0] if claim.goal is ProofGoal.WIN else None,
        )
        for claim in proof.claims
    )
    size = ProofSize(
        file=str(file), game=proof.game.label, position=proof.position, value=proof.value, bytes=file.stat().st_size,
        sha256=proof.sha256, symmetries=len(proof.symmetries), claims=claims,
    )  # fmt: skip
    print_result(size, size.text, as_json)


@dataclass(frozen=True, kw_only=True)
class MoveOfProof:
    """The move of a claim's side after some moves; None if it is not to move, or if the proof names no move."""

    claim: str
    position: str
    move: str | None
    cell: int | None
    text: str


@command.command(name="play")
@file_argument
@moves_argument
@json_option("Print JSON, one object per line and claim.")
def play(file: Path, moves: tuple[str, ...], as_json: bool) -> None:
    """Show the move that the proof plays after MOVES, and what it rests on."""
    proof = _load(file)
    for walk in _walks(proof, moves):
        answer = _describe(walk)
        print_result(answer, answer.text, as_json)


def _describe(walk: ProofWalk) -> MoveOfProof:
    name, claim, cell = walk.position.game.format_cell, str(walk.claim), None
    if walk.position.is_over:
        text = f"{claim}: the game is over"
    elif not walk.is_prover_to_move:
        text = f"{claim}: {walk.claim.side.opponent} is to move; the proof answers every reply"
    else:
        cell, reason = walk.move
        text = f"{claim}: {'no move' if cell is None else name(cell)} ({reason})"
    move = None if cell is None else name(cell)
    return MoveOfProof(claim=claim, position=walk.position.text, move=move, cell=cell, text=text)


@command.command(name="tree")
@file_argument
@moves_argument
@click.option(
    "--depth",
    type=WholeNumberRange(1, 20),
    default=1,
    show_default=True,
    help="Number of the prover's answers to show.",
)
def tree(file: Path, moves: tuple[str, ...], depth: int) -> None:
    """Show the answers of the proof after MOVES to every reply; replies with the same answer are on one line."""
    proof = _load(file)
    for walk in _walks(proof, moves):
        say(f"{walk.claim}")
        for line in _lines(walk, depth, "  "):
            say(line)


def _lines(walk: ProofWalk, depth: int, indent: str) -> Iterator[str]:
    """The lines of a tree below a place."""
    name, side = walk.position.game.format_cell, walk.claim.side
    if walk.position.is_over or depth == 0:
        return
    if walk.is_prover_to_move:
        cell, reason = walk.move
        yield f"{indent}{side} {'names no move' if cell is None else name(cell)} ({reason})"
        if cell is not None:
            walk.play(cell)
            yield from _lines(walk, depth - 1, indent + "  ")
        return
    answers: defaultdict[str, list[str]] = defaultdict(list)
    for reply in walk.position.legal_moves:
        after = walk.copy()
        after.play(reply)
        if depth > 1:
            yield f"{indent}{side.opponent} {name(reply)}"
            yield from _lines(after, depth, indent + "  ")
        else:
            answers[_answer(after)].append(name(reply))
    for answer, replies in sorted(answers.items(), key=lambda item: -len(item[1])):
        more = f" and {len(replies) - MOST_REPLIES} more" if len(replies) > MOST_REPLIES else ""
        yield f"{indent}{answer} after {' '.join(replies[:MOST_REPLIES])}{more}"


def _answer(walk: ProofWalk) -> str:
    if walk.position.is_over:
        return "the game is over"
    cell = walk.move.cell
    return f"{walk.claim.side} {'names no move' if cell is None else walk.position.game.format_cell(cell)}"


@command.command(name="extract")
@file_argument
@moves_argument
@click.option("--output", "-o", type=File(".ngp"), required=True, help="The file to write.")
def extract(file: Path, moves: tuple[str, ...], output: Path) -> None:
    """Write the part of the proof of a win that begins after MOVES: a proof of that position's value."""
    from noughts.proof.proof_walk import NotInProof, extract_proof

    proof = _load(file)
    try:
        (walk,) = _walks(proof, moves, proof.claims[:1])
        part = extract_proof(walk, proof)
    except NotInProof as error:
        _fail(str(error))
    part.save(output)
    say(f"{output}: {part.game.label} {part.position} is a {part.value}, {count(len(part), 'node')}")


def _load(file: Path) -> Proof:
    from noughts.proof.proof import InvalidProof, Proof

    try:
        return Proof.load(file)
    except InvalidProof as error:
        _fail(f"{file}: {error}")


def _walks(proof: Proof, moves: tuple[str, ...], claims: list[Claim] | None = None) -> Iterator[ProofWalk]:
    """Follow the moves through each claim; if none contains them, the error says why."""
    from noughts.proof.proof_walk import NotInProof, ProofWalk

    errors, found = [], 0
    for claim in claims or proof.claims:
        try:
            walk = ProofWalk(proof, claim)
            for move in moves:
                walk.play(move)
        except NotInProof as error:
            errors.append(f"{claim}: {error}")
            continue
        found += 1
        yield walk
    if not found:
        _fail("; ".join(errors))


def _fail(message: str) -> NoReturn:
    raise click.UsageError(message)
