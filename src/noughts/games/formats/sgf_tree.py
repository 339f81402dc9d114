"""The grammar of SGF: parses text into trees of nodes, without knowledge of games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from noughts.games.errors import InvalidFile
from noughts.games.formats.tokens import Token, broken, split_tokens
from noughts.games.quoting import quote

__all__ = ["SgfNode", "SgfTree", "SgfValue", "parse_trees"]

TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<mark>[();])|(?P<name>[A-Za-z]{1,64})|\[(?P<value>(?:\\.|[^\]\\])*)\]", re.DOTALL
)


class SgfValue(NamedTuple):
    """The value of a property without its escapes, and the line where it begins."""

    text: str
    line: int


SgfNode = dict[str, list[SgfValue]]
"""The properties of a node, by name."""


@dataclass
class SgfTree:
    """A game or a variation: nodes in sequence, and the branches after the last of them, the main one first."""

    line: int
    nodes: list[SgfNode] = field(default_factory=list)
    branches: list[SgfTree] = field(default_factory=list)

    def all_nodes(self) -> Iterator[SgfNode]:
        """Yield its nodes and those of all branches."""
        left = [self]
        while left:
            tree = left.pop()
            yield from tree.nodes
            left += tree.branches


def parse_trees(text: str) -> list[SgfTree]:
    """Return the games of a text, at least one; raises InvalidFile, which names the broken line."""
    builder = _Builder()
    for token in _tokens(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")):
        builder.take(token)
    return builder.finish()


def _tokens(text: str) -> Iterator[Token]:
    # Text such as mail headers may precede the first game: FF[4] begins at the first "(;".
    begin = re.search(r"\(\s*;", text)
    if begin is None:
        raise InvalidFile(f"line 1: expected a game that begins with (; got {quote(text.strip())}")
    return split_tokens(text, TOKEN, _complaint, begin.start())


def _complaint(text: str) -> str:
    if text.startswith("["):
        return "expected ] at the end of a value, got the end of the file"
    return f"expected ( ) ; or a property, got {quote(text)}"


def _unescape(text: str) -> str:
    """The text without its escapes: a backslash at the end of a line joins it with the next."""
    return re.sub(r"\\(.)", lambda match: "" if match[1] == "\n" else match[1], text, flags=re.DOTALL)


class _Builder:
    """Builds trees from tokens, with an explicit stack, so that nesting may be arbitrarily deep."""

    def __init__(self) -> None:
        self.trees: list[SgfTree] = []
        self.stack: list[SgfTree] = []
        self.node: SgfNode | None = None
        self.name = ""
        self.line = 1

    def take(self, token: Token) -> None:
        self.line = token.line
        if token.kind == "name":
            self._property(token)
        elif token.kind == "value":
            self._value(token)
        elif token.text == "(":
            self._open()
        elif not self.stack:
            raise broken(token.line, f"expected ( at the beginning of a game, got {token.text}")
        elif token.text == ")":
            self._close()
        else:
            self._begin_node()

    def finish(self) -> list[SgfTree]:
        if self.stack:
            raise broken(self.line, "expected ) at the end of a game, got the end of the file")
        return self.trees

    def _open(self) -> None:
        self._end_node()
        tree = SgfTree(self.line)
        if self.stack and not self.stack[-1].nodes:
            raise broken(self.line, "expected a node before a variation, got (")
        (self.stack[-1].branches if self.stack else self.trees).append(tree)
        self.stack.append(tree)

    def _close(self) -> None:
        self._end_node()
        if not self.stack.pop().nodes:
            raise broken(self.line, "expected a node between ( and )")

    def _begin_node(self) -> None:
        self._end_node()
        tree = self.stack[-1]
        if tree.branches:
            raise broken(self.line, "expected ) or another variation, got a node after a variation")
        self.node = {}
        tree.nodes.append(self.node)

    def _end_node(self) -> None:
        self._check_value()
        self.node = None

    def _check_value(self) -> None:
        if self.node is not None and self.name and not self.node[self.name]:
            raise broken(self.line, f"expected a value of {self.name} in [ ]")
        self.name = ""

    def _property(self, token: Token) -> None:
        self._check_value()
        if self.node is None:
            raise broken(token.line, f"expected ; before a property, got {quote(token.text)}")
        # Before FF[4], names could contain lower-case letters, which are ignored: GaMe[4] is GM[4].
        name = re.sub("[a-z]", "", token.text)
        if not name or name in self.node:
            raise broken(token.line, f"expected each property once, named in capitals, got {quote(token.text)}")
        self.name = name
        self.node[name] = []

    def _value(self, token: Token) -> None:
        if self.node is None or not self.name:
            raise broken(token.line, f"expected a property before a value, got {quote(f'[{token.text}]')}")
        self.node[self.name].append(SgfValue(_unescape(token.text), token.line))
