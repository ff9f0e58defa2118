"""SUDA on the files of sdcMicro: scores and DIS scores as its authors' program gives them."""

from __future__ import annotations

import polars as pl
import pytest

from papers.sdcmicro_files import sdcmicro_file
from shoal import as_table
from shoal.measures import suda_scores

FIVE = ["urbrur", "roof", "walls", "water", "sex"]
SEVEN = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]


@pytest.mark.parametrize(
    ("file", "keys", "total"), [("testdata", SEVEN, 4890), ("testdata", FIVE, 19), ("testdata2", FIVE, 149)]
)
def test_total_score(file, keys, total):
    assert suda_scores(sdcmicro_file(file, keys))["score"].sum() == total


def test_dis_of_the_eight_persons():
    keys = ["Key1", "Key2", "Key3", "Key4"]
    dis = suda_scores(sdcmicro_file("francdat", keys), fraction=0.1)["dis"]
    assert dis.round(3).to_list() == [0, 0, 0, 0.137, 0.101, 0.065, 0.137, 0]


def test_a_file_without_pairs_is_certain():
    scores = suda_scores(sdcmicro_file("testdata2", SEVEN), fraction=0.01)
    assert scores["dis"].mean() == 1


def test_names_of_columns_do_not_matter():
    table = sdcmicro_file("testdata2", FIVE)
    other = as_table(pl.DataFrame({f"c{j}": table.column(name) for j, name in enumerate(FIVE)}))
    assert suda_scores(other)["score"].to_list() == suda_scores(table)["score"].to_list()
