"""``noughts engine`` in every protocol: golden exchanges, and mistakes of the host."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

import pytest

from exchanges import talk
from noughts import Engine, Game
from noughts.players.protocols.background_search import SearchSettings
from noughts.players.protocols.dialects import VARIANTS, Cutechess
from noughts.players.protocols.serve import recognise, serve
from terminals import processor_seconds, start_of_python

ENGINE = [str(Path(sys.executable).parent / "noughts"), "engine"]
STARTS = {
    "tictactoe": "3/3/3[PPPPPpppp] w - - 0 1",
    "cfour": f"7/7/7/7/7/7[{'P' * 21}{'p' * 21}] w - - 0 1",
    "gomokufreestyle": f"{'/'.join(['15'] * 15)}[{'P' * 113}{'p' * 112}] w - - 0 1",
    "gomoku": f"{'/'.join(['15'] * 15)}[{'P' * 113}{'p' * 112}] w - - 0 1",
}
"""The start positions of the variants in the notation of cutechess."""


def plain(lines: list[str]) -> list[str]:
    """Return the lines without numbers that depend on the clock or on details of the search."""
    return [re.sub(r"(nodes|nps|time|hashfull) \d+", r"\1 N", line) for line in lines]


@pytest.mark.parametrize(
    ("line", "protocol"),
    [
        ("ugi", "ugi"),
        ("uci", "uci"),
        ("START 15", "gomocup"),
        ("start 15", "gomocup"),
        ("RECTSTART 20,10", "gomocup"),
        ("ABOUT", "gomocup"),
        ("-1 -1", "codingame"),
        ("4 4", "codingame"),
        ('{"game": "3x3"}', "json"),
        ("position startpos", "ugi"),
        ("hello", None),
        ("", None),
    ],
)
def test_first_line_shows_the_protocol(line: str, protocol: str | None) -> None:
    assert recognise(line) == protocol


def test_unknown_first_line_is_reported_and_the_next_one_counts() -> None:
    complaints: list[str] = []
    assert talk("hello", "ugi", complaints=complaints)[-1] == "ugiok"
    assert complaints == ["expected a first line of UGI, UCI, Gomocup, CodinGame or JSON, got 'hello'"]


@pytest.mark.parametrize("greeting", ["ugi", "uci"])
def test_engine_introduces_itself(greeting: str) -> None:
    name, author, *options, last = talk(greeting, hash_mb=64)
    assert re.fullmatch(r"id name noughts \d+\.\d+\.\d+", name)
    assert author.startswith("id author ")
    assert options == [
        "option name Game type string default 3x3",
        "option name UCI_Variant type combo default tictactoe var tictactoe var gomoku var gomokufreestyle var cfour",
        "option name Threads type spin default 1 min 1 max 256",
        "option name Hash type spin default 64 min 1 max 1048576",
        "option name MultiPV type spin default 1 min 1 max 1024",
        "option name OwnBook type check default true",
        "option name Network type string default <empty>",
        "option name Search type combo default alphabeta var alphabeta var mcts var mcts:rollouts var mcts:network"
        " var mcts:weights",
        "option name Level type combo default master var beginner var easy var difficult var insane var master",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 1200 min 0 max 3000",
    ]
    assert last == f"{greeting}ok"


def test_ugi_exchange() -> None:
    answers = talk(
        "ugi",
        "isready",
        "uginewgame",
        "position startpos moves a3 b3 b2 c3",
        "query p1turn",
        "query gameover",
        "query result",
        "go depth 4",
        "position startpos moves a3 b3 b2 c3 c1",
        "query gameover",
        "query result",
        "query p1turn",
        "quit",
        "isready",
    )
    assert plain(answers[answers.index("ugiok") + 1 :]) == [
        "readyok",
        "response true",
        "response false",
        "response none",
        "info depth 1 multipv 1 score mate 1 nodes N nps N time N hashfull N pv c1",
        "bestmove c1",
        "response true",
        "response p1win",
        "response false",
    ]


def test_result_says_who_won() -> None:
    lines = ["ugi", "position startpos moves a1 b2 a2 b1 c1 b3", "query result"]
    assert talk(*lines)[-1] == "response p2win"
    draw = "position startpos moves b2 a1 c1 a3 a2 c2 b3 b1 c3"
    assert talk("ugi", draw, "query result", "query p1turn")[-2:] == ["response draw", "response false"]


def test_loss_in_two_is_mate_in_minus_one() -> None:
    """O faces two threats."""
    assert "score mate -1 " in talk("ugi", "position startpos moves a3 b2 c1 c3 a1", "go depth 4")[-2]


def test_several_lines_are_ranked() -> None:
    answers = talk("ugi", "setoption name MultiPV value 3", "position startpos moves a1", "go depth 9")
    *lines, best = answers[-4:]
    assert [re.findall(r"multipv (\d)", line) for line in lines] == [["1"], ["2"], ["3"]]
    assert best == "bestmove b2"
    assert "score cp 0" in lines[0]
    assert "score mate -" in lines[1]


def test_asking_for_more_lines_than_moves_is_not_a_mistake() -> None:
    answers = talk(
        "ugi", "setoption name MultiPV value 50", "position startpos moves b2 a1 c1 a3 a2 c2 b3 b1", "go depth 9"
    )
    assert answers[-1] == "bestmove c3"


def test_game_and_position_are_set() -> None:
    answers = talk("ugi", "setoption name Game value qubic", "position fen x3/4/4/4|4/4/4/4|4/4/4/4|4/4/4/4 o", "d")
    assert answers[-1] == "info string fen x3/4/4/4|4/4/4/4|4/4/4/4|4/4/4/4 o"


def test_level_plays_like_the_level() -> None:
    answers = talk("ugi", "setoption name Level value easy", "go", seed=5)
    assert len(answers) == len(talk("ugi")) + 1
    assert answers[-1].startswith("bestmove ")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("castle", "expected a command of ugi, uci, isready, setoption, position, go, stop, query, quit, got 'castle'"),
        ("position", "expected position startpos or position fen TEXT, then moves"),
        ("position startpos moves z9", "expected a square from a1 to c3, or 1 to 9, got 'z9'"),
        ("position startpos moves b2 b2", "b2 is taken by X"),
        ("position fen 3/3 x", "expected 3 rows separated by /, got 2"),
        ("position fen", "expected position startpos or position fen TEXT, then moves"),
        ("setoption name Threads value many", "expected Threads from 1 to 256, got 'many'"),
        ("setoption name Threads value 1000", "expected Threads from 1 to 256, got '1000'"),
        ("setoption name Hash", "expected Hash from 1 to 1048576, got ''"),
        (f"setoption name Hash value {'0' * 19}1999999999", "expected Hash from 1 to 1048576, got '00000"),
        (
            "setoption name Ponder value true",
            "expected an option of Game, UCI_Variant, Threads, Hash, MultiPV, OwnBook, Network, Search, Level",
        ),
        ("setoption Hash 1", "expected setoption name NAME value VALUE"),
        ("setoption name Game value chess", "expected a game id"),
        ("setoption name Game value {}", "expected the key 'name' in a custom game"),
        ("setoption name Game value {", "expected a custom game as JSON, got '{'"),
        (
            "setoption name UCI_Variant value atomic",
            "expected a variant of tictactoe, gomoku, gomokufreestyle, cfour, got",
        ),
        ("setoption name Level value godlike", "expected a level of beginner, easy, difficult, insane, master, got"),
        ("query weather", "expected query gameover, p1turn, result, got 'weather'"),
        ("query", "expected query gameover, p1turn, result, got ''"),
        ("go fast", "expected go infinite, movetime"),
        ("go depth", "expected depth from 0 to"),
        ("go nodes -5", "expected nodes from 0 to"),
        ("go movetime 1e3", "expected movetime from"),
    ],
)
def test_mistake_is_one_line_and_the_engine_continues(line: str, complaint: str) -> None:
    answers = talk("position startpos moves b2", line, "position startpos moves b2", "isready", "go depth 2")
    assert answers[0].startswith(f"info string error: {complaint}")
    assert answers[1] == "readyok"
    assert answers[-1].startswith("bestmove ")


def test_host_that_asks_whether_we_are_ready_is_answered_in_any_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even when the table does not fit in memory; the host can then set a smaller one."""

    def small(threads: int, hash_mb: int, **options: Any) -> Engine:
        if hash_mb > 1:
            raise ValueError("expected a smaller table")
        return Engine(threads, hash_mb, **options)

    monkeypatch.setattr("noughts.players.protocols.background_search.Engine", small)
    answers = talk("isready", "setoption name Hash value 1", "isready", "go depth 1", protocol="ugi", hash_mb=64)
    assert answers[:3] == ["readyok", "info string error: expected a smaller table", "readyok"]
    assert answers[-1] == "bestmove b2"


