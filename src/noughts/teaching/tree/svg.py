"""Search trees as SVG: nodes with boards, MAX pointing up, MIN pointing down, pruned branches dashed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from textwrap import wrap
from zlib import crc32

from noughts.games import Position
from noughts.teaching.tree.board import NoBoard, SmallBoard
from noughts.teaching.tree.layout import MAX_PRUNED_APART, Item, Sizes, choose_items, place_items
from noughts.teaching.tree.notation import notation_of
from noughts.teaching.tree.rollout import rollout_marks
from noughts.teaching.tree.search_tree import Node, SearchTree, cells_at
from noughts.teaching.tree.steps import Frame

__all__ = ["STYLE", "Picture", "place_side_by_side", "sheet_svg", "tree_svg"]

MAX_WIDTH = 1240
"""Width in pixels that fits a window of 1,280 pixels without horizontal scrolling."""

MARGIN = 20
HEADER = 64
"""Height of title and counts; the key below takes a row of 20 pixels or more, captions of steps 36."""
KEY_ROW = 20
CAPTION = 36
INSET = 62
"""Largest width and height of the board that shows a rollout."""
ROOF = 9
PAD = 5
LINE = 13
"""Height of a line of small text."""

STYLE = """
.tree{font:10px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;background:#fff}
.tree text{fill:#3a4052;text-anchor:middle}
.tree .title{font-size:17px;font-weight:700;fill:#1c2030;text-anchor:start}
.tree .counts{font-size:12px;fill:#5a6072;text-anchor:start}
.tree .caption{font-size:12px;font-weight:600;fill:#1c2030;text-anchor:start}
.tree .key{font-size:11px;text-anchor:start}
.tree .level{font-size:11px;font-weight:700;fill:#8a90a2;letter-spacing:.06em;text-anchor:start}
.tree .frame{stroke-width:1.4;stroke-linejoin:round}
.tree .max>.frame,.tree .frame.max{fill:#eef2ff;stroke:#4361c2}
.tree .min>.frame,.tree .frame.min{fill:#fff1ee;stroke:#cf5a41}
.tree .chance>.frame,.tree .frame.chance{fill:#eefaf1;stroke:#3d8f5a}
.tree .leaf>.frame,.tree .frame.leaf{fill:#f7f8fa;stroke:#a9afbf}
.tree .won-x>.frame{fill:#dfe7ff;stroke:#4361c2}
.tree .won-o>.frame{fill:#ffe1da;stroke:#cf5a41}
.tree .pv>.frame,.tree .frame.pv{stroke:#e09a00;stroke-width:3}
.tree .wrong>.frame,.tree .frame.wrong{fill:#ffd6d1;stroke:#b3001b;stroke-width:3.6}
.tree .edge{fill:none;stroke:#b9bfcd;stroke-width:1.3}
.tree .pv>.edge{stroke:#e09a00;stroke-width:3.2}
.tree .wrong>.edge{stroke:#b3001b;stroke-width:3.2}
.tree .pruned .edge,.tree .edge.pruned{stroke:#a08fa5;stroke-dasharray:4 3}
.tree .pruned text{fill:#7d6b83}
.tree .cross{stroke:#a0455f;stroke-width:1.6;stroke-linecap:round}
.tree .cut{font-size:9.5px;font-weight:600}
.tree .more text{fill:#6d7385;font-style:italic;font-weight:400}
.tree .more .edge{stroke-dasharray:1 3}
.tree .value{font-size:11.5px;font-weight:700;fill:#1c2030}
.tree .window{font-size:9px;fill:#6a7083}
.tree .move{font-size:10.5px;font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}
.tree .wrong>.value,.tree .wrong>.note{fill:#b3001b;font-size:11.5px;font-weight:700}
.tree .last{fill:#ffe9a8}
.tree .mark-x{fill:none;stroke:#3050b8;stroke-linecap:round}
.tree .mark-o{fill:none;stroke:#c2452b}
.tree .before{opacity:.35}
.tree .played{opacity:.55}
.tree .order{font-weight:700;fill:#1c2030}
.tree .open>.frame{stroke-width:2.4}
.tree .open>.edge{stroke:#59617a;stroke-width:2.2}
.tree .current>.frame{stroke:#111;stroke-width:3.2}
.tree .current>.edge{stroke:#111;stroke-width:2.4}
.tree .current text.cut{fill:#a0103a;font-size:11px}
.tree .current[data-kind="select"]>.frame{stroke:#2f6fdb}
.tree .current[data-kind="expand"]>.frame{stroke:#1d8a4c}
.tree .current[data-kind="simulate"]>.frame{stroke:#8a3fc2}
.tree .current[data-kind="backpropagate"]>.frame{stroke:#d0612b}
"""


def tree_svg(
    trace: SearchTree,
    most_nodes: int = 400,
    root: Node | None = None,
    stylesheet: bool = True,
    width: float = MAX_WIDTH,
) -> str:
    """Return one pass of a trace (the last, unless a root is given) as an SVG picture of at most ``most_nodes``.

    The tree grows down if that fits the width, otherwise to the right, so that it never needs horizontal scrolling.
    With ``stylesheet=False`` the page that contains it must provide the style.
    """
    return sheet_svg([Picture(trace, most_nodes, root, width)], stylesheet=stylesheet)


def sheet_svg(pictures: Sequence[Picture], frames: Sequence[Frame] | None = None, stylesheet: bool = True) -> str:
    """Return pictures side by side as one SVG: of the whole searches, or after some steps of each (``frames``)."""
    states: Sequence[Frame | None] = frames or [None] * len(pictures)
    bodies = ["".join(picture.parts(state)) for picture, state in zip(pictures, states, strict=True)]
    return place_side_by_side(pictures, bodies, stylesheet)


def place_side_by_side(pictures: Sequence[Picture], bodies: Sequence[str], stylesheet: bool = True) -> str:
    """Return the SVG of some pictures whose contents are given."""
    lefts = [sum(picture.width for picture in pictures[:i]) for i in range(len(pictures))]
    places = [f'<g transform="translate({left:.0f} 0)">' if left else "<g>" for left in lefts]
    drawn = "".join(f"{place}{body}</g>" for place, body in zip(places, bodies, strict=True))
    title, counts = (" and ".join(parts) for parts in ([p.title for p in pictures], [p.counts for p in pictures]))
    width, height = sum(picture.width for picture in pictures), max(picture.height for picture in pictures)
    style = f"<style>{STYLE}</style>" if stylesheet else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" style="max-width:100%;height:auto" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(counts)}</desc>{style}{drawn}</svg>\n"
    )


class Picture:
    """The picture of one pass of a trace: its layout, and the SVG of each item.

    A picture that ``is_stepped`` has space for a caption that describes one step.
    """

    def __init__(
        self,
        trace: SearchTree,
        most_nodes: int = 400,
        root: Node | None = None,
        max_width: float = MAX_WIDTH,
        is_stepped: bool = False,
    ) -> None:
        self.trace, self.root, self.max_width = trace, root or trace.root, max_width
        line = trace.principal if self.root is trace.root else [self.root]
        self.principal = {node.id for node in line}
        self.names = trace.names
        self.top = choose_items(self.root, line, most_nodes)
        self.items = self.top.walk()
        self.notation = notation_of(trace, self.root)
        self._fit()
        self.width = self._width()
        key = _key(self.notation.key, self.width - 2 * MARGIN)
        self.key_top = HEADER + (CAPTION if is_stepped else 0)
        self.key = f'<g transform="translate({MARGIN} {self.key_top + 6})">{key.svg}</g>'
        self.header = self.key_top + KEY_ROW * key.rows
        self.height = self._height()

    def _fit(self) -> None:
        """Choose the largest boards with which the tree can grow down; if no size fits, let it grow right."""
        self.grows_down = True
        for cell in (15, 13, 11.5, 10, 9, 8):
            self.board = self._small_board(cell)
            self.across = place_items(self.top, self._sizes())
            if self.across + 2 * MARGIN + self._left_margin() <= self.max_width:
                return
        self.grows_down = False
        self.board = self._small_board(12)
        self.across = place_items(self.top, self._sizes())

    def _small_board(self, cell: float) -> SmallBoard | NoBoard:
        return NoBoard() if self.trace.typed else SmallBoard(self.trace.game, cell)

    def _sizes(self) -> Sizes:
        width, height = self.frame_width, self.frame_height
        label = 7 * max(len(name) for name in self.names)
        if self.grows_down:
            along = height + self._window_height + 52
            return Sizes(width, width, 54, max(18, label), 6.2, 6, along, centered=True)
        return Sizes(height + self._window_height, height, 18, 18, 0, 6, width + 70 + label, centered=False)

    @property
    def frame_width(self) -> float:
        return max(self.board.width + 2 * PAD, self.notation.least_width)

    @property
    def frame_height(self) -> float:
        return self.board.height + 2 * PAD + LINE + ROOF

    @property
    def _window_height(self) -> float:
        return LINE * len(self.notation.lines)

    def _left_margin(self) -> float:
        if not self.grows_down:
            return 0
        return 80 if "chance" in dict(self.notation.key) else 60

    def parts(self, frame: Frame | None = None) -> list[str]:
        """Return the pieces of the picture from bottom to top, one for each item; one not reached yet is empty."""
        # Edges must lie below frames, so the deepest items are drawn first.
        items = [self._item(item, frame) for item in reversed(self.items)]
        return [self._defs(), self.key, self._levels(), self._heading(frame), self._caption(frame), *items]

    def _width(self) -> float:
        if self.grows_down:
            return max(self.across, 560) + 2 * MARGIN + self._left_margin()
        return max(self._along() + self.frame_width + 150, 560) + 2 * MARGIN

    def _height(self) -> float:
        if self.grows_down:
            return self.header + self._along() + self.frame_height + self._window_height + 2 * MARGIN + LINE
        return self.header + self.across + 2 * MARGIN

    def _along(self) -> float:
        return max(item.depth for item in self.items) * self._sizes().along

    def _defs(self) -> str:
        return f'<defs><g id="{self.board_id}">{self.board.grid()}</g></defs>'

    @cached_property
    def board_id(self) -> str:
        """The id of the empty board, different for each picture, since a notebook has several on one page."""
        return f"board-{crc32(self.board.grid().encode()):08x}"

    @cached_property
    def title(self) -> str:
        """The name of the search, its game and its options."""
        options = [f"{name} {_option(name, value)}" for name, value in self.trace.options.items()]
        return " · ".join([self.trace.algorithm or "search", self.trace.subject, *options])

    def _heading(self, frame: Frame | None) -> str:
        counts = self.counts if frame is None else frame.tally
        size = min(17.0, (self.width - 2 * MARGIN) / len(self.title) / 0.62)
        return (
            f'<text class="title" style="font-size:{size:.1f}px" x="{MARGIN}" y="30">{escape(self.title)}</text>'
            f'<text class="counts" x="{MARGIN}" y="50">{escape(counts)}</text>'
        )

    def _caption(self, frame: Frame | None) -> str:
        """Return the words of the step, and its rollout in the corner."""
        if frame is None or frame.step is None:
            return ""
        inset = SmallBoard(self.trace.game, 22, widest=INSET) if self.trace.steps else None
        room = self.width - 2 * MARGIN - (inset.width + 20 if inset else 0)
        lines = wrap(frame.step.text, int(room / 6))
        words = [
            f'<text class="caption" x="{MARGIN}" y="{HEADER + 8 + 16 * i}">{escape(line)}</text>'
            for i, line in enumerate(lines)
        ]
        if inset and frame.step.kind == "simulate":
            at = f"{self.width - MARGIN - inset.width:.1f} 14"
            words.append(f'<g transform="translate({at})">{rollout_marks(self.trace.start, inset, frame.step)}</g>')
        return "".join(words)

    @cached_property
    def counts(self) -> str:
        """The totals of the search in words."""
        parts = self.notation.counts(self.root)
        if self.root.best is not None and self.root.best.move is not None:
            parts.append(f"best move {self.names[self.root.best.move]}")
        visited = sum(1 for _ in self.root.walk())
        shown = sum(item.kind == "node" for item in self.items)
        if shown < visited:
            parts.append(f"{shown:,} nodes drawn, {visited - shown:,} left out")
        if len(self.trace.passes) > 1:
            number = next(n for n, root in enumerate(self.trace.passes, 1) if root is self.root)
            parts.append(f"pass {number} of {len(self.trace.passes)}")
        return " · ".join(parts)

    def _levels(self) -> str:
        """Return the labels such as MAX and MIN beside the levels of a tree that grows down."""
        if not self.grows_down:
            return ""
        nodes = {item.depth: item.node for item in self.items if item.node and item.node.side}
        return "".join(
            f'<text class="level" x="{MARGIN}" y="{self._at(0, depth * self._sizes().along)[1] + 26:.0f}">'
            f"{self.notation.level(node)}</text>"
            for depth, node in nodes.items()
        )

    def _at(self, across: float, along: float) -> tuple[float, float]:
        if self.grows_down:
            room = max(self.across, 560)
            return MARGIN + self._left_margin() + (room - self.across) / 2 + across, self.header + MARGIN + along
        return MARGIN + along, self.header + MARGIN / 2 + across

    def _item(self, item: Item, frame: Frame | None) -> str:
        if frame is not None and (item.kind, item.drawn.id) not in frame.seen:
            return ""
        x, y = self._anchor(item)
        if item.kind == "node":
            return self._node(item, x, y, frame)
        if item.kind == "more":
            return self._more(item, x, y)
        return self._pruned(item, x, y)

    def _node(self, item: Item, x: float, y: float, frame: Frame | None) -> str:
        node = item.drawn
        shape, (width, height) = self.notation.shape(node), (self.frame_width, self.frame_height)
        left, top = (x - width / 2, y) if self.grows_down else (x, y - height / 2)
        board_left = left + (width - self.board.width) / 2
        board_top = top + PAD + (0 if shape == "min" else ROOF)
        texts = self.notation.texts(node) if frame is None else self._texts_so_far(node, frame)
        return (
            f"<g {self._attributes(node, frame)}>{self._edge_to(item, x, y)}"
            f"<title>{escape(self._tooltip(node))}</title>"
            f'<path class="frame" d="{_frame(shape, left, top, width, height)}"/>'
            f'<g transform="translate({board_left:.1f} {board_top:.1f})">'
            f'<use href="#{self.board_id}"/>{self._marks(node)}</g>'
            f'<text class="value" x="{left + width / 2:.1f}" '
            f'y="{board_top + self.board.height + LINE:.1f}">{texts.pop("value")}</text>'
            f"{self._lines(texts, node, left + width / 2, top + height)}</g>"
        )

    def _marks(self, node: Node) -> str:
        if isinstance(self.board, NoBoard):
            return ""
        return self.board.marks(cells_at(self.start, node), node.move)

    @cached_property
    def start(self) -> Position:
        """The position at the root, for its marks."""
        return self.trace.start

    def _anchor(self, item: Item) -> tuple[float, float]:
        """Return the point where the edge to an item ends: above the middle if texts stand below its frame."""
        x, y = self._at(item.x, item.y)
        has_texts_below = not self.grows_down and item.kind == "node" and item.drawn.children
        return x, y - self._window_height / 2 if has_texts_below else y

    def _texts_so_far(self, node: Node, frame: Frame) -> dict[str, str]:
        """Return the texts at a node after some steps: the same lines as in the end, empty until they are written."""
        written = frame.texts.get(node.id, {})
        return {name: written.get(name, "") for name in self.notation.texts(node)}

    def _attributes(self, node: Node, frame: Frame | None) -> str:
        classes, kind = ["node", self.notation.shape(node)], ""
        if node.winner:
            classes.append(f"won-{node.winner.lower()}")
        if node.id in self.principal and (frame is None or frame.is_last):
            classes.append("pv")
        if node.is_wrong:
            classes.append("wrong")
        if frame is not None and node.id in frame.open:
            classes.append("open")
        if frame is not None and frame.step is not None and (frame.step.part, frame.step.node) == ("node", node.id):
            classes.append("current")
            kind = f' data-kind="{frame.step.kind}"'
        return f'class="{" ".join(classes)}" data-id="{node.id}"{kind}'

    def _lines(self, texts: dict[str, str], node: Node, x: float, y: float) -> str:
        """Return the further texts of a node: below its frame, or beside it for a leaf with space there."""
        anchor = "middle"
        if not self.grows_down and not node.children:
            x, y, anchor = x + self.frame_width / 2 + 7, y - self.frame_height / 2 - 8, "start"
        lines = enumerate(texts.items(), 1)
        return "".join(_text(text, x, y + 11 * i, anchor, f"window {name}") for i, (name, text) in lines)

    def _tooltip(self, node: Node) -> str:
        return f"{'over' if node.is_over else self.notation.role(node)}: {self.notation.describe(node)}"

    def _edge_to(self, item: Item, x: float, y: float) -> str:
        """Return the edge from an item's parent, with the name of the move."""
        if item.parent is None:
            return ""
        edge = f'<path class="edge" d="{self._curve(item.parent, x, y)}"/>'
        if item.node is None or item.node.move is None:
            return edge
        name = escape(self.names[item.node.move])
        at = (x, y - 4) if self.grows_down else (x - 14, y - 4)
        return f'{edge}<text class="move" x="{at[0]:.1f}" y="{at[1]:.1f}">{name}</text>'

    def _curve(self, parent: Item, x: float, y: float) -> str:
        px, py = self._anchor(parent)
        if self.grows_down:
            py += self.frame_height + 11 * sum(map(bool, list(self.notation.texts(parent.drawn).values())[1:])) + 3
            half = (py + y) / 2
            return f"M{px:.1f} {py:.1f}C{px:.1f} {half:.1f} {x:.1f} {half:.1f} {x:.1f} {y:.1f}"
        px += self.frame_width
        half = (px + x) / 2
        return f"M{px:.1f} {py:.1f}C{half:.1f} {py:.1f} {half:.1f} {y:.1f} {x:.1f} {y:.1f}"

    def _more(self, item: Item, x: float, y: float) -> str:
        at = (x, y + 12, "middle") if self.grows_down else (x + 6, y + 3, "start")
        return (
            f'<g class="more" data-parent="{item.drawn.id}">{self._edge_to(item, x, y)}'
            f"{_text(f'… {item.left_out:,} more', *at)}</g>"
        )

    def _pruned(self, item: Item, x: float, y: float) -> str:
        assert item.parent is not None
        names = [self.names[move] for move in item.moves]
        values = [self.trace.leaf_value(move) for move in item.moves]
        if len(names) > MAX_PRUNED_APART:
            names, values = [f"{len(names)} branches"], [""]
        each = self._sizes().pruned_each
        offsets = [(i - (len(names) - 1) / 2) * each for i in range(len(names))]
        if self.grows_down:
            ends = [(x + offset, y) for offset in offsets]
            labels = [(cx, cy + 16, "middle") for cx, cy in ends]
            cut = (x, y + (44 if any(values) else 29), "middle")
        else:
            ends = [(x, y + offset) for offset in offsets]
            names = [f"{name} {value}".strip() for name, value in zip(names, values, strict=True)]
            labels, values = [(cx + 9, cy + 3.5, "start") for cx, cy in ends], []
            cut = (x + 20 + 6 * max(map(len, names)), y + 3.5, "start")
        branches = "".join(f'<path class="edge" d="{self._curve(item.parent, *end)}"/>{_cross(*end)}' for end in ends)
        texts = "".join(_text(name, *label) for name, label in zip(names, labels, strict=True))
        texts += "".join(
            _text(value, cx, cy + 30, "middle", "value") for value, (cx, cy) in zip(values, ends, strict=False)
        )
        return (
            f'<g class="pruned" data-parent="{item.drawn.id}"><title>pruned: {escape(item.drawn.cutoff)}</title>'
            f"{branches}{texts}{_text(item.drawn.cutoff, *cut, style='cut')}</g>"
        )


def _frame(shape: str, left: float, top: float, width: float, height: float) -> str:
    """Return the outline of a node: pointing up for MAX, down for MIN, cut corners for CHANCE, round for a leaf."""
    right, bottom, middle = left + width, top + height, left + width / 2
    if shape == "leaf":
        r = 7
        top += ROOF / 2
        return (
            f"M{left + r:.1f} {top:.1f}H{right - r:.1f}a{r} {r} 0 0 1 {r} {r}V{bottom - r:.1f}a{r} {r} 0 0 1 {-r} {r}"
            f"H{left + r:.1f}a{r} {r} 0 0 1 {-r} {-r}V{top + r:.1f}a{r} {r} 0 0 1 {r} {-r}Z"
        )
    if shape == "chance":
        c = 6
        return (
            f"M{left + c:.1f} {top:.1f}H{right - c:.1f}l{c} {c}V{bottom - c:.1f}l{-c} {c}"
            f"H{left + c:.1f}l{-c} {-c}V{top + c:.1f}Z"
        )
    if shape == "max":
        return f"M{middle:.1f} {top:.1f}L{right:.1f} {top + ROOF:.1f}V{bottom:.1f}H{left:.1f}V{top + ROOF:.1f}Z"
    side = bottom - ROOF
    return f"M{left:.1f} {top:.1f}H{right:.1f}V{side:.1f}L{middle:.1f} {bottom:.1f}L{left:.1f} {side:.1f}Z"


def _cross(x: float, y: float) -> str:
    return f'<path class="cross" d="M{x - 3:.1f} {y - 3:.1f}l6 6m0 -6l-6 6"/>'


def _text(text: str, x: float, y: float, anchor: str, style: str = "move") -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" style="text-anchor:{anchor}">{escape(text)}</text>'


KEY_SHAPES = {
    "max": '<path class="frame max" d="M7 -11L14 -6V1H0V-6Z"/>',
    "min": '<path class="frame min" d="M0 -11H14V-4L7 1L0 -4Z"/>',
    "chance": '<path class="frame chance" d="M4 -11H10L14 -7V-3L10 1H4L0 -3V-7Z"/>',
    "leaf": '<rect class="frame leaf" x="0" y="-11" width="14" height="12" rx="4"/>',
    "wrong": '<rect class="frame wrong" x="0" y="-11" width="14" height="12" rx="3"/>',
    "pv": '<path class="frame pv" style="fill:none" d="M0 -5H14"/>',
    "pruned": '<path class="edge pruned" d="M0 -5H14"/>' + _cross(13, -5),
}


@dataclass(frozen=True, slots=True)
class _Key:
    svg: str
    rows: int


def _key(entries: Sequence[tuple[str, str]], width: float) -> _Key:
    """Return the legend, in rows that fit the width: a shape and words for each entry, or words alone."""
    parts, x, row = [], 0.0, 0
    for shape, words in entries:
        indent = 21 if shape else 0
        if x and x + indent + 6 * len(words) > width:
            x, row = 0.0, row + 1
        text = f'<text class="key" x="{indent}" y="-1">{words}</text>'
        place = f"translate({x:.0f} {row * KEY_ROW})"
        parts.append(f'<g transform="{place}">{KEY_SHAPES.get(shape, "")}{text}</g>')
        x += indent + 27 + 5.3 * len(words)
    return _Key("".join(parts), row + 1)


def _option(name: str, value: object) -> str:
    """Return the value of an option as it stands in a title."""
    return f"{value:.4g}" if isinstance(value, float) else str(value).removeprefix(name + "_")
