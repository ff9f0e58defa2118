"""Genetic programming: how trees are drawn, the five mutations, and subtree crossover."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from shoal.search.pram.equations import OPERATORS, VARIABLES, Tree, depth, grafted, places, subtree

Mutation: TypeAlias = Callable[[Tree, np.random.Generator], Tree]
FRESH = 2  # depth of a branch that mutation draws; no measurement on record
CROSSINGS = 0.6  # share of the children by crossover; no measurement on record


def random_terminal(rng: np.random.Generator) -> Tree:
    """A variable, or in one of three cases a constant between 0 and 1, or a whole number from 1 to 5."""
    if rng.random() < 2 / 3:
        return VARIABLES[int(rng.integers(len(VARIABLES)))]
    return float(np.round(rng.random(), 3)) if rng.random() < 0.7 else float(rng.integers(1, 6))


def random_tree(levels: int, full: bool, rng: np.random.Generator, *, root: bool = False) -> Tree:
    """A tree with this many levels everywhere (`full`) or at most (`grow`); a `root` is no bare terminal.

    >>> from shoal.search.pram.equations import depth
    >>> depth(random_tree(3, True, np.random.default_rng(1)))
    3
    """
    if levels == 0 or (not root and not full and rng.random() < 0.3):
        return random_terminal(rng)
    operator = OPERATORS[int(rng.integers(len(OPERATORS)))]
    return (operator, random_tree(levels - 1, full, rng), random_tree(levels - 1, full, rng))


def half_and_half(count: int, deepest: int, rng: np.random.Generator) -> list[Tree]:
    """As many full as grown trees, of every depth from 1 to the deepest alike.

    >>> from shoal.search.pram.equations import depth
    >>> sorted({depth(tree) for tree in half_and_half(30, 3, np.random.default_rng(1))[::2]})
    [1, 2, 3]
    """
    levels = [1 + (place // 2) % deepest for place in range(count)]
    return [random_tree(level, place % 2 == 0, rng, root=True) for place, level in enumerate(levels)]


def mutate_subtree(tree: Tree, rng: np.random.Generator) -> Tree:
    """A random branch becomes a new random branch."""
    return grafted(tree, _any_place(tree, rng), random_tree(FRESH, False, rng))


def mutate_point(tree: Tree, rng: np.random.Generator) -> Tree:
    """A random operator becomes another operator, or a terminal another terminal."""
    place = _any_place(tree, rng)
    node = subtree(tree, place)
    if not isinstance(node, tuple):
        return grafted(tree, place, random_terminal(rng))
    others = [operator for operator in OPERATORS if operator != node[0]]
    return grafted(tree, place, (others[int(rng.integers(len(others)))], node[1], node[2]))


def mutate_hoist(tree: Tree, rng: np.random.Generator) -> Tree:
    """A random branch becomes the whole tree."""
    return subtree(tree, _any_place(tree, rng))


def mutate_collapse(tree: Tree, rng: np.random.Generator) -> Tree:
    """A random branch becomes a terminal."""
    return grafted(tree, _any_place(tree, rng), random_terminal(rng))


def mutate_expansion(tree: Tree, rng: np.random.Generator) -> Tree:
    """A random terminal becomes a new random branch."""
    leaves = [place for place in places(tree) if not isinstance(subtree(tree, place), tuple)]
    return grafted(tree, leaves[int(rng.integers(len(leaves)))], random_tree(FRESH, True, rng))


def cross_subtrees(first: Tree, second: Tree, rng: np.random.Generator) -> tuple[Tree, Tree]:
    """Two children by exchanging a random branch."""
    here, there = _any_place(first, rng), _any_place(second, rng)
    return (
        grafted(first, here, subtree(second, there)),
        grafted(second, there, subtree(first, here)),
    )


def _any_place(tree: Tree, rng: np.random.Generator) -> tuple[int, ...]:
    found = places(tree)
    return found[int(rng.integers(len(found)))]


PROGRAM_MUTATIONS: tuple[Mutation, ...] = (
    mutate_subtree,
    mutate_point,
    mutate_hoist,
    mutate_collapse,
    mutate_expansion,
)


def offspring(one: Tree, other: Tree, rng: np.random.Generator, *, deepest: int) -> list[Tree]:
    """Two children by crossover or a mutant of the first; one that is too deep is its parent again.

    >>> offspring("f_k", "n", np.random.default_rng(2), deepest=3)
    ['n', 'f_k']
    """
    if rng.random() < CROSSINGS:
        born = zip(cross_subtrees(one, other, rng), (one, other), strict=True)
    else:
        mutation = PROGRAM_MUTATIONS[int(rng.integers(len(PROGRAM_MUTATIONS)))]
        born = zip((mutation(one, rng),), (one,), strict=True)
    return [child if depth(child) <= deepest else parent for child, parent in born]
