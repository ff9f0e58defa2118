"""shoal mask, shoal run, shoal demo: protect a file, show what that costs, write it."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal import console
from shoal.commands.arguments import (
    Confidential,
    Decimal,
    Encoding,
    File,
    Force,
    Identifier,
    Json,
    K,
    KeepIdentifiers,
    MissingCode,
    Nominal,
    NoShuffle,
    Numeric,
    Ordinal,
    Out,
    Quasi,
    Seed,
    Separator,
    kinds_from,
    options_from,
    read_file,
    refuse_existing,
    roles_from,
    write_text,
)
from shoal.errors import InputWarning
from shoal.evaluate import Evaluation, evaluate
from shoal.io import detect_csv, is_csv, read_table, write_table
from shoal.measures import anonymity_level
from shoal.recipe import Recipe
from shoal.table import ROLES, Table, as_table


def mask(
    file: File,
    quasi: Quasi = None,
    confidential: Confidential = None,
    identifier: Identifier = None,
    k: K = None,
    output: Out = None,
    method: Annotated[str, typer.Option(help="masker (see `shoal methods`)")] = "microaggregate",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="option of the masker, e.g. partition=mdav, round=true", metavar="NAME=VALUE"
        ),
    ] = None,
    numeric: Numeric = None,
    nominal: Nominal = None,
    ordinal: Ordinal = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    missing_code: MissingCode = None,
    save_recipe: Annotated[Path | None, typer.Option(help="write what was done as a recipe")] = None,
    keep_identifiers: KeepIdentifiers = False,
    no_shuffle: NoShuffle = False,
    force: Force = False,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Protect a file: every record gets company of at least k that look the same."""
    table = read_file(file, separator, decimal, encoding, missing_code)
    roles = roles_from(table, quasi, confidential, identifier)
    step = {"method": method, **({} if k is None else {"k": k}), **options_from(option)}
    recipe = Recipe(file.stem, roles, [step], kinds_from(table, numeric, nominal, ordinal))
    if save_recipe is not None:
        write_text(save_recipe, recipe.to_toml(), force)
    written = {"identifiers": keep_identifiers, "shuffle": not no_shuffle, "overwrite": force}
    _protect(file, table, recipe, output, seed, as_json, k, written)


def run(
    file: File,
    recipe: Annotated[Path, typer.Argument(help="a recipe, .toml or .json")],
    output: Out = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    missing_code: MissingCode = None,
    script: Annotated[
        bool, typer.Option("--script", help="show the recipe as a Python script and stop")
    ] = False,
    keep_identifiers: KeepIdentifiers = False,
    no_shuffle: NoShuffle = False,
    force: Force = False,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Protect a file as a recipe says."""
    steps = Recipe.read(recipe)
    if script:
        print(steps.to_python())
        return
    table = read_file(file, separator, decimal, encoding, missing_code)
    k = max((step["k"] for step in steps.steps if "k" in step), default=None)
    written = {"identifiers": keep_identifiers, "shuffle": not no_shuffle, "overwrite": force}
    _protect(file, table, steps, output, seed, as_json, k, written)


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", help="folder to write to")] = Path("demo"),
    records: Annotated[int, typer.Option(help="number of made-up persons")] = 1000,
    k: Annotated[int, typer.Option(help="minimum number of records that look alike")] = 5,
    as_json: Json = False,
) -> None:
    """Make up a file of persons, protect it and show what that costs and brings."""
    from shoal.datasets import make_census

    table = make_census(records, rng=0)
    output.mkdir(parents=True, exist_ok=True)
    original = output / "original.csv"
    write_table(table, original, identifiers=True, shuffle=False, overwrite=True)
    step = {"method": "microaggregate", "k": k, "missing": "suppress"}
    recipe = Recipe("demo", {role: table.names(role) for role in ROLES}, [step])
    if not as_json:
        console.say(f"{records} made-up persons are in {original}; nobody in it exists.")
    _protect(original, table, recipe, output / "protected.csv", None, as_json, k, {"overwrite": True})


def _protect(
    file: Path,
    table: Table,
    recipe: Recipe,
    output: Path | None,
    seed: int | None,
    as_json: bool,
    k: int | None,
    written: dict[str, bool],
) -> None:
    """Run, evaluate, write, and count k once more on the written file."""
    refuse_existing(bool(written.get("overwrite")), output)
    with console.progress_bar("protecting") as callback:
        masked = recipe.run(table, rng=seed, callback=callback)
    original = as_table(table, roles=recipe.roles, kinds=recipe.kinds)
    release(file, original, masked, output, seed, as_json, k, written)


def release(
    file: Path,
    original: Table,
    masked: Table,
    output: Path | None,
    seed: int | None,
    as_json: bool,
    k: int | None,
    written: dict[str, bool],
) -> None:
    """Evaluate a masked table, write it, count k once more on the written file, and show the figures."""
    with console.progress_bar("evaluating") as callback:
        result = evaluate(original, masked, callback=callback)
    reached = result.k
    if output is not None:
        dialect = _dialect(file, output)
        write_table(masked, output, **dialect, **written, rng=seed)  # type: ignore[arg-type]
        reached = _count_again(masked, output, dialect)
    if as_json:
        print(json.dumps(facts_of(result, reached, k), indent=2))
        return
    console.show_evaluation(result, k)
    if output is None:
        console.say("Nothing was written; add -o OUT to write the protected file.")
    else:
        console.say(f"{len(masked)} records written to {output}; counted there once more: k = {reached}.")


def _count_again(masked: Table, output: Path, dialect: dict[str, str]) -> int | None:
    """k of the written file, read back as anybody would read it."""
    quasi = masked.names(role="quasi")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # said when the original was read
        return anonymity_level(read_table(output, **dialect), columns=quasi) if quasi else None  # type: ignore[arg-type]


def facts_of(result: Evaluation, reached: int | None, k: int | None) -> dict[str, Any]:
    """The evaluation as plain facts, with whether the promise was kept."""
    promised = {} if k is None else {"k_promised": k, "k_reached": (reached or 0) >= k}
    return result.to_dict() | {"k": reached} | promised


def _dialect(file: Path, output: Path) -> dict[str, str]:
    """A csv is written the way the input was."""
    if not (is_csv(file) and is_csv(output)):
        return {}
    found = detect_csv(file)
    return {"separator": found.separator, "decimal": found.decimal}
