"""Faults while writing: a full disk, an interrupt, a kill, a race; never half a file, never a lost one."""

import errno
import os
import signal
import stat
import subprocess
import sys

import pytest

from shoal.errors import InvalidInput
from shoal.io import read_table, write_table
from shoal.table import as_table

TABLE = as_table({"a": list(range(5000)), "b": [f"text {i}" for i in range(5000)]})
EXTENSIONS = [".csv", ".csv.gz", ".parquet", ".sav", ".zsav", ".dta", ".xpt"]
ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="needs signals and limits of a posix system")


@pytest.fixture(params=EXTENSIONS)
def target(request, tmp_path):
    if request.param in (".sav", ".zsav", ".dta", ".xpt"):
        pytest.importorskip("pyreadstat")
    return tmp_path / f"people{request.param}"


def assert_untouched(target, old):
    if old is None:
        assert os.listdir(target.parent) == []
    else:
        assert os.listdir(target.parent) == [target.name]
        assert target.read_bytes() == old


def test_an_existing_file_is_refused_unless_asked(target):
    target.write_bytes(b"old")
    with pytest.raises(
        InvalidInput, match=r"exists already; give another name or overwrite=True \(--force\)"
    ):
        write_table(TABLE, target)
    assert_untouched(target, b"old")
    write_table(TABLE, target, overwrite=True)
    assert sorted(read_table(target).frame["a"].to_list()) == list(range(5000))
    assert os.listdir(target.parent) == [target.name]


@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("call", ["fsync", "replace", "link"])
def test_a_full_disk_leaves_nothing(target, monkeypatch, old, call):
    if old:
        target.write_bytes(old)

    def refuse(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if call == "link":  # without hard links the name is reserved first
        monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(
        InvalidInput, match="could not be written: no space left on device; nothing was changed"
    ):
        write_table(TABLE, target, overwrite=old is not None or call == "replace")
    monkeypatch.undo()
    assert_untouched(target, old)


@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, RuntimeError])
def test_an_interrupt_leaves_nothing(target, monkeypatch, old, error):
    if old:
        target.write_bytes(old)

    def interrupt(*_):
        raise error

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(error):
        write_table(TABLE, target, overwrite=True)
    monkeypatch.undo()
    assert_untouched(target, old)


@pytest.mark.slow
@ON_POSIX
def test_a_disk_that_fills_while_writing(target):
    """A limit on file size stands for the full disk: the system refuses the write after 4096 bytes."""
    target.write_bytes(b"old")
    program = (
        "import resource, sys\n"
        "from shoal.errors import InvalidInput\n"
        "from shoal.io import write_table\n"
        "from shoal.table import as_table\n"
        "import numpy as np\n"
        "table = as_table({'a': np.random.default_rng(1).normal(size=5000), 'b': ['x'] * 5000})\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n"
        "    write_table(table, sys.argv[1], overwrite=True)\n"
        "except InvalidInput as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(target)], capture_output=True, text=True, timeout=120, check=True
    )
    assert "could not be written" in done.stdout
    assert done.stderr == ""
    assert_untouched(target, b"old")


@pytest.mark.slow
@ON_POSIX
@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("moment", ["fsync", "replace"])
@pytest.mark.parametrize("target", [".csv", ".parquet", ".sav"], indirect=True)
def test_a_kill_leaves_the_old_file_or_none(target, old, moment):
    """SIGKILL cannot be caught: the target is absent or the old one, whatever else lies there."""
    if old:
        target.write_bytes(old)
    program = (
        "import os, signal, sys\n"
        "from shoal.io import write_table\n"
        "from shoal.table import as_table\n"
        f"os.{moment} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_table(as_table({'a': list(range(5000)), 'b': ['x'] * 5000}), sys.argv[1], overwrite=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(target)], timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL
    assert target.read_bytes() == old if old else not target.exists()
    # what is left bears another, hidden name, and the next write is not disturbed
    left = [name for name in os.listdir(target.parent) if name != target.name]
    assert all(name.startswith(".shoal-") for name in left)
    write_table(TABLE, target, overwrite=True)
    assert len(read_table(target)) == 5000


def test_a_name_taken_meanwhile_is_not_overwritten(tmp_path, monkeypatch):
    target = tmp_path / "a.csv"
    flush = os.fsync

    def another_writes(handle):
        target.write_text("theirs")
        flush(handle)

    monkeypatch.setattr(os, "fsync", another_writes)
    with pytest.raises(InvalidInput, match="exists already"):
        write_table(TABLE, target)
    monkeypatch.undo()
    assert_untouched(target, b"theirs")


@pytest.mark.parametrize("taken", [False, True])
def test_a_file_system_without_links(tmp_path, monkeypatch, taken):
    target = tmp_path / "a.csv"

    def no_links(*_):
        if taken:
            target.write_text("theirs")
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", no_links)
    if taken:
        with pytest.raises(InvalidInput, match="exists already"):
            write_table(TABLE, target)
        assert_untouched(target, b"theirs")
    else:
        assert len(read_table(write_table(TABLE, target))) == 5000
        assert os.listdir(tmp_path) == ["a.csv"]


@ON_POSIX
def test_permissions_follow_the_umask_or_the_old_file(tmp_path):
    before = os.umask(0o027)
    try:
        new = write_table(TABLE, tmp_path / "a.csv")
    finally:
        os.umask(before)
    assert stat.S_IMODE(new.stat().st_mode) == 0o640
    new.chmod(0o600)
    write_table(TABLE, new, overwrite=True)
    assert stat.S_IMODE(new.stat().st_mode) == 0o600


@ON_POSIX
def test_a_link_is_followed(tmp_path):
    real = tmp_path / "real.csv"
    link = tmp_path / "link.csv"
    link.symlink_to(real)
    with pytest.raises(InvalidInput, match="exists already"):
        write_table(TABLE, link)
    write_table(TABLE, link, overwrite=True)
    assert link.is_symlink()
    assert len(read_table(real)) == 5000


def test_a_folder_that_may_not_be_written(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InvalidInput, match="could not be written: permission denied"):
        write_table(TABLE, tmp_path / "a.csv")
