"""Triangles and communities of a network in compressed rows: starts, and ends in ascending order."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Rows
from shoal._kernels.jit import jit


@jit
def count_triangles(starts: Rows, ends: Rows) -> Rows:
    """Triangles of every user; each edge is listed once, from its end of fewer connections."""
    counts = np.zeros(len(starts) - 1, np.int64)
    for a in range(len(starts) - 1):
        for place in range(starts[a], starts[a + 1]):
            b = ends[place]
            i, j = starts[a], starts[b]
            while i < starts[a + 1] and j < starts[b + 1]:
                if ends[i] == ends[j]:
                    counts[a] += 1
                    counts[b] += 1
                    counts[ends[i]] += 1
                    i += 1
                    j += 1
                elif ends[i] < ends[j]:
                    i += 1
                else:
                    j += 1
    return counts


@jit
def spread_labels(starts: Rows, ends: Rows, order: Rows, sweeps: int) -> Rows:
    """Everybody takes the label most of their friends have, in turn, until hardly anybody changes."""
    n = len(starts) - 1
    labels = np.arange(n)
    counts = np.zeros(n, np.int64)
    for _ in range(sweeps):
        changed = 0
        for a in order:
            best, most = labels[a], 0
            for place in range(starts[a], starts[a + 1]):
                counts[labels[ends[place]]] += 1
            for place in range(starts[a], starts[a + 1]):
                label = labels[ends[place]]
                if counts[label] > most or (counts[label] == most and label == labels[a]):
                    best, most = label, counts[label]
            for place in range(starts[a], starts[a + 1]):
                counts[labels[ends[place]]] = 0
            if best != labels[a]:
                labels[a] = best
                changed += 1
        if changed * 1000 < n:
            break
    return labels
