"""The intruders that link: nearest record, most specific cover, weighed agreements."""

from __future__ import annotations

import numpy as np
import pytest

from measures.attack.releases import coded, persons, scene
from shoal import NotApplicable, microaggregate, mondrian
from shoal.measures.attack.nearest_record import nearest_record
from shoal.measures.attack.probabilistic_link import probabilistic_link
from shoal.measures.attack.specific_cover import specific_cover

LINKERS = (nearest_record, specific_cover, probabilistic_link)


@pytest.mark.parametrize("intruder", LINKERS, ids=lambda f: f.__name__)
def test_an_unprotected_file_is_caught(intruder):
    found = intruder(scene(persons(), persons()))
    assert found.found
    assert found.success > 0.6
    assert found.records
    assert "right record alone" in found.worst


@pytest.mark.parametrize("intruder", LINKERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("protect", [mondrian, microaggregate])
def test_classes_of_five_give_at_most_one_in_five(intruder, protect):
    table = persons()
    protected = scene(table, protect(table, k=5))
    if intruder is specific_cover and not protected.covering:
        with pytest.raises(NotApplicable):
            intruder(protected)
        return
    found = intruder(protected)
    assert found.success <= found.baseline + 3 * found.error
    assert found.baseline <= 0.2
    assert not found.found


@pytest.mark.parametrize("intruder", [nearest_record, probabilistic_link], ids=lambda f: f.__name__)
def test_values_dealt_at_random_are_not_linked(intruder):
    table = coded()
    rng = np.random.default_rng(3)
    other = table.assign(**{name: table.column(name)[rng.permutation(600)].tolist() for name in "abc"})
    assert not intruder(scene(table, other)).found
