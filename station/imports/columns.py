"""Recognise the columns of a list of players by their titles, in several languages."""

import enum
import re
from collections.abc import Iterator, Sequence
from typing import Final

from saloon.core.tournament.names import fold_name
from saloon.station.imports.findings import ListColumns

ALLOWED: Final = "name, nome, player, full name, first name + last name, cognome + nome, Vorname + Nachname"
_MOST_TITLE: Final = 120


class _Kind(enum.Enum):
    """The kind of a column; the value lists its titles as normalised by ``fold_name``."""

    FULL = (
        "full name", "fullname", "nominativo", "nome completo", "nombre completo", "nom complet",
        "vollstandiger name", "volledige naam", "vor und nachname", "nach und vorname", "vor und zuname",
        "come ti chiami", "come si chiama", "wie heisst du", "wie heissen sie", "comment t appelles tu",
        "comment vous appelez vous", "comment tappelles tu", "como te llamas", "como se llama",
        "como te chamas", "hoe heet je",
    )  # fmt: skip
    NAME = (
        "name",
        "nome",
        "names",
        "nom",
        "noms",
        "nombre",
        "naam",
        "navn",
        "namn",
        "nume",
        "nev",
        "jmena",
        "nomi",
        "namen",
    )
    PLAYER = (
        "player", "players", "player name", "players name", "giocatore", "giocatrice", "giocatori",
        "partecipante",
        "partecipanti", "spieler", "spielerin", "spielername", "teilnehmer", "teilnehmerin", "teilnehmername",
        "joueur",
        "joueuse", "participant", "participants", "jugador", "jugadora", "participante", "jogador",
        "jogadora", "speler", "deelnemer", "zawodnik", "gracz", "hrac", "spiller", "spelare", "pelaaja",
        "oyuncu", "igrac",
    )  # fmt: skip
    FIRST = (
        "first name", "firstname", "first names", "given name", "given names", "forename", "forenames",
        "vorname", "vornamen", "rufname", "prenom", "prenoms", "nombres", "nombre de pila", "primer nombre",
        "primeiro nome", "nome proprio", "voornaam", "fornavn", "fornamn", "etunimi", "imie", "imiona",
        "jmeno", "krestni jmeno", "meno", "krstne meno", "ime", "prenume", "keresztnev", "utonev", "ad",
        "adi",
    )  # fmt: skip
    LAST = (
        "last name", "lastname", "last names", "surname", "surnames", "family name", "cognome", "cognomi",
        "nachname", "familienname", "zuname", "nom de famille", "apellido", "apellidos", "sobrenome",
        "apelido", "apelidos", "ultimo nome", "cognoms", "achternaam", "familienaam", "etternavn",
        "efternavn", "efternamn", "sukunimi", "nazwisko", "prijmeni", "priezvisko", "prezime", "priimek",
        "vezeteknev", "csaladnev", "soyad", "soyadi", "nume de familie",
        "primer apellido", "apellido 1", "apellido paterno",
    )  # fmt: skip
    SECOND_LAST = ("segundo apellido", "apellido 2", "apellido materno")
    CLUB = (
        "club", "clubs", "heimatverein", "circolo", "associazione", "societa", "ludoteca", "verein",
        "association",
        "asociacion", "institution", "institucion", "school", "organization", "organisation", "clube",
        "associacao", "vereniging", "klub", "kerho", "forening", "egyesulet", "klubi", "spolek", "oddil",
    )  # fmt: skip
    TEAM = ("team", "squadra", "mannschaft", "equipe", "equipo", "ploeg", "druzyna", "lag")
    TOWN = (
        "town", "city", "home town", "hometown", "heimatort",
        "citta", "provenienza", "comune", "localita", "residenza", "ort", "stadt", "wohnort",
        "ville", "commune", "ciudad", "localidad", "cidade", "localidade", "plaats", "woonplaats", "stad",
        "miasto", "mesto", "by", "varos", "sehir", "grad", "oras",
    )  # fmt: skip


