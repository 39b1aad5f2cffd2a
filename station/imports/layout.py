"""Recognise the columns of a list of players, and the lines that are not players, in several languages.

Columns are recognised by their titles. Totals, rules, notes and repeated titles are not players.
"""

import enum
import re
from collections.abc import Callable, Sequence
from itertools import takewhile, zip_longest
from typing import Final

from core.tournament.state.names import fold_name, is_spreadsheet_error
from station.imports.findings import ListColumns

ALLOWED: Final = "name, nome, player, full name, first name + last name, cognome + nome, Vorname + Nachname"
_MOST_TITLE: Final = 120


class _Kind(enum.Enum):
    """The kind of a column; the value lists its titles as normalised by ``fold_name``."""

    FULL = (
        "full name", "fullname", "nominativo", "nome completo", "nombre completo", "nom complet",
        "vollstandiger name", "volledige naam", "vor und nachname", "nach und vorname", "vor und zuname",
        "come ti chiami", "come si chiama", "wie heisst du", "wie heissen sie", "comment t appelles tu",
        "comment vous appelez vous", "comment tappelles tu", "como te llamas", "como se llama",
        "como te chamas", "hoe heet je", "voor en achternaam", "fullt navn", "teljes nev", "ονοματεπωνυμο",
        "фио", "полное имя",
    )  # fmt: skip
    NAME = (
        "name", "nome", "names", "nom", "noms", "nombre", "naam", "navn", "namn", "nume", "nev", "jmena",
        "nomi", "namen", "nimi", "имя", "ονομα", "שם", "الاسم", "氏名", "名前", "姓名", "이름",
    )  # fmt: skip
    PLAYER = (
        "player", "players", "player name", "players name", "giocatore", "giocatrice", "giocatori",
        "partecipante",
        "partecipanti", "spieler", "spielerin", "spielername", "teilnehmer", "teilnehmerin", "teilnehmername",
        "joueur",
        "joueuse", "participant", "participants", "jugador", "jugadora", "participante", "jogador",
        "jogadora", "speler", "deelnemer", "zawodnik", "gracz", "hrac", "spiller", "spelare", "pelaaja",
        "oyuncu", "igrac", "игрок", "participant name", "participants name", "attendee", "attendees",
        "attendee name", "display name", "displayname", "gamertag", "spielers", "teilnehmers", "iscritti",
        "joueurs", "jugadores", "jogadores", "participantes",
    )  # fmt: skip
    FIRST = (
        "first name", "firstname", "first names", "first", "given name", "given names", "forename",
        "forenames", "vorname", "vornamen", "rufname", "prenom", "prenoms", "nombres", "nombre de pila",
        "primer nombre",
        "primeiro nome", "nome proprio", "voornaam", "fornavn", "fornamn", "etunimi", "imie", "imiona",
        "jmeno", "krestni jmeno", "meno", "krstne meno", "ime", "prenume", "keresztnev", "utonev", "ad",
        "adi",
    )  # fmt: skip
    LAST = (
        "last name", "lastname", "last names", "last", "surname", "surnames", "family name", "cognome",
        "cognomi", "nachname", "familienname", "zuname", "nom de famille", "apellido", "apellidos",
        "sobrenome",
        "apelido", "apelidos", "ultimo nome", "cognoms", "achternaam", "familienaam", "etternavn",
        "efternavn", "efternamn", "sukunimi", "nazwisko", "prijmeni", "priezvisko", "prezime", "priimek",
        "vezeteknev", "csaladnev", "soyad", "soyadi", "nume de familie", "фамилия",
        "primer apellido", "apellido 1", "apellido paterno",
    )  # fmt: skip
    SECOND_LAST = ("segundo apellido", "apellido 2", "apellido materno")
    CLUB = (
        "club", "clubs", "heimatverein", "circolo", "associazione", "societa", "ludoteca", "verein",
        "association",
        "asociacion", "institution", "institucion", "school", "organization", "organisation", "clube",
        "associacao", "vereniging", "klub", "kerho", "forening", "egyesulet", "klubi", "spolek", "oddil",
        "klubb", "клуб",
    )  # fmt: skip
    TEAM = ("team", "squadra", "mannschaft", "equipe", "equipo", "ploeg", "druzyna", "lag")
    TOWN = (
        "town", "city", "home town", "hometown", "heimatort",
        "citta", "provenienza", "comune", "localita", "residenza", "ort", "stadt", "wohnort",
        "ville", "commune", "ciudad", "localidad", "cidade", "localidade", "plaats", "woonplaats", "stad",
        "miasto", "mesto", "by", "varos", "sehir", "grad", "oras",
        "paese", "poblacion", "kaupunki", "город", "πολη", "עיר", "المدينة", "都市", "町", "城市", "도시",
        "where", "dove", "woher", "dou", "donde", "onde",
    )  # fmt: skip


