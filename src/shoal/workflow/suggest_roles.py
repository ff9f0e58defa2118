"""Roles that names and values suggest, with the reason; never taken without being asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.models.row_classes import refine
from shoal.table import Table
from shoal.types import Role

ENOUGH = 20  # records; of fewer no share says anything
NEAR_UNIQUE = 0.5  # share of records with a value of their own kind
MOST_DETERMINING = 0.2  # a column with more different values than this share determines others by chance
FEW = 20  # different whole numbers in 100 records or more are rather codes than amounts
CODES_FROM = 100

# What laws and offices call them, the identifiers of HIPAA among them, in English and its neighbours.
NAMES: tuple[tuple[Role, str, str], ...] = (
    ("weight", r"(\w+_)?weights?|wgt|gewicht|peso|hwgt|pwgt", "how many people a record stands for"),
    (
        "household",
        r"house_?hold(_?(id|nr|no))?|hh_?id|hid|ori_hid|famil(y|ia)_?id|haushalt",
        "who lives together",
    ),
    (
        "identifier",
        r"(first|last|sur|full|user|family|nick)?_?name|nachname|vorname|nom(bre)?|e_?mail|(tele)?phone|fax|mobile"
        r"|ssn|social_security.*|nhs(_?nr)?|dni|nif|passport|iban|account(_?(no|nr|number))?|licen[cs]e.*|plate"
        r"|mrn|medical_record.*|health_plan.*|serial.*|device.*|vin|url|ip(_?address)?|address|street|adresse"
        r"|person(_?(id|nr))?|patient(_?(id|nr))?|id|uuid|.*_(id|nr|no|uuid)|lfd_?nr|record",
        "names a record",
    ),
    (
        "confidential",
        r"income.*|salar.*|wage.*|pay|earning.*|tax.*|debt.*|saving.*|asset.*|wealth|benefit.*|diagnos.*|disease"
        r"|ill(ness)?|icd.*|drug.*|health(?!_plan).*|religion|party|vote.*|crime.*|convict.*|hiv.*|test_result",
        "what people do not want known",
    ),
    (
        "quasi",
        r"age.*|(date_of_)?birth.*|dob|born|sex|gender|zip.*|post_?code|plz|city|town|village|munic.*|region|state"
        r"|county|country|province|nation.*|race|ethnic.*|marital.*|education.*|degree|school.*|occupation|job|work"
        r"|profession|employ.*|activity|household_?size|children|relationship|language|native.*|height|admission.*"
        r"|discharge.*|death.*|settlement|tenure",
        "known to neighbours, colleagues or registers",
    ),
    ("stratum", r"strat(um|a)", "what the sample was drawn by"),
)


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
    there (education-num and education): masking one alone does not hide it. Time O(d^2 n).

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
    coded = {name: categorise(table, name)[0] for name in table.names()}
    counts = {name: int(codes.max(initial=-1)) + 1 for name, codes in coded.items()}
    candidates = [name for name, count in counts.items() if 2 <= count <= MOST_DETERMINING * len(table)]
    found = []
    for name, codes in coded.items():
        role, reason = _role(table, name, counts[name])
        determined = [
            other
            for other in (candidates if name in candidates else ())
            if other != name and int(refine(codes, coded[other]).max(initial=-1)) + 1 == len(np.unique(codes))
        ]
        missing = int((codes < 0).sum())
        notes = tuple(_notes(table, name, counts[name]))
        found.append(Suggestion(name, role, reason, counts[name], missing, tuple(determined), notes))
    return tuple(found)


def look_alike_texts(values: list[str]) -> int:
    """How many of the texts differ from another one only by spaces, capitals of the code or composed letters.

    >>> look_alike_texts(["a", "a ", "b", "é", "e\\u0301"])
    4
    """
    import unicodedata

    plain: dict[str, int] = {}
    folded = [" ".join(unicodedata.normalize("NFKC", value).split()) for value in values]
    for text in folded:
        plain[text] = plain.get(text, 0) + 1
    return sum(plain[text] > 1 for text in folded)


def _role(table: Table, name: str, distinct: int) -> tuple[Role, str]:
    word = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    share = distinct / max(len(table), 1)
    for role, pattern, reason in NAMES:
        if re.fullmatch(pattern, word) and not (
            role == "household" and share > 0.99 and len(table) >= ENOUGH
        ):
            return role, f"its name: {reason}"
    if len(table) >= ENOUGH and share > 0.95 and not _is_amount(table, name):
        return "identifier", f"its values: {100 * share:.1f} % of the records have one of their own"
    return "other", "neither name nor values say more"


def _is_amount(table: Table, name: str) -> bool:
    return table.attribute(name).kind == "numeric" and not table.is_integer(name)


def _notes(table: Table, name: str, distinct: int) -> list[str]:
    share, found = distinct / max(len(table), 1), []
    if len(table) >= ENOUGH and share > NEAR_UNIQUE:
        found.append(f"near-unique: {100 * share:.1f} % different values")
    kind = table.attribute(name).kind
    if kind == "numeric" and table.is_integer(name) and distinct <= FEW and len(table) >= CODES_FROM:
        found.append("few whole numbers: if they are codes or ranks, declare --ordinal or --nominal")
    values = [value for value in categorise(table, name)[1] if isinstance(value, str)]
    alike = look_alike_texts(values)
    if alike:
        found.append(f"{alike} categories look like another (spaces, composed letters), but are different")
    return found
