from __future__ import annotations

import pytest

from shoal.graph import match_places


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("BARCELONA, Catalunya", "Barcelona, Catalonia, Spain"),
        ("Barcelona, Venezuela", "Barcelona, Anzoátegui, Venezuela"),
        ("Paris, Texas", "Paris, Texas, United States"),
        ("paris", "Paris, Île-de-France, France"),
        ("London UK", "London, England, United Kingdom"),
        ("London, ON", "London, Ontario, Canada"),
        ("Tallahassee Florida", "Tallahassee, Florida, United States"),
        ("New York", "New York, United States"),
        ("Reading, UK", "Reading, England, United Kingdom"),
        ("U.S.A.", "United States"),
        ("NJ", "New Jersey, United States"),
        ("日本", "Japan"),
        ("Αθήνα", "Athens, Attica, Greece"),
        ("Berlin/Paris", "Western Europe"),
        ("georgia", None),
        ("Austin / Los Angeles", "United States"),
        ("World", "World"),
        ("my mother's kitchen", None),
        ("somewhere in time", None),
        ("in the moment", None),
        ("", None),
    ],
)
def test_what_people_write_is_found_or_not(text, place):
    assert match_places([text]) == [place]


def test_labels_are_found_as_they_are():
    from shoal.graph import towns

    labels = list(towns().labels[:: len(towns().labels) // 500])
    assert match_places(labels) == labels
