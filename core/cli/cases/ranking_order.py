"""One form for the order that a ranking's case leaves open, so that both sides can be compared.

Open are: the order of players inside a tied group and of players who left, whether the ranking
lists the latter, and how a bonus is written that only a lot can give.
"""

from collections.abc import Iterable, Mapping

Fields = Mapping[str, object]

_ONLY_TOLD = {"same_ranking_under"}
"""Other readings that give the same ranking: for people to read, nothing that one reading can show."""


_BY_LOT = {"draw", "by draw", "to be drawn", "lot", "by lot", "open", "undecided"}
"""Words for an amount that only a lot decides."""


def comparable(expected: Fields, found: Fields) -> tuple[Fields, Fields]:
    """Return expected and found values of a ranking's case, each in the same form."""
    left = frozenset(_texts(found["withdrawn"]))
    wanted = {key: value for key, value in expected.items() if key not in _ONLY_TOLD}
    given = dict(found)
    for form in (wanted, given):
        form.update(
            {
                key: in_order
                for key, in_order in (
                    ("ranking", [g for g in map(_group, _items(form.get("ranking"))) if not left >= set(g)]),
                    ("withdrawn", _group(form.get("withdrawn"))),
                    ("draw_groups", sorted(map(_group, _items(form.get("draw_groups"))))),
                )
                if key in form
            }
        )
    given["standings"] = _by_player(found["standings"])
    if "standings" in wanted:
        wanted["standings"] = _undecided(_by_player(wanted["standings"]), _by_player(found["standings"]))
    if "bonus_by_draw" in wanted:
        wanted["bonus_by_draw"] = _bonuses(wanted["bonus_by_draw"])
    given["bonus_by_draw"] = _bonuses(found["bonus_by_draw"])
    return wanted, given


def _items(value: object) -> Iterable[object]:
    return value if isinstance(value, list | tuple) else ()


def _texts(value: object) -> Iterable[str]:
    return (str(item) for item in _items(value))


def _group(value: object) -> list[str]:
    return sorted(_texts(value))


def _by_player(rows: object) -> dict[str, Fields]:
    return {str(row["player"]): row for row in _items(rows) if isinstance(row, Mapping) and "player" in row}


def _undecided(wanted: Mapping[str, Fields], found: Mapping[str, Fields]) -> Mapping[str, Fields]:
    """Return rows whose bonus a lot decides: null, "draw" and a count all mean no bonus yet."""
    open_rows = {player for player, row in found.items() if row["bonus_by_draw"]}
    return {
        player: {
            key: value
            for key, value in row.items()
            if not (player in open_rows and (_is_left_to_a_lot(value) or key == "bonus_by_draw"))
        }
        for player, row in wanted.items()
    }


def _is_left_to_a_lot(value: object) -> bool:
    return value is None or (isinstance(value, str) and value.lower().replace("_", " ") in _BY_LOT)


def _bonuses(value: object) -> list[tuple[int, list[str]]]:
    """Return the number of bonuses among these players, in either notation."""
    entries = [value] if isinstance(value, Mapping) else list(_items(value))
    found: list[tuple[int, list[str]]] = []
    for entry in entries:
        parts = list(entry.values()) if isinstance(entry, Mapping) else list(_items(entry))
        counts = [part for part in parts if isinstance(part, int)]
        found.append((counts[0] if counts else 0, sorted(p for part in parts for p in _texts(part))))
    return sorted(found)
