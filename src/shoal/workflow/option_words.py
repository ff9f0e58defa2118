"""What options of several methods have in common: limits, and sentences for people who do not program."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

MORE = float(np.nextafter(0, 1))  # the least number above 0

# What methods check at their doors, by method where they differ; a test goes beyond every limit.
LIMITS: Mapping[str, tuple[float | None, float | None]] = {
    "k": (2, None),
    "l_diversity": (2, None),
    "t_closeness": (0, 1),
    "quantile": (0, 1),
    "percent": (MORE, 100),
    "amount": (MORE, None),
    "rate": (0, 1),
    "rare": (1, None),
    "suppression": (0, 1),
    "risk": (1e-6, 1),
    "seconds": (0, None),
    "cells_per_record": (1, None),
    "limits": (1, None),
    "population": (2, None),
    "children": (1, None),
    "crossover": (0, 1),
    "generations": (0, None),
    "patience": (1, None),
    "gamma": (0, None),
    "neighbours": (1, None),
    "window": (1, None),
    "iterations": (1, None),
    "penalty": (1, None),
    "crossover_rate": (0, 1),
    "mutation_rate": (0, 1),
    "inversion_rate": (0, 1),
    "elite": (0, None),
    "p": (0, 1),
    "theta": (0, 1),
    "size": (1, None),
    "deepest": (1, None),
    "idle": (1, None),
    "t": (0, 1),
    "l": (1, None),
    "alpha": (0, 1),
    "beta": (1e-9, None),
    "delta": (1e-9, None),
    "people": (1, None),
    "low": (0, 1),
    "high": (0, 1),
    "clusters": (1, None),
    "diagonal": (0, 1),
    "importance": (0, None),
    "weights": (0, None),
    "widths": (0, None),
    "macro": (2, None),
    "block_size": (4, None),
    "c": (0, None),
    "levels": (0, None),
    "k_anonymous.k": (1, None),
    "recursive_l_diverse.c": (1e-9, None),
    "max_risk.risk": (1e-9, 1),
    "average_risk.risk": (1e-9, 1),
    "population_risk.risk": (1e-9, 1),
    "known_keys": (1, None),
    "share": (0, 1),
    "points": (1, None),
}

# What several methods share, or explain to those who program only.
SENTENCES: Mapping[str, str] = {
    "household_variables": "Columns that are the same for all members of a household; found if not given.",
    "where": "Which records to mask, as a condition on the columns; the others stay as they are.",
    "l_diversity": "How many different values of every confidential column a group must have.",
    "t_closeness": "How far a group's confidential values may be from those of the whole file, from 0 to 1.",
    "confidential": "The columns that nobody should learn about a known person.",
    "promise": "What groups must fulfil besides their size, such as l, t or alpha for a column.",
    "hierarchies": "How the values of a column become coarser, level by level.",
    "l": "How many different values every confidential column needs in a group; a mapping says it by column.",
    "size": "How many are drawn for a place among the parents; the more, the stronger the selection.",
    "points": "At how many places the genes are cut.",
    "share": "The share of the genes that are exchanged.",
    "groups": "The columns to treat apart from others, as groups of columns.",
    "matrices": "How the chances to become another category are made, or the matrices themselves by column.",
}
BY_METHOD = {"correlated_together.size", "correlated_apart.size"}  # their own sentence, not the shared one
