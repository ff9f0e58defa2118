"""Reports: a summary of plain facts, pictures of it, and one page to hand over."""

from shoal.report.convergence import plot_convergence
from shoal.report.lattice import plot_recoding
from shoal.report.operators import plot_best_costs, plot_operators
from shoal.report.page import markdown, page
from shoal.report.plots import plot_changes, plot_correlations, plot_distribution, plot_figures, plot_groups
from shoal.report.records import plot_records
from shoal.report.summary import summary
from shoal.report.trade_off import plot_trade_off
from shoal.report.write_report import write_plots, write_report

__all__ = [
    "markdown",
    "page",
    "plot_best_costs",
    "plot_changes",
    "plot_convergence",
    "plot_correlations",
    "plot_distribution",
    "plot_figures",
    "plot_groups",
    "plot_operators",
    "plot_recoding",
    "plot_records",
    "plot_trade_off",
    "summary",
    "write_plots",
    "write_report",
]
