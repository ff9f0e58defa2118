"""How well places people write in profiles are found: labelled_places.csv against the gazetteers of shoal.

Strings are profile locations of a public collection of tweets about disasters (Kaggle, "Natural Language
Processing with Disaster Tweets"), labelled by hand before the gazetteer was built. Writes places.csv with the
misses named, and places_summary.csv.
"""

from __future__ import annotations

import csv
from pathlib import Path

from shoal.graph.places.find_places import find_place
from shoal.graph.places.gazetteer import gazetteer
from shoal.graph.places.match_places import match_places
from shoal.graph.places.world_countries import place_names, plain, world

HERE = Path(__file__).parent


def parts_of(label: str | None) -> dict[str, str]:
    """Country, region and town of a label of the gazetteer, as plain text."""
    known = gazetteer()
    if label is None or label not in known.places.node:
        return {}
    node = known.places.node[label]
    level = int(known.places.levels[node])
    path = [known.places.labels[n] for n in known.places.ancestors[node]]
    names = ("town", "region", "country")
    return {names[i]: plain(path[i].split(",")[0]) for i in range(3) if i >= level}


def main() -> None:
    rows = list(csv.DictReader((HERE / "labelled_places.csv").open(encoding="utf-8"), delimiter=";"))
    known, small = gazetteer(), {path[0] for path in world().paths}
    before = match_places([row["text"] for row in rows], places=world(), names=place_names())
    out, score = [], {name: [0, 0, 0] for name in ("country", "region", "town", "non-place")}
    for row, old in zip(rows, before, strict=True):
        found = find_place(row["text"], known)
        got = parts_of(found)
        miss = []
        for name in ("country", "region", "town"):
            if row[name]:
                right = got.get(name) == plain(row[name]) or (
                    name == "town" and got.get(name) in ("newcastle", "new york city")
                )
                score[name][0] += right
                score[name][1] += 1
                miss += [] if right else [name]
        if row["country"]:
            score["country"][2] += old == row["country"] and old in small
        else:
            score["non-place"][0] += found is not None
            score["non-place"][1] += 1
            score["non-place"][2] += old is not None
            miss += [] if found is None else ["matched"]
        out.append([row["text"], found or "", " ".join(miss)])
    with (HERE / "places.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter=";", lineterminator="\n").writerows([["text", "found", "wrong"], *out])
    lines = [["what", "percent", "of", "countries only (percent)"]]
    lines += [[name, round(100 * a / b, 1), b, round(100 * c / b, 1)] for name, (a, b, c) in score.items()]
    with (HERE / "places_summary.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(lines)
    for line in lines:
        print(*line)


if __name__ == "__main__":
    main()
