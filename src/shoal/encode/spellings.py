"""Texts that look the same to a reader and are different to a program: spaces, composed letters."""

from __future__ import annotations

import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable

from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.errors import InputWarning
from shoal.table import Table


def similar_spellings(values: Iterable[str]) -> int:
    """How many of the texts differ from another one only by spaces, widths or the code of composed letters.

    >>> similar_spellings(["a", "a ", "b", "é", "e\\u0301"])
    4
    """
    folded = [" ".join(unicodedata.normalize("NFKC", value).split()) for value in values]
    counts = Counter(folded)
    return sum(counts[text] > 1 for text in folded)


@takes_frames
def spelling_doubts(table: Table) -> dict[str, int]:
    """The columns of text, identifiers left out, with categories that look like another one, and how many.

    Notes
    -----
    Time O(n log n) a column.

    Examples
    --------
    >>> spelling_doubts({"town": ["Vic", "Vic ", "Olot"], "sex": ["f", "m", "f"]})
    {'town': 2}
    """
    found = {}
    for attribute in table.attributes:
        if attribute.role != "identifier" and not table.is_number(attribute.name):
            texts = [value for value in categorise(table, attribute.name)[1] if isinstance(value, str)]
            found[attribute.name] = similar_spellings(texts)
    return {name: count for name, count in found.items() if count}


def warn_of_spellings(table: Table) -> None:
    """Say which columns of a file to be released hold such texts; what is counted takes them for different.

    >>> import warnings
    >>> from shoal import as_table
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     warn_of_spellings(as_table({"town": ["Vic", "Vic "]}))
    >>> str(heard[0].message)[:48]
    'Some categories differ from another one only by '
    """
    found = spelling_doubts(table)
    if found:
        columns = ", ".join(f"{count} in {name}" for name, count in found.items())
        warnings.warn(
            f"Some categories differ from another one only by spaces or by the code of a letter ({columns}); "
            "they are masked and counted as different, so mend the file if they mean the same.",
            InputWarning,
            stacklevel=3,
        )
