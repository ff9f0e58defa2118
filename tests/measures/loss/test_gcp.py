"""GCP against lists of leaves, over random hierarchies: identity 0, coarser never less, the root is all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierarchy.trees import random_rows
from measures.files import files
from shoal import InvalidInput, NotApplicable, as_table
from shoal.hierarchy import with_hierarchies
from shoal.masking import add_noise, global_recode
from shoal.measures import gcp
from shoal.measures.loss.gcp import column_penalties


@st.composite
def recoded(draw):
    """A file of two columns with random hierarchies, gaps, and levels to recode to."""
    found, hierarchies, levels = {}, {}, {}
    n = draw(st.integers(1, 12))
    for name in ("one", "two"):
        rows = draw(random_rows())
        cell = st.one_of(st.sampled_from([row[0] for row in rows]), st.none())
        found[name] = draw(st.lists(cell, min_size=n, max_size=n))
        hierarchies[name], levels[name] = rows, draw(st.integers(0, len(rows[0]) - 1))
    return found, hierarchies, levels


def oracle(found, hierarchies, levels) -> list[float]:
    columns = []
    for name, cells in found.items():
        rows = [list(row) for row in dict.fromkeys(map(tuple, hierarchies[name]))]
        lost = []
        for cell in cells:
            if cell is not None:
                label = next(row for row in rows if row[0] == cell)[levels[name]]
                below = [row for row in rows if row[levels[name]] == label]
                lost.append((len(below) - 1) / max(len(rows) - 1, 1))
        columns += [100 * sum(lost) / len(lost)] if lost else []
    return columns


@pytest.mark.slow
@given(recoded())
def test_random_hierarchies_agree_with_lists(case):
    found, hierarchies, levels = case
    table = with_hierarchies(as_table(found), hierarchies)
    after = global_recode(table, levels=levels)
    expected = oracle(*case)
    if not expected:
        with pytest.raises(NotApplicable):
            gcp(table, after)
    else:
        assert gcp(table, after) == pytest.approx(np.mean(expected))
        assert gcp(as_table(found), after) == pytest.approx(np.mean(expected)), "the masked table knows"


@pytest.mark.slow
@given(recoded())
def test_identity_is_nothing_the_root_all_and_coarser_never_less(case):
    found, hierarchies, _ = case
    table = with_hierarchies(as_table(found), hierarchies)
    for name, rows in hierarchies.items():
        heights = range(len(rows[0]))
        lost = [
            column_penalties(table, global_recode(table, levels={name: level}), [name]).get(name, 0.0)
            for level in heights
        ]
        assert lost[0] == 0
        assert lost == sorted(lost)
        if any(found[name]) and len({row[0] for row in rows}) > 1:
            assert lost[-1] == 100


@pytest.mark.slow
@given(files())
def test_odd_files_and_the_identity(pair):
    original, masked = pair
    for after in (original, masked):
        try:
            lost = gcp(original, after)
        except NotApplicable:
            continue
        assert 0 <= lost <= 100
        assert after is masked or lost == 0


def test_perturbed_columns_are_left_out():
    table = as_table({"age": [20.0, 30.0, 50.0], "town": ["a", "b", "c"]})
    noisy = add_noise(table, amount=0.3, columns=["age"], rng=1)
    assert gcp(table, noisy) == 0
    with pytest.raises(NotApplicable, match="other values"):
        gcp(table, noisy, columns=["age"])


def test_weights_of_columns():
    table = as_table({"age": [20, 30], "town": ["a", "b"]})
    after = as_table({"age": ["*", "*"], "town": ["a", "b"]})
    assert gcp(table, after) == 50
    assert gcp(table, after, weights={"age": 3}) == 75
    with pytest.raises(InvalidInput, match="All weights"):
        gcp(table, after, weights={"age": 0, "town": 0})
    with pytest.raises(InvalidInput, match="agee"):
        gcp(table, after, weights={"agee": 1})


def test_a_false_label_counts_as_lost():
    table = as_table({"age": [20, 30, 40]})
    assert gcp(table, as_table({"age": ["[30, 40]", "30", "40"]})) == pytest.approx(100 / 3)
