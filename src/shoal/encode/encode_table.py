"""One-way encoders: a table becomes a matrix with meaningful distances. Nothing is ever decoded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_names, check_number
from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput, NotApplicable
from shoal.hierarchy.tree import Hierarchy, as_text
from shoal.table import Table
from shoal.types import Matrix

Scale = Literal["zscore", "range", "none"]
SCALES: tuple[Scale, ...] = ("zscore", "range", "none")
LARGEST_ENCODING = 500_000_000  # cells; a one-hot copy beyond this (4 GB) is a mistake, not a wish


@takes_frames
def encode(
    table: Table,
    columns: Iterable[str] | None = None,
    *,
    scale: Scale = "zscore",
    weights: Mapping[str, float] | None = None,
) -> Matrix:
    """Columns of a table as a float matrix, each kind measured in its own way; NaN where missing.

    Parameters
    ----------
    table
        The table.
    columns
        Which columns; the quasi-identifiers if not given.
    scale
        Numeric columns: "zscore" (mean 0, standard deviation 1, with n-1), "range" (0 to 1) or "none".
        Ordinal columns become rank / number of categories; nominal ones an indicator per category, so that
        two different categories are at distance 1. A nominal column with a hierarchy becomes indicators of
        its categories and their ancestors, so that distances are `shoal.hierarchy.semantic_distance`.
    weights
        How much a column counts, 1 where not given: its squared distances are multiplied by the weight.

    Returns
    -------
    Matrix
        One row per record, in the order of the table.

    Notes
    -----
    A constant column becomes zeros. Offsets and huge values do no harm. Time and memory O(n d), where a
    nominal column counts once per category.

    Examples
    --------
    >>> from shoal import as_table
    >>> encode(as_table({"age": [20, 30, 40], "sex": ["f", "m", "f"]}), ["age", "sex"]).round(2)
    array([[-1.  ,  0.71,  0.  ],
           [ 0.  ,  0.  ,  0.71],
           [ 1.  ,  0.71,  0.  ]])
    """
    return encode_pair(table, table, columns, scale=scale, weights=weights)[0]


@takes_frames
def encode_pair(
    original: Table,
    masked: Table,
    columns: Iterable[str] | None = None,
    *,
    scale: Scale = "zscore",
    weights: Mapping[str, float] | None = None,
) -> tuple[Matrix, Matrix]:
    """Two tables in one geometry: scales are the original's, categories those of either.

    >>> from shoal import as_table
    >>> X, Y = encode_pair(as_table({"a": [0.0, 2.0]}), as_table({"a": [1.0, 1.0]}), ["a"], scale="range")
    >>> Y.tolist()
    [[0.5], [0.5]]
    """
    blocks = pair_blocks(original, masked, columns, scale=scale, weights=weights)
    return np.hstack([x for x, _ in blocks]), np.hstack([y for _, y in blocks])


def pair_blocks(
    original: Table,
    masked: Table,
    columns: Iterable[str] | None = None,
    *,
    scale: Scale = "zscore",
    weights: Mapping[str, float] | None = None,
) -> list[tuple[Matrix, Matrix]]:
    """What every column of the two tables becomes by itself.

    >>> from shoal import as_table
    >>> table = as_table({"age": [20, 30], "sex": ["f", "m"]})
    >>> [x.shape for x, _ in pair_blocks(table, table, ["age", "sex"])]
    [(2, 1), (2, 2)]
    """
    check_choice("scale", scale, SCALES)
    names = quasi_columns(original) if columns is None else check_names(columns, original.names())
    if not names:
        raise InvalidInput("No columns to encode; name at least one.")
    check_names(names, masked.names())
    factors = {name: _factor(name, weight) for name, weight in (weights or {}).items()}
    check_names(factors, names)
    blocks = [_encode_column(original, masked, name, scale) for name in names]
    return [
        (x * factors[name], y * factors[name]) if name in factors else (x, y)
        for name, (x, y) in zip(names, blocks, strict=True)
    ]


@takes_frames
def quasi_columns(table: Table) -> list[str]:
    """The quasi-identifiers, or a sentence that asks for them.

    >>> from shoal import as_table
    >>> quasi_columns(as_table({"age": [30], "ill": ["flu"]}, roles={"quasi": "age"}))
    ['age']
    """
    names = table.names(role="quasi")
    if not names:
        raise InvalidInput(
            "No column has the role quasi, so there is nothing to protect; say which columns an intruder may "
            f"know, e.g. roles={{'quasi': [{table.names()[0]!r}]}} or --quasi {table.names()[0]}; "
            "`shoal inspect FILE` or suggest_roles(table) suggest some."
        )
    return names


def _encode_column(original: Table, masked: Table, name: str, scale: Scale) -> tuple[Matrix, Matrix]:
    kinds = {original.attribute(name).kind, masked.attribute(name).kind}
    if kinds == {"numeric"}:
        return _scale_numbers(name, original.column(name), masked.column(name), scale)
    if "numeric" in kinds:
        raise NotApplicable(f"Column {name!r} is numeric in one file and categorical in the other.")
    (codes, categories), (other, others) = categorise(original, name), categorise(masked, name)
    known = set(categories)
    everything = categories + tuple(c for c in others if c not in known)
    position = {category: i for i, category in enumerate(everything)}
    renumber = np.array([position[c] for c in others] + [-1], dtype=np.intp)
    attribute, hierarchy = original.attribute(name), original.attribute(name).hierarchy
    if attribute.kind == "nominal" and hierarchy is not None:
        nodes = np.array([hierarchy.node.get(as_text(c), -1) for c in everything] + [-1], dtype=np.intp)
        if (nodes[:-1] >= 0).all():  # a masked file may hold sets that no hierarchy names
            both = _lineages(name, hierarchy, nodes[np.concatenate([codes, renumber[other]])])
            return both[: len(codes)], both[len(codes) :]
    rank = attribute.kind == "ordinal" and len(everything) == len(categories)
    encoder = _ranks if rank else _indicators
    return encoder(name, codes, len(everything)), encoder(name, renumber[other], len(everything))


def _scale_numbers(name: str, x: Matrix, y: Matrix, scale: Scale) -> tuple[Matrix, Matrix]:
    for values in (x, y):
        if np.isinf(values).any():
            row = int(np.argmax(np.isinf(values)))
            raise InvalidInput(
                f"Column {name!r} has an infinite value at row {row}; replace it or make it missing."
            )
    seen = x[~np.isnan(x)]
    if scale == "none" or not len(seen):
        return x[:, None], y[:, None]
    # a power of two loses no digits and keeps squares of huge and tiny values in range
    exponent = -int(np.frexp(np.abs(seen).max())[1])
    x, y, seen = np.ldexp(x, exponent), np.ldexp(y, exponent), np.ldexp(seen, exponent)
    centre = float(seen.min() if scale == "range" else seen.mean())
    spread = 1.0  # of a constant column, whose standard deviation would be rounding noise
    if np.ptp(seen) > 0:
        spread = float(np.ptp(seen) if scale == "range" else seen.std(ddof=1))
    return ((x - centre) / spread)[:, None], ((y - centre) / spread)[:, None]


def _ranks(name: str, codes: NDArray[np.intp], count: int) -> Matrix:
    return np.where(codes < 0, np.nan, codes / max(count, 1))[:, None]


def _indicators(name: str, codes: NDArray[np.intp], count: int) -> Matrix:
    if len(codes) * count > LARGEST_ENCODING:
        raise InvalidInput(
            f"Column {name!r} has {count} categories, too many to compare records by; "
            "make it an identifier or recode it."
        )
    block = np.full((len(codes), max(count, 1)), np.nan)
    seen = codes >= 0
    block[seen] = 0.0
    block[np.flatnonzero(seen), codes[seen]] = np.sqrt(0.5)
    return block


def _lineages(name: str, hierarchy: Hierarchy, nodes: NDArray[np.intp]) -> Matrix:
    """Indicators of every label and its ancestors, weighted so that distances are semantic distances.

    Two labels differ in two indicators on every level below the one where they meet, and the squares of the
    weights add up: 1 + 3 + 5 + ... = level squared.
    """
    used = np.unique(hierarchy.ancestors[nodes[nodes >= 0], :-1])
    if len(nodes) * len(used) > LARGEST_ENCODING:
        raise InvalidInput(f"The hierarchy of column {name!r} is too large to compare records by; recode it.")
    block = np.where(nodes < 0, np.nan, 0.0)[:, None].repeat(max(len(used), 1), axis=1)
    for level in range(hierarchy.height):
        rows = np.flatnonzero((nodes >= 0) & (hierarchy.levels[nodes] <= level))
        places = np.searchsorted(used, hierarchy.ancestors[nodes[rows], level])
        block[rows, places] = np.sqrt((2 * level + 1) / 2) / hierarchy.height
    return block


def _factor(name: str, weight: Any) -> float:
    return float(np.sqrt(check_number(f"weight of {name}", weight, 0, 1e12)))
