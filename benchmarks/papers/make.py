"""`make papers`: run the sources' tables and figures again, write the csv files and the pages.

    python benchmarks/papers/make.py                everything, one core
    python benchmarks/papers/make.py 000/7          one source, or one of its items
    python benchmarks/papers/make.py --quick        what takes seconds is run and compared with the csv files
    python benchmarks/papers/make.py --pages        only the text of the pages, from the csv files

A quick run writes nothing: it ends with an error where an item gives other figures than the committed ones,
where a cell marked exact is not what the source prints, or where a page is not what the csv files say.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from paper import (
    PAGES,
    SOURCES,
    Cell,
    Item,
    page,
    picture_name,
    published,
    read_here,
    read_seconds,
    source,
    tolerance,
    write_here,
    write_seconds,
)

NEAR = 1e-6  # relative difference of a figure that is the same


def chosen(words: list[str]) -> list[tuple[str, Item]]:
    """The items that are named, as SOURCE or SOURCE/ITEM; all if none is."""
    wanted = [word.partition("/")[::2] for word in words if not word.startswith("--")]
    return [
        (key, item)
        for key in SOURCES
        for item in (source(key).items if not wanted or any(key == s for s, _ in wanted) else ())
        if not wanted or any(key == s and named(item, i) for s, i in wanted)
    ]


def named(item: Item, word: str) -> bool:
    """Is the item meant by the word: nothing, its whole key with hyphens, or the number of a table?"""
    return word in ("", item.key.replace(" ", "-"), item.key.removeprefix("table "))


def run(key: str, item: Item) -> tuple[list[Cell], float]:
    """The cells of an item and the processor seconds they took."""
    start = time.process_time()
    cells = list(item.run())
    took = time.process_time() - start
    print(f"{key} {item.key}: {len(cells)} cells, {took:.1f} s", flush=True)
    return cells, took


def wrong(key: str, item: Item, cells: list[Cell]) -> list[str]:
    """What does not hold: figures other than the committed ones, or exact ones that are not exact."""
    known, before = published(key), {c.name: c for c in read_here(key).get(item.key, [])}
    said = []
    for c in cells:
        printed = known.get((item.key, c.name))
        old = before.get(c.name)
        if old is None or abs(c.value - old.value) > NEAR * max(abs(c.value), abs(old.value)):
            said.append(f"{key} {item.key}, {c.name}: {c.value:.9g}, the csv file says {old and old.value}")
        if c.exact and (printed is None or abs(c.value - float(printed)) > 1.000001 * tolerance(printed)):
            said.append(f"{key} {item.key}, {c.name}: {c.value:.9g} should be the printed {printed}")
    return said


def main(words: list[str]) -> int:
    """Do what the words say; 0 if all is well."""
    if "--quick" in words:
        said = [s for key, item in chosen(words) if item.quick for s in wrong(key, item, run(key, item)[0])]
        for key in SOURCES:
            path = PAGES / f"{key}.md"
            if not path.exists() or path.read_text(encoding="utf-8") != page(key):
                said.append(f"docs/papers/{key}.md is not what the csv files say; run make papers")
        print("\n".join(said) or "All figures are those of the pages.")
        return bool(said)
    for key, item in () if "--pages" in words else chosen(words):
        cells, took = run(key, item)
        found, spent = read_here(key), read_seconds()  # only now: another run may have written meanwhile
        found[item.key], spent[key, item.key] = cells, took
        write_here(key, found)
        write_seconds(spent)
        if item.draw is not None:
            (PAGES / "pictures").mkdir(parents=True, exist_ok=True)
            item.draw(PAGES / "pictures" / picture_name(key, item))
    for key in sorted({key for key, _ in chosen(words)}):
        (PAGES / f"{key}.md").write_text(page(key), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
