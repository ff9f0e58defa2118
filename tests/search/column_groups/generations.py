"""Generations of groupings whose costs are given, bred and selected."""

from __future__ import annotations

import numpy as np

from shoal.search.column_groups.grouping_population import Breeding, Individual

RNG = np.random.default_rng


def individuals(costs, genes=(0, 1, 2)):
    return [Individual(genes, cost=cost) for cost in costs]


def one_generation(breeding, population, child_costs):
    """Breed from the population, give the children these costs, select."""
    children = breeding.vary(population, np.array([one.cost for one in population]), RNG(1))
    for child, cost in zip(children, child_costs, strict=True):
        child.cost = cost
    survivors, _ = breeding.survive(
        population, np.array([one.cost for one in population]), children, np.array(child_costs)
    )
    return children, survivors


def started(costs, plan, idle=None):
    first = individuals(costs)
    breeding = Breeding(first, plan, idle)
    breeding.note(first)
    return first, breeding
