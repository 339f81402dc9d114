"""Sides, values and terminations are enumerations that equal, print and are stored as their text."""

from __future__ import annotations

import json
import pickle

import pytest

import noughts as no
from noughts.games.outcome import describe_outcome


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


@pytest.mark.parametrize(
    ("reason", "neutral", "loser"),
    [
        (no.Termination.LINE, "X (Ann) wins with a line", "You lose: X (Ann) wins with a line"),
        (no.Termination.COUNT, "X (Ann) wins by more boards", "You lose: X (Ann) wins by more boards"),
        (no.Termination.TIME, "X (Ann) wins on time", "You lose: X (Ann) wins on time"),
        (no.Termination.RESIGN, "X (Ann) wins by resignation", "You resign; X (Ann) wins"),
    ],
)
def test_outcome_is_described_from_each_point_of_view(reason: no.Termination, neutral: str, loser: str) -> None:
    names = {no.Side.X: "Ann", no.Side.O: "Bob"}
    outcome = no.Outcome(no.Side.X, reason, (2, 0))
    assert describe_outcome(outcome, names=names) == neutral
    assert describe_outcome(outcome, names=names, viewer=no.Side.O) == loser
    assert describe_outcome(outcome, viewer=no.Side.X) == f"You win {reason.how}"


def test_draw_is_described_alike_to_both_sides() -> None:
    agreed = no.Outcome(None, no.Termination.AGREEMENT, (1, 1))
    assert {describe_outcome(agreed, viewer=side) for side in (None, *no.Side)} == {"A draw by agreement"}
    assert describe_outcome(no.Outcome(None, no.Termination.FULL, (1, 1))) == "A draw"


def test_every_termination_has_its_wording() -> None:
    assert all(reason.label and reason.how for reason in no.Termination)
