"""A match: turns, clocks, takebacks, offers and ends, all reported as events."""

from __future__ import annotations

import pytest

from manual_time import ManualTime, clocks_of
from noughts import Game, GameOver, IllegalMove, InvalidNotation, Limit, Side
from noughts.engine import ClockReading
from noughts.match import Clock, Match, MatchError, Offer, PendingMove, TimeControl, ask_player, events, play_out
from noughts.players import InProcessPlayer, open_player

NAMES = {Side.X: "Ann", Side.O: "Bob"}


class Played:
    """A match with a clock of one minute and two seconds per move; tests advance the time and see its events."""

    def __init__(self, game: str = "3x3", control: TimeControl | None = None) -> None:
        self.time = ManualTime()
        clock = Clock(control or TimeControl(60, 2), now=self.time)
        self.match = Match(Game(game).start(), NAMES, clock=clock, now=self.time)
        self.events: list[events.Event] = []
        self.match.subscribe(self.events.append)
        self.match.start()

    def move(self, move: str, seconds: float = 0) -> None:
        self.time.pass_seconds(seconds)
        self.match.play(move)

    @property
    def left(self) -> tuple[float, float]:
        return clocks_of(self.match)

    @property
    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]


def test_moves_are_reported_with_their_side_time_and_clock() -> None:
    played = Played()
    played.move("b2", 5)
    moved = played.events[-1]
    assert isinstance(moved, events.Moved)
    assert (moved.side, moved.name, moved.text, moved.move, moved.seconds, moved.left) == (
        Side.X,
        "Ann",
        "b2",
        4,
        5,
        57,
    )
    assert moved.position.moves == [4]


def test_refused_move_changes_nothing() -> None:
    played = Played()
    played.move("b2")
    for move, error in [("b2", IllegalMove), ("q9", InvalidNotation)]:
        with pytest.raises(error):
            played.match.play(move)
    with pytest.raises(MatchError, match="not your turn"):
        played.match.play("a1", side=Side.X)
    assert played.kinds == ["Started", "Moved"]
    assert played.match.position.moves == [4]


def test_line_ends_the_match_and_stops_the_clock() -> None:
    played = Played()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        played.move(move, 1)
    ended = played.events[-1]
    assert isinstance(ended, events.Ended)
    assert (ended.outcome.winner, ended.outcome.reason) == (Side.X, "line")
    before = played.left
    played.time.pass_seconds(30)
    assert played.left == before
    with pytest.raises(GameOver):
        played.match.play("c3")


def test_takeback_restores_both_clocks_to_what_they_showed() -> None:
    played = Played()
    played.move("b2", 5)
    shown = played.left
    played.move("a1", 10)
    played.move("c3", 7)
    played.time.pass_seconds(3)
    played.match.take_back(2)
    assert played.left == shown
    assert played.match.turn is Side.O
    played.time.pass_seconds(1)
    assert played.left == (shown[0], shown[1] - 1)
    taken = played.events[-1]
    assert isinstance(taken, events.TookBack)
    assert taken.moves == ("a1", "c3")


def test_takeback_undoes_moves_that_counted_for_the_time_control() -> None:
    played = Played(control=TimeControl(10, 0, moves=2))
    played.move("b2", 4)
    played.move("a1", 1)
    played.match.take_back(2)
    played.move("b2", 4)
    assert played.left[0] == 6


def test_replay_restores_the_clocks_too() -> None:
    played = Played()
    played.move("b2", 5)
    played.move("a1", 10)
    shown = played.left
    played.match.take_back(2)
    played.time.pass_seconds(20)
    assert played.match.can_replay == 2
    played.match.replay(2)
    assert played.left == shown
    again = played.events[-1]
    assert isinstance(again, events.Replayed)
    assert [moved.text for moved in again.moves] == ["b2", "a1"]
    assert [moved.seconds for moved in again.moves] == [5, 10]


def test_other_move_forgets_what_was_taken_back() -> None:
    played = Played()
    played.move("b2")
    played.move("a1")
    played.match.take_back(2)
    played.move("b2")
    assert played.match.can_replay == 1
    played.move("c3")
    assert played.match.can_replay == 0
    with pytest.raises(MatchError, match="play again"):
        played.match.replay(1)


