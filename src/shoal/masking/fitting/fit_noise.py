"""What noise learns: means and covariances of the columns."""

from __future__ import annotations

from typing import Any

from shoal._door import takes_frames
from shoal.masking.noise.add_noise import noise_moments
from shoal.table import Table


@takes_frames
def fit_add_noise(table: Table, **options: Any) -> dict[str, Any]:
    """The means and covariances that scale the noise, as values for the next file.

    >>> from shoal import as_table
    >>> fit_add_noise(as_table({"pay": [10.0, 20.0, 30.0]}, roles={"quasi": "pay"}), amount=0.1)
    {'moments': {'centre': {'pay': 20.0}, 'covariance': {'pay': {'pay': 100.0}}}}
    """
    if options.get("moments") is not None:
        return {}
    return {"moments": noise_moments(table, columns=options.get("columns"))}
