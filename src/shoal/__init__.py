"""shoal: statistical disclosure control. A table goes in, a table comes out."""

import importlib
from typing import TYPE_CHECKING, Any

from shoal._shared import log as _log  # noqa: F401  # the logger `shoal` is there, and says nothing unless asked

if TYPE_CHECKING:
    from shoal.distributed import check_files, mask_files
    from shoal.errors import (
        Infeasible,
        InputWarning,
        InvalidInput,
        NotApplicable,
        PrivacyWarning,
        PromiseBroken,
        ShoalError,
        SizeWarning,
        Stopped,
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
    "Stopped",
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
    "check_files",
    "compare",
    "evaluate",
    "explore",
    "global_median",
    "global_recode",
    "group_records",
    "individual_ranking",
    "mask_files",
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

_HOMES = {  # where each name is; a name is loaded when it is first asked for, so that `import shoal` is quick
    "shoal.distributed": "check_files mask_files",
    "shoal.errors": (
        "Infeasible InputWarning InvalidInput NotApplicable PrivacyWarning PromiseBroken ShoalError "
        "SizeWarning Stopped TimeWarning"
    ),
    "shoal.hierarchy": "with_hierarchies",
    "shoal.io": "read_table write_table",
    "shoal.masking": (
        "add_noise aggregate bottom_code global_median global_recode group_records "
        "individual_ranking microaggregate mondrian pram protect_clusters rank_swap shuffle "
        "suppress_to_k top_code"
    ),
    "shoal.measures.attack.panel": "Panel attack",
    "shoal.measures.check": "Verdict check",
    "shoal.measures.evaluate": "Evaluation evaluate",
    "shoal.models.promise": "Promise",
    "shoal.partition": "mdav",
    "shoal.progress": "progress_bar",
    "shoal.table": "Attribute Table as_table",
    "shoal.types": "Progress",
    "shoal.workflow.compare": "Comparison compare",
    "shoal.workflow.explore": "Exploration explore",
    "shoal.workflow.recipe": "Recipe",
    "shoal.workflow.release": "Released Target release",
    "shoal.workflow.suggest_roles": "suggest_roles",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}
_ROOMS = (
    *(
        "datasets",
        "distributed",
        "edits",
        "encode",
        "errors",
        "evolve",
        "graph",
        "hierarchy",
        "io",
        "masking",
        "measures",
    ),
    *(
        "models",
        "partition",
        "progress",
        "report",
        "search",
        "sklearn",
        "studio",
        "table",
        "types",
        "workflow",
    ),
)


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"shoal.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'shoal' has no attribute {name!r}")
    globals()[name] = found = getattr(importlib.import_module(_HOME_OF[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
