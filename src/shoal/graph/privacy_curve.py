"""The curve of privacy and utility: more connections switched, fewer users found, less structure left."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl

from shoal.graph.attack.neighbour_attack import neighbour_attack
from shoal.graph.losses.structure_losses import structure_losses
from shoal.graph.network import Graph
from shoal.graph.structure.switch_edges import switch_edges
from shoal.types import RandomState

SHARES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)  # of the links that are switched, tried one after the other


def privacy_curve(graph: Graph, *, shares: Iterable[float] = SHARES, rng: RandomState = None) -> pl.DataFrame:
    """Switch more and more connections: how many users are found, and how much structure is lost.

    Parameters
    ----------
    graph
        The graph.
    shares
        Shares of the connections to switch (`switch_edges`).
    rng
        Seed or generator of the switches.

    Returns
    -------
    polars.DataFrame
        A row per share: `share`, `found` (percent of users found by `neighbour_attack`)
        and the losses of `structure_losses` by name.

    Notes
    -----
    Cost: that of both measures, once per share.

    Examples
    --------
    >>> from shoal.graph import make_social
    >>> curve = privacy_curve(make_social(100, rng=1).graph(), shares=[0, 0.5], rng=1)
    >>> bool(curve["found"][0] > curve["found"][1])
    True
    """
    rng = np.random.default_rng(rng)
    rows = []
    for share in shares:
        moved = switch_edges(graph, share, rng=rng)
        losses = structure_losses(graph, moved)
        found = neighbour_attack(graph, moved)
        rows.append(
            {"share": float(share), "found": found, **dict(losses.select("measure", "loss").iter_rows())}
        )
    return pl.DataFrame(rows)
