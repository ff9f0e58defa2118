"""The reference networks of the literature, which are never part of this package."""

from __future__ import annotations

import gzip
import re
import tarfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

from shoal._check import check_names
from shoal.datasets.catalogue import Reference
from shoal.datasets.reference import find_reference
from shoal.errors import InputWarning, InvalidInput
from shoal.graph.build_graph import as_graph
from shoal.graph.network import Graph
from shoal.hierarchy import Hierarchy, hierarchy_from_rows

_EGOS = "facebook_egos.tar.gz"
_FACEBOOK = Reference(
    *("ego_facebook", "ego_facebook/facebook_combined.txt.gz", 4039, 2),
    what="friends of ten users of Facebook with anonymised profiles",
    origin="snap.stanford.edu/data/ego-Facebook.html (McAuley and Leskovec 2012)",
)
_POLBLOGS = Reference(
    *("polblogs", "polblogs/polblogs.gml.gz", 1490, 2),
    what="political blogs of 2004 and their links",
    origin="Newman's network collection (Adamic and Glance 2005)",
)


def read_reference_graph(name: str) -> Graph:
    """Read a reference network: "ego_facebook" or "polblogs".

    Parameters
    ----------
    name
        "ego_facebook": 4039 users of Facebook, 88234 friendships; profiles are anonymised, so places are
        numbers without a map, and schools, degrees, employers, languages and so on are the topics.
        "polblogs": 1490 blogs, 16705 links (in either direction), liberal or conservative as the topic.

    Returns
    -------
    Graph

    Notes
    -----
    The files are not part of shoal; they are looked up where `shoal.datasets.read_reference` looks for its
    files (`SHOAL_DATA`, then ../shared/datasets). Links have no direction here.

    References
    ----------
    McAuley, Leskovec: Learning to discover social circles in ego networks, NIPS (2012); Adamic, Glance: The
    political blogosphere and the 2004 US election, LinkKDD (2005).

    Examples
    --------
    >>> read_reference_graph("polblog")
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: There is no reference network 'polblog'. Did you mean 'polblogs'? ...
    """
    check_names(name, [reference.name for reference in _READERS], what="reference network")
    reference = next(entry for entry in _READERS if entry.name == name)
    path = find_reference(reference)
    if path is None:
        raise InvalidInput(
            f"The reference network {reference.path} is not on this machine; get it from {reference.origin}, "
            f"and let SHOAL_DATA name the folder that holds {reference.path}."
        )
    graph = _READERS[reference](path)
    if len(graph) != reference.records:
        raise InvalidInput(
            f"The file found for {name} has {len(graph)} users, the reference network {reference.records}."
        )
    return graph


def _read_polblogs(path: Path) -> Graph:
    text = gzip.decompress(path.read_bytes()).decode("utf-8", errors="replace")
    nodes = re.findall(r"node \[\s*id (\d+)\s*label \"([^\"]*)\"\s*value (\d)", text)
    edges = re.findall(r"edge \[\s*source (\d+)\s*target (\d+)", text)
    side = ("liberal", "conservative")
    users = {"user": [node for node, _, _ in nodes], "topics": [side[int(value)] for _, _, value in nodes]}
    pairs = pl.DataFrame(edges, schema=["source", "target"], orient="row")
    tree = hierarchy_from_rows([[name, "anything"] for name in side])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # three blogs link to themselves, some both ways
        return as_graph(users, pairs, interests=tree)


def _read_facebook(path: Path) -> Graph:
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    pairs = pl.DataFrame([line.split() for line in lines], schema=["a", "b"], orient="row")
    features = _features(path.with_name(_EGOS))
    users = pl.concat([pairs["a"], pairs["b"]]).unique(maintain_order=True).to_list()
    own = [sorted(features.get(user, ())) for user in users]
    places = [next((f for f in mine if f.startswith("location ")), None) for mine in own]
    topics = [[f for f in mine if not f.startswith("location ")] for mine in own]
    frame = {"user": users, "location": places, "topics": ["; ".join(mine) for mine in topics]}
    known = sorted({place for place in places if place is not None})
    return as_graph(
        frame,
        pairs,
        places=hierarchy_from_rows([[place, "anywhere"] for place in known]),
        interests=_profile_tree({feature for mine in topics for feature in mine}),
        most=max(map(len, topics)),
    )


def _features(path: Path) -> Mapping[str, set[str]]:
    """By user the names of the features they have, from the files of all ten egos."""
    found: dict[str, set[str]] = {}
    with tarfile.open(path) as archive:
        texts = {
            Path(member.name).name: archive.extractfile(member).read().decode()  # type: ignore[union-attr]
            for member in archive.getmembers()
            if member.isfile()
        }
    for file in (name for name in texts if name.endswith(".feat")):
        ego = file.removesuffix(".feat")
        names = [_feature(line) for line in texts[f"{ego}.featnames"].splitlines()]
        rows = [*texts[file].splitlines(), f"{ego} {texts[f'{ego}.egofeat']}"]
        for user, *flags in (row.split() for row in rows):
            mine = {name for name, flag in zip(names, flags, strict=True) if flag == "1"}
            found.setdefault(user, set()).update(mine)
    return found


def _feature(line: str) -> str:
    """'24 education;degree;id;anonymized feature 24' as 'education/degree 24'."""
    *kind, last = line.split(" ", 1)[1].split(";")
    return f"{'/'.join(part for part in kind if part != 'id')} {last.split()[-1]}"


def _profile_tree(features: set[str]) -> Hierarchy:
    """Feature, kind of feature (education/degree), field (education), anything."""
    rows = []
    for feature in sorted(features):
        kind = feature.rsplit(" ", 1)[0]
        rows.append([feature, kind, kind.split("/")[0], "anything"])
    return hierarchy_from_rows(rows)


_READERS: Mapping[Reference, Callable[[Path], Graph]] = {_FACEBOOK: _read_facebook, _POLBLOGS: _read_polblogs}
