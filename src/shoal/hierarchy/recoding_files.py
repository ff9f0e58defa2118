"""Global recodings of mu-Argus (.grc): which codes become which coarser code, as a hierarchy of one level."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput
from shoal.hierarchy.tree import Hierarchy, as_text, hierarchy_from_rows

LINE = re.compile(r"^\s*(?P<code>[^:<]+?)\s*:\s*(?P<parts>.+?)\s*$")
RANGE = re.compile(r"^(?P<low>[^-]*?)\s*-\s*(?P<high>[^-]*)$")
TOP = "*"


def read_recoding(path: str | Path, values: Iterable[Any]) -> Hierarchy:
    """Read a global recoding of mu-Argus as the hierarchy of the values of a column.

    Parameters
    ----------
    path
        The file: lines such as ``1: -20`` (up to 20), ``2: 21-30``, ``3: 31,33,40-`` (from 40 on). Words in
        angle brackets, such as <MISSING> and <CODELIST>, say nothing about the hierarchy.
    values
        The values of the column; None and NaN are passed over.

    Returns
    -------
    Hierarchy
        One level of new codes and ``*`` above it; a value that no line names stays as it is.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "age.grc"
    >>> _ = file.write_text("1: -20\\n2: 21-30\\n3: 31-\\n<MISSING> 8 9\\n")
    >>> read_recoding(file, [18, 25, 70]).paths
    (('18', '1', '*'), ('25', '2', '*'), ('70', '3', '*'))
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="cp1252")
    except OSError as error:
        raise InvalidInput(f"The recoding {path.name!r} cannot be read: {error.strerror}.") from error
    rules: list[tuple[str, Callable[[str], bool]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        found = LINE.match(line)
        if found:
            rules += [(found["code"], _rule(part.strip())) for part in found["parts"].split(",")]
        elif line.strip() and not line.strip().startswith("<"):
            raise InvalidInput(
                f"Line {number} of the recoding {path.name!r} is not NEW: OLD, LOW-HIGH; mend it."
            )
    if not rules:
        raise InvalidInput(f"The recoding {path.name!r} names no code; write lines such as 1: 10-19.")
    codes = dict.fromkeys(as_text(value) for value in values if value is not None and value == value)
    return hierarchy_from_rows([[code, _new(code, rules), TOP] for code in codes])


def _new(code: str, rules: list[tuple[str, Callable[[str], bool]]]) -> str:
    return next((new for new, fits in rules if fits(code)), code)


def _rule(part: str) -> Callable[[str], bool]:
    """Whether a code is the one named or lies in the range; numbers are compared as numbers."""
    found = RANGE.match(part)
    if found is None:
        return lambda code: _order(code) == _order(part)
    low, high = found["low"], found["high"]
    return lambda code: (
        (not low or _order(low) <= _order(code)) and (not high or _order(code) <= _order(high))
    )


def _order(code: str) -> tuple[int, float, str]:
    """Numbers by size and before texts, texts by their letters."""
    try:
        return (0, float(code), "")
    except ValueError:
        return (1, 0.0, code.strip())
