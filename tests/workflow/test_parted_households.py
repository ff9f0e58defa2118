"""A household variable that differs inside a household after masking gives itself away; release says so."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from shoal import PrivacyWarning, Promise, Target, as_table, release, suppress_to_k
from shoal.workflow.parted_households import parted_columns

ROLES = {"quasi": ["town", "age"], "household": "home"}


def survey(seed: int):
    rng = np.random.default_rng(seed)
    homes = np.sort(rng.integers(0, 30, 90))
    towns = rng.choice(["a", "b", "c", None], 30)
    return as_table(
        {"home": homes, "town": towns[homes].tolist(), "age": rng.integers(0, 9, 90)}, roles=ROLES
    )


def test_release_says_that_a_member_gives_another_one_away(tmp_path):
    people = survey(1)
    towns = people.column("town").tolist()
    towns[0] = None if towns[0] is not None else "a"
    leaking = people.assign(town=towns)
    assert parted_columns(people, leaking) == ["town"]
    with pytest.warns(PrivacyWarning, match="shared town before"):
        release(people, leaking, Promise(), Target(tmp_path / "safe.csv"))


@pytest.mark.parametrize("seed", range(10))
def test_what_maskers_release_gives_nobody_away(seed, tmp_path):
    people = survey(seed)
    masked = suppress_to_k(people, k=3)
    assert parted_columns(people, masked) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error", PrivacyWarning)
        assert release(people, masked, Promise(k=3), tmp_path / "safe.csv").kept


def test_ages_of_members_differ_before_and_are_no_news():
    people = survey(2)
    assert parted_columns(people, people.assign(age=np.arange(90))) == []
