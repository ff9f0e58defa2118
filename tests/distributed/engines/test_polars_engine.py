"""The engine at hand: what is parted at a time changes nothing."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.distributed.engines import polars_engine
from shoal.distributed.engines.engine import pieces_of
from shoal.distributed.engines.polars_engine import PolarsEngine
from shoal.distributed.shards.shard_keys import ROW, RandomKey


class Stamped:
    """The records of a shard, and which it was."""

    def __call__(self, frame, shard):
        return frame.with_columns(shard=pl.lit(shard))


@pytest.mark.parametrize("most", [3, 50, 10_000])
@pytest.mark.parametrize("numbered", [False, True])
def test_every_record_is_in_its_shard_however_few_are_parted_at_a_time(tmp_path, monkeypatch, most, numbered):
    monkeypatch.setattr(polars_engine, "records_held", lambda *_: most)
    counts, first, paths = [40, 1, 70], 0, []
    for place, count in enumerate(counts):
        rows = range(first, first + count)
        paths.append(tmp_path / f"{place}.parquet")
        own = {"x": [10 * row for row in rows]} | ({ROW: list(rows)} if numbered else {})
        pl.DataFrame(own).write_parquet(paths[-1])
        first += count
    (tmp_path / "work").mkdir()
    done = []
    pieces = pieces_of(paths, counts, numbered=numbered)
    found = PolarsEngine(10**9).shards(
        pieces, ["x"], RandomKey(7, 5), Stamped(), tmp_path / "work", done.append
    )
    assert sorted((tmp_path / "work").iterdir()) == found
    whole = pl.concat([pl.read_parquet(path) for path in found])
    assert sum(done) == whole.height == 111
    assert whole.sort(ROW)["x"].to_list() == [10 * row for row in range(111)]
    assert (whole["x"] == 10 * whole[ROW]).all()
    expected = RandomKey(7, 5)(whole)
    assert (whole["shard"] == expected).all()
