"""Individual ranking: every column microaggregated by itself."""

from __future__ import annotations

from collections.abc import Iterable

from shoal._check import check_names
from shoal._door import takes_frames
from shoal.encode import quasi_columns
from shoal.errors import InvalidInput
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.aggregate import Missing
from shoal.masking.microaggregation.microaggregate import microaggregate
from shoal.masking.takes_where import takes_where
from shoal.partition.univariate import univariate
from shoal.table import Table
from shoal.types import Callback


@takes_where
@by_household
@takes_frames
def individual_ranking(
    table: Table,
    *,
    k: int,
    round: bool = False,
    missing: Missing = "together",
    columns: Iterable[str] | None = None,
    callback: Callback | None = None,
) -> Table:
    """Replace every value by the centre of at least k values close to it, column by column.

    Parameters
    ----------
    table
        The table to protect.
    k
        Minimum group size in every column; it has no default because it is the promise you make.
    round
        Integer columns stay integer.
    missing
        What happens to missing cells, as in `microaggregate`.
    columns
        The columns to protect, numeric or ordinal; the quasi-identifiers if not given.
    callback
        Called with `Progress` as columns are done;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows in the same order; the other columns exactly as they were.

    Notes
    -----
    Loses very little information and protects very little: the groups differ from column to column, so a
    whole record can still be the only one of its kind. A `PrivacyWarning` says so. Groups are the best
    possible ones in every column. Time O(d (n log n + k n)).

    References
    ----------
    Defays, Nanopoulos: Panels of enterprises and confidentiality: the small aggregates method, Statistics
    Canada symposium (1992), with the optimal groups of Hansen, Mukherjee (2003).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [20, 61, 22, 63]}, roles={"quasi": ["age"]})
    >>> individual_ranking(table, k=2).frame["age"].to_list()
    [21.0, 62.0, 21.0, 62.0]
    """
    names = quasi_columns(table) if columns is None else check_names(columns, table.names())
    unordered = [name for name in names if table.attribute(name).kind == "nominal"]
    if unordered:
        raise InvalidInput(
            f"Column {unordered[0]!r} cannot be ranked because it is nominal; leave it out of `columns`, and "
            "protect it by another method."
        )
    return microaggregate(
        table,
        k=k,
        partition=univariate,
        groups=[[name] for name in names],
        scale="none",
        round=round,
        missing=missing,
        columns=names,
        callback=callback,
    )
