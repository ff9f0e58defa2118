"""Random tables, every masker with a promise, every format: the file keeps it, or one sentence says why.

A quick run here; `make fuzz MINUTES=10` for a long one, which goes on after failures and lists them.
"""

from __future__ import annotations

import os
import time
import traceback
from collections import Counter
from pathlib import Path

import pytest
from cases import Case, cases, folder_for_cases, try_case
from hypothesis import HealthCheck, Phase, given, settings

MINUTES = float(os.environ.get("SHOAL_FUZZ_MINUTES", "0"))
ROUND = 500
QUICK = 150


@pytest.fixture(scope="module")
def folder():
    with folder_for_cases() as place:
        yield Path(place)


@pytest.mark.skipif(MINUTES > 0, reason="the long run does the same")
@settings(max_examples=QUICK, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases())
def test_written_files_keep_their_promise(folder, case):
    assert try_case(case, folder) in ("written", "said")


@pytest.mark.skipif(MINUTES <= 0, reason="long: make fuzz MINUTES=10")
def test_for_minutes(folder, capsys):
    outcomes: Counter[str] = Counter()
    found: dict[str, Case] = {}

    @settings(
        max_examples=ROUND,
        deadline=None,
        database=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases())
    def round_of_cases(case: Case) -> None:
        try:
            outcomes[try_case(case, folder)] += 1
        except Exception as error:
            outcomes["failed"] += 1
            found.setdefault(_signature(error), case)

    end = time.monotonic() + 60 * MINUTES
    while time.monotonic() < end and len(found) < 25:
        round_of_cases()
        with capsys.disabled():
            print(f"\r{sum(outcomes.values())} cases: {dict(outcomes)}", end="", flush=True)
    with capsys.disabled():
        print()
        for signature, case in found.items():
            print(f"\n{signature}\n    {case!r}")
    assert not found


def _signature(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = next((f for f in reversed(frames) if "shoal" in f.filename), frames[-1])
    return f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}: {str(error)[:100]}"
