"""One catalogue of words: up to date, complete, and a translation of it is what a page shows."""

from __future__ import annotations

import re
import struct
from html.parser import HTMLParser
from pathlib import Path

import pytest

import shoal.studio.translations as catalogue
from shoal.studio.translations import catalogue_text, translations, words_of_the_pages

FOLDER = Path(catalogue.__file__).parent


def test_the_catalogue_is_that_of_the_pages():
    kept = (FOLDER / "locale" / "studio.pot").read_text(encoding="utf-8")
    assert kept == catalogue_text(), "python -m shoal.studio.translations writes it anew"


@pytest.mark.parametrize("page", sorted((FOLDER / "templates").glob("*.html")), ids=lambda page: page.stem)
def test_no_words_stand_outside_of_it(page):
    """Between tags there is nothing to read but what comes from the catalogue or the file."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}", " ", text, flags=re.DOTALL)
    found = []
    reader = HTMLParser()
    reader.handle_data = found.append
    reader.feed(text)
    left = re.findall(r"[A-Za-z]{3,}", " ".join(found))
    assert set(left) <= {"shoal", "studio"}, left


def test_a_translation_is_shown(tmp_path, monkeypatch):
    folder = tmp_path / "xx" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "studio.mo").write_bytes(
        compiled({"": "Content-Type: text/plain; charset=UTF-8\n", "Undo": "Zurück"})
    )
    monkeypatch.setattr(catalogue, "PLACE", tmp_path)
    assert translations("xx").gettext("Undo") == "Zurück"
    assert translations("xx").gettext("Redo") == "Redo"
    assert len(dict(words_of_the_pages())) > 200


def compiled(texts):
    """A .mo file, as the format is described in the manual of gettext."""
    pairs = sorted((key.encode(), value.encode()) for key, value in texts.items())
    ids, said = (b"\0".join(pair[side] for pair in pairs) + b"\0" for side in (0, 1))
    head, count = 28, len(pairs)
    start = head + 16 * count
    tables, offset = [[], []], [start, start + len(ids)]
    for pair in pairs:
        for side in (0, 1):
            tables[side] += [len(pair[side]), offset[side]]
            offset[side] += len(pair[side]) + 1
    numbers = [0x950412DE, 0, count, head, head + 8 * count, 0, 0, *tables[0], *tables[1]]
    return struct.pack(f"<{len(numbers)}I", *numbers) + ids + said
