"""All attacks on a network, run before and after protection."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import polars as pl

from shoal.graph.attack.degree_attack import degree_attack
from shoal.graph.attack.linkage_risk import semantic_linkage_risk
from shoal.graph.attack.neighbour_attack import neighbour_attack
from shoal.graph.attack.planted_attack import planted_attack
from shoal.graph.network import Graph
from shoal.types import RandomState


def attack_graph(
    original: Graph,
    protected: Graph,
    *,
    protect: Callable[[Graph], Graph] | None = None,
    attributes: Iterable[str] | None = None,
    rng: RandomState = None,
) -> pl.DataFrame:
    """Run every attack on a network before and after protection: how many users are found, against guessing.

    Parameters
    ----------
    original, protected
        The two graphs, with the same users in the same order.
    protect
        How the graph was protected, to run the walk-based attack on it too: its accounts must be in the
        network before it is protected. Without it that attack is left out.
    attributes
        What an intruder knows of users; all attributes if not given.
    rng
        Seed or generator for the accounts of the walk-based attack.

    Returns
    -------
    polars.DataFrame
        The columns `attack`, `knows`, `before`, `after` (percent of users found) and `guessing`.

    Notes
    -----
    Every intruder knows the truth exactly, of everybody: the worst case. Cost: that of the single attacks.

    Examples
    --------
    >>> from shoal.graph import make_social, protect_graph
    >>> import warnings
    >>> graph = make_social(100, rng=1).graph()
    >>> attack_graph(graph, graph)["attack"].to_list()
    ['attributes', 'degree', 'neighbours']
    """
    guess = 100.0 / max(len(original), 1)
    rows: list[tuple[str, str, float, float, float]] = []
    names = original.attributes if attributes is None else list(attributes)
    if names:
        risks = [semantic_linkage_risk(original, g, attributes=names) for g in (original, protected)]
        rows.append(("attributes", f"exact {', '.join(names)}", risks[0], risks[1], guess))
    if len(original.edges):
        for name, knows, attack in (
            ("degree", "how many connections a person has", degree_attack),
            ("neighbours", "how many each of their friends has", neighbour_attack),
        ):
            rows.append((name, knows, attack(original, original), attack(original, protected), guess))
    if protect is not None:
        seed = np.random.default_rng(rng).integers(2**31, size=3)
        runs = [
            sum(planted_attack(original, how, rng=int(s)) for s in seed) / len(seed)
            for how in (None, protect)
        ]
        rows.append(("planted accounts", "12 accounts opened before the release", runs[0], runs[1], guess))
    return pl.DataFrame(rows, schema=["attack", "knows", "before", "after", "guessing"], orient="row")
