"""Records before and after, for small files."""

from __future__ import annotations

import numpy as np
import pytest

from report.files import masked, original
from shoal import InvalidInput, as_table, mdav, microaggregate
from shoal.datasets import make_scattered
from shoal.report import (
    plot_records,
)

pytest.importorskip("matplotlib", reason="pictures need the extra `report`")


def test_records_of_small_files():
    table = make_scattered(30, rng=1)
    released = microaggregate(table, k=3, partition=mdav)
    left, right = plot_records(table, released, table.names()[:2]).axes
    assert len(left.collections[0].get_offsets()) == 30
    assert len(right.lines) == 30
    assert right.get_title(loc="left").startswith("after: 10 points of at least 3")
    with pytest.raises(InvalidInput, match="two columns that are numeric"):
        plot_records(original(), masked(), ["age", "town"])
    many = as_table({"a": np.arange(2001.0), "b": np.arange(2001.0)})
    with pytest.raises(InvalidInput, match="1 to 2000 records"):
        plot_records(many, many, ["a", "b"])
