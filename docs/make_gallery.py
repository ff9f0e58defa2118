"""Draw the gallery: every picture of a report, from a made-up file. Run: python docs/make_gallery.py"""

from __future__ import annotations

from pathlib import Path

from shoal import Recipe, as_table, evaluate, explore
from shoal.datasets import make_census
from shoal.report import (
    plot_changes,
    plot_correlations,
    plot_distribution,
    plot_figures,
    plot_groups,
    plot_trade_off,
    summary,
)
from shoal.workflow.explore import make_recipes

ROLES = {"quasi": ["age", "sex", "region", "household_size"], "confidential": ["income", "tax"]}
KEPT = [*ROLES["quasi"], *ROLES["confidential"]]
GRID = {
    "mdav": {"k": [3, 5, 10, 20, 40]},
    "mondrian": {"k": [3, 5, 10, 20, 40]},
    "rank_swap": {"percent": [2, 5, 10, 20, 40]},
    "add_noise": {"amount": [0.1, 0.3, 0.5, 1.0]},
}


def draw(folder: Path, n: int = 3000) -> list[Path]:
    """Write every picture to the folder; n is the number of made-up people."""
    table = as_table(make_census(n, rng=3).select(KEPT), roles=ROLES)
    recipes = make_recipes(GRID, roles=ROLES)
    found = explore(table, recipes, rng=1)
    recipe: Recipe = next(recipe for recipe in recipes if recipe.name == "mdav, k = 5")
    masked = recipe.run(table, rng=1)
    facts = summary(table, masked, evaluation=evaluate(table, masked), recipe=recipe, exploration=found)
    of = {variable["name"]: variable for variable in facts["variables"]}
    figures = {
        "trade-off": plot_trade_off(found, chosen=recipe.name, risk=50),
        "figures": plot_figures(facts),
        "groups": plot_groups(facts),
        "changes": plot_changes(facts),
        "age": plot_distribution(of["age"]),
        "region": plot_distribution(of["region"]),
        "correlations": plot_correlations(facts, which="after"),
        "correlations-change": plot_correlations(facts, which="change"),
    }
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, figure in figures.items():
        written.append(folder / f"gallery-{name}.png")
        figure.savefig(written[-1], dpi=110)
    return written


if __name__ == "__main__":
    draw(Path(__file__).parent / "pictures")
