"""Write the tables of the docs from the benchmarks' committed results. Run: python docs/make_tables.py

A table stands between marks that name its file and, if it shows a part of it, the query (`self` is the file;
others of its folder go by their names):

    <!-- table: quality/large.csv
    select file, best_loss from self where k = 5 -->
    <!-- end of table -->
"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

ROOT = Path(__file__).parent.parent
TABLE = re.compile(r"(<!-- table: (\S+)\s(.*?)-->\n).*?(<!-- end of table -->)", re.DOTALL)


def results(name: str, query: str) -> pl.DataFrame:
    """A committed csv file of `benchmarks/`, or what a query in SQL takes out of it and its neighbours."""
    path = ROOT / "benchmarks" / name
    frames = {p.stem: pl.scan_csv(p, infer_schema_length=None) for p in path.parent.glob("*.csv")}
    context = pl.SQLContext(frames | {"self": frames[path.stem]})
    return context.execute(query if query.strip() else "select * from self", eager=True)


def markdown(table: pl.DataFrame) -> str:
    """Results as a Markdown table, numbers to the right."""
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
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return "" if cell is None else f"{cell:,}" if isinstance(cell, int) else str(cell)


def filled(page: str) -> str:
    """The page with every table between its marks made anew."""
    return TABLE.sub(lambda m: f"{m[1]}{markdown(results(m[2], m[3]))}\n{m[4]}", page)


if __name__ == "__main__":
    for path in sorted((ROOT / "docs").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if (made := filled(text)) != text:
            path.write_text(made, encoding="utf-8")
