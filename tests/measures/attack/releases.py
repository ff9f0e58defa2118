"""Files of persons, and scenes with them, for the tests of the intruders."""

from __future__ import annotations

import numpy as np

from shoal import as_table
from shoal.measures.attack import Scene

ROLES = {"quasi": ["a", "b", "c"], "confidential": ["ill"]}


def persons(n=400, seed=0, spread=40):
    """Persons with three numbers and an illness that has nothing to do with them."""
    rng = np.random.default_rng(seed)
    columns = {name: rng.normal(50, spread, n).round() for name in "abc"}
    columns["ill"] = rng.choice(["flu", "cold", "none", "leg"], n, p=[0.3, 0.3, 0.2, 0.2]).tolist()
    return as_table(columns, roles=ROLES)


def coded(n=600, seed=0, values=4):
    """Persons with three categories and an illness that has nothing to do with them."""
    rng = np.random.default_rng(seed)
    columns = {name: rng.choice(list("stuvwxyz")[:values], n).tolist() for name in "abc"}
    columns["ill"] = rng.choice(["flu", "cold", "none", "leg"], n).tolist()
    return as_table(columns, roles=ROLES)


def scene(original, masked, seed=1, **more):
    confidential = tuple(n for n in ("ill",) if n in original.names())
    return Scene(original, masked, ("a", "b", "c"), confidential, rng=np.random.default_rng(seed), **more)