_KINDS: Final = {fold_name(title): kind for kind in _Kind for title in kind.value}
_MOST_WORDS: Final = 4
"""The most words of a title in ``_KINDS``."""
_CLUBS: Final = (_Kind.CLUB, _Kind.TEAM, _Kind.TOWN)
_BY_THEMSELVES: Final = (_Kind.FULL, _Kind.NAME, _Kind.PLAYER)
"""Kinds that contain a whole name; the first such column is read."""
_NAMES: Final = (*_BY_THEMSELVES, _Kind.FIRST, _Kind.LAST)
_A_NAME: Final = 2
_ASKING: Final = frozenset(
    re.findall(
        r"\w+",
        "the of your you yours what whats which is are do play for in from enter please write insert "
        "home own s il lo la i le l del della di dei tuo tua suo sua qual quale e da con per vieni sei "
        "giochi inserisci scrivi appartenenza residenza der die das dein deine dem ihr ihre wie lautet "
        "ist was welchem welcher aus bist du spielst kommst sie spielen kommen des les votre ton ta vos "
        "quel quelle est venez vous viens tu jouez joues de indiquez el los las su sus cual es que eres "
        "vienes juegas o a seu sua teu joga wat je jouw uw welke speel kom tus tuoi deine deinen i gli "
        "iscritto iscritta dell do da as os",
    )
)
"""Words of questions, which online forms use as column titles."""
_ARTICLES: Final = re.compile(r"\b(?:dell|all|l)['’]", re.IGNORECASE)
_PARENTHESES: Final = re.compile(r"[(\[][^)\]]*[)\]]")
_ENDINGS: Final = re.compile(
    r"(?<=[^\W\d_])(?:[/:*·.-]{1,2}(?:in|innen|e|se|s|a|as|trice|trici)|In|Innen|\((?:in|innen|e|se|s|a|as)\))\b"
)
"""Feminine endings added to masculine ones, as in ``Spieler:in``."""
_BETWEEN: Final = re.compile(r"[\s¿?¡!.:,/&+|;]+")
_CONNECTORS: Final = frozenset(
    re.findall(r"\w+", "e ed and und et y i o or oder ou en og och a si es ve ja in")
)
_OWN_EXPORT: Final = frozenset(("player", "name", "club", "status", "sheriff in"))
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
_MOST_OF_NAME: Final = 5
"""A cell with more words may be a note."""


class TwoColumns(Exception):
    """Raised if two columns have the same kind. ``column`` names the kind."""

    def __init__(self, column: str, first: str, second: str) -> None:
        self.column = column
        self.first = first
        self.second = second
        super().__init__(column)


def columns_of(titles: Sequence[str]) -> ListColumns | None:
    """Return the columns to read, or None if none contains names. Raises TwoColumns."""
    places: dict[_Kind, int] = {}
    twice: dict[_Kind, TwoColumns] = {}
    for place, title in enumerate(titles):
        kind = _kind_of(title)
        if kind is None:
            continue
        if kind in places:
            what = "club" if kind in _CLUBS else "surname" if kind is _Kind.LAST else "name"
            twice.setdefault(kind, TwoColumns(what, titles[places[kind]].strip(), title.strip()))
        places.setdefault(kind, place)
    if _Kind.FIRST not in places and _Kind.LAST in places and fold_name(titles[places[_Kind.LAST]]) == "last":
        del places[_Kind.LAST]  # the last of something else
    names = _name_kinds(places)
    if not names:
        return None
    club = next((kind for kind in _CLUBS if kind in places), None)
    for kind in (*names, club):
        if kind in twice:
            raise twice[kind]
    return ListColumns(tuple(places[kind] for kind in names), None if club is None else places[club])


def _name_kinds(places: dict[_Kind, int]) -> tuple[_Kind, ...]:
    """Return the kinds of the columns that make up a name, first names first.

    ``Name`` means last name next to first names, as in German, and first name next to last names.
    """
    seconds = tuple(kind for kind in (_Kind.SECOND_LAST,) if kind in places)
    if _Kind.FULL in places:
        return (_Kind.FULL,)
    if _Kind.FIRST in places and _Kind.LAST in places:
        return _Kind.FIRST, _Kind.LAST, *seconds
    if _Kind.FIRST in places and _Kind.NAME in places:
        return _Kind.FIRST, _Kind.NAME
    beside = next((kind for kind in (_Kind.NAME, _Kind.PLAYER) if kind in places), None)
    if _Kind.LAST in places and beside is not None:
        return beside, _Kind.LAST, *seconds
    return tuple(kind for kind in _BY_THEMSELVES if kind in places)[:1]


def is_title(text: str) -> bool:
    return _kind_of(text) is not None


def is_own_export(titles: Sequence[str]) -> bool:
    """Return whether the titles are those of Saloon's own export, whose other columns need no warning."""
    return {fold_name(title.replace("_", " ")) for title in titles} >= _OWN_EXPORT


def _kind_of(title: str) -> _Kind | None:
    """Return the kind of a title, which may combine several, as in ``Cognome e nome`` or ``Club / città``."""
    if len(title) > _MOST_TITLE:
        return None
    title = _ARTICLES.sub(" ", title.replace("_", " "))
    return _kind_of_text(_PARENTHESES.sub(" ", title)) or _kind_of_text(_ENDINGS.sub(" ", title))


