"""Risks on the files of other programs: sdcMicro's testdata and testdata2, ARX's cut of Adult."""

from __future__ import annotations

import numpy as np
import pytest

from papers.sdcmicro_files import FOUND, sdcmicro_file
from shoal.datasets import read_reference
from shoal.measures import (
    class_sizes,
    global_risk,
    household_risks,
    prosecutor_risk,
    violating_records,
)
from shoal.table import as_table

SEVEN = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]


@pytest.mark.parametrize(("k", "records"), [(2, 157), (3, 281), (5, 458), (10, 741)])
def test_violations_of_k_in_testdata(k, records):
    assert len(violating_records(sdcmicro_file("testdata", SEVEN), k, gaps="wildcard")) == records


def test_expected_reidentifications_of_testdata2():
    table = sdcmicro_file("testdata2", SEVEN, weight="sampling_weight")
    assert global_risk(table) == pytest.approx(4.32606896, abs=5e-9)
    assert household_risks(table, household="ori_hid").sum() == pytest.approx(5.92277881, abs=5e-9)


def test_average_risk_and_uniqueness_of_adult():
    if "adult_arx" not in FOUND:
        pytest.skip("the reference file adult_arx is not here (set SHOAL_DATA to the folder of files)")
    frame = read_reference("adult_arx").frame
    table = as_table(frame, roles={"quasi": list(frame.columns)})
    assert prosecutor_risk(table, table) / 100 == pytest.approx(0.64657516, abs=5e-9)
    assert np.mean(class_sizes(table) == 1) == pytest.approx(0.51428950, abs=5e-9)
