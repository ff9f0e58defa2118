"""Households of one size hide among each other: their number of members as a stratum while steps run."""

from __future__ import annotations

import narwhals as nw
import numpy as np

from shoal.errors import Infeasible, InvalidInput
from shoal.masking.households.household_variables import household_of
from shoal.table import Attribute, Table

MEMBERS = "members of the household (shoal)"  # a stratum while a recipe runs; never released


def by_household_size(table: Table, k: int) -> Table:
    """The table with one more stratum, how many members the household of a record has.

    Whoever sees the file can count them, so k households that look alike as wholes must be of one size; a
    size that fewer than k have is refused.

    >>> from shoal import as_table
    >>> by_household_size(as_table({"home": [1, 1, 2, 2]}, roles={"household": "home"}), 2).names("stratum")
    ['members of the household (shoal)']
    """
    if not table.names("household"):
        raise InvalidInput("Whole households need a column with the role household; say which one it is.")
    homes = household_of(table)
    members = np.bincount(homes)
    few = np.bincount(members)[members] < k
    if few.any():
        raise Infeasible(
            f"{int(few.sum())} of {len(members)} households have a size that fewer than k = {k} have (the "
            f"first at row {int(np.argmax(few[homes]))}), so they stand out as wholes; leave them out."
        )
    frame = nw.from_native(table.frame, eager_only=True)
    column = nw.new_series(MEMBERS, members[homes], backend=frame.implementation)
    added = Attribute(MEMBERS, "nominal", "stratum")
    return Table(frame.with_columns(column).to_native(), (*table.attributes, added))
