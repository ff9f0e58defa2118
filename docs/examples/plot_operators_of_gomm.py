"""
What the operators of GOMM did
==============================

Groups of columns to mask together, found by a grouping genetic algorithm: how often each operator was
used, how long its children lived, and how often they were better than their parents.
"""

from shoal.datasets import make_scattered
from shoal.report import plot_best_costs, plot_operators
from shoal.search import gomm

table = make_scattered(100, d=6, rng=1)
found = gomm(table, k=10, population=20, generations=20, rng=1)
operators = plot_operators(found.history)

# %%
# **The best costs** of several searches, against one of them.

searches = {
    f"{n} individuals": gomm(table, k=10, population=n, generations=20, rng=1).history for n in (10, 20, 40)
}
costs = plot_best_costs(searches, reference="40 individuals")
