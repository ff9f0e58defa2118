"""The pictures of a report: titles, words, labelled axes, files."""

from __future__ import annotations

import pytest

from report.files import facts
from shoal import InvalidInput
from shoal.report import (
    write_plots,
)
from shoal.report.figures import pictures

pytest.importorskip("matplotlib", reason="pictures need the extra `report`")


def test_every_picture_has_words_and_labelled_axes():
    for public in (False, True):
        for picture in pictures(facts(public)):
            assert picture.title
            assert len(picture.words) > 20
            for axis in picture.figure.axes:
                labelled = axis.get_xlabel() or axis.get_ylabel() or axis.get_title(loc="left")
                assert labelled, picture.name
    assert {p.name for p in pictures(facts(public=True))} == {
        *("correlations-after", "variable-1", "variable-2", "variable-3", "variable-4"),
    }


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_plots_are_written(tmp_path, kind):
    written = write_plots(facts(public=True), tmp_path / "plots", format=kind)
    assert [path.suffix for path in written] == [f".{kind}"] * 5
    assert min(path.stat().st_size for path in written) > 3000
    with pytest.raises(InvalidInput, match="exists already"):
        write_plots(facts(public=True), tmp_path / "plots", format=kind)
    write_plots(facts(public=True), tmp_path / "plots", format=kind, overwrite=True)
    with pytest.raises(InvalidInput, match="'svg' or 'png'"):
        write_plots(facts(), tmp_path, format="gif")
