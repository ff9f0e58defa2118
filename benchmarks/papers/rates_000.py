"""Solanas 2008, Tables 4 and 5: which rates of mutation and crossover are best on random files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache

import numpy as np
from paper import Cell
from two_step_000 import z_scores

from shoal.partition import genetic, sse
from shoal.types import Matrix

SIZES = (20, 35)
MUTATION, CROSSOVER = np.arange(11) / 10, np.arange(6) / 5
SIZE = 60  # chromosomes
GENERATIONS = 10_000


def random_file(n: int, d: int, seed: int) -> Matrix:
    """Attribute values "drawn from the [-10000, 10000] interval by simple random sampling"."""
    return z_scores(np.random.default_rng([n, d, seed]).uniform(-10_000, 10_000, size=(n, d)))


@cache
def losses(n: int) -> tuple[Matrix, float]:
    """Sums of squares by mutation rate (rows) and crossover rate, one run each, and the seconds."""
    X, start = random_file(n, 2, 0), time.process_time()
    found = [
        [
            sse(
                X,
                genetic(
                    X, 3, population=SIZE, mutation_rate=m, crossover_rate=c, generations=GENERATIONS,
                    patience=None, rng=[n, row, column],
                ),
            )
            for column, c in enumerate(CROSSOVER)
        ]
        for row, m in enumerate(MUTATION)
    ]  # fmt: skip
    return np.array(found), time.process_time() - start


def rates() -> Iterator[Cell]:
    for n in SIZES:
        found, seconds = losses(n)
        means = found.mean(axis=1)
        yield Cell(f"{n} x 2, best mutation rate", float(MUTATION[means.argmin()]), seconds)
        for rate, mean, least in zip(MUTATION, means, found.min(axis=1), strict=True):
            if rate in (0, 0.1, 0.2, 0.5, 1):
                title = f"{n} x 2, mutation rate {rate:g}: mean sum of squares"
                yield Cell(title, float(mean), why=f"the least {least:.2f}")
        title = f"{n} x 2, mutation rate 0.1: most of six crossover rates"
        best, worst = (CROSSOVER[at] for at in (found[1].argmin(), found[1].argmax()))
        why = (
            "any rate"
            if np.ptp(found[1]) < 1e-9
            else f"at rate {worst:g}; the least {found[1].min():.2f} at {best:g}"
        )
        yield Cell(title, float(found[1].max()), why=why)
