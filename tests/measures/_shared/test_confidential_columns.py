"""What l-diversity and t-closeness say when nothing is confidential or known."""

from __future__ import annotations

import pytest

from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures import (
    closeness,
    diversity_level,
    l_diversity,
    t_closeness,
)


def test_nothing_confidential_is_said():
    table = as_table({"a": ["x", "y"], "b": [1, 2]}, roles={"quasi": "a"})
    for measure in (l_diversity, t_closeness):
        with pytest.raises(NotApplicable, match="confidential"):
            measure(table, table)
    for level in (diversity_level, closeness):
        with pytest.raises(InvalidInput, match="confidential"):
            level(table)
    hidden = as_table({"b": [1, 2]}, roles={"confidential": "b"})
    with pytest.raises(NotApplicable, match="intruder knows none"):
        l_diversity(hidden, hidden)
