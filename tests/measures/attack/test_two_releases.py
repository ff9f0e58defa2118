"""Two releases with other classes give away what each alone keeps; the same one twice does not."""

from __future__ import annotations

import pytest

from measures.attack.releases import coded, scene
from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures.attack.two_releases import two_releases

ROLES = {"quasi": ["a", "b", "c"], "confidential": ["ill"]}


def crossed():
    """25 persons on a grid, classes of five by row in one release and by column in the other."""
    ill = [f"i{number}" for number in range(25)]
    rows = [f"r{r}" for r in range(5) for _ in range(5)]
    columns = [f"c{c}" for _ in range(5) for c in range(5)]
    return [
        as_table({"a": keys, "b": ["*"] * 25, "c": ["*"] * 25, "ill": ill}, roles=ROLES)
        for keys in (rows, columns)
    ]


def test_crossing_classes_are_caught():
    one, other = crossed()
    found = two_releases(scene(one, one, other=other))
    assert found.found
    assert found.success == 1
    assert found.baseline < 0.5
    assert found.records


def test_the_same_release_twice_is_not():
    one, _ = crossed()
    found = two_releases(scene(one, one, other=one))
    assert found.success == found.baseline
    assert not found.found
    table = coded()
    assert not two_releases(scene(table, table, other=table)).found


def test_it_needs_another_release_of_the_same_persons():
    with pytest.raises(NotApplicable, match="another release"):
        two_releases(scene(coded(), coded()))
    with pytest.raises(InvalidInput, match="600"):
        two_releases(scene(coded(), coded(), other=coded(n=10)))
