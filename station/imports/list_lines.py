"""Recognise lines of a list that are not players: totals, rules, notes and repeated titles."""

import re
from collections.abc import Callable, Sequence
from itertools import takewhile, zip_longest
from typing import Final

from core.tournament.state.names import fold_name, is_spreadsheet_error
from station.imports.columns import is_title

NumberedLine = tuple[int, list[str]]
_TOTALS: Final = frozenset(
    ("total", "totale", "totali", "totals", "totaal", "totaux", "totales", "subtotal", "subtotale", "summe",
     "gesamt", "gesamtsumme", "gesamtzahl", "insgesamt", "somme", "suma", "soma", "razem", "celkem",
     "anzahl", "count", "conteggio")
)  # fmt: skip
_COUNTED: Final = frozenset(
    re.findall(
        r"\w+",
        "di dei de des der of players player participants participant entries iscritti iscritte giocatori "
        "partecipanti persone numero spieler teilnehmer personen anmeldungen joueurs inscrits jugadores "
        "participantes inscritos jogadores spelers deelnemers",
    )
)
_NO_CLUB: Final = frozenset(
    ("n/a", "none", "no club", "nessuno", "nessuna", "nessun club", "senza club", "keiner", "keine",
     "kein verein", "aucun", "aucune", "sans club", "ninguno", "ninguna", "nenhum", "geen", "brak")
)  # fmt: skip
_RULE: Final = re.compile(r"[-=_:+|/.\s–—─]*")
_NUMBERING: Final = re.compile(
    r"\s*(?:#?[0-9]{1,4}(?:\s*[.)°º:–-]+\s*|\s+)|[-*•–·☐☑☒□■✓✔✗]\s*|\[[ xX]?\]\s*)(?=[^\W\d_])"
)
_MOST_ALIKE: Final = 3
_FEWEST_NUMBERED: Final = 2
_MOST_WORDS: Final = 5


def is_between_players(cells: Sequence[str], titles: Sequence[str]) -> bool:
    """Return whether a line is a rule of hyphens or repeats the titles, as on each printed page."""
    if all(map(_RULE.fullmatch, cells)):
        return True
    return _folded(cells) == _folded(titles)


def _folded(cells: Sequence[str]) -> list[str]:
    return [fold_name(cell) for cell in cells if cell.strip()]


def lines_with_players(
    lines: Sequence[NumberedLine], name_of: Callable[[Sequence[str]], str]
) -> Sequence[NumberedLine]:
    """Return the lines up to the last player.

    Left out are totals, numbered lines without a name, and lines where only a club was filled down.
    """
    last = len(lines)
    while last and _is_below_players(lines[last - 1][1], name_of):
        last -= 1
    if not last or name_of(lines[last - 1][1]):
        return lines[:last]
    cells = lines[last - 1][1]
    alike = sum(1 for _ in takewhile(lambda line: line[1] == cells, reversed(lines[:last])))
    return lines[: last - alike if alike >= _MOST_ALIKE else last]


def _is_below_players(cells: Sequence[str], name_of: Callable[[Sequence[str]], str]) -> bool:
    name = name_of(cells)
    others = [cell for cell in cells if not _is_total(cell)]
    if name and not _is_total(name):
        return False
    return not any(letter.isalpha() for cell in others for letter in cell)


def _is_total(cell: str) -> bool:
    """Return whether a cell is a word for a total, maybe with a number and what was counted."""
    words = re.findall(r"[^\W\d_]+", fold_name(cell))
    return not _TOTALS.isdisjoint(words) and _TOTALS.union(_COUNTED).issuperset(words)


def are_numbered(names: Sequence[str]) -> bool:
    """Return whether each name starts with a number or a bullet, such as ``1. Ada``."""
    return len(names) >= _FEWEST_NUMBERED and all(map(_NUMBERING.match, names))


def without_number(name: str) -> str:
    """Return a name without a leading number or bullet."""
    return _NUMBERING.sub("", name, count=1)


def is_no_club(text: str) -> bool:
    """Return whether a cell means that there is no club, such as a hyphen or ``none``."""
    return fold_name(text) in _NO_CLUB or _RULE.fullmatch(text) is not None


def is_like_a_note(cells: Sequence[str], name: str, *, is_apart: bool, is_narrow: bool) -> bool:
    """Return whether a line may be a note or heading: a single cell that is long or has a digit or colon.

    So may a name that is a total, a title or has no letter, whatever is beside it.
    is_apart: an empty line is above it, or it is the club of others.
    is_narrow: no line has more than one cell.
    """
    if is_spreadsheet_error(name):
        return False
    if _is_total(name) or is_title(name) or not any(map(str.isalpha, name)):
        return True
    is_odd = is_apart or len(name.split()) > _MOST_WORDS or any(map(str.isdigit, name)) or name.endswith(":")
    return is_odd and not is_narrow and filled(cells) == 1


def filled(cells: Sequence[str]) -> int:
    """Return how many cells of a line aren't blank."""
    return sum(1 for cell in cells if cell.strip())


def with_titles_above(titles: Sequence[str], above: Sequence[str]) -> list[str]:
    """Return titles, with those of the line above where cells of two lines are merged."""
    pairs = zip_longest(titles, above, fillvalue="")
    return [title if title.strip() or not is_title(over) else over for title, over in pairs]


def goes_on_with_titles(titles: Sequence[str], below: Sequence[str]) -> bool:
    """Return whether the line below has only titles, some of them below blank cells: ``Player`` above two.

    A line that repeats all titles, as merged cells do, and adds some also counts.
    """
    pairs = list(zip_longest(titles, below, fillvalue=""))
    if all(title == under for title, under in pairs if is_title(title)):
        return any(under.strip() and under != title for title, under in pairs)
    return all(is_title(under) for under in below if under.strip()) and any(
        under.strip() and not title.strip() for title, under in pairs
    )
