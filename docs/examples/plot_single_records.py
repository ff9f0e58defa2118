"""
Single records, before and after
================================

Every record of the original is joined to the point its group is released as. It shows original records,
so it is for made-up files and for the owner of the data alone.
"""

from shoal import as_table, microaggregate
from shoal.datasets import make_census
from shoal.report import plot_records

people = make_census(400, rng=3)
earning = people.take(people.column("income") > 0)
table = as_table(earning.take(range(80)).select(["age", "income"]), roles={"quasi": ["age", "income"]})
figure = plot_records(table, microaggregate(table, k=4), ["age", "income"])
