"""The second checker, tools/checker, agrees with ``verify``: on every kind of proof and on damaged ones."""

from __future__ import annotations

import gzip
import lzma
import os
import random
import re
import subprocess
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

import noughts as no
from block_prover import BlockProver
from brute_force import as_custom_game, random_hypergraph, random_positions
from damaged_proofs import change_byte, change_number, make_relative, mutate
from pass_prover import random_samples
from paths import ROOT
from plays import played_at_random
from prover import Prover
from second_checker import build_checker, expect_agreement, verdicts
from terminals import in_process

SOURCES = ROOT / "tools" / "checker"
MUTATIONS = 100_000 if os.environ.get("NOUGHTS_SLOW") else 1000
FUZZED = 1_000_000 if os.environ.get("NOUGHTS_SLOW") else 5000
BATCH = 1000

EXHAUSTIVE = [
    ("3x3", ()),
    ("3x3+misere", ()),
    ("4x3:3", ()),
    ("4x3:3+misere", ()),
    ("4x3:3+exact", ()),
    ("3x3+wrap", ()),
    ("4x2:2+wrap+exact", ()),
    ("3x3+gravity", ()),
    ("4x4+gravity", (12, 13, 14, 15, 8, 9, 10, 11)),
    ("4x4:3+gravity+misere", (12, 13, 14, 15, 8)),
    ("2x2x2", ()),
    ("2x2x2x2+gravity", ()),
    ("ultimate:2", ()),
    ("ultimate:2+count", ()),
    ("ultimate:2+open", ()),
    ("ultimate:2+misere", ()),
    ("ultimate:2+misere+count+open", ()),
]
SOLVED = ["3x3", "4x4", "5x4:4", "5x5:4", "4x4:3+wrap", "6x5:4", "3x3x3", "4x4+gravity", "5x4:4+gravity", "9x8:4"]
TOWER = 300
TWO_PAIRS = 'X to move at 4 x in a custom game named "two pairs", 4 cells, 2 lines'


def custom_games() -> list[no.Game]:
    """Custom games with every key, small enough to be solved at once."""
    fano = [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]]
    layout = [(0.5, 0), (1, 1), (2, -3), (3, 0), (4, 1.25), (5, 2), (6, 3)]
    return [
        no.Game.from_lines("two pairs", cells=4, lines=[[0, 1], [2, 3]]),
        no.Game.from_lines("fano", 7, fano, layout=layout),
        no.Game.from_lines("fano misère", 7, fano, misere=True),
        no.Game.from_lines("guarded", 7, fano[:4], guards=[[3], [], [1, 2], [0]]),
        no.Game.from_lines(
            "pyramid", 6, [[0, 1, 2], [3, 4], [0, 3, 5]], rests_on=[None, None, None, [0, 1], [1, 2], [3, 4]]
        ),
    ]


def ultimate_endings() -> Iterator[no.Position]:
    """Positions of Ultimate shortly before the end, from random playthroughs."""
    for id in ("ultimate:3", "ultimate:3+open", "ultimate:3+misere+count"):
        position = played_at_random(id, 5)
        for _ in range(6):
            position.undo()
        yield position


