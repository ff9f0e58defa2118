"""Household variables that are no longer the same for all members of a household."""

from __future__ import annotations

import warnings

from shoal.errors import PrivacyWarning
from shoal.masking.households.household_variables import first_difference, household_of, household_variables
from shoal.table import Table


def parted_columns(original: Table, masked: Table) -> list[str]:
    """Columns that all members of a household shared before, and in some household do not share any more.

    >>> from shoal import as_table
    >>> before = as_table({"home": [1, 1, 2], "town": ["a", "a", "b"]}, roles={"household": "home"})
    >>> parted_columns(before, before.assign(town=["a", None, "b"]))
    ['town']
    """
    if not original.names(role="household") or len(original) != len(masked):
        return []
    homes = household_of(original)
    both = [name for name in original.names() if name in masked.names()]
    return [
        name
        for name in household_variables(original, columns=both)
        if first_difference(masked, name, homes) >= 0
    ]


def warn_of_parted_households(original: Table, masked: Table) -> None:
    """Say which columns one member of a household gives away for another one.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 41]})
    >>> warn_of_parted_households(table, table)  # nobody lives together: nothing to say
    """
    found = parted_columns(original, masked)
    if found:
        warnings.warn(
            f"All members of a household shared {', '.join(found)} before, and some do not any more: who "
            "knows that, reads what is hidden for one member from another one; mask these columns once per "
            "household (the role household does), or drop them.",
            PrivacyWarning,
            stacklevel=4,
        )
