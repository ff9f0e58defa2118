"""Two-step partitioning: a fast heuristic for the whole file, a thorough search inside macro-groups of it."""

from __future__ import annotations

import numpy as np

from shoal._check import check_matrix
from shoal._shared.options import with_known_options
from shoal._shared.workers import as_map, pooled
from shoal.errors import InvalidInput
from shoal.partition._shared.prepare import prepare
from shoal.partition.genetic import genetic
from shoal.partition.labels import means, members, relabel, sizes, sse
from shoal.partition.mdav import mdav
from shoal.types import Callback, Labels, Matrix, Partitioner, Progress, RandomState, Workers


@pooled
def two_step(
    X: Matrix,
    k: int,
    *,
    coarse: Partitioner = mdav,
    fine: Partitioner = genetic,
    macro: int | None = None,
    rng: RandomState = None,
    workers: Workers = map,
    callback: Callback | None = None,
) -> Labels:
    """Group the file with a fast heuristic, then improve it inside macro-groups of neighbouring groups.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    coarse
        The heuristic that groups the records and then, into macro-groups, the means of these groups.
    fine
        The partitioner run inside every macro-group; it is given `initial`, the groups found so far, and
        `rng` if it has such options.
    macro
        Records in a macro-group (K in the paper), a multiple of k of at least 2k. If not given, the multiple
        nearest to 18 (at least 3k), where the genetic algorithm does best.
    rng
        Seed or generator; the same one gives the same groups, whatever the workers.
    workers
        A number of new processes, or any map-like callable; macro-groups are independent.
    callback
        Called with `Progress` after every macro-group, `value` being the loss in percent; returning True
        stops and leaves the other macro-groups as the heuristic made them.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have at least k records, and at most
        2k-1 if those of `coarse` and `fine` have.

    Notes
    -----
    The sum of squares is never larger than that of `coarse` alone (Lemma 1 of the paper), whatever `fine`
    does: a macro-group keeps its first groups unless better ones are found. Time: twice that of `coarse`
    plus, with the defaults, about a second per hundred records; linear in n but for `coarse`.

    References
    ----------
    Solanas: Privacy protection with genetic algorithms, Success in Evolutionary Computation, Springer
    (2008), section 4.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2], [9.0], [9.1], [9.2], [9.3]]
    >>> two_step(X, 3, rng=1)
    array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2])
    """
    mapped = as_map(workers)
    rng = np.random.default_rng(rng)
    unscaled = check_matrix(X)
    X, k = prepare(X, k)
    macro = _check_macro(macro, k)
    first = relabel(coarse(unscaled, k))
    parts = _macro_groups(X, first, macro // k, coarse)
    tasks = [
        (fine, X[rows], k, relabel(first[rows]), part_rng)
        for rows, part_rng in zip(parts, rng.spawn(len(parts)), strict=True)
    ]
    labels, total = first.copy(), float(((X - X.mean(axis=0)) ** 2).sum())
    found = int(first.max()) + 1
    for done, (rows, inside) in enumerate(zip(parts, mapped(_improve, tasks), strict=False), start=1):
        labels[rows] = inside + found  # new names, apart from all names in use
        found += int(inside.max()) + 1
        message = f"macro-group {done} of {len(parts)}"
        if callback is not None:
            best = relabel(labels)
            loss = 100 * sse(X, best) / total if total else 0.0
            if callback(Progress(done / len(parts), message, best, loss)):
                break
    labels = relabel(labels)
    return labels if sse(X, labels) <= sse(X, first) else first


def _macro_groups(X: Matrix, labels: Labels, count: int, coarse: Partitioner) -> list[Labels]:
    """Rows of every macro-group: about `count` neighbouring groups."""
    centres = means(X, labels)
    if len(centres) <= count:
        return [np.arange(len(X))]
    return members(relabel(coarse(centres, count))[labels])


def _improve(task: tuple[Partitioner, Matrix, int, Labels, np.random.Generator]) -> Labels:
    """The better of the groups found so far in a macro-group and those that `fine` finds."""
    fine, X, k, initial, rng = task
    found = relabel(with_known_options(fine, initial=initial, rng=rng)(X, k))
    better = sizes(found).min() >= k and sse(X, found) < sse(X, initial)
    return found if better else initial


def _check_macro(macro: int | None, k: int) -> int:
    if macro is None:
        return k * max(3, round(18 / k))
    if macro < 2 * k or macro % k:
        raise InvalidInput(f"`macro` must be a multiple of k = {k} of at least {2 * k}, got {macro!r}.")
    return int(macro)
