"""Labels of codes are those of what the codes mean now, or none."""

import polars as pl
import pytest

from shoal.io import read_table, write_table
from shoal.masking import global_recode
from shoal.search import recode_to_k
from shoal.table import Attribute, Table

LABELS = {"1": "here", "2": "north", "3": "south", "4": "west"}
ROWS = [["1", "1", "*"], ["2", "2", "*"], ["3", "2", "*"], ["4", "2", "*"]]


@pytest.fixture(params=[str, int])
def people(request):
    codes = [request.param(code) for code in "11223344"]
    labels = {request.param(code): label for code, label in LABELS.items()}
    return Table(
        pl.DataFrame({"origin": codes}), (Attribute("origin", "nominal", "quasi", value_labels=labels),)
    )


def test_a_code_that_stands_for_more_has_no_label(people):
    """mu-Argus's recodings write 2 for 2 to 4: it is not the north any longer."""
    recoded = global_recode(people, levels={"origin": 1}, hierarchies={"origin": ROWS})
    assert set(recoded.frame["origin"]) == {"1", "2"}
    assert recoded.attribute("origin").value_labels == {"1": "here"}
    merged = global_recode(people, merge={"origin": {"2": ["2", "3"]}})
    assert merged.attribute("origin").value_labels == {"1": "here", "4": "west"}


def test_neither_has_one_that_a_search_recoded(people):
    recoded = recode_to_k(people, k=3, hierarchies={"origin": [[*row[:2], "+", "*"] for row in ROWS]})
    labels = recoded.attribute("origin").value_labels
    assert "2" not in labels or recoded.frame["origin"].to_list().count("2") == 2


def test_no_wrong_label_reaches_a_file(people, tmp_path):
    pytest.importorskip("pyreadstat")
    recoded = global_recode(people, levels={"origin": 1}, hierarchies={"origin": ROWS})
    back = read_table(write_table(recoded, tmp_path / "a.sav"))
    assert back.attribute("origin").value_labels == {"1": "here"}
