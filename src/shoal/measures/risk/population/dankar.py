"""Dankar's rule: which population model to believe for this sampling fraction."""

from __future__ import annotations

from collections.abc import Iterable

from shoal._door import takes_frames
from shoal.errors import NotApplicable
from shoal.measures.risk.population.pitman import estimate_pitman
from shoal.measures.risk.population.sample_classes import SampleClasses, sample_classes
from shoal.measures.risk.population.snb import estimate_snb
from shoal.measures.risk.population.zayatz import estimate_zayatz
from shoal.table import Table

SMALL_FRACTION = 0.1  # sampling fraction up to which Pitman's model was the most exact in Dankar's trials


@takes_frames
def dankar_uniques(
    table: Table, *, fraction: float | None = None, columns: Iterable[str] | None = None
) -> float:
    """The expected number of records of a sample that are alone in the population, by Dankar's rule.

    Parameters
    ----------
    table, fraction, columns
        As in `pitman_uniques`.

    Returns
    -------
    float
        From 0 to the number of records that are alone in the sample.

    Notes
    -----
    Up to a tenth of the population Pitman's model; above it the smaller of Zayatz's and the slide negative
    binomial; Zayatz's where the others do not fit. Time O(n log n).

    References
    ----------
    Dankar, El Emam, Neisa, Roffey: Estimating the re-identification risk of clinical data sets, BMC Medical
    Informatics and Decision Making 12 (2012).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [30] * 6 + [31, 31, 40, 50]}, roles={"quasi": "age"})
    >>> round(dankar_uniques(table, fraction=0.1), 2)
    0.19
    """
    return estimate_dankar(sample_classes(table, fraction, columns))[0]


def estimate_dankar(sample: SampleClasses) -> tuple[float, str]:
    """The estimate, and the name of the model it comes from."""
    try:
        if sample.fraction <= SMALL_FRACTION:
            return estimate_pitman(sample), "pitman"
        return min((estimate_snb(sample), "snb"), (estimate_zayatz(sample), "zayatz"))
    except NotApplicable:
        return estimate_zayatz(sample), "zayatz"
