"""What groups must be like besides their size: l-diversity, t-closeness, enough different households."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names, check_number
from shoal._door import takes_frames
from shoal.encode.look_alikes import hidden_values, key_columns
from shoal.encode.population_people import people_alike
from shoal.errors import InvalidInput
from shoal.masking.households.household_variables import household_of
from shoal.models import Classes, class_size_of, distinct_l_diverse, distinct_values, k_anonymous, t_close
from shoal.models.population_counts import population_of
from shoal.models.promise import Model, Promise
from shoal.table import Table
from shoal.types import Labels

# (row positions, the group 0..g-1 of each) -> whether every group keeps the promise
Constraint: TypeAlias = Callable[[NDArray[np.intp], Labels], NDArray[np.bool_]]


@takes_frames
def group_constraint(
    table: Table,
    *,
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    confidential: Iterable[str] | str | None = None,
    households: int | None = None,
    promise: Promise | Mapping[str, Any] | None = None,
    columns: Iterable[str] | None = None,
) -> Constraint | None:
    """What groups must fulfil beyond their size, as a function; None if nothing was asked for.

    Parameters
    ----------
    table
        The table.
    l_diversity
        Every group must have at least this many different values of every confidential column.
    t_closeness
        In every group, the distribution of every confidential column must be at most this far (0 to 1) from
        that in the whole file: earth mover's distance over ranks for numeric and ordinal columns, half the
        sum of absolute differences for nominal ones.
    confidential
        The confidential columns; those with that role if not given.
    households
        Every group must have records of at least this many different households, where a column has that role
        and a household more than one record.
    promise
        A promise, or its entries: ``{"l": {"ill": 2}, "t": {"pay": 0.2}, "alpha_k": {"alpha": 0.5}}``, see
        `shoal.models.MODELS`.
    columns
        What an intruder may know, where people of a population table are counted; the quasi-identifiers if
        not given.

    Notes
    -----
    A missing confidential value is none of the different values; in distributions of nominal columns it is a
    category of its own, from those of others it is left out. Deciding takes O(n log n) a confidential column.

    References
    ----------
    Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam: l-diversity: privacy beyond k-anonymity, ICDE (2006);
    Li, Li, Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity, ICDE (2007).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"ill": ["flu", "flu", "flu", "gout"]}, roles={"confidential": ["ill"]})
    >>> group_constraint(table, l_diversity=2)(np.arange(4), np.array([0, 0, 1, 1]))
    array([False,  True])
    """
    homes = None if households is None else _shared_homes(table)
    models: list[Model] = [] if homes is None else [partial(k_anonymous, k=int(households or 1))]
    models += [] if promise is None else as_promise(promise).models().values()
    if l_diversity is None and t_closeness is None and not models:
        return None
    names: list[str] = []
    if l_diversity is not None or t_closeness is not None:
        names = (
            table.names("confidential") if confidential is None else check_names(confidential, table.names())
        )
        if not names:
            raise InvalidInput("l-diversity and t-closeness need a confidential column; say which one it is.")
    file = _whole_file(table, [] if promise is None else as_promise(promise).confidential, names, homes)
    population = None if promise is None else population_of(as_promise(promise).others)
    if population is not None:
        file = replace(file, people=people_alike(table, population, key_columns(table, columns)))
    if l_diversity is not None:
        models.append(partial(distinct_l_diverse, l=dict.fromkeys(names, _check_l(l_diversity, names, file))))
    if t_closeness is not None:
        models.append(
            partial(t_close, t=dict.fromkeys(names, check_number("t_closeness", t_closeness, 0, 1)))
        )
    for name, least in ({} if promise is None else as_promise(promise).l).items():
        _check_l(max(least, 2), [name], file, "l")

    def satisfied(rows: NDArray[np.intp], labels: Labels) -> NDArray[np.bool_]:
        part = file.part(rows, labels)
        return np.asarray(np.all([model(part) for model in models], axis=0))

    return satisfied


def size_for(k: int, promise: Promise | Mapping[str, Any] | None, most: int) -> int:
    """The size of classes, at most `most`, that keeps promised risks without joining classes afterwards.

    >>> size_for(2, {"average_risk": {"risk": 0.15}}, 100)
    7
    """
    promised = as_promise(promise or {})
    mean = promised.others.get("average_risk", {}).get("risk", 1)
    return min(max(k, promised.class_size, class_size_of(mean)), most)


def as_promise(promise: Promise | Mapping[str, Any]) -> Promise:
    """The promise itself, or from its entries."""
    return promise if isinstance(promise, Promise) else Promise.from_dict(promise)


def _whole_file(table: Table, promised: list[str], named: list[str], homes: Labels | None) -> Classes:
    """All records as one class, with every column that may have to stay hidden and the weights."""
    check_names(promised, table.names())
    hidden = dict.fromkeys([*table.names("confidential"), *promised, *named])
    weights = table.names("weight")
    return Classes(
        np.zeros(len(table), dtype=np.intp),
        {name: hidden_values(table, name) for name in hidden},
        homes,
        table.column(weights[0]) if weights else None,
    )


def _shared_homes(table: Table) -> Labels | None:
    """The household of every record, if there are any and one has more than one record."""
    if not table.names(role="household"):
        return None
    homes = household_of(table)
    return None if int(homes.max(initial=-1)) + 1 == len(table) else homes


def _check_l(l_diversity: Any, names: list[str], file: Classes, what: str = "l_diversity") -> int:
    number = check_number(what, l_diversity, 2)
    for name in names:
        found = int(distinct_values(file, name).max(initial=0))
        if number > found:
            raise InvalidInput(
                f"`{what}` asks for {l_diversity} different values of {name!r}, which has {found}; "
                "ask for less."
            )
    return int(np.ceil(number))