def test_search_of_a_finished_game_is_refused() -> None:
    answers = talk("position startpos moves a3 a1 b3 b1 c3", "go depth 5")
    assert answers == ["info string error: the game is over", "bestmove (none)"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_start_is_written_as_cutechess_writes_it(variant: str) -> None:
    position, dialect = Game(VARIANTS[variant]).start(), Cutechess()
    assert dialect.format_position(position) == STARTS[variant]
    assert dialect.parse_position(position.game, STARTS[variant]) == position


def test_cutechess_exchange() -> None:
    answers = talk(
        "uci",
        "setoption name UCI_Variant value tictactoe",
        "ucinewgame",
        "position startpos moves P@a3 P@b3 P@b2 P@c3",
        "go wtime 1000 btime 1000 winc 10 binc 10 movestogo 4",
        "position fen 1pP/3/P1p[PPPpp] w - - 0 3 moves P@b2",
        "d",
    )
    assert [line for line in answers if line.startswith("bestmove")] == ["bestmove P@c1"]
    assert answers[-1] == "info string fen 1pP/1P1/P1p[PPpp] b - - 0 3"


@pytest.mark.parametrize(("variant", "expected"), [("gomoku", "cp"), ("gomokufreestyle", "mate 1")])
def test_six_in_a_row_win_in_freestyle_only(variant: str, expected: str) -> None:
    empty = "/".join(["15"] * 5)
    fen = f"{empty}/15/15/1PP1PPP8/p1p1p10/p1p12/{empty}[] w - - 0 6"
    answers = talk("uci", f"setoption name UCI_Variant value {variant}", f"position fen {fen}", "go depth 1")
    assert f"score {expected}" in answers[-2]


@pytest.mark.parametrize("fen", ["3/3/3[PPPPPpppp] b - - 0 1", "3/3/4[P] w", "3/1K1/3[] w - - 0 1", "3/3 w - -", "w w"])
def test_broken_fen_is_refused(fen: str) -> None:
    answers = talk("uci", "setoption name UCI_Variant value tictactoe", f"position fen {fen}")
    assert answers[-1].startswith("info string error: expected")


def test_finished_fen_is_understood() -> None:
    fen = "PPP/pp1/3[PPpp] b - - 0 3"
    assert talk("uci", "setoption name UCI_Variant value tictactoe", f"position fen {fen}", "query result")[-1] == (
        "response p1win"
    )


def test_gomocup_exchange() -> None:
    assert talk(
        "START 15",
        "INFO timeout_turn 200",
        "INFO timeout_match 100000",
        "INFO time_left 100000",
        "INFO max_memory 83886080",
        "INFO game_type 1",
        "INFO rule 0",
        "INFO folder /somewhere",
        "INFO evaluate 3,3",
        "BEGIN",
        "RESTART",
        "BOARD",
        "3,3,1",
        "0,0,2",
        "4,3,1",
        "0,2,2",
        "5,3,1",
        "0,4,2",
        "6,3,1",
        "2,3,2",
        "DONE",
        "TAKEBACK 7,3",
        "TAKEBACK 2,3",
        "TURN 7,3",
        "END",
        "BEGIN",
    ) == ["OK", "7,7", "OK", "7,3", "OK", "OK", "2,3"]


def test_gomocup_board_may_be_a_rectangle() -> None:
    """Four in the bottom row of 12 by 6: the fifth is at x 4, y 5."""
    board = ["0,5,1", "0,0,2", "1,5,1", "2,0,2", "2,5,1", "4,0,2", "3,5,1", "6,0,2"]
    assert talk("RECTSTART 12,6", "INFO timeout_turn 100", "BOARD", *board, "DONE") == ["OK", "4,5"]


@pytest.mark.parametrize(("rule", "wins"), [("0", True), ("1", False)])
def test_gomocup_rule_decides_about_six_in_a_row(rule: str, wins: bool) -> None:
    row = [f"{x},7,1" for x in (1, 2, 4, 5, 6)]
    board = [*row, "0,0,2", "2,0,2", "4,0,2", "6,0,2", "8,0,2"]
    answers = talk("START 15", f"INFO rule {rule}", "INFO timeout_turn 0", "BOARD", *board, "DONE")
    assert (answers[-1] == "3,7") == wins


@pytest.mark.parametrize(
    ("told", "table"), [([8 << 20], 2), ([1], 1), ([1, 0], 64), ([1, 200 << 20], 50), ([1 << 40], 64), ([-5], 64)]
)
def test_gomocup_last_memory_limit_bounds_the_table(told: list[int], table: int) -> None:
    chosen = SearchSettings(hash_mb=64)
    lines = "".join(f"INFO max_memory {memory}\n" for memory in told)
    serve(io.StringIO(lines), io.StringIO(), print, chosen)
    assert chosen.hash_mb == table


@pytest.mark.parametrize(
    ("rule", "named"),
    [("4", "4 (renju)"), ("2", "2 (continuous game)"), ("9", "9 (caro)"), ("5", "5 (renju)"), ("-1", "-1")],
)
def test_gomocup_rule_that_is_not_played_is_refused_at_start(rule: str, named: str) -> None:
    refused = f"ERROR expected rule 0 (five or more win) or 1 (exactly five win), got {named}"
    assert talk(f"INFO rule {rule}", "START 15", "INFO rule 0", "START 15") == [refused, "OK"]
    assert talk(f"INFO rule {rule}", "RECTSTART 15,10") == [refused]
    assert talk("START 15", f"INFO rule {rule}", "BEGIN", "RESTART", "TURN 7,7") == ["OK", refused, refused, refused]


@pytest.mark.parametrize("bound", ["max_depth 1", "max_node 50", "max_depth 2\nINFO max_node 1000"])
def test_gomocup_depth_and_nodes_bound_a_move(bound: str) -> None:
    """Without them the engine would think for an hour."""
    answers = talk("START 15", "INFO timeout_turn 3600000", f"INFO {bound}", "TURN 7,7", "TURN 0,0", "ABOUT")
    assert len(answers) == 4
    assert talk("START 15", f"INFO {bound}", "TURN 7,7") == answers[:2]


def test_gomocup_depth_of_zero_bounds_nothing() -> None:
    assert len(talk("START 15", "INFO max_depth 0", "INFO max_node -1", "INFO timeout_turn 20", "TURN 7,7")) == 2


@pytest.mark.parametrize(("told", "threads"), [(["2"], 2), (["3", "0"], 1), (["99999"], 256), (["-1"], 1)])
def test_gomocup_last_number_of_threads_is_used(told: list[str], threads: int) -> None:
    chosen = SearchSettings(hash_mb=1)
    lines = "".join(f"INFO thread_num {number}\n" for number in told)
    serve(io.StringIO(lines), io.StringIO(), print, chosen, "gomocup")
    assert chosen.threads == threads


def test_gomocup_introduction_names_the_engine() -> None:
    (about,) = talk("ABOUT")
    assert about.startswith('name="noughts", version="')


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            "CASTLE",
            "UNKNOWN expected a command of START, RECTSTART, RESTART, BEGIN, TURN, BOARD, TAKEBACK, INFO, ABOUT",
        ),
        ("START", "ERROR expected a board of 5 to 32 squares a side, got ''"),
        ("START 99", "ERROR expected a board of 5 to 32 squares a side, got '99'"),
        ("RECTSTART 10", "ERROR expected a board of 5 to 32 squares a side, got '10,'"),
        ("TURN 15,0", "ERROR expected a square from 0,0 to 14,14, got '15,0'"),
        ("TURN seven", "ERROR expected a square from 0,0 to 14,14, got 'seven'"),
        ("TURN 0,0", "ERROR expected an empty square, got 0,0"),
        ("BEGIN", "ERROR expected an empty board for BEGIN"),
        ("TAKEBACK 3,3", "ERROR expected a square with a stone, got 3,3"),
        ("INFO timeout_turn soon", "ERROR expected a number for INFO timeout_turn, got 'soon'"),
        ("INFO rule soon", "ERROR expected a number for INFO rule, got 'soon'"),
        ("BOARD\nfive", "ERROR expected a stone such as 7,7,1, or DONE, got 'five'"),
        ("BOARD\n1,1,9", "ERROR expected 1 for your own stones and 2 for the opponent's, got '9'"),
        (
            "BOARD\n1,1,1\n1,2,1\nDONE",
            "ERROR expected as many stones of the opponent as of ours, or one more, got 0 and 2",
        ),
    ],
)
def test_gomocup_mistake_is_one_line_and_the_engine_continues(line: str, complaint: str) -> None:
    answers = talk("START 15", "INFO timeout_turn 0", "TURN 0,0", *line.split("\n"), "TURN 14,14")
    assert answers[2].startswith(complaint)
    assert re.fullmatch(r"\d+,\d+", answers[-1])
    assert len(answers) == 4


