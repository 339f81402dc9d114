"""``noughts convert``: files, standard input and output."""

from __future__ import annotations

import json
from pathlib import Path

import noughts as no
from terminals import Result, in_process

NGN = '[Game "4x4:3"]\n[X "Zoë"]\n[Result "0-1"]\n[Termination "time"]\n\n1. b2 a1 0-1\n'
SGF = "(;GM[4]FF[4]CA[UTF-8]SZ[4]NGAME[4x4:3]PB[Zoë]RE[W+T]\n;B[bc];W[ad])\n"
BRANCHED = "(;GM[4]SZ[3]KM[0];B[bb](;W[aa])(;W[cc]))"


def convert(*arguments: object, stdin: str = "") -> Result:
    return in_process(Path.cwd(), "convert", *map(str, arguments), typed=stdin)


def test_ngn_becomes_sgf_and_sgf_becomes_ngn(tmp_path: Path) -> None:
    there, back = tmp_path / "game.sgf", tmp_path / "back.ngn"
    (tmp_path / "game.ngn").write_text(NGN, encoding="utf-8")
    first = convert(tmp_path / "game.ngn", there)
    assert (first.returncode, first.stdout) == (0, "")
    assert first.stderr == f"{tmp_path / 'game.ngn'} -> {there}: 1 playthrough\n"
    assert there.read_text(encoding="utf-8") == SGF
    assert convert(there, back).returncode == 0
    assert back.read_text(encoding="utf-8") == NGN


def test_standard_input_and_output_know_the_format_by_the_text() -> None:
    assert convert("-", stdin=NGN).stdout == SGF
    assert convert("-", "-", stdin="\n" + SGF).stdout == NGN
    assert convert("-", "--from", "ngn", "--to", "ngn", stdin=NGN.replace("\n\n", "\n")).stdout == NGN


def test_existing_file_is_not_replaced_unless_forced(tmp_path: Path) -> None:
    target = tmp_path / "game.sgf"
    target.write_text("precious")
    refused = convert("-", target, stdin=NGN)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"noughts: {target} already exists; --force overwrites it\n"
    assert target.read_text() == "precious"
    assert convert("-", target, "--force", stdin=NGN).returncode == 0
    assert no.load(target).game.id == "4x4:3"


def test_json_reports_the_conversion(tmp_path: Path) -> None:
    done = json.loads(convert("-", tmp_path / "out.ngn", "--json", stdin=BRANCHED).stdout)
    assert done == {
        "in": "-",
        "out": str(tmp_path / "out.ngn"),
        "from": "sgf",
        "to": "ngn",
        "playthroughs": [{"game": "3x3", "plies": 2, "result": "*"}],
        "left_out": ["the properties KM"],
        "text": None,
    }
    assert json.loads(convert("-", "--json", stdin=NGN).stdout)["text"] == SGF


def test_left_out_parts_are_reported() -> None:
    result = convert("-", stdin=BRANCHED)
    assert result.stderr == "left out: the properties KM\n"
    assert result.stdout == '[Game "3x3"]\n[Result "*"]\n\n1. b2 a3 (1... c1) *\n'


def test_errors_are_one_line_and_leave_with_2(tmp_path: Path) -> None:
    runs = {
        "standard input: line 1: expected a game id": convert("-", stdin='[Game "chess"] *'),
        "expected a 2D board": convert("-", stdin='[Game "qubic"] *'),
        "cannot read nowhere.ngn: no such file": convert("nowhere.ngn"),
        "cannot write": convert("-", tmp_path / "no" / "folder.sgf", stdin=NGN),
        "expected a file name that ends in": convert("-", tmp_path / "game.txt", stdin=NGN),
        "standard input: line 1: expected a playthrough": convert("-"),
        "missing argument 'IN'\n": convert(),
    }
    for message, run in runs.items():
        assert run.returncode == 2
        assert run.stderr.startswith(f"noughts: {message}")
        assert run.stderr.count("\n") == 1
        assert run.stdout == ""
    assert list(tmp_path.iterdir()) == []