def hand_written() -> list[no.Proof]:
    pairs = no.Game.from_lines("two pairs", cells=4, lines=[[0, 1], [2, 3]])
    page = (ROOT / "docs" / "proof-format.md").read_text(encoding="utf-8")
    tower = no.Game.from_lines("tower", TOWER, [[TOWER - 1, TOWER - 3]], rests_on=[None, *range(TOWER - 1)])
    steps = [f"r {cell}:{cell + 1}" if cell % 2 == 0 else f"m {cell} {cell + 1}" for cell in range(TOWER - 1)]
    answers = " ".join(f"{cell}:{cell + 1}" for cell in range(16))
    flip = [2, 1, 0, 5, 4, 3, 8, 7, 6]
    square = no.Game.from_lines("square", 9, [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]])
    columns = no.Game.from_lines("columns", 6, [[1, 3], [0, 2, 4, 5]], rests_on={1: 0, 3: 2, 5: 4})
    return [
        no.Proof(pairs, "4 x", "draw", "claim X draw\nS\nclaim O draw\np 0-1 2-3"),
        no.Proof(no.Game("4x4"), "4/4/4/4 x", "draw", f"claim X draw\nS\nclaim O draw\nr {answers}" + "\ns" * 16),
        no.Proof(no.Game("3x3"), "xo1/3/3 x", "win", "claim X win\nf 4 3"),
        no.Proof(no.Game("3x3"), "xo1/1x1/3 o", "loss", "claim X win\nr 8:1 =\nf 3"),
        no.Proof(no.Game("3x3"), "xo1/3/3 x", "win", "claim X win\nm 4 1/0\nr 6:2 =\nf 5", [flip]),
        no.Proof(pairs, "4 x", "draw", "claim X draw\nS\nclaim O draw\nt 0-1 2-3"),
        no.Proof(square, "9 x", "draw", "claim X draw\nS\nclaim O draw\nt 0-1-2-3-4-5-6-7-8"),
        no.Proof(pairs, "4 x", "draw", "claim X draw\nS\nclaim O draw\ns 0-1"),
        *(no.Proof.parse(example) for example in re.findall(r"```\n(\{.*?)```", page, re.DOTALL)),
        no.Proof(columns, "6 x", "loss", "claim O win\ng 1 3 5"),
        no.Proof(columns, "x5 o", "win", "claim O win\ng 0-1 3-2 1 3-4 5"),
        no.Proof(tower, f"{TOWER} x", "loss", "\n".join(["claim O win", *steps, f"m {TOWER - 1}"])),
    ]


def blocked() -> Iterator[no.Proof]:
    """Proofs of draws by two claims that the opponent never completes a line."""
    dice, found = random.Random(12), 0
    boards = [no.Game(id) for id in ("4x3:3", "4x4", "4x4:3+exact", "3x3+wrap")]
    while found < 40:
        flat = random_hypergraph(dice, 8)
        game = dice.choice([*boards, as_custom_game(flat)])
        for position in random_positions(game, dice, 9, 1) if not (game.has_gravity or game.is_misere) else ():
            provers = {side: BlockProver(position, side, dice) for side in "XO"}
            if position.cells.count(None) > 6 and all(prover.is_true() for prover in provers.values()):
                body = "\n".join("\n".join([f"claim {side} block", *provers[side].nodes()]) for side in "XO")
                yield no.Proof(position.game, position.text, "draw", body, position.game.symmetry.elements)
                found += 1


def solved(position: no.Position) -> no.Proof:
    proof = no.solve(position).proof
    assert proof is not None
    return proof


@pytest.fixture(scope="session")
def proofs() -> list[no.Proof]:
    """Proofs of every family of games and with every kind of node."""
    found = [*hand_written(), *blocked()]
    found += [sample.proof for sample in islice(random_samples(random.Random(13), lies=False), 20)]
    found += [Prover(id, moves).proof() for id, moves in EXHAUSTIVE]
    for id in ("3x3", "4x3:3", "3x3+misere", "3x3+gravity", "4x3:3+exact"):
        found.append(Prover(id, symmetries=no.Game(id).symmetry.elements, dominate=id in ("3x3", "4x3:3")).proof())
    found += [solved(no.Game(id).start()) for id in SOLVED]
    found += [solved(game.start()) for game in custom_games()]
    found += [solved(position) for position in ultimate_endings()]
    return found


def test_second_checker_accepts_every_kind_of_proof(checker: Path, proofs: list[no.Proof], tmp_path: Path) -> None:
    assert {line[:1] for proof in proofs for line in proof.body.splitlines()} >= set("mrcfgptsS")
    files = [proof.text.encode() for proof in proofs]
    assert None not in expect_agreement(checker, files, tmp_path / "proof.ngp")


