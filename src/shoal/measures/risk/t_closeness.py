"""t-closeness: how far the confidential values of a class are from those of the whole file."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._check import check_choice, check_names
from shoal._door import takes_frames
from shoal.encode.look_alikes import look_alikes
from shoal.errors import InvalidInput
from shoal.measures._shared.confidential_columns import keys_and_confidential
from shoal.models import class_distances
from shoal.models.t_close import Distance
from shoal.table import Table, with_roles_of
from shoal.types import Matrix

DISTANCES: tuple[Distance | None, ...] = (None, "equal", "ordered")


@takes_frames
def t_closeness(
    original: Table,
    masked: Table,
    *,
    distance: Distance | None = None,
    columns: Iterable[str] | None = None,
) -> float:
    """100 * t, the largest distance between the confidential values of a class and those of the whole file.

    Read it as how much, at most, the class of a person tells about a confidential value beyond what the file
    as a whole tells about everybody.

    Parameters
    ----------
    original, masked, columns
        As in `l_diversity`.
    distance
        Earth mover's distance where any two values are equally far ("equal") or values lie in order and
        neighbours are 1/(m-1) apart ("ordered"). If not given: "equal" for nominal columns, else "ordered".

    Returns
    -------
    float
        0 (every class mirrors the file) to 100; the worst class of the worst confidential column counts.

    Notes
    -----
    A missing confidential value is a category of its own under "equal" and left out under "ordered", where it
    has no place. Not applicable without a column of role confidential. Time O(n log n) a column.

    References
    ----------
    Li, Li, Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity, ICDE (2007).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table(
    ...     {"age": [30, 30, 40, 40], "ill": ["flu", "cold", "flu", "cold"]},
    ...     roles={"quasi": "age", "confidential": "ill"},
    ... )
    >>> t_closeness(table, table)
    0.0
    """
    keys, confidential = keys_and_confidential(original, masked, columns)
    masked = with_roles_of(original, masked)
    return 100.0 * closeness(masked, distance=distance, confidential=confidential, columns=keys)


@takes_frames
def closeness(
    table: Table,
    *,
    distance: Distance | None = None,
    confidential: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
) -> float:
    """The t of t-closeness, from 0 to 1: that of the worst class and the worst confidential column.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40], "ill": ["flu", "cold", "flu"]}, roles={"quasi": "age"})
    >>> round(closeness(table, confidential="ill"), 3)
    0.333
    """
    return float(class_closeness(table, distance=distance, confidential=confidential, columns=columns).max())


@takes_frames
def class_closeness(
    table: Table,
    *,
    distance: Distance | None = None,
    confidential: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
) -> Matrix:
    """The t of every class, in the numbering of `equivalence_classes`; the worst confidential column counts.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40], "ill": ["flu", "cold", "flu"]}, roles={"quasi": "age"})
    >>> class_closeness(table, confidential="ill").round(3)
    array([0.167, 0.333])
    """
    check_choice("distance", distance, DISTANCES)
    names = table.names(role="confidential") if confidential is None else confidential
    hidden = check_names(names, table.names())
    if not hidden:
        raise InvalidInput("No column has the role confidential; say which one an intruder should not learn.")
    classes = look_alikes(table, columns=columns, confidential=hidden)
    worst: Matrix = np.max([class_distances(classes, name, distance) for name in hidden], axis=0)
    return worst
