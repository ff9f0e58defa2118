"""PRAM: every category becomes another one with a probability that the data owner publishes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names
from shoal._door import takes_frames
from shoal._shared.options import reported, with_known_options
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.hierarchy.tree import as_text
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.strata import strata_of
from shoal.masking.pram.matrices import check_transitions
from shoal.masking.protected_columns import protected_columns
from shoal.masking.takes_where import takes_where
from shoal.partition.labels import members
from shoal.table import Table
from shoal.types import Callback, Kind, Matrix, RandomState

MatrixBuilder: TypeAlias = Callable[[NDArray[np.intp]], Matrix]
CATEGORICAL: tuple[Kind, ...] = ("nominal", "ordinal")
Given: TypeAlias = MatrixBuilder | Mapping[str, Any]
Matrices: TypeAlias = Given | Callable[[Table], Mapping[str, Any]]


@dataclass(frozen=True)
class Transition:
    """What PRAM does to one column of one stratum: category i becomes j with probability matrix[i, j].

    `rows` are the positions of the stratum's records, `codes` their categories (-1 where missing),
    `frequencies` the counts of the categories among them.
    """

    column: str
    rows: NDArray[np.intp]
    codes: NDArray[np.intp]
    categories: tuple[Any, ...]
    frequencies: NDArray[np.intp]
    matrix: Matrix


@takes_where
@by_household
@takes_frames
def pram(
    table: Table,
    *,
    matrices: Matrices,
    strata: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Table:
    """Change categories at random: category i becomes j with probability P[i, j] (post-randomisation).

    Parameters
    ----------
    table
        The table to protect.
    matrices
        A builder for all columns, its options frozen by `functools.partial`: `frequency_matrix`,
        `inverse_frequency_matrix` or `invariant_matrix`; or a mapping from column names to builders or
        matrices. A matrix is a list of rows in the order of the categories (given, else sorted), or a mapping
        of mappings, ``{"a": {"a": 0.9, "b": 0.1}, "b": {"b": 1}}``, where what is not named has probability
        0. Or a function of the table that finds them, such as `evolve_pram`: one whose first argument is
        called `table`; it gets `columns`, `rng` and `callback` from here unless they are frozen in it.
    strata
        Column(s) whose classes get their own frequencies, matrices and draws. Builders see only the
        categories of the stratum, so that no category appears where nobody has it.
    columns
        The columns to change; the keys of `matrices`, or else the nominal and ordinal quasi-identifiers.
    rng
        Seed or generator; a seed is a secret.
    callback
        Called with `Progress` before every column, and handed on to a function that finds the matrices;
        returning True while cells are drawn stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order. A transition of probability 0 never happens.

    Notes
    -----
    Missing cells stay missing and take no part in frequencies. PRAM makes any single value doubtful; it does
    not give k-anonymity. Time O(n) a column.

    References
    ----------
    Gouweleeuw, Kooiman, Willenborg, de Wolf: Post randomisation for statistical disclosure control: theory
    and implementation, Journal of Official Statistics 14 (1998).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"sex": ["f", "m", "m", "f"]}, roles={"quasi": ["sex"]})
    >>> pram(table, matrices={"sex": [[0, 1], [1, 0]]}).frame["sex"].to_list()
    ['m', 'f', 'f', 'm']
    """
    rng = np.random.default_rng(rng)
    matrices = found_matrices(table, matrices, strata, columns, rng=rng, callback=callback)
    changed: dict[str, NDArray[Any]] = {}
    drawn_from = transitions(table, matrices=matrices, strata=strata, columns=columns)
    for transition in reported(drawn_from, callback, "drawing"):
        cells = changed.setdefault(transition.column, np.full(len(table), None, dtype=object))
        drawn = _draw(transition, rng.random(len(transition.rows)))
        known = np.empty(len(transition.categories) + 1, dtype=object)  # the last one is a missing cell
        known[:-1] = transition.categories
        cells[transition.rows] = known[drawn]
    return table.assign(**changed)


@takes_frames
def transitions(
    table: Table,
    *,
    matrices: Matrices,
    strata: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
) -> list[Transition]:
    """The transition matrices that `pram` would use, column by column and stratum by stratum.

    Parameters are those of `pram`.

    Examples
    --------
    >>> from functools import partial
    >>> from shoal import as_table
    >>> from shoal.masking.pram.matrices import frequency_matrix
    >>> table = as_table({"sex": ["f", "m", "m"]}, roles={"quasi": ["sex"]})
    >>> transitions(table, matrices=partial(frequency_matrix, p=0.75))[0].matrix
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    matrices = found_matrices(table, matrices, strata, columns)
    names = pram_columns(table, matrices, strata, columns)
    strata_rows = members(strata_of(table, strata)) if len(table) else []
    found = []
    for name in names:
        codes, categories = categorise(table, name)
        given = matrices if callable(matrices) else matrices[name]
        if not callable(given):
            matrix, categories = _given_matrix(name, given, codes, categories)
        for rows in strata_rows:
            if callable(given):
                found.append(_built(name, rows, codes[rows], categories, given))
            else:
                counts = np.bincount(codes[rows][codes[rows] >= 0], minlength=len(categories))
                found.append(Transition(name, rows, codes[rows], categories, counts, matrix))
    return found