def test_set_with_single_cells_of_lines_is_refused(checker: Path, tmp_path: Path) -> None:
    for lines in ([[0, 3, 4]], [[0, 3, 4], [1, 5, 6]]):  # the opponent takes cell 0
        game = no.Game.from_lines("single cells", 7, lines)
        proof = no.Proof(game, "7 x", "draw", "claim X draw\nS\nclaim O draw\nt 0-1-2")
        assert expect_agreement(checker, [proof.text.encode()], tmp_path / "proof.ngp") == [None]


@pytest.mark.parametrize(("ending", "compress", "padding"), [("", gzip.compress, 20), (".xz", lzma.compress, 0)])
def test_compressed_files_are_unpacked(
    checker: Path,
    proofs: list[no.Proof],
    tmp_path: Path,
    ending: str,
    compress: Callable[[bytes], bytes],
    padding: int,
) -> None:
    whole, twice, broken, bomb = (tmp_path / f"{name}.ngp{ending}" for name in ("it's", "twice", "broken", "bomb"))
    proofs[0].save(whole)
    text = proofs[0].text.encode()
    assert whole.read_bytes()[:3] == compress(text)[:3]
    twice.write_bytes(compress(text[:50]) + compress(text[50:]) + bytes(padding))
    broken.write_bytes(whole.read_bytes()[:-9])
    bomb.write_bytes(compress(bytes(80 << 20)))
    assert no.Proof.load(twice) == proofs[0]
    for path in (broken, bomb):
        with pytest.raises(no.InvalidProof):
            no.Proof.load(path)
    done = subprocess.run(
        [checker, whole, twice, broken, bomb], capture_output=True, text=True, timeout=60, check=False
    )
    refused = "not a proof: expected a whole compressed file without too much text"
    assert done.stdout.splitlines() == [
        *(f"{path}: draw, 2 nodes, 2 positions: {TWO_PAIRS}" for path in (whole, twice)),
        *(f"{path}: {refused}" for path in (broken, bomb)),
    ]
    assert done.returncode == 1


def test_file_of_xz_that_demands_gigabytes_is_refused(checker: Path, proofs: list[no.Proof], tmp_path: Path) -> None:
    path = tmp_path / "large.ngp.xz"
    data = bytearray(lzma.compress(proofs[0].text.encode()))
    data[16] = 40  # the size of the dictionary, 4 GiB
    data[20:24] = zlib.crc32(data[12:20]).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(no.InvalidProof, match=r"expected a whole compressed file, got a broken one .*emory"):
        no.Proof.load(path)
    done = subprocess.run([checker, path], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.startswith(f"{path}: not a proof: expected a whole")) == (1, True)


@pytest.mark.slow
def test_proof_of_qubic_holds_for_both(checker: Path, tmp_path: Path) -> None:
    proof = solved(no.Game("qubic").start())
    assert None not in expect_agreement(checker, [proof.text.encode()], tmp_path / "proof.ngp")


def test_hostile_files_are_refused_within_little_memory(checker: Path, tmp_path: Path) -> None:
    header = b'{"noughts_proof":1,"game":"3x3","position":"3/3/3 x","value":"draw","symmetries":[]}'
    hostile = [
        b"",
        b"\x1f\x8b",
        header + b"\n" + bytes(50 << 20),
        b"[" * 1_000_000,
        b"[" + b"0," * 8_000_000 + b"0]",
        header[:-2] + b"[0]," * 1_000_000 + b"[0]]}",
        header.replace(b"3x3", b"64x64:15") + b"\nclaim X draw\ns\n",
        header.replace(b"3x3", b"x".join([b"999999999"] * 20)),
        header + b"\nclaim X draw\n" + b"m" * (2 << 20),
    ]
    limited = tmp_path / "limited"
    limited.write_text(f'#!/bin/sh\nulimit -v 600000\nexec "{checker}" "$@"\n')
    limited.chmod(0o755)
    assert verdicts(limited, hostile) == [None] * len(hostile)


