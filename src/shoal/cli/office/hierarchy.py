"""shoal hierarchy: make one for a column, and look at what its levels do to a file."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from shoal.cli import console
from shoal.cli.arguments import File, Force, Opening, flat
from shoal.errors import InvalidInput
from shoal.hierarchy import Hierarchy, as_hierarchy, level_counts, read_hierarchy, write_hierarchy
from shoal.table import Table

app = typer.Typer(help="Hierarchies: how values generalise.", no_args_is_help=True)
Column = Annotated[str, typer.Option(help="the column that generalises", metavar="COLUMN")]
Widths = Annotated[str | None, typer.Option("--width", help="widths of intervals, level by level: 5,10,20")]
Quantiles = Annotated[
    str | None, typer.Option(help="equally full intervals, how many on each level: 16,8,4", metavar="COUNTS")
]
Prefixes = Annotated[
    str | None, typer.Option("--prefix", help="characters that stay: 3,1 (postcodes, ICD, NACE)")
]
DateLevels = Annotated[str | None, typer.Option("--dates", help="levels of dates: month,quarter,year")]
HierarchyOut = Annotated[
    Path | None, typer.Option("-o", "--output", help="csv to write, as ARX reads it", metavar="CSV")
]


@app.command("make")
@flat
def make_hierarchy(
    file: File,
    *,
    column: Column,
    width: Widths = None,
    quantiles: Quantiles = None,
    prefix: Prefixes = None,
    dates: DateLevels = None,
    output: HierarchyOut = None,
    force: Force = False,
    opening: Opening,
) -> None:
    """Make a hierarchy for a column and show its levels; -o writes it."""
    table = opening.read(file)
    ways = {"widths": width, "quantiles": quantiles, "prefixes": prefix, "dates": dates}
    said = {name: text for name, text in ways.items() if text is not None}
    if len(said) != 1:
        raise InvalidInput("Say one of --width, --quantiles, --prefix and --dates.")
    way, text = next(iter(said.items()))
    hierarchy = _made(table, column, way, text)
    _show(hierarchy, table, column)
    if output is not None:
        write_hierarchy(hierarchy, output, overwrite=force)
        console.say(f"{len(hierarchy.paths)} values and {hierarchy.height} levels written to {output}.")


@app.command("show")
@flat
def show_hierarchy(
    file: File,
    hierarchy: Annotated[Path, typer.Argument(help="csv: value;parent;...;*", metavar="CSV")],
    *,
    column: Column,
    opening: Opening,
) -> None:
    """Show what the levels of a hierarchy do to a column: labels, and records of the rarest one."""
    _show(read_hierarchy(hierarchy), opening.read(file), column)


def _made(table: Table, column: str, way: str, text: str) -> Hierarchy:
    values = [value for value in table.column(column).tolist() if value is not None and value == value]
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if way == "dates":
        return as_hierarchy({"dates": parts}, dict.fromkeys(values))
    try:
        numbers: list[Any] = [float(part) if way == "widths" else int(part) for part in parts]
    except ValueError as error:
        raise InvalidInput(f"Levels are numbers, comma separated, got {text!r}.") from error
    if way != "quantiles":
        return as_hierarchy({way: numbers}, dict.fromkeys(values))
    if table.attribute(column).kind != "numeric" or not values:
        raise InvalidInput(f"Column {column!r} holds no numbers, so it has no quantiles; use --prefix.")
    if min(numbers, default=0) < 2 or any(fine % wide for fine, wide in pairwise(numbers)):
        raise InvalidInput("Every number of quantiles must divide the one before, e.g. 16,8,4.")
    cuts: list[list[float]] = []
    for count in numbers:
        points = np.quantile(values, np.arange(1, count) / count, method="higher")
        cuts.append(sorted(set(points.tolist()) - {min(values)}))
    return as_hierarchy({"cuts": [level for level in cuts if level]}, dict.fromkeys(values))


def _show(hierarchy: Hierarchy, table: Table, column: str) -> None:
    rows = []
    for one in level_counts(hierarchy, table.column(column).tolist()):
        few = ", ".join(f"{text} ({n})" for text, n in zip(one.labels[:4], one.records[:4], strict=True))
        more = f", and {len(one.labels) - 4} more" if len(one.labels) > 4 else ""
        rows.append((str(one.level), few + more, str(len(one.labels)), str(one.smallest)))
    console.show_table(
        f"levels of {column}", ("level", "labels (records)", "labels", "fewest records"), rows, numbers=2
    )
