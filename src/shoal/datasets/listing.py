"""What there is to try methods on: built-in files, generators, reference files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shoal.datasets.catalogue import REFERENCES
from shoal.datasets.reference import find_reference


@dataclass(frozen=True)
class DatasetInfo:
    """One line of the list of datasets.

    Parameters
    ----------
    name
        Its name; for built-in files and generators the name of the function.
    source
        "built-in", "generator" or "reference".
    records, columns
        Its shape; None where the caller chooses.
    what
        What it is, in a few words.
    call
        The Python expression (after ``from shoal.datasets import *``) that gives the table.
    found
        Whether it is on this machine: always, except for reference files.

    Examples
    --------
    >>> list_datasets()[0].call
    'load_sme()'
    """

    name: str
    source: Literal["built-in", "generator", "reference"]
    records: int | None
    columns: int | None
    what: str
    call: str
    found: bool


# name, records, columns, what it is, how it is called
_OURS = (
    ("load_sme", 11, 5, "eleven small companies", "load_sme()"),
    ("load_points", 19, 2, "nineteen points in the plane", "load_points()"),
    ("make_scattered", None, None, "points without structure", "make_scattered(n)"),
    ("make_clustered", None, None, "points in small natural clusters", "make_clustered(n)"),
    ("make_census", None, 18, "made-up persons in households, mixed kinds, some missing", "make_census(n)"),
    ("make_patients", None, 8, "made-up hospital stays: dates, postcodes, diagnoses", "make_patients(n)"),
)


def list_datasets() -> list[DatasetInfo]:
    """Every dataset: built-in files, generators and reference files, and whether they are on this machine.

    Returns
    -------
    list of DatasetInfo

    Notes
    -----
    Looks for the reference files but reads none.

    Examples
    --------
    >>> [info.name for info in list_datasets() if info.source == "built-in"]
    ['load_sme', 'load_points']
    """
    ours = [
        DatasetInfo(
            name=name,
            source="built-in" if records else "generator",
            records=records,
            columns=columns,
            what=what,
            call=call,
            found=True,
        )
        for name, records, columns, what, call in _OURS
    ]
    references = [
        DatasetInfo(
            name=entry.name,
            source="reference",
            records=entry.records,
            columns=entry.columns,
            what=entry.what,
            call=f"read_reference({entry.name!r})",
            found=find_reference(entry) is not None,
        )
        for entry in REFERENCES
    ]
    return [*ours, *references]
