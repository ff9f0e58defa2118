"""Local suppression: remove as few cells as possible until every record looks like k."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np

from shoal._check import check_choice, check_count, check_k, check_names, check_number
from shoal._door import takes_frames
from shoal._shared.options import renamed, report
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput, PrivacyWarning, TimeWarning
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.constraints import Constraint, group_constraint, size_for
from shoal.masking.microaggregation.strata import check_strata, strata_of, treats_strata
from shoal.masking.protected_columns import protected_columns
from shoal.masking.suppression.few_known_keys import suppress_subsets
from shoal.masking.suppression.found_suppression import FoundSuppression
from shoal.masking.suppression.linked_keys import joined_codes, key_groups, within_limits
from shoal.masking.suppression.optimal_suppression import optimal_suppression
from shoal.masking.suppression.resplit import fewer_cells, keep_promise
from shoal.masking.suppression.restore_wildcards import suppress_by_few
from shoal.masking.suppression.wildcards import Codes, Mask, suppress_strictly
from shoal.masking.takes_where import takes_where
from shoal.partition.labels import members
from shoal.table import Table
from shoal.types import Callback, Labels, Matrix

Gaps = Literal["category", "wildcard"]


@renamed(missing="gaps")
@takes_where
@treats_strata
@by_household
@takes_frames
def suppress_to_k(
    table: Table,
    *,
    k: int,
    gaps: Gaps = "category",
    known_keys: int | None = None,
    importance: Mapping[str, float] | None = None,
    limits: Mapping[str, int] | None = None,
    linked: Iterable[Iterable[str]] | None = None,
    cells_per_record: int | None = None,
    risk: float | None = None,
    certify: bool = False,
    seconds: float = 60,
    promise: Mapping[str, Any] | None = None,
    strata: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
    callback: Callback | None = None,
) -> Table:
    """Make single cells missing until every record has the same quasi-identifiers as k - 1 others.

    Parameters
    ----------
    table
        The table to protect.
    k
        How many records must look alike; it has no default because it is the promise you make.
    gaps
        How k is counted. "category": a missing cell is a value of its own, so that nobody can tell the k
        records apart; "wildcard": a missing cell looks like any value, which needs far fewer suppressions and
        is what other tools do, but an intruder who reads the gaps sees smaller groups, and a `PrivacyWarning`
        says so.
    known_keys
        An intruder knows at most this many columns at a time: every set of so many reaches k, not all columns
        together, which needs far fewer cells.
    importance
        How much you would mind losing a cell of a column; what its file says (`Attribute.importance`, 1 if
        it says nothing) where not given. Cells are taken from columns that matter less, and sums of
        importance are kept small.
    limits
        At most this many cells of a column, by its name; other columns suffer instead.
    linked
        Columns whose cells go together, as lists: ``[["zip", "town"]]``.
    cells_per_record
        With gaps="wildcard" at most this many cells of a record; 3 if not given, more where k needs more.
    risk
        With gaps="wildcard" the mean chance, from 0 to 1, that an intruder who knows all keys may have of
        picking the right record: cells are suppressed until it is reached, and restored as long as it is.
    certify
        Whether to search for the least weight with an integer program and prove it (HiGHS; files of some
        hundred distinct records). Without a proof after `seconds` a `TimeWarning` says how sure it is.
    seconds
        Time for `certify`.
    promise
        What look-alikes must be like besides their number, by category: ``{"l": {"ill": 2}}``, or
        any other of `shoal.models.MODELS` by name.
    strata
        Column(s) whose classes reach k apart.
    columns
        The columns an intruder may know; the quasi-identifiers if not given. Every value of a numeric column
        is a category of its own: recode a fine one first.
    callback
        Called with `Progress` before every part of the work;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order; cells either as they were or missing.

    Raises
    ------
    Infeasible
        If a stratum has fewer than k records.

    Notes
    -----
    Patterns of columns are tried in the order of their importance, 2^d of them for d columns (at most some
    4,096): time O(n log n) a pattern until all records have company. By category, classes of files of up to
    200,000 cells are then cut anew with their neighbours, and last every cell is restored that k does not
    need. The fewest cells are guaranteed by `certify` only: the problem is NP-hard. Cells that are missing
    already count like suppressed ones.

    Gaps as wildcards are a trap: blanking k - 1 whole records makes any file "k-anonymous" that way. See the
    page of this method for what an intruder still finds.

    References
    ----------
    Samarati: Protecting respondents' identities in microdata release, IEEE Transactions on Knowledge and Data
    Engineering 13 (2001); Meyerson, Williams: On the complexity of optimal k-anonymity, PODS (2004).

    Examples
    --------
    >>> from shoal import as_table
    >>> columns = {"age": [30, 30, 41, 42], "town": ["a", "a", "b", "b"]}
    >>> table = as_table(columns, roles={"quasi": ["age", "town"]})
    >>> suppress_to_k(table, k=2).frame.rows()
    [(30, 'a'), (30, 'a'), (None, 'b'), (None, 'b')]
    """
    return find_suppression(
        table,
        k=k,
        gaps=gaps,
        known_keys=known_keys,
        importance=importance,
        limits=limits,
        linked=linked,
        cells_per_record=cells_per_record,
        risk=risk,
        certify=certify,
        seconds=seconds,
        promise=promise,
        strata=strata,
        columns=columns,
        callback=callback,
    ).table()


@treats_strata
@takes_frames
def find_suppression(
    table: Table,
    *,
    k: int,
    gaps: Gaps = "category",
    known_keys: int | None = None,
    importance: Mapping[str, float] | None = None,
    limits: Mapping[str, int] | None = None,
    linked: Iterable[Iterable[str]] | None = None,
    cells_per_record: int | None = None,
    risk: float | None = None,
    certify: bool = False,
    seconds: float = 60,
    promise: Mapping[str, Any] | None = None,
    strata: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
    callback: Callback | None = None,
) -> FoundSuppression:
    """What `suppress_to_k` suppresses: cells by column, their weight, the risk that is left, and the table.

    Parameters
    ----------
    table, k, gaps, known_keys, importance, limits, linked, cells_per_record, risk, certify, seconds
        And `promise`, `strata`, `columns`, `callback` as for `suppress_to_k`; records are counted, not
        households.

    Returns
    -------
    FoundSuppression

    Examples
    --------
    >>> from shoal import as_table
    >>> columns = {"age": [30, 30, 41, 42], "town": ["a", "a", "b", "b"]}
    >>> table = as_table(columns, roles={"quasi": ["age", "town"]})
    >>> found = find_suppression(table, k=2)
    >>> found.cells, found.risk
    ({'age': 2, 'town': 0}, 0.5)
    """
    check_choice("gaps", gaps, ("category", "wildcard"))
    names = protected_columns(table, columns, strata=strata)
    check_k(k, len(table))
    _check_mode(gaps, cells_per_record, risk, certify)
    _check_known(known_keys, gaps, certify, promise)
    weights = _weights(table, names, importance)
    check_strata(stratum := strata_of(table, strata), k)
    whole = np.column_stack([categorise(table, name)[0] for name in names])
    groups = key_groups(names, linked)
    codes, joined = joined_codes(whole, weights, groups)
    labels = [names[group[0]] for group in groups]
    way = partial(_suppress, codes, gaps, stratum, cells_per_record, risk, known_keys)
    report(callback, 0.1, "suppressing")
    constraint = group_constraint(table, promise=promise or {})
    if constraint is not None:
        _check_free(gaps, certify, limits)
    larger = size_for(k, promise, int(np.bincount(stratum).min()))
    masks = {size: within_limits(partial(way, size), joined, limits, labels) for size in {k, larger}}
    report(callback, 0.6, "suppressing")
    mask, bound = _least(codes, masks, joined, stratum, constraint), 0.0
    if certify:
        mask, bound = _certified(codes, k, joined, stratum, mask, check_number("seconds", seconds, 0), limits)
    of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    place = np.argsort(np.concatenate(groups))
    spread = mask[:, of][:, place] & (whole >= 0)
    weight = float((spread @ weights).sum())
    if gaps == "wildcard":
        _warn(k)
    report(callback, 1.0, "suppressing")
    return FoundSuppression(
        cells={name: int(count) for name, count in zip(names, spread.sum(axis=0), strict=True)},
        weight=weight,
        bound=bound,
        proven=certify and bound >= weight - 1e-6,
        of_records=_cells_of_records(spread),
        _table=table,
        _codes=whole,
        _mask=spread,
        _strata=stratum,
    )


def _cells_of_records(spread: Mask) -> dict[int, int]:
    """How many records lose so many cells."""
    counts = np.bincount(spread.sum(axis=1))
    return {cells: int(count) for cells, count in enumerate(counts.tolist()) if count}


def _least(
    codes: Codes, masks: Mapping[int, Mask], weights: Matrix, stratum: Labels, constraint: Constraint | None
) -> Mask:
    """Of the masks, by the size of their classes, the one that needs the fewest cells to keep the promise."""
    kept = list(masks.values())
    if constraint is not None:
        kept = [keep_promise(codes, mask, k, weights, stratum, constraint) for k, mask in masks.items()]
    return min(kept, key=lambda mask: float((mask @ weights).sum()))


def _suppress(
    codes: Codes,
    gaps: Gaps,
    stratum: Labels,
    cells_per_record: int | None,
    risk: float | None,
    known_keys: int | None,
    k: int,
    weights: Matrix,
) -> Mask:
    mask = np.zeros(codes.shape, dtype=bool)
    for rows in members(stratum):
        if known_keys is not None and known_keys < codes.shape[1]:
            mask[rows] = suppress_subsets(codes[rows], k, weights, known_keys)
        elif gaps == "category":
            mask[rows] = fewer_cells(codes[rows], suppress_strictly(codes[rows], k, weights), k, weights)
        else:
            mask[rows] = suppress_by_few(codes[rows], k, weights, cells_per_record, risk)
    return mask


def _certified(
    codes: Codes,
    k: int,
    weights: Matrix,
    stratum: Labels,
    mask: Mask,
    seconds: float,
    limits: Mapping[str, int] | None,
) -> tuple[Mask, float]:
    """The mask or a better one, and what no mask goes below, whatever the limits are."""
    parts, bound, best = members(stratum), 0.0, mask.copy()
    for rows in parts:
        found = optimal_suppression(codes[rows], k, weights, seconds / len(parts))
        bound += found.bound
        if (
            found.mask is not None
            and not limits
            and (found.mask @ weights).sum() < (mask[rows] @ weights).sum()
        ):
            best[rows] = found.mask
    if bound < (best @ weights).sum() - 1e-6:
        warnings.warn(
            f"The suppressed cells weigh {(best @ weights).sum():g}; only a weight below {bound:g} is ruled "
            "out so far: give it more `seconds`.",
            TimeWarning,
            stacklevel=5,
        )
    return best, bound


def _check_free(gaps: Gaps, certify: bool, limits: Mapping[str, int] | None) -> None:
    if gaps == "wildcard" or certify or limits:
        raise InvalidInput(
            '`promise` goes with gaps="category" and without `certify` and `limits`; leave these out.'
        )


def _check_known(
    known_keys: int | None, gaps: Gaps, certify: bool, promise: Mapping[str, Any] | None
) -> None:
    if known_keys is None:
        return
    check_count("known_keys", known_keys)
    if gaps == "wildcard" or certify or promise:
        raise InvalidInput(
            '`known_keys` goes with gaps="category" and without `certify` and `promise`; leave these out.'
        )


def _check_mode(gaps: Gaps, cells_per_record: int | None, risk: float | None, certify: bool) -> None:
    if cells_per_record is not None:
        check_count("cells_per_record", cells_per_record)
    if risk is not None:
        check_number("risk", risk, 1e-6, 1)
    if gaps == "category" and (cells_per_record is not None or risk is not None):
        raise InvalidInput(
            '`cells_per_record` and `risk` are for gaps="wildcard"; by category no record is picked out with '
            "more than the chance 1 / k."
        )
    if gaps == "wildcard" and certify:
        raise InvalidInput('`certify` is for gaps="category"; leave it out.')


def _weights(table: Table, names: list[str], importance: Mapping[str, float] | None) -> np.ndarray:
    check_names(importance or (), names)
    given = {
        name: check_number(f"importance of {name}", w, 1e-6, 1e6) for name, w in (importance or {}).items()
    }
    return np.array([given.get(name, table.attribute(name).importance) for name in names])


def _warn(k: int) -> None:
    warnings.warn(
        f"Every record looks like {k} only if a missing cell is taken as a wildcard; an intruder who reads "
        'the gaps sees smaller groups; gaps="category" prevents that.',
        PrivacyWarning,
        stacklevel=4,
    )
