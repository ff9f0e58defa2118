"""Samples from populations whose uniques are known, for the tests of the population models."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from shoal.measures.risk.population.sample_classes import SampleClasses


def drawn(shape: float, fraction: float, seed: int) -> tuple[SampleClasses, int]:
    """A sample of 60,000 people in classes of Zipf's sizes, and how many of it are population uniques."""
    rng = np.random.default_rng(seed)
    people = rng.zipf(shape, 60_000) % 200_000
    seen = people[rng.choice(len(people), int(len(people) * fraction), replace=False)]
    of_all, of_seen = (np.bincount(p, minlength=200_000) for p in (people, seen))
    sizes, counts = np.unique(of_seen[of_seen > 0], return_counts=True)
    return SampleClasses(sizes, counts, fraction), int(((of_all == 1) & (of_seen == 1)).sum())


@st.composite
def samples(draw):
    sizes = sorted(draw(st.sets(st.integers(1, 30), min_size=1, max_size=8)) | {1})
    counts = [draw(st.integers(1, 40)) for _ in sizes]
    return SampleClasses(np.array(sizes), np.array(counts), draw(st.sampled_from([0.01, 0.1, 0.25, 0.5])))
