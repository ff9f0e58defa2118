"""
The pictures of a report
========================

A report is a dict of facts first (`summary`); every picture is drawn from it.
"""

from shoal import as_table, microaggregate
from shoal.datasets import make_census
from shoal.report import (
    plot_changes,
    plot_correlations,
    plot_distribution,
    plot_figures,
    plot_groups,
    summary,
)

people = make_census(1000, rng=3).select(["age", "sex", "region", "household_size", "income", "tax"])
roles = {"quasi": ["age", "sex", "region", "household_size"], "confidential": ["income", "tax"]}
table = as_table(people, roles=roles)
masked = microaggregate(table, k=5)
facts = summary(table, masked)

# %%
# **How many look alike.** Before, most people were alone or nearly so; after, everybody has company
# of at least five.

groups = plot_groups(facts)

# %%
# **What it cost, what is left to find.** Every loss and every risk, from 0 to 100.

figures = plot_figures(facts)

# %%
# **Which variables changed most.**

changes = plot_changes(facts)

# %%
# **A number before and after**, and a category.

variables = {variable["name"]: variable for variable in facts["variables"]}
age = plot_distribution(variables["age"])
region = plot_distribution(variables["region"])

# %%
# **Correlations** after masking, and what changed.

after = plot_correlations(facts, which="after")
change = plot_correlations(facts, which="change")
