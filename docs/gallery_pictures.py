"""What sphinx-gallery shows below the lines of an example: the figures its names stand for."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst


def scraper(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any], **_: Any) -> str:
    """Save the figures drawn since the block before; those of shoal belong to no window of pyplot."""
    written = []
    for name, figure in list(block_vars["example_globals"].items()):
        if isinstance(figure, Figure) and not name.startswith("_") and not hasattr(figure, "in_gallery"):
            figure.in_gallery = True
            path = str(next(block_vars["image_path_iterator"]))
            figure.savefig(path, dpi=110)
            written.append(path)
    return str(figure_rst(written, gallery_conf["src_dir"]))
