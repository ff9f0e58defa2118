"""The words of the pages in one catalogue, as translators know it: studio.pot, a .mo file per language."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, PackageLoader

from shoal.studio.method_words import GROUPS, METHODS
from shoal.studio.words import KIND_WORDS, ROLE_WORDS

PLACE = Path(__file__).parent / "locale"
HEAD = (
    'msgid ""\nmsgstr ""\n"Project-Id-Version: shoal studio\\n"\n'
    '"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
)


def translations(*languages: str) -> gettext.NullTranslations:
    """The words in the first of these languages that has a catalogue, English where none has.

    >>> translations("xx").gettext("Undo")
    'Undo'
    """
    return gettext.translation("studio", PLACE, languages or None, fallback=True)


def words_of_the_pages() -> Iterator[tuple[str, str]]:
    """Every text of the templates and of the tables of words, with where it stands.

    >>> ("Undo", "head.html") in set(words_of_the_pages())
    True
    """
    pages = Environment(
        loader=PackageLoader("shoal.studio", "templates"), autoescape=True, extensions=["jinja2.ext.i18n"]
    )
    for name in sorted(pages.list_templates()):
        source = (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")
        for _, _, text in pages.extract_translations(source):  # type: ignore[attr-defined]
            for one in (text,) if isinstance(text, str) else text or ():
                if one:
                    yield one, name
    for said in METHODS.values():
        yield from ((text, "method_words.py") for text in (said.title, said.sentence))
    yield from ((group, "method_words.py") for group in GROUPS)
    yield from ((text, "words.py") for role in ROLE_WORDS.values() for text in (role.name, role.sentence))
    yield from ((kind, "words.py") for kind in KIND_WORDS.values())


def catalogue_text() -> str:
    """The catalogue as a .pot file: each text once, with the files it stands in.

    >>> catalogue_text().startswith('msgid ""')
    True
    """
    places: dict[str, list[str]] = {}
    for text, place in words_of_the_pages():
        found = places.setdefault(text, [])
        if place not in found:
            found.append(place)
    entries = [
        f'#: {" ".join(found)}\nmsgid {_quoted(text)}\nmsgstr ""\n' for text, found in sorted(places.items())
    ]
    return "\n".join([HEAD, *entries])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


if __name__ == "__main__":
    (PLACE / "studio.pot").write_text(catalogue_text(), encoding="utf-8")
