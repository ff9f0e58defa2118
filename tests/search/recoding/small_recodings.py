"""Random small files with random hierarchies, and the slow obvious way to recode them."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np

from shoal import as_table
from shoal.hierarchy import hierarchy_from_rows
from shoal.hierarchy.tree import as_text


def random_hierarchy(rng, values):
    """Levels of random merging; the labels of a level carry its number, so that they are unique."""
    height = int(rng.integers(1, 4))
    paths, group = [[value] for value in values], list(range(len(values)))
    for level in range(1, height):
        merged = {g: int(rng.integers(max(len(set(group)) // 2, 1))) for g in sorted(set(group))}
        group = [merged[g] for g in group]
        for path, g in zip(paths, group, strict=True):
            path.append(f"L{level}.{g}")
    return hierarchy_from_rows([[*path, "*"] for path in paths])


def random_file(seed):
    """A table of text and numbers with ties, gaps and constants, its hierarchies, k and an allowed share."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 30)), int(rng.integers(1, 4))
    columns, hierarchies = {}, {}
    for c in range(d):
        values = list(range(10**9, 10**9 + 5)) if c == 1 else [f"v{i}" for i in range(rng.integers(1, 5))]
        cells = [values[i] for i in rng.integers(len(values), size=n)]
        if rng.random() < 0.3:
            cells = [None if rng.random() < 0.2 else cell for cell in cells]
        if all(cell is None for cell in cells):
            cells[0] = values[0]
        columns[f"c{c}"] = cells
        hierarchies[f"c{c}"] = random_hierarchy(rng, [as_text(value) for value in values])
    table = as_table(columns, roles={"quasi": list(columns)})
    return table, hierarchies, int(rng.integers(2, min(n, 5) + 1)), float(rng.choice([0.0, 0.2, 0.5, 1.0]))


def label_at(hierarchy, cell, level):
    if level == hierarchy.height:
        return hierarchy.paths[0][-1]
    if cell is None:
        return None
    return next(path for path in hierarchy.paths if path[0] == as_text(cell))[level]


def penalty(hierarchy, cell, level, numeric):
    """The NCP of a cell at a level, counted on the paths."""
    if cell is None:
        return 0.0
    label = label_at(hierarchy, cell, level)
    below = [path[0] for path in hierarchy.paths if path[level] == label]
    leaves = [path[0] for path in hierarchy.paths]
    if numeric:
        span = max(map(float, leaves)) - min(map(float, leaves)) or 1.0
        return (max(map(float, below)) - min(map(float, below))) / span
    return (len(below) - 1) / max(len(leaves) - 1, 1)


def brute_force(table, hierarchies, k, share):
    """The least gcp over all nodes; the suppressed records are a class too, filled up cheaply."""
    names, n = table.names(), len(table)
    cells = {
        name: [None if v is None or v != v else v for v in table.column(name).tolist()] for name in names
    }
    numeric = {name: table.attribute(name).kind == "numeric" for name in names}
    allowed = int(np.floor(share * n + 1e-9))
    best = np.inf
    seen = {name: max(sum(cell is not None for cell in cells[name]), 1) for name in names}
    for node in product(*(range(hierarchies[name].height + 1) for name in names)):
        levels = dict(zip(names, node, strict=True))
        rows = [tuple(label_at(hierarchies[m], cells[m][i], levels[m]) for m in names) for i in range(n)]
        sizes = Counter(rows)
        gone = [i for i in range(n) if sizes[rows[i]] < k]
        lost = [
            [penalty(hierarchies[m], cells[m][i], levels[m], numeric[m]) / seen[m] for m in names]
            for i in range(n)
        ]
        full = [[float(cells[m][i] is not None) / seen[m] for m in names] for i in range(n)]
        if 0 < len(gone) < k:
            spare = {row: size - k for row, size in sizes.items()}
            for i in sorted(range(n), key=lambda i: sum(full[i]) - sum(lost[i])):
                if len(gone) < k and spare[rows[i]] > 0:
                    spare[rows[i]] -= 1
                    gone.append(i)
            if len(gone) < k:
                continue
        if len(gone) > allowed:
            continue
        value = sum(sum(full[i] if i in gone else lost[i]) for i in range(n)) / len(names)
        best = min(best, value)
    return best
