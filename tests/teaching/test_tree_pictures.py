"""Trees as pictures for slides: PNG, PDF, GIF, animated SVG, and numbered pictures of every step."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

from noughts.games import Game
from noughts.teaching import Trace, record
from noughts.teaching.plots import LearningChart, learning_table, plot_learning
from noughts.teaching.tree import animation
from noughts.teaching.tree.files import save_frames, save_tree
from noughts.teaching.tree.svg import tree_svg
from noughts.textbook import Score, alphabeta, mcts, td_learning

SVG = "{http://www.w3.org/2000/svg}"
START = Game("3x3").parse("xox/1o1/1x1 o")


@cache
def cutoffs() -> Trace:
    return record(alphabeta, START, depth=2)


@cache
def monte_carlo() -> Trace:
    return record(mcts, START, simulations=6, seed=1)


def test_a_png_has_twice_the_size_of_the_drawing_and_its_words(tmp_path: Path) -> None:
    cutoffs().save(tmp_path / "tree.png")
    drawing = ET.fromstring(tree_svg(cutoffs()))
    with Image.open(tmp_path / "tree.png") as image:
        assert image.size == (2 * int(drawing.get("width", 0)), 2 * int(drawing.get("height", 0)))
        assert image.info["Title"] == "alphabeta · 3x3 · depth 2"
        assert "nodes visited" in image.info["Description"]
        colours = {colour for _, colour in image.convert("RGB").getcolors(10**7) or []}
    frames_and_text = {(0x43, 0x61, 0xC2), (0xE0, 0x9A, 0x00), (0x1C, 0x20, 0x30)}
    assert {(255, 255, 255), *frames_and_text} <= colours


def test_a_pdf_has_text_and_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf"):
        monte_carlo().save(tmp_path / name)
    first, second = ((tmp_path / name).read_bytes() for name in ("a.pdf", "b.pdf"))
    assert first == second
    assert first.startswith(b"%PDF")
    assert b"/Type/Font" in first


def test_two_searches_are_drawn_side_by_side(tmp_path: Path) -> None:
    save_tree(tmp_path / "both.svg", [cutoffs(), monte_carlo()])
    drawing = ET.parse(tmp_path / "both.svg").getroot()
    assert drawing.findtext(f"{SVG}title") == "alphabeta · 3x3 · depth 2 and mcts · 3x3 · simulations 6 · seed 1"
    nodes = [e for e in drawing.iter(f"{SVG}g") if "node" in e.get("class", "").split()]
    assert len(nodes) == cutoffs().visited + monte_carlo().visited


def test_frames_are_numbered_and_show_one_step_each(tmp_path: Path) -> None:
    written = monte_carlo().save_frames(tmp_path / "slides")
    files = sorted((tmp_path / "slides").iterdir())
    assert len(files) == written
    assert [file.name for file in files[:2]] == ["001.svg", "002.svg"]
    assert len({ET.parse(file).getroot().get("viewBox") for file in files}) == 1
    shown = [file.read_text(encoding="utf-8").count('class="node') for file in files]
    assert shown[0] == 1
    assert shown == sorted(shown)
    assert shown[-1] == monte_carlo().visited
    assert "Simulation. After a2, random moves" in files[2].read_text(encoding="utf-8")
    assert 'class="order"' in files[2].read_text(encoding="utf-8")


def test_frames_of_two_searches_wait_for_the_longer_one(tmp_path: Path) -> None:
    short, long = (record(mcts, START, simulations=simulations, seed=1) for simulations in (1, 2))
    assert save_frames(tmp_path, [short, long], "png", most_nodes=3) == long.save_frames(tmp_path, most_nodes=3)
    assert len(list(tmp_path.glob("*.png"))) == len(list(tmp_path.glob("*.svg"))) == 9


def test_a_gif_has_a_picture_for_each_step(tmp_path: Path) -> None:
    small = record(mcts, START, simulations=2, seed=1)
    small.save(tmp_path / "tree.gif")
    steps = small.save_frames(tmp_path / "frames")
    with Image.open(tmp_path / "tree.gif") as image:
        assert getattr(image, "n_frames", 0) == steps
        assert image.convert("RGB").getpixel((1, 1)) == (255, 255, 255)


def test_an_animated_svg_ends_with_the_whole_tree_and_shows_it_where_nothing_moves(tmp_path: Path) -> None:
    cutoffs().save(tmp_path / "tree.svg", animate=True)
    drawing = ET.parse(tmp_path / "tree.svg").getroot()
    visible = [e for e in drawing.iter(f"{SVG}g") if e.get("visibility") == "visible"]
    nodes = [e for part in visible for e in part.iter(f"{SVG}g") if "node" in e.get("class", "").split()]
    assert len(nodes) == cutoffs().visited
    for animate in drawing.iter(f"{SVG}animate"):
        times = [float(time) for time in animate.get("keyTimes", "").split(";")]
        assert times == sorted(times)
        assert times[0] == 0
        assert len(times) == animate.get("values", "").count(";") + 1


def test_too_many_pictures_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(animation, "MAX_PICTURES", 10)
    with pytest.raises(ValueError, match="expected a search of at most 10 steps to show, got 2"):
        monte_carlo().save_frames(tmp_path / "slides")
    assert not (tmp_path / "slides").exists()


@pytest.mark.parametrize("package", ["matplotlib", "typst"])
def test_without_the_extra_one_line_says_what_to_install(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for name in ("tree.png", "tree.pdf", "tree.gif"):
        with pytest.raises(ValueError, match=rf"pictures need {package}: python -m pip install 'noughts\[plot\]'"):
            cutoffs().save(tmp_path / name)
    cutoffs().save(tmp_path / "tree.svg")


# Learning curves

CURVES = {
    "q_learning": [Score(1_000, 60, 10, 30), Score(2_000, 81, 6, 13)],
    "td_learning": [Score(2_000, 90, 10, 0)],
}


def test_learning_curves_are_plotted_with_a_text_alternative(tmp_path: Path) -> None:
    plot_learning(CURVES, tmp_path / "curves.svg", "3x3")
    plot = ET.parse(tmp_path / "curves.svg").getroot()
    assert plot.get("role") == "img"
    assert plot.findtext(f"{SVG}title") == "3x3"
    words = plot.findtext(f"{SVG}desc") or ""
    assert "q_learning: after 2,000 playthroughs of training 81% won, 6% drawn, 13% lost." in words


def test_learning_curves_are_a_picture_in_a_notebook() -> None:
    bundle, metadata = LearningChart(CURVES, "3x3")._repr_mimebundle_()
    assert ET.fromstring(bundle["image/svg+xml"]).findtext(f"{SVG}title") == "3x3"
    assert bundle["text/plain"] == learning_table(CURVES)
    assert "81% won" in metadata["image/svg+xml"]["alt"]
    with pytest.raises(ValueError, match="at least one learning curve"):
        LearningChart({})


def test_learning_curves_are_a_table_too() -> None:
    assert learning_table(CURVES).splitlines() == [
        "playthroughs  q_learning         td_learning",
        "                won drawn  lost    won drawn  lost",
        "       1,000     60    10    30",
        "       2,000     81     6    13     90    10     0",
    ]


def test_a_learner_shows_its_own_curve(tmp_path: Path) -> None:
    learned = td_learning(Game("3x3"), playthroughs=60, seed=1, points=3)
    assert len(learning_table({"td_learning": learned.curve}).splitlines()) == 2 + 3
    with pytest.raises(ValueError, match="expected a learning curve with points, got none for 'q'"):
        learning_table({"q": []})
