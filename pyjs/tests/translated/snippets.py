"""Small programs that must print the same in Python and, translated, in JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import lazy_package

RESULTS: list[tuple[str, Callable[[], object]]] = []


def snippet(function: Callable[[], object]) -> Callable[[], object]:
    RESULTS.append((function.__name__, function))
    return function


# Numbers


@snippet
def small_and_large_integers() -> object:
    big = 2**53
    numbers = [big - 1, big, big + 1, big * big, -big - 1, 3**40, 10**18 + 1, 1 << 62, (1 << 64) - 1]
    return [numbers, [n // 7 for n in numbers], [n % 1000 for n in numbers], [-n for n in numbers], [n - 1 for n in numbers]]


@snippet
def integers_come_back_from_large_ones() -> object:
    key = (1 << 70) + 5
    return [key >> 70, key & 255, key - (1 << 70), key ^ (1 << 70), key // (1 << 69), isinstance(key >> 70, int), {5: "five"}[key & 7]]


@snippet
def bits() -> object:
    board = (1 << 224) | (1 << 3)
    return [~0, ~5, -1 & 255, -8 >> 1, 5 ^ -1, 2**31 | 1, (2**31) & (2**32 - 1), board.bit_count(), board.bit_length(), bin(10), True | False, True & 3]


@snippet
def floor_division_and_modulo() -> object:
    pairs = [(7, 2), (-7, 2), (7, -2), (-7, -2), (0, -3), (2**60, 7), (-(2**60), 7), (9007199254740991, 2), (-9007199254740991, 2)]
    floats = [(7.5, 2), (-7.5, 2), (7.5, -2.0), (-0.0, 3.0), (6.0, 3.0)]
    return [[(a // b, a % b, divmod(a, b)) for a, b in pairs], [(a // b, a % b) for a, b in floats]]


@snippet
def floats_stay_floats() -> object:
    third = 1 / 3
    return [1.0, -0.0, 4 / 2, third * 3, 0.5 + 0.5, 2.5 * 2, 1e16, 1e22, 1e-5, 0.0001, 123456789.123, 1.5e300 * 1e10, float(3), 2.0**3, 2**-1, sum([0.5, 0.5]), abs(-1.0), -(1.0), 7.0 // 2, max(1, 2.0), int(3.9), int(-3.9), float("1e3"), 1_000.5, 3.0 == 3, hash(3.0) == hash(3), 1e3]


@snippet
def infinite_and_undefined() -> object:
    infinity = float("inf")
    return [infinity, -infinity, infinity - infinity == 0, infinity > 10**400, min(infinity, 3), f"{infinity:.1f}", str(float("nan"))]


@snippet
def large_quotients() -> object:
    return [10**30 / 10**10, 2**100 / 3, (2**53 + 1) / 1, -(10**25) / 7, 1 / 10**25]


@snippet
def rounding() -> object:
    halves = [0.5, 1.5, 2.5, -0.5, -1.5, 2.4999, 1e15 + 0.5]
    places = [(2.675, 2), (0.125, 2), (0.375, 2), (1.005, 2), (1234.5, -2), (1250, -2), (1350, -2), (-2.5, 0), (5e-324, 3), (0.1 + 0.2, 15)]
    return [[round(x) for x in halves], [round(x, n) for x, n in places], round(3), round(17, 1)]


@snippet
def comparison_of_numbers() -> object:
    return [1 == 1.0, True == 1, 2**60 == float(2**60), 2**60 + 1 == float(2**60), 1 < 1.5 < 2, 2**70 > 1e5, 1 != 1.0, 0.1 + 0.2 == 0.3, -0.0 == 0.0, (1, 2.0) == (1.0, 2), "1" == 1]


@snippet
def parsing_numbers() -> object:
    good = [int(" 42 "), int("-7"), int("ff", 16), int("0x1f", 0), int("1_000"), int("9" * 20), float(" -1.5 "), float("1e-3"), float(".5"), int(True), int("０")]
    bad = []
    for call in (lambda: int("x"), lambda: int(""), lambda: int("1.5"), lambda: float("one"), lambda: int("12", 2), lambda: [][1], lambda: 1 // 0, lambda: 1 / 0, lambda: 1.5 % 0, lambda: 5 % 0, lambda: 1 << -1, lambda: 10**400 / 3, lambda: float(10**400), lambda: 10**400 + 0.5, lambda: 10.0**400, lambda: 0**-1):
        try:
            call()
        except Exception as error:
            bad.append((type(error).__name__, str(error)))
    return [good, bad]


@snippet
def number_formats() -> object:
    whole = [f"{n:,}|{n:5}|{n:<5}|{n:^5}|{n:05d}|{n:+d}|{n:x}|{n:b}|{n:_}" for n in (0, 7, -7, 1234567)]
    real = [f"{x:.1f}|{x:.0f}|{x:,.2f}|{x:8.3f}|{x:<8.1f}|{x:g}|{x:.3g}|{x:e}|{x:.1%}|{x:+.2f}|{x}" for x in (0.5, 1.5, 2.5, -3.25, 1234567.891, 1e-7, 100.0, 0.045)]
    return [whole, real, f"{2**70:,}", f"{3:.2f}", f"{True}", f"{1e10:.4g}", f"{0.00001234:.2g}", f"{12.0:.3}", f"{5:%}"]


@snippet
def powers() -> object:
    return [0.1**3, 1.1**100, 0.999**400, 3.7**-5, 1.5**-300, 1e-200**2, 5e-324**1, 12345.678**2, 2.5**0.5, (10**400) / 10**399, 10**-5, 2**10, 2**0.5, 10**-2, (-2) ** 3, 0**0, 7**23, pow(3, 5), pow(3, 50, 7), 4**0.5, 2.0**-1]


NUMBERS = [0, 1, -1, 2, -7, 10, 255, 2**31 - 1, 2**31, -(2**31) - 1, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63, -(2**64), 10**20 + 7]
NUMBERS += [0.0, -0.0, 0.5, 1.0, -2.5, 3.7, 1e-9, 4503599627370497.5, 9007199254740993.0, 1e16, -1e22, 1e300, float("inf"), float("-inf"), float("nan"), True, False]
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "//": lambda a, b: a // b,
    "%": lambda a, b: a % b, "<<": lambda a, b: a << b % 90, ">>": lambda a, b: a >> b % 90, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "**": lambda a, b: a ** (b % 7) if b == int(b) else 0, "divmod": divmod, "round": lambda a, b: round(a, b % 5),
}


def attempt(function: Callable[..., object], *values: object) -> str:
    try:
        return repr(function(*values))
    except Exception as error:
        return type(error).__name__


for sign, operator in OPERATORS.items():
    for left in NUMBERS:
        RESULTS.append((f"{left!r} {sign}", lambda operator=operator, left=left: " ".join(attempt(operator, left, right) for right in NUMBERS)))


@snippet
def functions_of_numbers() -> object:
    functions = [abs, lambda a: -a, lambda a: ~a, int, float, bool, round, str, lambda a: f"{a:.3f}", lambda a: f"{a:,}", lambda a: f"{a:g}", lambda a: f"{a:10.2e}", lambda a: f"{a:x}", lambda a: f"{a:>+12}", hex, lambda a: {a: 1} == {a + 0: 1} or a != a, lambda a: type(a).__name__]
    return [[attempt(function, number) for number in NUMBERS] for function in functions]


# Text


@snippet
def text_by_code_points() -> object:
    text = "a😀é×b"
    return [len(text), text[1], text[-1], text[1:3], text[::-1], text.find("×"), text.index("b"), list(text), [ord(c) for c in text], "😀" in text, text.center(9, "*"), f"{text:>7}|", text.upper()]


@snippet
def methods_of_text() -> object:
    text = "  Hello, World  "
    return [
        text.strip(), text.lstrip(), text.rstrip(), text.split(), text.split(","), text.lower(), text.strip().swapcase(),
        "a,b,,c".split(","), "a,b,,c".split(",", 1), "a,b,c".rsplit(",", 1), " a  b ".split(None, 1), "".split(), "".split(","),
        "x=1=2".partition("="), "x=1=2".rpartition("="), "abc".partition("/"), "aXbX".replace("X", "-"), "aaa".replace("a", "b", 2),
        "abc".startswith(("x", "ab")), "abc".endswith("bc"), "abc".removeprefix("a"), "abc".removesuffix("c"), "one two".title(),
        "abcabc".count("bc"), "abcabc".rfind("b"), "abc".find("z"), "a\nb\r\nc\n".splitlines(), "-5".zfill(4), "7".rjust(3, "0"),
        "abc".isalpha(), "a1".isalnum(), "12".isdigit(), "".isdigit(), " ".isspace(), "ab".islower(), "AB".isupper(), "é".isascii(),
        "a".join(["x", "y"]), "-".join(str(n) for n in range(3)), "capital LETTERS".capitalize(), "a" * 3, 2 * "ab", "x" * -1,
        "xxabxx".strip("x"), "a\tb".expandtabs(4), "abc".translate(str.maketrans("ab", "xy")), "{} {!r} {name:>4} {{}}".format(1, "b", name="n"), "{1}{0}".format("a", "b"),
        "%s is %d, %.2f%%" % ("x", 5, 1.5), "ß".casefold(), "a_b".isidentifier(), "1a".isidentifier(),
    ]


TEXTS = ["", " ", "a", "Hello, World", "  two  words ", "UPPER lower 12", "é×😀ß", "tab\tnew\nline\r\nend\x0b\x85", "aaa", "x=y=z", "-12", "+007", "3.50", "ⅷ²٣", "İıſ", "it's", "a_b", "\u2028sep\x1f", "日本語", "e\u0301", "a,b,,c,", "\ufeffbom"]
METHODS: list[Callable[[str], object]] = [
    len, str.strip, str.lstrip, str.rstrip, str.split, str.splitlines, str.lower, str.upper, str.title, str.capitalize, str.swapcase,
    str.isalpha, str.isdigit, str.isdecimal, str.isnumeric, str.isalnum, str.isspace, str.islower, str.isupper, str.isidentifier, str.isprintable, str.isascii,
    repr, ascii, sorted, int, float, bool, hash, list, set, lambda t: t.encode(), lambda t: t.encode("ascii", "replace"), lambda t: t.encode("latin-1", "ignore"),
    lambda t: t.split(","), lambda t: t.split(" ", 1), lambda t: t.rsplit("a", 1), lambda t: t.split(None, 1), lambda t: t.partition("="), lambda t: t.rpartition("o"),
    lambda t: t.replace("a", "bb"), lambda t: t.replace("", "-"), lambda t: t.replace("a", "", 1), lambda t: t.find("o"), lambda t: t.rfind("o", 0, 7), lambda t: t.index("a"), lambda t: t.count("a"), lambda t: t.count(""),
    lambda t: t.center(9, "."), lambda t: t.ljust(6) + "|", lambda t: t.rjust(6, "😀"), lambda t: t.zfill(5), lambda t: t[::-1], lambda t: t[1:-1], lambda t: t[-2:], lambda t: t[0], lambda t: t[1::2],
    lambda t: f"{t:>8}|{t:^8}|{t:*<8}|{t:.2}|{t!r:>10}", lambda t: t.strip("a "), lambda t: t.startswith(("a", " ")), lambda t: t.endswith("e"), lambda t: t * 2, lambda t: t < "a", lambda t: "o" in t, lambda t: t.expandtabs(4), lambda t: "/".join(t), lambda t: t.splitlines(keepends=True), lambda t: max(t), lambda t: t.encode()[:3], lambda t: "%5s|%-5s|%r" % (t, t, t), lambda t: t.casefold() if t.isascii() else "",
]


@snippet
def methods_on_many_texts() -> object:
    return "\n".join(attempt(lambda: [attempt(method, text) for text in TEXTS] if method not in (hash, set) else 0) for method in METHODS)


@snippet
def quoting() -> object:
    return ["it's", 'say "hi"', "both ' and \"", "tab\tline\nback\\slash", "\x00\x7f\u200b\ue000", "é×😀", b"bytes\x00\xff'", ["nested"], ascii("é😀")]


@snippet
def slices() -> object:
    items = list(range(10))
    text = "abcdefghij"
    result = []
    for start, stop, step in [(None, None, None), (2, 5, None), (-3, None, None), (None, -3, None), (None, None, 2), (None, None, -1), (8, 2, -2), (20, None, None), (-20, 3, None), (5, 2, None), (None, 3, -1)]:
        part = slice(start, stop, step)
        result.append((items[part], text[part], tuple(items)[part], range(10)[part]))
    items[2:5] = ["x"]
    items[::4] = [0, 0]
    del items[1:3]
    del items[-1]
    return [result, items]


@snippet
def text_order() -> object:
    return [sorted(["b", "a", "B", "é", "😀", "\uffee", "ab"]), "a" < "b" <= "b", max("abc"), "Z" < "a", sorted("hello", reverse=True)]


# Collections


@snippet
def equal_keys_are_one_key() -> object:
    table: dict[object, object] = {1: "int", "1": "text", (1, 2): "pair", ("1", 2): "mixed", frozenset({1, 2}): "set", None: "none", 2**70: "big", ((1,), 2): "nested"}
    table[1.0] = "float"
    table[True] = "bool"
    table[1, 2] = "pair again"
    return [table, table[frozenset([2, 1])], table[(1,), 2], len(table), (1, "2") in table, table.get("x", "missing"), {(1, 2), (1, 2)}, {"a,b", ("a", "b")} == {("a", "b"), "a,b"}, ("a,b",) in {("a", "b"): 1}, {b"x": 1}[b"x"]]


@snippet
def dictionaries() -> object:
    table = {"b": 2, "a": 1}
    table["c"] = 3
    del table["b"]
    table |= {"d": 4}
    copy = {**table, "a": 10, "b": 0}
    items = [(k, v) for k, v in copy.items()]
    popped = copy.pop("a"), copy.pop("zz", None), copy.setdefault("q", []), copy.setdefault("q", 1)
    return [table, copy, items, popped, list(table), table.keys() & {"a", "x"}, sorted(table.values()), table == {"d": 4, "c": 3, "a": 1}, dict(a=1, b=2), dict([("x", 1)]), dict.fromkeys("ab", 0), list(reversed(table)), "a" in table, max(table, key=lambda k: table[k]), {1: 2} | {3: 4}, table.keys() == {"a", "c", "d"}, table.items()]


@snippet
def missing_keys() -> object:
    failures = []
    for call in (lambda: {}["k"], lambda: {}[1, 2], lambda: {1: 2}.pop(3), lambda: set().pop(), lambda: {1}.remove(2), lambda: [1].index(3), lambda: [].pop(), lambda: (1, 2)[5], lambda: "abc"[9], lambda: {[]: 1}, lambda: next(iter([])), lambda: [1, 2].remove(9), lambda: max([]), lambda: "abc".index("z")):
        try:
            call()
        except Exception as error:
            failures.append(repr(error))
    return failures


@snippet
def sets() -> object:
    a, b = {1, 2, 3}, {2, 3, 4}
    a.add(5)
    a.discard(100)
    c = set(a)
    c -= {1}
    c |= {9}
    c &= {2, 3, 9}
    return [sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), a <= a | b, a < a, {1} < a, a >= b, a.isdisjoint({7}), sorted(c), frozenset({1}) == {1}, sorted(a.union([8], (9,))), sorted(a.intersection([1, 5])), len({*a, *b}), {1: 1}.keys() <= {1}, set(), frozenset(), a.issubset(range(9)), bool(set())]


@snippet
def lists() -> object:
    items = [3, 1, 2]
    items.append(0)
    items.extend((7, 8))
    items.insert(1, 9)
    items += [4]
    alias = items
    alias += (5,)
    items.remove(9)
    last, first = items.pop(), items.pop(0)
    items.sort(reverse=True)
    other = items[:]
    other.reverse()
    return [items, last, first, other, items is alias, items.index(2), items.count(1), [0] * 3, [1, 2] + [3], 2 * [1], [1, [2]] == [1, [2]], [1, 2] < [1, 3], [1] < [1, 0], sorted(items), items.copy() == items, [*items, *"ab"], bool([]), [[]] * 2, (1,) + (2,), ()]


@snippet
def sorting_is_stable() -> object:
    words = ["pear", "fig", "apple", "kiwi", "date"]
    pairs = [(2, "b"), (1, "z"), (2, "a"), (1, "a")]
    return [sorted(words, key=len), sorted(words, key=len, reverse=True), sorted(words, key=lambda w: (-len(w), w)), sorted(pairs), sorted(pairs, key=lambda p: p[0]), min(words, key=len), max(words, key=len), min([], default="none"), min(3, 1, 2), sorted([2.5, 1, True, -1])]


@snippet
def unpacking() -> object:
    first, *middle, last = range(5)
    (a, b), c = (1, 2), 3
    a, b = b, a
    [x, y] = "xy"
    *head, tail = [1]
    failures = []
    for value in ([1], [1, 2, 3]):
        try:
            p, q = value
        except ValueError as error:
            failures.append(str(error))
    items = [0, 0]
    index = 0
    index, items[index] = 1, 5
    d = {}
    d["x"], d["y"] = 1, 2
    i = j = []
    return [first, middle, last, a, b, c, x, y, head, tail, failures, items, d, i is j]


@snippet
def ranges() -> object:
    return [list(range(3)), list(range(2, 5)), list(range(5, 0, -2)), len(range(0, 10, 3)), 4 in range(0, 10, 2), range(10)[3], range(10)[-1], list(reversed(range(3))), range(3) == range(0, 3), range(0), bool(range(0)), range(1, 5, 2), 2.0 in range(3)]


@snippet
def iterators() -> object:
    numbers = iter([1, 2, 3, 4])
    first = next(numbers)
    for n in numbers:
        if n == 2:
            break
    rest = list(numbers)
    pairs = list(zip("ab", [1, 2], strict=True))
    short = list(zip("abc", [1]))
    try:
        list(zip("ab", [1], strict=True))
    except ValueError as error:
        message = str(error)
    return [first, rest, pairs, short, message, list(enumerate("ab", 1)), list(map(lambda a, b: a + b, [1, 2], [3, 4])), list(filter(None, [0, 1, "", "x"])), list(map(str, [1, None])), next(iter([]), "end"), any(x > 2 for x in [1, 3]), all([]), sum([[1], [2]], []), list(dict(zip("ab", range(2))).items())]


# Functions


@snippet
def arguments() -> object:
    def plain(a: int, b: int = 2, *, c: int = 3) -> tuple[int, ...]:
        return a, b, c

    def gather(first: int, *rest: int, sep: str = ",", **options: int) -> tuple[object, ...]:
        return first, rest, sep, options

    def positional(a: int, /, b: int) -> tuple[int, int]:
        return a, b

    extra = {"sep": ";", "z": 1}
    failures = []
    for call in (lambda: plain(1, d=2), lambda: plain(1, a=2), lambda: plain(1, 2, 3, c=4)):
        try:
            call()
        except TypeError:
            failures.append("TypeError")
    return [plain(1), plain(1, c=5), plain(b=7, a=6), plain(*[1, 2], **{"c": 9}), gather(1), gather(1, 2, 3), gather(1, 2, sep="x", y=2), gather(*range(3), **extra), positional(1, b=2), failures]


@snippet
def defaults_are_evaluated_once() -> object:
    def collect(item: int, items: list[int] = []) -> list[int]:
        items.append(item)
        return items

    value = 1

    def late(x: int = value) -> int:
        return x

    value = 2
    return [collect(1), collect(2) is collect(3), late(), value]


@snippet
def closures() -> object:
    def counter() -> Callable[[], int]:
        count = 0

        def increase() -> int:
            nonlocal count
            count += 1
            return count

        return increase

    one, two = counter(), counter()
    functions = [lambda: i for i in range(3)]
    bound = [lambda i=i: i for i in range(3)]
    x = "outer"
    inner = [x for x in "ab"]
    return [one(), one(), two(), [f() for f in functions], [f() for f in bound], x, inner, [y for y in range(4) if (z := y % 2)], z]


TOTAL = 0


@snippet
def global_names() -> object:
    def add() -> None:
        global TOTAL
        TOTAL += 5

    add()
    add()
    return TOTAL


@snippet
def comprehensions() -> object:
    x = [1, 2, 3]
    matrix = [[1, 2], [3, 4]]
    return [[x for x in x if x > 1], [a * b for a in x for b in x if a < b], {k: v for k, v in [("a", 1)]}, sorted({n % 2 for n in x}), [[c for c in row] for row in zip(*matrix, strict=True)], [v for row in matrix for v in row], sum(n * n for n in x), tuple(n for n in x), sorted({n: 1 for n in "ba"}), [(a, b) for a, (b, c) in [(1, (2, 3))]], [i for i in range(5) if i % 2 if i > 1]]


@snippet
def generators() -> object:
    log: list[object] = []

    def inner() -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            log.append("closed")

    def outer() -> Iterator[int]:
        yield 0
        yield from inner()
        yield from [5, 6]

    def echo() -> Iterator[object]:
        received = None
        while received != "stop":
            received = yield received
            log.append(received)

    machine = echo()
    next(machine)
    machine.send("a")
    try:
        machine.send("stop")
    except StopIteration:
        log.append("stopped")
    started = outer()
    for n in started:
        if n == 0:
            break
    continued = next(started)
    started.close()
    expression = (n for n in [1, 2, 3])
    return [list(outer()), continued, next(expression), list(expression), log]


@snippet
def decorators() -> object:
    def twice(function: Callable[[int], int]) -> Callable[[int], int]:
        def call(n: int) -> int:
            return function(function(n))

        return call

    def times(count: int) -> Callable[[Callable[[int], int]], Callable[[int], int]]:
        def decorate(function: Callable[[int], int]) -> Callable[[int], int]:
            return lambda n: function(n) * count

        return decorate

    @times(10)
    @twice
    def increase(n: int) -> int:
        return n + 1

    return [increase(1), (lambda *a, k=2: (a, k))(1, 2, k=3)]


# Statements


@snippet
def loops_with_else() -> object:
    log = []
    for n in [1, 2, 3]:
        if n == 2:
            break
    else:
        log.append("never")
    for n in []:
        pass
    else:
        log.append("for else")
    n = 3
    while n:
        n -= 1
        if n == 1:
            continue
        for inner in range(3):
            if inner == 1:
                break
        else:
            log.append("never")
        log.append(n)
    else:
        log.append("while else")
    for i in range(3):
        i += 10
    return [log, n, inner, i]


@snippet
def exceptions() -> object:
    log: list[object] = []

    class Failed(ValueError):
        def __init__(self, code: int) -> None:
            super().__init__(f"code {code}")
            self.code = code

    def attempt(action: Callable[[], object]) -> object:
        try:
            result = action()
        except Failed as error:
            log.append(("failed", error.code, str(error)))
            return "handled"
        except (KeyError, IndexError) as error:
            log.append(type(error).__name__)
            raise RuntimeError("wrapped") from error
        except Exception:
            log.append("re-raised")
            raise
        else:
            log.append("else")
            return result
        finally:
            log.append("finally")

    def fail(error: Exception) -> Callable[[], object]:
        def raise_it() -> object:
            raise error

        return raise_it

    results: list[object] = [attempt(lambda: 5), attempt(fail(Failed(3)))]
    for error in (KeyError("k"), OSError("os"), Failed):
        try:
            if error is Failed:
                raise Failed(9)
            attempt(fail(error))
        except Exception as caught:
            results.append((repr(caught), repr(caught.__cause__), isinstance(caught, ValueError)))
    return [results, log]


def leave_early() -> Iterator[str]:
    for n in range(3):
        try:
            if n == 0:
                continue
            if n == 2:
                return
            yield f"try {n}"
        finally:
            yield f"finally {n}"


@snippet
def finally_runs_on_every_way_out() -> object:
    def chosen() -> str:
        try:
            return "try"
        finally:
            log.append("cleanup")

    log: list[str] = []
    return [list(leave_early()), chosen(), log]


@snippet
def assertions_and_messages() -> object:
    messages = []
    for call in (lambda: check(-1), lambda: check(1), lambda: None.x, lambda: len(5), lambda: [1] + (2,), lambda: 1 + "a", lambda: "a" + 1, lambda: 5 < "a", lambda: 5[0], lambda: int([]), lambda: "a" in 5, lambda: not_a_call()):
        try:
            messages.append(call())
        except Exception as error:
            messages.append(f"{type(error).__name__}: {error}" if not isinstance(error, AttributeError) else "AttributeError")
    return messages


def not_a_call() -> object:
    raise NotImplementedError


def check(n: int) -> int:
    assert n > 0, f"expected a positive number, got {n}"
    return n


@snippet
def contexts() -> object:
    log: list[object] = []

    class Context:
        def __init__(self, name: str, handles: bool = False) -> None:
            self.name = name
            self.handles = handles

        def __enter__(self) -> str:
            log.append(f"enter {self.name}")
            return self.name.upper()

        def __exit__(self, kind: object, error: object, trace: object) -> bool:
            log.append(f"exit {self.name} {error}")
            return self.handles

    def early() -> str:
        with Context("return"):
            return "returned"

    with Context("a") as a, Context("b", True):
        log.append(a)
        raise ValueError("handled")
    try:
        with Context("c"):
            raise KeyError("passes")
    except KeyError:
        log.append("caught")
    for _ in range(2):
        with Context("loop"):
            break
    return [early(), log]


@snippet
def conditions() -> object:
    calls: list[int] = []

    def value(n: int) -> int:
        calls.append(n)
        return n

    chain = value(1) < value(2) < value(2) < value(9)
    chosen = [0 or "x", "" and 1, None or 0, 1 and 2 and 3, not [], not None, [] or {} or "end", 1 if [] else 2, (0 or None) is None]
    return [chain, calls, chosen, 1 < 2 != 3, 3 > 2 > 1 > 0, "a" if chain else "b", None is None, [] is not [], 5 not in [1], bool("0"), bool(0.0), bool(-0.5)]


@snippet
def patterns() -> object:
    class Point:
        __match_args__ = ("x", "y")

        def __init__(self, x: int, y: int) -> None:
            self.x = x
            self.y = y

    def describe(value: object) -> object:
        match value:
            case 0 | 1:
                return "small"
            case "text":
                return "exact"
            case None:
                return "none"
            case Point(0, y=below):
                return f"axis {below}"
            case Point(x, y) if x == y:
                return f"diagonal {x}"
            case int(n) | float(n):
                return ("number", n)
            case [a, b]:
                return ("pair", a, b)
            case str() as s:
                return ("str", s)
            case _:
                return "other"

    return [describe(v) for v in (0, True, 5, 2.5, "text", "abc", None, Point(0, 3), Point(2, 2), Point(1, 2), [1, 2], (3, 4), [1], {})]


@snippet
def in_place_operators() -> object:
    x: list[int] = [1]
    y = x
    x += [2]
    t = (1,)
    u = t
    t += (2,)
    d = {"n": 1}
    d["n"] += 1
    n = 5
    n -= 2
    n *= 3
    n //= 2
    n **= 2
    n <<= 3
    n |= 1
    n &= 0xFF
    n ^= 5
    n >>= 1
    n %= 50
    f = 3
    f /= 2
    s = "a"
    s += "b"
    s *= 2
    return [x is y, y, t, u, d, n, f, s]


# Classes


class Animal:
    sound = "..."
    count = 0

    def __init__(self, name: str, *, age: int = 1) -> None:
        self.name = name
        self.age = age
        Animal.count += 1

    def speak(self) -> str:
        return f"{self.name}: {self.sound}"

    @property
    def label(self) -> str:
        return f"{type(self).__name__} {self.name}"

    @label.setter
    def label(self, value: str) -> None:
        self.name = value

    @classmethod
    def young(cls, name: str) -> Animal:
        return cls(name, age=0)

    @staticmethod
    def join(*names: str) -> str:
        return "+".join(names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Animal) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name[0])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, age={self.age})"


class Dog(Animal):
    sound = "woof"

    def speak(self) -> str:
        return super().speak() + "!"


@snippet
def classes() -> object:
    dog = Dog("rex", age=3)
    puppy = Dog.young("bit")
    speak = dog.speak
    young = Dog.young
    dog.label = "max"
    return [dog, puppy, speak(), dog.label, Dog.join("a", "b"), dog.join("c"), Animal.speak(dog), young("x"), isinstance(dog, Animal), issubclass(Dog, Animal), type(dog) is Dog, Animal.count >= 3, Dog.__name__, dog == Dog("max"), dog != puppy, hasattr(dog, "age"), getattr(dog, "wings", 0), {Dog("anna"), Dog("anton"), Dog("anna")} == {Dog("anton"), Dog("anna")}, list(map(Dog, ["u", "v"])), dog.__class__.__name__]


@snippet
def keys_with_equal_hashes() -> object:
    table = {Dog("anna"): 1, Dog("anton"): 2, Dog("ada"): 3}
    del table[Dog("anna")]
    return [table[Dog("anton")], table[Dog("ada")], Dog("anna") in table, len(table), table.get(Dog("abel"))]


class Base:
    def who(self) -> list[str]:
        return ["Base"]


class Left(Base):
    def who(self) -> list[str]:
        return ["Left", *super().who()]


class Right(Base):
    side = "right"

    def who(self) -> list[str]:
        return ["Right", *super().who()]


class Both(Left, Right):
    def who(self) -> list[str]:
        return ["Both", *super().who()]


class Sequence:
    def __init__(self, *items: object) -> None:
        self.items = list(items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> object:
        return self.items[index]

    def __setitem__(self, index: int, value: object) -> None:
        self.items[index] = value

    def __contains__(self, item: object) -> bool:
        return item in self.items

    def __iter__(self) -> Iterator[object]:
        return iter(self.items)

    def __call__(self, n: int, *, plus: int = 0) -> int:
        return n * 2 + plus

    def __add__(self, other: Sequence) -> Sequence:
        return Sequence(*self.items, *other.items)

    def __lt__(self, other: Sequence) -> bool:
        return len(self) < len(other)

    def __str__(self) -> str:
        return f"<{', '.join(map(str, self.items))}>"


class Countdown:
    def __init__(self, n: int) -> None:
        self.n = n

    def __iter__(self) -> Countdown:
        return self

    def __next__(self) -> int:
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


class Celsius(float):
    def __new__(cls, value: float) -> Celsius:
        return super().__new__(cls, value)


class Upper(str):
    def shout(self) -> str:
        return self + "!"


class Registry(dict):  # type: ignore[type-arg]
    def __missing__(self, key: str) -> str:
        return f"no {key}"


@snippet
def multiple_inheritance() -> object:
    return [Both().who(), Both().side, isinstance(Both(), Right), issubclass(Both, Base)]


@snippet
def special_methods() -> object:
    a, b = Sequence(1, 2), Sequence(3)
    a[0] = 9
    return [len(a), a[1], 2 in a, 7 in a, list(a), [*a], a(4), a(4, plus=1), str(a + b), b < a, bool(Sequence()), bool(a), f"{a}", list(Countdown(3)), sum(Countdown(4)), max(Countdown(3)), sorted([a, b])[0] is b, callable(a), dict(enumerate(a))]


@snippet
def subclasses_of_builtins() -> object:
    word = Upper("hi")
    table = Registry(a="x")
    table["b"] = "y"
    return [word.shout(), word == "hi", {"hi": 1}[word], len(word), isinstance(word, str), word + "x", f"{word:>4}", table["a"], table["zzz"], len(table), isinstance(table, dict), [word], word.upper(), "-".join([word, word]), Celsius(1.5) + 1, word in ("hi",), word[0]]


class Failure(Exception):
    """An exception with no code."""


class Detailed(Failure, ValueError):
    def __str__(self) -> str:
        return f"detailed: {self.args[0]}"


@snippet
def exception_classes() -> object:
    error = Detailed("message")
    return [str(error), repr(error), error.args, isinstance(error, ValueError), str(Failure()), str(Failure(1, "b")), str(KeyError("k")), str(OSError(2, "gone")), repr(ValueError("a", 1)), [c.__name__ for c in (Detailed, Failure)]]


@snippet
def attributes_by_name() -> object:
    dog = Dog("a")
    setattr(dog, "extra", 5)
    names = sorted(vars(dog))
    append = [].append
    try:
        getattr(dog, "nothing")
    except AttributeError as error:
        message = str(error)
    return [dog.extra, names, append(1), getattr(dog, "speak")(), message, sorted("ba", key=str.upper), list(map(str.strip, [" a "]))]


@snippet
def names_of_javascript() -> object:
    new, function, var, this, let, arguments = 1, 2, 3, 4, 5, 6
    delete, switch, typeof, null, undefined, length, prototype, constructor = range(8)

    class Holder:
        name = "n"
        length = 7
        constructor = 8
        prototype = 9

    holder = Holder()
    holder.length += 1
    return [new, function, var, this, let, arguments, delete, switch, typeof, null, undefined, length, prototype, constructor, Holder.name, Holder.length, holder.length, Holder.constructor, Holder.prototype]


@snippet
def byte_strings() -> object:
    data = "é×".encode() + b"\x00"
    return [data, len(data), data[0], data[1:3], data[:-1].decode(), list(b"ab"), b"ab" in b"xabx", bytes([1, 2]), bytearray(b"x"), b"ab".hex(), int.from_bytes(b"\x01\x00", "big"), (513).to_bytes(2, "little"), b"a" < b"b", b"ab".startswith(b"a"), b"ab".startswith((b"x", b"a")), b"ab".endswith((b"x", b"ab")), b"ab".endswith(()), bytes(3), data == "é×\0".encode("utf-8")]


@snippet
def deep_recursion_is_an_error() -> object:
    def down(n: int) -> int:
        return down(n + 1) + 1

    try:
        return down(0)
    except RecursionError:
        return "too deep"


@snippet
def modules() -> object:
    import lazy_package as alias
    from lazy_package import LOADED, made_first

    failures = []
    try:
        from lazy_package import missing
    except ImportError:
        failures.append("ImportError")
    try:
        import no_such_module
    except ModuleNotFoundError as error:
        failures.append(str(error))
    return [made_first, alias.made_second, LOADED, hasattr(alias, "other"), getattr(alias, "made_third", 0), alias is lazy_package, failures, lazy_package.__name__]


@snippet
def class_bodies() -> object:
    class Table:
        sizes = [1, 2, 3]
        doubled = [size * 2 for size in sizes]
        total = sum(sizes)
        first: int = sizes[0]
        limit = 5 if total > 3 else 0

        def inner(self) -> int:
            class Nested:
                value = self.total

            return Nested.value

    return [Table.doubled, Table.total, Table.first, Table.limit, Table().inner()]


@snippet
def names_shadow_builtins() -> object:
    list, max, id = [1], 2, 3

    def len(x: object) -> str:
        return "own len"

    return [list, max, id, len([1]), [str for str in "ab"]]


@snippet
def order_of_evaluation() -> object:
    log: list[object] = []

    def note(value: object) -> object:
        log.append(value)
        return value

    table: dict[object, object] = {}
    table[note("key")] = note("value")
    (note("f") and (lambda *a, **k: None))(note(1), *[note(2)], x=note(3))
    [note(4), note(5)][note(0)]
    {note("a"): note("b")}
    note(6) if note(7) else note(8)
    return log


@snippet
def booleans_are_integers() -> object:
    return [True + True, sum([True, False, True]), isinstance(True, int), isinstance(1, bool), type(True) is bool, type(1.0) is float, type(1) is int, type(2**80) is int, isinstance(1.0, int), isinstance(1.5, float), True * 3, -True, [10, 20][True], str(True), int(False), f"{True:d}", {True: "x"}[1], max(True, 2), 1 if True is True else 0, not 0.0, isinstance(None, type(None)), [type(x).__name__ for x in (1, 1.0, "", b"", [], (), {}, set(), None, True, range(1), snippet, int, KeyError())]]


if __name__ in ("__main__", "snippets"):
    for name, function in RESULTS:
        try:
            result = function()
            print(name, result if isinstance(result, str) else repr(result))
        except Exception as error:
            print(name, "failed:", repr(error))