def test_finished_match_can_be_taken_back_and_continued() -> None:
    played = Played()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        played.move(move)
    played.match.take_back(1)
    assert played.match.turn is Side.X
    assert played.match.outcome is None


def test_takeback_leads_back_to_the_last_move_of_the_side_that_asks() -> None:
    played = Played()
    assert played.match.plies_to_take_back(Side.X) == 0
    played.move("b2")
    assert (played.match.plies_to_take_back(Side.X), played.match.plies_to_take_back(Side.O)) == (1, 0)
    played.move("a1")
    assert (played.match.plies_to_take_back(Side.X), played.match.plies_to_take_back(Side.O)) == (2, 1)


def test_pause_stands_still_and_counts_the_whole_turn_as_thought() -> None:
    played = Played()
    played.time.pass_seconds(3)
    played.match.pause()
    played.time.pass_seconds(100)
    played.match.resume()
    played.move("b2", 2)
    moved = played.events[-1]
    assert isinstance(moved, events.Moved)
    assert moved.seconds == 5
    assert played.left == (57, 60)
    played.match.take_back(1)
    assert played.left == (60, 60)


def test_flag_falls_when_the_time_is_up() -> None:
    played = Played()
    played.move("b2")
    played.time.pass_seconds(59)
    assert not played.match.check_flag()
    played.time.pass_seconds(1)
    assert played.match.play("a1") is None
    assert played.match.outcome is not None
    assert (played.match.outcome.winner, played.match.outcome.reason) == (Side.X, "time")
    assert not played.match.check_flag()


def test_draw_offer_ends_the_match_when_accepted() -> None:
    played = Played()
    played.match.make_offer(Side.X, Offer.DRAW)
    with pytest.raises(MatchError, match="no such offer"):
        played.match.accept(Side.X, Offer.DRAW)
    played.match.accept(Side.O, Offer.DRAW)
    assert played.kinds[1:] == ["OfferMade", "OfferAccepted", "Ended"]
    assert played.match.outcome is not None
    assert (played.match.outcome.winner, played.match.outcome.reason) == (None, "agreement")


def test_same_offer_from_both_sides_is_an_agreement() -> None:
    played = Played()
    played.match.make_offer(Side.X, Offer.DRAW)
    played.match.make_offer(Side.X, Offer.DRAW)
    played.match.make_offer(Side.O, Offer.DRAW)
    assert played.match.is_over
    assert played.kinds.count("OfferMade") == 1


def test_offer_lasts_until_it_is_declined_or_a_move_is_made() -> None:
    played = Played()
    played.match.make_offer(Side.X, Offer.DRAW)
    played.match.decline(Side.O, Offer.DRAW)
    played.match.make_offer(Side.X, Offer.DRAW)
    played.move("b2")
    assert played.match.offer is None
    with pytest.raises(MatchError, match="no such offer"):
        played.match.decline(Side.O, Offer.DRAW)


def test_takeback_offer_needs_a_move_and_takes_it_back() -> None:
    played = Played()
    with pytest.raises(MatchError, match="not made a move"):
        played.match.make_offer(Side.X, Offer.TAKEBACK)
    played.move("b2")
    played.match.make_offer(Side.X, Offer.TAKEBACK)
    played.match.accept(Side.O, Offer.TAKEBACK)
    assert played.match.position.ply == 0


def test_rematch_is_offered_after_the_game() -> None:
    played = Played()
    with pytest.raises(MatchError, match="after the game"):
        played.match.make_offer(Side.X, Offer.REMATCH)
    played.match.resign(Side.X)
    played.match.make_offer(Side.O, Offer.REMATCH)
    played.match.accept(Side.X, Offer.REMATCH)
    assert played.kinds[-1] == "OfferAccepted"


def test_movers_keep_their_names_when_players_change() -> None:
    played = Played()
    played.move("b2")
    played.match.change_players({Side.X: "Eve", Side.O: "Bob"})
    played.move("a1")
    played.move("c3")
    assert played.match.movers == ["Ann", "Bob", "Eve"]


