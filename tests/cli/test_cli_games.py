"""``noughts games`` and ``noughts stats``: saved games are listed, resumed, exported, deleted and counted."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from noughts import load
from noughts.cli.tables import Words, format_table
from noughts.games.outcome import decide
from noughts.store import Store
from plays import position_after
from terminals import check_golden, in_process


def keep(data: Path, moves: str = "b2 a1", o: str = "friend", resigns: str | None = None) -> int:
    position = position_after("3x3", *moves.split())
    with Store(data / "noughts.sqlite3") as store:
        number = store.begin(position, "you", o)
        if resigns:
            store.finish(number, decide(position, "resign", "O" if resigns == "X" else "X"))
        elif position.outcome:
            store.finish(number, position.outcome)
    return number


def test_list_shows_the_games_and_how_they_ended(tmp_path: Path) -> None:
    keep(tmp_path)
    keep(tmp_path, o="insane", resigns="X")
    keep(tmp_path, "a1 b1 a2 b2 a3")
    lines = in_process(tmp_path, "games").stdout.splitlines()
    assert lines[0].split() == ["id", "game", "X", "O", "result", "moves", "last", "played"]
    assert [line.split()[:6] for line in lines[1:]] == [
        ["3", "Tic-tac-toe", "you", "friend", "X", "wins"],
        ["2", "Tic-tac-toe", "you", "insane", "O", "wins"],
        ["1", "Tic-tac-toe", "you", "friend", "unfinished", "2"],
    ]


def test_list_can_be_narrowed_and_read_by_programs(tmp_path: Path) -> None:
    keep(tmp_path, resigns="X")
    keep(tmp_path)
    result = in_process(tmp_path, "games", "--unfinished", "--game", "tictactoe", "--json")
    assert [(game["id"], game["outcome"], game["plies"]) for game in json.loads(result.stdout)] == [(2, None, 2)]


def test_empty_list_says_so_and_is_not_a_failure(tmp_path: Path) -> None:
    result = in_process(tmp_path, "games")
    assert (result.returncode, result.stdout) == (0, "")
    assert "no saved games yet" in result.stderr


def test_long_list_says_that_there_are_more(tmp_path: Path) -> None:
    for _ in range(23):
        keep(tmp_path)
    result = in_process(tmp_path, "games")
    assert len(result.stdout.splitlines()) == 21
    assert "and 3 older games; --all shows them" in result.stderr
    assert len(in_process(tmp_path, "games", "--all").stdout.splitlines()) == 24


def test_show_draws_the_last_position_and_lists_the_moves(tmp_path: Path) -> None:
    keep(tmp_path, "a1 b1 a2 b2 a3")
    check_golden("games_show.txt", in_process(tmp_path, "games", "show", "1").stdout)
    data = json.loads(in_process(tmp_path, "games", "show", "1", "--json").stdout)
    assert (data["playthrough"]["line"], data["position"]) == (["a1", "b1", "a2", "b2", "a3"], "x2/xo1/xo1 -")


def test_resume_continues_the_latest_unfinished_game(tmp_path: Path) -> None:
    keep(tmp_path, "b2 a1")
    keep(tmp_path, "a1 b1 a2 b2 a3")
    result = in_process(tmp_path, "games", "resume", typed="c3\nmoves\n")
    assert "played: b2 a1 c3" in result.stdout


def test_finished_game_cannot_be_resumed(tmp_path: Path) -> None:
    keep(tmp_path, "a1 b1 a2 b2 a3")
    result = in_process(tmp_path, "games", "resume", "1")
    assert (result.returncode, result.stderr) == (2, "noughts: game 1 is over; noughts games show 1 shows it\n")
    assert "there is no unfinished game" in in_process(tmp_path, "games", "resume").stderr


def test_export_writes_a_file_and_never_over_another(tmp_path: Path) -> None:
    keep(tmp_path, resigns="X")
    file = tmp_path / "game.ngn"
    assert in_process(tmp_path, "games", "export", "1", str(file)).returncode == 0
    play = load(file)
    assert (play.moves, play.result, play.tags["O"]) == ((4, 6), "0-1", "friend")
    result = in_process(tmp_path, "games", "export", "1", str(file))
    assert result.returncode == 2
    assert "--force" in result.stderr
    assert in_process(tmp_path, "games", "export", "1", str(file), "--force").returncode == 0


def test_export_and_delete_tell_programs_what_they_did(tmp_path: Path) -> None:
    keep(tmp_path)
    keep(tmp_path)
    file = str(tmp_path / "game.ngn")
    assert json.loads(in_process(tmp_path, "games", "export", "1", file, "--json").stdout) == {"game": 1, "file": file}
    deleted = in_process(tmp_path, "games", "delete", "1", "2", "--json").stdout.splitlines()
    assert [json.loads(line) for line in deleted] == [{"deleted": 1}, {"deleted": 2}]


@pytest.mark.parametrize("command", [["show"], ["resume"], ["delete"], ["export", "7", "x.ngn"]])
def test_unknown_number_is_one_line(tmp_path: Path, command: list[str]) -> None:
    arguments = command if len(command) > 1 else [*command, "7"]
    result = in_process(tmp_path, "games", *arguments)
    assert (result.returncode, result.stderr) == (
        2,
        "noughts: there is no saved game 7; noughts games lists them\n",
    )


def test_deleted_game_is_gone(tmp_path: Path) -> None:
    keep(tmp_path)
    assert in_process(tmp_path, "games", "delete", "1").returncode == 0
    assert in_process(tmp_path, "games").stdout == ""


def test_stats_count_by_game_and_opponent(tmp_path: Path) -> None:
    keep(tmp_path, resigns="X")
    keep(tmp_path, "a1 b1 a2 b2 a3")
    keep(tmp_path, o="insane", resigns="X")
    check_golden("stats.txt", in_process(tmp_path, "stats").stdout)
    data = json.loads(in_process(tmp_path, "stats", "--json", "--player", "insane").stdout)
    assert [(record["opponent"], record["won"], record["played"]) for record in data] == [("you", 1, 1)]


def test_stats_without_games_say_so(tmp_path: Path) -> None:
    result = in_process(tmp_path, "stats")
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == "you have no finished games yet\n"


def test_plot_is_drawn_or_says_what_is_missing(tmp_path: Path) -> None:
    keep(tmp_path, resigns="X")
    file = tmp_path / "stats.svg"
    result = in_process(tmp_path, "stats", "--plot", str(file))
    if importlib.util.find_spec("matplotlib"):
        assert result.returncode == 0
        assert "<svg" in file.read_text()
    else:
        assert result.returncode == 2
        assert "noughts[plot]" in result.stderr


def test_plot_of_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    keep(tmp_path, resigns="X")
    result = in_process(tmp_path, "stats", "--plot", str(tmp_path / "stats.docx"))
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1


def test_table_that_is_too_wide_becomes_stacked_rows() -> None:
    rows = [("1", "tictactoe", "long column"), ("22", "x", "y")]
    assert format_table(("id", "game", "more"), rows, 80).splitlines() == [
        "id  game       more",
        " 1  tictactoe  long column",
        "22  x          y",
    ]
    assert format_table(("id", "game", "more"), rows, 20).splitlines() == [
        "1  tictactoe",
        "  more long column",
        "22  x",
        "  more y",
    ]


def test_stacked_rows_have_every_cell_and_fit_the_width() -> None:
    headers = ("#", "bot", "score", "won", "an explanation")
    rows = [("1", "insane", "12½", "12", "word " * 12), ("2", "a name of several words", "0", "", "short")]
    for width in range(20, 60):
        lines = format_table(headers, rows, width).splitlines()
        assert max(map(len, lines)) <= width
        text = " ".join(" ".join(lines).split())
        assert "score 12½, won 12, an explanation word word" in text
        assert text.count("word") == 13
        assert "2 a name of several words score 0, an explanation short" in text


def test_words_at_the_end_of_a_row_are_shortened_only_while_enough_of_them_is_left() -> None:
    rows = [("3x3", "Three in a row on nine cells."), ("4x4", "A draw.")]
    shortened = format_table(("game", "about"), rows, 32, words=Words.SHORTENED)
    assert shortened.splitlines()[1] == "3x3   Three in a row on nine …"
    stacked = format_table(("game", "about"), rows, 26, words=Words.SHORTENED)
    assert stacked.splitlines() == ["3x3", "  about Three in a row on", "  nine cells.", "4x4", "  about A draw."]


def test_wrapped_words_stay_in_their_column() -> None:
    rows = [("3x3", "Three in a row on nine cells."), ("4x4", "A draw.")]
    assert format_table(("game", "about"), rows, 32, words=Words.WRAPPED).splitlines() == [
        "game  about",
        "3x3   Three in a row on nine",
        "      cells.",
        "4x4   A draw.",
    ]


def test_wider_rows_are_used_where_there_is_room_for_them() -> None:
    narrow, wide = [("1", "Qubic")], [("1", "Qubic (4x4x4)")]
    assert "Qubic (4x4x4)" in format_table(("id", "game"), narrow, 20, wider=wide)
    assert format_table(("id", "game"), narrow, 16, wider=wide).splitlines() == ["id  game", " 1  Qubic"]
    assert format_table(("id", "the game"), narrow, 11, wider=wide).splitlines() == ["1  Qubic", "  (4x4x4)"]


@pytest.mark.parametrize("command", ["games", "stats"])
@pytest.mark.parametrize("columns", [20, 40, 79])
def test_narrow_terminals_lose_nothing_of_the_lists(tmp_path: Path, command: str, columns: int) -> None:
    keep(tmp_path, resigns="X")
    wide, narrow = (in_process(tmp_path, command, columns=width).stdout for width in (200, columns))
    assert wide.startswith("id" if command == "games" else "game")
    for word in wide.splitlines()[1].replace("(3x3)", "").split():
        assert word in narrow


@pytest.mark.parametrize("what", ["show", "resume", "delete"])
@pytest.mark.parametrize("number", ["99999999999999999999", "-99999999999999999999"])
def test_number_too_large_for_the_store_is_an_unknown_game(tmp_path: Path, what: str, number: str) -> None:
    keep(tmp_path)
    result = in_process(tmp_path, "games", what, "--", number)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"noughts: there is no saved game {number}; noughts games lists them\n"


def test_a_game_that_was_given_up_does_not_say_where_to_play(tmp_path: Path) -> None:
    played = in_process(tmp_path, "play", "ultimate", "--o", "friend", typed="e5\nresign\nquit\n").stdout
    assert "play in board 5" in played
    assert "play in board" not in played.partition("O to move")[2]
    assert "play in board" not in in_process(tmp_path, "games", "show", "1").stdout


def test_ratings_come_from_games_against_rated_opponents(tmp_path: Path) -> None:
    for o in ("easy", "elo:900", "friend"):
        keep(tmp_path, o=o, resigns="O")
    keep(tmp_path, o="easy", resigns="X")
    text = in_process(tmp_path, "stats").stdout
    assert [line.split()[:2] for line in text.split("\n\n")[1].splitlines()] == [
        ["game", "rated"],
        ["Tic-tac-toe", "3"],
    ]
    points = json.loads(in_process(tmp_path, "stats", "--rating", "--json").stdout)
    assert [(point["games"], point["bound"]) for point in points] == [(1, "least"), (2, "least"), (3, None)]
    assert 1000 < points[-1]["rating"] < 1200
    lines = in_process(tmp_path, "stats", "--rating").stdout.splitlines()
    assert len(lines) == 2, "one line for a day"
    assert lines[1].endswith(f"{points[-1]['rating']} ± {points[-1]['error']}")


def test_rating_without_rated_games_says_so(tmp_path: Path) -> None:
    keep(tmp_path, resigns="O")
    result = in_process(tmp_path, "stats", "--rating", "--game", "3x3")
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == "you have no finished games of Tic-tac-toe against levels yet\n"


def test_rating_over_time_is_plotted(tmp_path: Path) -> None:
    keep(tmp_path, o="easy", resigns="X")
    file = tmp_path / "rating.svg"
    result = in_process(tmp_path, "stats", "--rating", "--plot", str(file))
    if importlib.util.find_spec("matplotlib"):
        assert result.returncode == 0
        assert "<svg" in file.read_text()
    else:
        assert "matplotlib" in result.stderr


def test_stats_of_a_game_that_was_not_played_name_the_game(tmp_path: Path) -> None:
    keep(tmp_path, o="insane", resigns="X")
    result = in_process(tmp_path, "stats", "--player", "insane", "--game", "qubic")
    assert result.stderr == "insane has no finished games of Qubic yet\n"
