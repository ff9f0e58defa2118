"""The metadata of mu-Argus (.rda, code lists .cdl) as a layout, and a layout as such metadata.

An .rda file has one line per column, "NAME start width missing missing", and below it words such as
<RECODABLE>, <CODELIST>, <IDLEVEL>, <SUPPRESSPRIORITY>, <NUMERIC>, <DECIMALS>, <WEIGHT>, <HOUSE_ID>.
"""

from __future__ import annotations

import csv
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from shoal.errors import InvalidInput
from shoal.io.layout import Field, Layout, checked
from shoal.types import Kind, Role

WORD = re.compile(r"^\s*<(\w+)>\s*(.*?)\s*$")
ROLES: dict[str, Role] = {"HOUSE_ID": "household", "WEIGHT": "weight"}


def read_metadata(path: Path) -> Layout:
    """A layout from mu-Argus's metadata, with the code lists that it names and that lie beside it."""
    separator: str | None = None
    blocks: list[tuple[list[str], list[str]]] = []
    for number, line in enumerate(_lines(path), 1):
        word = WORD.match(line)
        if word and word[1].upper() == "SEPARATOR":
            separator = word[2].strip('"') or ","
        elif word and blocks:
            blocks[-1][1].append(line.strip())
        elif word:
            raise InvalidInput(
                f"Line {number} of {path.name!r} comes before any column; name a column first."
            )
        elif line.strip():
            blocks.append((_split(path, number, line), []))
    fields = [_field(path, head, words, separator is None) for head, words in blocks]
    return checked(Layout(tuple(fields), separator), path)


def _lines(path: Path) -> list[str]:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"The metadata {path.name!r} cannot be read: {error.strerror}.") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
    if raw.startswith((b"\x1f\x8b", b"RDX", b"RDA", b"BZh", b"\xfd7zXZ")):
        raise InvalidInput(
            f"{path.name} is a data file of R, not mu-Argus metadata; write it from R as csv or parquet."
        )
    return text.splitlines()


def _split(path: Path, number: int, line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        raise InvalidInput(f"Line {number} of {path.name!r} has a quote mark too many; mend it.") from None


def _field(path: Path, head: list[str], words: list[str], placed: bool) -> Field:
    said = {match[1].upper(): match[2].strip('"') for match in map(WORD.match, words) if match}
    numbers = 2 if placed else 1
    try:
        places = [int(text) for text in head[1 : 1 + numbers]]
        width = places[numbers - 1]
        decimals = int(said["DECIMALS"]) if "DECIMALS" in said else None
        priority = float(said.get("SUPPRESSPRIORITY") or said.get("SUPPRESSWEIGHT") or 1.0)
        level = int(said.get("IDLEVEL") or 0)
    except (ValueError, IndexError):
        raise InvalidInput(
            f"Column {head[0]!r} of {path.name!r} needs whole numbers for its place, width, decimals, "
            "identification level and suppression priority."
        ) from None
    roles = [role for word, role in ROLES.items() if word in said]
    return Field(
        name=head[0],
        start=places[0] - 1 if placed else None,
        width=width,
        decimals=0 if "NUMERIC" in said and decimals is None else decimals,
        missing=tuple(dict.fromkeys(head[1 + numbers :])),
        kind=_kind(said),
        role=roles[0] if roles else "quasi" if level > 0 else "other",
        importance=priority if priority > 0 else 1.0,
        labels=_codes(path, said["CODELIST"]) if said.get("CODELIST") else {},
        words=tuple(words),
    )


def _kind(said: dict[str, str]) -> Kind | None:
    """Amounts are numeric; codes with names or that are cut from the right nominal; others have an order."""
    if "HOUSE_ID" in said:
        return "nominal"
    if "NUMERIC" in said:
        return "numeric"
    if "RECODABLE" not in said:
        return None
    return "nominal" if "CODELIST" in said or "TRUNCABLE" in said else "ordinal"


def _codes(path: Path, name: str) -> dict[str, str]:
    """A code list beside the metadata, whatever the case of its name; none only means fewer labels."""
    beside = [p for p in path.parent.iterdir() if p.name.lower() == Path(name).name.lower()]
    return read_codes(beside[0]) if beside else {}


def read_codes(path: Path) -> dict[str, str]:
    """A code list of mu-Argus: one "code,label" per line.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "sex.cdl"
    >>> _ = file.write_text("1,male\\n2,female\\n")
    >>> read_codes(file)
    {'1': 'male', '2': 'female'}
    """
    rows = csv.reader(_lines(path), skipinitialspace=True)
    return {row[0].strip(): ",".join(row[1:]).strip() for row in rows if row and row[0].strip()}


def metadata_text(layout: Layout, columns: Iterable[str], labelled: Iterable[str] = ()) -> str:
    """The metadata of mu-Argus of the columns that were written; code lists are named of those `labelled`."""
    lines = [] if layout.separator is None else [f'<SEPARATOR>  "{layout.separator}"']
    written, listed = set(columns), set(labelled)
    for column in layout.fields:
        if column.name not in written:
            continue
        place = [] if column.start is None else [str(column.start + 1)]
        codes = [f'"{code}"' if " " in code else code for code in column.missing]
        name = f'"{column.name}"' if " " in column.name else column.name
        lines.append(" ".join([name, *place, str(column.width), *codes]))
        words = [word for word in column.words if column.name in listed or not names_codes(word)]
        lines += [f"  {word}" for word in words or _words(column)]
    return "\n".join(lines) + "\n"


def names_codes(word: str) -> bool:
    """Whether a line of the metadata names a code list.

    >>> names_codes('<CODELIST> "Sex.cdl"')
    True
    """
    return word.upper().startswith("<CODELIST")


def _words(column: Field) -> list[str]:
    if column.kind != "numeric":
        return ["<RECODABLE>"]
    return ["<NUMERIC>", *([f"<DECIMALS> {column.decimals}"] if column.decimals else [])]


def layout_beside(path: Path) -> Path | None:
    """The layout of a fixed-width file with its name: mu-Argus's .rda, or .layout.csv."""
    names = (path.with_suffix(".rda"), path.with_suffix(".RDA"), path.with_suffix(".layout.csv"))
    return next((beside for beside in names if beside.is_file()), None)
