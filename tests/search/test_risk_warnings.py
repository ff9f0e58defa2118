"""Matrices that protect nobody are said aloud."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import PrivacyWarning
from shoal.search.risk_warnings import reads_backwards

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def test_a_matrix_that_can_be_read_backwards_is_said_aloud():
    assert reads_backwards(np.array([[0.02, 0.98], [0.95, 0.05]]), np.array([40.0, 60.0]))
    assert not reads_backwards(np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([99.0, 1.0])), "known before"
    swap = {"sex": np.array([[0.0, 1.0], [1.0, 0.0]])}
    from shoal.search.risk_warnings import warn_of_backwards

    with pytest.warns(PrivacyWarning, match="matrix of sex can be read backwards"):
        warn_of_backwards(swap, [np.array([100.0, 100.0])])
