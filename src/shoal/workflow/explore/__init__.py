"""Many maskings of a file side by side: their loss and risk, the front between them, a recommendation."""

from shoal.workflow.explore.explore import explore
from shoal.workflow.explore.grid import LADDERS, kinds_of, make_recipes, roles_of
from shoal.workflow.explore.result import HEADER, Candidate, Exploration, pareto_front, rule_in_words

__all__ = [
    "HEADER",
    "LADDERS",
    "Candidate",
    "Exploration",
    "explore",
    "kinds_of",
    "make_recipes",
    "pareto_front",
    "roles_of",
    "rule_in_words",
]
