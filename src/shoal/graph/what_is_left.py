"""What an intruder can still do with a protected network, in plain sentences with their figures."""

from __future__ import annotations

import polars as pl

from shoal.graph.network import Graph


def what_is_left(graph: Graph, attacks: pl.DataFrame, *, degrees: bool, switched: float) -> str:
    """An honest paragraph for whoever decides about the release: what was tried, and what still works.

    Parameters
    ----------
    graph
        The protected graph.
    attacks
        What `attack_graph` found.
    degrees
        Whether numbers of connections were protected.
    switched
        Share of the connections that were switched.

    Returns
    -------
    str

    Examples
    --------
    >>> from shoal.graph import attack_graph, make_social
    >>> graph = make_social(50, rng=1).graph()
    >>> print(what_is_left(graph, attack_graph(graph, graph), degrees=False, switched=0.0)[:46])
    What is left: who knows exact location, topics
    """
    found = {name: (knows, before, after) for name, knows, before, after, _ in attacks.iter_rows()}
    parts = [
        f"who knows {knows} finds {after:.1f} of 100 {_whom(name)} ({before:.1f} before)"
        for name, (knows, before, after) in found.items()
    ]
    said = [f"What is left: {'; '.join(parts)}." if parts else "No attack could be tried."]
    if not degrees:
        said.append("Connections are as they were: their number alone may name a user.")
    if found.get("neighbours", ("", 0.0, 0.0))[2] > 10:
        more = (
            "more connections would have to be switched, and structure lost"
            if switched
            else "switching helps"
        )
        said.append(f"Friends' numbers still point to many users: {more}.")
    if found.get("planted accounts", ("", 0.0, 0.0))[2] > 0:
        said.append("Accounts opened before the release find their friends: switching breaks that pattern.")
    if graph.others is not None and graph.others.names(role="confidential"):
        said.append(
            "Confidential columns are as they were: k does not help where a whole group has the same value."
        )
    said.append(
        "Every intruder here knows the truth of everybody, which is the worst case, and uses one kind of "
        "knowledge only; nobody has tried several together, another network of the same people, or time."
    )
    return " ".join(said)


def _whom(name: str) -> str:
    return "targets" if name == "planted accounts" else "users"
