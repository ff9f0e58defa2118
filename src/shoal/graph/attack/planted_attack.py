"""The walk-based attack: accounts planted before the release are found again, and with them their friends."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal._check import check_count
from shoal.errors import InvalidInput, PrivacyWarning
from shoal.graph.network import USERS, Graph
from shoal.graph.tidy_edges import simple_edges
from shoal.types import RandomState

MOST_STEPS = 200_000  # of the search for the planted accounts; no measurement on record
LINKS = 3  # planted accounts that every target is a friend of; no measurement on record


@dataclass(frozen=True)
class Planted:
    """What the intruder remembers: degrees of the accounts, who of them are friends, whom they befriended."""

    degrees: tuple[int, ...]
    friends: frozenset[tuple[int, int]]
    targets: tuple[tuple[int, frozenset[int]], ...]


def planted_attack(
    graph: Graph,
    protect: Callable[[Graph], Graph] | None = None,
    *,
    accounts: int = 12,
    targets: int = 20,
    rng: RandomState = None,
) -> float:
    """Percent of targets found by accounts that the intruder opened before the network was protected.

    Parameters
    ----------
    graph
        The original graph.
    protect
        What is done before the release, with the same users in the same order after it, for example
        ``functools.partial(protect_graph, k=5, degrees=True)``; nothing if not given.
    accounts
        How many accounts the intruder opens: a chain of friends, any other two friends with chance 1/2.
    targets
        How many users the accounts befriend, each by another three accounts.
    rng
        Seed or generator for the accounts and the targets.

    Returns
    -------
    float
        0 to 100. The accounts are looked for by walks along friends that have the right number of connections
        and the right friends among those found so far; only if exactly one such walk exists are its friends
        taken for the targets.

    Notes
    -----
    Directions are left out. The graph with the accounts is protected anew, so the cost is that of `protect`
    and of the search, which is given up after 200,000 steps (nobody is found then).

    References
    ----------
    Backstrom, Dwork, Kleinberg: Wherefore art thou R3579X? Anonymized social networks, hidden patterns, and
    structural steganography, WWW (2007).

    Examples
    --------
    >>> from shoal.graph import make_social
    >>> planted_attack(make_social(200, rng=1).graph(), rng=1)
    100.0
    """
    rng = np.random.default_rng(rng)
    accounts, targets = check_count("accounts", accounts), check_count("targets", targets)
    if not accounts > LINKS or not targets <= len(graph):
        raise InvalidInput(f"More than {LINKS} accounts and at most {len(graph)} targets are needed.")
    plain = replace(graph, directed=False, weights=None, edges=simple_edges(graph.edges))
    larger, known = _with_accounts(plain, accounts, targets, rng)
    if protect is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PrivacyWarning)
            larger = protect(larger)
    return _found(larger, known)


def _with_accounts(
    graph: Graph, accounts: int, targets: int, rng: np.random.Generator
) -> tuple[Graph, Planted]:
    n = len(graph)
    inside = [(i, j) for i in range(accounts) for j in range(i + 1, accounts)]
    friends = [(i, j) for i, j in inside if j == i + 1 or rng.random() < 0.5]
    chosen = rng.choice(n, targets, replace=False).tolist()
    trios: list[frozenset[int]] = []
    while len(trios) < targets:
        trio = frozenset(rng.choice(accounts, LINKS, replace=False).tolist())
        if trio not in trios or len(trios) >= accounts * (accounts - 1) * (accounts - 2) // 6:
            trios.append(trio)
    new = [(n + i, n + j) for i, j in friends]
    new += [(target, n + i) for target, trio in zip(chosen, trios, strict=True) for i in trio]
    edges = simple_edges(np.vstack([graph.edges, np.array(new)]))
    names = pl.DataFrame({"user": [f"planted {i}" for i in range(accounts)]}).with_columns(
        pl.lit(None, dtype=kind).alias(name) for name, kind in USERS.items() if name != "user"
    )
    others = graph.others
    if others is not None:  # accounts fill in what others fill in
        others = others.take(np.append(np.arange(n), rng.integers(0, n, accounts)))
    users = pl.concat([graph.users, names.select(graph.users.columns)])
    larger = replace(graph, users=users, edges=edges, others=others)
    degrees = tuple(larger.degrees[n:].tolist())
    return larger, Planted(degrees, frozenset(friends), tuple(zip(chosen, trios, strict=True)))


def _right_friends(friends: set[int], walk: list[int], known: Planted) -> bool:
    """Whether a user is a friend of those of the walk, and only those, whom the next account befriended."""
    place = len(walk)
    return all((other in friends) == ((i, place) in known.friends) for i, other in enumerate(walk))


def _found(graph: Graph, known: Planted) -> float:
    """Walks through users with the right degrees and the right friends; targets only of a single walk."""
    n = len(graph) - len(known.degrees)
    friends: list[set[int]] = [set() for _ in range(len(graph))]
    for a, b in graph.edges.tolist():
        friends[a].add(b)
        friends[b].add(a)
    walks: list[list[int]] = []
    steps = 0
    waiting = [[user] for user in np.flatnonzero(graph.degrees == known.degrees[0]).tolist()]
    while waiting and steps < MOST_STEPS and len(walks) < 2:
        steps += 1
        walk = waiting.pop()
        place = len(walk)
        if place == len(known.degrees):
            walks.append(walk)
            continue
        for user in friends[walk[-1]]:
            fits = len(friends[user]) == known.degrees[place] and user not in walk
            if fits and all(
                (other in friends[user]) == ((i, place) in known.friends) for i, other in enumerate(walk)
            ):
                waiting.append([*walk, user])
    if len(walks) != 1 or waiting:
        return 0.0
    accounts = walks[0]
    hits = 0
    for target, trio in known.targets:
        near = set.intersection(*(friends[accounts[i]] for i in trio))
        near = {user for user in near if sum(user in friends[account] for account in accounts) == LINKS}
        hits += near - set(accounts) == {target} and target < n
    return 100.0 * hits / len(known.targets)
