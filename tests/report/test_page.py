"""The page: its numbers are those of evaluate; it stands alone, can be read by all, and takes any name."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from report.files import facts, judged, original, recipe, tried
from shoal import InvalidInput, as_table, evaluate, microaggregate
from shoal.measures import interval_risk, sse_loss
from shoal.measures.description.figure_words import in_words, words_of
from shoal.report import markdown, page, summary
from shoal.report import page as page_function

pytest.importorskip("matplotlib", reason="a report needs the extra `report`")
pytest.importorskip("jinja2", reason="a report needs the extra `report`")

CSS = Path(page_function.__globals__["TEMPLATES"]) / "page.css"
LIMIT = 3_000_000
VOID = {"meta", "link", "br", "img", "hr", "input"}


class Reader(HTMLParser):
    """Every element with its attributes and text; complains about tags that do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.open: list[int] = []
        self.feed(text)
        self.close()
        assert not self.open, "every tag closes"

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, {name: value or "" for name, value in attributes}))
        self.texts.append("")
        if tag not in VOID:
            self.open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, {name: value or "" for name, value in attributes}))
        self.texts.append("")

    def handle_endtag(self, tag):
        assert self.elements[self.open.pop()][0] == tag

    def handle_data(self, text):
        for at in self.open:
            self.texts[at] += text

    def find(self, tag: str, **wanted: str) -> list[str]:
        """Texts of the elements of that tag with these attributes (data_x stands for data-x)."""
        names = {name.replace("_", "-"): value for name, value in wanted.items()}
        return [
            " ".join(self.texts[at].split())
            for at, (found, attributes) in enumerate(self.elements)
            if found == tag and names.items() <= attributes.items()
        ]


@pytest.fixture(scope="module", params=[False, True], ids=["internal", "public"])
def text(request):
    return page(facts(request.param))


@pytest.fixture(scope="module")
def internal():
    return Reader(page(facts()))


def test_the_numbers_are_those_of_evaluate(internal):
    for name, value in {**judged().loss, **judged().risk}.items():
        assert internal.find("td", data_measure=name) == [in_words(value)]
    shown = [
        attributes["data-measure"] for _, attributes in internal.elements if "data-measure" in attributes
    ]
    assert shown == [*judged().risk, *judged().loss]
    for name in ("information_loss", "disclosure_risk", "score"):
        assert internal.find("dd", data_total=name) == [in_words(getattr(judged(), name))]
    assert internal.find("dd", data_total="k") == [str(judged().k)]
    for row in facts()["variables"]:
        assert internal.find("td", data_variable=row["name"]) == [in_words(row["loss"])]
    for candidate in tried().candidates:
        assert in_words(candidate.loss) in internal.find("td")
    skipped = internal.find("dd")
    assert all(" ".join(reason.split()) in skipped for reason in judged().skipped.values())


def test_the_public_band_holds_the_number_of_evaluate():
    (shown,) = Reader(page(facts(public=True))).find("strong", data_total="information_loss")
    low, high = (float(edge) for edge in shown.split(" to "))
    assert low <= judged().information_loss < high


def test_markdown_has_the_same_numbers():
    shown = markdown(facts())
    for name, value in {**judged().loss, **judged().risk}.items():
        assert f"{words_of(name).name} | {in_words(value)} |" in shown
    assert recipe().to_toml() in shown
    hidden = markdown(facts(public=True))
    assert "toml" not in hidden
    assert "k = 4" not in hidden


def test_it_stands_alone(text):
    reader = Reader(text)
    assert len(text.encode()) < LIMIT
    assert not [tag for tag, _ in reader.elements if tag in ("script", "link", "img", "iframe", "object")]
    for _, attributes in reader.elements:
        for name in ("src", "href", "xlink:href", "action", "data"):
            assert attributes.get(name, "#").startswith(("#", "data:image/png;base64,")), attributes
        assert not [name for name in attributes if name.startswith("on")]
    assert not re.search(r"url\((?!#)|@import", text)


