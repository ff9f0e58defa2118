"""The report as one self-contained page, and as Markdown; both only repeat the facts of a summary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import InvalidInput
from shoal.measures.description.figure_words import in_words, words_of
from shoal.report.figures import pictures
from shoal.report.style import as_svg

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = Path(__file__).parent / "templates"
Facts = Mapping[str, Any]


def page(facts: Facts) -> str:
    """Write a summary as one HTML page that needs nothing else: no network, no script, no other file.

    Parameters
    ----------
    facts
        What `summary` found.

    Returns
    -------
    str
        HTML of a few hundred kilobytes, under 3 MB whatever the file: pictures are drawn from counts, and of
        very many variables only the most changed are drawn.

    Notes
    -----
    Light and dark, for wide and narrow screens, printers and screen readers. Text from the file, such as
    names of columns and categories, is escaped. Needs the extra `report` (matplotlib, jinja2). Time does not
    depend on the number of records.

    Examples
    --------
    >>> from shoal import microaggregate
    >>> from shoal.datasets import load_sme
    >>> from shoal.report import summary
    >>> page(summary(load_sme(), microaggregate(load_sme(), k=3)))[:15]
    '<!DOCTYPE html>'
    """
    _check(facts)
    drawn = {
        picture.name: {
            "id": f"p{at}",
            "title": picture.title,
            "words": picture.words,
            "svg": as_svg(picture.figure, f"p{at}"),
        }
        for at, picture in enumerate(pictures(facts))
    }
    return _template("page.html").render(facts=facts, pictures=drawn)


def markdown(facts: Facts) -> str:
    """Write a summary as a short Markdown text, without pictures.

    Parameters
    ----------
    facts
        What `summary` found.

    Returns
    -------
    str

    Notes
    -----
    Needs the extra `report` (jinja2). Time does not depend on the number of records.

    Examples
    --------
    >>> from shoal import microaggregate
    >>> from shoal.datasets import load_sme
    >>> from shoal.report import summary
    >>> print(markdown(summary(load_sme(), microaggregate(load_sme(), k=3))).splitlines()[0])
    # How this file was protected
    """
    _check(facts)
    return _template("summary.md").render(facts=facts)


def _check(facts: Any) -> None:
    if not isinstance(facts, Mapping) or "public" not in facts:
        raise InvalidInput(f"`facts` must be what summary() gives, got {type(facts).__name__}.")


def _template(name: str) -> Template:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise InvalidInput(
            "A report needs jinja2 and matplotlib; install them with: pip install 'shoal[report]'."
        ) from error
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["figure"] = in_words
    environment.filters["name_of"] = name_of
    environment.filters["cell"] = cell_text
    environment.filters["md"] = markdown_text
    return environment.get_template(name)


def name_of(figure: str) -> str:
    """What a figure is called.

    >>> name_of("dbil")
    'Distance of categories'
    """
    return words_of(figure).name


def cell_text(value: Any) -> str:
    """A number in six digits or to the unit, or a dash.

    >>> cell_text(1234567.891), cell_text(0.1234567), cell_text(None)
    ('1,234,568', '0.123457', '–')
    """
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:,.0f}" if 1e6 <= abs(value) < 1e15 else f"{value:.6g}"
    return str(value)


def markdown_text(value: Any) -> str:
    """Text that means nothing to Markdown: on one line, without marks for tables, tags and emphasis.

    >>> markdown_text("a|b <i> *c*")
    'a\\\\|b &lt;i> \\\\*c\\\\*'
    """
    plain = " ".join(str(value).split()).replace("<", "&lt;")
    return re.sub(r"([\\`*_|\[\]])", r"\\\1", plain)