def test_rejection_names_the_place_and_the_exit_code_says_why(checker: Path, tmp_path: Path) -> None:
    flip = [2, 1, 0, 5, 4, 3, 8, 7, 6]
    body = "claim X win\nm 4 1/0\nr " + " ".join(f"{c}:{n}" for n, c in enumerate((0, 3, 5, 6, 7, 8), 2))
    proof = no.Proof(no.Game("3x3"), "xo1/3/3 x", "win", body + "\nm 7" * 6, [flip])
    path = tmp_path / "wrong.ngp"
    proof.save(path)
    done = subprocess.run([checker, path], capture_output=True, text=True, timeout=60, check=False)
    said = "claim X win, node 7 (line 10): expected a move that ends the game, but it is not over"
    assert (done.returncode, done.stdout) == (1, f"{path}: not a proof: {said}\n")
    missing = subprocess.run([checker, tmp_path / "none"], capture_output=True, text=True, timeout=60, check=False)
    assert (missing.returncode, missing.stdout) == (2, f"{tmp_path / 'none'}: not checked: cannot read the file\n")
    assert subprocess.run([checker], capture_output=True, timeout=60, check=False).returncode == 2


# What is proven


def answer(checker: Path, *arguments: object) -> tuple[int, str]:
    """The exit code and the only line that the checker prints."""
    done = subprocess.run([checker, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)
    line = done.stdout if done.stdout else done.stderr.splitlines()[0]
    return done.returncode, line.strip().removeprefix(f"{arguments[0]}: ")


def saved(proof: no.Proof, path: Path) -> Path:
    proof.save(path)
    return path


@pytest.mark.parametrize(
    ("position", "value", "body", "said"),
    [
        ("xo1/3/3 x", "win", "claim X win\nf 4 3", "X to move at xo1/3/3 x in 3x3, 9 cells, 8 lines"),
        ("xo1/1x1/3 o", "loss", "claim X win\nr 8:1 =\nf 3", "O to move at xo1/1x1/3 o in 3x3, 9 cells, 8 lines"),
    ],
    ids=["win", "loss"],
)
def test_second_checker_says_what_is_proven(
    checker: Path, position: str, value: str, body: str, said: str, tmp_path: Path
) -> None:
    proof = no.Proof(no.Game("3x3"), position, value, body)
    code, line = answer(checker, saved(proof, tmp_path / "proof.ngp"))
    assert code == 0
    assert re.fullmatch(rf"{value}, \d+ nodes, \d+ positions: {re.escape(said)}", line)


def test_name_of_a_custom_game_is_quoted(checker: Path, tmp_path: Path) -> None:
    game = no.Game.from_lines('a "b" \\ é', 3, [[0, 1], [1, 2]], guards=[[], [0]], rests_on={1: 0}, misere=True)
    code, line = answer(checker, saved(solved(game.start()), tmp_path / "proof.ngp"))
    named = r'a custom game named "a \"b\" \\ ?", 3 cells, 2 lines, guards, gravity, misere'
    assert (code, line.split("positions: ")[1]) == (0, f"X to move at 3 x in {named}")


@pytest.mark.parametrize("name", ["3x3", "connect4", "7x6:4+gravity", "ultimate:3+open"])
def test_custom_game_with_the_name_of_a_game_is_refused_by_both(checker: Path, name: str, tmp_path: Path) -> None:
    header = f'{{"noughts_proof":1,"game":{{"name":"{name}","cells":3,"lines":[[0]]}},"position":"3 x","value":"win"'
    data = f'{header},"symmetries":[]}}\nclaim X win\nf 0'.encode()
    assert expect_agreement(checker, [data], tmp_path / "proof.ngp") == [None]
    other = data.replace(name.encode(), b"another")
    assert None not in expect_agreement(checker, [other], tmp_path / "proof.ngp")


@pytest.mark.parametrize(
    ("name", "is_valid"),
    [(r"\ud83d\ude00", True), (r"a\ud83d", False), (r"\ude00a", False), (r"\ud83d\ud83d\ude00", False),
     (r"\ud83da", False), (r"\ude00\ud83d", False), (r"\ud83d\u0041", False)],
)  # fmt: skip
def test_halves_of_a_surrogate_pair_have_the_same_verdict(
    checker: Path, name: str, is_valid: bool, tmp_path: Path
) -> None:
    header = f'{{"noughts_proof":1,"game":{{"name":"{name}","cells":3,"lines":[[0]]}},"position":"3 x","value":"win"'
    data = f'{header},"symmetries":[]}}\nclaim X win\nf 0'.encode()
    assert [verdict is not None for verdict in expect_agreement(checker, [data], tmp_path / "p.ngp")] == [is_valid]


STATEMENTS = [
    (["--game", "3x3", "--position", "xo1/3/3 x", "--value", "win"], None),
    (["--game", "tictactoe"], None),
    (["--game", "3x3+misere"], "game"),
    (["--game", "4x3:3"], "game"),
    (["--game", "connect4"], "game"),
    (["--game", "same.json"], "game"),
    (["--position", "start"], "position"),
    (["--position", "ox1/3/3 x"], "position"),
    (["--value", "draw"], "value"),
]


@pytest.mark.parametrize(("options", "differs"), STATEMENTS, ids=lambda value: str(value))
def test_proof_of_another_statement_is_refused_by_both(
    checker: Path, options: list[str], differs: str | None, tmp_path: Path
) -> None:
    path = saved(no.Proof(no.Game("3x3"), "xo1/3/3 x", "win", "claim X win\nf 4 3"), tmp_path / "proof.ngp")
    no.save_game(no.Game.from_lines("board", 9, no.Game("3x3").lines), tmp_path / "same.json")
    options = [str(tmp_path / option) if option.endswith(".json") else option for option in options]
    code, line = answer(checker, path, *options)
    by_verify = in_process(tmp_path, "verify", str(path), *options)
    assert code == by_verify.returncode == (0 if differs is None else 1)
    if differs is not None:
        asked = "draw" if differs == "value" else differs
        refused = f"not a proof: expected the {asked} that --{differs} asks for, got a proof "
        assert line.startswith(refused)
        assert by_verify.stdout.startswith(f"{path}: {refused}")


def test_statement_about_a_custom_game_is_a_game_file(checker: Path, tmp_path: Path) -> None:
    """The name, the layout and the order of the lines have no effect on the rules."""
    fano = custom_games()[1]
    path = saved(solved(fano.start()), tmp_path / "fano.ngp")
    same = no.Game.from_lines("another name", 7, list(reversed(fano.lines)))
    for game, code in ((fano, 0), (same, 0), (custom_games()[2], 1), (custom_games()[3], 1)):
        no.save_game(game, tmp_path / "game.json")
        options = ["--game", str(tmp_path / "game.json"), "--position", "start"]
        assert answer(checker, path, *options)[0] == code
        assert in_process(tmp_path, "verify", str(path), *options).returncode == code


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--game", "3y3"], "checker: expected a game id such as 3x3, an alias or a file, got 3y3"),
        (["--game"], "checker: expected a value after --game"),
        (["--value", "wins"], "checker: expected a value of win, draw or loss"),
        (["--batch"], "checker: expected files, or --batch"),
    ],
)
def test_bad_statement_is_one_line(checker: Path, options: list[str], message: str) -> None:
    assert answer(checker, "proof.ngp", *options) == (2, message)


