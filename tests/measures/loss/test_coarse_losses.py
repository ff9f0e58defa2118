"""Losses of coarser columns against lists: covers as sets of values, records spread in halves and thirds."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierarchy.trees import random_rows
from shoal import NotApplicable, as_table, evaluate
from shoal.hierarchy import with_hierarchies
from shoal.masking import global_recode
from shoal.measures import column_losses, ctbil, dbil, ebil, il1s, pmse_loss, sse_loss


@st.composite
def recoded(draw):
    """Columns with random hierarchies and gaps; every masked cell is at some level, or suppressed."""
    found, hierarchies, masked = {}, {}, {}
    n = draw(st.integers(1, 8))
    for name in ("one", "two"):
        rows = [list(row) for row in dict.fromkeys(map(tuple, draw(random_rows())))]
        cell = st.one_of(st.sampled_from(rows), st.none())
        picked = draw(st.lists(cell, min_size=n, max_size=n))
        found[name] = [None if row is None else row[0] for row in picked]
        levels = draw(st.lists(st.integers(-1, len(rows[0]) - 1), min_size=n, max_size=n))
        masked[name] = [
            None if row is None or level < 0 else row[level]
            for row, level in zip(picked, levels, strict=True)
        ]
        hierarchies[name] = rows
    return found, hierarchies, masked


def cover(label, rows) -> frozenset:
    """The leaves below a label at the lowest level where it stands; what says nothing is missing."""
    if label is None:
        return frozenset({None})
    level = min(level for row in rows for level, name in enumerate(row) if name == label)
    leaves = {row[0] for row in rows if row[level] == label}
    everything = level > 0 and len(rows) > 1 and len(leaves) == len(rows)
    return frozenset({None}) if everything else frozenset(leaves)


def slow_ctbil(found, hierarchies, masked) -> float:
    names = list(found)
    sets = [s for size in (1, 2) for s in combinations(names, size)]
    n, moved = len(found["one"]), 0.0
    for s in sets:
        table = defaultdict(float)
        for row in range(n):
            table[tuple(found[name][row] for name in s)] += 1
            spread = [cover(masked[name][row], hierarchies[name]) for name in s]
            cells = list(product(*spread))
            for cell in cells:
                table[cell] -= 1 / len(cells)
        moved += sum(map(abs, table.values()))
    return 100 * moved / (2 * n * len(sets))


def tables(found, hierarchies, masked):
    original = with_hierarchies(as_table(found, kinds=dict.fromkeys(found, "nominal")), hierarchies)
    return original, original.assign(**{n: np.array(c, dtype=object) for n, c in masked.items()})


@pytest.mark.slow
@given(recoded())
def test_ctbil_spreads_records_over_what_their_cells_may_stand_for(case):
    assert ctbil(*tables(*case)) == pytest.approx(slow_ctbil(*case), abs=1e-9)


@pytest.mark.slow
@given(recoded())
def test_dbil_is_levels_up_to_where_the_values_meet(case):
    found, hierarchies, masked = case
    lost = []
    for name, rows in hierarchies.items():
        for before, after in zip(found[name], masked[name], strict=True):
            if before is None:
                continue
            line = next(row for row in rows if row[0] == before)
            lost.append(1.0 if after is None else line.index(after) / (len(line) - 1))
    if lost:
        assert dbil(*tables(*case)) == pytest.approx(100 * np.mean(lost))


@pytest.mark.slow
@given(recoded())
def test_columns_lose_nothing_all_or_more_the_coarser(case):
    found, hierarchies, _ = case
    original, _ = tables(*case)
    for name, rows in hierarchies.items():
        lost = [
            column_losses(original, global_recode(original, levels={name: level}), columns=[name])[0].loss
            for level in range(len(rows[0]))
        ]
        assert lost[0] == 0
        assert lost == sorted(lost)
        if any(found[name]) and len(rows) > 1:
            assert lost[-1] == 100


@pytest.mark.slow
@given(recoded())
def test_losses_stay_in_range_or_say_why_not(case):
    original, masked = tables(*case)
    for measure in (ctbil, dbil, ebil, pmse_loss):
        try:
            assert 0 <= measure(original, masked) <= 100 + 1e-9
        except NotApplicable:
            continue
    assert evaluate(original, original, risk=[]).information_loss in (0, None)


@pytest.mark.slow
@given(
    st.lists(st.integers(0, 9), min_size=3, max_size=20).filter(lambda v: len(set(v)) > 1),
    st.integers(1, 4),
)
def test_intervals_of_numbers_count_as_their_middle(values, width):
    low = [v // width * width for v in values]
    labels = [f"{a}-{a + width - 1}" if width > 1 else str(a) for a in low]
    smallest, largest = min(values), max(values)
    middles = []
    for a in low:
        start, stop = max(a, smallest), min(a + width - 1, largest)
        whole = width > 1 and start == smallest and stop == largest
        middles.append(np.nan if whole else (start + stop) / 2)
    before, after = as_table({"a": values}), as_table({"a": labels}, kinds={"a": "nominal"})
    expected = as_table({"a": np.array(middles)})
    for measure in (sse_loss, il1s):
        assert measure(before, after) == pytest.approx(measure(before, expected))


def test_a_column_of_numbers_at_the_top_has_lost_its_spread():
    before = as_table({"a": [1.0, 2.0, 9.0]})
    assert sse_loss(before, as_table({"a": ["*", "*", "*"]})) == pytest.approx(100)
    assert sse_loss(before, as_table({"a": ["[1, 9]"] * 3})) == pytest.approx(100)
