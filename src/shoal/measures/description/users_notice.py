"""What users of a protected file will notice, in three sentences."""

from __future__ import annotations

from collections.abc import Sequence

from shoal._door import takes_frames
from shoal.measures.description.column_losses import ColumnLoss, column_losses
from shoal.measures.description.pair_changes import PairChange, pair_changes
from shoal.table import Table

CLOSE = 0.05  # difference of correlations that hardly anybody sees


@takes_frames
def users_notice(original: Table, masked: Table) -> tuple[str, ...]:
    """Say in three sentences what users of the file will notice.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.

    Returns
    -------
    tuple of str
        What is as it was, what changed most, and which relation between two columns changed most.

    Notes
    -----
    Cost: that of `column_losses` and `pair_changes`.

    References
    ----------
    Hundepool et al.: Statistical disclosure control, Wiley (2012), chapter 3.

    Examples
    --------
    >>> before = {"age": [20, 24, 40, 41], "town": ["a", "a", "b", "b"]}
    >>> print(*users_notice(before, {**before, "age": [22.0, 22.0, 40.5, 40.5]}), sep=" ")
    1 of 2 columns is exactly as before. Most changed is age: it holds other values, and 100.0 % of its \
cells are not what they were. No two columns can be compared with each other.
    """
    columns = column_losses(original, masked)
    return (_unchanged(columns), _most_changed(columns), _pairs(pair_changes(original, masked)))


def _unchanged(columns: Sequence[ColumnLoss]) -> str:
    same = sum(column.how == "unchanged" for column in columns)
    if same == len(columns):
        return "Every column is exactly as before."
    if not same:
        return f"None of {len(columns)} columns is exactly as before."
    return f"{same} of {len(columns)} columns {'is' if same == 1 else 'are'} exactly as before."


def _most_changed(columns: Sequence[ColumnLoss]) -> str:
    worst = max(columns, key=lambda column: (column.loss, column.changed + column.suppressed))
    if worst.how == "unchanged":
        return "Nothing was changed."
    cells = f"{worst.changed:.1f} % of its cells are not what they were"
    missing = f"{worst.suppressed:.1f} % of its cells are missing now"
    said = {
        "suppressed": missing,
        "coarser": f"it tells ranges or wider groups in place of values, and {cells}"
        + (f"; {missing}" if worst.suppressed >= 0.05 else ""),
        "other values": f"it holds other values, and {cells}"
        + (f"; {missing}" if worst.suppressed >= 0.05 else ""),
    }
    return f"Most changed is {worst.name}: {said[worst.how]}."


def _pairs(pairs: Sequence[PairChange]) -> str:
    if not pairs:
        return "No two columns can be compared with each other."
    worst = pairs[0]
    if worst.change < CLOSE:
        return f"How columns go together stayed: nothing moved by {CLOSE:g} or more."
    kept = sum(pair.change < CLOSE for pair in pairs)
    return (
        f"The {worst.what} of {worst.one} and {worst.other} went from {worst.before:.2f} to "
        f"{worst.after:.2f}; {kept} of {len(pairs)} pairs of columns moved by less than {CLOSE:g}."
    )
