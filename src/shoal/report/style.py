"""The one look of all pictures: colours, figures, labels, and a figure as text for a page."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from shoal._shared.display import picture_class
from shoal.errors import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE = Path(__file__).with_name("shoal.mplstyle")
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#999999"  # Okabe and Ito
INK = "#3a3a3a"
LONGEST = 28  # letters of a label
P = ParamSpec("P")
R = TypeVar("R")


def drawn(plot: Callable[P, R]) -> Callable[P, R]:
    """A function that draws in the look of the house, whatever the notebook around it is set to."""

    @wraps(plot)
    def draw(*positional: P.args, **options: P.kwargs) -> R:
        try:
            from matplotlib import rc_context
        except ImportError as error:
            raise InvalidInput(_missing()) from error
        with rc_context(fname=STYLE):
            return plot(*positional, **options)

    return draw


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, in inches, that belongs to no window and shows itself in a notebook."""
    try:
        return picture_class()(figsize=(width, height), layout="constrained")
    except ImportError as error:
        raise InvalidInput(_missing()) from error


def label(text: object) -> str:
    r"""A name as matplotlib shows it letter by letter: no formula, no line break, not too long.

    >>> label("pay in $ or $US")
    'pay in \\$ or \\$US'
    >>> label("a very long name of a variable of a survey")
    'a very long name of a varia…'
    """
    plain = " ".join(str(text).split()) or " "
    plain = "".join(letter if letter.isprintable() else "?" for letter in plain)
    plain = plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"
    return plain.replace("$", r"\$")


def percent_axis(axis: Axes, what: str = "records (%)") -> None:
    """A vertical axis in percent from 0, with light lines to read from."""
    axis.set_ylabel(what)
    axis.set_ylim(bottom=0)
    axis.grid(axis="y")


def legend_above(axis: Axes) -> None:
    """The legend in a line above the axes, where it hides nothing."""
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.2, borderpad=0.2)


def as_svg(figure: Figure, prefix: str) -> str:
    """The figure as an SVG element for a page: it takes the page's colours and its ids are its own."""
    from matplotlib import rc_context

    buffer = io.StringIO()
    with rc_context(fname=STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # the browser has the letters
        empty = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(buffer, format="svg", transparent=True, metadata=empty)
    text = buffer.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', text)
    text = re.sub(r'(url\(|href=")#', rf"\1#{prefix}-", text)
    text = re.sub(r"'DejaVu Sans'[^;\"]*", "var(--letters)", text)
    for colour, name in ((INK, "ink"), (BLUE, "blue"), (ORANGE, "orange"), (GREEN, "green"), (GREY, "grey")):
        text = re.sub(colour, f"var(--{name})", text, flags=re.IGNORECASE)
    return re.sub(r"\n\s*", "\n", text).strip()


def _missing() -> str:
    return "Pictures need matplotlib; install it with: pip install 'shoal[report]'."
