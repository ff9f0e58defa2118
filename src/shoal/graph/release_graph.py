"""Release of a network: written aside, counted again on the bytes, then named or given up."""

from __future__ import annotations

import secrets
import shutil
import tempfile
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
import polars as pl

from shoal._check import check_k
from shoal.errors import InputWarning, PromiseBroken
from shoal.graph.geometry import check_attributes
from shoal.graph.io.gml import gml_key
from shoal.graph.io.graph_files import USERS_FILE, check_output, network_parts, write_graph
from shoal.graph.network import Graph
from shoal.io.atomic import whole_file
from shoal.types import RandomState


@dataclass(frozen=True)
class ReleasedGraph:
    """What was counted on the written files, and where they are.

    Parameters
    ----------
    k
        Users, at least, with the same attributes; all users if none were promised.
    degree_k
        Users, at least, with the same number of connections.
    together_k
        Users, at least, with the same attributes and the same number of connections.
    path
        Where the network was written.
    kept
        Whether the promise holds.
    """

    k: int
    degree_k: int
    together_k: int
    path: Path | None
    kept: bool


def release_graph(
    graph: Graph,
    path: str | PathLike[str],
    *,
    k: int,
    attributes: Iterable[str] | None = None,
    degrees: bool = False,
    together: bool = False,
    identifiers: bool = False,
    shuffle: bool = True,
    overwrite: bool = False,
    anyway: bool = False,
    rng: RandomState = None,
) -> ReleasedGraph:
    """Write a protected network, count its promise on the written files, and only then give them their name.

    Parameters
    ----------
    graph
        The protected graph.
    path
        As in `write_graph`.
    k
        The promise: users, at least, who have the same attributes.
    attributes
        Which attributes the promise is about; all of the graph if not given.
    degrees, together
        Promise k for the number of connections too, alone or together with the attributes.
    identifiers, shuffle, overwrite, rng
        As in `write_graph`.
    anyway
        Write files that break the promise, and say so in `.kept`.

    Returns
    -------
    ReleasedGraph

    Raises
    ------
    PromiseBroken
        If the files would break the promise: nothing is in place then.

    Notes
    -----
    Cells are counted as texts exactly as they stand in the file, connections by the names in it. Cost: that
    of writing and of reading once.

    References
    ----------
    Hundepool et al.: Statistical disclosure control, Wiley (2012), chapter 3.

    Examples
    --------
    >>> import tempfile
    >>> from shoal.graph import as_graph
    >>> users = {"user": list("abcd"), "age": [30, 30, 40, 40]}
    >>> graph = as_graph(users, {"a": ["a", "b"], "b": ["b", "c"]})
    >>> release_graph(graph, Path(tempfile.mkdtemp()) / "safe", k=2).k
    2
    """
    path, k = check_output(path, overwrite), check_k(k, len(graph))
    names = graph.attributes if attributes is None else check_attributes(attributes, graph)
    with tempfile.TemporaryDirectory(prefix="shoal-") as aside:
        draft = Path(aside) / (f"{secrets.token_hex(4)}-{path.name}" if path.suffix else "network")
        write_graph(graph, draft, identifiers=identifiers, shuffle=shuffle, rng=rng)
        counted = _counted(draft, names, graph.directed)
        kept = counted[0] >= k and (counted[1] >= k or not degrees) and (counted[2] >= k or not together)
        if not (kept or anyway):
            why = _shortfall(counted, k, degrees)
            raise PromiseBroken(
                f"The promise k = {k} is broken: counted on the written files, {why}; "
                "nothing was written; protect the network again, or --release-anyway writes it and says so."
            )
        _publish(draft, path, overwrite)
    return ReleasedGraph(*counted, path, kept)


def _counted(path: Path, names: list[str], directed: bool) -> tuple[int, int, int]:
    """The least number of users with the same attributes, connections, and both, as the file shows them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        parts = network_parts(path)
    if path.is_dir():
        users = pl.read_csv(path / USERS_FILE, infer_schema=False)
    else:
        users = parts.users if isinstance(parts.users, pl.DataFrame) else parts.users.frame
    seen = [key for name in names for key in (name, gml_key(name)) if key in users.columns]
    seen = list(dict.fromkeys(seen))
    ends = [parts.edges[name].cast(pl.String).to_list() for name in parts.edges.columns[:2]]
    frame = users.select(pl.col("user").cast(pl.String), *(pl.col(name).cast(pl.String) for name in seen))
    for side, found in enumerate(ends if directed else [ends[0] + ends[1]]):
        count = (
            pl.DataFrame({"user": pl.Series(found, dtype=pl.String)}).group_by("user").len(f"degree {side}")
        )
        frame = frame.join(count, on="user", how="left")
    numbers = [name for name in frame.columns if name.startswith("degree ")]
    return _least(frame, seen), _least(frame, numbers), _least(frame, [*seen, *numbers])


def _least(frame: pl.DataFrame, names: list[str]) -> int:
    if not names or not frame.height:
        return frame.height
    return int(np.min(frame.group_by(names).len()["len"].to_numpy()))


def _shortfall(counted: tuple[int, int, int], k: int, degrees: bool) -> str:
    if counted[0] < k:
        return f"some users share their attributes with {counted[0] - 1} others only"
    if degrees and counted[1] < k:
        return f"some users share their number of connections with {counted[1] - 1} others only"
    return f"some users share attributes and number of connections with {counted[2] - 1} others only"


def _publish(draft: Path, path: Path, overwrite: bool) -> None:
    """The bytes that were counted, under their name."""
    if draft.is_dir():
        path.mkdir(parents=True, exist_ok=True)
    pairs = (
        [(file, path / file.name) for file in sorted(draft.iterdir())] if draft.is_dir() else [(draft, path)]
    )
    for source, target in pairs:
        with whole_file(target, overwrite) as temporary:
            shutil.copyfile(source, temporary)
