"""Connections that posts show: whom users name with @, and to whom they reply."""

from __future__ import annotations

import polars as pl

from shoal.graph.tidy_edges import count, say

REPLY = "reply_to"


def mentions(posts: pl.DataFrame, names: pl.Series) -> pl.DataFrame:
    """Who names or answers whom in posts, among these users; each pair once.

    Parameters
    ----------
    posts
        One row per post, with the columns `user` and `text`, and where known `reply_to`, the user who is
        answered.
    names
        The users of the network. A name written with another case is the same one, if only one user has it.

    Returns
    -------
    polars.DataFrame
        The columns `source` and `target`.

    Warns
    -----
    InputWarning
        Says how many names are those of nobody in the network.

    Notes
    -----
    Names of people that are not written with @ are not looked for. Time O(words written).

    Examples
    --------
    >>> posts = pl.DataFrame({"user": ["ana"], "text": ["lunch with @pau and @nobody"]})
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     mentions(posts, pl.Series(["ana", "pau"])).rows()
    [('ana', 'pau')]
    """
    said = posts.select(source=pl.col("user").cast(pl.String), text=pl.col("text").cast(pl.String))
    at = said.with_columns(target=pl.col("text").str.extract_all(r"[@＠][\w.\-]*\w")).explode("target")
    pairs = [at.select("source", target=pl.col("target").str.strip_chars("@＠"))]
    if REPLY in posts.columns:
        pairs.append(
            posts.select(source=pl.col("user").cast(pl.String), target=pl.col(REPLY).cast(pl.String))
        )
    found = pl.concat(pairs).drop_nulls().unique(maintain_order=True)
    known = pl.DataFrame({"target": names, "name": names})
    small = pl.col("target").str.to_lowercase()
    folded = known.with_columns(small).filter(pl.col("target").is_unique())
    exact = found.join(known, on="target", how="left", maintain_order="left").with_columns(small)
    both = exact.join(folded, on="target", how="left", suffix="_small", maintain_order="left")
    both = both.with_columns(name=pl.coalesce("name", "name_small"))
    nobody = both.filter(pl.col("name").is_null())["target"].n_unique()
    if nobody:
        say(f"{count(nobody, 'name')} mentioned in posts and nobody in the network has them: left out.")
    pairs_found = both.drop_nulls("name").filter(pl.col("source") != pl.col("name"))
    return pairs_found.select("source", target="name").unique(maintain_order=True)