def test_gomocup_board_with_a_mistake_is_not_played_on() -> None:
    answers = talk("START 15", "INFO timeout_turn 0", "BOARD", "7,7,1", "8,8,2", "99,9,2", "DONE", "TURN 0,0")
    assert answers[1].startswith("ERROR expected a square from 0,0 to 14,14, got '99,9'")
    assert answers[2] == "ERROR expected a board without mistakes; the board has not changed"
    assert re.fullmatch(r"\d+,\d+", answers[3])
    assert len(answers) == 4


def test_gomocup_needs_a_board_first() -> None:
    assert talk("BEGIN", "TURN 1,1", "RESTART") == ["ERROR expected START first"] * 3


def turn(opponent: str, legal: list[tuple[int, int]]) -> list[str]:
    return [opponent, str(len(legal)), *(f"{row} {column}" for row, column in legal)]


EVERYWHERE = [(row, column) for row in range(9) for column in range(9)]


def test_codingame_exchange() -> None:
    """The opponent plays in the block that our first move sends it to, and we in the block that it sends us to."""
    first = talk(*turn("-1 -1", EVERYWHERE), level="easy", seed=1)
    row, column = map(int, first[0].split())
    block = [(row % 3 * 3 + r, column % 3 * 3 + c) for r in range(3) for c in range(3)]
    reply = next(place for place in block if place != (row, column))
    sent = [(reply[0] % 3 * 3 + r, reply[1] % 3 * 3 + c) for r in range(3) for c in range(3)]
    legal = [place for place in sent if place not in ((row, column), reply)]
    complaints: list[str] = []
    lines = [*turn("-1 -1", EVERYWHERE), *turn(f"{reply[0]} {reply[1]}", legal)]
    answers = talk(*lines, level="easy", seed=1, complaints=complaints)
    assert answers[0] == first[0]
    assert tuple(map(int, answers[1].split())) in legal
    assert complaints == []


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["4 4", "nine"], "expected the number of legal moves, got 'nine'"),
        (["4 4", "1", "here"], "expected a row and a column such as 4 4, got 'here'"),
        (["4 4", "1", "9 9"], "expected a row and a column from 0 to 8, got '9 9'"),
        (["4 4", "1", "0 0"], "expected 8 legal moves here, got 1, or others; one of the host's is played"),
    ],
)
def test_codingame_mistake_is_reported_outside_the_protocol(lines: list[str], complaint: str) -> None:
    complaints: list[str] = []
    answers = talk(*lines, *turn("-1 -1", EVERYWHERE), seconds=0.01, complaints=complaints)
    assert complaints == [complaint]
    assert re.fullmatch(r"\d \d", answers[-1])


