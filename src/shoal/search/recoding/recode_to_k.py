"""Recoding by search: of all recodings that keep the promise, the one that loses least."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_k, check_names, check_number
from shoal._door import takes_frames
from shoal.encode.sampling_weights import check_household_weights
from shoal.errors import Infeasible, NotApplicable
from shoal.hierarchy import with_hierarchies
from shoal.masking.households.household_variables import check_households, household_of, household_variables
from shoal.masking.microaggregation.constraints import Constraint, group_constraint, size_for
from shoal.masking.microaggregation.strata import check_strata, strata_of
from shoal.masking.protected_columns import protected_columns
from shoal.masking.recoding.covered_classes import CoveredClasses
from shoal.masking.recoding.join_classes import join_until
from shoal.masking.takes_where import takes_where
from shoal.search.recoding.cell_losses import CELL_LOSSES, CLASS_LOSSES, CellLosses, Loss, cell_losses
from shoal.search.recoding.count_node import Demand, Test, number_rows_at
from shoal.search.recoding.found_recoding import FoundRecoding, Scheme
from shoal.search.recoding.key_codes import KeyCodes, code_keys
from shoal.search.recoding.local_classes import local_classes, record_labels, within_levels
from shoal.search.recoding.released_labels import level_shares, local_loss, release_labels, release_levels
from shoal.search.recoding.search_by_classes import ClassLossSearch
from shoal.search.recoding.search_lattice import LatticeSearch
from shoal.search.recoding.search_wide_lattice import WideSearch
from shoal.table import Table
from shoal.types import Callback, Progress

Numbers = Literal["labels", "means"]
LOCAL_LOSSES = tuple(name for name in CELL_LOSSES if name != "geometric")  # no sum over records
LISTED = 4_000_000  # nodes of the largest lattice that is listed: 36 MB and half a second to sort


@takes_where
@takes_frames
def recode_to_k(
    table: Table,
    *,
    k: int,
    scheme: Scheme = "global",
    suppression: float = 0.0,
    loss: Loss = "gcp",
    weights: Mapping[str, float] | None = None,
    levels: Mapping[str, Any] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    numbers: Numbers = "labels",
    promise: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    columns: Iterable[str] | None = None,
    callback: Callback | None = None,
) -> Table:
    """Find the levels of the hierarchies that lose least while every record looks like k - 1 others.

    Parameters
    ----------
    table
        The table to protect.
    k
        How many records must look alike; it has no default because it is the promise you make.
    scheme
        "global": one level for a column, the same in all records; "local": a class of records is released as
        the common ancestors of its values, so that a value may be released in several ways, which loses far
        less.
    suppression
        The share of the records, from 0 to 1, whose quasi-identifiers may be made missing instead. They look
        alike too, so that none or at least k of them are suppressed; where members of a household share one
        of the columns, whole households are. Local recoding never needs it.
    loss
        What is minimised. By cells: "gcp" (see `shoal.measures.gcp`), "granularity" and "geometric" (what ARX
        prints and what its search minimises), "entropy" (non-uniform entropy), "precision" (level / height);
        by classes: "discernibility", "class_size". Local recoding knows "gcp", "granularity", "entropy" and
        "precision".
    weights
        How much a column counts in losses by cells, 1 where not given.
    levels
        By column name the level it must have, or the lowest and the highest: ``{"age": [1, 3], "sex": 0}``.
    hierarchies
        How columns generalise, see `shoal.hierarchy.with_hierarchies`. A nominal column without a hierarchy
        is released as it is or as *.
    numbers
        "labels", or "means": numeric columns are released as the mean of their class.
    promise
        What every class must be like besides its size: ``{"l": {"ill": 2}, "t": {"pay": 0.2}}``, or any other
        of `shoal.models.MODELS` by name, for one or several confidential columns.
    seconds
        Stop after this time with the best so far.
    columns
        The columns an intruder may know; the quasi-identifiers if not given.
    callback
        Called with `Progress`; `best` is the `FoundRecoding` so far. Returning True stops with the best.

    Returns
    -------
    Table
        Same rows, same order; columns recoded to a level become text. `find_recoding` takes the same options
        and says which levels were found and whether they are proven to be best.

    Raises
    ------
    Infeasible
        If no recoding keeps the promise.

    Notes
    -----
    A node of the lattice is one level for every column. What it loses without suppression is known before
    counting: nodes are taken in that order until it reaches the best loss, and a node where too many records
    lack company rules out all below it. A missing cell is a category of its own below the top level. Of up to
    4,000,000 nodes the best is proven; of more the best found is released, and the bound is that of groups of
    columns. Time O(n d) for a node that is counted, usually a few per cent of all; memory O(n d + nodes).

    Local recoding takes the nodes by rising loss, lets each release every class of k among the records that
    are left, and then cuts, dissolves and splits neighbouring classes until that gains little, O(n d) each.

    References
    ----------
    Samarati: Protecting respondents' identities in microdata release, IEEE Transactions on Knowledge and Data
    Engineering 13 (2001); Kohlmayer, Prasser, Eckert, Kemper, Kuhn: Flash: efficient, stable and optimal
    k-anonymity, PASSAT (2012).

    Examples
    --------
    >>> from shoal import as_table
    >>> columns = {"age": [21, 25, 34, 38], "town": ["a", "a", "b", "b"]}
    >>> table = as_table(columns, roles={"quasi": ["age", "town"]})
    >>> recode_to_k(table, k=2, hierarchies={"age": {"widths": [10]}}).frame.rows()
    [('[20, 30)', 'a'), ('[20, 30)', 'a'), ('[30, 40)', 'b'), ('[30, 40)', 'b')]
    """
    return find_recoding(
        table,
        k=k,
        scheme=scheme,
        suppression=suppression,
        loss=loss,
        weights=weights,
        levels=levels,
        hierarchies=hierarchies,
        numbers=numbers,
        promise=promise,
        seconds=seconds,
        columns=columns,
        callback=callback,
    ).table()


@takes_frames
def find_recoding(
    table: Table,
    *,
    k: int,
    scheme: Scheme = "global",
    suppression: float = 0.0,
    loss: Loss = "gcp",
    weights: Mapping[str, float] | None = None,
    levels: Mapping[str, Any] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    numbers: Numbers = "labels",
    promise: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    columns: Iterable[str] | None = None,
    callback: Callback | None = None,
) -> FoundRecoding:
    """What `recode_to_k` finds: the levels, their loss, a bound, the trace and the table.

    Parameters
    ----------
    table, k, scheme, suppression, loss, weights, levels, hierarchies, numbers, promise, seconds
        These, `columns` and `callback` as for `recode_to_k`.

    Returns
    -------
    FoundRecoding

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [21, 25, 34, 38]}, roles={"quasi": ["age"]})
    >>> print(find_recoding(table, k=2, hierarchies={"age": {"widths": [10, 20]}}))
    The best of 4 recodings, proven: age at level 1; gcp 23.5 %, no record suppressed, 2 classes.
    """
    strata = table.names(role="stratum")
    names = protected_columns(table, columns, strata=strata)
    check_k(k, len(table))
    _check_roles(table, k, strata, scheme, suppression)
    check_choice("scheme", scheme, ("global", "local"))
    check_choice("numbers", numbers, ("labels", "means"))
    check_choice("loss", loss, (*CELL_LOSSES, *CLASS_LOSSES) if scheme == "global" else LOCAL_LOSSES)
    allowed = int(np.floor(check_number("suppression", suppression, 0, 1) * len(table) + 1e-9))
    table = with_hierarchies(table, hierarchies)
    check_names(levels or (), [*names, *strata])
    keys = code_keys(_with_names(table, strata), [*names, *strata], {**(levels or {}), **_none(strata)})
    weights = {**(weights or {}), **_none(strata)} if loss in CELL_LOSSES else weights
    constraint = group_constraint(table, households=k, promise=promise or {})
    demand = Demand(k, allowed, _test_of(constraint), _homes_of(table, names))
    until = np.inf if seconds is None else time.perf_counter() + check_number("seconds", seconds, 0)
    if scheme == "local":
        _refuse_shared(table, names, demand)
        demand = replace(demand, k=size_for(k, promise, len(table)))
        return _local(table, keys, cell_losses(keys, loss, weights), demand, numbers, until, callback)
    search = _search_for(keys, loss, demand, weights)
    search.deadline = until
    search.stop = _reporter(table, keys, search, loss, numbers, callback)
    search.run()
    if search.best is None:
        raise Infeasible(_refusal(search, demand))
    return _said(_found(table, keys, search, loss, numbers), callback)


Search = LatticeSearch | WideSearch


def _none(strata: list[str]) -> dict[str, int]:
    """Strata stay at level 0, and lose nothing there."""
    return dict.fromkeys(strata, 0)


def _with_names(table: Table, strata: list[str]) -> Table:
    """The table with strata as names, which need no hierarchy to stay as they are."""
    named = [
        replace(a, kind="nominal", order=(), hierarchy=None) if a.name in strata else a
        for a in table.attributes
    ]
    return Table(table.frame, tuple(named))


def _check_roles(table: Table, k: int, strata: list[str], scheme: Scheme, suppression: float) -> None:
    """Enough households, in every stratum, each with one weight; what would need k in every stratum."""
    homes = household_of(table) if table.names(role="household") else None
    if homes is not None:
        check_household_weights(table)
        check_households(homes, k)
    check_strata(strata_of(table, strata), k, homes)
    if strata and (scheme == "local" or suppression):
        raise NotApplicable(
            "Local recoding and `suppression` do not treat strata apart; leave them out and add a step "
            "suppress_to_k, or use mondrian."
        )


def _test_of(constraint: Constraint | None) -> Test | None:
    if constraint is None:
        return None
    return lambda labels: constraint(np.arange(len(labels)), labels)


def _homes_of(table: Table, names: list[str]) -> NDArray[np.intp] | None:
    """The household of every record where its members share one of the columns."""
    if not table.names(role="household") or not household_variables(table, columns=names):
        return None
    homes = household_of(table)
    return None if int(homes.max(initial=-1)) + 1 == len(table) else homes


def _refuse_shared(table: Table, names: list[str], demand: Demand) -> None:
    """Classes of persons may release what a household shares in several ways, so that one tells the other."""
    if demand.homes is None:
        return
    shared = household_variables(table, columns=names)[0]
    raise NotApplicable(
        f"Column {shared!r} is the same for all members of a household, and local recoding may release it in "
        "several ways; use scheme='global', or mondrian."
    )


def _search_for(keys: KeyCodes, loss: Loss, demand: Demand, weights: Mapping[str, float] | None) -> Search:
    nodes = np.prod([float(column.highest - column.lowest + 1) for column in keys.columns])
    if loss in CLASS_LOSSES:
        check_number("nodes of a lattice searched by classes", nodes, 1, LISTED)
        return ClassLossSearch(keys, cell_losses(keys, "gcp", weights), demand, name=loss)
    losses = cell_losses(keys, loss, weights)
    return (LatticeSearch if nodes <= LISTED else WideSearch)(keys, losses, demand)


def _found(table: Table, keys: KeyCodes, search: Search, loss: Loss, numbers: Numbers) -> FoundRecoding:
    best = search.best
    assert best is not None
    levels = {column.name: level for column, level in zip(keys.columns, best.levels, strict=True)}
    return FoundRecoding(
        scheme="global",
        levels=levels,
        loss=loss,
        value=search.value,
        bound=search.bound,
        proven=search.bound >= search.value - 1e-12,
        suppressed=best.suppressed,
        classes=best.classes,
        nodes=search.nodes,
        counted=search.counted,
        trace=tuple(search.trace),
        make=lambda: release_levels(table, keys, best, means=numbers == "means"),
        looked=tuple(search.looked),
    )


def _local(
    table: Table,
    keys: KeyCodes,
    losses: CellLosses,
    demand: Demand,
    numbers: Numbers,
    until: float,
    callback: Callback | None,
) -> FoundRecoding:
    def found(classes: CoveredClasses) -> FoundRecoding:
        labels = record_labels(keys, classes)
        return FoundRecoding(
            scheme="local",
            levels=None,
            loss=losses.name,
            value=local_loss(keys, losses, labels),
            bound=0.0,
            proven=False,
            suppressed=0,
            classes=len(np.unique(labels, axis=0)),
            nodes=0,
            counted=0,
            trace=(),
            make=lambda: release_labels(table, keys, labels, means=numbers == "means"),
            shares=level_shares(keys, labels),
        )

    def report(classes: CoveredClasses) -> bool:
        assert callback is not None
        return bool(callback(Progress(0.5, f"loss {classes.cost:.4f}", found(classes))))

    classes = local_classes(keys, losses, demand.k, until, None if callback is None else report)
    if demand.test is not None:
        join_until(classes, demand.test)
    if not within_levels(classes):
        raise Infeasible(_too_large(keys, demand))
    return _said(found(classes), callback)


def _said(found: FoundRecoding, callback: Callback | None) -> FoundRecoding:
    """What was found, which the callback hears as well: a table does not tell whether it is proven."""
    if callback is not None:
        callback(Progress(1.0, "found", found))
    return found


def _reporter(
    table: Table, keys: KeyCodes, search: Search, loss: Loss, numbers: Numbers, callback: Callback | None
) -> Any:
    if callback is None:
        return None

    def report(state: Search) -> bool:
        best = None if state.best is None else _found(table, keys, search, loss, numbers)
        known = np.isfinite(state.value)
        text = f"loss {state.value:.4f}, at least {state.bound:.4f}" if known else "no recoding yet"
        share = min(1.0, state.bound / state.value) if known and state.value > 0 else 0.0
        return bool(callback(Progress(share, f"{state.counted} recodings counted, {text}", best)))

    return report


def _refusal(search: Search, demand: Demand) -> str:
    if search.fewest > demand.allowed and not search.halted:
        return _too_large(search.keys, demand)
    if search.best is None and not search.halted:
        return (
            f"No recoding keeps the promise, though k = {demand.k} alone can be kept; ask for less, or allow "
            "more suppression."
        )
    return "No recoding keeps the promise before the search was stopped; give it more time or ask for less."


def _too_large(keys: KeyCodes, demand: Demand) -> str:
    """Which k the coarsest levels allowed can keep."""
    _, sizes = number_rows_at(keys, [column.highest for column in keys.columns])
    steps = np.sort(sizes)
    gone = np.cumsum(steps) - steps  # records in smaller classes
    reached = int(steps[gone <= demand.allowed].max())
    alone = int(sizes[sizes < demand.k].sum())
    best = f"k = {reached} is the most they reach" if reached > 1 else "no k above 1 is reached there"
    return (
        f"No recoding keeps k = {demand.k}: at the coarsest levels allowed {alone} records "
        f"lack company and {demand.allowed} may be suppressed, {best}; allow higher levels, more "
        "suppression, or a smaller k."
    )
