"""Slow, obvious versions of the measures: lists, loops and the formula of the docs page; None is missing."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, product

import narwhals as nw
import numpy as np
from scipy import optimize, stats


def cells(table, name) -> list:
    """A column as a list, None where missing."""
    return [None if v is None or v != v else v for v in table.column(name).tolist()]


def categorise(table, name) -> tuple[list[int], tuple]:
    """A code per record and the categories: given, then the others sorted; -1 is missing."""
    values = [None if v is None or v != v else v for v in nw.from_native(table.frame)[name].to_list()]
    order = list(table.attribute(name).order)
    order += sorted({v for v in values if v is not None} - set(order))
    return [-1 if v is None else order.index(v) for v in values], tuple(order)


def columns_of(table, *kinds) -> list[str]:
    return [a.name for a in table.attributes if a.kind in kinds and a.role == "quasi"]


def mean(values) -> float:
    return math.fsum(values) / len(values)


# numeric columns -----------------------------------------------------------------------------------------


def standardised(original, masked) -> list[tuple[list, list, bool, float]]:
    """For every numeric column with values: x, y in deviations, whether constant, mean in deviations."""
    found = []
    for name in columns_of(original, "numeric"):
        x, y = cells(original, name), cells(masked, name)
        seen = [v for v in x if v is not None]
        if not seen:
            continue
        if len(set(seen)) == 1:
            changed = [None if b is None else float(b != seen[0]) for b in y]
            found.append(([None if a is None else 0.0 for a in x], changed, True, 0.0))
            continue
        m = mean(seen)
        sd = math.sqrt(math.fsum((v - m) ** 2 for v in seen) / (len(seen) - 1))
        scaled = [[None if v is None else (v - m) / sd for v in column] for column in (x, y)]
        found.append((scaled[0], scaled[1], False, m / sd))
    return found


def differences(x, y) -> list[float]:
    return [(0.0 if b is None else b) - a for a, b in zip(x, y, strict=True) if a is not None]


def sse_loss(original, masked) -> float:
    found = standardised(original, masked)
    lost = math.fsum(d**2 for x, y, _, _ in found for d in differences(x, y))
    return 100 * lost / math.fsum(a**2 for x, _, _, _ in found for a in x if a is not None)


def il1s(original, masked) -> float:
    return 100 * mean(
        [abs(d) / math.sqrt(2) for x, y, _, _ in standardised(original, masked) for d in differences(x, y)]
    )


def il2(original, masked) -> float:
    losses = []
    for x, y, _, m in standardised(original, masked):
        after = [b for b in y if b is not None]
        change = abs(mean(after) - mean([a for a in x if a is not None])) if after else None
        losses.append(1.0 if change is None else change / (abs(m) if abs(m) > 1e-9 else 1.0))
    return 100 * mean(losses)


def covariance(a, b) -> float | None:
    pairs = [(u, v) for u, v in zip(a, b, strict=True) if u is not None and v is not None]
    if len(pairs) < 2:
        return None
    ma, mb = mean([u for u, _ in pairs]), mean([v for _, v in pairs])
    return math.fsum((u - ma) * (v - mb) for u, v in pairs) / (len(pairs) - 1)


def correlation(a, b) -> float:
    pairs = [(u, v) for u, v in zip(a, b, strict=True) if u is not None and v is not None]
    if len({u for u, _ in pairs}) < 2 or len({v for _, v in pairs}) < 2:
        return 0.0
    a, b = [u for u, _ in pairs], [v for _, v in pairs]
    return covariance(a, b) / math.sqrt(covariance(a, a) * covariance(b, b))


def relative(before, after) -> float:
    if after is None:
        return 1.0
    return abs(before - after) / (abs(before) if abs(before) > 1e-9 else 1.0)


def il3(original, masked) -> float:
    found = standardised(original, masked)
    losses = []
    for i, j in product(range(len(found)), repeat=2):
        before = covariance(found[i][0], found[j][0])
        if j <= i and before is not None:
            losses.append(relative(before, covariance(found[i][1], found[j][1])))
    return 100 * mean(losses)


def il4(original, masked) -> float:
    found = [(covariance(x, x), covariance(y, y)) for x, y, _, _ in standardised(original, masked)]
    return 100 * mean([relative(before, after) for before, after in found if before is not None])


def il5(original, masked) -> float:
    found = [(x, y) for x, y, constant, _ in standardised(original, masked) if not constant]
    return 100 * mean(
        [abs(correlation(a, b) - correlation(c, d)) for (a, c), (b, d) in combinations(found, 2)]
    )


def probability(change, variance) -> float:
    if change is None:
        return 1.0
    if abs(change) <= 1e-12:
        return 0.0
    return 1.0 if variance <= 1e-24 else 2 * stats.norm.cdf(abs(change) / math.sqrt(variance)) - 1


def centred(x) -> list:
    m = mean([a for a in x if a is not None])
    return [None if a is None else a - m for a in x]


def moment(x, y, i, j) -> float:
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
    return math.fsum(a**i * b**j for a, b in pairs) / max(len(pairs), 1)


def pairs_in(x, y) -> int:
    return max(sum(a is not None and b is not None for a, b in zip(x, y, strict=True)), 1)


def pil_parts(original, masked) -> dict[str, float]:
    found = standardised(original, masked)
    parts: dict[str, list[float]] = {"means": [], "variances": [], "quantiles": []}
    for x, y, _, _ in found:
        c, n, after = centred(x), pairs_in(x, x), [b for b in y if b is not None]
        change = mean(after) - mean([a for a in x if a is not None]) if after else None
        parts["means"].append(probability(change, moment(c, c, 2, 0) / n))
        if covariance(x, x) is not None:
            change = None if covariance(y, y) is None else covariance(y, y) - covariance(x, x)
            parts["variances"].append(probability(change, (moment(c, c, 4, 0) - moment(c, c, 2, 0) ** 2) / n))
        parts["quantiles"] += quantiles([a for a in x if a is not None], after)
    varying = [(x, y) for x, y, constant, _ in found if not constant]
    if len(varying) > 1:
        parts["covariances"], parts["correlations"] = [], []
    for (x, a), (y, b) in combinations(varying, 2):
        c, d, n = centred(x), centred(y), pairs_in(x, y)
        if covariance(x, y) is not None:
            change = None if covariance(a, b) is None else covariance(a, b) - covariance(x, y)
            variance = (moment(c, d, 2, 2) - moment(c, d, 1, 1) ** 2) / n
            parts["covariances"].append(probability(change, variance))
        c, d = ([None if v is None else v / math.sqrt(moment(z, z, 2, 0)) for v in z] for z in (c, d))
        r = correlation(x, y)
        variance = moment(c, d, 2, 2) - r * (moment(c, d, 3, 1) + moment(c, d, 1, 3))
        variance += r**2 / 4 * (moment(c, d, 4, 0) + moment(c, d, 0, 4) + 2 * moment(c, d, 2, 2))
        parts["correlations"].append(probability(correlation(a, b) - r, max(variance, 0) / n))
    return {name: 100 * mean(values) for name, values in parts.items() if values}


def quantiles(x, y) -> list[float]:
    losses = []
    for step in range(1, 20):
        q = step / 20
        if not y:
            losses.append(1.0)
            continue
        value = next(v for v in sorted(y) if sum(u <= v for u in y) >= q * len(y) - 1e-9)
        low, high = sum(v < value for v in x) / len(x), sum(v <= value for v in x) / len(x)
        losses.append(probability(max(low - q, q - high, 0.0), q * (1 - q) / len(x)))
    return losses


def eigen_loss(original, masked) -> float:
    found = standardised(original, masked)
    totals = []
    for side in (0, 1):
        columns = []
        for column in found:
            seen = [v for v in column[side] if v is not None]
            m = mean(seen) if seen else 0.0
            columns.append([0.0 if v is None else v - m for v in column[side]])
        n = len(columns[0])
        matrix = [
            [math.fsum(a * b for a, b in zip(c, d, strict=True)) / max(n - 1, 1) for d in columns]
            for c in columns
        ]
        totals.append(sorted(np.linalg.eigvals(np.array(matrix)).real))
    differing = sum(abs(max(a, 0) - max(b, 0)) for a, b in zip(*totals, strict=True))
    return 100 * differing / (sum(totals[0]) + sum(totals[1]))


def pmse_loss(original, masked) -> float:
    """The same penalised likelihood, maximised by a general optimiser."""
    n = len(original)
    numbers = [(list(x) + list(y)) for x, y, _, _ in standardised(original, masked)]
    features = [[0.0 if v is None else v for v in column] for column in numbers]
    products = [
        [a * b for a, b in zip(c, d, strict=True)] for i, c in enumerate(features) for d in features[i:]
    ]
    features += [[float(v is None) for v in column] for column in numbers] + products
    for name in columns_of(original, "ordinal", "nominal"):
        both = cells(original, name) + cells(masked, name)
        features += [[float(v == category) for v in both] for category in set(both)]
    F = np.array([f for f in features if max(f) - min(f) > 1e-8 * max(1e-3, abs(mean(f)))]).T
    F = (F - F.mean(axis=0)) / F.std(axis=0)
    labels = np.repeat([0.0, 1.0], n)

    def loss(beta):
        logit = beta[0] + F @ beta[1:]
        fit = np.logaddexp(0, logit) - labels * logit
        p = 1 / (1 + np.exp(-logit))
        gradient = np.concatenate([[(p - labels).sum()], F.T @ (p - labels) + 2 * n * 1e-6 * beta[1:]])
        return fit.sum() + n * 1e-6 * (beta[1:] ** 2).sum(), gradient

    best = optimize.minimize(
        loss, np.zeros(F.shape[1] + 1), jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 5000}
    ).x
    p = 1 / (1 + np.exp(-(best[0] + F @ best[1:])))
    return 100 * float(((p - 0.5) ** 2).mean()) / 0.25


def regression_loss(X, Y) -> float:
    """Complete matrices without collinear columns."""
    overlaps = []
    for target in range(X.shape[1]):
        ends = []
        for M in (X, Y):
            F = np.column_stack([np.ones(len(M)), np.delete(M, target, axis=1)])
            beta, (rss,), _, _ = np.linalg.lstsq(F, M[:, target], rcond=None)
            freedom = len(M) - F.shape[1]
            error = np.sqrt(rss / freedom * np.diag(np.linalg.inv(F.T @ F)))
            half = stats.t.ppf(0.975, freedom) * error
            ends.append(list(zip(beta - half, beta + half, strict=True))[1:])
        for (a, b), (c, d) in zip(*ends, strict=True):
            common = min(b, d) - max(a, c)
            overlaps.append(max((common / (b - a) + common / (d - c)) / 2, 0.0))
    return 100 * (1 - mean(overlaps))


# categorical columns -------------------------------------------------------------------------------------


def order_of(table, name) -> list:
    """The categories in order: given, then the others sorted."""
    order = list(table.attribute(name).order)
    return order + sorted({v for v in cells(table, name) if v is not None and v not in order})


def category_distance(original, masked, name, a, b) -> float:
    order = order_of(original, name)
    if a == b:
        return 0.0
    ranked = original.attribute(name).kind == "ordinal" and set(order_of(masked, name)) <= set(order)
    if b is None or not ranked:
        return 1.0
    return abs(order.index(a) - order.index(b)) / len(order)


def dbil(original, masked) -> float:
    found = []
    for name in columns_of(original, "ordinal", "nominal"):
        order = order_of(original, name)
        for a, b in zip(cells(original, name), cells(masked, name), strict=True):
            if a is None:
                continue
            if original.attribute(name).kind == "ordinal" and b in order:
                found.append(abs(order.index(a) - order.index(b)) / len(order))
            else:
                found.append(float(a != b))
    return 100 * mean(found)


def ctbil(original, masked, order=2) -> float:
    names = columns_of(original, "ordinal", "nominal")
    sets = [s for size in range(1, order + 1) for s in combinations(names, size)]
    total = 0
    for s in sets:
        before = Counter(zip(*(cells(original, name) for name in s), strict=True))
        after = Counter(zip(*(cells(masked, name) for name in s), strict=True))
        total += sum(abs(before[cell] - after[cell]) for cell in before | after)
    return 100 * total / (2 * len(original) * len(sets))


def ebil(original, masked) -> float:
    found = []
    for name in columns_of(original, "ordinal", "nominal"):
        pairs = [p for p in zip(cells(original, name), cells(masked, name), strict=True) if p[0] is not None]
        scale = math.log(max(len({a for a, _ in pairs}), 2))
        for _, b in pairs:
            origins = Counter(a for a, other in pairs if other == b)
            shares = [count / sum(origins.values()) for count in origins.values()]
            found.append(-math.fsum(p * math.log(p) for p in shares) / scale)
    return 100 * mean(found)


# risks ---------------------------------------------------------------------------------------------------


def interval_risk(original, masked, interval="rank") -> float:
    halves = [10] if interval == "value" else list(range(1, 11))
    disclosed = []
    for name in columns_of(original, "numeric", "ordinal", "nominal"):
        kind, order = original.attribute(name).kind, []
        x, y = cells(original, name), cells(masked, name)
        if kind == "ordinal":
            order = order_of(original, name) + [
                c for c in order_of(masked, name) if c not in order_of(original, name)
            ]
        if kind == "nominal" or (kind == "ordinal" and interval != "rank"):
            disclosed += [float(a == b) for a, b in zip(x, y, strict=True) if a is not None]
            continue
        if kind == "ordinal":
            x, y = ([None if v is None else order.index(v) for v in column] for column in (x, y))
        seen = [a for a in x if a is not None]
        sd = math.sqrt(covariance(seen, seen)) if len(set(seen)) > 1 else None
        ordered = sorted(b for b in y if b is not None)
        for a, b in zip(x, y, strict=True):
            if a is not None:
                tests = [inside(a, b, interval, half, sd, ordered) for half in halves]
                disclosed.append(mean(tests))
    return 100 * mean(disclosed)


def inside(a, b, interval, half, sd, ordered) -> float:
    if b is None:
        return 0.0
    if interval == "value":
        return float(abs(a - b) <= half / 100 * abs(a) * (1 + 1e-12))
    if interval == "sd":
        return float(a == b if sd is None else abs(a - b) / sd <= half / 100 * (1 + 1e-9))
    reach = half * len(ordered) // 100
    first = ordered.index(b)
    last = len(ordered) - 1 - ordered[::-1].index(b)
    return float(ordered[max(first - reach, 0)] <= a <= ordered[min(last + reach, len(ordered) - 1)])


def squared_distances(original, masked) -> list[list[float]]:
    """Of every original record to every masked record."""
    n = len(original)
    total = [[0.0] * n for _ in range(n)]
    for name in columns_of(original, "numeric", "ordinal", "nominal"):
        kind, x, y = original.attribute(name).kind, cells(original, name), cells(masked, name)
        if all(a is None for a in x):
            continue
        ranked = kind == "ordinal" and set(order_of(masked, name)) <= set(order_of(original, name))
        if kind == "numeric" or ranked:
            order = order_of(original, name)
            if ranked:
                x, y = ([None if v is None else order.index(v) / len(order) for v in c] for c in (x, y))
            seen = [a for a in x if a is not None]
            scale = math.sqrt(covariance(seen, seen)) if not ranked and len(set(seen)) > 1 else 1.0
            if kind == "numeric" and len(set(seen)) == 1:  # no scale: changed or not
                y = [None if v is None else seen[0] + (v != seen[0]) for v in y]
            x, y = ([(mean(seen) if v is None else v) / scale for v in column] for column in (x, y))
            for i, j in product(range(n), repeat=2):
                total[i][j] += (x[i] - y[j]) ** 2
        else:
            for i, j in product(range(n), repeat=2):
                total[i][j] += float(x[i] != y[j])
    return total


def linked(distances, ties="expected") -> float:
    hits = []
    for i, row in enumerate(distances):
        own = math.sqrt(row[i])
        slack = 1e-9 * own + 1e-12
        others = [math.sqrt(d) for d in row]
        rivals = sum(d <= own + slack for d in others)
        right = all(d >= own - slack for d in others)
        counted = {"expected": 1 / rivals, "strict": float(rivals == 1), "optimistic": 1.0}[ties]
        hits.append(counted if right else 0.0)
    return 100 * mean(hits)


def agreement_rows(original, masked, bins=10) -> tuple[list[tuple], list[tuple]]:
    """Records as tuples of classes that agree or not."""
    before, after = [], []
    for name in columns_of(original, "numeric", "ordinal", "nominal"):
        x, y = cells(original, name), cells(masked, name)
        if original.attribute(name).kind == "numeric":
            seen = sorted(a for a in x if a is not None)
            cuts = set()
            for step in range(1, bins):
                if seen:
                    cuts.add(
                        next(v for v in seen if sum(u <= v for u in seen) >= step / bins * len(seen) - 1e-9)
                    )
            x, y = ([None if v is None else sum(v > cut for cut in cuts) for v in c] for c in (x, y))
        before.append(x)
        after.append(y)
    return list(zip(*before, strict=True)), list(zip(*after, strict=True))


def agreement_patterns(A, B) -> Counter:
    return Counter(tuple(int(u == v) for u, v in zip(a, b, strict=True)) for a in A for b in B)


def em_step(A, B, m, u) -> tuple[list[float], list[float]]:
    """New m and u: shares of agreement among pairs weighed by their probability of (not) being a match."""
    counts, d, n = agreement_patterns(A, B), len(A[0]), len(A)
    matches, others = {}, {}
    for g, count in counts.items():
        match = math.prod(m[j] if g[j] else 1 - m[j] for j in range(d)) / n
        other = math.prod(u[j] if g[j] else 1 - u[j] for j in range(d)) * (1 - 1 / n)
        matches[g], others[g] = count * match / (match + other), count * other / (match + other)
    return tuple(
        [math.fsum(w for g, w in weights.items() if g[j]) / math.fsum(weights.values()) for j in range(d)]
        for weights in (matches, others)
    )


def weighed_distances(A, B, weight) -> list[list[float]]:
    """Summed weights of the columns that do not agree."""
    return [[math.fsum(w for w, u, v in zip(weight, a, b, strict=True) if u != v) for b in B] for a in A]


def groups(table, keys) -> dict[tuple, list[int]]:
    found: dict[tuple, list[int]] = {}
    for row, key in enumerate(zip(*(cells(table, name) for name in keys), strict=True)):
        found.setdefault(key, []).append(row)
    return found


def diversity(table, keys, confidential, kind="distinct", c=1.0) -> float:
    levels = []
    for name, rows in product(confidential, groups(table, keys).values()):
        seen = [cells(table, name)[row] for row in rows if cells(table, name)[row] is not None]
        counts = sorted(Counter(seen).values(), reverse=True)
        if kind == "distinct" or not seen:
            levels.append(max(len(counts), 1))
        elif kind == "entropy":
            levels.append(math.exp(-math.fsum(v / len(seen) * math.log(v / len(seen)) for v in counts)))
        else:
            fits = [level for level in range(2, len(counts) + 1) if counts[0] < c * sum(counts[level - 1 :])]
            levels.append(max(fits, default=1))
    return min(levels)


def closeness(table, keys, confidential, distance) -> float:
    worst = 0.0
    for name, rows in product(confidential, groups(table, keys).values()):
        values = cells(table, name)
        ordered = distance == "ordered"
        everyone = [v for v in values if v is not None or not ordered]
        inside_class = [values[row] for row in rows if values[row] is not None or not ordered]
        domain = [v for v in order_of(table, name) if v in everyone] if ordered else list(set(everyone))
        if not inside_class or len(domain) == 1:
            continue
        gaps = [inside_class.count(v) / len(inside_class) - everyone.count(v) / len(everyone) for v in domain]
        if ordered:
            emd = math.fsum(abs(math.fsum(gaps[: i + 1])) for i in range(len(gaps))) / (len(gaps) - 1)
        else:
            emd = math.fsum(abs(gap) for gap in gaps) / 2
        worst = max(worst, emd)
    return worst


def minimal_uniques(table, keys, size) -> dict[int, list[tuple]]:
    """For every row the sets of columns that single it out, without those that contain a smaller one."""
    found: dict[int, list[tuple]] = {row: [] for row in range(len(table))}
    for width in range(1, size + 1):
        for s in combinations(keys, width):
            for rows in groups(table, s).values():
                if len(rows) == 1 and not any(set(t) <= set(s) for t in found[rows[0]]):
                    found[rows[0]].append(s)
    return found


def expected_inverse(f, total) -> float:
    """E(1/F | f) term by term: F is negative binomial with p = f / total, at least f."""
    p = min(f / total, 1.0)
    beyond = np.arange(int(stats.nbinom.ppf(1 - 1e-13, f, p)) + 10)
    return float((stats.nbinom.pmf(beyond, f, p) / (beyond + f)).sum())


# partitions ----------------------------------------------------------------------------------------------


def pair_table(a, b) -> tuple[int, int, int, int]:
    """Pairs together in both, only in a, only in b, in neither."""
    counts = [0, 0, 0, 0]
    for i, j in combinations(range(len(a)), 2):
        counts[(0 if a[i] == a[j] else 2) + (0 if b[i] == b[j] else 1)] += 1
    return counts[0], counts[1], counts[2], counts[3]


def conditional_entropy(a, b) -> float:
    total = 0.0
    for label in set(b):
        inside_b = [x for x, y in zip(a, b, strict=True) if y == label]
        shares = [inside_b.count(x) / len(inside_b) for x in set(inside_b)]
        total -= len(inside_b) / len(b) * math.fsum(p * math.log(p) for p in shares)
    return total