_KINDS: Final = {title: kind for kind in _Kind for title in kind.value}
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
        "vienes juegas o a seu sua teu joga wat je jouw uw welke speel kom",
    )
)
"""Words that occur in questions, which online forms use as column titles."""
_PARENTHESES: Final = re.compile(r"[(\[][^)\]]*[)\]]")
_WORD_ENDS: Final = re.compile(r"[\s¿?¡!.:]+")
_CONNECTORS: Final = re.compile(r"\s*[,/&+|;]\s*|\s+(?:e|ed|and|und|et|y|i|o|or|oder|ou|en|og|och|a)\s+")
_OWN_EXPORT: Final = frozenset(("player", "name", "club", "status", "sheriff in"))


class TwoColumns(Exception):
    """Raised if two columns have the same kind. column: the kind."""

    def __init__(self, column: str, first: str, second: str) -> None:
        self.column = column
        self.first = first
        self.second = second
        super().__init__(column)


def columns_of(titles: Sequence[str]) -> ListColumns | None:
    """Return the columns to read; None if none contains names. Raises TwoColumns."""
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
    names = _name_kinds(places)
    if not names:
        return None
    club = next((kind for kind in _CLUBS if kind in places), None)
    for kind in (*names, club):
        if kind in twice:
            raise twice[kind]
    return ListColumns(tuple(places[kind] for kind in names), None if club is None else places[club])


def _name_kinds(places: dict[_Kind, int]) -> tuple[_Kind, ...]:
    """Return the kinds of columns that make up a name, first names first.

    ``Name`` means last name next to a column of first names, as in German, and first name next to last names.
    """
    seconds = tuple(kind for kind in (_Kind.SECOND_LAST,) if kind in places)
    if _Kind.FULL in places:
        return (_Kind.FULL,)
    if _Kind.FIRST in places and _Kind.LAST in places:
        return _Kind.FIRST, _Kind.LAST, *seconds
    if _Kind.FIRST in places and _Kind.NAME in places:
        return _Kind.FIRST, _Kind.NAME
    if _Kind.LAST in places and _Kind.NAME in places:
        return _Kind.NAME, _Kind.LAST, *seconds
    return tuple(kind for kind in _BY_THEMSELVES if kind in places)[:1]


def is_title(text: str) -> bool:
    """Return whether a cell is a known column title."""
    return _kind_of(text) is not None


def is_own_export(titles: Sequence[str]) -> bool:
    """Return whether a list is Saloon's own export, so that there is no warning about its other columns."""
    return {fold_name(title.replace("_", " ")) for title in titles} >= _OWN_EXPORT


def _kind_of(title: str) -> _Kind | None:
    """Return the kind of a title, which may be combined, such as ``Cognome e nome`` or ``Club / città``."""
    if len(title) > _MOST_TITLE:
        return None
    whole = _PARENTHESES.sub(" ", title.replace("_", " "))
    plain = fold_name(whole.strip(" \t*:.?!#\"'¿¡"))
    words = _WORD_ENDS.split(plain)
    if len(words) == _A_NAME and words[0] not in _ASKING:  # "Player A" is a name, not a title
        return _kind_of_words(plain)
    return _kind_of_words(plain) or _kind_of_words(" ".join(word for word in words if word not in _ASKING))


def _kind_of_words(plain: str) -> _Kind | None:
    if plain in _KINDS:
        return _KINDS[plain]
    for parts in _ways_apart(plain):
        kinds = {_KINDS.get(fold_name(part)) for part in parts}
        if kinds <= set(_CLUBS):
            return next(kind for kind in _CLUBS if kind in kinds)
        if kinds <= set(_NAMES):
            return _Kind.FULL
    of, _, named = plain.partition(" ")
    club = {_KINDS.get(of), _KINDS.get(named)} - {_Kind.NAME, _Kind.PLAYER}
    return club.pop() if len(club) == 1 and club <= set(_CLUBS) else None


def _ways_apart(title: str) -> Iterator[Sequence[str]]:
    connected = [part for part in _CONNECTORS.split(title) if part]
    if len(connected) > 1:
        yield connected
    words = title.split()
    for place in range(1, len(words)):
        yield " ".join(words[:place]), " ".join(words[place:])
