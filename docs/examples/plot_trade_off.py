"""
Loss against risk of many maskings
==================================

What `explore` found. Filled points joined by the line are beaten by no other; hollow points miss the
promise; the ring is the recipe that was chosen, and the dashed line is the risk one is ready to take.
"""

from shoal import as_table, explore
from shoal.datasets import make_census
from shoal.report import plot_trade_off
from shoal.workflow.explore import make_recipes

people = make_census(1000, rng=3).select(["age", "sex", "region", "household_size", "income"])
roles = {"quasi": ["age", "sex", "region", "household_size"], "confidential": ["income"]}
grid = {
    "mdav": {"k": [3, 5, 10, 20]},
    "mondrian": {"k": [3, 5, 10, 20]},
    "rank_swap": {"percent": [2, 5, 10, 20]},
}
found = explore(as_table(people, roles=roles), make_recipes(grid, roles=roles), rng=1)
figure = plot_trade_off(found, chosen="mdav, k = 5", risk=50)
