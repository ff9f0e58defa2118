"""Regions against the recursive version of the paper."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masking.recoding.files import HIERARCHY, small_tables
from shoal.masking.recoding.mondrian import RULES, _axis
from shoal.masking.recoding.mondrian_cuts import cut_regions


def oracle(axes, rows, k, rule, stratum, verdict):
    """Strict Mondrian by recursion, looking at every cut of every column one by one."""
    best = None
    for axis in axes:
        codes = axis.codes[rows]
        values = sorted(set(codes.tolist()))
        offers = []
        for low, high in pairwise(values):
            below, above = rows[codes < high], rows[codes >= high]
            if len(below) < k or len(above) < k:
                continue

            def width(part, axis=axis):
                inside = axis.codes[part]
                if axis.width is None:
                    return (len(set(inside.tolist())) - 1) / max(int(axis.codes.max()) - 1, 1)
                return axis.width(np.array([inside.min()]), np.array([inside.max()]))[0]

            height = axis.height(np.array([low]), np.array([high]))[0]
            score, worth = rule(len(below) / len(rows), width(rows), width(below), width(above), height)
            offers.append((score, -high, worth, below, above))
        if offers:
            score, _, worth, below, above = max(offers, key=lambda offer: offer[:2])
            if (best is None or worth > best[0]) and verdict(below) and verdict(above):
                best = (worth, below, above)
    if best is None:
        return [rows.tolist()]
    parts = [oracle(axes, part, k, rule, stratum, verdict) for part in best[1:]]
    return parts[0] + parts[1]


@pytest.mark.slow
@pytest.mark.parametrize("hierarchy", [False, True])
@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@settings(max_examples=80)
@given(small_tables(), st.integers(2, 4), st.booleans())
def test_regions_agree_with_the_recursive_oracle(rule, hierarchy, table, k, diverse):
    from shoal.hierarchy import with_hierarchies
    from shoal.masking.microaggregation.constraints import group_constraint

    if hierarchy and "town" in table.names():
        table = with_hierarchies(table, HIERARCHY)
    axes = [_axis(table, name, "regions") for name in table.names("quasi")]
    sick = table.column("sick")
    constraint = None
    if diverse and len(set(sick)) > 1:
        constraint = group_constraint(table, l_diversity=2)

    def verdict(rows):
        return constraint is None or len(set(sick[rows])) >= 2

    everyone = np.zeros(len(table), dtype=np.intp)
    labels = cut_regions(axes, min(k, len(table)), everyone, rule, True, constraint)
    expected = oracle(axes, np.arange(len(table)), min(k, len(table)), rule, everyone, verdict)
    found = [np.flatnonzero(labels == label).tolist() for label in range(labels.max() + 1)]
    assert sorted(found) == sorted(sorted(part) for part in expected)
