"""One-sentence checkers: what a public function calls at its door, so that kernels never have to."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from numbers import Integral
from typing import Any

import numpy as np

from shoal.errors import InvalidInput
from shoal.types import Matrix

MOST_COLUMNS = 10_000  # every column costs some milliseconds wherever it passes


def check_k(k: int, n: int) -> int:
    """The minimum group size as an int, if n records allow it.

    >>> check_k(3, 10)
    3
    >>> check_k(0, 1080)
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: `k` must be an integer from 2 to 1080 (the number of records), got 0.
    """
    if n < 2:
        count = "are no records" if n == 0 else "is only 1 record"
        raise InvalidInput(f"There {count}; at least 2 are needed to hide one among others.")
    if isinstance(k, bool | np.bool_) or not isinstance(k, Integral) or not 2 <= int(k) <= n:
        raise InvalidInput(f"`k` must be an integer from 2 to {n} (the number of records), got {k!r}.")
    return int(k)


def check_matrix(X: Any) -> Matrix:
    """A two-dimensional, finite float64 copy in C order; the caller's array is never touched.

    >>> check_matrix([[1, 2], [3, 4]]).dtype
    dtype('float64')
    """
    try:
        array = np.array(X, dtype=np.float64, order="C", copy=True)
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            "`X` must be a matrix of numbers, got something that does not convert; "
            "encode text columns first (shoal.encode.encode)."
        ) from error
    if array.ndim != 2:
        raise InvalidInput(
            f"`X` must have two dimensions (records, columns), got {array.ndim}; "
            "write X.reshape(-1, 1) for a single column."
        )
    if array.shape[1] == 0:
        raise InvalidInput("`X` has no columns; at least one is needed to tell records apart.")
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise InvalidInput(
            f"`X` has a missing or infinite value at row {row}, column {column}; "
            "microaggregate() takes care of missing values, a partitioner needs complete numbers."
        )
    return array


def check_choice(name: str, value: Any, choices: Collection[Any]) -> Any:
    """The value, if it is one of the choices.

    >>> check_choice("scale", "zscore", ("zscore", "range"))
    'zscore'
    """
    if value not in choices:
        known = ", ".join(repr(choice) for choice in choices)
        raise InvalidInput(f"`{name}` must be one of {known}, got {value!r}.{did_you_mean(value, choices)}")
    return value


def check_names(names: Iterable[str] | str, known: Collection[str], what: str = "column") -> list[str]:
    """The names as a list, if every one is known; a single text counts as one name.

    >>> check_names("age", ["age", "income"])
    ['age']
    >>> check_names(["agee"], ["age", "income"])
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: There is no column 'agee'. Did you mean 'age'? Known: age, income.
    """
    names = [names] if isinstance(names, str) else list(names)
    lookup = set(known) if len(names) > 20 else known
    for name in names:
        if name not in lookup:
            thing, of, place = what.partition(" of the ")
            where = f" in the {place}" if of else ""
            raise InvalidInput(f"There is no {thing} {name!r}{where}.{_known_names(name, known)}")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(f"The {what} {twice!r} is named twice; name it once.")
    return names


def _known_names(name: str, known: Collection[str]) -> str:
    """Which names there are, unless they look like values: a file without a line of names."""
    if any(is_number(other) for other in known):
        return " Names that are numbers are not shown; does the file lack its line of names?"
    listing = ", ".join(map(str, list(known)[:20])) + (", ..." if len(known) > 20 else "")
    return f"{did_you_mean(name, known)} Known: {listing}."


def is_number(text: Any) -> bool:
    """Whether a text reads as a finite number.

    >>> is_number("39"), is_number("age")
    (True, False)
    """
    try:
        return bool(np.isfinite(float(text)))
    except (TypeError, ValueError):
        return False


def check_width(columns: int) -> None:
    """Refuse more columns than can be treated in reasonable time.

    >>> check_width(12)
    """
    if columns > MOST_COLUMNS:
        raise InvalidInput(
            f"The file has {columns} columns, at most {MOST_COLUMNS} can be treated; keep those you release."
        )


def check_number(name: str, value: Any, low: float, high: float = np.inf) -> float:
    """The value as a float, if it lies in [low, high].

    >>> check_number("gamma", 0.2, 0)
    0.2
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not low <= number <= high:
        limits = f"at least {low:g}" if high == np.inf else f"from {low:g} to {high:g}"
        raise InvalidInput(f"`{name}` must be a number {limits}, got {value!r}.")
    return number


def check_count(name: str, value: Any) -> int:
    """The value as an int, if it is a whole number of at least 1.

    >>> check_count("n", 10)
    10
    >>> check_count("n", 0)
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: `n` must be a whole number of at least 1, got 0.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral) or int(value) < 1:
        raise InvalidInput(f"`{name}` must be a whole number of at least 1, got {value!r}.")
    return int(value)


def did_you_mean(value: Any, known: Iterable[Any]) -> str:
    """' Did you mean ...?' for the closest known name, or nothing.

    >>> did_you_mean("mdva", ["mdav", "md"])
    " Did you mean 'mdav'?"
    """
    close = difflib.get_close_matches(str(value), [str(name) for name in known], n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
