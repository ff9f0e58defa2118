"""Checkpoints of a search."""

from __future__ import annotations

import io
import json
import stat
import zipfile

import polars as pl
import pytest

from shoal import InvalidInput, as_table
from shoal.search import first_files
from shoal.search.files.checkpoint import checkpoint_path, read_checkpoint, save_checkpoint


def test_a_checkpoint_holds_masked_columns_only_for_the_owner(tmp_path):
    table = as_table(
        {"age": [31, 42, None, 53], "town": ["a", "b", None, "a"], "pay": [1.5, 2.5, 3.5, 4.5]},
        roles={"quasi": ["age", "town"]},
    )
    files = first_files(table, rng=1)[:3]
    path = checkpoint_path(tmp_path / "safe.csv")
    save_checkpoint(path, table, files, generations=7, columns=["age", "town"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with zipfile.ZipFile(path) as archive:
        about = json.loads(archive.read("about.json"))
        frame = pl.read_parquet(io.BytesIO(archive.read("files.parquet")))
    assert set(about) == {"original", "key", "generations", "columns", "files"}
    assert frame.columns == [f"{file}:{name}" for file in range(3) for name in ("age", "town")]
    found = read_checkpoint(path, table, columns=["age", "town"])
    assert found.generations == 7
    for file, again in zip(files, found.files, strict=True):
        assert again.frame.equals(file.frame)
        assert again.attributes == file.attributes
    with pytest.raises(InvalidInput, match="of another file"):
        read_checkpoint(path, table, columns=["age"])
    path.write_bytes(b"broken")
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_checkpoint(path, table, columns=["age", "town"])
