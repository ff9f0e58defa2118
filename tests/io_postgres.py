"""A PostgreSQL server of the tests' own: on a socket in a private folder, gone when they end."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PASSWORD = "s3cret-of-the-tests"


def binary(name: str) -> str:
    """A program of PostgreSQL, on the path or where Debian puts it; else the test is skipped."""
    found = shutil.which(name) or next(
        (str(path) for path in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))), None
    )
    return found or pytest.skip(f"PostgreSQL is not installed ({name} is not there)")


@contextmanager
def server() -> Iterator[str]:
    """The address of a running server, with user and password."""
    if os.name != "posix":
        pytest.skip("the server of the tests listens on a socket of a posix system")
    initdb, control = binary("initdb"), binary("pg_ctl")
    folder = Path(tempfile.mkdtemp(prefix="shoal-pg-"))
    who = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        user = next((name for name in ("postgres", "nobody") if _exists(name)), None)
        if user is None:
            pytest.skip("PostgreSQL does not run as root and there is no other user")
        shutil.chown(folder, user)
        who = {"user": user}
    password = folder / "password"
    password.write_text(PASSWORD)
    password.chmod(0o644)
    cluster, log = folder / "cluster", folder / "log"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True, "cwd": folder}
    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    try:
        call = [initdb, "-D", cluster, "-U", "ana", "-A", "scram-sha-256", "--pwfile", password, "-E", "UTF8"]
        subprocess.run([*call, "--locale=C"], **quiet, **who)
        subprocess.run([control, "-D", cluster, "-l", log, "-o", options, "-w", "start"], **quiet, **who)
        try:
            yield f"postgresql://ana:{PASSWORD}@/postgres?host={folder}"
        finally:
            subprocess.run([control, "-D", cluster, "-m", "immediate", "stop"], **quiet, **who)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _exists(user: str) -> bool:
    import pwd

    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True
