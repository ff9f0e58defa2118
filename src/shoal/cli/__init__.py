"""The command line: one file per command, each reads, calls and shows."""

from shoal.cli.commands import app, main

__all__ = ["app", "main"]
