"""
A network before and after
==========================

What intruders find in a network of made-up people whose connections, or those of their friends, they
know, and how much of the structure the protection changed.
"""

from shoal.graph import (
    attack_graph,
    hide_topics,
    make_social,
    plot_protection,
    protect_graph,
    structure_losses,
)

network = make_social(300, rng=1).graph()
protected = protect_graph(hide_topics(network), k=5, degrees=True, rng=1)
figure = plot_protection(attack_graph(network, protected), structure_losses(network, protected))
