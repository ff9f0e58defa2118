"""Random small tables of every kind, for the tests of Mondrian."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from shoal import as_table

HIERARCHY = {"town": [["a", "A", "*"], ["b", "A", "*"], ["c", "C", "*"], ["d", "C", "*"]]}


@st.composite
def small_tables(draw):
    n = draw(st.integers(4, 30))
    cells = {
        "age": st.none() | st.integers(0, 6),
        "pay": st.floats(0, 3).map(lambda x: round(x, 1) + draw(st.just(1e9))),
        "size": st.none() | st.sampled_from(["s", "m", "l"]),
        "town": st.none() | st.sampled_from(["a", "b", "c", "d"]),
        "sick": st.sampled_from(["flu", "gout", "none"]),
    }
    columns = {name: draw(st.lists(cell, min_size=n, max_size=n)) for name, cell in cells.items()}
    names = draw(st.sets(st.sampled_from(["age", "pay", "size", "town"]), min_size=1))
    columns = {name: values for name, values in columns.items() if name in names | {"sick"}}
    kinds = {"age": "numeric", "size": ["s", "m", "l"], "town": "nominal"}
    kinds = {name: kind for name, kind in kinds.items() if name in names}
    assume(all(any(value is not None for value in values) for values in columns.values()))
    return as_table(columns, roles={"quasi": sorted(names), "confidential": ["sick"]}, kinds=kinds)
