"""Programs that use the standard library: they must print the same with Python's and with the one of the site."""

from __future__ import annotations

import contextlib
import difflib
import json
import math
import random
import re
import unicodedata
from bisect import bisect_left
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from enum import IntEnum, StrEnum
from functools import cache, cached_property, lru_cache, wraps
from hashlib import blake2b
from inspect import signature
from itertools import pairwise, permutations, product
from operator import index
from typing import NamedTuple

RESULTS: list[tuple[str, Callable[[], object]]] = []


def snippet(function: Callable[[], object]) -> Callable[[], object]:
    RESULTS.append((function.__name__, function))
    return function


def attempt(work: Callable[[], object]) -> str:
    try:
        return repr(work())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


# Random numbers


@snippet
def random_numbers_follow_from_their_seed() -> object:
    found = []
    for seed in (0, 1, 7, -7, 2**31, 2**32, 2**40 + 3, 10**30):
        source = random.Random(seed)
        items = source.sample(range(30), 30)
        found.append([source.random(), source.uniform(-2, 5), source.choice(list(range(10))), source.choice(list(range(5, 500))), items])
        found.append([source.choice("abcdefg"), source.sample(range(10), 3), source.sample(range(1000), 8), source.sample(items, 30)])
    return found


@snippet
def random_numbers_after_many() -> object:
    source = random.Random(5)
    total = 0
    for _ in range(2000):
        total += source.choice(list(range(1000)))
    return [total, source.random()]


@snippet
def random_errors() -> object:
    source = random.Random(1)
    return [attempt(lambda: source.choice([])), attempt(lambda: source.sample([1], 2))[:10]]


# Regular expressions


@snippet
def matches() -> object:
    pattern = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})(?:-(?P<day>\d\d))?")
    match = pattern.search("on 2026-11 or 2025-12-31")
    assert match is not None
    last = pattern.match("2025-12-31")
    return [
        match.group(), match[1], match["month"], match["day"], match.groups(), match.groupdict(), match.span(), match.start(2),
        match.end("month"), last and last.lastgroup, pattern.fullmatch("2026-11x"), pattern.findall("2026-11 2025-12-31"),
        attempt(lambda: match[9]), attempt(lambda: match["nothing"]),
    ]


@snippet
def unicode_classes() -> object:
    text = "Zoë_2 ٣ x\u00a0y\u2028z\x1cw naïve—café 😀é"
    return [re.findall(p, text) for p in (r"\w+", r"\W+", r"\d", r"\s", r"\S+", r"\bn\w*\b", r"[\w.:-]+", r".")]


@snippet
def ascii_flag_and_others() -> object:
    text = "Zoë ٣ 3\nline two\n"
    return [
        re.findall(r"\w+", text, re.ASCII), re.findall(r"\d", text, re.ASCII), re.findall("^.", text, re.MULTILINE),
        re.findall(".$", text), re.findall(".$", text, re.MULTILINE), re.findall("ZOË", text, re.IGNORECASE),
        re.findall(r"3.l", text, re.DOTALL), re.findall(r"\A.|o\Z", text), re.fullmatch("a$", "a\n"), bool(re.match("a$", "a\n")),
    ]


@snippet
def verbose_patterns_and_literals() -> object:
    pattern = re.compile(r"""(?P<a> x{2} )  # two of them
        | (?P<b> [ #]\# ) | \{(?P<c>[^}]*)\} | (?P<d>]|}) """, re.VERBOSE)
    return [[(m.lastgroup, m.group()) for m in pattern.finditer("xx##{y} # ]}")], re.findall(r"a{,2}b", "aaab"), re.findall(r"[]\-a^]", "]-^b")]


@snippet
def substitutions() -> object:
    return [
        re.sub("[a-z]", "", "aBcD"), re.sub(r"(\w)(\w)", r"\2\1", "abcd"), re.sub(r"(?P<x>a)", r"<\g<x>\\>", "banana", count=2),
        re.sub("x*", "-", "axb"), re.sub(r"\\(.)", lambda match: match[1].upper(), r"a\bc\d"), re.sub("a", "$&", "a"), re.escape("a.b*c d-é#~"),
    ]


@snippet
def places_count_characters() -> object:
    text = "😀a😀b"
    match = re.compile("[ab]").search(text, 2)
    return [match and match.span(), [found.start() for found in re.finditer("😀", text)], re.compile("b").match(text, 3) is not None]


# JSON


@snippet
def json_texts() -> object:
    values = [1, 1.0, -0.0, 1e100, 1e-7, 0.1, 10**25, True, None, "é\u2028\"\\\n\x7f😀", [], {}, [1, [2, {"a": ()}]], {1: 2, None: 3, True: 4, 1.5: 5}]
    return [[json.dumps(v), json.dumps(v, ensure_ascii=False, separators=(",", ":"))] for v in values] + [
        json.dumps({"b": [1, {}], "a": {"c": []}}, indent=2, sort_keys=True), json.dumps([float("inf"), float("nan")])]