def _kind_of_text(title: str) -> _Kind | None:
    plain = fold_name(title.strip(" \t*:.?!#\"'¿¡"))
    words = [word for word in _BETWEEN.split(plain) if word]
    kind = _KINDS.get(plain) or _kind_of_words(words)
    if kind is not None or (len(words) == _A_NAME and words[0] not in _ASKING):  # "Player A" is a name
        return kind
    return _kind_of_words([word for word in words if word not in _ASKING])


def _kind_of_words(words: Sequence[str]) -> _Kind | None:
    kinds = _kinds_in(words)
    of_names = kinds - set(_CLUBS)
    if kinds and not of_names:
        return next(kind for kind in _CLUBS if kind in kinds)
    if of_names != kinds:  # "Player's club", "Club name"
        is_of_club = of_names <= {_Kind.NAME, _Kind.PLAYER} and not _CONNECTORS.intersection(words)
        return next(kind for kind in _CLUBS if kind in kinds) if is_of_club else None
    of_player = kinds - {_Kind.PLAYER}
    if kinds == {_Kind.NAME, _Kind.PLAYER}:
        return _Kind.PLAYER
    return next(iter(of_player or kinds), None) if len(of_player) <= 1 else _Kind.FULL


def _kinds_in(words: Sequence[str]) -> set[_Kind]:
    """Return the kinds of titles that these words form, or none if any other word is among them."""
    kinds: set[_Kind] = set()
    place = 0
    while place < len(words):
        ends = range(min(place + _MOST_WORDS, len(words)), place, -1)
        end = next((end for end in ends if " ".join(words[place:end]) in _KINDS), None)
        if end is not None:
            kinds.add(_KINDS[" ".join(words[place:end])])
        elif not kinds or words[place] not in _CONNECTORS or place + 1 == len(words):
            return set()
        place = end or place + 1
    return kinds


def is_between_players(cells: Sequence[str], titles: Sequence[str]) -> bool:
    """Return whether a line is a rule of hyphens, or repeats the titles as at the top of a printed page."""
    if all(map(_RULE.fullmatch, cells)):
        return True
    return _folded(cells) == _folded(titles)


def _folded(cells: Sequence[str]) -> list[str]:
    return [fold_name(cell) for cell in cells if cell.strip()]


def lines_with_players(
    lines: Sequence[NumberedLine], name_of: Callable[[Sequence[str]], str]
) -> Sequence[NumberedLine]:
    """Return the lines up to the last player.

    This drops totals, numbered lines without a name, and lines to which only a club was copied down.
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
    """Return whether a cell is a total, possibly followed by its number and unit."""
    words = re.findall(r"[^\W\d_]+", fold_name(cell))
    return not _TOTALS.isdisjoint(words) and _TOTALS.union(_COUNTED).issuperset(words)


def are_numbered(names: Sequence[str]) -> bool:
    """Return whether each name starts with a number or a bullet, such as ``1. Ada``."""
    return len(names) >= _FEWEST_NUMBERED and all(map(_NUMBERING.match, names))


def without_number(name: str) -> str:
    return _NUMBERING.sub("", name, count=1)


def is_no_club(text: str) -> bool:
    """Return whether a cell means that there is no club, such as a hyphen or ``none``."""
    return fold_name(text) in _NO_CLUB or _RULE.fullmatch(text) is not None


def is_like_a_note(cells: Sequence[str], name: str, *, is_apart: bool, is_narrow: bool) -> bool:
    """Return whether a line may be a note: a single cell that is long, or has a digit or a final colon.

    A name that is a total or a title, or has no letter, also counts, whatever the other cells contain.
    is_apart: the line follows an empty one, or its text is the club of others.
    is_narrow: no line has more than one cell.
    """
    if is_spreadsheet_error(name):
        return False
    if _is_total(name) or is_title(name) or not any(map(str.isalpha, name)):
        return True
    is_odd = (
        is_apart or len(name.split()) > _MOST_OF_NAME or any(map(str.isdigit, name)) or name.endswith(":")
    )
    return is_odd and not is_narrow and filled(cells) == 1


def filled(cells: Sequence[str]) -> int:
    return sum(1 for cell in cells if cell.strip())


def with_titles_above(titles: Sequence[str], above: Sequence[str]) -> list[str]:
    """Return titles, completed by the line above where cells of two lines are merged."""
    pairs = zip_longest(titles, above, fillvalue="")
    return [title if title.strip() or not is_title(over) else over for title, over in pairs]


def continues_titles(titles: Sequence[str], below: Sequence[str]) -> bool:
    """Return whether the next line also contains titles, some of them below blank cells.

    A line that repeats all titles, as merged cells do, and adds some also counts.
    """
    pairs = list(zip_longest(titles, below, fillvalue=""))
    if all(title == under for title, under in pairs if is_title(title)):
        return any(under.strip() and under != title for title, under in pairs)
    return all(is_title(under) for under in below if under.strip()) and any(
        under.strip() and not title.strip() for title, under in pairs
    )
