"""Exchange ends of random pairs of connections, none twice and none of a user with themselves."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Rows
from shoal._kernels.jit import jit

TRIES = 20  # pairs looked at per switch, before the rest is given up


@jit
def switched(edges: Rows, wanted: int, directed: bool, rng: np.random.Generator, n: int) -> Rows:
    """Connections after so many switches of two that have not moved yet; the rows are in random order."""
    known = set()
    for i in range(len(edges)):
        a, b = edges[i, 0], edges[i, 1]
        known.add(a * n + b if directed else min(a, b) * n + max(a, b))
    result = edges.copy()
    free = len(edges)  # rows below it have not moved
    done = 0
    for _ in range(TRIES * wanted):
        if done == wanted or free < 2:
            break
        i, j = int(rng.random() * free), int(rng.random() * free)
        a, b, c, d = result[i, 0], result[i, 1], result[j, 0], result[j, 1]
        if not directed and rng.random() < 0.5:
            c, d = d, c
        if a in (c, d) or b in (c, d):
            continue
        one = a * n + d if directed else min(a, d) * n + max(a, d)
        other = c * n + b if directed else min(c, b) * n + max(c, b)
        if one in known or other in known:
            continue
        known.discard(a * n + b if directed else min(a, b) * n + max(a, b))
        known.discard(c * n + d if directed else min(c, d) * n + max(c, d))
        known.add(one)
        known.add(other)
        result[i, 0], result[i, 1], result[j, 0], result[j, 1] = a, d, c, b
        for row in (max(i, j), min(i, j)):  # moved rows go to the end
            free -= 1
            x, y = result[row, 0], result[row, 1]
            result[row, 0], result[row, 1] = result[free, 0], result[free, 1]
            result[free, 0], result[free, 1] = x, y
        done += 1
    return result
