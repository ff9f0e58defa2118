"""alpha, beta and delta of ARX's cut of Adult as the Python package pycanon 1.3.6 prints them."""

from __future__ import annotations

import pytest

from papers.sdcmicro_files import FOUND
from shoal.datasets import read_reference
from shoal.measures import attribute_risks
from shoal.table import as_table

KEYS = ["sex", "race", "marital-status"]
PRINTED = {
    "salary-class": (1.0, 3.0173148641449123, 1.3906137352142307, 3.1311748418348095),
    "occupation": (1.0, 36.23703703703704, 8.11711355558441, 3.9912776564959493),
}


@pytest.mark.parametrize("column", PRINTED)
def test_figures_of_adult(column):
    if "adult_arx" not in FOUND:
        pytest.skip("the reference file adult_arx is not here (set SHOAL_DATA to the folder of files)")
    frame = read_reference("adult_arx").frame
    table = as_table(frame, roles={"quasi": KEYS, "confidential": column})
    (row,) = attribute_risks(table).select("alpha", "beta", "enhanced_beta", "delta").rows()
    assert row == pytest.approx(PRINTED[column], rel=1e-12)
