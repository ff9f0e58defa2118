"""Reading the reference files of the literature, which are never part of this package."""

from __future__ import annotations

import os
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from shoal._check import check_names
from shoal.datasets.catalogue import REFERENCES, Reference
from shoal.errors import InvalidInput
from shoal.io import read_table
from shoal.table import Table, as_table
from shoal.types import Kind, Order, Role

_BESIDE = Path("..", "shared", "datasets")


def reference_names() -> list[str]:
    """Names of the reference files that `read_reference` knows.

    Returns
    -------
    list of str
        Whether or not the files are on this machine; `list_datasets` says which are.

    Examples
    --------
    >>> reference_names()[:3]
    ['census', 'tarragona', 'eia']
    """
    return [reference.name for reference in REFERENCES]


def read_reference(name: str) -> Table:
    """Read a reference file of the literature, with the roles and kinds that papers give its columns.

    Parameters
    ----------
    name
        One of `reference_names()`.

    Returns
    -------
    Table

    Notes
    -----
    The files are not part of shoal. They are looked up in the folder that the environment variable
    `SHOAL_DATA` names, then in `../shared/datasets` beside the current folder, then beside the folder of a
    source checkout. A file of another shape than the published one is refused. Codes are nominal or ordinal
    as their documentation says; missing values are kept.

    References
    ----------
    Brand, Domingo-Ferrer, Mateo-Sanz: Reference data sets to test and compare SDC methods for protection of
    numerical microdata, CASC project, for census, tarragona and eia.

    Examples
    --------
    >>> read_reference("cencus")
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: There is no reference file 'cencus'. Did you mean 'census'? ...
    """
    check_names(name, reference_names(), what="reference file")
    reference = next(entry for entry in REFERENCES if entry.name == name)
    path = find_reference(reference)
    if path is None:
        raise InvalidInput(_where_to_get(reference))
    table = read_table(path)
    _check_shape(table, reference)
    kinds: dict[str, Kind | Order] = dict.fromkeys(filter(table.is_number, table.names()), "numeric")
    kinds |= _kinds(reference, table.names())  # what is documented
    return as_table(table, roles=_roles(reference, table.names()), kinds=kinds)


def find_reference(reference: Reference) -> Path | None:
    """The file of a reference on this machine, or None."""
    paths = (folder / reference.path for folder in _folders())
    return next((path for path in paths if path.is_file()), None)


def _folders() -> list[Path]:
    """Where reference files may lie, best first."""
    named = os.environ.get("SHOAL_DATA")
    checkout = Path(__file__).resolve().parents[3]
    beside = [_BESIDE.resolve(), (checkout / _BESIDE).resolve()]
    return list(dict.fromkeys([Path(named).expanduser().resolve(), *beside] if named else beside))


def _where_to_get(reference: Reference) -> str:
    folders = " and ".join(str(folder) for folder in _folders())
    return (
        f"The reference file {reference.path} is not on this machine (looked in {folders}); get it from "
        f"{reference.origin}, and let SHOAL_DATA name the folder that holds {reference.path}."
    )


def _check_shape(table: Table, reference: Reference) -> None:
    shape, expected = (len(table), len(table.names())), (reference.records, reference.columns)
    if shape != expected:
        raise InvalidInput(
            f"The file found for {reference.name} has {shape[0]} records and {shape[1]} columns, the "
            f"reference file has {expected[0]} and {expected[1]}; replace it, or read your own file with "
            "read_table."
        )


def _roles(reference: Reference, names: list[str]) -> dict[Role, list[str]]:
    roles: dict[Role, list[str]] = {"identifier": [], "confidential": [], "quasi": []}
    patterns = {role: getattr(reference, role) for role in roles}
    for name in names:
        role = _first_fit(name, patterns)
        if role is not None:
            roles[role].append(name)
    return roles


def _kinds(reference: Reference, names: list[str]) -> dict[str, Kind | Order]:
    kinds: dict[str, Kind | Order] = dict(reference.orders)
    patterns: dict[Kind, str] = {kind: getattr(reference, kind) for kind in ("numeric", "ordinal", "nominal")}
    for name in names:
        kind = _first_fit(name, patterns)
        if kind is not None and name not in kinds:
            kinds[name] = kind
    return kinds


def _first_fit(name: str, patterns: Mapping[Any, str]) -> Any:
    """The first key one of whose patterns fits the name, or None."""
    fits = (key for key, given in patterns.items() if any(fnmatchcase(name, p) for p in given.split()))
    return next(fits, None)
