"""Everything that can be said about a protected graph, at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from shoal._shared.display import Shown
from shoal.graph.attack.linkage_risk import semantic_linkage_risk
from shoal.graph.geometry import check_attributes
from shoal.graph.losses.network_losses import aamil, cdil, semantic_dbil
from shoal.graph.network import Graph, check_comparable
from shoal.graph.protect_graph import user_anonymity
from shoal.graph.structure.degrees import degree_anonymity

LOSSES = (aamil, cdil, semantic_dbil)


@dataclass(frozen=True)
class GraphEvaluation(Shown):
    """Losses and risk of a protected graph, 0 to 100, less is better, and what it promises.

    Parameters
    ----------
    aamil, cdil, dbil
        Losses: connections between values, shares of values, distances of users.
    information_loss
        Their mean.
    linkage_risk
        Percent of users found again by what they have (`semantic_linkage_risk`).
    k
        Users, at least, who have the same location and topics.
    degree_k
        Users, at least, who have the same number of connections.
    edges_added, edges_removed
        Connections that were changed.
    """

    aamil: float
    cdil: float
    dbil: float
    information_loss: float
    linkage_risk: float
    k: int
    degree_k: int
    edges_added: int
    edges_removed: int

    def __str__(self) -> str:
        return (
            f"k = {self.k}: every user has the places and topics of at least {self.k - 1} others; every "
            f"number of connections is that of at least {self.degree_k}.\n"
            f"{self.linkage_risk:.1f} of 100 users are found by what they have.\n"
            f"Lost: {self.information_loss:.1f} % (connections between values {self.aamil:.1f}, shares of "
            f"values {self.cdil:.1f}, users' own values {self.dbil:.1f}).\n"
            f"Connections added {self.edges_added}, removed {self.edges_removed}."
        )

    def to_dict(self) -> dict[str, float | int]:
        """The figures by name."""
        return asdict(self)


def evaluate_graph(
    original: Graph, protected: Graph, *, attributes: Iterable[str] | None = None
) -> GraphEvaluation:
    """Compare a graph before and after protection: information lost, users found again, k reached.

    Parameters
    ----------
    original, protected
        The two graphs, with the same users in the same order.
    attributes
        What is compared and what an intruder knows: "location", "topics" or both.

    Returns
    -------
    GraphEvaluation

    Notes
    -----
    Cost: that of `semantic_linkage_risk`, the slowest of the measures.

    Examples
    --------
    >>> from shoal.graph import make_social
    >>> graph = make_social(100, rng=1).graph()
    >>> evaluate_graph(graph, graph).information_loss
    0.0
    """
    check_comparable(original, protected)
    asked = None if attributes is None else check_attributes(attributes, original)
    names = [name for name in (asked or original.attributes) if name in original.attributes]
    losses = [measure(original, protected, attributes=names) if names else 0.0 for measure in LOSSES]
    before, after = _keys(original), _keys(protected)
    kept = len(np.intersect1d(before, after, assume_unique=True))
    return GraphEvaluation(
        aamil=losses[0],
        cdil=losses[1],
        dbil=losses[2],
        information_loss=float(np.mean(losses)),
        linkage_risk=semantic_linkage_risk(original, protected, attributes=names) if names else 0.0,
        k=user_anonymity(protected, attributes=names) if names else len(protected),
        degree_k=degree_anonymity(protected),
        edges_added=len(after) - kept,
        edges_removed=len(before) - kept,
    )


def _keys(graph: Graph) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Every connection as one number."""
    keys: np.ndarray[tuple[int], np.dtype[np.intp]] = graph.edges[:, 0] * len(graph) + graph.edges[:, 1]
    return keys
