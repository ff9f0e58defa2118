"""How the figures of networks are shown: a verdict, tables, an honest paragraph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from shoal.cli import console


def show_figures(facts: dict[str, Any], k: int | None) -> None:
    """The verdict, what an intruder finds, and every figure."""
    reached = int(facts["k"])
    console.say(verdict(facts, k), "green" if k is None or reached >= k else "red bold")
    if facts["attributes"]:
        console.say(
            f"An intruder who knows what users have finds {facts['linkage_risk']:.1f} of 100; "
            f"{facts['information_loss']:.1f} % of the information is lost."
        )
    hidden = () if facts["attributes"] else ("aamil", "cdil", "dbil", "information_loss", "linkage_risk", "k")
    rows = [
        (name, f"{value:.2f}" if isinstance(value, float) else str(value))
        for name, value in facts.items()
        if name not in ("attributes", "structure", "attacks", *hidden)
    ]
    console.show_table("losses and risk 0-100, less is better", ("measure", "figure"), rows, numbers=1)


def verdict(facts: dict[str, Any], k: int | None) -> str:
    """One sentence: do enough users look alike?"""
    if not facts["attributes"]:
        alone = int(facts["degree_k"])
        many = f"every user has as many connections as at least {alone - 1} others"
        many = many if alone > 1 else "some users have a number of connections of their own"
        return f"Users have no attributes to protect; {many}."
    reached = int(facts["k"])
    fact = f"every user looks like at least {reached - 1} others."
    if reached == 1:
        fact = "some users are alone with what they have."
    if k is None:
        return f"k = {reached}: {fact}"
    return f"k = {k} reached: {fact}" if reached >= k else f"k = {k} NOT reached, only {reached}: {fact}"


def show_frame(title: str, frame: pl.DataFrame) -> None:
    """A table of figures with two digits."""
    rows = [
        tuple(f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row)
        for row in frame.iter_rows()
    ]
    numbers = sum(kind.is_numeric() for kind in frame.dtypes)
    console.show_table(title, tuple(frame.columns), rows, numbers=numbers)


def save_picture(picture: Path | None, attacks: pl.DataFrame, losses: pl.DataFrame, force: bool) -> None:
    """The picture of a protection, if it was asked for."""
    from shoal.graph import plot_protection
    from shoal.io.atomic import whole_file

    if picture is None:
        return
    with whole_file(picture, force) as temporary:
        plot_protection(attacks, losses).savefig(temporary, dpi=110, format=picture.suffix[1:] or "png")
    console.say(f"The picture is in {picture}.")
