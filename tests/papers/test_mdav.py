"""MDAV on the reference files: known sums of squares and losses, on z-scores with n-1."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.datasets import list_datasets, read_reference
from shoal.partition import mdav, sizes, sse

FOUND = {info.name for info in list_datasets() if info.found}

# Name, k, the known sum of squares, and how far ours may be off: half a unit of the last digit given. Two are
# wider because ours ends one unit lower in the third decimal (3594.457492 and 750.020489, also in extended
# precision and for other row orders). Rounding those to four and then to three decimals gives the known
# figures; that this is how they came about is a guess.
KNOWN = [
    ("census", 3, 798.443, 5e-4),
    ("census", 4, 1051.28, 5e-3),
    ("census", 5, 1274.835, 5e-4),
    ("census", 10, 1985.652, 5e-4),
    ("tarragona", 3, 1833.630, 5e-4),
    ("tarragona", 5, 2432.395, 5e-4),
    ("tarragona", 10, 3594.458, 6e-4),
    ("eia", 3, 217.327, 5e-4),
    ("eia", 5, 750.021, 6e-4),
    ("eia", 10, 1727.890, 5e-4),
]


def z_scores(name):
    if name not in FOUND:
        pytest.skip(f"reference file of {name} is not here (set SHOAL_DATA to the folder of reference files)")
    table = read_reference(name)
    X = np.column_stack([table.column(column) for column in table.names(role="quasi")])
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)


@pytest.mark.parametrize(("name", "k", "known", "off"), KNOWN)
def test_sum_of_squares(name, k, known, off):
    X = z_scores(name)
    labels = mdav(X, k)
    assert sse(X, labels) == pytest.approx(known, abs=off)
    assert sizes(labels).min() >= k
    assert sizes(labels).max() <= 2 * k - 1


# Information loss, 100 SSE / SST, that sdcMicro 5.8.1 gives on these files.
LOSSES = [
    *[("census", 3, 5.6922), ("census", 5, 9.0884), ("census", 10, 14.1559)],
    *[("tarragona", 3, 16.9326), ("tarragona", 5, 22.4619), ("tarragona", 10, 33.1929)],
    *[("eia", 3, 0.4829), ("eia", 5, 1.6667), ("eia", 10, 3.8397)],
]


@pytest.mark.parametrize(("name", "k", "loss"), LOSSES)
def test_information_loss_is_that_of_sdcmicro(name, k, loss):
    X = z_scores(name)
    total = ((X - X.mean(axis=0)) ** 2).sum()
    assert 100 * sse(X, mdav(X, k)) / total == pytest.approx(loss, abs=5e-5)


# The results folder of the source of these files, which does not say what happens to left-over records. All
# twelve are met when they go to the nearest group; the default rule meets ten, and gives 0.999 and 1.768 for
# tarraco with k = 3 and 5.
PATH_LOSSES = [
    *[("barcelona", 3, 2.567), ("barcelona", 4, 3.502), ("barcelona", 5, 4.285), ("barcelona", 6, 5.187)],
    *[("madrid", 3, 3.188), ("madrid", 4, 4.335), ("madrid", 5, 5.288), ("madrid", 6, 5.824)],
    *[("tarraco", 3, 0.996), ("tarraco", 4, 1.418), ("tarraco", 5, 1.767), ("tarraco", 6, 2.026)],
]


@pytest.mark.parametrize(("name", "k", "loss"), PATH_LOSSES)
def test_information_loss_on_paths(name, k, loss):
    X = z_scores(name)
    total = ((X - X.mean(axis=0)) ** 2).sum()
    labels = mdav(X, k, leftovers="nearest")
    assert 100 * sse(X, labels) / total == pytest.approx(loss, abs=5e-4)
