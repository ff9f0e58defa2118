"""Notebooks: pictures and tables show without magic, and a bar shows how far the work is."""

import io

import pytest

import shoal
from shoal.progress import _in_notebook, progress_bar
from shoal.types import Progress

CELLS = [
    "import shoal\n"
    "from shoal.datasets import load_sme\n"
    "from shoal.report import plot_groups, summary\n"
    "table = load_sme()\n"
    "with shoal.progress_bar('protecting') as callback:\n"
    "    masked = shoal.microaggregate(table, k=3, callback=callback)\n"
    "facts = summary(table, masked)",
    "plot_groups(facts)",
    "table",
    "shoal.evaluate(table, masked)",
    "%matplotlib inline\nimport matplotlib.pyplot\nplot_groups(facts)",
]


@pytest.mark.slow
def test_a_notebook_shows_pictures_tables_and_bars(tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="the extra `test` is not installed")
    nbclient = pytest.importorskip("nbclient", reason="the extra `test` is not installed")
    pytest.importorskip("ipykernel", reason="the extra `test` is not installed")
    pytest.importorskip("matplotlib", reason="pictures need the extra `report`")
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=240, kernel_name="python3").execute()
    shown = [[output.get("data", {}) for output in cell.outputs] for cell in notebook.cells]
    assert any("text/html" in data for data in shown[0])  # the bar
    assert [list(data) for data in shown[1] if "image/png" in data]
    assert "<table" in shown[2][0]["text/html"]
    assert "text/html" in shown[3][0]
    assert sum("image/png" in data for data in shown[4]) == 1  # once, with the magic too


def test_a_figure_shows_itself():
    pytest.importorskip("matplotlib", reason="pictures need the extra `report`")
    from shoal.report.style import new_figure

    figure = new_figure(2, 1)
    assert figure._repr_png_().startswith(b"\x89PNG")
    figure.savefig(io.BytesIO(), format="svg")


def test_the_bar_of_a_notebook_moves_and_goes(monkeypatch):
    display = pytest.importorskip("IPython.display", reason="IPython is not installed")
    shown = []

    class Handle:
        def update(self, html):
            shown.append(html.data)

    monkeypatch.setattr(display, "display", lambda html, display_id: shown.append(html.data) or Handle())
    monkeypatch.setattr("shoal.progress.EVERY", 0.0)
    with _in_notebook("a < b") as callback:
        callback(Progress(0.5, "group 1"))
    assert shown == [
        '<progress max="1" value="0.000"></progress> 0.0 % a &lt; b',
        '<progress max="1" value="0.500"></progress> 50.0 % a &lt; b: group 1',
        "",
    ]


def test_nothing_is_written_into_a_pipe(capsys):
    with progress_bar("protecting") as callback:
        assert callback(Progress(0.5)) is None
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.strip() == ""


def test_the_bar_is_for_every_callback():
    table = shoal.as_table({"age": [20, 22, 61, 63]}, roles={"quasi": ["age"]})
    with shoal.progress_bar() as callback:
        assert shoal.evaluate(table, table, callback=callback).k == 1
