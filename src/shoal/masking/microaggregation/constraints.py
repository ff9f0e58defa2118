"""l-diversity and t-closeness: what groups must be like so that their confidential values stay hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names, check_number
from shoal.encode.look_alikes import hidden_values
from shoal.errors import InvalidInput
from shoal.models import Classes, distinct_l_diverse, distinct_values, t_close
from shoal.models.promise import Model
from shoal.table import Table
from shoal.types import Labels

# (row positions, the group 0..g-1 of each) -> whether every group keeps the promise
Constraint: TypeAlias = Callable[[NDArray[np.intp], Labels], NDArray[np.bool_]]


def group_constraint(
    table: Table,
    *,
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    confidential: Iterable[str] | str | None = None,
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
    if l_diversity is None and t_closeness is None:
        return None
    names = table.names("confidential") if confidential is None else check_names(confidential, table.names())
    if not names:
        raise InvalidInput("l-diversity and t-closeness need a confidential column; say which one it is.")
    file = Classes(np.zeros(len(table), dtype=np.intp), {name: hidden_values(table, name) for name in names})
    models: list[Model] = []
    if l_diversity is not None:
        models.append(partial(distinct_l_diverse, l=_check_l(l_diversity, file)))
    if t_closeness is not None:
        models.append(partial(t_close, t=check_number("t_closeness", t_closeness, 0, 1)))

    def satisfied(rows: NDArray[np.intp], labels: Labels) -> NDArray[np.bool_]:
        part = file.part(rows, labels)
        return np.asarray(np.all([model(part) for model in models], axis=0))

    return satisfied


def _check_l(l_diversity: Any, file: Classes) -> int:
    number = check_number("l_diversity", l_diversity, 2)
    for name in file.hidden:
        found = int(distinct_values(file, name).max(initial=0))
        if number > found:
            raise InvalidInput(
                f"`l_diversity` asks for {l_diversity} different values of {name!r}, which has {found}."
            )
    return int(np.ceil(number))
