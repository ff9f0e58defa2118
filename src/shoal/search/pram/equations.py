"""Equations as trees: evaluated, written as text and LaTeX, and read back.

A tree is a terminal ("f_k", "f_l", "n" or a number) or a triple (operator, left, right).
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from shoal.errors import InvalidInput
from shoal.types import Matrix

Tree: TypeAlias = Any
OPERATORS = ("+", "-", "*", "/")
VARIABLES = ("f_k", "f_l", "n")
STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2}
SPOKEN: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


@dataclass(frozen=True)
class Equation:
    r"""An equation for the probability that category k becomes another category l.

    f_k and f_l are the shares of the records that have k and l, n is the number of categories, and x / 0 is
    1. Shares make an equation fit any file.

    Examples
    --------
    >>> equation = Equation.from_text("0.2 * (1 - f_k - f_l) / ((n - 2) * (1 - f_k))")
    >>> print(equation)
    0.2 * (1 - f_k - f_l) / ((n - 2) * (1 - f_k))
    >>> print(equation.latex())
    \frac{0.2 \cdot (1 - f_k - f_l)}{(n - 2) \cdot (1 - f_k)}
    >>> Equation.from_json(equation.to_json()) == equation
    True
    """

    tree: Tree

    def __str__(self) -> str:
        return text_of(self.tree)

    def latex(self) -> str:
        """The equation in LaTeX."""
        return latex_of(self.tree)

    def to_json(self) -> str:
        """The equation as JSON text."""
        return json.dumps({"equation": str(self)})

    def save(self, path: str | Path) -> None:
        """Write the equation to a .json file, over what is there."""
        Path(path).write_text(self.to_json() + "\n", encoding="utf-8")

    @classmethod
    def from_text(cls, text: str) -> Equation:
        """An equation from its text."""
        try:
            return cls(_parsed(ast.parse(text, mode="eval").body))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise InvalidInput(
                "An equation is made of f_k, f_l, n, numbers, + - * / and brackets, "
                "as 0.2 * f_l / (1 - f_k); this text is not."
            ) from None

    @classmethod
    def from_json(cls, text: str) -> Equation:
        """An equation from JSON text."""
        try:
            written = json.loads(text)["equation"]
        except (json.JSONDecodeError, KeyError, TypeError):
            raise InvalidInput('The text is no saved equation; it looks like {"equation": "0.1"}.') from None
        return cls.from_text(str(written))

    @classmethod
    def read(cls, path: str | Path) -> Equation:
        """An equation that was saved."""
        try:
            return cls.from_json(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise InvalidInput(
                f"The equation {Path(path).name!r} cannot be read: {error.strerror}."
            ) from error


def value_of(tree: Tree, frequencies: Matrix) -> Matrix:
    """The value for every k (rows) and l (columns); x / 0 is 1.

    >>> value_of(("/", "f_l", "f_k"), np.array([3.0, 1.0])).round(3)
    array([[1.   , 0.333],
           [3.   , 1.   ]])
    """
    f = frequencies / frequencies.sum()
    known = {"f_k": f[:, None], "f_l": f[None, :], "n": np.float64(len(f))}
    with np.errstate(all="ignore"):
        return np.broadcast_to(_value(tree, known), (len(f), len(f))).astype(np.float64)


def _value(tree: Tree, known: dict[str, Any]) -> Any:
    if not isinstance(tree, tuple):
        return known[tree] if isinstance(tree, str) else np.float64(tree)
    operator, left, right = tree[0], _value(tree[1], known), _value(tree[2], known)
    if operator == "/":
        return np.where(np.abs(right) < 1e-12, 1.0, left / np.where(np.abs(right) < 1e-12, 1.0, right))
    return left + right if operator == "+" else left - right if operator == "-" else left * right


def depth(tree: Tree) -> int:
    """Levels of operators.

    >>> depth("f_k"), depth(("+", "f_k", ("*", 2.0, "n")))
    (0, 2)
    """
    return 1 + max(depth(tree[1]), depth(tree[2])) if isinstance(tree, tuple) else 0


def places(tree: Tree) -> list[tuple[int, ...]]:
    """Where every node is, as the branches (1 left, 2 right) that lead there.

    >>> places(("+", "f_k", "n"))
    [(), (1,), (2,)]
    """
    if not isinstance(tree, tuple):
        return [()]
    return [(), *((side, *place) for side in (1, 2) for place in places(tree[side]))]


def subtree(tree: Tree, place: tuple[int, ...]) -> Tree:
    """What is at a place."""
    for side in place:
        tree = tree[side]
    return tree


def grafted(tree: Tree, place: tuple[int, ...], branch: Tree) -> Tree:
    """The tree with another branch at that place.

    >>> grafted(("+", "f_k", "n"), (2,), 1.0)
    ('+', 'f_k', 1.0)
    """
    if not place:
        return branch
    parts = list(tree)
    parts[place[0]] = grafted(tree[place[0]], place[1:], branch)
    return tuple(parts)


def simplified(tree: Tree) -> Tree:
    """A shorter tree of the same value: constants joined, x - x, x / x, 0 x, 1 x and x + 0 written out.

    >>> simplified(("+", ("*", "f_k", ("-", "n", "n")), ("*", 2.0, ("/", "f_l", 0.5))))
    ('*', 2.0, ('/', 'f_l', 0.5))
    """
    if not isinstance(tree, tuple):
        return tree
    operator, left, right = tree[0], simplified(tree[1]), simplified(tree[2])
    if isinstance(left, float) and isinstance(right, float):
        return float(_value((operator, left, right), {}))
    if left == right and operator in "-/":
        return 0.0 if operator == "-" else 1.0
    if operator == "*" and 0.0 in (left, right):
        return 0.0
    neutral = 0.0 if operator in "+-" else 1.0
    if right == neutral:
        return left
    if left == neutral and operator in "+*":
        return right
    return 1.0 if operator == "/" and right == 0.0 else (operator, left, right)


def text_of(tree: Tree) -> str:
    """The tree with as few brackets as it needs.

    >>> text_of(("-", "f_k", ("-", "f_l", 0.5)))
    'f_k - (f_l - 0.5)'
    """
    if not isinstance(tree, tuple):
        return tree if isinstance(tree, str) else f"({tree!r})" if tree < 0 else _number(tree)
    operator, left, right = tree
    return f"{_bracketed(left, STRENGTH[operator])} {operator} {_bracketed(right, STRENGTH[operator] + 1)}"


def _bracketed(tree: Tree, strength: int) -> str:
    """A branch in brackets if its operator binds less than it must."""
    weak = isinstance(tree, tuple) and STRENGTH[tree[0]] < strength
    return f"({text_of(tree)})" if weak else text_of(tree)


def latex_of(tree: Tree) -> str:
    r"""The tree as LaTeX.

    >>> print(latex_of(("/", "f_l", ("+", 1.0, "n"))))
    \frac{f_l}{1 + n}
    """
    if not isinstance(tree, tuple):
        return text_of(tree)
    operator, left, right = tree
    if operator == "/":
        return rf"\frac{{{latex_of(left)}}}{{{latex_of(right)}}}"
    sign = {"+": "+", "-": "-", "*": r"\cdot"}[operator]
    sides = [
        f"({latex_of(side)})" if _is_weak(side, STRENGTH[operator] + more) else latex_of(side)
        for side, more in ((left, 0), (right, 1))
    ]
    return f"{sides[0]} {sign} {sides[1]}"


def _is_weak(tree: Tree, strength: int) -> bool:
    """Whether a branch needs brackets in LaTeX; a fraction never does."""
    return isinstance(tree, tuple) and tree[0] != "/" and STRENGTH[tree[0]] < strength


def _number(value: float) -> str:
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def _parsed(node: ast.AST) -> Tree:
    if isinstance(node, ast.BinOp) and type(node.op) in SPOKEN:
        return (SPOKEN[type(node.op)], _parsed(node.left), _parsed(node.right))
    if isinstance(node, ast.Name) and node.id in VARIABLES:
        return node.id
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
    ):
        return -_parsed(node.operand)
    if isinstance(node, ast.Constant) and _is_number(node.value):
        return float(node.value)  # type: ignore[arg-type]
    raise ValueError


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
