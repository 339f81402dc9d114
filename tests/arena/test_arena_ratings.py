"""Ratings and sequential tests: published values, and error rates in simulation."""

from __future__ import annotations

from itertools import combinations
from math import inf, log10
from random import Random

import pytest

from noughts.arena.ratings import (
    PAIR_SCORES,
    PairScore,
    Rating,
    SequentialTest,
    likelihood_ratio,
    rate,
    score_of,
    sprt_bounds,
)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "published"),
    [
        # Losses, draws and wins; then pairs that scored 0, ½, 1, 1½ and 2 points. From the tests of fastchess, whose
        # logistic model this is, but for the first, which is from a description of the generalised test.
        ([4063, 8620, 4307], 0, 3, 2.99),
        ([21184, 40708, 21404], 0.5, 2.5, -1.57),
        ([57030, 106593, 57433], 0, 2, -2.59),
        ([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, -3.07),
        ([871, 26175, 55003 + 980, 26678, 821], 0, 2, -4.98),
    ],
)
def test_likelihood_ratio_is_the_published_one(counts: list[float], elo0: float, elo1: float, published: float) -> None:
    assert likelihood_ratio(counts, elo0, elo1) == pytest.approx(published, abs=0.005)


def test_pairs_without_correlation_weigh_as_much_as_single_playthroughs() -> None:
    # Pairs drawn from independent results with shares 1/4, 1/2, 1/4.
    pairs = [1000 * share for share in (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)]
    singles = [2000 * share for share in (1 / 4, 1 / 2, 1 / 4)]
    assert likelihood_ratio(pairs, 0, 10) == pytest.approx(likelihood_ratio(singles, 0, 10), rel=1e-3)


def test_pairs_that_cancel_each_other_weigh_more_than_their_single_playthroughs() -> None:
    # Every opening is won by the side that moves first: only the other pairs carry information.
    assert likelihood_ratio([0, 0, 990, 0, 10], 0, 5) > likelihood_ratio([990, 0, 1010], 0, 5)


def test_ratio_of_no_results_is_zero_and_of_all_wins_is_finite() -> None:
    assert likelihood_ratio([0, 0, 0, 0, 0], 0, 5) == 0
    assert 0 < likelihood_ratio([0, 0, 0, 0, 50], 0, 5) < inf
    assert likelihood_ratio([50, 0, 0, 0, 0], 0, 5) < 0


def test_ratio_changes_its_sign_with_the_hypotheses_and_mirrors_the_results() -> None:
    counts = [5, 20, 40, 25, 10]
    assert likelihood_ratio(counts, 0, 5) == pytest.approx(-likelihood_ratio(counts, 5, 0), abs=1e-9)
    assert likelihood_ratio(counts[::-1], 0, -5) == pytest.approx(likelihood_ratio(counts, 0, 5), abs=1e-9)


def simulate(random: Random, elo: float, elo0: float, elo1: float) -> str | None:
    """One test of two bots whose pairs score 0, ½, 1, 1½, 2 with a mean that fits the difference."""
    spread = [0.05, 0.2, 0.5, 0.2, 0.05]
    shift = (score_of(elo) - 0.5) / sum(s * (p - 0.5) ** 2 for s, p in zip(spread, PAIR_SCORES, strict=True))
    chances = [s * (1 + shift * (p - 0.5)) for s, p in zip(spread, PAIR_SCORES, strict=True)]
    test = SequentialTest(elo0, elo1, 0.05, 0.05)
    while test.accepted is None and test.pairs < 5_000:
        test.add(2 * random.choices(PAIR_SCORES, chances)[0])
    return test.accepted


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "H1"), (60.0, "H0")])
def test_sequential_test_errs_about_as_often_as_it_may(elo: float, wrong: str) -> None:
    random = Random(11)
    verdicts = [simulate(random, elo, 0, 60) for _ in range(80)]
    assert None not in verdicts
    # One in twenty may be wrong: of 80 at most 4 on average, and 10 lies three standard deviations above.
    assert 1 <= verdicts.count(wrong) <= 10


