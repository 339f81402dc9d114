"""Translation of statements."""

from __future__ import annotations

import ast
from collections.abc import Callable

from pyjs.definitions import Definitions
from pyjs.expressions import OPERATORS
from pyjs.names import text
from pyjs.patterns import Patterns

__all__ = ["Statements"]


class Statements(Definitions, Patterns):
    """Translates statements; the code of each ends with a line feed."""

    loops: list[str]
    """For each enclosing loop, the label that ``break`` jumps to; empty if the loop has no ``else`` branch."""
    caught_errors: list[str]
    """For each enclosing ``except`` branch, the variable of its exception."""

    def block(self, body: list[ast.stmt]) -> str:
        return "".join(map(self.statement, body))

    def statement(self, node: ast.stmt) -> str:
        method: Callable[[ast.stmt], str] | None = getattr(self, f"statement_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, f"{type(node).__name__} is not supported")
        return method(node)

    def statement_Pass(self, node: ast.Pass) -> str:
        return ""

    statement_Global = statement_Nonlocal = statement_Pass

    def statement_Expr(self, node: ast.Expr) -> str:
        return f"{self.expression(node.value)};\n"

    def statement_Return(self, node: ast.Return) -> str:
        return f"return {self.expression(node.value) if node.value else 'null'};\n"

    def statement_Assign(self, node: ast.Assign) -> str:
        value = self.expression(node.value)
        first = ""
        if len(node.targets) > 1:
            name = self.temporary()
            first, value = f"{name} = {value};", name
        elif isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
            return self.assign_tuple(node.targets[0].elts, node.value.elts, value)
        return first + "".join(self.assign(target, value) for target in node.targets) + "\n"

    def assign_tuple(self, targets: list[ast.expr], values: list[ast.expr], whole: str) -> str:
        """Translate ``a, b = x, y`` without building a tuple."""
        if len(targets) != len(values) or any(isinstance(node, ast.Starred) for node in [*targets, *values]):
            return self.unpack(targets, whole) + "\n"
        names = [self.temporary() for _ in values]
        evaluated = "".join(f"{name} = {self.expression(value)};" for name, value in zip(names, values, strict=True))
        return evaluated + "".join(map(self.assign, targets, names)) + "\n"

    def statement_AugAssign(self, node: ast.AugAssign) -> str:
        operation = f"$.i{OPERATORS[type(node.op)]}"
        if isinstance(node.target, ast.Name):
            name = self.reference(node.target.id, node)
            return f"{name} = {operation}({name}, {self.expression(node.value)});\n"
        owner = self.temporary()
        first = f"{owner} = {self.expression(node.target.value)};"
        if isinstance(node.target, ast.Attribute):
            place = f"{owner}.${self.attribute_name(node.target)}"
            return f"{first}{place} = {operation}({place}, {self.expression(node.value)});\n"
        index = self.temporary()
        value = f"{operation}($.getItem({owner}, {index}), {self.expression(node.value)})"
        return f"{first}{index} = {self.expression(node.target.slice)};$.setItem({owner}, {index}, {value});\n"

    def statement_Delete(self, node: ast.Delete) -> str:
        return "".join(map(self.delete, node.targets)) + "\n"

    def delete(self, target: ast.expr) -> str:
        match target:
            case ast.Subscript(owner, index):
                return f"$.deleteItem({self.expression(owner)}, {self.expression(index)});"
            case ast.Attribute():
                return f"delete {self.expression(target)};"
        return f"{self.expression(target)} = undefined;"

    def statement_Raise(self, node: ast.Raise) -> str:
        if node.exc is None:
            if not self.caught_errors:
                self.refuse(node, "raise without an exception outside an except branch")
            return f"throw {self.caught_errors[-1]};\n"
        if node.cause is None:
            return f"throw $.exceptionToThrow({self.expression(node.exc)});\n"
        return f"throw $.exceptionToThrow({self.expression(node.exc)}, {self.expression(node.cause)});\n"

    def statement_Assert(self, node: ast.Assert) -> str:
        message = self.expression(node.msg) if node.msg else ""
        return f"if (!{self.test(node.test)}) throw $b.$AssertionError({message});\n"

    def statement_If(self, node: ast.If) -> str:
        otherwise = f" else {{{self.block(node.orelse)}}}" if node.orelse else ""
        return f"if ({self.test(node.test)}) {{{self.block(node.body)}}}{otherwise}\n"

    # Loops

    def statement_While(self, node: ast.While) -> str:
        return self.loop_statement(node, lambda: f"while ({self.test(node.test)}) {{{self.block(node.body)}}}")

    def statement_For(self, node: ast.For) -> str:
        return self.loop_statement(node, lambda: self.for_loop(node))

    def for_loop(self, node: ast.For) -> str:
        match node.iter:
            case ast.Call(function, arguments, []) if self.is_builtin(function, "range") and len(arguments) < 3:
                return self.count_loop(node, arguments)
        iterable = self.expression(node.iter)
        if isinstance(node.target, ast.Name):
            return f"for ({self.expression(node.target)} of {iterable}) {{{self.block(node.body)}}}"
        name = self.temporary()
        return f"for ({name} of {iterable}) {{{self.assign(node.target, name)}{self.block(node.body)}}}"

    def count_loop(self, node: ast.For, arguments: list[ast.expr]) -> str:
        """Translate a loop over ``range`` to a counting loop."""
        index, end = self.unique("$n"), self.unique("$n")
        start, stop = ("0", self.expression(arguments[-1])) if len(arguments) == 1 else map(self.expression, arguments)
        head = f"let {index} = $.index({start}), {end} = $.index({stop}); {index} < {end}; {index}++"
        return f"for ({head}) {{{self.assign(node.target, index)}{self.block(node.body)}}}"

    def loop_statement(self, node: ast.For | ast.While, translate: Callable[[], str]) -> str:
        label = self.unique("$l") if node.orelse else ""
        self.loops.append(label)
        code = translate()
        self.loops.pop()
        return f"{label}: {{{code}{self.block(node.orelse)}}}\n" if label else f"{code}\n"

    def statement_Break(self, node: ast.Break) -> str:
        return f"break {self.loops[-1]};\n"

    def statement_Continue(self, node: ast.Continue) -> str:
        return "continue;\n"

    # Exceptions and contexts

    def statement_Try(self, node: ast.Try) -> str:
        code = self.block(node.body)
        if node.handlers:
            passed = self.temporary() if node.orelse else ""
            code = f"try {{{code}{passed and f'{passed} = true;'}}} {self.handlers(node.handlers)}"
            if passed:
                code = f"{passed} = false;{code}if ({passed}) {{{self.block(node.orelse)}}}"
        return f"try {{{code}}} finally {{{self.block(node.finalbody)}}}\n" if node.finalbody else f"{code}\n"

    def handlers(self, handlers: list[ast.ExceptHandler]) -> str:
        error = self.unique("$e")
        self.caught_errors.append(error)
        branches = " else ".join(self.handler(handler, error) for handler in handlers)
        self.caught_errors.pop()
        rethrow = "" if handlers[-1].type is None else f" else throw {error};"
        return f"catch ({error}) {{{error} = $.asPythonError({error});{branches}{rethrow}}}"

    def handler(self, handler: ast.ExceptHandler, error: str) -> str:
        bound = f"{self.reference(handler.name, handler)} = {error};" if handler.name else ""
        body = f"{{{bound}{self.block(handler.body)}}}"
        return body if handler.type is None else f"if ($.isInstance({error}, {self.expression(handler.type)})) {body}"

    def statement_With(self, node: ast.With) -> str:
        code = self.block(node.body)
        for item in reversed(node.items):
            code = self.with_item(item, code)
        return code

    def with_item(self, item: ast.withitem, body: str) -> str:
        """Translate a context manager: ``__exit__`` is called exactly once, also if the block returns or breaks."""
        context, is_left, error = self.temporary(), self.temporary(), self.unique("$e")
        entered = f"{context}.$__enter__()"
        start = self.assign(item.optional_vars, entered) if item.optional_vars else f"{entered};"
        failed = f"{is_left} = true;if (!$.exitContext({context}, {error} = $.asPythonError({error}))) throw {error};"
        end = f"if (!{is_left}) {context}.$__exit__(null, null, null);"
        head = f"{context} = {self.expression(item.context_expr)};{is_left} = false;{start}"
        return f"{head}try {{{body}}} catch ({error}) {{{failed}}} finally {{{end}}}\n"

    # Imports

    def statement_Import(self, node: ast.Import) -> str:
        return "".join(self.import_module(alias, node) for alias in node.names) + "\n"

    def import_module(self, alias: ast.alias, node: ast.Import) -> str:
        module = f"$.importModule({text(alias.name)})"
        if alias.asname:
            return f"{self.reference(alias.asname, node)} = {module};"
        top = alias.name.split(".")[0]
        first = "" if top == alias.name else f"{module};"
        return f"{first}{self.reference(top, node)} = $.importModule({text(top)});"

    def statement_ImportFrom(self, node: ast.ImportFrom) -> str:
        module = self.temporary()
        names = "".join(
            f"{self.reference(alias.asname or alias.name, node)} = $.importName({module}, {text(alias.name)});"
            for alias in node.names
        )
        return f"{module} = $.importModule({text(self.absolute_name(node))});{names}\n"

    def absolute_name(self, node: ast.ImportFrom) -> str:
        raise NotImplementedError
