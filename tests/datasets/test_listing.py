"""The list of datasets covers what there is, and every call in it works."""

from __future__ import annotations

import dataclasses

import pytest

import shoal.datasets as datasets
from shoal.datasets import list_datasets, reference_names

LISTED = list_datasets()


def test_everything_is_listed_once():
    names = [info.name for info in LISTED]
    assert len(set(names)) == len(names)
    assert [info.name for info in LISTED if info.source == "reference"] == reference_names()
    ours = {info.name for info in LISTED if info.source != "reference"}
    assert ours == {name for name in datasets.__all__ if name.startswith(("load_", "make_"))}


@pytest.mark.parametrize("info", [i for i in LISTED if i.found], ids=lambda info: info.name)
def test_the_call_gives_a_table_of_that_shape(info):
    names = {name: getattr(datasets, name) for name in datasets.__all__}
    table = eval(info.call, {**names, "n": 60})
    assert len(table) == (info.records or 60)
    assert info.columns in (None, len(table.names()))


def test_found_says_whether_the_file_is_here(tmp_path, monkeypatch):
    monkeypatch.delenv("SHOAL_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(datasets.reference, "__file__", str(tmp_path / "a/b/src/shoal/datasets/reference.py"))
    assert not any(info.found for info in list_datasets() if info.source == "reference")
    assert all(info.found for info in list_datasets() if info.source != "reference")
    folder = tmp_path / "sdcmicro"
    folder.mkdir()
    (folder / "EIA.csv").touch()
    monkeypatch.setenv("SHOAL_DATA", str(tmp_path))
    assert [info.name for info in list_datasets() if info.found and info.source == "reference"] == ["eia"]


def test_a_line_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        LISTED[0].name = "other"
