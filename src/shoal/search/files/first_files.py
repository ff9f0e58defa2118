"""The first files of an evolution: a table masked by many methods and settings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from shoal._door import takes_frames
from shoal._shared.options import with_known_options
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput, PrivacyWarning, ShoalError
from shoal.masking.clusters.global_median import global_median
from shoal.masking.clusters.protect_clusters import protect_clusters
from shoal.masking.microaggregation.microaggregate import microaggregate
from shoal.masking.noise.add_noise import add_noise
from shoal.masking.pram.matrices import frequency_matrix, invariant_matrix, inverse_frequency_matrix
from shoal.masking.pram.pram import pram
from shoal.masking.protected_columns import protected_columns
from shoal.masking.recoding.global_recode import global_recode
from shoal.masking.recoding.mondrian import mondrian
from shoal.masking.recoding.top_bottom_code import bottom_code, top_code
from shoal.masking.suppression.suppress_to_k import suppress_to_k
from shoal.masking.swapping.rank_swap import rank_swap
from shoal.masking.swapping.shuffle import shuffle
from shoal.search.files.coded_file import misfit
from shoal.table import Table
from shoal.types import Masker, RandomState

SIZES = (2, 3, 5, 8, 12, 20, 35, 60)  # k of the first files, from mild to strong
PERCENTS = (1, 2, 5, 10, 15, 20, 30, 50)  # reach of rank swapping, from mild to strong
# Chance of PRAM to keep a category, from strong to mild
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@takes_frames
def first_files(
    table: Table,
    *,
    maskers: Iterable[Masker] | None = None,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
) -> list[Table]:
    """A table masked in many ways: the usual first population of `evolve_file`.

    Parameters
    ----------
    table
        The table to protect.
    maskers
        Maskers, their options frozen by `functools.partial`; if not given all of shoal's, each in several
        settings, as far as they release values that the original could have.
    columns
        The columns to mask; the quasi-identifiers if not given.
    rng
        Seed or generator.

    Returns
    -------
    list of Table
        No two alike in these columns.

    Notes
    -----
    PRAM takes the categorical columns, rank swapping of the same strength the numeric ones. Of recoding only
    what keeps valid categories is used: rare ones become the most frequent of them. Noise is for whole
    numbers, since it makes a new value of every other. Missing cells stay or are treated as the maskers do.
    Cost: that of about 70 maskers.

    Examples
    --------
    >>> from shoal.datasets import make_census
    >>> len(first_files(make_census(200, rng=1), columns=["education", "sex"], rng=1)) > 30
    True
    """
    rng = np.random.default_rng(rng)
    names = protected_columns(table, columns)
    given = None if maskers is None else list(maskers)
    if given is not None and not given:
        raise InvalidInput("`maskers` is empty; name at least one, or leave it out for all of them.")
    wanted = usual_maskers(table, names) if given is None else given
    made = []
    for masker, stream in zip(wanted, rng.spawn(len(wanted)), strict=True):
        options: dict[str, Any] = {"rng": stream}
        if given is None or columns is not None:  # else a masker knows its quasi-identifiers itself
            options["columns"] = names
        masked = _mask(with_known_options(masker, **options), table, names, strict=given is not None)
        if masked is not None:
            made.append(masked)
    return distinct(made, names)


def distinct(files: Sequence[Table], names: Sequence[str]) -> list[Table]:
    """The files without repetitions, in the same order."""
    seen: dict[Any, Table] = {}
    for file in files:
        seen.setdefault(tuple(tuple(file.column(name).tolist()) for name in names), file)
    return list(seen.values())


def _mask(masker: Masker, table: Table, names: list[str], strict: bool) -> Table | None:
    """The masked table; None if a masker of ours has nothing to say, or releases values of another sort."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PrivacyWarning)  # the evolved file has its own
            masked = masker(table)
    except ShoalError:
        if strict:
            raise
        return None
    wrong = misfit(table, masked, names)
    if wrong and strict:
        raise InvalidInput(
            f"A masker releases values of column {wrong!r} that the original could not have, such as "
            "intervals or sets; use one that releases values, as mondrian does with release='centres'."
        )
    return None if wrong else masked


