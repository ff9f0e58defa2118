"""Packed files: by their first bytes, whatever the name says; broken ones in one sentence."""

import gzip

import pytest

from shoal.errors import InvalidInput
from shoal.io import read_table, write_table
from shoal.table import as_table

zstandard = pytest.importorskip("zstandard", reason="packed files need the extra `files`")
TABLE = as_table({"a": list(range(1000)), "b": ["x", "y"] * 500})


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.csv.zst", "a.jsonl.zst"])
def test_packed_text_whatever_the_name_says(tmp_path, name):
    plain = write_table(TABLE, tmp_path / "plain.csv", shuffle=False).read_bytes()
    if name.startswith("a.csv"):
        for content in (gzip.compress(plain), zstandard.compress(plain)):
            path = tmp_path / name
            path.write_bytes(content)
            assert read_table(path).frame.rows() == TABLE.frame.rows()


def test_zstd_holds_no_name_and_is_smaller(tmp_path):
    path = write_table(TABLE, tmp_path / "secret-name.csv.zst", shuffle=False)
    assert b"secret" not in path.read_bytes()
    assert len(path.read_bytes()) < 4000


@pytest.mark.parametrize("content", [b"", b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfd garbage", b"a,b\n1,2\n"])
def test_a_broken_zstd_file(tmp_path, content):
    path = tmp_path / "a.csv.zst"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"a\.csv\.zst (cannot be unpacked|is empty)"):
        read_table(path)
    whole = write_table(TABLE, tmp_path / "whole.csv.zst").read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InvalidInput):
        read_table(path)


@pytest.mark.slow
def test_a_zstd_bomb_is_refused_before_it_fills_the_memory(tmp_path):
    bomb = tmp_path / "bomb.csv.zst"
    bomb.write_bytes(zstandard.compress(b"a\n" + b"0\n" * 150_000_000))
    with pytest.raises(InvalidInput, match="unpacks to more than 256 MB"):
        read_table(bomb)


def test_several_zstd_frames_are_one_file(tmp_path):
    path = tmp_path / "a.csv.zst"
    path.write_bytes(zstandard.compress(b"a\n1\n") + zstandard.compress(b"2\n" * 5000))
    assert len(read_table(path)) == 5001
