"""What microaggregation can learn, if asked: the centres of its groups."""

from __future__ import annotations

from typing import Any

from shoal._door import takes_frames
from shoal.masking.cells import cells_of
from shoal.masking.households.household_variables import household_variables
from shoal.table import Table


@takes_frames
def fit_microaggregate(table: Table, masked: Table, **options: Any) -> dict[str, Any]:
    """The step that gives the next file the centres of this one: `join_centres` with the released values.

    Only values that were released are kept, each shared by k records; columns treated in groups of their own
    have no common centres, nor have members of a household what they share: nothing is kept of these.

    >>> from shoal import as_table, microaggregate
    >>> table = as_table({"age": [20, 22, 61, 63]}, roles={"quasi": "age"})
    >>> fit_microaggregate(table, microaggregate(table, k=2), k=2)["centres"]
    {'age': [21.0, 62.0]}
    """
    if options.get("groups") is not None or options.get("strata") is not None:
        return {}
    columns = options.get("columns")
    names = (
        table.names(role="quasi") if columns is None else [columns] if isinstance(columns, str) else columns
    )
    if table.names("household") and household_variables(table, columns=list(names)):
        return {}
    rows = zip(*(cells_of(masked, name).tolist() for name in names), strict=True)
    centres = list(dict.fromkeys(row for row in rows if None not in row))
    if not centres:
        return {}
    return {
        "method": "join_centres",
        "k": options["k"],
        "centres": {
            name: list(values) for name, values in zip(names, zip(*centres, strict=True), strict=True)
        },
    }