@snippet
def json_values() -> object:
    text = '{"a": [1, -2, 1.0, 1e3, 12345678901234567890, "\\u00e9\\ud83d\\ude00\\/\\n", true, null], "a": 1, "b": {"c": NaN}} '
    return [repr(json.loads(text)), repr(json.loads(b'["\xc3\xa9"]')), type(json.loads("1.0")).__name__, type(json.loads("-0")).__name__]


@snippet
def json_errors() -> object:
    bad = ["", "  ", "{", "[1 2]", '{"a" 1}', '{"a": }', "{a: 1}", '"abc', '"a\nb"', '"\\x"', '"\\u12"', "[1] 2", "01", "+1", "nul", '{"a": 1 "b": 2}', "[\n\n x]", "\ufeff1"]
    return [attempt(lambda text=text: json.loads(text)) for text in bad] + [attempt(lambda: json.dumps({1, 2})), attempt(lambda: json.dumps({(1,): 2}))]


# Numbers


@snippet
def numbers() -> object:
    return [
        math.ceil(2.1), math.floor(-2.1), math.prod([2, 3.0]), math.prod([]), math.sqrt(2), math.sqrt(4), math.log(10), math.log(8, 2),
        math.log2(8), math.fsum([0.1] * 10), math.fsum([1e100, 1.0, -1e100]), math.isclose(1, 1 + 1e-10),
        math.isclose(1, 1.1, abs_tol=0.2), math.inf, math.ceil(1e20), attempt(lambda: math.sqrt(-1)), attempt(lambda: math.log(0)),
        attempt(lambda: math.floor(math.inf)),
    ]


# Classes


class Colour(StrEnum):
    """A colour."""

    RED = "red"
    BLUE = "blue"

    @property
    def other(self) -> Colour:
        return Colour.BLUE if self is Colour.RED else Colour.RED


class Size(IntEnum):
    SMALL = 1
    LARGE = 2


@snippet
def enumerations() -> object:
    return [
        list(Colour), Colour("red"), Colour["BLUE"], Colour.RED.other, f"{Colour.RED} {Colour.RED!r}", Colour.RED == "red", "blue" in list(Colour),
        {Colour.RED: 1}["red"], Colour.RED.name, Colour.RED.value, Colour.RED.upper(), sorted(Colour), isinstance(Colour.RED, str), len(Colour.BLUE),
        attempt(lambda: Colour("green")), attempt(lambda: Colour["GREEN"]), [Size.LARGE + 1, Size(2), repr(Size.SMALL), Size.LARGE > Size.SMALL, [5, 6, 7][Size.SMALL]],
        ", ".join(Colour), {"x": Colour.RED} == {"x": "red"}, set(Colour) == {"red", "blue"},
    ]


class Point(NamedTuple):
    x: int
    y: float = 2.5

    @property
    def sum(self) -> float:
        return self.x + self.y


class Labelled(NamedTuple("Fields", [("text", str)]) if False else Point):
    def __new__(cls, x: int) -> Labelled:
        return super().__new__(cls, x, x * 2)


@snippet
def named_tuples() -> object:
    point = Point(1)
    x, y = point
    return [point, x, y, point == (1, 2.5), point._replace(y=3), point._asdict(), Point._fields, point.sum, {point: 1}[(1, 2.5)], Labelled(4), Labelled(4).sum, attempt(Point)[:9], point < Point(2), [*point]]


@dataclass(frozen=True)
class Item:
    name: str
    tags: tuple[str, ...] = ()
    notes: dict[str, int] | None = field(default=None, repr=False, hash=False)


@dataclass
class Box:
    items: list[Item] = field(default_factory=list)
    size: Size = Size.SMALL

    def __post_init__(self) -> None:
        self.count = len(self.items)


@dataclass
class NamedBox(Box):
    name: str = "box"


@snippet
def data_classes() -> object:
    item, box = Item("a", ("x",)), NamedBox([Item("b")], name="n")
    return [
        item, box, item == Item("a", ("x",)), item != Item("a"), replace(item, name="c"), {item: 1}[Item("a", ("x",), {"n": 1} and None)], asdict(box), box.count,
        Box().items is Box().items, attempt(Item)[:10], attempt(lambda: {box: 1}),
    ]


# Functions and collections


