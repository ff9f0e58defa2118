"""How the site is built: `make docs`, without a network."""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "src"))

import make_reference  # noqa: E402

import shoal  # noqa: E402

project = "shoal"
author = "The shoal developers"
copyright = "the shoal developers, BSD-3-Clause"
version = release = shoal.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["inventories", "_static", "examples", "gallery/*.ipynb", "**.ipynb_checkpoints"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # notebooks show what docs/make_notebooks.py kept; a test runs them again
suppress_warnings = [
    "ref.python"
]  # a name such as `kept` belongs to several classes: no link is better than a wrong one

# The gallery: every script of examples/ is run, and what it draws stands below its lines.
sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "image_scrapers": ("gallery_pictures.scraper",),
    "reset_modules": (),
    "capture_repr": (),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 3600,  # seconds: what a page took says nothing to its reader
    "write_computation_times": False,
    "remove_config_comments": True,
}

# Inventories of other projects lie here, so that the site builds without a network.
intersphinx_mapping = {
    "python": ("https://docs.python.org/3", "inventories/python.inv"),
    "numpy": ("https://numpy.org/doc/stable", "inventories/numpy.inv"),
    "scipy": ("https://docs.scipy.org/doc/scipy", "inventories/scipy.inv"),
    "pandas": ("https://pandas.pydata.org/docs", "inventories/pandas.inv"),
    "sklearn": ("https://scikit-learn.org/stable", "inventories/sklearn.inv"),
}

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_type_aliases = {  # the words of `shoal.types` stay words
    name: name for name in ("Callback", "Labels", "MapLike", "Matrix", "Partitioner", "RandomState")
}
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
maximum_signature_line_length = 80  # characters; longer signatures get a line per argument
default_role = "py:obj"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
add_module_names = False
toc_object_entries = False

html_theme = "pydata_sphinx_theme"
html_title = f"shoal {version}"
html_static_path = ["_static"]
html_css_files = ["shoal.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": f"shoal {version}"},
    "show_version_warning_banner": False,
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "back_to_top_button": True,
}
html_sidebars = {page: [] for page in ("index", "quickstart", "studio")}  # nothing stands below them
html_context = {"default_mode": "auto"}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def _readable_signature(app, what, name, thing, options, signature, returns):  # type: ignore[no-untyped-def]
    """A function as a default value, and a name of `shoal.types`, are shown by their name."""
    plain = re.sub(r"<function (\w+)[^>]*>|TypeAliasForwardRef\('(\w+)'\)", r"\1\2", signature or "")
    return plain or None, returns


def _plain_formulas(app, what, name, thing, options, lines):  # type: ignore[no-untyped-def]
    """Docstrings write |x| and a * b as mathematics does; to Sphinx they would mean something else."""
    for i, line in enumerate(lines):
        parts = line.split("`")
        lines[i] = "`".join(
            re.sub(r"[|*]|(?<=\w)_(?!\w)", r"\\\g<0>", p) if j % 2 == 0 else p for j, p in enumerate(parts)
        )


def _no_module_by_chance(app, env, node, contnode):  # type: ignore[no-untyped-def]
    """A result called `trace` is not Python's module of that name."""
    return contnode if node.get("reftarget") in sys.stdlib_module_names else None


def _accessible(app, failed):  # type: ignore[no-untyped-def]
    """What axe-core minds in Sphinx's own HTML: lists without terms; heads, folds and links without words."""
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        mended = re.sub(
            r"<dl>\n((?:<dd><em class=\"sig-param.*?</dd>\n)+)</dl>",
            lambda found: found[1].replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>"),
            text,
        )
        mended = re.sub(r'<th class="head([^"]*)"><p></p></th>', r'<td class="head\1"></td>', mended)
        mended = mended.replace(
            '<summary><span class="toctree-toggle',
            '<summary aria-label="Pages below"><span class="toctree-toggle',
        )
        mended = re.sub(
            r'(href="[^"]+")(><span class="doc">)([^<]+)(</span></a></p>\n *<div class="sphx-glr)',
            r'\1 aria-label="\3"\2\3\4',
            mended,
        )
        if mended != text:
            page.write_text(mended, encoding="utf-8")


def _outer_links(app, failed):  # type: ignore[no-untyped-def]
    """Links that leave the site cannot be followed without a network; they are listed."""
    found: dict[str, set[str]] = {}
    for page in Path(app.outdir).rglob("*.html"):
        for link in re.findall(r'href="(https?://[^"]+)"', page.read_text(encoding="utf-8")):
            found.setdefault(link, set()).add(str(page.relative_to(app.outdir)))
    lines = [f"{link}\t{', '.join(sorted(pages)[:3])}" for link, pages in sorted(found.items())]
    (Path(app.outdir) / "outer-links.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def setup(app):  # type: ignore[no-untyped-def]
    make_reference.write(HERE / "reference")
    app.connect("autodoc-process-signature", _readable_signature)
    app.connect("autodoc-process-docstring", _plain_formulas, priority=400)  # before numpydoc
    app.connect("missing-reference", _no_module_by_chance, priority=400)  # before intersphinx
    app.connect("build-finished", _accessible)
    app.connect("build-finished", _outer_links)
