"""Arguments of the command line: what each option is called, and how its text is read."""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from shoal.cli import console
from shoal.cli._texts.option_texts import hierarchies_in, names_from, order_from, pair_from
from shoal.cli._texts.promise_texts import also_confidential
from shoal.errors import InputWarning, InvalidInput
from shoal.hierarchy import with_hierarchies
from shoal.io import Address, read_table, source_of
from shoal.io.read import text_cells
from shoal.masking import pseudonymise, read_key
from shoal.measures.row_order import Rows
from shoal.table import ROLES, Table, as_table, with_roles_of, with_same_kinds
from shoal.types import Role
from shoal.workflow.as_written import as_written
from shoal.workflow.match_rows import match_rows
from shoal.workflow.recipe import Recipe
from shoal.workflow.release import Target

File = Annotated[  # a Path, or the Address of a database
    Any,
    typer.Argument(
        parser=source_of, help="a file (csv, xlsx, sav ...) or a database (postgresql:///db)", metavar="FILE"
    ),
]
Out = Annotated[
    Any,
    typer.Option(
        "-o",
        "--output",
        parser=source_of,
        help="where to write; nothing is written without it",
        metavar="OUT",
    ),
]
Quasi = Annotated[
    list[str] | None, typer.Option(help="columns an intruder may know: they are protected", metavar="COLUMNS")
]
Confidential = Annotated[
    list[str] | None, typer.Option(help="columns nobody should learn", metavar="COLUMNS")
]
Identifier = Annotated[
    list[str] | None, typer.Option(help="columns that name a person: not written", metavar="COLUMNS")
]
Numeric = Annotated[list[str] | None, typer.Option(help="columns to average", metavar="COLUMNS")]
Nominal = Annotated[
    list[str] | None, typer.Option(help="columns whose numbers are only names", metavar="COLUMNS")
]
Ordinal = Annotated[
    list[str] | None,
    typer.Option(help="columns with an order; give it as education=low,middle,high", metavar="COLUMNS"),
]
Weight = Annotated[
    str | None, typer.Option(help="how many people of the population a record stands for", metavar="COLUMN")
]
Household = Annotated[
    str | None, typer.Option(help="who lives together: k counts households", metavar="COLUMN")
]
Stratum = Annotated[
    list[str] | None,
    typer.Option(help="columns that are never changed and that an intruder knows", metavar="COLUMNS"),
]
Hierarchies = Annotated[
    Path | None,
    typer.Option(help="folder with a hierarchy per column: COLUMN.csv or COLUMN.grc", metavar="DIR"),
]
Separator = Annotated[str | None, typer.Option(help="csv separator, if not detected")]
Decimal = Annotated[str | None, typer.Option(help="csv decimal mark, if not detected")]
Encoding = Annotated[str | None, typer.Option(help="csv encoding, if not detected")]
MissingCode = Annotated[
    list[str] | None, typer.Option(help="text or number that means missing", metavar="CODE")
]
Dates = Annotated[
    list[str] | None,
    typer.Option("--date", help="pattern of dates, as born=%d/%m/%Y", metavar="NAME=PATTERN"),
]
Sheet = Annotated[str | None, typer.Option(help="sheet of a spreadsheet")]
LayoutFile = Annotated[
    Path | None, typer.Option("--layout", help="layout of a fixed-width file: .csv, or .rda of mu-Argus")
]
KeepCodes = Annotated[bool, typer.Option("--keep-codes", help="keep SPSS's user-missing codes as categories")]
FromTable = Annotated[str | None, typer.Option("--table", help="table of a database")]
Query = Annotated[str | None, typer.Option(help="what to ask a database, instead of a table")]
OutTable = Annotated[str | None, typer.Option(help="new table of a database", metavar="TABLE")]
Force = Annotated[bool, typer.Option("--force", help="overwrite an existing file")]
KeepIdentifiers = Annotated[bool, typer.Option("--keep-identifiers", help="write the identifiers too")]
RowKeyRead = Annotated[
    Path | None, typer.Option("--row-key", help="private file that says which row is which", metavar="KEY")
]
Match = Annotated[
    str | None, typer.Option(help="column that names every record once in both files", metavar="COLUMN")
]
Anyway = Annotated[
    bool, typer.Option("--release-anyway", help="write a file that breaks its promise, and say so")
]
RowKey = Annotated[
    Path | None,
    typer.Option(help="where to write which record every row was; keep it inside", metavar="KEY"),
]
Pseudonymise = Annotated[
    list[str] | None,
    typer.Option(
        help="identifiers that become pseudonyms, the same in all tables and years", metavar="COLUMNS"
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(help="the secret key of pseudonyms, made by `shoal pseudonym-key`", metavar="KEY"),
]
SaveFitted = Annotated[
    Path | None,
    typer.Option(help="write what was learned, for `shoal apply` on the next file", metavar="RECIPE"),
]
NoShuffle = Annotated[bool, typer.Option("--no-shuffle", help="keep the row order (it is information)")]
Seed = Annotated[int | None, typer.Option(min=0, help="to repeat a run; keep it secret")]
Details = Annotated[bool, typer.Option("--details", help="show every figure and every column")]
Json = Annotated[bool, typer.Option("--json", help="figures as JSON on standard output")]


@dataclass(frozen=True)
class Opening:
    """How a file is written or where in a database its table is: what every command on files is told."""

    separator: Separator = None
    decimal: Decimal = None
    encoding: Encoding = None
    missing_code: MissingCode = None
    date: Dates = None
    sheet: Sheet = None
    layout: LayoutFile = None
    keep_codes: KeepCodes = False
    table_name: FromTable = None
    query: Query = None

    def read(self, file: Path | Address, **further: Any) -> Table:
        """The file as it is, with a bar if that takes long."""
        with console.progress_bar("reading"):
            return read_table(file, **self.options(), **further)

    def options(self) -> dict[str, Any]:
        """What was said, in the words of `read_table`."""
        return {
            "separator": self.separator,
            "decimal": self.decimal,
            "encoding": self.encoding,
            "missing_codes": self.missing_code,
            "dates": dict(pair_from("--date", text) for text in self.date or ()),
            "sheet": self.sheet,
            "layout": self.layout,
            "keep_codes": self.keep_codes,
            "table": self.table_name,
            "query": self.query,
        }


@dataclass(frozen=True)
class Reading(Opening):
    """How files are read and what their columns are: the options every command on files has."""

    quasi: Quasi = None
    confidential: Confidential = None
    identifier: Identifier = None
    numeric: Numeric = None
    nominal: Nominal = None
    ordinal: Ordinal = None
    weight: Weight = None
    household: Household = None
    stratum: Stratum = None
    hierarchies: Hierarchies = None

    def read(self, file: Path | Address, **further: Any) -> Table:
        """The file; numbers in texts (012, or as a sheet keeps them) are numbers where --numeric says so."""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", InputWarning)
            table = super().read(file, **further)
        named = [name for name in names_from(self.numeric, table.names()) if name in table.names()]
        texts = [name for name in named if not table.is_number(name)]
        if texts:
            return super().read(file, kinds=dict.fromkeys(texts, "numeric"), **further)
        for warning in said:
            warnings.warn(warning.message, stacklevel=2)
        return table

    def table(self, file: Path | Address, hidden: Sequence[str] = (), *, masked: bool = False) -> Table:
        """The file, with the roles and kinds that were given; `hidden` columns are confidential too."""
        return self.describe(self.read(file), hidden, masked=masked)

    def describe(self, table: Table, hidden: Sequence[str] = (), *, masked: bool = False) -> Table:
        """The table with the roles, kinds and hierarchies that were given; masked cells may be means."""
        roles = also_confidential(self.roles(table), hidden)
        table = as_table(table, roles=roles or None, kinds=self.kinds(table))
        return with_hierarchies(table, self.grown(table), unnamed="leave" if masked else "refuse")

    def as_written(self, table: Table, file: Path | Address, **options: Any) -> Table:
        """The described table of a file with its keys as a stranger with a text editor sees them."""
        if isinstance(file, Address):
            return table
        said = {name: getattr(self, name) for name in ("separator", "decimal", "encoding", "layout")}
        cells = text_cells(file, **said)
        return as_written(table, cells, **options)

    def pair(self, before: Table, masked: Path | Address) -> tuple[Table, Table]:
        """A described file and its masked file, every column of one kind and role in both."""
        before, after = with_same_kinds(before, self.read(masked), declared=self.kinds(before))
        return before, with_roles_of(before, after)

    def grown(self, table: Table) -> dict[str, Path]:
        """The hierarchy file of every column that has one."""
        return hierarchies_in(self.hierarchies, table)

    def roles(self, table: Table) -> dict[Role, list[str]]:
        """Columns by role, those that were named."""
        given: dict[Role, list[str] | None] = {
            "quasi": self.quasi,
            "confidential": self.confidential,
            "identifier": self.identifier,
            "weight": [self.weight] if self.weight else None,
            "household": [self.household] if self.household else None,
            "stratum": self.stratum,
        }
        return {role: names_from(texts, table.names()) for role, texts in given.items() if texts}

    def roles_or_numbers(self, table: Table) -> dict[Role, list[str]]:
        """The roles; where no quasi-identifier is named, every number that is not an identifier is one."""
        roles = self.roles(table)
        named = roles.get("identifier", [])
        numbers = [name for name in filter(table.is_number, table.names()) if name not in named]
        return roles if "quasi" in roles else roles | {"quasi": numbers}

    def kinds(self, table: Table) -> dict[str, Any]:
        """The kind of every column for which one was given, or its order."""
        kinds: dict[str, Any] = dict.fromkeys(names_from(self.numeric, table.names()), "numeric")
        kinds |= dict.fromkeys(names_from(self.nominal, table.names()), "nominal")
        for text in self.ordinal or ():
            name, given, order = text.partition("=")
            if given:
                kinds[name] = order_from(table, name, order)
            else:
                kinds |= dict.fromkeys(names_from([text], table.names()), "ordinal")
        return kinds


@dataclass(frozen=True)
class Naming:
    """Identifiers that leave as pseudonyms: the options every command that releases has."""

    pseudonymise: Pseudonymise = None
    key_file: KeyFile = None

    def apply(self, table: Table) -> Table:
        """The table with pseudonyms in place of these identifiers; the others are not written."""
        if self.pseudonymise is None:
            return table
        names = names_from(self.pseudonymise, table.names())
        return pseudonymise(table, key=self._key(), columns=names)

    def _key(self) -> bytes:
        """The key of the file, or typed unseen where somebody sits at a terminal."""
        if self.key_file is not None:
            return read_key(self.key_file)
        if not sys.stdin.isatty():
            raise InvalidInput(
                "Pseudonyms need a key; add --key-file KEY, which `shoal pseudonym-key KEY` makes."
            )
        typed: str = typer.prompt("Key of the pseudonyms", hide_input=True, err=True)
        return typed.strip().encode()

    @property
    def keys(self) -> list[Path]:
        """The key file, which no output may replace."""
        return [] if self.key_file is None else [self.key_file]

    def keeps_households(self, recipe: Recipe) -> bool:
        """Whether households leave as pseudonyms, so that they need no new random numbers."""
        homes = recipe.roles.get("household", [])
        return bool(homes) and homes[0] in names_from(self.pseudonymise, homes)

    def released(self, recipe: Recipe) -> Recipe:
        """The recipe for this run: what became a pseudonym is no identifier any more and is written."""
        gone = set(names_from(self.pseudonymise, recipe.roles.get("identifier", [])))
        left = [name for name in recipe.roles.get("identifier", []) if name not in gone]
        return replace(recipe, roles={**recipe.roles, "identifier": left}) if gone else recipe


@dataclass(frozen=True)
class Matching:
    """Which record of one file is which of the other: for commands that compare two files."""

    match: Match = None
    row_key: RowKeyRead = None

    def rows(self, before: Table, after: Table) -> tuple[Table, Rows]:
        """The masked table with roles, row by row like the original, and whether its rows can be trusted."""
        roles: dict[Role, list[str]] = {
            role: [name for name in before.names(role) if name in after.names()] for role in ROLES
        }
        after = match_rows(before, as_table(after, roles=roles), column=self.match, row_key=self.row_key)
        return after, "trusted" if self.match or self.row_key else "checked"


@dataclass(frozen=True)
class Writing:
    """Where a protected file is written and what is shown: the options every command that releases has."""

    output: Out = None
    keep_identifiers: KeepIdentifiers = False
    no_shuffle: NoShuffle = False
    force: Force = False
    seed: Seed = None
    as_json: Json = False
    out_table: OutTable = None
    details: Details = False
    release_anyway: Anyway = False
    row_key: RowKey = None

    def target(
        self, like: Path | Address | None = None, *inputs: Path, opening: Opening | None = None
    ) -> Target:
        """The target of a release; a file is written the way `like` is, and never over what was read."""
        return Target(
            None if self.output is None else source_of(self.output, self.out_table),
            identifiers=self.keep_identifiers,
            shuffle=not self.no_shuffle,
            overwrite=self.force,
            like=like,
            inputs=(*([like] if isinstance(like, Path) else []), *inputs),
            row_key=self.row_key,
            anyway=self.release_anyway,
            read=opening.options() if opening else {},
        )


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """The command with one option for every field of the dataclasses among its parameters."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    options: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            options += inspect.signature(groups[name]).parameters.values()
        else:
            options.append(parameter)
    for group in groups.values():
        hints |= get_type_hints(group, include_extras=True)

    @functools.wraps(command)
    def flattened(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    named = [option.replace(kind=option.KEYWORD_ONLY, annotation=hints[option.name]) for option in options]
    flattened.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    flattened.__annotations__ = {option.name: hints[option.name] for option in named}
    return flattened