def test_json_exchange() -> None:
    questions = [
        {"game": "3x3", "moves": ["a3", "b3", "b2", "c3"], "time_ms": 50},
        {"game": "3x3", "position": "xo1/1x1/o2 x", "legal": ["c3"], "depth": 3},
        {"game": "3x3", "start": "xo1/1x1/o2 x", "moves": ["c3"], "depth": 3},
        {"game": "3x3", "moves": [0, 1, 4, 2], "time_ms": 0},
    ]
    answers = [json.loads(line) for line in talk(*map(json.dumps, questions))]
    assert answers[:2] == [{"move": "c1"}, {"move": "c1"}]
    assert answers[2:] == [{"move": "c1"}, {"move": "c1"}]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "expected a JSON object on one line, got '{'"),
        ("[1]", 'expected an object with "game" and "moves"'),
        ("{}", 'expected an object with "game" and "moves"'),
        ('{"game": 3}', "expected a game id or an object with name, cells and lines, got int"),
        ('{"game": "3x3", "moves": 5}', 'expected "moves" as a list and "start" as text'),
        ('{"game": "3x3", "moves": {}}', 'expected "moves" as a list and "start" as text'),
        ('{"game": "3x3", "moves": ["z9"]}', "move 1: expected a square from a1 to c3"),
        ('{"game": "3x3", "moves": [true]}', 'expected "moves" as texts such as "b2", got true'),
        ('{"game": "3x3", "moves": [null]}', 'expected "moves" as texts such as "b2", got null'),
        ('{"game": "3x3", "moves": [], "time_ms": "soon"}', 'expected "time_ms" as a number'),
        (f'{{"game": "3x3", "moves": [], "time_ms": 1{"0" * 400}}}', 'expected "time_ms" of at most 1000000000000'),
        ('{"game": "3x3", "moves": [], "time_ms": NaN}', 'expected "time_ms" of at most 1000000000000'),
        ('{"game": "3x3", "moves": [], "nodes": "many"}', "expected nodes as a whole number, got str"),
        (
            '{"game": "3x3", "moves": ["a1","a2","b1","b2","c1"]}',
            "the game is over",
        ),
        ("[" * 5000, "expected"),
    ],
)
def test_json_mistake_is_one_line_and_the_engine_continues(line: str, complaint: str) -> None:
    answers = talk(line, '{"game": "3x3", "moves": [], "depth": 1}', protocol="json")
    assert json.loads(answers[0])["error"].startswith(complaint)
    assert "move" in json.loads(answers[1])