def found_matrices(
    table: Table,
    matrices: Matrices,
    strata: Iterable[str] | str | None,
    columns: Iterable[str] | None,
    **options: Any,
) -> Given:
    """The matrices or the builder as given, or what a function of the table finds."""
    if not callable(matrices) or next(iter(inspect.signature(matrices).parameters), "") != "table":
        return matrices  # type: ignore[return-value]
    names = protected_columns(table, columns, strata=strata, kinds=CATEGORICAL)
    search: Callable[..., Any] = matrices
    found: Mapping[str, Any] = with_known_options(search, columns=names, **options)(table)
    return found


def pram_columns(
    table: Table, matrices: Given, strata: Iterable[str] | str | None, columns: Iterable[str] | None
) -> list[str]:
    """The columns PRAM changes, or a sentence that says why one cannot be."""
    if isinstance(matrices, str):
        raise InvalidInput(f"No method {matrices!r} makes matrices; `shoal methods pram` says which ones do.")
    if not callable(matrices) and not isinstance(matrices, Mapping):
        raise InvalidInput(
            "`matrices` must be a method that makes them or a mapping from column names, got "
            f"{type(matrices).__name__}."
        )
    keys = None if callable(matrices) else check_names(matrices, table.names())
    names = protected_columns(table, keys if columns is None else columns, strata=strata, kinds=CATEGORICAL)
    for name in names:
        if keys is not None and name not in keys:
            raise InvalidInput(f"`matrices` has none for column {name!r}; add one.")
    return names


def _built(
    name: str,
    rows: NDArray[np.intp],
    codes: NDArray[np.intp],
    categories: tuple[Any, ...],
    build: MatrixBuilder,
) -> Transition:
    """The matrix of a builder, for the categories that these records have."""
    present, counts = np.unique(codes[codes >= 0], return_counts=True)
    within = np.where(codes < 0, -1, np.searchsorted(present, codes))
    matrix = build(counts) if len(counts) else np.ones((0, 0))
    matrix = check_transitions(matrix, len(counts), f"The matrix for column {name!r}")
    return Transition(name, rows, within, tuple(categories[c] for c in present), counts, matrix)


def _given_matrix(
    name: str, given: Any, codes: NDArray[np.intp], categories: tuple[Any, ...]
) -> tuple[Matrix, tuple[Any, ...]]:
    """A matrix of numbers and its categories: those of the column first, then those only the matrix names."""
    what = f"The matrix for column {name!r}"
    if not isinstance(given, Mapping):
        return check_transitions(given, len(categories), what), categories
    texts = [as_text(category) for category in categories]
    named = {as_text(row): {as_text(to): share for to, share in line.items()} for row, line in given.items()}
    unnamed = [code for code, text in enumerate(texts) if text not in named and (codes == code).any()]
    if unnamed:
        row = int(np.argmax(codes == unnamed[0]))
        raise InvalidInput(
            f"Column {name!r} has a category at row {row} that its matrix does not name; add a row for it."
        )
    mentioned = dict.fromkeys([*named, *(to for line in named.values() for to in line)])
    beyond = [text for text in mentioned if text not in texts]
    new = [_as_category(text, categories, what) for text in beyond]
    position = {text: code for code, text in enumerate([*texts, *beyond])}
    P = np.zeros((len(position), len(position)))
    for text, code in position.items():
        for to, share in named.get(text, {text: 1.0}).items():
            P[code, position[to]] = share
    return check_transitions(P, len(position), what), (*categories, *new)


def _as_category(text: str, categories: tuple[Any, ...], what: str) -> Any:
    """A category the column does not have, in the type of those it has: a matrix of another year names it."""
    if all(isinstance(category, str) for category in categories):
        return text
    for kind in (int, float):
        with suppress(ValueError):
            if all(isinstance(category, int | float) for category in categories):
                return kind(text)
    raise InvalidInput(f"{what} names categories that the column, whose categories are no text, has not.")


def _draw(transition: Transition, uniform: Matrix) -> NDArray[np.intp]:
    """A new code for every record, by inverting the row's distribution; a missing code stays -1."""
    drawn = np.full(len(uniform), -1, dtype=np.intp)
    for code, line in enumerate(transition.matrix):
        rows = np.flatnonzero(transition.codes == code)
        if len(rows):
            steps = np.cumsum(line)
            steps[np.flatnonzero(line)[-1] :] = 1.0  # rounding must not leave room for what has probability 0
            drawn[rows] = np.searchsorted(steps, uniform[rows], side="right")
    return drawn
