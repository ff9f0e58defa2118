"""Write the tables of the docs from the benchmarks' committed results. Run: python docs/make_tables.py"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

ROOT = Path(__file__).parent.parent
BEGIN, END = "<!-- table: {} -->", "<!-- end of table -->"


def markdown(path: Path) -> str:
    """A csv file as a Markdown table, numbers to the right."""
    table = pl.read_csv(path)
    marks = ["---:" if dtype.is_numeric() else "---" for dtype in table.dtypes]
    heads = [in_words(name) for name in table.columns]
    rows = [heads, marks, *([_text(cell) for cell in row] for row in table.iter_rows())]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def in_words(name: str) -> str:
    """The name of a column of results as people say it.

    >>> in_words("loss_k3"), in_words("peak_mb"), in_words("mdav_seconds")
    ('loss, k = 3', 'peak, MB', 'MDAV, seconds')
    """
    words = re.sub(r"_k(\d+)$", r", k = \1", name)
    words = re.sub(
        r"_(mb|ms|seconds)$", lambda unit: f", {unit[1].upper() if unit[1] == 'mb' else unit[1]}", words
    )
    words = (
        words.replace("us_a_record", "µs a record")
        .replace("cpu, seconds", "processor seconds")
        .replace("_", " ")
    )
    return re.sub(r"\bmdav\b", "MDAV", words)


def _text(cell: object) -> str:
    return "" if cell is None else f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def filled(page: str) -> str:
    """The page with every table between its marks made anew."""
    for part in page.split("<!-- table: ")[1:]:
        name = part.split(" -->")[0]
        begin = BEGIN.format(name)
        before, rest = page.split(begin, 1)
        after = rest.split(END, 1)[1]
        page = f"{before}{begin}\n{markdown(ROOT / 'benchmarks' / name)}\n{END}{after}"
    return page


if __name__ == "__main__":
    for path in sorted((ROOT / "docs").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if "<!-- table: " in text:
            path.write_text(filled(text), encoding="utf-8")
