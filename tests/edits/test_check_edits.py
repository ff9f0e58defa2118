"""How many records break each rule, before and after."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, as_table
from shoal.edits import check_edits


def test_before_after_and_new_ones_are_counted():
    before = as_table({"age": [10, 20, 30], "w": [0, 0, 1]})
    after = before.assign(age=[20, 10, 12], w=[0, 1, 0])
    age, zeros = check_edits(before, after, ["age >= 15", "zeros of w stay zero"])
    assert (age.before, age.after, age.new.tolist()) == (1, 2, [1, 2])
    assert "broken by 2 records, 2 of them since masking (1 before)" in str(age)
    assert (zeros.before, zeros.after, zeros.new.tolist()) == (0, 1, [1])
    assert str(check_edits(before, before, ["w >= 0"])[0]) == "`w >= 0` holds in every record."


def test_files_of_other_lengths_are_refused():
    table = as_table({"age": [10, 20]})
    with pytest.raises(InvalidInput, match="2 and 1 records"):
        check_edits(table, table.take(np.array([0])), ["age > 1"])
