"""Reference files: looked up, read with their roles, and a clear sentence when they are not here."""

from __future__ import annotations

import gzip
from fnmatch import fnmatchcase

import polars as pl
import pytest

from shoal.datasets import read_reference, reference, reference_names
from shoal.datasets.catalogue import REFERENCES
from shoal.errors import InvalidInput

BY_NAME = {entry.name: entry for entry in REFERENCES}


def read_or_skip(name):
    if reference.find_reference(BY_NAME[name]) is None:
        pytest.skip(f"reference file {BY_NAME[name].path} is not here (set SHOAL_DATA to its folder)")
    return read_reference(name)


@pytest.fixture
def empty_world(tmp_path, monkeypatch):
    """A machine without reference files."""
    monkeypatch.delenv("SHOAL_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reference, "__file__", str(tmp_path / "a/b/src/shoal/datasets/reference.py"))
    return tmp_path


def write_casc1(folder, rows=13):
    (folder / "sdcmicro").mkdir(parents=True)
    frame = pl.DataFrame({f"V{j}": list(range(j, j + rows)) for j in range(1, 8)})
    frame.write_csv(folder / "sdcmicro" / "casc1.csv")


def test_names_and_files_are_unique():
    assert len(set(reference_names())) == len(REFERENCES)
    assert len({entry.path for entry in REFERENCES}) == len(REFERENCES)
    assert {"census", "tarragona", "eia", "adult", "german_credit", "solar_flare"} <= set(reference_names())


def test_unknown_name_is_answered_with_a_known_one():
    with pytest.raises(InvalidInput, match="Did you mean 'tarragona'"):
        read_reference("taragona")


def test_missing_file_says_where_it_looked_and_where_to_get_it(empty_world, monkeypatch):
    monkeypatch.setenv("SHOAL_DATA", str(empty_world / "mine"))
    with pytest.raises(InvalidInput) as caught:
        read_reference("eia")
    sentence = str(caught.value)
    for part in ("sdcmicro/EIA.csv", "sdcMicro", "SHOAL_DATA", str(empty_world / "mine")):
        assert part in sentence
    assert str(empty_world.parent / "shared" / "datasets") in sentence
    assert str(empty_world / "a" / "shared" / "datasets") in sentence


@pytest.mark.parametrize("entry", REFERENCES, ids=lambda entry: entry.name)
def test_every_missing_file_names_its_source(entry, empty_world):
    with pytest.raises(InvalidInput) as caught:
        read_reference(entry.name)
    assert entry.path in str(caught.value)
    assert entry.origin in str(caught.value)


def test_the_named_folder_comes_first(empty_world, monkeypatch):
    monkeypatch.setenv("SHOAL_DATA", str(empty_world / "mine"))
    (empty_world / "here").mkdir()
    monkeypatch.chdir(empty_world / "here")
    write_casc1(empty_world / "shared" / "datasets")
    assert reference.find_reference(BY_NAME["casc1"]).parent.parent.name == "datasets"
    write_casc1(empty_world / "mine")
    assert reference.find_reference(BY_NAME["casc1"]).parent.parent.name == "mine"
    assert read_reference("casc1").names(role="quasi") == [f"V{j}" for j in range(1, 8)]


def test_the_checkout_is_looked_at_too(empty_world):
    write_casc1(empty_world / "a" / "shared" / "datasets")
    assert len(read_reference("casc1")) == 13


def test_a_file_of_another_shape_is_refused(empty_world, monkeypatch):
    monkeypatch.setenv("SHOAL_DATA", str(empty_world / "mine"))
    write_casc1(empty_world / "mine", rows=12)
    with pytest.raises(InvalidInput, match="has 12 records and 7 columns, the reference file has 13 and 7"):
        read_reference("casc1")


def test_compressed_files_are_read(empty_world, monkeypatch):
    monkeypatch.setenv("SHOAL_DATA", str(empty_world))
    (empty_world / "locations").mkdir()
    names = [f"{axis}{j}" for j in range(1, 31) for axis in ("lat", "lon")]
    lines = [",".join(names)] + [",".join(f"{i + j / 64}" for j in range(60)) for i in range(969)]
    (empty_world / "locations" / "barcelona.csv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    table = read_reference("barcelona")
    assert table.names(role="quasi", kind="numeric") == names


@pytest.mark.parametrize("entry", REFERENCES, ids=lambda entry: entry.name)
def test_reference_is_read_with_roles(entry):
    table = read_or_skip(entry.name)
    assert isinstance(table.frame, pl.DataFrame)
    assert table.frame.shape == (entry.records, entry.columns)
    assert table.names(role="quasi")
    for name in entry.orders:
        assert table.attribute(name).order == entry.orders[name]


@pytest.mark.parametrize("entry", REFERENCES, ids=lambda entry: entry.name)
def test_every_word_of_the_catalogue_names_a_column(entry):
    names = read_or_skip(entry.name).names()
    words = [entry.identifier, entry.confidential, entry.quasi, entry.numeric, entry.ordinal, entry.nominal]
    for pattern in " ".join([*words, *entry.orders]).split():
        assert any(fnmatchcase(name, pattern) for name in names), pattern


def test_census_and_tarragona_are_thirteen_numeric_quasi_identifiers():
    for name in ("census", "tarragona"):
        assert len(read_or_skip(name).names(role="quasi", kind="numeric")) == 13


def test_eia_takes_the_utility_and_ten_amounts():
    table = read_or_skip("eia")
    quasi = table.names(role="quasi", kind="numeric")
    assert quasi[0] == "UTILITYID"
    assert len(quasi) == 11
    assert table.names(role="other") == ["STATE", "YEAR", "MONTH"]
    assert table.names(role="identifier") == ["UTILNAME"]


def test_adult_keeps_its_missing_values():
    table = read_or_skip("adult")
    missing = {name: count for name, count in table.missing().items() if count}
    assert sum(missing.values()) == 6465
    assert set(missing) == {"workclass", "occupation", "native-country"}
    assert table.names(role="confidential") == ["income"]
    ages = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    assert table.names(kind="numeric") == ages


def test_water_treatment_keeps_its_missing_values():
    table = read_or_skip("water_treatment")
    assert sum(table.missing().values()) == 591
    assert len(table.names(role="quasi", kind="numeric")) == 38


def test_codes_are_not_numbers():
    assert read_or_skip("mach2019").names(kind="numeric") == []
    assert read_or_skip("solar_flare").names(kind="numeric") == []
    assert read_or_skip("german_credit").names(kind="numeric") == ["duration_months", "credit_amount", "age"]
    assert len(read_or_skip("credit_default").names(kind="numeric")) == 14
    assert read_or_skip("cmc").names(kind="numeric") == ["Wifes_age", "Number_of_children_ever_born"]
    assert read_or_skip("francdat").names(kind="nominal") == ["Key1", "Key2", "Key3", "Key4"]


def test_free1_weight_has_no_role_and_amounts_are_confidential():
    table = read_or_skip("free1")
    assert table.names(role="other") == ["WEIGHT"]
    assert table.names(role="confidential") == ["INCOME", "MONEY", "ASSETS", "DEBTS"]
