"""The optimal recodings of Adult with ARX's hierarchies, each confirmed by checking every node."""

from __future__ import annotations

import pytest

from shoal.datasets import list_datasets, read_reference
from shoal.datasets.catalogue import REFERENCES
from shoal.datasets.reference import find_reference
from shoal.search import find_recoding

KEYS = "sex age race marital-status education native-country workclass occupation salary-class".split()  # noqa: SIM905


@pytest.fixture(scope="module")
def adult():
    if not next(info for info in list_datasets() if info.name == "adult_arx").found:
        pytest.skip(
            "the reference file adult_arx is not here (set SHOAL_DATA to the folder of reference files)"
        )
    reference = next(entry for entry in REFERENCES if entry.name == "adult_arx")
    folder = find_reference(reference).parent / "hierarchies"
    return read_reference("adult_arx"), {name: folder / f"{name}.csv" for name in KEYS}


@pytest.mark.parametrize(
    ("keys", "loss", "levels", "value", "suppressed", "classes"),
    [
        (8, "geometric", "0 3 0 0 1 1 1 2", 0.2519, 1458, 399),
        (8, "granularity", "0 3 0 1 2 1 1 1", 0.2773, 1248, 384),
        (9, "geometric", "0 3 0 0 2 1 1 2 0", 0.2419, 1346, 397),
        (9, "granularity", "0 3 0 0 2 1 1 2 0", 0.3016, 1346, 397),
    ],
)
def test_the_optimal_nodes_of_adult(adult, keys, loss, levels, value, suppressed, classes):
    table, hierarchies = adult
    names = KEYS[:keys]
    found = find_recoding(
        table,
        k=5,
        suppression=0.05,
        loss=loss,
        hierarchies={name: hierarchies[name] for name in names},
        columns=names,
    )
    assert found.proven
    assert list(found.levels.values()) == [int(level) for level in levels.split()]
    assert found.value == pytest.approx(value, abs=5e-5)
    assert (found.suppressed, found.classes) == (suppressed, classes)


def test_local_recoding_of_adult(adult):
    table, hierarchies = adult
    names = KEYS[:8]
    found = find_recoding(
        table,
        k=5,
        scheme="local",
        loss="granularity",
        hierarchies={name: hierarchies[name] for name in names},
        columns=names,
    )
    assert found.value <= 0.057