def test_bounds_are_those_of_wald() -> None:
    assert sprt_bounds(0.05, 0.05) == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert sprt_bounds(0.01, 0.1) == pytest.approx((-2.293, 4.5), abs=1e-2)


def test_two_bots_are_rated_as_their_score_says() -> None:
    ratings = rate(2, [PairScore(0, 1, 150, 200)])
    assert ratings.of[0].elo - ratings.of[1].elo == pytest.approx(400 * log10(3))
    assert ratings.of[0].elo == pytest.approx(-ratings.of[1].elo)


def test_ratings_add_up_over_bots_that_never_met() -> None:
    ratings = rate(3, [PairScore(0, 1, 75, 100), PairScore(1, 2, 75, 100)])
    assert ratings.of[0].elo - ratings.of[2].elo == pytest.approx(800 * log10(3))
    assert sum(rating.elo for rating in ratings.of) == pytest.approx(0, abs=1e-9)


def tournament(random: Random, true: list[float], pairs: int, draws: float) -> list[PairScore]:
    bouts = []
    for first, second in combinations(range(len(true)), 2):
        expected = score_of(true[first] - true[second])
        for _ in range(pairs):
            points = 0.0
            for _ in range(2):
                share = draws * 2 * min(expected, 1 - expected)
                points += random.choices((1, 0.5, 0), (expected - share / 2, share, 1 - expected - share / 2))[0]
            bouts.append(PairScore(first, second, points, 2))
    return bouts


def test_intervals_cover_the_truth_nineteen_times_in_twenty() -> None:
    random, true = Random(5), [150.0, 40.0, -10.0, -180.0]
    covered = total = 0
    for _ in range(100):
        ratings = rate(4, tournament(random, true, 20, draws=0.5))
        for number, rating in enumerate(ratings.of):
            covered += abs(rating.elo - true[number]) <= rating.error
            total += 1
    assert 0.91 <= covered / total <= 0.98


def test_draws_make_intervals_narrower() -> None:
    decided = rate(2, [PairScore(0, 1, points, 2) for points in [0, 2] * 50])
    drawn = rate(2, [PairScore(0, 1, 1, 2)] * 90 + [PairScore(0, 1, points, 2) for points in [0, 2] * 5])
    assert drawn.of[0].error < decided.of[0].error / 2


def test_bot_that_won_everything_gets_a_bound_marked_as_such() -> None:
    ratings = rate(3, [PairScore(0, 1, 2, 2), PairScore(0, 2, 2, 2), PairScore(1, 2, 1, 2)])
    assert ratings.has_prior
    assert 0 < ratings.of[0].elo < 1000
    assert ratings.of[0].error > 100
    assert not rate(2, [PairScore(0, 1, 1.5, 2)]).has_prior


def test_more_wins_without_a_loss_mean_a_higher_bound() -> None:
    few, many = (rate(2, [PairScore(0, 1, 2, 2)] * count) for count in (5, 50))
    assert many.of[0].elo > few.of[0].elo


def test_bots_that_repeat_themselves_do_not_look_certain() -> None:
    ratings = rate(2, [PairScore(0, 1, 1, 2)] * 20)
    assert ratings.of[0].elo == pytest.approx(0)
    assert ratings.of[0].error > 20


def test_no_playthroughs_give_no_rating() -> None:
    ratings = rate(3, [])
    assert [rating.elo for rating in ratings.of] == [0, 0, 0]
    assert all(rating.error == inf for rating in ratings.of)
    assert ratings.superiority(0, 1) == 0.5


def test_likelihood_of_superiority_follows_the_score() -> None:
    ratings = rate(2, [PairScore(0, 1, points, 2) for points in [2, 1, 1, 2, 0, 2, 1, 2, 1, 1, 2, 1]])
    assert 0.9 < ratings.superiority(0, 1) < 1
    assert ratings.superiority(0, 1) + ratings.superiority(1, 0) == pytest.approx(1)


def test_rating_just_below_zero_is_not_shown_as_minus_zero() -> None:
    assert [Rating(elo, 10).text for elo in (-0.3, 0.3, -1.6, 250.2)] == ["+0", "+0", "-2", "+250"]
