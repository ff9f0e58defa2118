"""A table as a stranger with its text file sees it: what an intruder may know, as it stands there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from shoal.encode.look_alikes import key_columns
from shoal.table import Table


def as_written(
    table: Table,
    cells: pl.DataFrame | None,
    *,
    keys: Iterable[str] | None = None,
    gaps: str = "category",
) -> Table:
    """The table with the keys as the texts of its file, so that 1 and 1.0 are counted as different.

    Parameters
    ----------
    table
        The table that was read from the file.
    cells
        The cells of the file as texts, see `shoal.io.read.text_cells`; without them the table stays as it is.
    keys
        What an intruder may know; the quasi-identifiers and strata if not given.
    gaps
        With "wildcard" cells that were read as missing are missing, whatever text says so.

    Examples
    --------
    >>> from shoal import as_table
    >>> people = as_table(pl.DataFrame({"age": [1.0, 1.0]}), roles={"quasi": "age"})
    >>> as_written(people, pl.DataFrame({"age": ["1", "1.0"]})).frame["age"].to_list()
    ['1', '1.0']
    """
    if cells is None or cells.height != len(table):
        return table
    known = [name for name in (key_columns(table) if keys is None else keys) if name in cells.columns]
    frame = table.frame
    assert isinstance(frame, pl.DataFrame), "files are read with polars"
    texts = [cells[name].cast(pl.String) for name in known]
    if gaps == "wildcard":
        texts = [text.set(frame[text.name].is_null(), None) for text in texts]
    attributes = (replace(a, kind="nominal", order=()) if a.name in known else a for a in table.attributes)
    return Table(frame.with_columns(texts), tuple(attributes))
