from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import InvalidInput
from shoal.search.column_groups.grouping_genes import canonical, flat_names, genes_of, groups_of, random_genes

NAMES = st.lists(st.integers(0, 6), min_size=1, max_size=12)


@given(NAMES, st.permutations(range(7)))
def test_clones_have_one_canonical_form(names, renaming):
    assert canonical(names) == canonical(renaming[name] for name in names)


@given(NAMES)
def test_canonical_form_keeps_the_grouping(names):
    genes = canonical(names)
    assert [[a == b for a in names] for b in names] == [[a == b for a in genes] for b in genes]
    assert canonical(genes) == genes
    assert sorted(set(genes)) == list(range(max(genes) + 1))


@given(NAMES)
def test_groups_hold_every_column_once(names):
    groups = groups_of(canonical(names))
    assert sorted(column for group in groups for column in group) == list(range(len(names)))
    assert all(group == tuple(sorted(group)) and group for group in groups)
    letters = [chr(97 + column) for column in range(len(names))]
    assert genes_of([[letters[c] for c in group] for group in groups], letters) == canonical(names)


def test_random_genes_draw_one_of_d_names():
    rng = np.random.default_rng(1)
    counts = [max(random_genes(38, rng)) + 1 for _ in range(400)]
    # 38 draws from 38 names hit 38 (1 - (1 - 1/38)^38) = 24.2 of them on average
    assert np.mean(counts) == pytest.approx(38 * (1 - (37 / 38) ** 38), abs=0.4)


def test_a_thousand_columns_are_no_problem():
    assert len(random_genes(1000, np.random.default_rng(1))) == 1000


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ([["a"], ["b"]], "leaves out column 'c'"),
        ([["a", "b"], ["c", "a"]], "'a' is named twice"),
        ([["a", "b"], ["d"]], "no column 'd'"),
        (["a", "b", "c"], "list of lists"),
        ("abc", "list of lists"),
    ],
)
def test_wrong_groups_are_refused(groups, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        genes_of(groups, ["a", "b", "c"])


def test_flat_names_keep_the_order():
    assert flat_names([("b",), ("c", "a")]) == ["b", "c", "a"]
