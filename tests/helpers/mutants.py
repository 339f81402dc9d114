"""Mutants: programs with one small change of the code, made by chance from a fixed seed."""

from __future__ import annotations

import ast
from dataclasses import replace
from random import Random
from typing import Any

from student_shapes import Program

OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
}
NAMES = {"max": "min", "min": "max", "any": "all", "all": "any", "alpha": "beta", "beta": "alpha"}
NAMES |= {"max_value": "min_value", "min_value": "max_value", "X": "O", "O": "X"}


def mutant_of(program: Program, number: int) -> Program:
    """Return a program with one change in one of its files; the number is the seed."""
    random = Random(f"{program.name} {number}")
    file = random.choice(sorted(program.files))
    while True:
        tree = ast.parse(program.files[file])
        changed = _mutate(random.choice([*ast.walk(tree)]), random)
        source = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        if changed:
            return replace(program, name=f"{program.name}_{number}", files={**program.files, file: source})


def _mutate(node: ast.AST, random: Random) -> bool:
    """Change a node in place, if it is of a kind that can be changed."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in OPERATORS:
            node.ops = [_other(operator, random)]
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator) if type(operator) in OPERATORS:
            node.op = _other(operator, random)
        case ast.Constant(value=bool(value)):
            node.value = not value
        case ast.Constant(value=int(value)):
            node.value = value + random.choice((-1, 1))
        case ast.Constant(value="X" | "O" as mark):
            node.value = NAMES[mark]
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            node.id = NAMES[name]
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            node.op = ast.UAdd() if isinstance(node.op, ast.USub) else node.op
            node.operand = operand if isinstance(node.op, ast.UAdd) else ast.UnaryOp(ast.Not(), operand)
        case ast.FunctionDef() | ast.For() | ast.If() if len(node.body) > 1:
            del node.body[random.randrange(len(node.body))]
        case _:
            return False
    return True


def _other(operator: ast.AST, random: Random) -> Any:
    return random.choice(OPERATORS[type(operator)])()
