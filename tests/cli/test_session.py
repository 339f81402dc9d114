"""The session: lines and moves go in, events come out, nothing is printed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manual_time import ManualTime
from noughts import Engine, Game, Side, load
from noughts.analysis.advice import Advice
from noughts.analysis.reviews import Review, review
from noughts.cli.terminal.advisor import SessionAdvisor
from noughts.cli.terminal.commands import COMMANDS, receive
from noughts.cli.terminal.output import event_data, winning_line
from noughts.cli.terminal.session import (
    Answered,
    Asked,
    BoardShown,
    Event,
    LeaveReason,
    Left,
    Refused,
    Session,
    TurnBegan,
)
from noughts.engine import Limit, SearchResult
from noughts.games import Playthrough, Position
from noughts.games.outcome import Value
from noughts.match import Clock, Match, TimeControl
from noughts.match.events import Ended, Moved, OfferDeclined, OfferMade, PlayersChanged, TookBack
from noughts.players import InProcessPlayer, RandomPlayer, player_names


class Oracle(SessionAdvisor):
    """An advisor that always gives the same answer."""

    def __init__(self, score: int = 0, value: Value | None = None) -> None:
        super().__init__()
        self.score = score
        self.value = value

    def advise(self, position: Position) -> list[Advice]:
        return [self.find_best(position)]

    def find_best(self, position: Position) -> Advice:
        move = position.legal_moves[0]
        found = SearchResult(move, self.score, self.value, 3 if self.value == "win" else None, 9, 100, [move])
        return Advice.of_result(found, scale=50)

    def review(self, play: Playthrough) -> Review:
        return review(play, Limit(depth=9))


PEOPLE = {Side.X: "you", Side.O: "friend"}


def match_of(
    game: str, names: dict[Side, str], control: TimeControl | None = None, now: ManualTime | None = None
) -> Match:
    time = now or ManualTime()
    clock = None if control is None else Clock(control, now=time)
    return Match(Game(game).start(), names, clock=clock, now=time)


def session_of(
    game: str = "3x3",
    advisor: SessionAdvisor | None = None,
    control: TimeControl | None = None,
    now: ManualTime | None = None,
) -> Session:
    """A session of two people."""
    session = Session(match_of(game, PEOPLE, control, now), advisor=advisor)
    session.start()
    return session


def session_with_engine(
    game: str = "3x3",
    person: Side = Side.X,
    advisor: SessionAdvisor | None = None,
    player: object = None,
) -> Session:
    """A session of a person against an engine, by default one that plays at random."""
    engine = InProcessPlayer(player or RandomPlayer(1))
    names = {person: "you", person.opponent: "random"}
    session = Session(match_of(game, names), {person.opponent: engine}, advisor=advisor)
    session.start()
    return session


def type_in(session: Session, *lines: str) -> list[Event]:
    return [event for line in lines for event in receive(session, line)]


def play_for_engine(session: Session, move: int) -> list[Event]:
    """Make a move in place of the engine."""
    session.match.play(move)
    return session.take_events()


def kinds(events: Iterable[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def refusal(events: list[Event]) -> str:
    (refused,) = events
    assert isinstance(refused, Refused)
    return refused.text


def text_of(events: list[Event]) -> str:
    (told,) = events
    assert isinstance(told, Answered)
    return told.text


def test_start_says_who_plays_and_whose_turn_it_is() -> None:
    events = Session(match_of("3x3", PEOPLE)).start()
    assert kinds(events) == ["Started", "TurnBegan"]
    assert event_data(events[1])["legal_moves"] == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]


def test_move_is_an_event_and_the_turn_passes() -> None:
    session = session_of()
    moved, turned = type_in(session, " B2 ")
    assert isinstance(moved, Moved)
    assert (moved.side, moved.move, moved.text, moved.name) == (Side.X, 4, "b2", "you")
    assert isinstance(turned, TurnBegan)
    assert turned.side is Side.O


def test_line_ends_the_game_and_names_the_cells() -> None:
    session = session_of()
    ended = type_in(session, "a1", "b1", "a2", "b2", "a3")[-1]
    assert isinstance(ended, Ended)
    assert ended.outcome.winner is Side.X
    assert set(winning_line(ended.position) or ()) == {"a1", "a2", "a3"}
    assert session.match.is_over


def test_ultimate_names_the_blocks_of_its_line() -> None:
    session = session_of("ultimate:2")
    ended = None
    while not session.match.is_over:
        ended = play_for_engine(session, session.position.legal_moves[0])[-1]
    assert isinstance(ended, Ended)
    line = winning_line(ended.position)
    assert line is not None
    assert all(name.startswith("board ") for name in line)


@pytest.mark.parametrize(
    ("game", "line", "message"),
    [
        ("3x3", "z9", "expected a square from a1 to c3, or 1 to 9, got 'z9'; help lists the commands"),
        ("3x3", "hnt", "expected a square from a1 to c3, or 1 to 9, got 'hnt'; did you mean hint?"),
        ("3x3", "10", "expected a square from a1 to c3, or 1 to 9, got '10'; help lists the commands"),
        ("4x4x4", "b2", "expected a level and a square, from 1a1 to 4d4, got 'b2'"),
        ("ultimate", "10.1", "expected a square from a1 to i9, got '10.1'"),
        ("connect4", "h", "expected a square from a1 to g6, or a column a to g, got 'h'"),
        ("3x3", "ж" * 500, "got 'жжж"),
        ("3x3", "\x1b[A", "got '\\x1b[a'"),
    ],
)
def test_wrong_notation_says_how_to_type_a_move_and_changes_nothing(game: str, line: str, message: str) -> None:
    session = session_of(game)
    before = session.position.text
    text = refusal(type_in(session, line))
    assert message.lower() in text.lower()
    assert len(text) < 200
    assert session.position.text == before


@pytest.mark.parametrize(
    ("game", "lines", "message"),
    [
        ("3x3", "b2 5", "b2 is taken by X; you can play a3, b3, c3, a2, c2, a1, b1, c1"),
        ("15x15:5", "h8 h8", "h8 is taken by X"),
        ("ultimate", "5.1 5.5", "e5 is in board 5; play in board 1; you can play a9, b9, c9, a8, b8, c8, a7, b7, c7"),
        ("3x2:3+gravity", "a a a", "column a is full; you can play b1, c1"),
    ],
)
def test_illegal_move_says_why_and_lists_few_others(game: str, lines: str, message: str) -> None:
    assert refusal(type_in(session_of(game), *lines.split())[-1:]) == message


def test_empty_line_does_nothing() -> None:
    assert type_in(session_of(), "", "   ") == []


def test_undo_between_people_takes_one_move_back_and_redo_plays_it_again() -> None:
    session = session_of()
    type_in(session, "b2", "a1")
    taken = type_in(session, "undo")[0]
    assert isinstance(taken, TookBack)
    assert taken.moves == ("a1",)
    assert session.position.turn is Side.O
    assert kinds(type_in(session, "redo")) == ["Replayed", "TurnBegan"]
    assert session.position.moves == [4, 6]
    assert refusal(type_in(session, "redo")) == "there is nothing to redo"


def test_undo_against_an_engine_goes_back_to_your_last_move() -> None:
    session = session_with_engine()
    type_in(session, "b2")
    play_for_engine(session, 0)
    type_in(session, "undo")
    assert (session.position.moves, session.position.turn) == ([], Side.X)
    type_in(session, "redo")
    assert session.position.moves == [4, 0]


def test_undo_as_second_player_keeps_the_engines_first_move() -> None:
    session = session_with_engine(person=Side.O)
    play_for_engine(session, 4)
    assert refusal(type_in(session, "undo")) == "you have not made a move yet"
    type_in(session, "a1")
    play_for_engine(session, 0)
    type_in(session, "undo")
    assert session.position.moves == [4]


def test_same_move_after_undo_keeps_the_rest_to_redo() -> None:
    session = session_of()
    type_in(session, "b2", "a1", "undo", "undo", "b2", "redo")
    assert session.position.moves == [4, 6]


def test_undo_reopens_a_game_that_is_over() -> None:
    session = session_of()
    type_in(session, "a1", "b1", "a2", "b2", "a3")
    assert refusal(type_in(session, "c3")).startswith("the game is over")
    type_in(session, "undo")
    assert not session.match.is_over
    assert isinstance(type_in(session, "a3")[-1], Ended)


def test_swap_changes_sides_and_the_bot_moves_for_the_other() -> None:
    session = session_with_engine()
    (changed,) = type_in(session, "swap")
    assert isinstance(changed, PlayersChanged)
    assert changed.names == {Side.X: "random", Side.O: "you"}
    assert session.waits_for_engine


def test_level_replaces_the_bot_and_lists_levels_when_alone() -> None:
    session = session_with_engine()
    assert set(player_names()) <= set(text_of(type_in(session, "level")).split())
    type_in(session, "level insane")
    assert session.match.names[Side.O] == "insane"
    assert "unknown player" in refusal(type_in(session, "level godlike"))


def test_level_between_people_replaces_the_player_who_waits() -> None:
    session = session_of()
    type_in(session, "b2", "level easy")
    assert session.match.names == {Side.X: "easy", Side.O: "friend"}


def test_resign_gives_the_game_to_the_other_side() -> None:
    ended = type_in(session_with_engine(), "resign")[0]
    assert isinstance(ended, Ended)
    assert ended.outcome == (Side.O, "resign", (0, 2))


def test_draw_between_people_is_asked() -> None:
    session = session_of()
    assert [type(event) for event in type_in(session, "draw?")] == [OfferMade, Asked]
    assert session.prompt == "yes or no: "
    assert refusal(type_in(session, "b2")) == "expected yes or no, got 'b2'"
    assert kinds(type_in(session, "no")) == ["OfferDeclined"]
    ended = type_in(session, "draw", "Y")[-1]
    assert isinstance(ended, Ended)
    assert ended.outcome.reason == "agreement"


@pytest.mark.parametrize(("score", "agrees"), [(0, True), (50, True), (-50, False)])
def test_bot_agrees_to_a_draw_unless_it_sees_itself_ahead(score: int, agrees: bool) -> None:
    session = session_with_engine(advisor=Oracle(score))
    type_in(session, "draw?")
    assert session.match.is_over == agrees


def test_new_begins_again_with_the_same_players() -> None:
    session = session_of()
    type_in(session, "b2", "new")
    assert (session.position.moves, session.match.is_over) == ([], False)


def test_new_after_a_set_up_position_begins_there_again() -> None:
    session = Session(Match(Game("3x3").parse("3/1x1/3 o"), PEOPLE))
    type_in(session, "a1", "new")
    assert session.position.text == "3/1x1/3 o"


def test_hint_gives_the_idea_first_then_the_move() -> None:
    session = session_of(advisor=Oracle(value=Value.WIN))
    assert text_of(type_in(session, "hint")) == "There is a forced win. (ask again for the move)"
    assert text_of(type_in(session, "hint")).startswith("a3: wins by force in at most 2 moves")
    type_in(session, "b2")
    assert "ask again" in text_of(type_in(session, "hint"))


def test_eval_distinguishes_proven_from_estimated() -> None:
    assert text_of(type_in(session_of(advisor=Oracle(35)), "eval")).startswith("X is ahead: +35 for X")
    assert text_of(type_in(session_of(advisor=Oracle(-35)), "eval")).startswith("O is ahead: -35 for X")
    assert text_of(type_in(session_of(advisor=Oracle()), "eval")).startswith("About even")
    assert text_of(type_in(session_of(advisor=Oracle(9, Value.WIN)), "eval")).startswith(
        "Proven: X wins in at most 2 moves."
    )
    assert text_of(type_in(session_of(advisor=Oracle(9, Value.DRAW)), "eval")).startswith("Proven: a draw")


def test_review_names_the_mistake_and_what_was_better() -> None:
    session = session_of(advisor=Oracle())
    assert refusal(type_in(session, "review")) == "there are no moves to review"
    type_in(session, "b2", "a2", "a1", "c3", "c1", "b1", "b3")
    lines = text_of(type_in(session, "review")).splitlines()
    assert lines[0].startswith("2. O a2: a blunder that turns a draw into a loss. Better: ")
    assert lines[-1].startswith("Accuracy: X (you) ")


def test_review_after_swap_names_the_player_who_made_each_move() -> None:
    session = session_with_engine(advisor=Oracle())
    type_in(session, "b2")
    play_for_engine(session, session.position.parse_move("a2"))
    type_in(session, "swap")
    accuracy = text_of(type_in(session, "review")).splitlines()[-1]
    assert re.fullmatch(r"Accuracy: X \(you\) 100%, O \(random\) [0-9]{1,2}%\.", accuracy), accuracy
    play_for_engine(session, session.position.parse_move("a1"))
    accuracy = text_of(type_in(session, "review")).splitlines()[-1]
    assert re.fullmatch(r"Accuracy: you 100%, random [0-9]{1,2}%\.", accuracy), accuracy


class Terse(Oracle):
    """An engine that knows how a game ends but names only the next move."""

    def find_best(self, position: Position) -> Advice:
        found = Engine(hash_mb=1).search(position, Limit(depth=9))
        return Advice.of_result(found._replace(pv=[found.move]), scale=50)


def test_eval_of_a_proven_win_shows_the_line_to_its_end() -> None:
    session = session_of(advisor=Terse())
    type_in(session, "a3", "b3")
    told = text_of(type_in(session, "eval"))
    found = re.fullmatch(r"Proven: X wins in at most (\d) moves\.\nline: ([a-c1-3 ]+)", told)
    assert found is not None, told
    assert len(found[2].split()) == 2 * int(found[1]) - 1
    position = session.position.copy()
    position.play_all(found[2].split())
    assert position.winner is Side.X


def test_review_of_a_perfect_game_finds_no_mistakes() -> None:
    session = session_of(advisor=Oracle())
    type_in(session, "b2", "a1")
    assert text_of(type_in(session, "review")) == "No mistakes.\nAccuracy: X (you) 100%, O (friend) 100%."


def test_moves_lists_legal_and_played_moves() -> None:
    session = session_of()
    type_in(session, "b2")
    assert text_of(type_in(session, "moves")) == "legal: a3 b3 c3 a2 c2 a1 b1 c1\nplayed: b2"


def test_board_draws_again() -> None:
    assert isinstance(type_in(session_of(), "board")[0], BoardShown)


def test_help_lists_every_command() -> None:
    text = text_of(type_in(session_of(), "help"))
    assert all(command.usage in text for command in COMMANDS.values())
    assert type_in(session_of(), "?") == type_in(session_of(), "help")


def test_quit_leaves_and_nothing_is_saved_without_a_recorder() -> None:
    session = session_of()
    assert type_in(session, "quit") == [Left(LeaveReason.QUIT, lost_plies=0)]
    assert session.is_left


def test_interruption_after_a_move_shows_the_move_but_no_further_turn() -> None:
    session = session_of()
    session.match.play("b2")  # as if Ctrl-C came before its events were shown
    assert kinds(session.leave(LeaveReason.INTERRUPTED)) == ["Moved", "Left"]


@pytest.mark.parametrize("line", [name for name in COMMANDS if name not in ("quit", "hint", "eval", "review")])
def test_every_command_works_at_every_prompt(line: str) -> None:
    over = session_of()
    type_in(over, "a1", "b1", "a2", "b2", "a3")
    for session in (session_of(), over, session_with_engine(person=Side.O)):
        assert type_in(session, line)


def test_save_and_load_round_trip(tmp_path: Path) -> None:
    session, path = session_of(), tmp_path / "game.ngn"
    type_in(session, "b2", "a1")
    assert text_of(type_in(session, f"save {path}")) == f"Saved to {path}."
    assert load(path).moves == (4, 6)
    type_in(session, "new", f"load {path}")
    assert session.position.moves == [4, 6]
    type_in(session, "c3", f"save {path}")
    assert load(path).moves == (4, 6, 2)


def test_save_does_not_replace_an_existing_file(tmp_path: Path) -> None:
    path = tmp_path / "game.ngn"
    path.write_text("precious")
    session = session_of()
    assert "exists" in refusal(type_in(session, f"save {path}"))
    assert path.read_text() == "precious"
    type_in(session, f"save! {path}")
    assert load(path).moves == ()


@pytest.mark.parametrize("command", ["save", "save!"])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "expected a file name, such as save game.ngn"),
        ("game.txt", "expected a file name that ends in .ngn or .sgf, got 'game.txt'"),
        ("nowhere/game.ngn", "cannot write nowhere/game.ngn: no such file or directory"),
        ("folder.ngn", "cannot write folder.ngn: is a directory"),
    ],
)
def test_save_that_fails_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.ngn").mkdir()
    assert receive(session_of(), f"{command} {name}") == [Refused(message)]


@pytest.mark.parametrize(
    "content",
    ["", "hello", '[Game "3x3"]\n\n1. b2 b2 *\n', '[Game "chess"]\n\n*\n', "\x00\x01\x02", '[Game "3x3"\n1. b2'],
)
def test_broken_file_is_refused_and_untouched_and_the_game_continues(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.ngn"
    path.write_text(content)
    session = session_of()
    type_in(session, "b2")
    assert refusal(type_in(session, f"load {path}")).startswith(f"{path}: ")
    assert path.read_text() == content
    assert session.position.moves == [4]


def test_missing_file_is_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal(type_in(session_of(), f"load {tmp_path / 'none.ngn'}"))
    assert refusal(type_in(session_of(), "load")) == "expected a file name, such as load game.ngn"


def test_loaded_game_that_was_resigned_is_over(tmp_path: Path) -> None:
    path = tmp_path / "game.ngn"
    session = session_of()
    type_in(session, "b2", "resign", f"save {path}", "new", f"load {path}")
    assert session.match.outcome is not None
    assert session.match.outcome.reason == "resign"


def run_out_of_coffee(position: Position) -> int:
    raise RuntimeError("out of coffee")


@pytest.mark.parametrize(
    ("player", "reason", "detail"),
    [
        (lambda position: 4, "illegal", "O (random) failed: an illegal move: 4"),
        (run_out_of_coffee, "crash", "O (random) failed: RuntimeError: out of coffee"),
    ],
)
def test_engine_that_fails_loses(player: object, reason: str, detail: str) -> None:
    session = session_with_engine(player=player)
    type_in(session, "b2")
    (ended,) = session.ask_engine()
    assert isinstance(ended, Ended)
    assert ended.outcome == (Side.X, reason, (2, 0))
    assert ended.detail == detail


def test_clock_runs_for_the_side_to_move_and_adds_the_increment() -> None:
    time = ManualTime()
    session = session_of(control=TimeControl(60, 2), now=time)
    time.pass_seconds(10)
    moved = type_in(session, "b2")[0]
    assert isinstance(moved, Moved)
    assert (moved.seconds, moved.left) == (10, 52)
    time.pass_seconds(5)
    assert session.match.seconds_to_flag() == 55
    assert session.prompt == "[X 0:52  O 0:55] O to move: "


def test_player_whose_time_is_up_loses_regardless_of_what_is_typed() -> None:
    time = ManualTime()
    session = session_of(control=TimeControl(60), now=time)
    assert session.check_flag() == []
    time.pass_seconds(60)
    (ended,) = type_in(session, "b2")
    assert isinstance(ended, Ended)
    assert ended.outcome == (Side.O, "time", (0, 2))


def test_random_bot_refuses_a_game_that_is_over() -> None:
    with pytest.raises(ValueError, match="over"):
        RandomPlayer(3).choose(Game("3x3").parse("xxx/oo1/3 -"))


LINES = st.one_of(
    st.sampled_from([name for name in COMMANDS if name not in ("quit", "review")]),
    st.sampled_from(["a1", "b2", "5", "c", "2b2", "1,1,1", "5.5", "e5", "yes", "no", "level random", "level friend"]),
    st.text(max_size=30),
)


@given(st.sampled_from(["3x3", "connect4", "3x3x3", "ultimate:2", "3x3+misere"]), st.lists(LINES, max_size=40))
def test_nothing_that_can_be_typed_breaks_a_session(game: str, lines: list[str]) -> None:
    session = session_with_engine(game, advisor=Oracle())
    for line in lines:
        if line.split(" ")[0] in ("save", "load", "save!"):
            continue
        events = receive(session, line)
        assert all(event_data(event)["event"] for event in events)
        while session.waits_for_engine:
            play_for_engine(session, session.position.legal_moves[0])
    replayed = Playthrough(session.position.game, session.position.moves)
    assert replayed.position() == session.position


@pytest.mark.parametrize(("word", "expected"), [("quit", Left), ("help", Answered), ("undo", TookBack)])
def test_command_instead_of_an_answer_means_no_and_is_carried_out(word: str, expected: type[Event]) -> None:
    session = session_of()
    receive(session, "b2")
    receive(session, "draw?")
    refused, done, *_ = receive(session, word)
    assert isinstance(refused, OfferDeclined)
    assert isinstance(done, expected)
    assert not session.match.is_over


def test_engine_that_is_replaced_is_closed() -> None:
    closed = []

    class Program(InProcessPlayer):
        def close(self) -> None:
            closed.append(self.name)

    match = match_of("3x3", {Side.X: "you", Side.O: "bot:mine"})
    session = Session(match, {Side.O: Program(RandomPlayer(), "mine")})
    receive(session, "swap")
    assert closed == []
    receive(session, "level easy")
    assert closed == ["mine"]