def usual_maskers(table: Table, names: list[str]) -> list[Masker]:
    """Every masker in several settings, weak to strong."""
    found: list[Masker] = [partial(microaggregate, k=k, missing="keep") for k in SIZES]
    apart = [[name] for name in names]
    found += [partial(microaggregate, k=k, groups=apart) for k in SIZES[2:]] if len(names) > 1 else []
    found += [partial(mondrian, k=k, release="centres", missing="keep") for k in SIZES]
    found += [partial(suppress_to_k, k=k) for k in SIZES[:3]]
    found += [partial(_swap_and_pram, percent=percent) for percent in PERCENTS]
    found += [partial(_shuffle_and_pram, p=p) for p in (0.2, 0.6)]
    for share in SHARES:
        found += [
            partial(_pram_and_swap, matrices=partial(frequency_matrix, p=1 - share), share=share),
            partial(_pram_and_swap, matrices=partial(inverse_frequency_matrix, theta=share), share=share),
            partial(_pram_and_swap, matrices=partial(invariant_matrix, p=1 - share), share=share),
        ]
    found += [partial(_code_ends, quantile=quantile) for quantile in (0.02, 0.05, 0.1, 0.2)]
    found += [partial(_join_rare, share=share) for share in (0.05, 0.1, 0.2)]
    found += [partial(_whole_noise, amount=amount) for amount in (0.1, 0.3, 0.6)]
    found += [partial(global_median, k=k, missing="keep") for k in SIZES[1::2]]
    found += [partial(_by_clusters, k=k) for k in SIZES[1::2]]
    return found


def _of_kind(table: Table, names: Iterable[str], *kinds: str) -> list[str]:
    return [name for name in names if table.attribute(name).kind in kinds]


def _by_clusters(table: Table, *, k: int, columns: list[str], rng: np.random.Generator) -> Table:
    masker = partial(microaggregate, k=k, missing="keep", columns=columns)
    return protect_clusters(table, clusters=5, masker=masker, columns=columns, rng=rng)


def _pram_and_swap(
    table: Table,
    *,
    matrices: Callable[..., Any],
    share: float,
    columns: list[str],
    rng: np.random.Generator,
) -> Table:
    """PRAM for categories; numbers are swapped within as many percent of the ranks as PRAM changes."""
    categories = _of_kind(table, columns, "nominal", "ordinal")
    numbers = _of_kind(table, columns, "numeric")
    masked = pram(table, matrices=matrices, columns=categories, rng=rng)
    return rank_swap(masked, percent=100 * share, columns=numbers, rng=rng) if numbers else masked


def _swap_and_pram(table: Table, *, percent: float, columns: list[str], rng: np.random.Generator) -> Table:
    """Rank swapping for what has an order; names change as often by invariant PRAM."""
    ordered = _of_kind(table, columns, "numeric", "ordinal")
    swapped = rank_swap(table, percent=percent, columns=ordered, rng=rng)
    return _pram_names(swapped, columns, 1 - percent / 100, rng)


def _shuffle_and_pram(table: Table, *, p: float, columns: list[str], rng: np.random.Generator) -> Table:
    """Shuffling for what has an order, invariant PRAM for names."""
    ordered = _of_kind(table, columns, "numeric", "ordinal")
    return _pram_names(shuffle(table, columns=ordered, rng=rng), columns, p, rng)


def _pram_names(table: Table, columns: list[str], p: float, rng: np.random.Generator) -> Table:
    names = _of_kind(table, columns, "nominal")
    return pram(table, matrices=partial(invariant_matrix, p=p), columns=names, rng=rng) if names else table


def _code_ends(table: Table, *, quantile: float, columns: list[str]) -> Table:
    ordered = _of_kind(table, columns, "numeric", "ordinal")
    masked = top_code(table, quantile=1 - quantile, columns=ordered)
    return bottom_code(masked, quantile=quantile, columns=ordered)


def _join_rare(table: Table, *, share: float, columns: list[str]) -> Table:
    """The rarest categories, together at most this share of the records, become the most frequent of them."""
    merge: dict[str, dict[Any, list[Any]]] = {}
    for name in _of_kind(table, columns, "nominal"):
        codes, categories = categorise(table, name)
        counts = np.bincount(codes[codes >= 0], minlength=len(categories))
        order = np.argsort(counts, kind="stable")
        rare = order[np.cumsum(counts[order]) <= share * len(codes)]
        if len(rare) > 1:
            merge[name] = {categories[rare[-1]]: [categories[code] for code in rare]}
    return global_recode(table, merge=merge)


def _whole_noise(table: Table, *, amount: float, columns: list[str], rng: np.random.Generator) -> Table:
    whole = [name for name in _of_kind(table, columns, "numeric") if table.is_integer(name)]
    return add_noise(table, amount=amount, round=True, columns=whole, rng=rng)
