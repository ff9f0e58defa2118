"""Records suppressed as a whole are one class: others are taken into it until it keeps the promise."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from shoal._door import takes_frames
from shoal.encode.look_alikes import code_matrix, key_columns, look_alikes
from shoal.encode.population_people import people_alike
from shoal.errors import PrivacyWarning
from shoal.hierarchy.population_table import population_table
from shoal.masking.cells import cells_of
from shoal.models import Classes
from shoal.models.population_counts import population_of
from shoal.models.promise import Promise
from shoal.models.row_classes import row_classes
from shoal.table import Table
from shoal.types import Labels, Matrix


@takes_frames
def join_suppressed(table: Table, *, promise: Promise) -> Table:
    """Suppress further records until those without any quasi-identifier keep the promise among themselves.

    Parameters
    ----------
    table
        A masked table. Where strata differ, suppressed records differ too: each stratum is treated apart.
    promise
        What every class must keep, that of the suppressed records included.

    Returns
    -------
    Table
        Same rows, same order; whole classes were taken in, the smallest first, and a `PrivacyWarning` says
        how many records. Where even a whole stratum does not help, nothing is changed there.

    Notes
    -----
    Models of classes (k, l, t ...) are those of `shoal.models`. Taking whole classes breaks no other one.
    Time O(n log n) for every class that is taken in.

    References
    ----------
    Samarati: Protecting respondents' identities in microdata release, IEEE Transactions on Knowledge and Data
    Engineering 13 (2001), on suppressed tuples.

    Examples
    --------
    >>> import warnings
    >>> from shoal import as_table
    >>> people = as_table({"age": [30, 30, 40, 40, 40, None]}, roles={"quasi": "age"})
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     print(join_suppressed(people, promise=Promise(k=2)).frame["age"].to_list())
    [None, None, 40, 40, 40, None]
    >>> str(heard[0].message)
    '2 further records are suppressed as a whole, so that the class of those suppressed keeps the promise.'
    """
    names = [name for name in table.names("quasi") if table.missing()[name]]
    if not promise or not len(table) or len(names) < len(table.names("quasi")) or not names:
        return table
    gone = (code_matrix(table, names) < 0).all(axis=1)
    if not gone.any():
        return table
    hidden = list(dict.fromkeys([*table.names("confidential"), *promise.confidential]))
    classes = look_alikes(table, confidential=[name for name in hidden if name in table.names()])
    taken = np.zeros(len(table), dtype=bool)
    outside = [name for name in key_columns(table) if name not in names]
    test = _test_of(promise, classes, _people_of_areas(table, promise, outside))
    areas = row_classes(code_matrix(table, outside)) if outside else np.zeros(len(table), dtype=np.intp)
    for area in np.unique(areas[gone]).tolist():
        taken |= _taken_in(classes.labels, gone & (areas == area), areas == area, test)
    if not taken.any():
        return table
    _warn(int(taken.sum()))
    released = {name: cells_of(table, name) for name in names}
    for cells in released.values():
        cells[taken] = None
    return table.assign(**released)


def _people_of_areas(table: Table, promise: Promise, outside: list[str]) -> Matrix | None:
    """For every record all people of its area: whoever is suppressed may be any of them."""
    population = population_of(promise.others)
    if population is None:
        return None
    if not outside:
        return np.full(len(table), float(len(population_table(population, []))))
    areas = row_classes(code_matrix(table, outside))
    return people_alike(table, population, outside) * np.bincount(areas)[areas]


def _test_of(
    promise: Promise, classes: Classes, people: Matrix | None
) -> Callable[[NDArray[np.bool_]], bool]:
    models = promise.models().values()

    def kept(members: NDArray[np.bool_]) -> bool:
        rows = np.flatnonzero(members)
        part = classes.part(rows, np.zeros(len(rows), dtype=np.intp))
        if people is not None:
            part = replace(part, people=people[rows] / len(rows))
        return all(bool(np.all(model(part))) for model in models)

    return kept


def _taken_in(
    labels: Labels,
    gone: NDArray[np.bool_],
    area: NDArray[np.bool_],
    kept: Callable[[NDArray[np.bool_]], bool],
) -> NDArray[np.bool_]:
    """The records of whole classes to suppress too; none if the class keeps its promise or never will."""
    members = gone.copy()
    sizes = np.bincount(labels[area & ~gone], minlength=int(labels.max()) + 1)
    for found in np.argsort(sizes, kind="stable").tolist():
        if kept(members):
            return members & ~gone
        if sizes[found]:
            members |= area & ~gone & (labels == found)
    return members & ~gone if kept(members) else np.zeros_like(gone)


def _warn(count: int) -> None:
    records = "1 further record is" if count == 1 else f"{count} further records are"
    warnings.warn(
        f"{records} suppressed as a whole, so that the class of those suppressed keeps the promise.",
        PrivacyWarning,
        stacklevel=4,
    )
