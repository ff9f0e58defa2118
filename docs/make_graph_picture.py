"""Draw a small network before and after protection. Run: python docs/make_graph_picture.py"""

from __future__ import annotations

import warnings
from pathlib import Path

import matplotlib
import networkx

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from shoal.graph import Graph, as_graph, evaluate_graph, protect_graph, to_networkx

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")  # Okabe and Ito
K = 3
PEOPLE = {
    "Ana": ("Spain", "music; books"),
    "Rui": ("Portugal", "music; film"),
    "Ugo": ("Italy", "art; books"),
    "Lea": ("France", "football; sport"),
    "Max": ("Germany", "football; transport"),
    "Jan": ("Netherlands", "sport; travel"),
    "Aki": ("Japan", "gaming; technology"),
    "Mei": ("China", "technology; science"),
    "Min": ("South Korea", "gaming"),
    "Ben": ("Canada", "weather; gardening"),
    "Joy": ("United States", "gardening; animals"),
    "Sam": ("United States", "weather; politics"),
}
FRIENDS = (
    "Ana-Rui Ana-Ugo Rui-Ugo Ana-Lea Lea-Max Max-Jan Jan-Lea Ugo-Max Aki-Mei Aki-Min Mei-Min "
    "Mei-Ben Ben-Joy Joy-Sam Ben-Sam Sam-Ana Jan-Min Max-Ana"
)
PLACES = {  # on the page, so that no text hides another
    "Lea": (2.5, 10),
    "Jan": (0.8, 7.6),
    "Max": (4.4, 7.6),
    "Ugo": (8, 10),
    "Rui": (11, 8.4),
    "Ana": (8, 6.9),
    "Min": (2.3, 5),
    "Aki": (0.6, 2.4),
    "Mei": (4.2, 2.4),
    "Sam": (9.6, 4.3),
    "Ben": (7.4, 2),
    "Joy": (11, 1.8),
}


def people() -> Graph:
    names = list(PEOPLE)
    users = {
        "user": names,
        "location": [place for place, _ in PEOPLE.values()],
        "topics": [topics for _, topics in PEOPLE.values()],
    }
    pairs = [pair.split("-") for pair in FRIENDS.split()]
    return as_graph(users, {"a": [a for a, _ in pairs], "b": [b for _, b in pairs]})


def draw(path: Path) -> None:
    """Before on the left, after on the right, users in the same places."""
    graph = people()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that connections stay is said in the text
        masked = protect_graph(graph, k=K)
    figure, axes = plt.subplots(1, 2, figsize=(13, 6.6), layout="constrained")
    kinds = list(dict.fromkeys(zip(masked.users["location"], _texts(masked), strict=True)))
    for axis, shown, title in ((axes[0], graph, "before"), (axes[1], masked, f"after, k = {K}")):
        _draw(axis, shown, masked, kinds)
        axis.set_title(title, fontsize=12)
    result = evaluate_graph(graph, masked)
    figure.suptitle(
        f"{result.information_loss:.0f} % of the information lost; who knows place and topics of all finds "
        f"{result.linkage_risk:.0f} of 100 users",
        fontsize=11,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def _draw(axis: Axes, shown: Graph, masked: Graph, kinds: list) -> None:
    """Users of a group have one colour; names are only on the left."""
    colours = [
        COLOURS[kinds.index(kind) % 6] for kind in zip(masked.users["location"], _texts(masked), strict=True)
    ]
    network = to_networkx(shown)
    networkx.draw_networkx_edges(network, PLACES, ax=axis, edge_color="#aaaaaa")
    networkx.draw_networkx_nodes(network, PLACES, ax=axis, node_color=colours, node_size=120)
    for name, location, topics in zip(
        shown.users["user"], shown.users["location"], _texts(shown), strict=True
    ):
        who = f"{name}, " if shown is not masked else ""
        x, y = PLACES[name]
        axis.annotate(
            f"{who}{location}\n{topics}",
            (x, y),
            xytext=(0, -9),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=7.5,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6},
        )
    axis.margins(0.14)
    axis.set_axis_off()


def _texts(graph: Graph) -> list[str]:
    return [
        "\n".join(f"{p['topic']} {p['weight']:.0%}" for p in pairs)
        for pairs in graph.users["topics"].to_list()
    ]


if __name__ == "__main__":
    draw(Path(__file__).parent / "pictures" / "graph.png")
