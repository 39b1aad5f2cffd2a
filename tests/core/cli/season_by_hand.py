"""A season computed from the lines of proof packs, as docs/reference/export.md describes them.

It shares nothing with the product: it is the other opinion in the tests of seasons.
"""

import json
import re
import tomllib
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

Row = tuple[int, str, str, Fraction]


def plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return " ".join(sorted(re.findall(r"\w+", "".join(c for c in letters if not unicodedata.combining(c)))))


def ranked(path: Path) -> tuple[str, list[tuple[str, str, int, int, int]]]:
    """Return the tournament's date, and name, club, first and last place and dollars of each player."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    people: dict[str, tuple[str, str]] = {}
    date = ""
    for step in (line["step"] for line in lines if line["kind"] == "tournament-step"):
        for event in step["events"]:
            date = event.get("date", date)
            for player in event.get("players", ()) if event["event"] == "players-registered" else ():
                people[player["player"]] = (player["name"], player.get("club", ""))
    (standings,) = (line["rows"] for line in lines if line["kind"] == "standings")
    rows = (row for row in standings if row["first"] is not None)
    return date, [(*people[r["player"]], r["first"], r["last"], r["final_score"]) for r in rows]


def season(rule_file: Path, packs: Sequence[Path], people_file: Path) -> list[Row]:
    """Return rank, name, club and points of each person, best first."""
    rule: dict[str, Any] = tomllib.loads(rule_file.read_text(encoding="utf-8"))
    pairs = tomllib.loads(people_file.read_text(encoding="utf-8")).get("same", [])
    alias = {plain(pair["second"]["name"]): plain(pair["first"]["name"]) for pair in pairs}
    results: dict[str, list[tuple[Fraction, int]]] = {}
    last: dict[str, tuple[str, str]] = {}
    for _, rows in sorted(map(ranked, packs), key=lambda one: one[0]):
        for name, club, first, worst, dollars in rows:
            person = alias.get(plain(name), plain(name))
            places = range(first, worst + 1) if rule["shared"] == "mean" else [first]
            each = [
                rule["places"][p - 1] if p <= len(rule["places"]) else rule["other_places"] for p in places
            ]
            money = Fraction(max(0, dollars) * rule["per_thousand_dollars"], 1000)
            points: Fraction = Fraction(sum(each), len(each)) + rule["played"] + money
            results.setdefault(person, []).append((points, first))
            last[person] = (name, club)
    merits: list[tuple[Any, str]] = []
    for person, all_results in results.items():
        counted = sorted(all_results, key=lambda one: (-one[0], one[1]))[: rule["best"] or None]
        total = sum((points for points, _ in counted), Fraction(0))
        merits.append(((-total, *sorted(place for _, place in counted), 10**9), person))
    return [
        (1 + sum(other < merit for other, _ in merits), *last[person], -merit[0])
        for merit, person in sorted(merits)
    ]
