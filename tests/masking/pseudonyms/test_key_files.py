"""Key files: for their owner only, never over another, and never in an error."""

from __future__ import annotations

import os
import stat

import pytest

from shoal import InvalidInput
from shoal.masking import read_key, read_key_table, write_key, write_key_table

posix = pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")


def test_two_keys_differ_and_have_32_bytes(tmp_path):
    one, other = read_key(write_key(tmp_path / "a")), read_key(write_key(tmp_path / "b"))
    assert one != other
    assert len(one) == len(other) == 32


@posix
def test_only_the_owner_may_read(tmp_path):
    for path in (write_key(tmp_path / "a"), write_key_table(tmp_path / "b", {"x": 1})):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o640)
        with pytest.raises(InvalidInput, match="can be read by others"):
            (read_key if path.name == "a" else read_key_table)(path)


def test_nothing_is_written_over(tmp_path):
    path = write_key(tmp_path / "a")
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match="exists already"):
        write_key(path)
    with pytest.raises(InvalidInput, match="exists already"):
        write_key_table(path, {})
    assert path.read_bytes() == before


def test_a_table_comes_back_with_commas_and_quotes(tmp_path):
    keys = {"a,b": 1, 'c"d': 2, "e": 30, "ü": 4}
    assert read_key_table(write_key_table(tmp_path / "t", keys)) == keys


def test_missing_and_strange_files_are_one_sentence_without_content(tmp_path):
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_key(tmp_path / "none")
    with pytest.raises(InvalidInput, match="cannot be written"):
        write_key(tmp_path / "no" / "folder")
    strange = tmp_path / "s"
    strange.write_bytes(b"\xff\xfe secret")
    strange.chmod(0o600)
    with pytest.raises(InvalidInput, match="is not text"):
        read_key(strange)
    strange.write_text("secret\nof three,columns,here\n")
    with pytest.raises(InvalidInput, match="two columns") as caught:
        read_key_table(strange)
    assert "secret" not in str(caught.value)


def test_a_failed_write_leaves_nothing(tmp_path):
    class Broken(dict):
        def items(self):
            yield "a", 1
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        write_key_table(tmp_path / "t", Broken())
    assert not list(tmp_path.iterdir())
