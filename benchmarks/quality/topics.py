"""How well topics of posts are found: labelled_posts.csv against the finders of shoal.

Run `python benchmarks/quality/topics.py vaderSentiment-3.3.2.tar.gz [MODEL]`, with the source package of
vaderSentiment as PyPI has it (MIT licence; Hutto, Gilbert: VADER, ICWSM 2014), which carries 4,200 tweets
with numbers. 227 of them were labelled by hand before any list was written; who wrote the lists had not
read them. They are people's words, so the files here name them by number only. MODEL is a model of sentence
embeddings on disk, whose finder is measured too. Writes topics.csv, the posts that are missed, and
topics_summary.csv: in percent of posts that have a topic, those whose first topic found is one of theirs
(fit), is none of theirs (wrong), or that get none; of posts with a sensitive topic those that get any
sensitive one; of posts without one those that get one all the same.
"""

from __future__ import annotations

import csv
import io
import sys
import tarfile
from functools import partial
from pathlib import Path

from shoal.graph import sensitive_topics, topic_words, word_topics

HERE = Path(__file__).parent


def tweets(package: Path) -> dict[str, str]:
    """Text by number, from an archive within the archive."""
    with tarfile.open(package) as outer:
        inner = next(m for m in outer.getmembers() if m.name.endswith("hutto_ICWSM_2014.tar.gz"))
        with tarfile.open(fileobj=io.BytesIO(outer.extractfile(inner).read())) as archive:
            name = next(m for m in archive.getmembers() if m.name.endswith("/tweets_GroundTruth.txt"))
            text = archive.extractfile(name).read().decode("utf-8", errors="replace")
    return {line.split("\t")[0]: line.split("\t")[2] for line in text.splitlines() if line}


def labelled() -> list[tuple[str, set[str]]]:
    with (HERE / "labelled_posts.csv").open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream)
        return [(row["post"], {t.strip() for t in row["topics"].split("|") if t.strip()}) for row in rows]


def measured(found: list[dict[str, float]], posts: list[tuple[str, set[str]]]) -> list[object]:
    sensitive = set(sensitive_topics())
    first = [next(iter(topics), None) for topics in found]
    about = [(topic, wanted) for topic, (_, wanted) in zip(first, posts, strict=True) if wanted]
    silent = [topic for topic, (_, wanted) in zip(first, posts, strict=True) if not wanted]
    marked = [bool(sensitive & topics.keys()) for topics in found]
    truly = [bool(sensitive & wanted) for _, wanted in posts]
    seen = [m for m, t in zip(marked, truly, strict=True) if t]
    harmless = [m for m, t in zip(marked, truly, strict=True) if not t]
    share = lambda hits, of: round(100 * hits / len(of), 1)  # noqa: E731
    return [
        share(sum(topic in wanted for topic, wanted in about), about),
        share(sum(topic is not None and topic not in wanted for topic, wanted in about), about),
        share(sum(topic is None for topic, _ in about), about),
        share(sum(seen), seen),
        share(sum(harmless), harmless),
        share(sum(topic is None for topic in silent), silent),
    ]


def main() -> None:
    posts = labelled()
    known = tweets(Path(sys.argv[1]))
    texts = [known[number] for number, _ in posts]
    finders = {
        "words: our list over WordNet (default)": word_topics,
        "our list alone": partial(word_topics, words=topic_words()),
    }
    if len(sys.argv) > 2:
        from shoal.graph import sentence_finder

        finders[f"sentences: {Path(sys.argv[2]).name}"] = sentence_finder(sys.argv[2])
    head = ["finder", "fit", "wrong", "none", "sensitive marked", "harmless marked", "no topic, none found"]
    lines = [[name, *measured(finder(texts), posts)] for name, finder in finders.items()]
    with (HERE / "topics_summary.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([head, *lines])
    rows = []
    for (number, wanted), topics in zip(posts, word_topics(texts), strict=True):
        first = next(iter(topics), "")
        if (first not in wanted) if wanted else first:
            rows.append([number, "; ".join(sorted(wanted)), "; ".join(topics)])
    with (HERE / "topics.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([["post", "topics", "found"], *rows])
    for line in [head, *lines]:
        print(*line, sep="  ")


if __name__ == "__main__":
    main()
