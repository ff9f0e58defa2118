"""A source as items (tables, figures, examples), its published figures, ours, and the page of both.

Three things are kept apart: what the source prints (published/SOURCE.csv, typed off by hand), what shoal
gives (here/SOURCE.csv, written by make.py) and the page (docs/papers/SOURCE.md, made from the two).
"""

from __future__ import annotations

import csv
import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
PAGES = FOLDER.parents[1] / "docs" / "papers"
SOURCES = ("000", "001", "002", "003", "004")
FIELDS = ("item", "cell", "value", "seconds", "exact", "why")


@dataclass(frozen=True)
class Cell:
    """One figure of ours: its name, whether it must be the printed one to its last digit, and why not."""

    name: str
    value: float
    seconds: float | None = None
    exact: bool = False
    why: str = ""


@dataclass(frozen=True)
class Item:
    """A table, figure or example of a source.

    `run` gives our cells; `quick` ones take seconds and are run again by every `make papers QUICK=1`. `text`
    says in words what was done and why figures differ; `draw` makes the picture beside the page.
    """

    key: str
    title: str
    run: Callable[[], Iterable[Cell]]
    text: str
    quick: bool = False
    draw: Callable[[Path], None] | None = None


@dataclass(frozen=True)
class Source:
    """A document: what it is, on what it was computed, and what of it is here."""

    key: str
    title: str
    intro: str
    items: tuple[Item, ...]


def source(key: str) -> Source:
    """The source of that number."""
    found: Source = importlib.import_module(f"source_{key}").SOURCE
    return found


def published(key: str) -> dict[tuple[str, str], str]:
    """What the source prints, digit by digit, by item and cell."""
    with (FOLDER / "published" / f"{key}.csv").open(encoding="utf-8") as lines:
        return {(row["item"], row["cell"]): row["value"] for row in csv.DictReader(lines)}


def read_here(key: str) -> dict[str, list[Cell]]:
    """Our cells by item, as they were last written."""
    path = FOLDER / "here" / f"{key}.csv"
    found: dict[str, list[Cell]] = {}
    if path.exists():
        with path.open(encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                seconds = float(row["seconds"]) if row["seconds"] else None
                cell = Cell(row["cell"], float(row["value"]), seconds, row["exact"] == "yes", row["why"])
                found.setdefault(row["item"], []).append(cell)
    return found


def write_here(key: str, found: dict[str, list[Cell]]) -> None:
    """Write our cells, items in the order of the source."""
    with (FOLDER / "here" / f"{key}.csv").open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(FIELDS)
        for item in (item.key for item in source(key).items):
            for c in found.get(item, ()):
                seconds = "" if c.seconds is None else f"{c.seconds:.3g}"
                writer.writerow([item, c.name, f"{c.value:.15g}", seconds, "yes" if c.exact else "", c.why])


def read_seconds() -> dict[tuple[str, str], float]:
    """How long every item took when it was last run, by source and item."""
    path = FOLDER / "here" / "seconds.csv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as lines:
        return {(row["source"], row["item"]): float(row["seconds"]) for row in csv.DictReader(lines)}


def write_seconds(spent: dict[tuple[str, str], float]) -> None:
    """Write them, sources and items in order."""
    with (FOLDER / "here" / "seconds.csv").open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(("source", "item", "seconds"))
        writer.writerows((*name, f"{seconds:.1f}") for name, seconds in sorted(spent.items()))


def tolerance(printed: str) -> float:
    """One unit of the last digit printed, since some round and some cut; half a unit of whole numbers.

    >>> tolerance("14.82"), tolerance("2134"), tolerance("13.3e-12")
    (0.01, 0.5, 1e-13)
    """
    mantissa, _, exponent = printed.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    return float(f"1e{int(exponent or 0) - digits}") if digits else 0.5


def page(key: str) -> str:
    """The page of a source, from the two csv files alone."""
    this, known, found = source(key), published(key), read_here(key)
    lines = [f"# {this.title}", "", this.intro.strip(), ""]
    spent = read_seconds()
    total = sum(spent.get((key, item.key), 0.0) for item in this.items)
    lines += [
        f"The whole page took {_duration(total)} of one core. `make papers ONLY={key}` makes it again.",
        "",
    ]
    for item in this.items:
        lines += [f"## {item.title}", "", item.text.strip(), ""]
        if spent.get((key, item.key), 0.0) >= 10:
            lines += [f"*{_duration(spent[key, item.key]).capitalize()} of one core.*", ""]
        if item.draw is not None:
            lines += [f"![{item.title}](pictures/{picture_name(key, item)})", ""]
        lines += [*_table(item, found.get(item.key, []), known), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def picture_name(key: str, item: Item) -> str:
    """The file of an item's picture."""
    return f"{key}-{item.key.replace(' ', '-')}.png"


def _table(item: Item, cells: list[Cell], known: dict[tuple[str, str], str]) -> Iterator[str]:
    if not cells:
        return
    ours_alone = not any((item.key, c.name) in known for c in cells)
    if ours_alone:
        yield "| | here | why |"
        yield "|---|---|---|"
    else:
        yield "| | paper | here | difference | why |"
        yield "|---|---|---|---|---|"
    for c in cells:
        printed = known.get((item.key, c.name))
        if ours_alone:
            yield f"| {c.name} | {_number(c.value)} | {c.why} |"
        else:
            shown = (c.name, printed or "not printed", _number(c.value), _difference(c, printed), c.why)
            yield f"| {' | '.join(shown)} |"


def _difference(c: Cell, printed: str | None) -> str:
    if printed is None:
        return ""
    paper = float(printed)
    if abs(c.value - paper) <= tolerance(printed) * 1.000001:
        return "exact"
    if paper == 0:
        return f"{c.value:+.3g}"
    if 0 < 10 * c.value < paper:
        return f"{float(f'{paper / c.value:.1e}'):,.0f} times less"
    return f"{100 * (c.value / paper - 1):+.1f} %"


def _number(value: float) -> str:
    if value == int(value) and abs(value) < 1e12:
        return str(int(value))
    return f"{value:.2f}" if 0.1 <= abs(value) < 1e6 else f"{value:.4g}"


def _duration(seconds: float) -> str:
    return f"{seconds / 60:.1f} minutes" if seconds >= 120 else f"{seconds:.1f} seconds"
