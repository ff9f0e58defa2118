import datetime as dt

import numpy as np
import polars as pl
import pytest

from shoal import as_table
from shoal.distributed.shards.column_scales import column_scales, encode_frame
from shoal.encode import encode_gaps
from shoal.errors import InvalidInput


def people(n=200):
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "pay": rng.lognormal(size=n),
            "age": rng.integers(18, 90, n),
            "town": rng.choice(["a", "b", "c"], n),
            "born": [dt.date(1950, 1, 1) + dt.timedelta(days=int(d)) for d in rng.integers(0, 9000, n)],
            "yes": rng.random(n) < 0.3,
        }
    )


def distances(X):
    return ((X[:, None] - X) ** 2).sum(axis=2)


@pytest.mark.parametrize("scale", ["zscore", "range", "none"])
@pytest.mark.parametrize("gaps", [False, True])
def test_on_the_sample_itself_distances_are_those_of_encode(scale, gaps):
    frame = people()
    if gaps:
        hole = pl.int_range(pl.len()) % 7 == 0
        frame = frame.with_columns(
            pl.when(hole).then(None).otherwise(pl.col(n)).alias(n) for n in ("age", "town")
        )
    table, names = as_table(frame), frame.columns
    scales = column_scales(
        table, names, scale=scale, weights={"age": 2}, gaps=["age", "town"] if gaps else []
    )
    expected = encode_gaps(table, names, scale=scale, weights={"age": 2})
    if gaps:  # there the distance of a gap is before the weight, here it counts with it
        scales, expected = scales[2:], encode_gaps(table, names[2:], scale=scale)
    assert distances(encode_frame(scales, frame)) == pytest.approx(distances(expected), abs=1e-9)


def test_what_the_sample_lacks_has_a_place_too():
    frame = people()
    scales = column_scales(as_table(frame), frame.columns, gaps=["town"])
    later = frame.head(4).with_columns(
        town=pl.Series(["x", None, "y", "a"]), born=pl.lit(dt.date(2030, 1, 1)), age=pl.lit(10_000)
    )
    X = encode_frame(scales, later)
    assert np.isfinite(X).all()
    assert X.shape == encode_frame(scales, frame.head(4)).shape


def test_an_infinite_value_is_refused_by_column():
    scales = column_scales(as_table(people()), ["pay"])
    with pytest.raises(InvalidInput, match="'pay' has an infinite value"):
        encode_frame(scales, pl.DataFrame({"pay": [1.0, float("inf")]}))


def test_an_order_that_was_given_is_kept():
    table = as_table(pl.DataFrame({"e": ["low", "high", "mid"]}), kinds={"e": ["low", "mid", "high"]})
    X = encode_frame(column_scales(table, ["e"]), table.frame)
    assert np.argsort(X[:, 0]).tolist() == [0, 2, 1]
