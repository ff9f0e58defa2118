"""Values that rather say that nothing is known: -9 among ages, -99 among words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

LEAST_OTHERS = 2  # different values of the usual kind, so that a code can stand out among them
MOST_WORDS = 1000  # different words of a column; one with more is no answer that has codes
MOST_CODES = 3  # of one column: refused, unknown, does not apply
# What questionnaires give out for missing, and no more: a column of changes or temperatures has other values.
CODES = re.compile(r"-([1-9]|77|88|9[6-9]|777|888|99[6-9]|9999)(\.0)?")


def likely_missing(values: Iterable[Any]) -> bool:
    """Whether a few of the different values of a column are codes for missing cells, by how they look.

    Among words they are the only numbers, among numbers the only ones below zero.

    >>> likely_missing(["yes", "no", "-9"]), likely_missing([20.0, 31.0, -9.0])
    (True, True)
    >>> likely_missing([-9, -4, 3, -2, -1]), likely_missing(["1", "2", "-9"]), likely_missing([-40, 7, 9])
    (False, False, False)
    """
    found = np.asarray(values if isinstance(values, np.ndarray) else list(values))
    if found.dtype.kind in "if":
        odd = [str(value) for value in found[found < 0][: MOST_CODES + 1]]
    elif len(found) <= MOST_WORDS and all(isinstance(value, str) for value in found.tolist()):
        odd = [value for value in found.tolist() if re.fullmatch(r"[+-]?\d+(\.\d+)?", value.strip())]
    else:
        return False
    codes = all(CODES.fullmatch(value.strip()) for value in odd)
    return 0 < len(odd) <= MOST_CODES and codes and len(found) - len(odd) >= LEAST_OTHERS
