"""What a classifier learns from a release: all of it, less of it, nothing."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, NotApplicable, as_table, mondrian
from shoal.measures import learned_accuracy

pytest.importorskip("sklearn")


def people(n=400):
    rng = np.random.default_rng(0)
    age, pay = rng.integers(18, 80, n), rng.normal(size=n)
    works = np.where(age < 50, "yes", "no").tolist()
    return as_table({"age": age, "pay": pay, "works": works}, roles={"quasi": ["age", "pay"]})


def test_the_same_file_teaches_the_same():
    found = learned_accuracy(people(), people(), target="works", rng=1)
    assert found.original == found.masked > 97
    share = np.mean([value == "yes" for value in people().column("works")])
    assert found.baseline == pytest.approx(100 * max(share, 1 - share))


def test_classes_teach_less_and_shuffled_ages_nothing():
    table = people()
    coarse = learned_accuracy(table, mondrian(table, k=25), target="works", rng=1)
    assert coarse.baseline < coarse.masked < coarse.original
    mixed = table.assign(age=np.random.default_rng(3).permutation(table.column("age")))
    lost = learned_accuracy(table, mixed, target="works", rng=1)
    assert lost.masked < lost.baseline + 10


def test_bad_input():
    table = people()
    with pytest.raises(InvalidInput, match="'work'"):
        learned_accuracy(table, table, target="work")
    with pytest.raises(NotApplicable, match="nothing to learn"):
        learned_accuracy(table, table.assign(works=["yes"] * 400), target="works", columns=["works"])
