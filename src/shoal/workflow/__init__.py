"""What strings steps together: recipes, methods by name, comparing, exploring, releasing."""

from shoal.workflow.compare import Comparison, compare
from shoal.workflow.describe_options import OptionField, describe_options
from shoal.workflow.explore import Exploration, explore
from shoal.workflow.recipe import Fitted, Recipe

__all__ = [
    "Comparison",
    "Exploration",
    "Fitted",
    "OptionField",
    "Recipe",
    "compare",
    "describe_options",
    "explore",
]
