"""Words for what programs call by name; all other words stand in the templates, between `_(` and `)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from shoal.types import Role


class RoleWords(NamedTuple):
    """What a role is called, its key on the keyboard, and what it means."""

    name: str
    key: str
    sentence: str


ROLE_WORDS: Mapping[Role, RoleWords] = {
    "quasi": RoleWords("known to others", "1", "a neighbour or a register may know it: it is protected"),
    "confidential": RoleWords("confidential", "2", "nobody should learn it about a person they know"),
    "identifier": RoleWords("names a person", "3", "it is not written to the protected file"),
    "other": RoleWords("neither", "4", "it is left as it is"),
    "weight": RoleWords("weight", "5", "how many people of the population a record stands for"),
    "household": RoleWords("household", "6", "who lives together: then k counts households"),
    "stratum": RoleWords("stratum", "7", "never changed, and part of what others know"),
}

KIND_WORDS: Mapping[str, str] = {"numeric": "amount", "ordinal": "ordered", "nominal": "name"}


def figure(value: float | int | None, *, unit: str = "") -> str:
    """A figure as people read it: whole numbers with commas, others with one decimal.

    >>> figure(1234567), figure(7.849, unit=" %"), figure(0.04), figure(None), figure(127526.0)
    ('1,234,567', '7.8 %', '0.04', '–', '127,526')
    """
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}{unit}"
    if not unit and abs(value) >= 1000 and value == int(value):
        return f"{int(value):,}"
    small = 0 < abs(value) < 0.05
    return f"{value:.2g}{unit}" if small else f"{value:,.1f}{unit}"


def people(count: int) -> str:
    """A number of records.

    >>> people(1), people(1000)
    ('1 record', '1,000 records')
    """
    return f"{count:,} record" if count == 1 else f"{count:,} records"
