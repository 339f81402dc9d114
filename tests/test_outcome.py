"""Sides, values and terminations are enumerations that equal, print and are stored as their text."""

from __future__ import annotations

import json
import pickle

import pytest

import noughts as no


@pytest.mark.parametrize("member", [*no.Side, *no.Value, *no.Termination])
def test_member_is_its_text(member: str) -> None:
    text = str(member)
    assert type(text) is str
    assert member == text
    assert f"{member}" == text
    assert json.dumps(member) == f'"{text}"'
    assert {text: 1}[member] == 1
    assert pickle.loads(pickle.dumps(member)) is member


def test_value_has_an_opposite_and_a_number() -> None:
    assert [value.opposite for value in no.Value] == ["loss", "draw", "win"]
    assert [value.number for value in no.Value] == [1, 0, -1]
    assert [no.Value.from_number(value.number) for value in no.Value] == list(no.Value)
    assert [value.is_decisive for value in no.Value] == [True, False, True]


def test_termination_is_by_the_rules_or_a_decision() -> None:
    assert [reason for reason in no.Termination if not reason.is_decision] == ["line", "full", "count"]
    assert [reason for reason in no.Termination if reason.is_forfeit] == ["time", "resign", "illegal", "crash"]


def test_results_of_search_and_solve_are_values() -> None:
    position = no.Game("3x3").parse("xx1/oo1/3 x")
    assert no.Engine().search(position, no.Limit(depth=2)).value is no.Value.WIN
    assert no.solve(position).value is no.Value.WIN
    assert position.after("c3").outcome == (no.Side.X, no.Termination.LINE, (2, 0))


def test_evaluation_given_as_text_becomes_a_value() -> None:
    play = no.Playthrough(no.Game("3x3"), ["b2"], evals={1: no.Eval(value="draw")})
    assert play.evals[1].value is no.Value.DRAW
