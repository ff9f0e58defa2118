"""How a file is written, besides its values: what a reader is told and a writer keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shoal.io.infer import Missing

if TYPE_CHECKING:
    from shoal.io.layout import Layout


@dataclass(frozen=True)
class Form:
    """The form of a file; what is None is detected on reading and usual for its extension on writing.

    Examples
    --------
    >>> Form(".csv", separator=";", decimal=",").encoding is None
    True
    """

    extension: str = ".csv"
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    line_end: str | None = None
    sheet: str | None = None
    layout: Layout | None = None
    dates: Mapping[str, str] = field(default_factory=dict)  # pattern of strftime by column
    missing_codes: Missing = None  # only for reading
    numeric: tuple[str, ...] = ()  # columns said to be numeric, only for reading
    keep_codes: bool = False  # user-missing codes stay values, only for reading
