"""Undo without an end, that survives a restart and a crash."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import InvalidInput
from shoal.studio.plan import EMPTY
from shoal.studio.revisions import Revisions


@given(st.lists(st.sampled_from(["undo", "redo", "a", "b", "c"]), max_size=40))
def test_it_is_a_list_and_a_place_in_it(acts):
    history, states, at = Revisions({"x": 0}), [0], 0
    for count, act in enumerate(acts, 1):
        if act == "undo":
            history.undo()
            at = max(at - 1, 0)
        elif act == "redo":
            history.redo()
            at = min(at + 1, len(states) - 1)
        else:
            history.change(act, x=count)
            del states[at + 1 :]
            states.append(count)
            at += 1
        assert history.plan["x"] == states[at]
        assert bool(history.undoes) == (at > 0)
        assert bool(history.redoes) == (at < len(states) - 1)


def test_it_survives_a_restart_with_undo_and_redo(tmp_path):
    path = tmp_path / "history.jsonl"
    first = Revisions(EMPTY, path)
    first.change("age", roles={"age": "quasi"})
    first.change("sex", roles={"sex": "quasi"})
    first.undo()
    again = Revisions(EMPTY, path)
    assert (again.number, again.plan) == (first.number, first.plan)
    assert again.plan["roles"] == {"age": "quasi"}
    assert again.redo() == "sex"
    assert again.since(1) == ["sex", "taken back: sex", "done again: sex"]
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("torn", ['{"said": "x", "se', '{"said": "x"}', "[]\n", "\xff\n", '{"undo": true}'])
def test_a_line_that_a_crash_cut_off_is_forgotten(tmp_path, torn):
    path = tmp_path / "history.jsonl"
    Revisions(EMPTY, path).change("age", roles={"age": "quasi"})
    whole = path.read_bytes()
    path.write_bytes(whole + torn.encode("latin-1"))
    found = Revisions(EMPTY, path)
    assert found.plan["roles"] == {"age": "quasi"}
    assert path.read_bytes() == whole
    found.change("more", roles={"sex": "quasi"})
    assert [json.loads(line)["said"] for line in path.read_text().splitlines()] == ["age", "more"]


def test_what_cannot_be_kept_is_not_done(tmp_path):
    history = Revisions(EMPTY, tmp_path / "no" / "history.jsonl")
    with pytest.raises(InvalidInput, match="nothing was changed"):
        history.change("age", roles={"age": "quasi"})
    assert (history.number, history.plan["roles"]) == (0, {})
