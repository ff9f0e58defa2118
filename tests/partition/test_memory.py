"""The working memory of MDAV and blockwise: at most three times the file."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

if not os.access("/proc/self/clear_refs", os.W_OK):
    pytest.skip("the peak of memory is not to be had on this system", allow_module_level=True)

PEAK = """
import sys
from pathlib import Path
import numpy as np
from shoal.partition import blockwise, mdav

def memory(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(field))

method = {"mdav": mdav, "blockwise": blockwise}[sys.argv[1]]
numbers, columns = int(sys.argv[2]), int(sys.argv[3])
method(np.random.default_rng(0).normal(size=(30_000, columns)), 5)  # loads what is compiled
X = np.random.default_rng(0).normal(size=(numbers // columns, columns))
if sys.argv[4:]:
    X = np.exp(-50 * X * X)  # most of them so near that their distances round to ties
Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
before = memory("VmRSS")
method(X, 5)
print((memory("VmHWM") - before) / X.nbytes)
"""


@pytest.mark.parametrize(
    "case",
    [
        "mdav 1500000 1",
        "mdav 1500000 1 ties",
        "mdav 1500000 2",
        "mdav 400000 2",
        "mdav 1500000 5",
        "blockwise 200000 1",
        "blockwise 400000 1",
        "blockwise 1500000 1",
        "blockwise 500000 5",
        "blockwise 1500000 5",
    ],
)
def test_three_times_the_file_at_most(case):
    """The least of three processes: a busy machine only adds (200,000 x 1: 3.1 once, else 2.1 to 2.7)."""
    for _ in range(3):
        command = [sys.executable, "-c", PEAK, *case.split()]
        peak = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        assert peak > 1  # a copy at least, or the peak was not seen
        if peak <= 3:
            return
    raise AssertionError(peak)
