"""A made-up file of hospital stays."""

from __future__ import annotations

import datetime

import numpy as np
import polars as pl

from shoal._check import check_count
from shoal.table import Table, as_table
from shoal.types import RandomState, Role

# ICD-10 code: how common it is, at which age most (mean and spread of years), share of women, nights (mean).
_DIAGNOSES = {
    "I21.4": (9, 68, 11, 0.35, 6),
    "I50.0": (10, 77, 9, 0.50, 8),
    "I63.9": (7, 74, 11, 0.47, 10),
    "E11.9": (8, 63, 13, 0.44, 4),
    "E66.0": (3, 45, 12, 0.66, 3),
    "J18.9": (9, 64, 22, 0.45, 7),
    "J44.1": (7, 69, 10, 0.44, 7),
    "C34.9": (4, 67, 9, 0.40, 8),
    "C50.9": (5, 61, 12, 0.99, 5),
    "C61": (3, 69, 8, 0.00, 6),
    "F10.2": (5, 46, 12, 0.25, 9),
    "F32.2": (5, 43, 15, 0.63, 18),
    "B20": (1, 42, 10, 0.25, 9),
    "O80": (12, 31, 5, 1.00, 3),
    "S72.0": (7, 80, 10, 0.70, 11),
    "K35.8": (5, 32, 17, 0.47, 4),
}
_TOWNS = tuple(f"0{first}{rest}" for first in (1, 4, 9) for rest in ("067", "103", "219", "356"))
_NIGHT = 640.0  # cost of a night, in no currency
_ROLES: dict[Role, list[str]] = {
    "identifier": ["patient"],
    "quasi": ["sex", "age", "postcode", "admitted"],
    "confidential": ["diagnosis", "cost"],
}


def make_patients(n: int, *, rng: RandomState = None) -> Table:
    """A realistic file of n made-up hospital stays, one per patient: nobody in it exists.

    Parameters
    ----------
    n
        Number of stays.
    rng
        Seed or generator; the same one gives the same file.

    Returns
    -------
    Table
        Identifier `patient`; quasi-identifiers `sex`, `age`, `postcode` (text with a leading zero),
        `admitted` (a date); confidential `diagnosis` (ICD-10) and `cost`; and `nights`.

    Notes
    -----
    Time and memory O(n). Age, sex and nights depend on the diagnosis, as in a real ward; 2 % of the postcodes
    are missing.

    Examples
    --------
    >>> make_patients(100, rng=1).names(role="confidential")
    ['diagnosis', 'cost']
    """
    n = check_count("n", n)
    rng = np.random.default_rng(rng)
    common, age_mean, age_spread, women, stay = np.array(list(_DIAGNOSES.values()), dtype=np.float64).T
    illness = rng.choice(len(common), n, p=common / common.sum())
    age = np.clip(np.round(rng.normal(age_mean[illness], age_spread[illness])), 16, 99).astype(np.int64)
    nights = 1 + rng.poisson(stay[illness] - 1)
    town = rng.choice(len(_TOWNS), n, p=_shares(len(_TOWNS)))
    days = rng.integers(0, 365, n)
    first = datetime.date(2025, 1, 1)
    return as_table(
        pl.DataFrame(
            {
                "patient": pl.Series(100_000 + rng.permutation(n)),
                "sex": pl.Series(np.where(rng.random(n) < women[illness], "female", "male")),
                "age": pl.Series(age),
                "postcode": pl.Series(
                    [_TOWNS[i] if told else None for i, told in zip(town, rng.random(n) > 0.02, strict=True)]
                ),
                "admitted": pl.Series([first + datetime.timedelta(days=int(day)) for day in days]),
                "diagnosis": pl.Series([list(_DIAGNOSES)[i] for i in illness]),
                "nights": pl.Series(nights),
                "cost": pl.Series(np.round(_NIGHT * nights * np.exp(rng.normal(0, 0.3, n)), -1)),
            }
        ),
        roles=_ROLES,
    )


def _shares(count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Towns by size: each four fifths of the one before."""
    sizes = 0.8 ** np.arange(count)
    shares: np.ndarray[tuple[int], np.dtype[np.float64]] = sizes / sizes.sum()
    return shares
