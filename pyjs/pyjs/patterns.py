"""Translation of ``match`` statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from pyjs.expressions import Expressions

__all__ = ["Patterns"]

VALUE_CLASSES = ("bool", "bytes", "float", "frozenset", "int", "list", "set", "str", "tuple", "dict")
"""Builtins whose single positional pattern matches the value itself: ``case int(x)``."""


class Patterns(Expressions):
    """Translates ``match`` to a chain of ``if``; the conditions also assign the captured names."""

    def statement_Match(self, node: ast.Match) -> str:
        subject = self.temporary()
        cases = " else ".join(self.case(case, subject) for case in node.cases)
        return f"{subject} = {self.expression(node.subject)};{cases}\n"

    def case(self, case: ast.match_case, subject: str) -> str:
        conditions = [*self.pattern(case.pattern, subject), *([self.test(case.guard)] if case.guard else [])]
        return f"if ({' && '.join(conditions) or 'true'}) {{{self.block(case.body)}}}"

    def pattern(self, pattern: ast.pattern, subject: str) -> Iterator[str]:
        """Yield the conditions under which the subject (a variable) matches."""
        name = f"pattern_{type(pattern).__name__}"
        method: Callable[[ast.pattern, str], Iterator[str]] | None = getattr(self, name, None)
        if method is None:
            self.refuse(pattern, f"{type(pattern).__name__} is not supported")
        return method(pattern, subject)

    def pattern_MatchValue(self, pattern: ast.MatchValue, subject: str) -> Iterator[str]:
        yield f"$.eq({subject}, {self.expression(pattern.value)})"

    def pattern_MatchSingleton(self, pattern: ast.MatchSingleton, subject: str) -> Iterator[str]:
        yield f"{subject} === {self.expression(ast.Constant(pattern.value))}"

    def pattern_MatchAs(self, pattern: ast.MatchAs, subject: str) -> Iterator[str]:
        if pattern.pattern:
            yield from self.pattern(pattern.pattern, subject)
        if pattern.name:
            yield f"({self.reference(pattern.name, pattern)} = {subject}, true)"

    def pattern_MatchOr(self, pattern: ast.MatchOr, subject: str) -> Iterator[str]:
        branches = (" && ".join(self.pattern(branch, subject)) or "true" for branch in pattern.patterns)
        yield f"({' || '.join(f'({branch})' for branch in branches)})"

    def pattern_MatchSequence(self, pattern: ast.MatchSequence, subject: str) -> Iterator[str]:
        if any(isinstance(item, ast.MatchStar) for item in pattern.patterns):
            self.refuse(pattern, "a starred pattern is not supported")
        yield f"$.isSequence({subject}, {len(pattern.patterns)})"
        for index, item in enumerate(pattern.patterns):
            yield from self.part(item, f"$.getItem({subject}, {index})")

    def pattern_MatchClass(self, pattern: ast.MatchClass, subject: str) -> Iterator[str]:
        yield f"$.isInstance({subject}, {self.expression(pattern.cls)})"
        for index, item in enumerate(pattern.patterns):
            if self.is_builtin(pattern.cls, *VALUE_CLASSES):
                yield from self.pattern(item, subject)
            else:
                yield from self.part(item, f"$.matchArgument({subject}, {index})")
        for name, item in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            yield from self.part(item, f"{subject}.${name}")

    def part(self, pattern: ast.pattern, value: str) -> Iterator[str]:
        name = self.temporary()
        yield f"({name} = {value}, true)"
        yield from self.pattern(pattern, name)
