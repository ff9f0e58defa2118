"""Groups by hand: what is merged, what stays, what is refused."""

from __future__ import annotations

import pytest

from shoal.errors import InvalidInput
from shoal.hierarchy import hierarchy_by_hand


def test_groups_of_groups():
    found = hierarchy_by_hand(
        ["a", "b", "c", None, float("nan"), 4], [("ab", ["a", "b"]), ("abc", ["ab", "c"])]
    )
    assert set(found.paths) == {
        ("a", "ab", "abc", "*"),
        ("b", "ab", "abc", "*"),
        ("c", "c", "abc", "*"),
        ("4", "4", "4", "*"),
    }


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ([("x", ["secret"])], "Group 1 merges something"),
        ([("x", ["a"]), ("y", ["a"])], "Group 2 merges what another"),
        ([("x", ["a"]), ("a", ["x"])], "Group 2 is called like a value"),
        ([("x", ["a"]), ("y", ["x"]), ("x", ["y"])], "cycle"),
    ],
)
def test_what_cannot_be_is_one_sentence_without_a_value(groups, said):
    with pytest.raises(InvalidInput, match=said) as refused:
        hierarchy_by_hand(["a", "b"], groups)
    assert "secret" not in str(refused.value)
