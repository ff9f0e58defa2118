"""Random tables, every masker with a promise, every format: the file keeps it, or one sentence says why.

A quick run here; `make fuzz MINUTES=10 WORKERS=4` for a long one, which lists failures.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import cases, folder_for_cases, try_case
from hypothesis import HealthCheck, given, settings

QUICK = 150


@pytest.fixture(scope="module")
def folder():
    with folder_for_cases() as place:
        yield Path(place)


@settings(max_examples=QUICK, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases())
def test_written_files_keep_their_promise(folder, case):
    assert try_case(case, folder) in ("written", "said", "refused")
