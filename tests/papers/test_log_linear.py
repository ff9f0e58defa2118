"""sdcMicro's log-linear figures for testdata2, from our Poisson chances on its terms.

Its modRisk takes codes as numbers, the sample's means for the population's, and divides by the number of
cells that are not empty; its published example prints 0.2444 and 0.3840. Our own figures take codes as
categories and means of the population, as the papers do, so they differ; the chances are the same formulas.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from papers.sdcmicro_files import sdcmicro_file
from shoal.measures import log_linear_risk
from shoal.measures.risk.population.log_linear import chance_match, chance_unique

KEYS = ["sex", "water", "roof"]


def poisson_means(X, counts):
    """Means of a Poisson regression with logarithmic link, by Newton's method."""
    X = np.column_stack([np.ones(len(X)), X])
    slopes = np.zeros(X.shape[1])
    slopes[0] = np.log(counts.mean())
    for _ in range(50):
        means = np.exp(X @ slopes)
        slopes += np.linalg.solve(X.T @ (means[:, None] * X), X.T @ (counts - means))
    return np.exp(X @ slopes)


def test_the_example_of_modrisk():
    table = sdcmicro_file("testdata2", KEYS, weight="sampling_weight")
    codes = np.column_stack([table.column(key).astype(float) for key in KEYS])
    cells = np.array(list(product(*(np.unique(column) for column in codes.T))))
    counts = np.array([(codes == cell).all(axis=1).sum() for cell in cells])
    alone, filled = counts == 1, (counts > 0).sum()
    unseen = (1 - 0.01) * poisson_means(cells, counts)[alone]
    assert chance_unique(unseen).sum() / filled == pytest.approx(0.2444, abs=5e-5)
    assert chance_match(unseen).sum() / filled == pytest.approx(0.3840, abs=5e-5)


def test_population_means_make_the_same_file_safe():
    """29 records are alone; a hundred times as many people live there, so hardly one is alone there."""
    risk = log_linear_risk(sdcmicro_file("testdata2", KEYS, weight="sampling_weight"))
    assert risk.uniques < 0.001
    assert risk.matches == pytest.approx(0.46, abs=0.005)
