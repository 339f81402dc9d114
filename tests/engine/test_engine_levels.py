"""Opponents of every strength."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest

import noughts as no
from exhaustive import winning_cells
from noughts.engine import Level, all_ratings, is_level_name, levels, ratings_of
from noughts.engine.ratings import OTHER_GAMES
from plays import play_randomly, played_at_random

FIXED = no.LEVELS[:-1]
OPENING = "15/15/15/15/15/15/15/6xo7/6x8/15/15/15/15/15/15 o"
GAMES = ("3x3", "5x5:4", "4x4x4", "7x6:4+gravity", "7x7:5+exact", "ultimate:3", "3x3x3+misere")


def play_out(id: str, name: Level, seed: int, plies: int) -> list[int]:
    position, bot = no.Game(id).start(), no.level(name, seed=seed)
    while not position.is_over and position.ply < plies:
        position.play(bot.choose(position))
    return position.moves


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("id", ["3x3", "4x4x4", "ultimate:3", "7x6:4+gravity"])
def test_seed_makes_a_level_play_the_same_way_every_time(id: str, name: Level) -> None:
    assert play_out(id, name, seed=7, plies=6) == play_out(id, name, seed=7, plies=6)


def test_exception_of_a_watcher_ends_a_search_to_a_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(levels.SKILLS, Level.DIFFICULT, levels.Skill(plies=20))
    monkeypatch.setattr(levels, "MAX_WORK", 1 << 50)

    def lose_patience() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        no.level("difficult").choose(no.Game("15x15:5").start(), watch=lose_patience)


def test_exception_of_a_watcher_ends_a_search_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(levels.SKILLS, Level.INSANE, levels.Skill(nodes=1 << 50))

    def lose_patience() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        no.level("insane").choose(no.Game("15x15:5").parse(OPENING), watch=lose_patience)


def test_different_seeds_play_different_games() -> None:
    assert len({tuple(play_out("4x4x4", Level.EASY, seed, plies=6)) for seed in range(8)}) > 4


def positions_with(id: str, wanted: bool, count: int) -> list[no.Position]:
    """Positions of a flat game where the side to move can win at once (wanted), or only must block (not wanted)."""
    dice, game = random.Random(f"{id} {wanted}"), no.Game(id)
    found: list[no.Position] = []
    while len(found) < count:
        position = game.start()
        while not position.is_over and position.turn is not None:
            own, theirs = (len(winning_cells(position, side)) for side in (position.turn, position.turn.opponent))
            if (own > 0) if wanted else (own == 0 and theirs == 1):
                found.append(position.copy())
                break
            position.play(dice.choice(position.legal_moves))
    return found


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("id", ["3x3", "5x5:4", "4x4x4", "7x6:4+gravity"])
def test_every_level_takes_a_win_in_one(id: str, name: Level) -> None:
    for seed, position in enumerate(positions_with(id, wanted=True, count=12)):
        move = no.level(name, seed=seed).choose(position)
        assert position.after(move).winner is position.turn, f"{position!r}: {position.format_move(move)}"


@pytest.mark.parametrize("name", ["easy", "difficult", "insane"])
@pytest.mark.parametrize("id", ["3x3", "5x5:4", "4x4x4", "7x6:4+gravity"])
def test_all_but_beginners_block_a_threat(id: str, name: Level) -> None:
    for seed, position in enumerate(positions_with(id, wanted=False, count=6)):
        assert position.turn is not None
        threat = winning_cells(position, position.turn.opponent)
        assert no.level(name, seed=seed).choose(position) in threat, f"{position!r}"


def test_beginners_overlook_some_threats_and_see_others() -> None:
    seen = []
    for seed, position in enumerate(positions_with("5x5:4", wanted=False, count=60)):
        assert position.turn is not None
        threat = winning_cells(position, position.turn.opponent)
        seen.append(no.level("beginner", seed=seed).choose(position) in threat)
    assert len(seen) / 3 < sum(seen) < len(seen)


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("name", no.LEVELS)
def test_levels_play_whole_games_of_every_family(id: str, name: Level) -> None:
    position = no.Game(id).start()
    bot, other = no.level(name, seed=1, limit=no.Limit(nodes=500)), random.Random(1)
    while not position.is_over:
        position.play(bot.choose(position) if position.turn is no.Side.X else other.choice(position.legal_moves))
        if position.ply > 14:
            break


def match_score(id: str, stronger: str, weaker: str, pairs: int) -> float:
    """The share of points of a player against another, with both sides from each of some random openings."""
    points = 0.0
    for number in range(2 * pairs):
        position = play_randomly(no.Game(id).start(), random.Random(f"{id} {number // 2}"), 2)
        side = (no.Side.X, no.Side.O)[number % 2]
        players = {side: no.level(stronger, seed=number), side.opponent: no.level(weaker, seed=number + 1)}
        while position.turn is not None:
            position.play(players[position.turn].choose(position))
        points += 0.5 if position.winner is None else position.winner is side
    return points / (2 * pairs)


@pytest.mark.parametrize("id", ["5x5:4", "4x4x4", "7x6:4+gravity", "15x15:5", "ultimate:3"])
def test_level_beats_the_level_two_below_it(id: str) -> None:
    """A short match; ``bench.measure.levels`` plays long ones between neighbours."""
    for weaker, stronger in (("beginner", "difficult"), ("easy", "insane")):
        assert match_score(id, stronger, weaker, pairs=6 if id == "5x5:4" else 3) > 0.5


def test_insane_beats_difficult_on_a_large_board() -> None:
    assert match_score("15x15:5", "insane", "difficult", pairs=5) > 0.5


@pytest.mark.parametrize("id", ["32x32:5", "8x8x8", "ultimate:5", "15x15:5", "4x4x4x4"])
@pytest.mark.parametrize("name", FIXED)
def test_every_level_answers_quickly_on_large_boards(id: str, name: Level) -> None:
    """In processor time, since the machine may be busy, and with a margin."""
    position = played_at_random(id, seed=1, plies=20)
    bot = no.level(name, seed=3)
    bot.choose(position)  # the symmetries of the game are found
    began = time.process_time()
    bot.choose(position)
    assert time.process_time() - began < 1


# Ratings


def test_ratings_rise_from_level_to_level_in_every_game() -> None:
    for game, ratings in all_ratings().items():
        assert list(ratings) == ["random", *no.LEVELS]
        assert ratings["easy"] == 1000
        steps = [ratings[upper] - ratings[lower] for lower, upper in pairwise(ratings)]
        if game != "3x3":  # which the upper levels play perfectly
            assert min(steps) > 0, game


def test_game_without_ratings_has_the_average_ones() -> None:
    assert ratings_of(no.Game("9x9:5")) == all_ratings()[OTHER_GAMES]


@pytest.mark.parametrize("name", ["elo:0", "elo:700", "elo:1350", "elo:3000"])
def test_rating_plays_the_same_way_with_the_same_seed(name: str) -> None:
    position = no.Game("4x4x4").start()
    for _ in range(5):
        moves = [no.level(name, seed=5).choose(position) for _ in range(2)]
        assert moves[0] == moves[1]
        position.play(moves[0])


def test_rating_between_two_levels_uses_the_skills_of_both() -> None:
    game = no.Game("4x4x4")
    ratings = ratings_of(game)
    elo = (ratings["easy"] + ratings["difficult"]) // 2
    lower, upper, share = levels._marks_around(game, elo)
    assert (lower, upper) == ("easy", "difficult")
    assert share == pytest.approx(0.5, abs=0.05)
    assert levels._marks_around(game, ratings["insane"]) == ("insane", "master", 0.0)


def test_ratings_beyond_the_scale_give_its_ends() -> None:
    game = no.Game("15x15:5")
    assert levels._marks_around(game, -5000) == ("random", "beginner", 0.0)
    assert levels._marks_around(game, 9000)[1:] == ("master", 1.0)


def test_higher_rating_wins_more() -> None:
    ratings = ratings_of(no.Game("4x4x4"))
    middle = (ratings["easy"] + ratings["beginner"]) // 2
    assert match_score("4x4x4", f"elo:{middle + 400}", f"elo:{middle}", pairs=5) > 0.5


@pytest.mark.parametrize("name", ["elo:", "elo:-1", "elo:3001", "elo:99999", "elo:high", "ELO:5", "genius"])
def test_name_that_is_neither_level_nor_rating_is_refused(name: str) -> None:
    assert not is_level_name(name)
    with pytest.raises(ValueError, match=r"expected a level of beginner, .* or a rating from elo:0 to elo:3000"):
        no.level(name)


def test_master_heeds_the_limit_it_is_given() -> None:
    master = no.level("master", limit=no.Limit(depth=1))
    position = no.Game("4x4:3").start()
    assert master.choose(position, no.Limit(depth=6)) in position.legal_moves
    won = no.Game("4x4:3").parse("xx2/oo2/4/4 x")
    assert won.after(master.choose(won)).winner is no.Side.X
