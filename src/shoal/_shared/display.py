"""How results show in a notebook: small tables of plain texts, and pictures."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PIXELS = 144  # of an inch in a notebook


class Shown:
    """A result that a notebook shows as the text that `print` gives.

    >>> class Answer(Shown):
    ...     def __str__(self) -> str:
    ...         return "k < 5"
    >>> Answer()._repr_html_()
    '<pre style="white-space: pre-wrap">k &lt; 5</pre>'
    """

    def _repr_html_(self) -> str:
        return f'<pre style="white-space: pre-wrap">{escape(str(self))}</pre>'


@cache
def picture_class() -> type[Figure]:
    """Figures of matplotlib that a notebook shows without magic; defined late: matplotlib is an extra."""
    from matplotlib.figure import Figure

    class Picture(Figure):
        def _repr_png_(self) -> bytes:
            buffer = io.BytesIO()
            self.savefig(buffer, format="png", dpi=PIXELS)
            return buffer.getvalue()

    return Picture


def html_table(caption: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table for a notebook's `_repr_html_`; every cell is text, never markup.

    >>> html_table("two", ["a"], [["<b>"]])
    '<table><caption>two</caption><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )
