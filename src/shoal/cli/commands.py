"""All commands as one program, and what it says when something is wrong."""

from __future__ import annotations

import errno
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated

import typer

from shoal.cli import console
from shoal.cli.attack import attack_files
from shoal.cli.check import check_file
from shoal.cli.compare import compare_methods
from shoal.cli.demo import demo
from shoal.cli.evaluate import evaluate_files
from shoal.cli.evolve import evolve
from shoal.cli.explore import explore_file
from shoal.cli.graph import app as graph_app
from shoal.cli.groups import groups
from shoal.cli.inspect import inspect_file
from shoal.cli.lists import datasets, methods, version
from shoal.cli.mask import mask
from shoal.cli.office.apply import apply_fitted
from shoal.cli.office.hierarchy import app as hierarchy_app
from shoal.cli.office.project import run_project
from shoal.cli.office.pseudonym_key import pseudonym_key
from shoal.cli.protect import BROKEN
from shoal.cli.report import report_files
from shoal.cli.run import run
from shoal.cli.warmup import warmup
from shoal.errors import PromiseBroken, ShoalError

app = typer.Typer(
    name="shoal",
    help="Statistical disclosure control: turn a file about people into one that can be released.",
    epilog="Any command takes --debug for a full traceback.",
    add_completion=True,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command, name in (
    (mask, "mask"),
    (run, "run"),
    (apply_fitted, "apply"),
    (inspect_file, "inspect"),
    (check_file, "check"),
    (evaluate_files, "evaluate"),
    (attack_files, "attack"),
    (compare_methods, "compare"),
    (explore_file, "explore"),
    (evolve, "evolve"),
    (report_files, "report"),
    (groups, "groups"),
    (demo, "demo"),
    (methods, "methods"),
    (datasets, "datasets"),
    (run_project, "project"),
    (pseudonym_key, "pseudonym-key"),
    (warmup, "warmup"),
    (version, "version"),
):
    app.command(name)(command)
app.add_typer(graph_app, name="graph")
app.add_typer(hierarchy_app, name="hierarchy")


def _show_version(asked: bool) -> None:
    if asked:
        version()
        raise typer.Exit


@app.callback()
def about(
    shown: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="show the version and stop"),
    ] = False,
) -> None:
    """Statistical disclosure control: turn a file about people into one that can be released."""


def main() -> None:
    """Run the command line; bad input is one sentence and exit code 2."""
    debug = "--debug" in sys.argv
    sys.argv = [argument for argument in sys.argv if argument != "--debug"]
    signal.signal(signal.SIGTERM, _end)
    output, sys.stdout = sys.stdout, console.PatientOutput(sys.stdout)
    try:
        with _spoken_warnings():
            app()
    except PromiseBroken as broken:
        _give_up(str(broken), BROKEN, debug)
    except ShoalError as error:
        _give_up(str(error), 2, debug)
    except Exception as error:  # a traceback could show values of the file
        if _is_memory(error):
            _give_up("There is not enough memory for this file; keep fewer columns or records.", 1, debug)
        if isinstance(error, OSError):
            _give_up(f"{error.strerror or error}: {error.filename}.", 2, debug)
        _give_up(f"shoal stopped on an unexpected {type(error).__name__}; --debug shows where.", 1, debug)
    finally:
        sys.stdout = output


def _end(number: int, frame: FrameType | None) -> None:
    """A polite end: files that are being written are removed on the way out."""
    raise SystemExit(128 + number)


def _is_memory(error: BaseException) -> bool:
    """Whether memory ran out, also where a library says so in its own words or cannot be loaded for it."""
    words = (
        "Cannot allocate memory",
        "failed to map",
        "shared object",
        "can't start new thread",
        "OutOfMemory",
    )
    known = isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM
    return known or any(word in str(error) for word in words)


def _give_up(sentence: str, code: int, debug: bool) -> None:
    if debug:
        raise
    print(f"shoal: {sentence}", file=sys.stderr)
    sys.exit(code)


@contextmanager
def _spoken_warnings() -> Iterator[None]:
    """Warnings as one sentence on standard error, without the line of code they came from."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_: console.warn(str(message))
        yield
