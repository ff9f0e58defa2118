"""shoal: statistical disclosure control. A table goes in, a table comes out."""

from shoal.errors import (
    Infeasible,
    InputWarning,
    InvalidInput,
    NotApplicable,
    PrivacyWarning,
    PromiseBroken,
    ShoalError,
    SizeWarning,
    TimeWarning,
)
from shoal.hierarchy import with_hierarchies
from shoal.io import read_table, write_table
from shoal.masking import (
    add_noise,
    aggregate,
    bottom_code,
    global_median,
    global_recode,
    group_records,
    individual_ranking,
    microaggregate,
    mondrian,
    pram,
    protect_clusters,
    rank_swap,
    shuffle,
    suppress_to_k,
    top_code,
)
from shoal.measures.attack.panel import Panel, attack
from shoal.measures.check import Verdict, check
from shoal.measures.evaluate import Evaluation, evaluate
from shoal.models.promise import Promise
from shoal.partition import mdav
from shoal.progress import progress_bar
from shoal.table import Attribute, Table, as_table
from shoal.types import Progress
from shoal.workflow.compare import Comparison, compare
from shoal.workflow.explore import Exploration, explore
from shoal.workflow.recipe import Recipe
from shoal.workflow.release import Released, Target, release
from shoal.workflow.suggest_roles import suggest_roles

__version__ = "0.1.0"

__all__ = [
    "Attribute",
    "Comparison",
    "Evaluation",
    "Exploration",
    "Infeasible",
    "InputWarning",
    "InvalidInput",
    "NotApplicable",
    "Panel",
    "PrivacyWarning",
    "Progress",
    "Promise",
    "PromiseBroken",
    "Recipe",
    "Released",
    "ShoalError",
    "SizeWarning",
    "Table",
    "Target",
    "TimeWarning",
    "Verdict",
    "add_noise",
    "aggregate",
    "as_table",
    "attack",
    "bottom_code",
    "check",
    "compare",
    "evaluate",
    "explore",
    "global_median",
    "global_recode",
    "group_records",
    "individual_ranking",
    "mdav",
    "microaggregate",
    "mondrian",
    "pram",
    "progress_bar",
    "protect_clusters",
    "rank_swap",
    "read_table",
    "release",
    "shuffle",
    "suggest_roles",
    "suppress_to_k",
    "top_code",
    "with_hierarchies",
    "write_table",
]
