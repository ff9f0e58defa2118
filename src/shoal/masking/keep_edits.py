"""Edit rules kept after masking: totals summed anew, zeros put back."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np

from shoal._door import takes_frames
from shoal._shared.options import reported
from shoal.edits import EditRule, read_edit
from shoal.errors import InvalidInput, PrivacyWarning
from shoal.table import Table
from shoal.types import Callback


@takes_frames
def keep_edits(
    table: Table,
    *,
    rules: Iterable[EditRule | str] | str,
    callback: Callback | None = None,
) -> Table:
    """Sum the totals of masked parts anew, so that the edit rules of the form total = parts hold.

    Parameters
    ----------
    table
        The masked table.
    rules
        Lines like ``total = wages + other``; rules without a total are refused, since no value could be
        chosen without inventing one: check those with `check_edits`. A total may be a part of a later rule.
    callback
        Called with `Progress` before every rule;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order; totals are the sums of their parts, and missing where a part is missing.

    Notes
    -----
    A total that is a quasi-identifier can tell records apart when it is summed anew: count k afterwards, as
    `release` does. Time O(n) a rule.

    References
    ----------
    Shlomo, De Waal: Protection of micro-data subject to edit constraints against statistical disclosure,
    Journal of Official Statistics 24 (2008).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"total": [3, 5], "wages": [1.5, 1.5], "other": [2, 2]})
    >>> keep_edits(table, rules="total = wages + other").frame["total"].to_list()
    [3.5, 3.5]
    """
    lines = [rules] if isinstance(rules, str) else list(rules)
    for line in reported(lines, callback):
        rule = read_edit(line) if isinstance(line, str) else line
        if rule.total is None:
            raise InvalidInput(
                f"The edit rule {rule.text!r} has no total to sum anew; write `total = wages + other`."
            )
        sums = rule.sums(table)
        if not table.is_number(rule.total):
            raise InvalidInput(f"Column {rule.total!r} is not numeric, so it cannot be a total.")
        if not np.isfinite(sums[~np.isnan(sums)]).all():
            raise InvalidInput(f"The sums for column {rule.total!r} are too large for a number; rescale it.")
        whole = table.is_integer(rule.total) and bool(np.all(sums[~np.isnan(sums)] % 1 == 0))
        released = np.array([None if np.isnan(s) else int(s) for s in sums], dtype=object) if whole else sums
        table = table.assign(**{rule.total: released})
        if table.attribute(rule.total).role == "quasi":
            warnings.warn(
                f"Column {rule.total!r} is a quasi-identifier and was summed anew, which can tell records "
                "apart; count k again.",
                PrivacyWarning,
                stacklevel=3,
            )
    return table
