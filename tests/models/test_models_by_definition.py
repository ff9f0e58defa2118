"""The models beyond k, l, t: each against its definition, class by class, on random classes."""

from __future__ import annotations

from collections import Counter
from math import log

import numpy as np
import pytest

from shoal import InvalidInput
from shoal.models import (
    Classes,
    alpha_k,
    average_risk,
    beta_like,
    delta_disclosure,
    delta_present,
    entropy_l_diverse,
    hidden_column,
    hierarchical_t_close,
    k_map,
    recursive_l_diverse,
)
from shoal.models.hierarchical_t_close import hierarchical_distances

LINES = np.array([[0, 5, 8], [1, 5, 8], [2, 6, 8], [3, 6, 8], [4, 7, 8]])
PAIRS = [(a, b) for a in range(5) for b in range(5)]


def random_classes(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 25))
    labels = np.unique(rng.integers(0, 4, n), return_inverse=True)[1]
    codes = rng.integers(-1, 5, n)
    codes[0] = 0
    weights = rng.integers(1, 9, n).astype(float)
    return Classes(labels, {"ill": hidden_column(codes, "nominal", LINES)}, weights=weights)


def shares(codes):
    counts = Counter(code for code in codes.tolist() if code >= 0)
    return {code: count / sum(counts.values()) for code, count in counts.items()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_definitions(seed):
    found = random_classes(seed)
    hidden = found.hidden["ill"].codes
    whole = shares(hidden)
    for label in range(found.count):
        p = shares(hidden[found.labels == label])
        falling = sorted(p.values(), reverse=True)
        for bound in (1.4, 2, 3):
            entropy = -sum(share * log(share) for share in falling)
            assert entropy_l_diverse(found, l=bound)[label] == (entropy >= log(bound) - 1e-9)
        for least, c in ((2, 1), (2, 3), (3, 2)):
            kept = bool(p) and falling[0] < c * sum(falling[least - 1 :]) - 1e-12
            assert recursive_l_diverse(found, l=least, c=c)[label] == kept
        for alpha in (0.4, 0.5, 0.8):
            assert alpha_k(found, alpha=alpha)[label] == all(s <= alpha + 1e-12 for s in falling)
        for beta in (0.3, 1, 2):
            basic = all(p[v] <= whole[v] * (1 + beta) + 1e-12 for v in p)
            finer = all(p[v] <= whole[v] * (1 + min(beta, -log(whole[v]))) + 1e-12 for v in p)
            assert beta_like(found, beta=beta, enhanced=False)[label] == basic
            assert beta_like(found, beta=beta)[label] == finer
        near = all(v in p and abs(log(p[v] / whole[v])) < 0.8 for v in whole)
        assert delta_disclosure(found, delta=0.8)[label] == near
        inside = found.weights[found.labels == label]
        assert k_map(found, people=9)[label] == (inside.sum() >= 9)
        present = len(inside) / inside.sum()
        assert delta_present(found, low=0.2, high=0.4)[label] == (0.2 <= present <= 0.4)
    mean = np.mean(1 / np.bincount(found.labels)[found.labels])
    assert average_risk(found, risk=0.3).tolist() == [mean <= 0.3 + 1e-12] * found.count


@pytest.mark.parametrize("seed", range(60))
def test_hierarchical_distance_is_the_cheapest_transport(seed):
    from scipy.optimize import linprog

    found = random_classes(seed)
    codes = found.hidden["ill"].codes
    values = sorted(set(codes[codes >= 0].tolist()))
    lines = found.hidden["ill"].ancestors
    cost = np.array([[np.argmax(lines[a] == lines[b]) / 2 for b in values] for a in values])
    whole = shares(codes)
    for label, distance in enumerate(hierarchical_distances(found, "ill")):
        p = shares(codes[found.labels == label])
        if not p:
            continue
        m = len(values)
        supply = np.kron(np.eye(m), np.ones(m))
        demand = np.kron(np.ones(m), np.eye(m))
        sides = [p.get(v, 0) for v in values] + [whole[v] for v in values]
        least = linprog(cost.reshape(-1), A_eq=np.vstack([supply, demand]), b_eq=sides).fun
        assert distance == pytest.approx(least, abs=1e-7)
        assert hierarchical_t_close(found, t=0.3)[label] == (distance <= 0.3 + 1e-12)


def test_what_is_needed_is_said():
    plain = Classes(np.zeros(2, dtype=int), {"ill": hidden_column(np.array([0, 1]), "nominal")})
    with pytest.raises(InvalidInput, match="need the population"):
        k_map(plain, people=2)
    with pytest.raises(InvalidInput, match="Column 'ill' has no hierarchy"):
        hierarchical_t_close(plain, t=0.2)
    with pytest.raises(InvalidInput, match="needs a confidential column"):
        alpha_k(Classes(np.zeros(2, dtype=int)), alpha=0.5)
