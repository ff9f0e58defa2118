"""Roles that names and values suggest, with the reason; never taken without being asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.encode.likely_missing import likely_missing
from shoal.encode.spellings import similar_spellings
from shoal.table import Table
from shoal.types import Kind, Role
from shoal.workflow.determined_columns import determined_columns
from shoal.workflow.role_names import CODES, NAMES, POSTCODES, plain_name

LEAST_RECORDS = 20  # records; of fewer no share says anything
NEAR_UNIQUE = 0.5  # share of records with a value of their own; over half, as the specification says
# Different values per record; a column with more determines others by chance. Chosen, not measured.
MOST_DETERMINING = 0.2
# Share of records with a value of their own from which a column rather names a record than describes it. Of
# the 53 text columns of the 27 reference files one is at 1.0 and the next at 0.06, so that any share between
# would do there; whole-number amounts of Census, Tarragona and EIA are above it too, and the reason says why.
NAMING = 0.95
WORDS = 4  # words of a mean text that is no name, place or occupation; chosen, not measured
DENSE = 20  # numbers that may lie between two neighbours where numbers are given out; chosen, not measured

GAPS = "few values look like codes for missing cells; if they are, name them: --missing-code"


@dataclass(frozen=True)
class Suggestion:
    """A column: the role its name or values suggest, why, and what else one should know about it."""

    name: str
    role: Role
    reason: str
    distinct: int
    missing: int
    determines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    kind: Kind | None = None  # where another one than the column has is likely


@takes_frames
def suggest_roles(table: Table) -> tuple[Suggestion, ...]:
    """Suggest a role for every column, with the reason.

    Parameters
    ----------
    table
        The table; its own roles are not looked at.

    Returns
    -------
    tuple of Suggestion
        One per column, in the order of the table.

    Notes
    -----
    A suggestion is no decision: who knows what is known to you, not to a program. Names are compared with
    those of laws and offices (the HIPAA identifiers among them); a text with a value of its own in most
    records names them. A column determines another one if the same value always comes with the same value
    there (education-num and education): masking one alone does not hide it. Time O(d n + d^2).

    References
    ----------
    45 CFR 164.514(b)(2), the identifiers of the HIPAA safe harbor.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"name": ["Ana", "Pau"], "age": [30, 41], "salary": [1, 2], "x": [1, 1]})
    >>> [found.role for found in suggest_roles(table)]
    ['identifier', 'quasi', 'confidential', 'other']
    """
    coded, spelt, written = {}, {}, set()
    coded_gaps: set[str] = set()
    for name in table.names():
        coded[name], categories = categorise(table, name)
        texts = [value for value in categories if isinstance(value, str)]
        spelt[name] = similar_spellings(texts)
        if likely_missing(categories):
            coded_gaps.add(name)
        if len(texts) > NEAR_UNIQUE * len(table) and is_free_text(texts):
            written.add(name)
    counts = {name: int(codes.max(initial=-1)) + 1 for name, codes in coded.items()}
    determined = determined_columns(
        {name: coded[name] for name, count in counts.items() if 2 <= count <= MOST_DETERMINING * len(table)}
    )
    found = []
    for name, codes in coded.items():
        role, reason = _role(table, name, counts[name])
        if name in written and role == "other":
            role, reason = "identifier", "its values: free text, which may name people; leave it out"
        missing = int((codes < 0).sum())
        kind: Kind | None = "nominal" if is_code_by_name(table, name) else None
        notes = _notes(table, name, counts[name], kind, spelt[name])
        notes += [GAPS] if name in coded_gaps else []
        notes += _no_weight(table, name, role) + _coarser(table, name)
        told = tuple(determined.get(name, ()))
        found.append(Suggestion(name, role, reason, counts[name], missing, told, tuple(notes), kind))
    return tuple(found)


def is_code_by_name(table: Table, name: str) -> bool:
    """Whether whole numbers are rather names by what their column is called, and are taken for amounts.

    >>> from shoal import as_table
    >>> table = as_table({"zip_code": [8001, 9000], "age": [30, 41]})
    >>> is_code_by_name(table, "zip_code"), is_code_by_name(table, "age")
    (True, False)
    """
    attribute = table.attribute(name)
    kept = attribute.role in ("identifier", "household", "weight", "stratum")  # never a mean of them
    if kept or not table.is_number(name):
        return False
    if attribute.kind == "nominal" or attribute.order or not re.fullmatch(CODES, plain_name(name)):
        return False
    values = table.numbers(name)
    return bool((values[np.isfinite(values)] % 1 == 0).all())


def is_free_text(texts: list[str]) -> bool:
    """Whether somebody wrote these, and may have written anything.

    >>> is_free_text(["fell ill after the storm", "the only doctor of Alder"]), is_free_text(["New York"])
    (True, False)
    """
    return bool(texts) and sum(len(text.split()) for text in texts) >= WORDS * len(texts)


def is_few_whole_numbers(table: Table, name: str) -> bool:
    """Whether numbers are taken for ranks, nobody having said so.

    >>> from shoal import as_table
    >>> is_few_whole_numbers(as_table({"rooms": [1, 2, 3, 4] * 25}), "rooms")
    True
    """
    attribute = table.attribute(name)
    return attribute.kind == "ordinal" and table.is_number(name) and not attribute.order


def _role(table: Table, name: str, distinct: int) -> tuple[Role, str]:
    word = plain_name(name)
    share = distinct / max(len(table), 1)
    for role, pattern, reason in NAMES:
        if re.fullmatch(pattern, word) and not (
            role == "household" and share > 0.99 and len(table) >= LEAST_RECORDS
        ):
            return role, f"its name: {reason}"
    if _is_date(table, name):
        return "quasi", "its values: dates; of a birth, a stay or a death others know them"
    if len(table) >= LEAST_RECORDS and share > NAMING and not _is_amount(table, name):
        return "identifier", f"its values: {100 * share:.1f} % of the records have one of their own"
    return "other", "neither name nor values say more"


def _is_date(table: Table, name: str) -> bool:
    attribute = table.attribute(name)
    return attribute.kind == "ordinal" and not attribute.order and not table.is_number(name)


def _is_amount(table: Table, name: str) -> bool:
    """Numbers that nobody gave out: with decimals, or some equal, far apart and of many lengths.

    >>> from shoal import as_table
    >>> table = as_table({"nr": [4, 5, 6, 7], "pay": [900, 20_000, 20_000, 410_000]})
    >>> _is_amount(table, "nr"), _is_amount(table, "pay")
    (False, True)
    """
    if table.attribute(name).kind != "numeric" or not table.is_integer(name):
        return table.attribute(name).kind == "numeric"
    values = table.numbers(name)
    values = np.abs(values[np.isfinite(values)])
    digits = np.floor(np.log10(np.maximum(values, 1)))
    dense = np.ptp(values) <= DENSE * len(values)
    return bool(len(np.unique(values)) < len(values) and not dense and len(np.unique(digits)) > 1)


def _no_weight(table: Table, name: str, role: Role) -> list[str]:
    """Why a column cannot be the weight its name says it is."""
    if role != "weight":
        return []
    bad = ~(table.numbers(name) > 0) if table.is_number(name) else np.ones(len(table), dtype=bool)
    return (
        [f"{bad.sum():,} of its cells are no positive number, so that it is no weight"] if bad.any() else []
    )


def _coarser(table: Table, name: str) -> list[str]:
    """How a date or a postcode is made to tell less."""
    make = f"`shoal hierarchy make FILE --column {name}"
    if _is_date(table, name):
        return [f"month or year tell less (of a birth: the age), {make} --dates month,year -o {name}.csv`"]
    if re.fullmatch(POSTCODES, plain_name(name)):
        return [f"the first characters tell less, {make} --prefix 3,1 -o {name}.csv`"]
    return []


def _notes(table: Table, name: str, distinct: int, kind: Kind | None, alike: int) -> list[str]:
    share, found = distinct / max(len(table), 1), []
    if len(table) >= LEAST_RECORDS and share > NEAR_UNIQUE:
        found.append(f"near-unique: {100 * share:.1f} % different values")
    if kind is not None:
        centre = "averaged" if table.attribute(name).kind == "numeric" else "ranked"
        found.append(f"its name says that the numbers are codes: --nominal {name}, or they are {centre}")
    elif is_few_whole_numbers(table, name):
        found.append(
            "few whole numbers, taken as ranks: --nominal if they are names, --numeric if they are amounts"
        )
    if alike:
        found.append(f"{alike} categories look like another (spaces, composed letters), but are different")
    return found
