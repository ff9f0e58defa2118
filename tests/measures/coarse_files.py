"""Random small files whose columns were made coarser, suppressed or perturbed, for the tests of the risks."""

from __future__ import annotations

import polars as pl
from hypothesis import assume
from hypothesis import strategies as st

from shoal import as_table, with_hierarchies
from shoal.hierarchy import hierarchy_from_rows

PLACES = hierarchy_from_rows(
    [["a", "west", "*"], ["b", "west", "*"], ["c", "east", "*"], ["d", "east", "*"], ["e", "far", "*"]]
)
WAYS = ("kept", "coarser", "suppressed", "mixed")


@st.composite
def coarse_files(draw, ways=WAYS, least=1, most=10, columns=3):
    """An original and a masked table; names by a hierarchy, numbers by intervals; cells missing before."""
    n = draw(st.integers(least, most))
    before, after = {}, {}
    for position in range(draw(st.integers(1, columns))):
        name, number = f"c{position}", draw(st.booleans())
        value = st.integers(0, 9) if number else st.sampled_from("abcde")
        cell = st.one_of(value, value, value, st.none()) if draw(st.booleans()) else value
        x = draw(st.lists(cell, min_size=n, max_size=n))
        way = draw(st.sampled_from(ways))
        y = [draw(coarser(v, way, number)) for v in x]
        before[name] = pl.Series(name, x, dtype=pl.Int64 if number else pl.String)
        plain = number and all(v is None or isinstance(v, int) for v in y)
        after[name] = pl.Series(name, y if plain else [v if v is None else str(v) for v in y])
        if plain:
            after[name] = after[name].cast(pl.Int64)
    quasi = list(before)
    hierarchies = {name: PLACES for name in quasi if before[name].dtype == pl.String}
    kinds = {name: "nominal" for name in quasi if after[name].dtype == pl.Null}
    tables = (as_table(pl.DataFrame(c), roles={"quasi": quasi}) for c in (before, after))
    original, masked = tables
    masked = as_table(masked, roles={"quasi": quasi}, kinds=kinds)
    assume(any(value is not None for name in quasi for value in before[name]))
    return with_hierarchies(original, hierarchies), masked


def coarser(value, way, number):
    """What may be released of a value."""
    if value is None:
        return st.none()
    if way == "kept":
        return st.just(value)
    low = 0 if not number else value - value % 5
    label = f"{low}-{low + 4}" if number else next(p[1] for p in PLACES.paths if p[0] == value)
    choices = {"coarser": [label], "suppressed": [value, None], "mixed": [value, label, None]}
    if way == "changed":
        return st.integers(0, 9) if number else st.sampled_from("abcde")
    return st.sampled_from(choices[way])


def stands_for(cell, number, values):
    """The values that a released cell may stand for, of those there are."""
    if cell is None:
        return set(values)
    if number and isinstance(cell, str) and "-" in cell:
        low, high = map(int, cell.split("-"))
        return {v for v in values if low <= v <= high}
    under = {path[0] for path in PLACES.paths if cell in path}
    return under or {int(cell) if number else cell}


def how_many(cell, number, values):
    """How many values a released cell may stand for: steps of an interval, leaves of a label."""
    if cell is None:
        return max(values) - min(values) + 1 if number else 5
    if number and isinstance(cell, str) and "-" in cell:
        low, high = map(int, cell.split("-"))
        return max(min(high, max(values)) - max(low, min(values)) + 1, 1)
    return max(len({path[0] for path in PLACES.paths if cell in path}), 1)
