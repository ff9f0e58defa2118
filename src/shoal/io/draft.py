"""A file or database table that is written and can be read again before anybody else sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import polars as pl

from shoal.errors import InvalidInput
from shoal.io.address import Address
from shoal.io.atomic import check_target, whole_file
from shoal.io.fixed_width import FIXED_WIDTH, layout_for
from shoal.io.form import Form
from shoal.io.formats import extension, format_called, warn_of_lost, writer_of
from shoal.io.muargus import metadata_text, names_codes
from shoal.table import Attribute


class Draft(Protocol):
    """What `drafted` gives: write once, then look at what was written."""

    def write(self, frame: pl.DataFrame, attributes: Mapping[str, Attribute]) -> None:
        """Write a frame of plain types with what is known about its columns."""

    def cells(self) -> pl.DataFrame:
        """What was written, read back from its bytes: texts of a text file, else values; None is missing."""


@contextmanager
def drafted(target: Path | Address, form: Form, *, overwrite: bool = False) -> Iterator[Draft]:
    """A draft that becomes the file (or the table of a database) when the block ends well, else nothing.

    Raise inside the block to give the draft up: what was at the target is untouched then.

    >>> import tempfile
    >>> from shoal.table import as_table
    >>> table = as_table({"age": [30, 41]})
    >>> target = Path(tempfile.mkdtemp()) / "safe.csv"
    >>> with drafted(target, Form(".csv")) as draft:
    ...     draft.write(table.frame, {a.name: a for a in table.attributes})
    ...     print(draft.cells()["age"].to_list(), target.exists())
    ['30', '41'] False
    >>> target.exists()
    True
    """
    if isinstance(target, Address):
        from shoal.io.database import drafted_table

        with drafted_table(target) as table:
            yield table
        return
    form = replace(form, extension=extension(target))
    writer_of(form.extension)
    with ExitStack() as stack:
        if form.extension in FIXED_WIDTH:
            beside = target.with_suffix(".rda")
            sidecar = stack.enter_context(whole_file(beside, overwrite))
        else:
            sidecar = None
        temporary = stack.enter_context(whole_file(target, overwrite))
        yield FileDraft(temporary, form, sidecar)


@dataclass
class FileDraft:
    """A file under another name in the folder where it will lie."""

    path: Path
    form: Form
    sidecar: Path | None = None  # the layout that a fixed-width file cannot be read without
    columns: tuple[str, ...] = ()  # as they were written

    def write(self, frame: pl.DataFrame, attributes: Mapping[str, Attribute]) -> None:
        labelled: set[str] = set()  # by a code list that the metadata name, if codes mean what they meant
        if self.sidecar is not None:
            layout = self.form.layout or layout_for(frame)
            labelled = {c.name for c in layout.fields if any(map(names_codes, c.words))}
            labelled &= {name for name, attribute in attributes.items() if attribute.value_labels}
            self.form = replace(self.form, layout=layout)
            self.sidecar.write_text(metadata_text(layout, frame.columns, labelled), encoding="utf-8")
        ending, left = self.form.extension, {n: a for n, a in attributes.items() if n not in labelled}
        warn_of_lost(f"A {ending} file", format_called(ending).loses, frame, left)
        self.columns = tuple(frame.columns)
        writer_of(ending)(frame, attributes, self.path, self.form)

    def cells(self) -> pl.DataFrame:
        return as_named(format_called(self.form.extension).cells(self.path, self.form), self.columns)


def as_named(cells: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """What was read back, by the names that were written: readers trim names, and make them where none is.

    >>> as_named(pl.DataFrame({"column_1": ["a"]}), [" "]).columns
    [' ']
    """
    if set(columns) <= set(cells.columns):
        return cells
    if cells.width != len(columns):
        raise InvalidInput(f"{len(columns)} columns were written, but {cells.width} can be read back.")
    return cells.rename(dict(zip(cells.columns, columns, strict=True)))


def check_draft(target: Path | Address, *, overwrite: bool) -> None:
    """Refuse, before long work, a target that could not be written.

    >>> check_draft(Path("nowhere", "safe.csv"), overwrite=False)
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: The folder nowhere does not exist; create it first.
    """
    if isinstance(target, Address):
        from shoal.io.database import check_new_table

        check_new_table(target)
        return
    writer_of(extension(target))
    check_target(target, overwrite)
