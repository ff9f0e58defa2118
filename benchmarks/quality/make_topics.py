"""Makes the list of nouns by topic that ships with shoal, from WordNet and topic_roots.csv.

Run `python benchmarks/quality/make_topics.py FOLDER`, where FOLDER holds data.noun, index.* and cntlist.rev
of WordNet 3.0 (Debian: wordnet-base). A sense of a noun belongs to the topic of the nearest of its
hypernyms that topic_roots.csv names (noun#sense; `none` stops the way up), or else of the field WordNet
files it under. A word belongs to a topic by the share of its senses, weighed by how often they were counted
in texts, verbs and adjectives included; words that belong to none by half are left out.
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

ROOTS = Path(__file__).with_name("topic_roots.csv")
TARGET = Path(__file__).parents[2] / "src/shoal/graph/lists/topic_nouns.csv.gz"
LEAST, RARE = 0.5, 0.3  # share of a topic; count of a sense that nobody counted
LONGEST = 3  # words


@dataclass(frozen=True)
class Sense:
    words: tuple[str, ...]
    above: tuple[int, ...]
    fields: tuple[int, ...]
    name: bool  # of one person or place


def read_senses(folder: Path) -> dict[int, Sense]:
    senses = {}
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            continue
        parts = line.partition(" | ")[0].split()
        end = 4 + 2 * int(parts[3], 16)
        links = [parts[i : i + 3] for i in range(end + 1, end + 1 + 4 * int(parts[end]), 4)]
        senses[int(parts[0])] = Sense(
            tuple(parts[4:end:2]),
            tuple(int(to) for kind, to, _ in links if kind in ("@", "@i")),
            tuple(int(to) for kind, to, part in links if kind == ";c" and part == "n"),
            any(kind == "@i" for kind, _, _ in links),
        )
    return senses


def read_index(folder: Path, part: str) -> dict[str, list[int]]:
    lines = (folder / f"index.{part}").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if not line.startswith("  ")]
    return {row[0]: [int(x) for x in row[-int(row[2]) :]] for row in rows}


def read_counts(folder: Path) -> dict[str, dict[tuple[str, int], int]]:
    """By word, how often part of speech and sense were counted."""
    counts: dict[str, dict[tuple[str, int], int]] = defaultdict(dict)
    for line in (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        key, sense, count = line.split()
        word, rest = key.split("%")
        counts[word][rest[0], int(sense)] = int(count)
    return counts


def topics_of_senses(senses: dict[int, Sense], nouns: dict[str, list[int]]) -> dict[int, str]:
    roots: dict[int, str] = {}
    for topic, *words in csv.reader(ROOTS.open(encoding="utf-8"), delimiter=";"):
        for text in words:
            word, number = text.split("#")
            roots.setdefault(nouns[word.lower()][int(number) - 1], topic)
    found = {}
    for offset in senses:
        line = [offset]
        while line and not any(o in roots for o in line):
            line = [up for o in line for up in senses[o].above]
        topic = next((roots[o] for o in line if o in roots), "none")
        if topic == "none":
            fields = [roots[f] for f in senses[offset].fields if f in roots]
            topic = fields[0] if fields else "none"
        found[offset] = topic
    return found


def main(folder: Path) -> None:
    senses = read_senses(folder)
    nouns = read_index(folder, "noun")
    others = [read_index(folder, part) for part in ("verb", "adj", "adv")]
    counts, topics = read_counts(folder), topics_of_senses(senses, nouns)
    rows = []
    for word, offsets in nouns.items():
        text = word.replace("_", " ")
        if (
            len(text.split()) > LONGEST
            or len(text) < 3
            or not text.replace(" ", "").replace("-", "").isalpha()
        ):
            continue
        if all(senses[o].name for o in offsets):
            continue  # people and places are names; the overlay has some
        known, share = counts.get(word, {}), defaultdict(float)
        for rank, offset in enumerate(offsets, 1):
            share[topics[offset]] += known.get(("1", rank), 0) or RARE / rank
        share["none"] += sum(n for (part, _), n in known.items() if part != "1")
        share["none"] += RARE * sum(word in index for index in others)
        topic, most = max(share.items(), key=lambda pair: pair[1])
        part = most / sum(share.values())
        if topic != "none" and part >= LEAST:
            rows.append((topic, round(part, 1), text))
    known_words = {text: (topic, part) for topic, part, text in rows}
    for line in (folder / "noun.exc").read_text().splitlines():
        plural, singular, *_ = line.replace("_", " ").split() if "_" not in line else ("", "")
        if singular in known_words and plural not in nouns:
            rows.append((*known_words[singular], plural))
    groups: dict[tuple[str, float], list[str]] = defaultdict(list)
    for topic, part, text in sorted(set(rows)):
        groups[topic, part].append(text)
    lines = "".join(";".join([t, str(p), *words]) + "\n" for (t, p), words in sorted(groups.items()))
    TARGET.write_bytes(gzip.compress(lines.encode(), 9, mtime=0))
    print(len({text for _, _, text in rows}), "words,", TARGET.stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
