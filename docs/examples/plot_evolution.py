"""
How a search came down
======================

Every evolutionary search keeps its history, generation by generation; here three runs of the genetic
algorithm of Solanas (2008) on thirty records, which differ in how often a gene mutates.
"""

from shoal.datasets import make_scattered
from shoal.encode import encode
from shoal.partition import genetic
from shoal.report import plot_convergence

X = encode(make_scattered(30, d=2, rng=1))
searches = {
    f"mutation {share}": genetic(X, 3, mutation_rate=share, generations=500, details=True, rng=1)
    for share in (0.02, 0.1, 0.5)
}
figure = plot_convergence(searches, value="loss (%)")
