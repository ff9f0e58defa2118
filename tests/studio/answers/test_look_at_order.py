"""The categories of a column, in the order they have now."""

from __future__ import annotations

import pytest

from shoal.errors import InvalidInput
from shoal.studio.answers.desk import Desk
from shoal.studio.answers.look_at_order import MOST_CATEGORIES, look_at_order
from shoal.studio.plan import EMPTY


def looked(path, column, **kinds):
    plan = {**EMPTY, "source": str(path), "kinds": kinds}
    return look_at_order(Desk(), lambda progress: None, plan=plan, column=column)


def test_words_are_listed_and_gaps_are_not(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "school,code,many\n" + "".join(f"{s},{i},v{i}\n" for i, s in enumerate(["low", "high", "", "low"]))
    )
    assert looked(path, "school") == {"categories": ["high", "low"], "records": [1, 2]}
    given = looked(path, "school", school=["low", "high"])
    assert given == {"categories": ["low", "high"], "records": [2, 1]}
    with pytest.raises(InvalidInput, match="in order by themselves"):
        looked(path, "code")


def test_too_many_are_refused_without_naming_one(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("name\n" + "".join(f"v{i}\n" for i in range(MOST_CATEGORIES + 1)))
    with pytest.raises(InvalidInput, match="at most 100") as refused:
        looked(path, "name")
    assert "v1" not in str(refused.value)
