"""All commands as one program, and what it says when something is wrong."""

from __future__ import annotations

import errno
import importlib
import logging
import re
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from shoal import __version__
from shoal.cli._texts.exit_codes import BROKEN, INTERRUPTED
from shoal.cli._texts.patient_output import PatientOutput
from shoal.errors import PromiseBroken, ShoalError

COMMANDS = {  # the file of every command and its function there, or its own commands
    "mask": "mask:mask",
    "run": "run:run",
    "apply": "office.apply:apply_fitted",
    "inspect": "inspect:inspect_file",
    "check": "check:check_file",
    "evaluate": "evaluate:evaluate_files",
    "attack": "attack:attack_files",
    "compare": "compare:compare_methods",
    "explore": "explore:explore_file",
    "evolve": "evolve:evolve",
    "report": "report:report_files",
    "groups": "groups:groups",
    "demo": "demo:demo",
    "methods": "lists:methods",
    "datasets": "lists:datasets",
    "project": "office.project:run_project",
    "pseudonym-key": "office.pseudonym_key:pseudonym_key",
    "studio": "office.studio:studio",
    "warmup": "warmup:warmup",
    "version": "lists:version",
    "graph": "graph:app",
    "hierarchy": "office.hierarchy:app",
}


class LateGroup(typer.core.TyperGroup):
    """Commands whose files are loaded when they are called: `shoal --help` reads none of them."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command itself instead of the line that stands for it in the list."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and loaded(str(name)), rest


def loaded(name: str) -> Any:
    """A command with its options, as typer builds it from the file of the command."""
    file, _, function = COMMANDS[name].partition(":")
    found = getattr(importlib.import_module(f"shoal.cli.{file}"), function)
    if not isinstance(found, typer.Typer):
        command, found = found, typer.Typer(add_completion=False, rich_markup_mode=None)
        found.command(name)(command)
    return typer.main.get_command(found)


def sentence_of(name: str) -> str:
    """What a command says of itself, read from its file: to list commands, none of them is loaded."""
    file, _, function = COMMANDS[name].partition(":")
    text = (Path(__file__).parent / f"{file.replace('.', '/')}.py").read_text(encoding="utf-8")
    start = rf'^def {function}\(.*?"""' if function != "app" else r"^app = typer.Typer\(\s*help=\""
    found = re.search(start + r'(.*?)(?:\n\n|")', text, re.DOTALL | re.MULTILINE)
    return " ".join(found[1].split()) if found else ""


app = typer.Typer(
    name="shoal",
    cls=LateGroup,
    help="Statistical disclosure control: turn a file about people into one that can be released.",
    epilog="Any command takes --debug for a full traceback, and --log to tell what is done and its seconds.",
    add_completion=True,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for name in COMMANDS:
    app.command(name, help=sentence_of(name))(lambda: None)


def _show_version(asked: bool) -> None:
    if asked:
        print(__version__)
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
    debug, log = "--debug" in sys.argv, "--log" in sys.argv
    sys.argv = [argument for argument in sys.argv if argument not in ("--debug", "--log")]
    if log:
        logging.basicConfig(format="%(asctime)s %(name)s %(message)s")
        logging.getLogger("shoal").setLevel(logging.INFO)
    signal.signal(signal.SIGTERM, _end)
    output, sys.stdout = sys.stdout, PatientOutput(sys.stdout)
    try:
        with _spoken_warnings():
            app()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            print("\nshoal: Stopped. No file is half-written.", file=sys.stderr)
        raise
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
        warnings.showwarning = lambda message, *_: _warn(str(message))
        yield


def _warn(sentence: str) -> None:
    from shoal.cli import console

    console.warn(sentence)
