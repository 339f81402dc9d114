"""Translation of expressions."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable

from pyjs.names import Names, identifier, text
from pyjs.scopes import Comprehension, Scope, target_names

__all__ = ["OPERATORS", "Expressions"]

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitOr: "or",
    ast.BitAnd: "and",
    ast.BitXor: "xor",
    ast.MatMult: "matmul",
}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "$.eq({}, {})",
    ast.NotEq: "$.ne({}, {})",
    ast.Lt: "$.lt({}, {})",
    ast.LtE: "$.le({}, {})",
    ast.Gt: "$.gt({}, {})",
    ast.GtE: "$.ge({}, {})",
    ast.Is: "({} === {})",
    ast.IsNot: "({} !== {})",
    ast.In: "$.isIn({}, {})",
    ast.NotIn: "(!$.isIn({}, {}))",
}
UNARY: dict[type[ast.unaryop], str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
CONVERSIONS = {ord("r"): "$.repr", ord("s"): "$.str", ord("a"): "$b.$ascii"}
BOOLEAN_BUILTINS = ("isinstance", "issubclass", "any", "all", "bool", "callable", "hasattr")
EXHAUSTING_BUILTINS = ("list", "tuple", "set", "frozenset", "sorted", "sum", "min", "max", "dict")
"""Builtins that consume their whole argument: they get a list instead of a generator, which is faster."""


class Expressions(Names):
    """Translates expressions; the code can be used as an operand without parentheses around it."""

    def expression(self, node: ast.expr) -> str:
        method: Callable[[ast.expr], str] | None = getattr(self, f"expression_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, f"{type(node).__name__} is not supported")
        return method(node)

    def expressions(self, nodes: list[ast.expr]) -> str:
        return ", ".join(map(self.expression, nodes))

    def is_boolean(self, node: ast.expr) -> bool:
        """Whether the value is known to be True or False, so that JavaScript can test it directly."""
        match node:
            case ast.Compare() | ast.UnaryOp(ast.Not()) | ast.Constant(True) | ast.Constant(False):
                return True
            case ast.BoolOp(values=values):
                return all(map(self.is_boolean, values))
            case ast.Call(func=function):
                return self.is_builtin(function, *BOOLEAN_BUILTINS)
        return False

    def test(self, node: ast.expr) -> str:
        """Return JavaScript that is true or false as the expression is in Python."""
        if isinstance(node, ast.BoolOp):
            return self.join_operands(node, self.test)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"(!{self.test(node.operand)})"
        return self.expression(node) if self.is_boolean(node) else f"$.truth({self.expression(node)})"

    def join_operands(self, node: ast.BoolOp, translate: Callable[[ast.expr], str]) -> str:
        return f"({(' && ' if isinstance(node.op, ast.And) else ' || ').join(map(translate, node.values))})"

    def expression_Constant(self, node: ast.Constant) -> str:
        match node.value:
            case None:
                return "null"
            case bool(value):
                return "true" if value else "false"
            case str(value):
                return text(value)
            case bytes(value):
                return self.constant(f"$.bytes({text(value.decode('latin-1'))})")
            case int(value) | float(value):
                return self.number(value)
            case complex():
                return self.refuse(node, "complex numbers are not supported")
        return "$b.$Ellipsis"

    def expression_Name(self, node: ast.Name) -> str:
        return self.reference(node.id, node)

    def expression_Attribute(self, node: ast.Attribute) -> str:
        owner = self.owner(node.value)
        if isinstance(node.ctx, ast.Load) and node.attr in self.methods:
            return f"$.attribute({owner}, {text('$' + node.attr)})"
        return f"{owner}.${self.attribute_name(node)}"

    def attribute_name(self, node: ast.Attribute) -> str:
        if node.attr.startswith("__") and not node.attr.endswith("__"):
            self.refuse(node, f"private name {node.attr}: names are not mangled")
        return node.attr

    def owner(self, node: ast.expr) -> str:
        code = self.expression(node)
        return f"({code})" if isinstance(node, ast.Constant) else code

    # Calls

    def expression_Call(self, node: ast.Call) -> str:
        function = node.func
        if self.is_builtin(function, "super"):
            self.refuse(node, "super() is only supported in super().method(…)")
        special = self.call_on_generator(node)
        if special:
            return special
        if isinstance(function, ast.Attribute):
            return self.call_method(node, function)
        code = self.expression(function)
        if node.keywords:
            return f"$.{self.keyword_call('call', code, node)}"
        return f"{f'({code})' if isinstance(function, ast.Lambda) else code}({self.items(node.args)})"

    def call_method(self, node: ast.Call, function: ast.Attribute) -> str:
        name = f"${self.attribute_name(function)}"
        if isinstance(function.value, ast.Call) and self.is_builtin(function.value.func, "super"):
            return self.call_super(node, name)
        owner = self.owner(function.value)
        if node.keywords:
            return f"$.{self.keyword_call('callMethod', f'{owner}, {text(name)}', node)}"
        return f"{owner}.{name}({self.items(node.args)})"

    def call_super(self, node: ast.Call, name: str) -> str:
        owner = next(scope for scope in reversed(self.scopes) if scope.kind == "class")
        method = self.scopes[self.scopes.index(owner) + 1]
        bound = f"$.superMethod({owner.class_reference}, {method.first_parameter}, {text(name)})"
        if node.keywords:
            return f"$.{self.keyword_call('call', bound, node)}"
        return f"{bound}({self.items(node.args)})"

    def keyword_call(self, kind: str, called: str, node: ast.Call) -> str:
        """Return a call with keyword arguments.

        Without ``**``, the keyword values follow the positional ones and their names are a constant of the module, so
        that the runtime can cache where each value goes.
        """
        names = [keyword.arg for keyword in node.keywords if keyword.arg]
        if len(names) < len(node.keywords):
            return f"{kind}({called}, [{self.items(node.args)}], {self.keywords(node.keywords)})"
        values = self.items([*node.args, *(keyword.value for keyword in node.keywords)])
        return f"{kind}Named({called}, [{values}], {self.constant(json.dumps(names))})"

    def call_on_generator(self, node: ast.Call) -> str | None:
        """Return a plain loop for ``any(… for …)`` and ``all(… for …)``, which is faster than a generator.

        For builtins that consume all items, replace the generator by a list comprehension and return None.
        """
        if not (node.args and isinstance(node.args[0], ast.GeneratorExp)):
            return None
        generator = node.args[0]
        if self.is_builtin(node.func, "any", "all") and isinstance(node.func, ast.Name):
            wanted = node.func.id == "any"
            leaf = f"if ({'' if wanted else '!'}{{}}) return {str(wanted).lower()};"
            return self.loop(
                generator, lambda: leaf.format(self.test(generator.elt)), "", f"return {str(not wanted).lower()};"
            )
        joins = isinstance(node.func, ast.Attribute) and node.func.attr == "join"
        if joins or self.is_builtin(node.func, *EXHAUSTING_BUILTINS):
            node.args[0] = ast.copy_location(ast.ListComp(generator.elt, generator.generators), generator)
        return None

    def items(self, nodes: list[ast.expr]) -> str:
        return ", ".join(
            f"...{self.expression(node.value)}" if isinstance(node, ast.Starred) else self.expression(node)
            for node in nodes
        )

    def keywords(self, keywords: list[ast.keyword]) -> str:
        pairs = (
            f"{text(keyword.arg)}: {self.expression(keyword.value)}"
            if keyword.arg
            else f"...$.keywordObject({self.expression(keyword.value)})"
            for keyword in keywords
        )
        return f"{{{', '.join(pairs)}}}"

    # Operators

    def expression_BinOp(self, node: ast.BinOp) -> str:
        return f"$.{OPERATORS[type(node.op)]}({self.expression(node.left)}, {self.expression(node.right)})"

    def expression_UnaryOp(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return self.test(node)
        match node.operand:
            case ast.Constant(int(value) | float(value)) if isinstance(node.op, ast.USub) and value:
                return f"({self.number(-value)})"
        return f"$.{UNARY[type(node.op)]}({self.expression(node.operand)})"

    def expression_BoolOp(self, node: ast.BoolOp) -> str:
        if all(map(self.is_boolean, node.values[:-1])):
            return self.join_operands(node, self.expression)
        code = self.expression(node.values[-1])
        for value in reversed(node.values[:-1]):
            name = self.temporary()
            test = f"$.truth({name} = {self.expression(value)})"
            code = f"({test} ? {code} : {name})" if isinstance(node.op, ast.And) else f"({test} ? {name} : {code})"
        return code

    def expression_Compare(self, node: ast.Compare) -> str:
        """Translate a chain such as ``a < b < c``: each operand is evaluated at most once, and only if needed."""
        left = self.expression(node.left)
        parts = []
        for index, (operator, operand) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = again = self.expression(operand)
            if index + 1 < len(node.ops) and not isinstance(operand, ast.Name | ast.Constant):
                again = self.temporary()
                right = f"({again} = {right})"
            parts.append(COMPARISONS[type(operator)].format(left, right))
            left = again
        return parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"

    def expression_IfExp(self, node: ast.IfExp) -> str:
        return f"({self.test(node.test)} ? {self.expression(node.body)} : {self.expression(node.orelse)})"

    def expression_NamedExpr(self, node: ast.NamedExpr) -> str:
        return f"({self.expression(node.target)} = {self.expression(node.value)})"

    # Collections

    def expression_List(self, node: ast.List) -> str:
        return f"[{self.items(node.elts)}]"

    def expression_Tuple(self, node: ast.Tuple) -> str:
        code = f"$.tuple([{self.items(node.elts)}])"
        if all(isinstance(item, ast.Constant) for item in node.elts):
            return self.constant(code)
        if len(node.elts) == 2 and not any(isinstance(item, ast.Starred) for item in node.elts):
            return f"$.pair({self.items(node.elts)})"
        return code

    def expression_Set(self, node: ast.Set) -> str:
        return f"$.set([{self.items(node.elts)}])"

    def expression_Dict(self, node: ast.Dict) -> str:
        pairs = (
            f"...{self.expression(value)}.$items()"
            if key is None
            else f"[{self.expression(key)}, {self.expression(value)}]"
            for key, value in zip(node.keys, node.values, strict=True)
        )
        return f"$.dict([{', '.join(pairs)}])"

    def expression_Subscript(self, node: ast.Subscript) -> str:
        return f"$.getItem({self.expression(node.value)}, {self.expression(node.slice)})"

    def expression_Slice(self, node: ast.Slice) -> str:
        bounds = (self.expression(bound) if bound else "null" for bound in (node.lower, node.upper, node.step))
        return f"$b.$slice({', '.join(bounds)})"

    # Text

    def expression_JoinedStr(self, node: ast.JoinedStr) -> str:
        parts = [self.expression(value) for value in node.values]
        if parts and not isinstance(node.values[0], ast.Constant) and len(parts) == 1:
            return parts[0]
        return f"({' + '.join(parts)})" if parts else '""'

    def expression_FormattedValue(self, node: ast.FormattedValue) -> str:
        value = self.expression(node.value)
        if node.conversion in CONVERSIONS:
            value = f"{CONVERSIONS[node.conversion]}({value})"
        if node.format_spec is None:
            return value if node.conversion in CONVERSIONS else f"$.str({value})"
        return f"$.format({value}, {self.expression(node.format_spec)})"

    # Functions and comprehensions

    def expression_Lambda(self, node: ast.Lambda) -> str:
        return self.function(node.args, [ast.copy_location(ast.Return(node.body), node)], "<lambda>")

    def expression_Yield(self, node: ast.Yield) -> str:
        return f"(yield {self.expression(node.value) if node.value else 'null'})"

    def expression_YieldFrom(self, node: ast.YieldFrom) -> str:
        return f"(yield* $.delegate({self.expression(node.value)}))"

    def expression_ListComp(self, node: ast.ListComp) -> str:
        return self.loop(node, lambda: f"$r.push({self.expression(node.elt)});", "const $r = [];", "return $r;")

    def expression_SetComp(self, node: ast.SetComp) -> str:
        return self.loop(node, lambda: f"$r.$add({self.expression(node.elt)});", "const $r = $.set([]);", "return $r;")

    def expression_DictComp(self, node: ast.DictComp) -> str:
        def leaf() -> str:
            return f"$r.put({self.expression(node.key)}, {self.expression(node.value)});"

        return self.loop(node, leaf, "const $r = $.dict([]);", "return $r;")

    def expression_GeneratorExp(self, node: ast.GeneratorExp) -> str:
        return self.loop(node, lambda: f"yield {self.expression(node.elt)};", "", "", is_generator=True)

    def loop(
        self, node: Comprehension, leaf: Callable[[], str], start: str, end: str, *, is_generator: bool = False
    ) -> str:
        """Return a comprehension as a function that is called with the first iterable.

        Python evaluates the first iterable outside the scope of the comprehension, and all others inside.
        """
        first = self.expression(node.generators[0].iter)
        names = [name for generator in node.generators for name in target_names(generator.target)]
        scope = Scope("comprehension", set(names))
        self.scopes.append(scope)
        loops = "".join(
            self.loop_head(generator, "$i" if index == 0 else self.expression(generator.iter))
            for index, generator in enumerate(node.generators)
        )
        code = f"{loops}{leaf()}{'}' * len(node.generators)}"
        self.scopes.pop()
        declared = scope.declarations(map(identifier, dict.fromkeys(names)))
        body = f"{{{declared}{start}{code}{end}}}"
        return f"$.generate(function* ($i) {body}, {first})" if is_generator else f"(($i) => {body})({first})"

    def loop_head(self, generator: ast.comprehension, iterable: str) -> str:
        conditions = "".join(f"if (!{self.test(condition)}) continue;" for condition in generator.ifs)
        if isinstance(generator.target, ast.Name):
            return f"for ({self.expression(generator.target)} of {iterable}) {{{conditions}"
        name = self.temporary()
        return f"for ({name} of {iterable}) {{{self.assign(generator.target, name)}{conditions}"

    def assign(self, target: ast.expr, value: str) -> str:
        """Return the statements that assign the value of an expression to a target."""
        match target:
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                return self.unpack(targets, value)
            case ast.Subscript(owner, index):
                first, value = self.evaluate_first(value, owner, index)
                return f"{first}$.setItem({self.expression(owner)}, {self.expression(index)}, {value});"
            case ast.Attribute(owner):
                first, value = self.evaluate_first(value, owner)
                return f"{first}{self.expression(target)} = {value};"
        return f"{self.expression(target)} = {value};"

    def evaluate_first(self, value: str, *operands: ast.expr) -> tuple[str, str]:
        """Return a statement that stores the value in a variable, and the variable.

        Python evaluates the value before the operands of the target. Where the order cannot matter, the statement is
        empty and the value is returned as it is.
        """
        if re.fullmatch(r"[\w$\[\]]+", value) or all(isinstance(node, ast.Name | ast.Constant) for node in operands):
            return "", value
        name = self.temporary()
        return f"{name} = {value};", name

    def unpack(self, targets: list[ast.expr], value: str) -> str:
        star = next((index for index, target in enumerate(targets) if isinstance(target, ast.Starred)), -1)
        name = self.temporary()
        parts = (target.value if isinstance(target, ast.Starred) else target for target in targets)
        assignments = "".join(self.assign(part, f"{name}[{index}]") for index, part in enumerate(parts))
        return f"{name} = $.unpack({value}, {len(targets)}, {star});{assignments}"
