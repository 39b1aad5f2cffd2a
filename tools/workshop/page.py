"""Read and replace the generated tables in docs/setup/hardware.md.

They stand between markers with the table's name.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bench.figure import Figure
from tools.workshop.builds import SPARES, TABLES, VOLTS, Build, Goods, Sum, sum_of
from tools.workshop.cables import ALARM_V, AREA_OF_AWG, EFFICIENCY, ChainTooLong, chain_v, longest_m
from tools.workshop.card_life import BLOCK, CARDS, PAGE, games_of

WRITTEN: Final = "written on the card for a game"
"""The name of the figure in docs/reference/performance.md for the writes of a game."""
_WRITES: Final = re.compile(r"(\d+) writes")
_CHAIN: Final = ((0.75, 8), (1.5, 8), (2.5, 8), (1.5, 16), (2.5, 16))
_SPACING_M, _CHAIN_V, _LEAST_V = 5.0, 24.0, 12.0
_SUPPLY_V: Final = 5.1


class MissingMarker(LookupError):
    """The page has no markers for a table."""


def table_text(page: str, name: str) -> str:
    """Return the text between the markers of a table. Raises MissingMarker if there are none."""
    found = _marked(name).search(page)
    if found is None:
        raise MissingMarker(name)
    return found[2]


def with_table(page: str, name: str, text: str) -> str:
    """Return the page with one table replaced. Raises MissingMarker if its markers are missing."""
    changed, count = _marked(name).subn(lambda found: f"{found[1]}{text}{found[3]}", page)
    if count != 1:
        raise MissingMarker(name)
    return changed


def _marked(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?s)(<!-- {name} -->\n)(.*?)(\n<!-- end of {name} -->)")


def tables(known: dict[str, Goods], built: dict[str, Build], figures: Sequence[Figure]) -> dict[str, str]:
    """Return all tables by name. figures: those of docs/reference/performance.md."""
    found = {
        "builds": "\n".join(_compared(known, built)),
        "currents": "\n".join(_currents(known, built)),
        "usb cables": "\n".join(_usb_cables(known, built)),
        "chain": "\n".join(_chain(sum_of(built["hall"], known))),
        "cards": "\n".join(_cards(figures)),
    }
    return found | {"parts": "\n".join(_parts(known, built))}


def _compared(known: dict[str, Goods], built: dict[str, Build]) -> Iterator[str]:
    hall = f"hall of {TABLES}, {SPARES} spare terminals"
    yield f"| build | one terminal | {hall} | W in a game, most | to build one | in the hall |"
    yield "|---|---|---|---|---|---|"
    for build in built.values():
        total = sum_of(build, known)
        yield (
            f"| **{build.name}**: {build.about} | {total.eur} € | {total.hall_eur:,} € "
            f"| {total.watts:.1f}, {total.peak_watts:.1f} "
            f"| {build.build_minutes} min | {build.hall_minutes} min |"
        )


def _parts(known: dict[str, Goods], built: dict[str, Build]) -> Iterator[str]:
    """Yield how many of each part every build needs, first for a terminal, then for the hall."""
    sums = [sum_of(build, known) for build in built.values()]
    yield f"| part | € each | {' | '.join(build.name for build in built.values())} |"
    yield "|---|---|" + "---|" * len(built)
    yield from _rows([build.terminal for build in built.values()], known)
    yield f"| **one terminal** | | {' | '.join(f'**{total.eur} €**' for total in sums)} |"
    yield f"| terminals, {SPARES} spare ones included | | {' | '.join([str(TABLES + SPARES)] * len(built))} |"
    yield from _rows([build.hall for build in built.values()], known)
    yield f"| **a hall of {TABLES}** | | {' | '.join(f'**{total.hall_eur:,} €**' for total in sums)} |"


def _rows(parts: list[dict[str, int]], known: dict[str, Goods]) -> Iterator[str]:
    for key, part in known.items():
        if any(key in taken for taken in parts):
            yield f"| {part.name} | {part.eur} | {' | '.join(str(taken.get(key, '–')) for taken in parts)} |"


def _currents(known: dict[str, Goods], built: dict[str, Build]) -> Iterator[str]:
    yield "| part | mA in a game | mA at most |"
    yield "|---|---|---|"
    for part in known.values():
        if part.peak_ma:
            yield f"| {part.name} | {part.ma} | {part.peak_ma:,} |"
    for build in built.values():
        total = sum_of(build, known)
        yield f"| **one terminal, {build.name}** | **{total.ma:,}** | **{total.peak_ma:,}** |"


def _usb_cables(known: dict[str, Goods], built: dict[str, Build]) -> Iterator[str]:
    """Yield the longest USB cables that avoid undervoltage."""
    room = _SUPPLY_V - ALARM_V
    names = list(built)
    yield f"| wire | mm² | {' | '.join(f'{built[key].name}, metres' for key in names)} |"
    yield "|---|---|" + "---|" * len(names)
    for awg, area in AREA_OF_AWG.items():
        lengths = [longest_m(area, sum_of(built[key], known).peak_ma / 1000, room) for key in names]
        yield f"| AWG {awg} | {area:.2f} | {' | '.join(f'{length:.1f}' for length in lengths)} |"


def _chain(total: Sum) -> Iterator[str]:
    """Yield chains of tables on 24 V, each table at its peak power."""
    watts = total.peak_ma * VOLTS / 1000 / EFFICIENCY
    yield "| wire, mm² | tables | length | V at the last | A at the first | |"
    yield "|---|---|---|---|---|---|"
    for area, tables_on in _CHAIN:
        length = tables_on * _SPACING_M
        try:
            volts = chain_v(tables_on, _SPACING_M, area, watts, _CHAIN_V)
        except ChainTooLong:
            yield f"| {area} | {tables_on} | {length:.0f} m | – | – | too long |"
            continue
        ampere = sum(watts / here for here in volts)
        word = "good" if volts[-1] >= _LEAST_V else "too long"
        yield f"| {area} | {tables_on} | {length:.0f} m | {volts[-1]:.1f} | {ampere:.1f} | {word} |"


def _cards(figures: Sequence[Figure]) -> Iterator[str]:
    """Yield how many games wear a card out, at worst and at best."""
    figure = next((each for each in figures if each.what == WRITTEN), None)
    told = _WRITES.search(figure.more) if figure is not None else None
    if figure is None or told is None:
        yield "not measured yet: `python -m bench card --write` as root"
        return
    writes = int(told[1])
    block, page = BLOCK // 2**20, PAGE // 1024
    yield f"| card | each write costs a block of {block} MB | each costs a page of {page} KB |"
    yield "|---|---|---|"
    for card in CARDS:
        worst = games_of(card, writes=writes, unit=BLOCK)
        best = games_of(card, writes=writes, unit=PAGE)
        yield f"| {card.name}, {card.cycles:,} cycles | {_rounded(worst)} games | {_rounded(best)} games |"
    yield ""
    yield f"A game writes {figure.ours:.0f} kB in {writes} writes ([measured](../reference/performance.md))."


def _rounded(games: int) -> str:
    """Round to two digits, as the estimate isn't more precise."""
    digits = max(0, len(str(games)) - 2)
    return f"{round(games, -digits):,}"
