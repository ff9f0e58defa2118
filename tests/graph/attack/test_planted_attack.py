from __future__ import annotations

from functools import partial

import pytest

from shoal import InvalidInput
from shoal.graph import as_graph, make_social, planted_attack, protect_graph, switch_edges


def test_accounts_are_found_in_what_is_not_changed_and_lost_where_much_is():
    graph = make_social(300, rng=1).graph()
    assert planted_attack(graph, rng=1) == 100
    assert planted_attack(graph, partial(protect_graph, k=5), rng=1) == 100  # only attributes change
    assert planted_attack(graph, partial(switch_edges, share=0.6, rng=1), rng=1) == 0


def test_columns_of_users_and_directions_do_no_harm():
    social = make_social(80, rng=1)
    users = {"user": social.users["user"], "age": [i % 7 for i in range(80)]}
    graph = as_graph(users, social.edges, directed=True)
    assert planted_attack(graph, targets=5, rng=1) == 100


def test_numbers_that_make_no_sense():
    graph = make_social(30, rng=1).graph()
    with pytest.raises(InvalidInput, match="at most 30 targets"):
        planted_attack(graph, targets=31)
    with pytest.raises(InvalidInput, match="More than 3 accounts"):
        planted_attack(graph, accounts=3)
