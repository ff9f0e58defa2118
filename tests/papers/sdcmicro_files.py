"""Files of the R package sdcMicro, where they are on this machine."""

from __future__ import annotations

import pytest

from shoal.datasets import list_datasets, read_reference
from shoal.table import Table, as_table

FOUND = {info.name for info in list_datasets() if info.found}


def sdcmicro_file(name: str, quasi: list[str], **roles: str) -> Table:
    """The file with these quasi-identifiers (categories), or a skipped test."""
    if name not in FOUND:
        pytest.skip(f"reference file {name} is not here (set SHOAL_DATA to the folder of reference files)")
    frame = read_reference(name).frame
    return as_table(frame, roles={"quasi": quasi, **roles}, kinds=dict.fromkeys(quasi, "nominal"))
