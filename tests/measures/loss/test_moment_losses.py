"""IL1s to IL5 against slow, obvious versions and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

import oracles_measures as slow
from measures.files import MANY, files
from shoal import NotApplicable, as_table, measures

NUMERIC = files(kinds=("numeric",), least=2)
PARTS = ("sse_loss", "eigen_loss", "il1s", "il2", "il3", "il4")


def varying(original, masked) -> list:
    return [c for c in slow.standardised(original, masked) if not c[2]]


@pytest.mark.slow
@MANY
@given(pair=NUMERIC)
def test_losses_agree_with_the_slow_versions(pair):
    assume(varying(*pair))
    expected = {name: getattr(slow, name)(*pair) for name in PARTS}
    if len(varying(*pair)) > 1:
        expected["il5"] = slow.il5(*pair)
    else:
        with pytest.raises(NotApplicable):
            measures.il5(*pair)
    found = {name: getattr(measures, name)(*pair) for name in expected}
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)
    classic = [value for name, value in expected.items() if name.startswith("il")]
    assert measures.il_loss(*pair) == pytest.approx(np.mean(classic), rel=1e-6, abs=1e-6)


def test_a_mean_of_zero_is_measured_in_deviations():
    before = as_table({"a": [-1.0, 0.0, 1.0]})
    assert measures.il2(before, as_table({"a": [0.0, 1.0, 2.0]})) == pytest.approx(100.0)
    tiny = as_table({"a": [-1.0, 0.0, 1.0 + 1e-12]})
    assert measures.il2(tiny, as_table({"a": [0.0, 1.0, 2.0]})) == pytest.approx(100.0, rel=1e-6)


def test_suppressed_columns_count_fully():
    before = as_table({"a": [1.0, 2.0, 4.0], "b": [1.0, 5.0, 2.0]})
    gone = before.assign(a=np.full(3, np.nan))
    assert measures.il2(before, gone) == pytest.approx(50.0)
    assert measures.il4(before, gone) == pytest.approx(50.0)
    assert measures.sse_loss(before, gone) == pytest.approx(50.0)
