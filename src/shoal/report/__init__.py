"""Reports: figures and pictures of what other rooms computed."""

from shoal.report.operators import plot_best_costs, plot_operators

__all__ = ["plot_best_costs", "plot_operators"]
