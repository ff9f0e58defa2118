"""What multivariate top coding learns: where the bulk of the records lies."""

from __future__ import annotations

from typing import Any

from shoal._door import takes_frames
from shoal.masking.recoding.multivariate_top_code import bulk_moments
from shoal.table import Table


@takes_frames
def fit_multivariate_top_code(table: Table, **options: Any) -> dict[str, Any]:
    """Robust centre and covariances, so that the next file is drawn back to the same border.

    >>> from shoal import as_table
    >>> table = as_table({"pay": [1.0, 2.0, 3.0, 4.0, 99.0]}, roles={"quasi": "pay"})
    >>> fit_multivariate_top_code(table, quantile=0.99)["moments"]["centre"]
    {'pay': 2.5}
    """
    if options.get("moments") is not None or table.names("household"):
        return {}
    return {"moments": bulk_moments(table, columns=options.get("columns"))}
