"""Translation of functions and classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pyjs.expressions import Expressions
from pyjs.names import BUILTINS, identifier, text
from pyjs.scopes import Scope, bound_names, is_generator
from pyjs.source import is_class_variable, used_names

__all__ = ["Definitions"]

METHOD_DECORATORS = {"property", "classmethod", "staticmethod", "cached_property", "abstractmethod", "override"}
"""Decorators that get a function using ``this``; any other decorator gets one with ``self`` as first parameter."""


class Definitions(Expressions):
    """Translates functions, methods and classes.

    A JavaScript function takes the positional parameters, then the keyword-only ones; ``self`` is ``this`` in methods.
    """

    def function(self, arguments: ast.arguments, body: list[ast.stmt], name: str, *, is_method: bool = False) -> str:
        parameters = [argument.arg for argument in all_parameters(arguments)]
        defaults, hoisted = self.defaults(arguments)
        scope = self.function_scope(body, parameters)
        self.scopes.append(scope)
        code = self.block(body)
        self.scopes.pop()
        me = parameters.pop(0) if is_method else None
        listed = ", ".join(identifier(name) + defaults.get(name, "") for name in parameters)
        head = self.function_head(arguments, scope, parameters, me)
        end = "" if isinstance(body[-1], ast.Return | ast.Raise) else "return null;"
        made = make_function(arguments, name, f"({listed}) {{{head}{code}{end}}}", body, is_method=is_method)
        return f"(({', '.join(hoisted)}) => {made})({', '.join(hoisted.values())})" if hoisted else made

    def defaults(self, arguments: ast.arguments) -> tuple[dict[str, str], dict[str, str]]:
        """Return the default of each parameter, and the variables for defaults that are evaluated at the definition."""
        defaults, hoisted = {}, {}
        for argument, default in defaults_of(arguments):
            code = self.expression(default)
            if not isinstance(default, ast.Constant):
                name = self.unique("$d")
                hoisted[name] = code
                code = name
            defaults[argument.arg] = f" = {code}"
        return defaults, hoisted

    def function_scope(self, body: list[ast.stmt], parameters: list[str]) -> Scope:
        bound, global_names = bound_names(body)
        return Scope(
            "function", {*parameters, *bound}, global_names, first_parameter=identifier((parameters or [""])[0])
        )

    def function_head(self, arguments: ast.arguments, scope: Scope, parameters: list[str], me: str | None) -> str:
        head = f"const {identifier(me)} = this;" if me else ""
        if arguments.kwarg:
            name = identifier(arguments.kwarg.arg)
            head += f"{name} ??= $.dict([]);"
        own = sorted(name for name in scope.names if name not in parameters and name != me)
        return head + scope.declarations(map(identifier, own))

    def statement_FunctionDef(self, node: ast.FunctionDef) -> str:
        value = self.method(node) if self.scope.kind == "class" else self.decorated_function(node)
        return f"{self.reference(node.name, node)} = {value};\n"

    def decorated_function(self, node: ast.FunctionDef) -> str:
        code = self.function(node.args, node.body, node.name)
        for decorator in reversed(node.decorator_list):
            code = f"{self.expression(decorator)}({code})"
        return code

    def method(self, node: ast.FunctionDef) -> str:
        """Translate a method with its decorators.

        Ordinary decorators, which must stand nearest to the function, get a function with ``self`` as first parameter;
        the result is then turned into a method that uses ``this``.
        """
        known = [decorator_name(decorator) in METHOD_DECORATORS for decorator in node.decorator_list]
        plain = [decorator for decorator, is_known in zip(node.decorator_list, known, strict=True) if not is_known]
        if known != sorted(known, reverse=True):
            self.refuse(node, "property, classmethod and staticmethod must come before other decorators")
        is_static = node.name == "__new__" or any(decorator_name(d) == "staticmethod" for d in node.decorator_list)
        code = self.function(node.args, node.body, node.name, is_method=not (plain or is_static))
        for decorator in reversed(plain):
            code = f"{self.expression(decorator)}({code})"
        if plain and not is_static:
            code = f"$.method({code})"
        if node.name == "__new__":
            code = f"$b.$staticmethod({code})"
        for decorator in reversed(node.decorator_list[: len(node.decorator_list) - len(plain)]):
            code = self.decorated_method(decorator, code)
        return code

    def decorated_method(self, decorator: ast.expr, code: str) -> str:
        if isinstance(decorator, ast.Attribute) and decorator.attr == "setter":
            return f"{self.expression(decorator.value)}.setter({code})"
        if decorator_name(decorator) in ("abstractmethod", "override"):
            return code
        return f"{self.expression(decorator)}({code})"

    # Classes

    def statement_ClassDef(self, node: ast.ClassDef) -> str:
        if node.keywords:
            self.refuse(node, "keywords of classes are not supported")
        reference = self.reference(node.name, node)
        bound, global_names = bound_names(node.body)
        scope = Scope("class", set(bound), global_names, class_reference=reference)
        bases = self.expressions(node.bases)
        self.scopes.append(scope)
        body = self.block(node.body)
        annotations = ", ".join(self.annotations(node))
        self.scopes.pop()
        code = f"$.cls({text(node.name)}, [{bases}], ($c) => {{{body}}}, $m.$__name__, [{annotations}])"
        for decorator in reversed(node.decorator_list):
            code = f"{self.expression(decorator)}({code})"
        return f"{reference} = {code};\n"

    def annotations(self, node: ast.ClassDef) -> Iterator[str]:
        """Yield the annotated names of a class body, with the types if a base class may read them at run time."""
        has_types = bool(node.bases)
        for child in node.body:
            if isinstance(child, ast.AnnAssign) and not is_class_variable(child.annotation):
                assert isinstance(child.target, ast.Name)
                yield f"[{text(child.target.id)}, {self.annotation(child.annotation) if has_types else 'null'}]"

    def annotation(self, annotation: ast.expr) -> str:
        names = {name for scope in self.scopes for name in scope.names} | BUILTINS
        return f"() => {self.expression(annotation)}" if used_names(annotation) <= names else "null"

    def statement_AnnAssign(self, node: ast.AnnAssign) -> str:
        return self.assign(node.target, self.expression(node.value)) if node.value else ""


def make_function(arguments: ast.arguments, name: str, code: str, body: list[ast.stmt], *, is_method: bool) -> str:
    """Return the function with its name and signature; JavaScript shows the name in stack traces."""
    label = f"{name}$$" if name.isidentifier() else ""
    signature = text(signature_text(arguments, is_method=is_method))
    if is_generator(body):
        return f"$.generator({text(name)}, {signature}, function* {label}{code})"
    return f"$.fn({text(name)}, {signature}, function {label}{code})"


def decorator_name(decorator: ast.expr) -> str:
    """Return the last part of the decorator's name; ``x.setter`` counts as ``property``."""
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
    return "property" if name == "setter" else name


def all_parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Return the parameters in the order of the JavaScript function."""
    optional = [arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    return [*arguments.posonlyargs, *arguments.args, *(argument for argument in optional if argument is not None)]


def defaults_of(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    yield from zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield argument, default


def signature_text(arguments: ast.arguments, *, is_method: bool) -> str:
    """Return the signature in the notation of the runtime's ``fn``: ``a b * c``, ``a *args **options``."""
    names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]][is_method:]
    if arguments.vararg:
        names.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        names.append("*")
    names += [argument.arg for argument in arguments.kwonlyargs]
    return " ".join([*names, *([f"**{arguments.kwarg.arg}"] if arguments.kwarg else [])])
