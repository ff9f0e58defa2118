"""What a class of look-alikes must fulfil: one model per file, `f(classes, *, option) -> bool per class`.

A promise (`shoal.Promise`, in promise.py) says which of them a release keeps. Maskers, measures, searches and
the gate all ask these functions.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.models.classes import Classes, Hidden, distinct_counts, hidden_column, thresholds
from shoal.models.distinct_l_diverse import distinct_l_diverse, distinct_values
from shoal.models.k_anonymous import k_anonymous
from shoal.models.max_risk import class_size_of, max_risk
from shoal.models.t_close import class_distances, t_close

__all__ = [
    "MODELS",
    "Classes",
    "Hidden",
    "class_distances",
    "class_size_of",
    "distinct_counts",
    "distinct_l_diverse",
    "distinct_values",
    "hidden_column",
    "k_anonymous",
    "max_risk",
    "t_close",
    "thresholds",
]

MODELS: tuple[Callable[..., NDArray[np.bool_]], ...] = (k_anonymous, distinct_l_diverse, t_close, max_risk)
