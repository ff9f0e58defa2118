"""One edit rule: read from a line of text, checked for every record."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names
from shoal.errors import InvalidInput
from shoal.table import Table

ZEROS = re.compile(r"^zeros? of (?P<column>.+) stays? zero$")
TOLERANCE = 1e-9  # of the larger side of an equation: sums in another order differ in the last digits
ARITHMETIC: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
ORDER: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@dataclass(frozen=True)
class EditRule:
    """What must hold inside a record: an equation, a condition with or without `if`, or zeros that stay zero.

    `total` is the column an equation sums up where it stands alone on the left, else None; `zeros` the column
    whose zeros must stay.
    """

    text: str
    columns: tuple[str, ...]
    condition: ast.expr | None
    total: str | None = None
    zeros: str | None = None

    def broken(self, table: Table, original: Table | None = None) -> NDArray[np.bool_]:
        """Whether each record breaks the rule; a record with a gap in one of its columns cannot."""
        check_names(self.columns, table.names())
        if self.zeros is not None:
            before = _values(table if original is None else original, self.zeros) == 0
            after = _values(table, self.zeros)
            return np.asarray(before & (after != 0) & ~_gaps(after), dtype=bool)
        values = {name: _values(table, name) for name in self.columns}
        holds = np.broadcast_to(np.asarray(self._value(self.condition, values), dtype=bool), len(table))
        gaps = np.zeros(len(table), dtype=bool)
        for column in values.values():
            gaps |= _gaps(column)
        return ~holds & ~gaps

    def holds(self, table: Table) -> NDArray[np.bool_]:
        """Whether the condition holds in each record; a comparison with a gap does not."""
        if self.zeros is not None:
            raise InvalidInput(f"{self.text!r} is no condition; write one such as `{self.zeros} == 0`.")
        check_names(self.columns, table.names())
        values = {name: table.column(name) for name in self.columns}
        found = np.asarray(self._value(self.condition, values))
        if found.dtype != bool:
            raise InvalidInput(f"{self.text!r} is no condition; compare something, as in `age >= 65`.")
        return np.array(np.broadcast_to(found, len(table)), dtype=bool)

    def sums(self, table: Table) -> NDArray[np.float64]:
        """What the right side of an equation comes to in every record."""
        check_names(self.columns, table.names())
        values = {name: _values(table, name) for name in self.columns}
        assert isinstance(self.condition, ast.Compare)
        found = np.asarray(self._value(self.condition.comparators[0], values), dtype=np.float64)
        return np.array(np.broadcast_to(found, len(table)), dtype=np.float64)

    def _value(self, node: ast.AST | None, values: Mapping[str, Any]) -> Any:
        with np.errstate(all="ignore"):
            try:
                return _evaluate(node, values)
            except TypeError as error:
                raise InvalidInput(
                    f"The edit rule {self.text!r} compares numbers with text; compare like with like."
                ) from error


def read_edit(text: str) -> EditRule:
    """Read an edit rule from a line of text.

    Parameters
    ----------
    text
        ``total = wages + other`` (equal up to rounding), ``age >= 15``, ``age >= 15 if job == "cook"``,
        ``wages > 0 or benefits > 0``, ``zeros of wages stay zero``. Names of columns that are no plain word
        stand in backticks.

    Returns
    -------
    EditRule

    Notes
    -----
    Sums, differences, products, quotients, comparisons, `and`, `or`, `not`; nothing else is understood, and
    nothing is ever run.

    Examples
    --------
    >>> from shoal import as_table
    >>> rule = read_edit("total = wages + other")
    >>> rule.broken(as_table({"total": [3, 5], "wages": [1, 2], "other": [2, 2]}))
    array([False,  True])
    """
    zeros = ZEROS.match(text.strip())
    if zeros:
        name = zeros["column"].strip("` ")
        return EditRule(text, (name,), None, zeros=name)
    names: list[str] = []

    def quoted(match: re.Match[str]) -> str:
        names.append(match[1])
        return f"column_{len(names) - 1}_"

    plain = re.sub(r"`([^`]+)`", quoted, text)
    plain = re.sub(r"(?<![<>=!])=(?!=)", "==", plain)  # one = is two
    node = _named(_parsed(plain.strip(), text), {f"column_{i}_": name for i, name in enumerate(names)})
    columns = tuple(dict.fromkeys(n.id for n in ast.walk(node) if isinstance(n, ast.Name)))
    if not columns:
        raise InvalidInput(f"The edit rule {text!r} names no column; name at least one.")
    _check_grammar(node, text)
    return EditRule(text, columns, node, _total(node))


def _unread(text: str) -> InvalidInput:
    return InvalidInput(
        f"The edit rule {text!r} cannot be read; write it like `total = wages + other`, "
        '`age >= 15 if job == "cook"` or `zeros of wages stay zero`.'
    )


def _parsed(plain: str, text: str) -> ast.expr:
    """The expression; "a if b" is "not b or a"."""
    for ending in ("", " else True"):
        try:
            node = ast.parse(plain + ending, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if ending and isinstance(node, ast.IfExp):
            return ast.BoolOp(ast.Or(), [ast.UnaryOp(ast.Not(), node.test), node.body])
        return node
    raise _unread(text)


def _named(node: ast.expr, names: Mapping[str, str]) -> ast.expr:
    for inside in ast.walk(node):
        if isinstance(inside, ast.Name):
            inside.id = names.get(inside.id, inside.id)
    return node


def _total(node: ast.expr) -> str | None:
    """The column that stands alone on the left of an equation and not on its right."""
    if not (isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq)):
        return None
    left, right = node.left, node.comparators[0]
    if not isinstance(left, ast.Name) or not isinstance(right, ast.BinOp):
        return None
    return None if left.id in {n.id for n in ast.walk(right) if isinstance(n, ast.Name)} else left.id


def _check_grammar(node: ast.expr, text: str) -> None:
    known = (
        ast.Name,
        ast.Constant,
        ast.BinOp,
        ast.UnaryOp,
        ast.BoolOp,
        ast.Compare,
        ast.Load,
        ast.And,
        ast.Or,
    )
    allowed = (*known, ast.Not, ast.USub, ast.Eq, ast.NotEq, *ARITHMETIC, *ORDER)
    if not all(isinstance(inside, allowed) for inside in ast.walk(node)):
        raise _unread(text)


def _gaps(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype == object:
        return np.array([value is None for value in values], dtype=bool)
    return np.asarray(np.isnan(values), dtype=bool)


def _evaluate(node: ast.AST | None, values: Mapping[str, Any]) -> Any:
    """The value of an expression for all records at once."""
    match node:
        case ast.Name():
            return values[node.id]
        case ast.Constant():
            return node.value
        case ast.BinOp():
            return ARITHMETIC[type(node.op)](_evaluate(node.left, values), _evaluate(node.right, values))
        case ast.UnaryOp(op=ast.Not()):
            return ~np.asarray(_evaluate(node.operand, values), dtype=bool)
        case ast.UnaryOp():
            return -_evaluate(node.operand, values)
        case ast.BoolOp():
            join = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
            return join.reduce([np.asarray(_evaluate(part, values), dtype=bool) for part in node.values])
        case ast.Compare():
            sides = [_evaluate(side, values) for side in (node.left, *node.comparators)]
            steps = zip(node.ops, sides[:-1], sides[1:], strict=True)
            return np.logical_and.reduce([_compare(op, one, other) for op, one, other in steps])
    raise InvalidInput("An edit rule holds something that is not understood.")


def _compare(op: ast.cmpop, one: Any, other: Any) -> Any:
    if not isinstance(op, ast.Eq | ast.NotEq):
        return _in_order(ORDER[type(op)], one, other)
    if _is_text(one) or _is_text(other):
        equal = np.asarray(np.asarray(one, dtype=object) == np.asarray(other, dtype=object))
    else:
        one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
        equal = np.abs(one - other) <= TOLERANCE * np.maximum(np.maximum(np.abs(one), np.abs(other)), 1e-300)
    return equal if isinstance(op, ast.Eq) else ~equal


def _in_order(order: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
    if not (_is_text(one) or _is_text(other)):
        return order(one, other)
    pairs = np.broadcast(np.asarray(one, dtype=object), np.asarray(other, dtype=object))
    return np.array([a is not None and b is not None and order(a, b) for a, b in pairs], dtype=bool)


def _is_text(values: Any) -> bool:
    return np.asarray(values).dtype.kind in "OUS"


def _values(table: Table, name: str) -> NDArray[Any]:
    """Numbers to count with, also where they are codes or ranks; else the cells."""
    return table.numbers(name) if table.is_number(name) else table.column(name)