def test_match_can_begin_in_the_middle_of_a_playthrough() -> None:
    position = Game("3x3").start()
    position.play("b2")
    position.play("a1")
    match = Match(position, NAMES, clock=Clock(TimeControl(60)))
    match.start()
    assert match.movers == ["Ann", "Bob"]
    assert match.clocks == [None, None]
    match.take_back(1)
    assert match.turn is Side.O


def test_suspended_match_says_what_the_clocks_show() -> None:
    played = Played()
    played.time.pass_seconds(4)
    played.match.suspend()
    played.time.pass_seconds(40)
    suspended = played.events[-1]
    assert isinstance(suspended, events.Suspended)
    assert suspended.left == {Side.X: 56, Side.O: 60}


def test_limit_of_a_move_has_the_clock_and_the_bounds_of_the_side() -> None:
    clock = Clock({Side.X: TimeControl(60), Side.O: TimeControl(10, 1)}, now=ManualTime())
    match = Match(Game("3x3").start(), NAMES, clock=clock, limits={Side.O: Limit(nodes=100)})
    match.start()
    limit = match.limit()
    assert limit is not None
    assert (limit.nodes, limit.deadline(Side.X)) == (None, 60)
    match.play("b2")
    limit = match.limit()
    assert limit is not None
    assert (limit.nodes, limit.deadline(Side.O)) == (100, 10)


def test_players_play_a_match_to_its_end() -> None:
    match = Match(Game("3x3").start(), NAMES)
    with open_player("easy", seed=1) as x, open_player("random", seed=2) as o:
        assert play_out(match, {Side.X: x, Side.O: o}) is None
    assert match.is_over


@pytest.mark.parametrize(
    ("bot", "reason"), [(lambda position: 99, "illegal"), (lambda position: 1 / 0, "crash")], ids=["illegal", "crash"]
)
def test_player_that_fails_forfeits(bot: object, reason: str) -> None:
    match = Match(Game("3x3").start(), NAMES)
    with open_player("random", seed=1) as x:
        failure = play_out(match, {Side.X: x, Side.O: InProcessPlayer(bot)})
    assert failure is not None
    assert failure.side is Side.O
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.reason) == (Side.X, reason)


def test_one_side_alone_can_have_a_clock() -> None:
    time = ManualTime()
    clock = Clock({Side.O: TimeControl(10, 1)}, now=time)
    match = Match(Game("3x3").start(), NAMES, clock=clock, limits={Side.X: Limit(nodes=5)}, now=time)
    match.start()
    assert match.limit() == Limit(nodes=5)
    time.pass_seconds(1000)
    moved = match.play("b2")
    assert moved is not None
    assert moved.left is None
    assert match.limit() == Limit(clock=ClockReading((0, 10), (0, 1)))
    time.pass_seconds(11)
    assert match.check_flag()
    assert match.outcome is not None
    assert match.outcome.winner is Side.X


def test_player_who_takes_over_begins_with_the_time_that_is_left() -> None:
    time = ManualTime()
    match = Match(Game("3x3").start(), NAMES, clock=Clock(TimeControl(60), now=time), now=time)
    match.start()
    time.pass_seconds(20)
    match.change_players({Side.X: "random", Side.O: "Bob"})
    with open_player("random", seed=1) as player:
        assert ask_player(match, player) is None
    assert match.clock is not None
    assert 39 < match.clock.left(Side.X) <= 40


def test_thinking_time_of_a_move_is_not_rounded() -> None:
    match = Match(Game("3x3").start(), NAMES)
    match.start()
    moved = match.play("b2", seconds=1.23456)
    assert moved is not None
    assert moved.seconds == 1.23456


def test_answer_to_a_question_is_stale_once_the_match_has_moved_on() -> None:
    played = Played()
    question = PendingMove(played.match, InProcessPlayer(lambda position: position.legal_moves[0]))
    answer = question.ask()
    assert not question.is_stale
    question.settle(lambda: answer)
    assert played.match.position.moves == [0]
    assert question.is_stale


def test_moves_taken_back_are_listed_in_the_order_of_play() -> None:
    played = Played()
    for move in ("b2", "a1", "c3"):
        played.move(move)
    played.match.take_back(2)
    assert [played.match.position.format_move(move) for move in played.match.undone_moves] == ["a1", "c3"]
