"""Hierarchies in files, and as the plain values that recipes can hold."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal._check import check_choice
from shoal.errors import InvalidInput
from shoal.hierarchy.builders import (
    date_hierarchy,
    hierarchy_from_cuts,
    hierarchy_from_edges,
    hierarchy_from_prefixes,
    hierarchy_from_widths,
)
from shoal.hierarchy.recoding_files import read_recoding
from shoal.hierarchy.tree import Hierarchy, hierarchy_from_rows
from shoal.io.atomic import whole_file

# what a recipe can say about a hierarchy, and how it is made from that and the values of the column
WAYS: Mapping[str, Callable[[Any, Any], Hierarchy]] = {
    "rows": lambda given, values: hierarchy_from_rows(given),
    "edges": lambda given, values: hierarchy_from_edges(given),
    "cuts": lambda given, values: hierarchy_from_cuts(values, given),
    "widths": lambda given, values: hierarchy_from_widths(values, given),
    "prefixes": lambda given, values: hierarchy_from_prefixes(values, given),
    "dates": lambda given, values: date_hierarchy(values, given),
}


def read_hierarchy(path: str | Path, *, separator: str = ";") -> Hierarchy:
    """Read a hierarchy from a csv file without a header, one row per value: value;parent;...;*.

    Parameters
    ----------
    path
        The file; ARX writes and reads the same format.
    separator
        What stands between two levels.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> read_hierarchy("no-such-file.csv")
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: The hierarchy 'no-such-file.csv' cannot be read: No such file or directory.
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, delimiter=separator)
            lines = [(reader.line_num, row) for row in reader if row]
    except OSError as error:
        raise InvalidInput(f"The hierarchy {Path(path).name!r} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"The hierarchy {Path(path).name!r} is not UTF-8 text; save it as such."
        ) from error
    try:
        return hierarchy_from_rows([row for _, row in lines])
    except InvalidInput as error:
        raise InvalidInput(_by_line(Path(path).name, str(error), [line for line, _ in lines])) from None


def _by_line(file: str, sentence: str, lines: Sequence[int]) -> str:
    """The sentence with lines of the file in place of rows.

    >>> _by_line("a.csv", "Rows 0 and 1 of the hierarchy give two parents.", [1, 3])
    "Lines 1 and 3 of the hierarchy 'a.csv' give two parents."
    """

    def renamed(found: re.Match[str]) -> str:
        word = {"R": "L", "r": "l"}[found[1]] + "ine" + found[2]
        return word + re.sub(r"\d+", lambda number: str(lines[int(number[0])]), found[3])

    said = re.sub(r"\b([Rr])ow(s?)((?: and)? \d+(?: and \d+)?)", renamed, sentence)
    return said.replace("the hierarchy", f"the hierarchy {file!r}", 1).replace(
        "The hierarchy", f"The hierarchy {file!r}", 1
    )


def write_hierarchy(
    hierarchy: Hierarchy, path: str | Path, *, separator: str = ";", overwrite: bool = False
) -> None:
    """Write a hierarchy to a csv file without a header, as `read_hierarchy` and ARX read it.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    path
        Where to write.
    separator
        What stands between two levels.
    overwrite
        Whether an existing file may be replaced.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "places.csv")
    >>> write_hierarchy(hierarchy_from_rows([["Paris", "France", "*"]]), path)
    >>> path.read_text().strip()
    'Paris;France;*'
    """
    with whole_file(Path(path), overwrite) as part, part.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter=separator, lineterminator="\n").writerows(hierarchy.paths)


def as_hierarchy(given: Any, values: Iterable[Any]) -> Hierarchy:
    """A hierarchy from what a call or a recipe says.

    Parameters
    ----------
    given
        A `Hierarchy`, the name of a csv file or of a recoding of mu-Argus (.grc), rows, or a mapping that
        says one of: ``{"rows": ...}``, ``{"edges": {child: parent}}``, ``{"cuts": [20, 40]}``,
        ``{"widths": [5, 10]}``, ``{"prefixes": [3, 1]}``, ``{"dates": ["month", "year"]}``.
    values
        The values of the column, which intervals, prefixes and dates are made for.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> as_hierarchy({"widths": [10]}, [18, 35]).paths[0]
    ('18', '[10, 20)', '*')
    """
    if isinstance(given, Hierarchy):
        return given
    if isinstance(given, str | Path):
        recodes = Path(given).suffix.lower() == ".grc"
        return read_recoding(given, values) if recodes else read_hierarchy(given)
    if not isinstance(given, Mapping):
        return hierarchy_from_rows(given)
    if len(given) != 1:
        raise InvalidInput(f"A hierarchy is said in one way out of {', '.join(WAYS)}, got {len(given)}.")
    way = check_choice("hierarchy", next(iter(given)), tuple(WAYS))
    return WAYS[way](given[way], values)
