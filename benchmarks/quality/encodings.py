"""Which encoding a csv file is in: ours and charset-normalizer, on lists of names of different length.

Run: python benchmarks/quality/encodings.py (needs charset-normalizer). Writes encodings.csv beside it.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import polars as pl
from charset_normalizer import from_bytes

from shoal.io import detect_csv

WESTERN = (
    "Müller",
    "Größe",
    "Jürgen",
    "Weiß",
    "José",
    "Peña",
    "François",
    "Hélène",
    "Köln",
    "Málaga",
    "Besançon",
)
MANY = ("Müller", "Größe", "Łódź", "Žižek", "Ångström", "Ñuñoa", "東京", "Αθήνα", "Київ", "Çelik")
CENTRAL = ("Łódź", "Kraków", "Poznań", "Žižek", "Dvořák", "Černý", "Gdańsk", "Wrocław", "Řehoř")
NAMES = {"cp1252": WESTERN, "utf-8": MANY, "utf-16": MANY, "cp850": WESTERN, "cp1250": CENTRAL}
PLAIN = ("Anna", "Bernat", "Carles", "Diana", "Emil", "Frida", "Georg", "Hanna", "Ivan", "Julia")
FILES = 100


def file_of(encoding: str, records: int, draw: random.Random) -> tuple[str, bytes]:
    """A csv file of names; one in five has letters that ASCII lacks, and at least one."""
    names = [draw.choice(NAMES[encoding] if draw.random() < 0.2 else PLAIN) for _ in range(records)]
    names[draw.randrange(records)] = draw.choice(NAMES[encoding])
    text = "name;age\n" + "".join(f"{name};{draw.randint(18, 90)}\n" for name in names)
    return text, text.encode(encoding)


def by_shoal(raw: bytes, folder: Path) -> str | None:
    """The text as shoal reads it, or None where it asks."""
    path = folder / "names.csv"
    path.write_bytes(raw)
    try:
        return raw.decode(detect_csv(path).encoding).removeprefix("\ufeff")
    except ValueError:
        return None


def by_statistics(raw: bytes) -> str | None:
    """The text as the best guess of charset-normalizer reads it."""
    best = from_bytes(raw).best()
    return None if best is None else str(best).removeprefix("\ufeff")


if __name__ == "__main__":
    rows, draw = [], random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        for encoding in NAMES:
            for records in (10, 1000):
                found = {"shoal": [0, 0, 0], "charset-normalizer": [0, 0, 0]}
                for _ in range(FILES):
                    text, raw = file_of(encoding, records, draw)
                    for name, read in (
                        ("shoal", by_shoal(raw, Path(folder))),
                        ("charset-normalizer", by_statistics(raw)),
                    ):
                        found[name][0 if read == text else 1 if read is None else 2] += 1
                rows += [
                    {"encoding": encoding, "records": records, "by": name, "right": r, "asks": a, "wrong": w}
                    for name, (r, a, w) in found.items()
                ]
    pl.DataFrame(rows).write_csv(Path(__file__).with_suffix(".csv"))
