"""What Windows lacks taken away from this process, so that the ways round it are tried on any machine."""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys

POSIX_ONLY = ("fork", "forkpty", "geteuid", "getuid", "getegid", "getgid", "chown", "fchmod", "mkfifo")
SIGNALS = ("SIGKILL", "SIGHUP", "SIGPIPE", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGQUIT")
MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "syslog")


def take_away() -> None:
    """No fork, no permissions, no hard links, no folders to open, no modules and signals of POSIX alone."""
    assert multiprocessing
    assert subprocess  # loaded before: they have ways of their own round what is gone
    for name in POSIX_ONLY:
        if hasattr(os, name):
            delattr(os, name)
    for name in SIGNALS:
        delattr(signal, name)
    for name in MODULES:
        sys.modules[name] = None
    opened = os.open

    def no_folder(path, flags, *more, **options):
        if isinstance(path, str | os.PathLike) and os.path.isdir(path):
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, flags, *more, **options)

    def refuse(*_, **__):
        raise OSError(95, "Operation not supported")

    os.open, os.link = no_folder, refuse
    shutil._use_fd_functions = False  # it would open folders
    os.chmod = lambda *_, **__: None


if __name__ == "__main__":
    import polars  # noqa: F401  # what we load may look for POSIX before it is gone
    import rich.progress  # noqa: F401

    take_away()
    from shoal.cli import main

    main()
