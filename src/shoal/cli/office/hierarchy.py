"""shoal hierarchy: make one for a column, and look at what its levels do to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import console
from shoal.cli._texts.option_texts import names_from, pair_from
from shoal.cli._texts.small_files import refuse_existing
from shoal.cli.arguments import File, Force, Opening, flat
from shoal.errors import InvalidInput
from shoal.hierarchy import (
    Hierarchy,
    as_hierarchy,
    hierarchy_by_hand,
    hierarchy_by_similarity,
    hierarchy_from_quantiles,
    hierarchy_of,
    level_counts,
    with_hierarchies,
    write_hierarchy,
)
from shoal.hierarchy.tree import as_text
from shoal.table import Table

app = typer.Typer(
    help="Hierarchies: how values generalise.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
Column = Annotated[str, typer.Option(help="the column that generalises", metavar="COLUMN")]
Widths = Annotated[str | None, typer.Option("--width", help="widths of intervals, level by level: 5,10,20")]
Quantiles = Annotated[
    str | None, typer.Option(help="equally full intervals, how many on each level: 16,8,4", metavar="COUNTS")
]
Prefixes = Annotated[
    str | None, typer.Option("--prefix", help="characters that stay: 3,1 (postcodes, ICD, NACE)")
]
DateLevels = Annotated[str | None, typer.Option("--dates", help="levels of dates: month,quarter,year")]
Groups = Annotated[
    list[str] | None,
    typer.Option(
        "--group", help="merge by hand: 'north=a,b'; labels may be merged again", metavar="LABEL=VALUES"
    ),
]
Similar = Annotated[
    str | None, typer.Option(help="merge categories alike in other columns, labels per level: 8,4,2")
]
By = Annotated[list[str] | None, typer.Option(help="the columns --similar looks at", metavar="COLUMNS")]
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
    group: Groups = None,
    similar: Similar = None,
    by: By = None,
    output: HierarchyOut = None,
    force: Force = False,
    opening: Opening,
) -> None:
    """Make a hierarchy for a column and show its levels; -o writes it."""
    refuse_existing(force, output, inputs=[file])
    table = opening.read(file)
    ways = {"widths": width, "quantiles": quantiles, "prefixes": prefix, "dates": dates, "similar": similar}
    said = {name: text for name, text in ways.items() if text is not None}
    if len(said) + (group is not None) != 1:
        raise InvalidInput("Say one of --width, --quantiles, --prefix, --dates, --group and --similar.")
    if group is not None:
        hierarchy = _merged(table, column, group)
    elif similar is not None:
        counts = [int(number) for number in _numbers_in("similar", similar)]
        hierarchy = hierarchy_by_similarity(table, column, counts, by=names_from(by, table.names()) or None)
    else:
        hierarchy = _made(table, column, *next(iter(said.items())))
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
    table = with_hierarchies(opening.read(file), {column: hierarchy})
    _show(hierarchy_of(table, column), table, column)


def _made(table: Table, column: str, way: str, text: str) -> Hierarchy:
    values = [value for value in table.column(column).tolist() if value is not None and value == value]
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if way == "dates":
        return as_hierarchy({"dates": parts}, dict.fromkeys(values))
    numbers = _numbers_in(way, text)
    if way == "quantiles":
        return hierarchy_from_quantiles(values, numbers)
    return as_hierarchy({way: numbers}, dict.fromkeys(values))


def _numbers_in(way: str, text: str) -> list[Any]:
    try:
        parts = [part.strip() for part in text.split(",") if part.strip()]
        return [float(part) if way == "widths" else int(part) for part in parts]
    except ValueError as error:
        raise InvalidInput(f"Levels are numbers, comma separated, got {text!r}.") from error


def _merged(table: Table, column: str, groups: list[str]) -> Hierarchy:
    """A hierarchy from LABEL=VALUES."""
    values = table.column(column).tolist()
    known = [as_text(value) for value in dict.fromkeys(values) if value is not None and value == value]
    found: list[tuple[str, list[str]]] = []
    for text in groups:
        label, members = pair_from("--group", text)
        found.append((label, names_from([members], [*known, *(label for label, _ in found)])))
    return hierarchy_by_hand(known, found)


def _show(hierarchy: Hierarchy, table: Table, column: str) -> None:
    rows = []
    for one in level_counts(hierarchy, table.column(column).tolist()):
        few = ", ".join(f"{text} ({n})" for text, n in zip(one.labels[:4], one.records[:4], strict=True))
        more = f", and {len(one.labels) - 4} more" if len(one.labels) > 4 else ""
        rows.append((str(one.level), few + more, str(len(one.labels)), str(one.smallest)))
    console.show_table(
        f"levels of {column}", ("level", "labels (records)", "labels", "fewest records"), rows, numbers=2
    )
