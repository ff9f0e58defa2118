"""Two small files printed in papers, for examples and for checking a method by hand."""

from __future__ import annotations

import polars as pl

from shoal.table import Table, as_table

_SME = (
    ("A&A Ltd", 790, 55, 3212334, 313250),
    ("B&B SpA", 710, 44, 2283340, 299876),
    ("C&C Inc", 730, 32, 1989233, 200213),
    ("D&D BV", 810, 17, 984983, 143211),
    ("E&E SL", 950, 3, 194232, 51233),
    ("F&F GmbH", 510, 25, 119332, 20333),
    ("G&G AG", 400, 45, 3012444, 501233),
    ("H&H SA", 330, 50, 4233312, 777882),
    ("I&I LLC", 510, 5, 159999, 60388),
    ("J&J Co", 760, 52, 5333442, 1001233),
    ("K&K Sarl", 50, 12, 645223, 333010),
)

_POINTS = (  # Table 5.1 of the thesis, see `load_points`
    *((2, 7), (3, 6), (1, 1), (1, 4), (2, 12), (4, 14), (5, 8), (6, 2), (7, 4), (3, 3)),
    *((5, 9), (6, 9), (1, 3), (3, 13), (6, 4), (4, 6), (3, 7), (2, 9), (4, 10)),
)


def load_sme() -> Table:
    """Eleven made-up small companies: surface, employees, turnover and net profit.

    Returns
    -------
    Table
        11 records; `company` is the identifier, the four numbers are quasi-identifiers.

    Notes
    -----
    No missing values. Z-scores with standard deviation n: MDAV with k = 3 leaves a sum of squares of
    18.292; the least possible is 14.827.

    References
    ----------
    Solanas: Privacy protection with genetic algorithms, Success in Evolutionary Computation, Springer
    (2008), Table 1. Where our scan is doubtful (the net profit of H&H, the surface of K&K) the values are
    those that give the published sums of squares.

    Examples
    --------
    >>> load_sme()
    Table of 11 records and 5 columns
      company: nominal, identifier
      surface: numeric, quasi
      employees: numeric, quasi
      turnover: numeric, quasi
      net_profit: numeric, quasi
    """
    numbers = ["surface", "employees", "turnover", "net_profit"]
    frame = pl.DataFrame(_SME, schema=["company", *numbers], orient="row")
    return as_table(frame, roles={"identifier": "company", "quasi": numbers})


def load_points() -> Table:
    """Nineteen points in the plane, the test file of a thesis on microaggregation.

    Returns
    -------
    Table
        19 records; `Var1` and `Var2` are quasi-identifiers.

    Notes
    -----
    No missing values; small whole numbers, so equal distances are common. Z-scores with standard deviation
    n-1: MDAV with k = 4 leaves a sum of squares of 8.2036.

    References
    ----------
    Alarte Aleixandre: Application of clustering techniques to privacy protection, master thesis,
    Universitat Oberta de Catalunya (2018), Table 5.1.

    Examples
    --------
    >>> load_points().frame.shape
    (19, 2)
    """
    frame = pl.DataFrame(_POINTS, schema=["Var1", "Var2"], orient="row")
    return as_table(frame, roles={"quasi": ["Var1", "Var2"]})
