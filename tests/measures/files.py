"""Random small files with ties, missing values, constants and offsets, for the tests of the measures."""

from __future__ import annotations

from itertools import chain

import polars as pl
from hypothesis import settings
from hypothesis import strategies as st

from shoal import as_table

ORDER = ("low", "middle", "high", "top")
NAMES = ("a", "b", "c")
MANY = settings(max_examples=200)
GUIDE_KEYS = ["residence", "gender", "education", "labour"]
# the ten respondents of the SDC practice guide (Benschop, Machingauta, Welch), tables 4.1 and 4.5
GUIDE = {
    "residence": ["u", "u", "u", "u", "r", "u", "u", "u", "u", "u"],
    "gender": ["f", "f", "f", "m", "f", "m", "f", "m", "f", "f"],
    "education": ["si", "si", "pi", "sc", "sc", "sc", "pc", "ps", "si", "si"],
    "labour": ["e", "e", "n", "e", "un", "e", "n", "un", "n", "n"],
    "weight": [180.0, 180.0, 215.0, 76.0, 186.0, 76.0, 180.0, 215.0, 186.0, 76.0],
}
PATIENT_ROLES = {"quasi": ["zip", "age"], "confidential": ["salary", "disease"]}
# Li, Li, Venkatasubramanian (2007), table 3: nine patients, three classes
PATIENTS = {
    "zip": ["476**"] * 3 + ["4790*"] * 3 + ["476**"] * 3,
    "age": ["2*"] * 3 + [">=40"] * 3 + ["3*"] * 3,
    "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10],
    "disease": [
        *("gastric ulcer", "gastritis", "stomach cancer"),
        *("gastritis", "flu", "bronchitis"),
        *("bronchitis", "pneumonia", "stomach cancer"),
    ],
}


@st.composite
def numbers(draw, n):
    """Few different values, so ties are common; an offset; cells missing, changed or suppressed."""
    offset, scale = draw(st.sampled_from([(0.0, 1.0), (0.0, 0.1), (-3.0, 1.0), (1e6, 1000.0), (1e5, 1.0)]))
    value = st.integers(0, draw(st.integers(0, 5))).map(lambda v: offset + scale * v)
    x = draw(st.lists(_maybe_missing(draw, value), min_size=n, max_size=n))
    other = st.one_of(value, value.map(lambda v: v + scale / 2))
    return x, _masked(draw, x, other), pl.Float64


@st.composite
def categories(draw, n, pool, new):
    value = st.sampled_from(pool[: draw(st.integers(1, len(pool)))])
    x = draw(st.lists(_maybe_missing(draw, value), min_size=n, max_size=n))
    return (
        x,
        _masked(draw, x, st.one_of(value, st.sampled_from(new)) if draw(st.booleans()) else value),
        pl.String,
    )


def _maybe_missing(draw, value):
    return st.one_of(value, value, value, st.none()) if draw(st.booleans()) else value


def _masked(draw, x, other):
    """Each cell stays, changes or is suppressed."""
    if draw(st.integers(0, 5)) == 0:
        return list(x)
    actions = draw(
        st.lists(st.sampled_from("kkccs" if draw(st.booleans()) else "kc"), min_size=len(x), max_size=len(x))
    )
    return [v if a == "k" else None if a == "s" else draw(other) for v, a in zip(x, actions, strict=True)]


@st.composite
def files(draw, kinds=("numeric", "ordinal", "nominal"), least=1, most=9, columns=4, confidential=False):
    """An original and a masked table; c0, c1, ... are quasi-identifiers; maybe one is confidential."""
    n = draw(st.integers(least, most))
    found = {}
    for position in range(draw(st.integers(1, columns))):
        kind = draw(st.sampled_from(kinds))
        column = (
            numbers(n)
            if kind == "numeric"
            else categories(n, ORDER if kind == "ordinal" else NAMES, ["new", "zoo"])
        )
        found[f"c{position}"] = (kind, draw(column))
    if confidential:
        kind = draw(st.sampled_from(kinds))
        column = (
            numbers(n) if kind == "numeric" else categories(n, ORDER if kind == "ordinal" else NAMES, ["low"])
        )
        found["secret"] = (kind, draw(column))
    return _table(found, 0), _table(found, 1)


def _table(found, side):
    frame = pl.DataFrame([pl.Series(name, c[side], dtype=c[2]) for name, (_, c) in found.items()])
    kinds = {name: ORDER if kind == "ordinal" and side == 0 else kind for name, (kind, _) in found.items()}
    quasi = [name for name in found if name != "secret"]
    return as_table(
        frame, roles={"quasi": quasi, "confidential": [n for n in found if n == "secret"]}, kinds=kinds
    )


def flat(lists):
    return list(chain.from_iterable(lists))


def guide():
    """The ten respondents of the practice guide."""
    return as_table(GUIDE, roles={"quasi": GUIDE_KEYS})
