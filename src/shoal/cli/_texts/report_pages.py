"""The pages of a run: an internal and a public report of one evaluation, before the rows are shuffled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import console
from shoal.errors import InvalidInput
from shoal.io import Address
from shoal.io.atomic import check_target, refuse_inputs
from shoal.measures import Verdict
from shoal.measures.attack.panel import Panel, attack
from shoal.measures.evaluate import Evaluation
from shoal.report import summary, write_report
from shoal.table import Table
from shoal.workflow.explore import Exploration
from shoal.workflow.recipe import Recipe

Attack = Annotated[
    bool, typer.Option("--attack", help="run the panel of intruders too; its worst finding is said first")
]
ENDINGS = (".html", ".md", ".json")


@dataclass(frozen=True)
class Reporting:
    """Which pages a run leaves: the options every command that protects a file has."""

    report: Annotated[
        Path | None,
        typer.Option(help="page for the committee: .html, .md or .json; internal", metavar="PAGE"),
    ] = None
    public_report: Annotated[
        Path | None, typer.Option(help="page for everybody, without parameters and risks", metavar="PAGE")
    ] = None

    attack: Attack = False

    @property
    def pages(self) -> list[tuple[Path, bool]]:
        """Where pages are written, and which of them are public."""
        asked = ((self.report, False), (self.public_report, True))
        return [(path, public) for path, public in asked if path is not None]

    def check(self, force: bool, inputs: Iterable[Path] = ()) -> None:
        """Before long work: refuse pages that could not be written."""
        refuse_inputs(inputs, [path for path, _ in self.pages])
        for path, _ in self.pages:
            check_target(path, force)
            if path.suffix.lower() not in ENDINGS:
                raise InvalidInput(
                    f"A report is a file ending in {', '.join(ENDINGS)}, got {path.suffix or 'no ending'!r}."
                )

    def run_panel(self, original: Table, masked: Table, seed: int | None) -> Panel | None:
        """What the intruders found, if they were asked for."""
        return run_panel(original, masked, seed) if self.attack else None

    def write(
        self,
        original: Table,
        masked: Table,
        *,
        evaluation: Evaluation | None = None,
        verdict: Verdict | None = None,
        recipe: Recipe | None = None,
        exploration: Exploration | None = None,
        panel: Panel | None = None,
        file: Path | Address | None = None,
        force: bool = False,
        quiet: bool = False,
    ) -> None:
        """Write the pages that were asked for and say where they are."""
        if not self.pages:
            return
        with console.progress_bar("reporting"):
            for path, public in self.pages:
                facts = summary(
                    original,
                    masked,
                    evaluation=evaluation,
                    verdict=verdict,
                    recipe=recipe,
                    exploration=exploration,
                    intruder=panel,
                    public=public,
                    title=_title(None if public else file),
                )
                write_report(facts, path, overwrite=force)
        for path, public in self.pages:
            if not quiet:
                console.say(f"The {'public' if public else 'internal'} report is in {path}.")


def _title(file: Path | Address | None) -> str:
    """The heading; inside the house it has the name of the file, never where that lies."""
    return f"How {file.name if isinstance(file, Path) else 'this file'} was protected"


def run_panel(original: Table, masked: Table, seed: int | None = None) -> Panel:
    """The panel of intruders, with a bar; Ctrl-C leaves out those that were not run yet."""
    with console.progress_bar("attacking", stoppable=True) as callback:
        return attack(original, masked, rng=seed, callback=callback)
