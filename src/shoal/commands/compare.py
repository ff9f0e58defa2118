"""shoal compare: partitioners side by side on one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal import console
from shoal.commands.arguments import (
    Decimal,
    Encoding,
    File,
    Force,
    Identifier,
    Json,
    MissingCode,
    Nominal,
    Numeric,
    Ordinal,
    Quasi,
    Seed,
    Separator,
    kinds_from,
    quasi_or_numbers,
    read_file,
    roles_from,
    sizes_from,
    write_text,
)
from shoal.compare import COMPARED, HEADER, compare
from shoal.methods import MENUS, find_method
from shoal.table import as_table


def compare_methods(
    file: File,
    k: Annotated[str, typer.Option(help="minimum group sizes, e.g. 3,5,10")],
    quasi: Quasi = None,
    identifier: Identifier = None,
    methods: Annotated[
        str, typer.Option(help="comma separated; all partitioners but best if not given")
    ] = "",
    seconds: Annotated[
        float, typer.Option(help="skip a method that takes longer; how long best searches")
    ] = 60.0,
    csv: Annotated[Path | None, typer.Option(help="write the table as csv", metavar="OUT")] = None,
    numeric: Numeric = None,
    nominal: Nominal = None,
    ordinal: Ordinal = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    missing_code: MissingCode = None,
    force: Force = False,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Compare partitioners: loss, groups and seconds for every k, the best marked."""
    table = read_file(file, separator, decimal, encoding, missing_code)
    roles = quasi_or_numbers(table, roles_from(table, quasi, None, identifier))
    table = as_table(table, roles=roles, kinds=kinds_from(table, numeric, nominal, ordinal))
    menu = MENUS["partitioners"]
    chosen = [find_method(name.strip(), menu) for name in methods.split(",") if name.strip()] or COMPARED
    with console.progress_bar("comparing") as callback:
        found = compare(
            table, sizes_from(k), partitioners=chosen, seconds=seconds, rng=seed, callback=callback
        )
    if csv is not None:
        write_text(csv, found.to_csv(), force)
    if as_json:
        print(found.to_json())
        return
    console.show_table(f"{found.records} records", HEADER, found.rows(), numbers=7)
    for sentence in found.skipped():
        console.say(f"skipped {sentence}", "dim")