@snippet
def caches() -> object:
    calls: list[object] = []

    @lru_cache(maxsize=2)
    def square(x: int, by: int = 1) -> int:
        calls.append((x, by))
        return x * x * by

    @cache
    def nothing() -> None:
        calls.append("nothing")

    class Lazy:
        @cached_property
        def value(self) -> int:
            calls.append("value")
            return 5

    lazy = Lazy()
    return [[square(2), square(3), square(2), square(4), square(2), square(3), square(2, by=2)], nothing(), nothing(), lazy.value, lazy.value, calls]


@snippet
def wrapped_functions() -> object:
    def twice(function: Callable[..., int]) -> Callable[..., int]:
        @wraps(function)
        def wrapper(*args: int, **kwargs: int) -> int:
            return 2 * function(*args, **kwargs)

        return wrapper

    @twice
    def add(a: int, b: int = 1, *, c: int = 0) -> int:
        return a + b + c

    return [add(1), add(1, 2, c=3), add.__name__, list(signature(add).parameters)]


@snippet
def collections_of_all_kinds() -> object:
    order: OrderedDict[str, int] = OrderedDict()
    for name in "abc":
        order[name] = len(order)
    order.move_to_end("a")
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for word in ("a", "bb", "c"):
        groups[len(word)].append(word)
    counts: Counter[str] = Counter()
    counts["x"] += 2
    queue = deque([1, 2, 3])
    queue.append(4)
    first = queue.popleft()
    return [list(order), order.popitem(last=False), dict(groups), counts["x"], counts["y"], first, list(queue), bool(deque()), len(queue)]


@snippet
def kinds_of_collections() -> object:
    values = ["text", [1], (1,), {"a": 1}, {1}, iter([1]), 5, None, len]
    return [[isinstance(value, kind) for value in values] for kind in (Mapping, Sequence, Iterable, Iterator)]


@snippet
def iterators() -> object:
    return [
        list(product("ab", range(2))), list(product((0, 1), repeat=3)), list(permutations("abc", 2)), list(permutations(range(3))), list(pairwise("abcd")),
        bisect_left([1, 3, 5], 4), bisect_left(range(10), 9, key=lambda n: n * 2), index(5), attempt(lambda: index(1.5)), attempt(lambda: index("1")),
    ]


@snippet
def contexts() -> object:
    log: list[str] = []

    @contextlib.contextmanager
    def logged(name: str) -> Iterator[str]:
        log.append(f"enter {name}")
        try:
            yield name.upper()
        except KeyError:
            log.append("key error")
        finally:
            log.append(f"leave {name}")

    with logged("a") as name, contextlib.suppress(ZeroDivisionError):
        log.append(name)
        log.append(str(1 // 0))
    with logged("b"):
        raise KeyError("x")
    with contextlib.nullcontext(3) as three:
        log.append(str(three))
    log.append(attempt(lambda: _fail(logged)))
    return log


def _fail(logged: Callable[[str], contextlib.AbstractContextManager[str]]) -> None:
    with logged("c"):
        raise ValueError("y")


# Text and dates


@snippet
def similar_words() -> object:
    names = ["tictactoe", "gomoku", "connect4", "qubic", "ultimate", "renju", "caro"]
    words = ["gomuko", "conect", "connect 4", "tic-tac-toe", "ultimat", "quibc", "", "x", "renjuu", "gravty", "ocar", "connect4" * 3]
    return [[difflib.get_close_matches(word, names, n=n, cutoff=cutoff) for word in words] for n, cutoff in ((1, 0.6), (3, 0.3))]


@snippet
def letters() -> object:
    text = "aÉ\u0301ßǅʰ中1²Ⅷ½_-([\u201c\u201d!+$^©  \u2028\u2029\x00\u200b\ue000\u20dd\u0903"
    return [[unicodedata.category(letter) for letter in text], unicodedata.normalize("NFC", "e\u0301 ö"), unicodedata.normalize("NFD", "é")]


@snippet
def dates() -> object:
    days = [date(1, 1, 1), date(1970, 1, 1), date(2000, 2, 29), date(2026, 11, 17), date(9999, 12, 31)]
    bad = ["2026-02-29", "2026-13-01", "2026-1-1", "x", "", "2026-11-31"]
    return [[day.toordinal() for day in days], [str(day) for day in days], date.fromisoformat("2026-11-17").day] + [attempt(lambda text=text: date.fromisoformat(text)) for text in bad]


@snippet
def checksums() -> object:
    data = bytes(range(256)) * 3
    whole = blake2b(data[:100], digest_size=16)
    whole.update(data[100:])
    return [whole.hexdigest(), blake2b(data, digest_size=16).hexdigest(), blake2b(b"abc", digest_size=5).digest(), blake2b().hexdigest()]


for name, run in RESULTS:
    try:
        print(name, repr(run()))
    except Exception as problem:
        print(name, "failed:", type(problem).__name__, problem)