def test_a_screen_reader_finds_its_way(text):
    reader = Reader(text)
    assert reader.elements[0] == ("html", {"lang": "en"})
    levels = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    tags = [tag for tag, _ in reader.elements]
    assert tags.count("main") == tags.count("nav") == 1
    assert tags.count("caption") == tags.count("table")
    assert all(attributes.get("scope") for tag, attributes in reader.elements if tag == "th")
    drawn = [attributes for tag, attributes in reader.elements if tag == "svg"]
    named = [attributes for _, attributes in reader.elements if attributes.get("role") == "img"]
    assert len(drawn) == len(named) == tags.count("figure") > 3
    assert all(len(attributes["aria-label"]) > 20 for attributes in named)
    assert all(attributes["aria-hidden"] == "true" for attributes in drawn)
    ids = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in reader.elements:
        for target in (attributes.get("href"), attributes.get("aria-labelledby")):
            assert target is None or target.lstrip("#") in ids
    scrolling = [a for _, a in reader.elements if a.get("class") == "scroll"]
    assert all(a["tabindex"] == "0" and a["aria-label"] for a in scrolling)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1, 2], ids=["light", "dark", "print"])
def test_colours_can_be_told_from_the_paper(scheme):
    blocks = re.findall(r":root \{(.*?)\}", CSS.read_text(encoding="utf-8"), re.DOTALL)
    colours = dict(re.findall(r"--(\w+): (#\w{6})", blocks[scheme]))
    for name in ("ink", "quiet", "link", "good", "bad"):
        for behind in ("paper", "card", "mark"):
            assert contrast(colours[name], colours[behind]) >= 4.5, (name, behind)
    for name in ("blue", "orange", "green", "grey"):
        assert contrast(colours[name], colours["paper"]) >= 3, name


def test_names_from_the_file_are_text_and_nothing_else():
    nasty = '<script>alert("x")</script> $a_1$ & \'"'
    category = '"><img src=x onerror=alert(1)> $\\frac{'
    frame = pl.DataFrame({nasty: [*range(40)], "b\n\x07|": [category, "b"] * 20, "日本": [1.5, 2.5] * 20})
    table = as_table(frame, roles={"quasi": frame.columns})
    released = microaggregate(table, k=4)
    judged_here = evaluate(table, released, loss=[sse_loss], risk=[interval_risk])
    found = summary(table, released, evaluation=judged_here, title="<b>bold</b>")
    shown = page(found)
    test_it_stands_alone(shown)
    test_a_screen_reader_finds_its_way(shown)
    assert Reader(shown).find("h1") == ["<b>bold</b>"]
    assert " ".join(nasty.split()) in Reader(shown).find("th")
    rows = [line for line in markdown(found).splitlines() if line.startswith("|")]
    assert "<script" not in markdown(found)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {3, 4, 8}


def test_wide_and_long_files_stay_small():
    rng = np.random.default_rng(1)
    wide = pl.DataFrame({f"column {i}": rng.normal(size=60) for i in range(300)})
    table = as_table(wide, roles={"quasi": wide.columns})
    released = microaggregate(table, k=3)
    found = summary(table, released, evaluation=evaluate(table, released, loss=[sse_loss], risk=[]))
    assert len(found["correlations"]["names"]) == 16
    shown = page(found)
    assert len(shown.encode()) < LIMIT / 2
    assert "284 more numeric variables are not drawn" in shown
    assert sum(row["distribution"] is not None for row in found["variables"]) == 24


def test_the_page_does_not_grow_with_the_records():
    sizes = []
    for n in (300, 30_000):
        table = as_table(original(n).select(["age", "pay", "town"]), roles={"quasi": ["age", "pay"]})
        noisy = table.assign(pay=table.column("pay") + 1.0)
        judged_here = evaluate(table, noisy, loss=[sse_loss], risk=[])
        sizes.append(len(page(summary(table, noisy, evaluation=judged_here))))
    assert sizes[1] < 1.2 * sizes[0]


def test_a_page_without_recipe_exploration_or_figures_has_no_empty_sections():
    table = as_table({"town": ["a", "b"] * 20}, roles={"quasi": ["town"]})
    shown = page(summary(table, table, evaluation=evaluate(table, table, loss=[], risk=[])))
    assert 'id="trade-off"' not in shown
    assert 'id="skipped"' not in shown
    assert "Distributions" not in shown
    assert "1 unchanged: town" in shown
    assert Reader(shown).find("dd", data_total="score") == ["not known"]


def test_faults_are_one_sentence(monkeypatch):
    with pytest.raises(InvalidInput, match="must be what summary"):
        page({"title": "x"})
    with pytest.raises(InvalidInput, match="must be what summary"):
        markdown("x")
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(InvalidInput, match="needs jinja2"):
        markdown(facts())
