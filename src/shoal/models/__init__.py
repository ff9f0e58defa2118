"""What a class of look-alikes must fulfil: one model per file, `f(classes, *, option) -> bool per class`.

A promise (`shoal.Promise`, in promise.py) says which of them a release keeps. Maskers, measures, searches and
the gate all ask these functions.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.models.alpha_k import alpha_k
from shoal.models.average_risk import average_risk
from shoal.models.beta_like import beta_like
from shoal.models.classes import Classes, Hidden, distinct_counts, hidden_column, thresholds
from shoal.models.delta_disclosure import delta_disclosure
from shoal.models.delta_present import delta_present
from shoal.models.distinct_l_diverse import distinct_l_diverse, distinct_values
from shoal.models.entropy_l_diverse import entropy_l_diverse
from shoal.models.hierarchical_t_close import hierarchical_t_close
from shoal.models.k_anonymous import k_anonymous
from shoal.models.k_map import k_map
from shoal.models.max_risk import class_size_of, max_risk
from shoal.models.population_risk import population_risk
from shoal.models.recursive_l_diverse import recursive_l_diverse
from shoal.models.t_close import class_distances, t_close

__all__ = [
    "MODELS",
    "Classes",
    "Hidden",
    "alpha_k",
    "average_risk",
    "beta_like",
    "class_distances",
    "class_size_of",
    "delta_disclosure",
    "delta_present",
    "distinct_counts",
    "distinct_l_diverse",
    "distinct_values",
    "entropy_l_diverse",
    "hidden_column",
    "hierarchical_t_close",
    "k_anonymous",
    "k_map",
    "max_risk",
    "population_risk",
    "recursive_l_diverse",
    "t_close",
    "thresholds",
]

MODELS: tuple[Callable[..., NDArray[np.bool_]], ...] = (
    k_anonymous,
    distinct_l_diverse,
    t_close,
    max_risk,
    entropy_l_diverse,
    recursive_l_diverse,
    hierarchical_t_close,
    alpha_k,
    beta_like,
    delta_disclosure,
    k_map,
    delta_present,
    population_risk,
    average_risk,
)
