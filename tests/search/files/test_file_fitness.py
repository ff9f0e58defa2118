"""Counts that follow every change of a cell give what the measures give for the whole file."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import NotApplicable, as_table, with_hierarchies
from shoal.measures import ctbil, dbil, distance_linkage_risk, ebil, interval_risk, sse_loss
from shoal.measures.evaluate import evaluate
from shoal.measures.risk.distance_linkage_risk import told_by_covers
from shoal.search.files.coded_file import code_file, misfit
from shoal.search.files.file_fitness import Edits, count_sheet, edit, read

MEASURES = (dbil, ctbil, ebil, sse_loss, interval_risk, distance_linkage_risk)
TREE = {"rows": [["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]]}


def random_table(rng, n, holes=0.0, offset=0.0):
    """Every kind of column: names, ranks, numbers, one with a hierarchy, a constant, with ties and holes."""
    columns = {
        "town": rng.choice(["x", "y", "z"], n).tolist(),
        "place": rng.choice(["a", "b", "c", "d"], n).tolist(),
        "size": rng.choice(["s", "m", "l"], n).tolist(),
        "age": (offset + rng.integers(0, 6, n)).astype(float).tolist(),
        "pay": rng.normal(size=n).round(2).tolist(),
        "one": [7.0] * n,
    }
    for name in columns:
        gone = rng.random(n) < holes
        gone[0] = False
        columns[name] = [None if g else v for v, g in zip(columns[name], gone, strict=True)]
    table = as_table(columns, roles={"quasi": list(columns)}, kinds={"size": ["s", "m", "l", "xl"]})
    return with_hierarchies(table, {"place": TREE})


def expected(table, masked, names):
    """The same figures by the measures themselves."""
    result = evaluate(table, masked, loss=MEASURES[:4], risk=MEASURES[4:], columns=names)
    figures = {}
    for measure in MEASURES:
        try:
            figures[measure.__name__] = measure(table, masked, columns=names)
        except NotApplicable:
            figures[measure.__name__] = 0.0
    return figures | {
        "information_loss": result.information_loss or 0.0,  # None if all is constant
        "disclosure_risk": result.disclosure_risk,
    }


def random_edits(rng, coded, count):
    """Cells drawn at random, now and then made missing."""
    n, d = coded.rules.original.shape
    cells = rng.choice(n * d, size=min(count, n * d), replace=False)
    rows, columns = np.divmod(cells, d)
    return Edits(rows, columns, rng.integers(coded.rules.sizes[columns] - (rng.random() < 0.7)))


def assert_same(coded, sheet, table, names):
    figures, masked = read(coded, sheet)._asdict(), coded.decode(sheet.cells)
    wanted = expected(table, masked, names)
    if told_by_covers(table, masked, names):  # only gaps are new: the measure asks what they may stand for
        for name in ("distance_linkage_risk", "disclosure_risk"):
            del figures[name], wanted[name]
    assert figures == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 25),
    holes=st.sampled_from([0.0, 0.3]),
    offset=st.sampled_from([0.0, 1e9]),
    columns=st.sets(
        st.sampled_from(["town", "place", "size", "age", "pay", "one"]), min_size=1
    ).map(sorted),
)  # fmt: skip
def test_a_sequence_of_edits_gives_what_the_measures_give(seed, n, holes, offset, columns):
    rng = np.random.default_rng(seed)
    table, other = random_table(rng, n, holes, offset), random_table(rng, n, holes, offset)
    if misfit(table, other, columns):  # a small file need not have all categories
        other = table.take(rng.permutation(n))
    coded = code_file(table, columns, [other])
    sheet = count_sheet(coded, coded.encode(other))
    assert_same(coded, sheet, table, columns)
    for count in (1, 1, 2, n, 1):
        before = [part.copy() for part in sheet]
        child = edit(coded, sheet, random_edits(rng, coded, count))
        assert all(np.array_equal(a, b) for a, b in zip(before, sheet, strict=True)), "the parent stays"
        sheet = child
        assert_same(coded, sheet, table, columns)


@pytest.mark.parametrize("name", ["german_credit", "solar_flare"])
def test_reference_files_after_a_thousand_edits(reference, name):
    table = reference(name)
    names = table.names(role="quasi")
    coded = code_file(table, names, [])
    rng = np.random.default_rng(1)
    sheet = count_sheet(coded, coded.rules.original)
    for _ in range(1_000):
        sheet = edit(coded, sheet, random_edits(rng, coded, int(rng.integers(1, 4))))
    assert_same(coded, sheet, table, names)
    recount = count_sheet(coded, sheet.cells)
    for part, fresh in zip(sheet, recount, strict=True):
        np.testing.assert_allclose(part, fresh, rtol=1e-12, atol=1e-12)


def test_many_rows_at_once_and_one_by_one_give_the_same():
    rng = np.random.default_rng(3)
    table = random_table(rng, 40)
    coded = code_file(table, table.names(), [])
    edits = random_edits(rng, coded, 60)
    at_once = edit(coded, count_sheet(coded, coded.rules.original), edits)
    one_by_one = count_sheet(coded, coded.rules.original)
    for cell in zip(*edits, strict=True):
        one_by_one = edit(coded, one_by_one, Edits(*(np.array([part]) for part in cell)))
    for a, b in zip(at_once, one_by_one, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)
