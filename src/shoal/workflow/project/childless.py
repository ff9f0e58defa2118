"""Parents without a child: on a join they are not seen, and where they are few they would stand out."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.encode.look_alikes import key_columns
from shoal.errors import PrivacyWarning
from shoal.masking.microaggregation.strata import strata_of
from shoal.masking.takes_where import put_back
from shoal.table import Table

Rows = NDArray[np.intp]


def few_childless(has_children: NDArray[np.intp], k: int) -> bool:
    """Whether there are parents without a child, but fewer than k.

    >>> few_childless(np.array([0, 1, 1, 1]), 2), few_childless(np.array([0, 0, 1, 1]), 2)
    (True, False)
    """
    without = int((has_children == 0).sum())
    return 0 < without < k


def hidden_childless(
    table: Table, has_children: NDArray[np.intp], name: str, mask: Callable[[Table], Table]
) -> Table:
    """The parents masked; the few without a child are hidden among the smallest class of the others.

    Parameters
    ----------
    table
        The parents.
    has_children
        1 for parents that have records in the tables below.
    name
        What the table is called.
    mask
        Masks those with children.

    Returns
    -------
    Table
        Those without a child, and one class of those with, have no value in any column an intruder may know:
        they look alike, and the join still sees a whole class.

    Examples
    --------
    >>> from shoal import as_table
    >>> homes = as_table({"rooms": [1, 2, 2, 5, 5, 5]}, roles={"quasi": "rooms"})
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     done = hidden_childless(homes, np.array([0, 1, 1, 1, 1, 1]), "homes", lambda part: part)
    >>> done.frame["rooms"].to_list()
    [None, None, None, 5, 5, 5]
    """
    rows = np.flatnonzero(has_children)
    part = table.take(rows)
    masked = mask(part)
    classes = strata_of(masked, key_columns(masked))
    smallest = int(np.argmin(np.bincount(classes)))
    gone = np.concatenate([np.flatnonzero(has_children == 0), rows[classes == smallest]])
    done = put_back(table, part, masked, rows)
    cells = {column: done.cells(column) for column in key_columns(done)}
    for values in cells.values():
        values[gone] = None
    few = int((has_children == 0).sum())
    warnings.warn(
        f"{few} of {len(table)} records of {name} have no record in the tables below, too few to hide among "
        f"themselves: they and {len(gone) - few} others lost what an intruder may know of them.",
        PrivacyWarning,
        stacklevel=2,
    )
    return done.assign(**cells)
