"""A small tree of places, and random trees, for the tests of hierarchies."""

from __future__ import annotations

from hypothesis import strategies as st

from shoal.hierarchy import hierarchy_from_rows

PLACES = hierarchy_from_rows(
    [
        ["Paris", "France", "Europe", "*"],
        ["Lyon", "France", "Europe", "*"],
        ["Rome", "Italy", "Europe", "*"],
        ["Lima", "Peru", "America", "*"],
    ]
)


@st.composite
def random_rows(draw):
    """A random tree as rows: every leaf's parent decides all that is above it."""
    height = draw(st.integers(1, 4))
    rows = [["*"]]
    for level in range(height, 0, -1):
        count = draw(st.integers(1, 6))
        picks = [draw(st.integers(0, len(rows) - 1)) for _ in range(count)]
        rows = [[f"{level}.{child}", *rows[pick]] for child, pick in enumerate(picks)]
    return rows