def test_second_checker_says_how_it_is_used(checker: Path) -> None:
    done = subprocess.run([checker, "--help"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "usage: checker [--game GAME]" in done.stdout


def test_second_checker_shares_no_code() -> None:
    included = {name for path in SOURCES.iterdir() for name in re.findall(r'#include "(.*)"', path.read_text())}
    assert included <= {path.name for path in SOURCES.iterdir()}


def test_second_checker_is_short_enough_to_read() -> None:
    assert sum(len(path.read_text().splitlines()) for path in SOURCES.iterdir()) < 2000


def test_relative_references_lead_to_the_same_nodes(checker: Path, proofs: list[no.Proof], tmp_path: Path) -> None:
    texts = [proof.text.encode() for proof in proofs]
    relative = [make_relative(text) for text in texts]
    changed = [pair for pair in zip(texts, relative, strict=True) if pair[0] != pair[1]]
    assert len(changed) > 10
    said = [expect_agreement(checker, list(files), tmp_path / "proof.ngp") for files in zip(*changed, strict=True)]
    assert said[0] == said[1]
    assert None not in said[0]


def test_claims_block_have_no_relative_references(checker: Path, tmp_path: Path) -> None:
    texts = [proof.text.encode() for proof in blocked()]
    damaged = [re.sub(rb":(\d+)$", rb":+\1", text, count=1, flags=re.MULTILINE) for text in texts]
    files = [file for file, text in zip(damaged, texts, strict=True) if file != text]
    assert files
    assert set(expect_agreement(checker, files, tmp_path / "proof.ngp")) == {None}


def test_checkers_agree_on_mutated_proofs(checker: Path, proofs: list[no.Proof], tmp_path: Path) -> None:
    dice = random.Random(17)
    small = [data for proof in proofs if len(data := proof.text.encode()) < 6000]
    assert len(small) > 20
    small += [relative for data in small if (relative := make_relative(data)) != data]
    held = 0
    for _ in range(MUTATIONS // BATCH):
        files = [mutate(dice.choice(small), dice) for _ in range(BATCH)]
        held += sum(verdict is not None for verdict in expect_agreement(checker, files, tmp_path / "proof.ngp"))
    assert 0.01 * MUTATIONS < held < 0.5 * MUTATIONS


# Fuzzing


@pytest.fixture(scope="session")
def sanitized() -> Path:
    """The second checker with the address and undefined-behaviour sanitizers."""
    return build_checker("checker-sanitized")


def hostile_file(samples: Sequence[bytes], dice: random.Random) -> bytes:
    """A damaged proof, parts of two proofs, or noise."""
    kind = dice.randrange(10)
    if kind == 0:
        return dice.randbytes(dice.randrange(200))
    if kind < 3:
        one, two = dice.choice(samples), dice.choice(samples)
        header, _, body = one.partition(b"\n")
        return header + b"\n" + two.partition(b"\n")[2] if kind == 1 else one[: dice.randrange(len(one))] + body
    return mutate(dice.choice(samples), dice)


def test_sanitizers_find_nothing_in_the_second_checker(
    checker: Path, sanitized: Path, proofs: list[no.Proof], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report of a sanitizer goes to standard error and ends the program, which ``verdicts`` refuses."""
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0")
    dice = random.Random(28)
    small = [data for proof in proofs if len(data := proof.text.encode()) < 6000]
    for _ in range(FUZZED // BATCH):
        files = [hostile_file(small, dice) for _ in range(BATCH)]
        assert verdicts(sanitized, files) == verdicts(checker, files)


def test_sanitizers_find_nothing_when_a_game_file_is_read(
    sanitized: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0")
    dice, path, codes = random.Random(29), tmp_path / "game.json", set()
    guarded = custom_games()[3]
    proof = saved(solved(guarded.start()), tmp_path / "proof.ngp")
    for _ in range(FUZZED // 100):
        no.save_game(dice.choice([guarded] * 5 + custom_games()), path)
        data = path.read_bytes()
        for _ in range(dice.randrange(4)):
            data = dice.choice((change_number, change_byte))(data, dice)
        path.write_bytes(data)
        done = subprocess.run([sanitized, proof, "--game", path], capture_output=True, timeout=60, check=False)
        codes.add(done.returncode)
        assert (done.stderr == b"") == (done.returncode < 2), done.stderr
        assert done.stderr == b"" or done.stderr.startswith(b"checker: "), done.stderr
    assert codes == {0, 1, 2}
