"""The pictures of a search for a recoding show what it looked at."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, as_table
from shoal.report import plot_recoding
from shoal.search import find_recoding

ROWS = {"age": {"widths": [5, 10, 20]}}


def people(n=200):
    rng = np.random.default_rng(1)
    columns = {"age": rng.integers(18, 70, n).tolist(), "sex": rng.choice(["f", "m"], n).tolist()}
    return as_table(columns, roles={"quasi": ["age", "sex"]})


@pytest.mark.parametrize("loss", ["gcp", "discernibility", "class_size"])
def test_every_counted_recoding_is_a_point_and_the_best_a_star(loss):
    found = find_recoding(people(), k=5, suppression=0.02, loss=loss, hierarchies=ROWS)
    assert len(found.looked) == found.counted
    assert min(value for _, _, value in found.looked) == pytest.approx(found.value)
    assert all(low <= value + 1e-9 for _, low, value in found.looked) or loss == "class_size"
    axis = plot_recoding(found).axes[0]
    broken, kept, best = (points.get_offsets() for points in axis.collections)
    assert len(broken) + len(kept) == found.counted
    assert best.tolist() == [
        [pytest.approx((1 if loss == "class_size" else 100) * found.value), sum(found.levels.values())]
    ]
    assert "proven" in axis.get_title(loc="left") + axis.get_title()


def test_a_local_recoding_is_shares_of_levels_that_add_up():
    found = find_recoding(people(), k=5, scheme="local", hierarchies=ROWS)
    assert all(sum(shares) == pytest.approx(1) for shares in found.shares.values())
    axis = plot_recoding(found).axes[0]
    assert [text.get_text() for text in axis.get_yticklabels()] == ["age", "sex"]
    assert sum(bar.get_width() for bar in axis.patches) == pytest.approx(200)


def test_anything_else_is_refused():
    with pytest.raises(InvalidInput, match="find_recoding"):
        plot_recoding(3)
