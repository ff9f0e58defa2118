from __future__ import annotations

import numpy as np
import pytest

from shoal import as_table
from shoal.errors import InvalidInput, PrivacyWarning
from shoal.masking.microaggregation.individual_ranking import individual_ranking
from shoal.measures.loss.sse_loss import sse_loss

RNG = np.random.default_rng(0)
TABLE = as_table(
    {"income": RNG.lognormal(10, 1, 50), "age": RNG.integers(18, 90, 50), "sex": ["f", "m"] * 25},
    roles={"quasi": ["income", "age"]},
)


def test_every_column_has_groups_of_k_and_a_warning_says_that_records_do_not():
    with pytest.warns(PrivacyWarning, match="2 column groups were microaggregated apart"):
        masked = individual_ranking(TABLE, k=4)
    for name in ("income", "age"):
        values = masked.column(name)
        assert np.unique(values, return_counts=True)[1].min() >= 4
        assert values.mean() == pytest.approx(TABLE.column(name).mean())
        order = np.argsort(TABLE.column(name), kind="stable")
        assert (np.diff(values[order]) >= -1e-9).all(), "groups follow the ranking"
    assert masked.frame["sex"].to_list() == TABLE.frame["sex"].to_list()


@pytest.mark.filterwarnings("ignore::shoal.errors.PrivacyWarning")
def test_it_loses_much_less_than_joint_groups():
    from shoal import microaggregate

    joint = sse_loss(TABLE, microaggregate(TABLE, k=4))
    assert sse_loss(TABLE, individual_ranking(TABLE, k=4)) < 0.5 * joint


def test_one_column_needs_no_warning():
    masked = individual_ranking(TABLE, k=4, columns="age", round=True)
    assert masked.is_integer("age")
    assert masked.frame["income"].to_list() == TABLE.frame["income"].to_list()


def test_a_nominal_column_is_refused_rather_than_left_as_it_is():
    table = as_table(TABLE.frame, roles={"quasi": ["age", "sex"]})
    with pytest.raises(InvalidInput, match="Column 'sex' cannot be ranked because it is nominal"):
        individual_ranking(table, k=4)


def test_an_ordinal_column_can_be_ranked():
    table = as_table(
        {"school": ["low", "high", "mid", "low", "high", "mid"]}, kinds={"school": ["low", "mid", "high"]}
    )
    masked = individual_ranking(table, k=2, columns=["school"])
    assert masked.frame["school"].to_list() == table.frame["school"].to_list()
