"""
A search for a recoding
=======================

Every recoding of the lattice that was counted is a point: how much it generalises against what it loses,
blue where the promise is kept, grey where it is not, and the best in orange.
"""

from shoal import as_table
from shoal.datasets import make_census
from shoal.report import plot_recoding
from shoal.search import find_recoding

people = make_census(1000, rng=3).select(["age", "sex", "household_size", "education"])
table = as_table(people, roles={"quasi": ["age", "sex", "household_size", "education"]})
hierarchies = {
    "age": {"widths": [5, 10, 20, 40]},
    "household_size": {"widths": [2, 4]},
}
lattice = plot_recoding(find_recoding(table, k=5, hierarchies=hierarchies, suppression=0.05))

# %%
# **A local recoding** mixes levels: which share of every column's cells is released at which level.

levels = plot_recoding(find_recoding(table, k=5, hierarchies=hierarchies, scheme="local"))