def read_to(lines: IO[str], start: str) -> None:
    """Read until a line begins with a prefix."""
    while not (line := lines.readline()).startswith(start):
        assert line, f"the engine ended before it said {start}"


def test_stop_ends_an_endless_search_at_once() -> None:
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write("ugi\nsetoption name Game value 5x5x5\ngo infinite\n")
        read_to(engine.stdout, "info depth 5 ")
        engine.stdin.write("isready\n")
        read_to(engine.stdout, "readyok\n")
        began = time.monotonic()
        engine.stdin.write("stop\n")
        read_to(engine.stdout, "bestmove")
        assert time.monotonic() - began < 10  # some milliseconds on an idle machine
        engine.stdin.write("quit\n")
    assert engine.returncode == 0


def test_solved_position_is_not_answered_before_stop() -> None:
    """A search without a limit answers after ``stop`` only, even when the position is solved before."""
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write("ugi\nposition startpos moves a3 b3 b2 c3\ngo infinite\n")
        read_to(engine.stdout, "info depth 1 multipv 1 score mate 1 ")
        engine.stdin.write("isready\nstop\nquit\n")
        said = engine.stdout.read().splitlines()
    assert said.index("readyok") < said.index("bestmove c1")


def test_engine_leaves_when_its_host_does() -> None:
    for lines in ("", "ugi\nsetoption name Game value 4x4x4\ngo infinite\n", "4 4\n"):
        done = subprocess.run(ENGINE, input=lines, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_greeting_takes_less_than_a_fifth_of_a_second() -> None:
    """In processor time, to the end of the process; on a slow or busy machine, ten times that of Python alone."""

    def greet() -> None:
        done = subprocess.run(ENGINE, input="uci\n", capture_output=True, text=True, timeout=60, check=True)
        assert done.stdout.endswith("uciok\n")

    assert processor_seconds(greet) < max(0.2, 10 * start_of_python())


@pytest.mark.parametrize("junk", [b"\xff\xfe\x00\n", b"x" * 3_000_000, b"hello\n"])
def test_host_without_a_known_protocol_gets_a_short_message(junk: bytes) -> None:
    done = subprocess.run(ENGINE, input=junk, capture_output=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert {line[:40] for line in done.stderr.splitlines()} == {b"noughts: expected a first line of UGI, UC"[:40]}


def test_host_that_does_not_listen_causes_no_traceback() -> None:
    with subprocess.Popen(
        ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        assert engine.stderr is not None
        engine.stdin.write("ugi\nsetoption name Game value 4x4x4\n")
        engine.stdout.close()
        engine.stdin.write("go infinite\n")
        time.sleep(0.3)
        engine.stdin.close()
        assert engine.stderr.read() == ""
        assert engine.wait(60) == 0
