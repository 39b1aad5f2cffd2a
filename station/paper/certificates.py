"""Certificates, and the letterhead on them: venue, organiser and logo."""

import asyncio
import base64
import enum
from collections.abc import Callable
from io import BytesIO
from typing import Final

import msgspec
from PIL import Image

from base.errors import Refused
from core.editions.edition import Edition
from core.terms import PlayerId, TournamentId
from core.text.sentence import dollars
from core.tournament.prizes import awards_of
from core.tournament.standings.standings import Rank, standings_of
from core.tournament.state.tournament import Stage, TournamentState
from station.hall.station_context import StationContext
from station.paper.layouts import Cells, Certificate, Certificates
from station.store.settings import Settings
from station.text.i18n import Words
from station.text.names import names_of
from station.text.prizes import awards_in_words
from station.text.times import day_in_words

LONGEST_NAME: Final = 100
_MEDALS: Final = 3
_SAMPLES: Final = ("Annie Oakley", "Doc Holliday", "Calamity Jane", "Wyatt Earp")
_SETTING: Final = "letterhead"
_LOGO: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}">'
    '<image width="{0}" height="{1}" href="data:image/png;base64,{2}"/></svg>'
)


class LetterheadRefusal(enum.Enum):
    """The reasons for refusing a letterhead, as English sentences."""

    NO_LOGO = "Choose a PNG, JPEG or SVG picture of up to 2 MB as the logo."
    TOO_LONG = "This has {count} characters: {text}. Shorten it to {most}."


class Letterhead(msgspec.Struct, frozen=True):
    """The organiser's details. ``logo`` is an SVG, or ""."""

    venue: str = ""
    organiser: str = ""
    logo: str = ""


def read_letterhead(settings: Settings, tournament: TournamentId) -> Letterhead:
    """Return a tournament's letterhead, by default the last one saved. Blocks."""
    content = settings.get(f"{_SETTING}-{tournament}") or settings.get(_SETTING)
    return msgspec.json.decode(content or "{}", type=Letterhead)


class Letterheads:
    """The stored letterheads of all tournaments."""

    def __init__(self, context: StationContext) -> None:
        self._settings = context.parts.settings

    async def find(self, tournament: TournamentId) -> Letterhead:
        return await asyncio.to_thread(read_letterhead, self._settings, tournament)

    async def change(
        self, tournament: TournamentId, venue: str, organiser: str, change_logo: Callable[[str], str]
    ) -> None:
        """Save the details, and the logo that ``change_logo`` makes of the former one. Raises Refused."""
        for text in (venue, organiser):
            if len(text) > LONGEST_NAME:
                raise Refused(LetterheadRefusal.TOO_LONG, count=len(text), text=text, most=LONGEST_NAME)

        def _save() -> None:
            former = read_letterhead(self._settings, tournament)
            content = msgspec.json.encode(Letterhead(venue, organiser, change_logo(former.logo))).decode()
            for name in (_SETTING, f"{_SETTING}-{tournament}"):
                self._settings.set(name, content)

        await asyncio.to_thread(_save)


def logo_svg(png: bytes) -> str:
    """Return an SVG that contains a PNG picture, as the typesetter gets no other files."""
    with Image.open(BytesIO(png)) as picture:
        return _LOGO.format(*picture.size, base64.b64encode(png).decode())


class CertificateChoice(msgspec.Struct, frozen=True):
    """The players who get a certificate: all, those in the best places, or a single one."""

    best: int | None = None
    player: str = ""


def has_ranks(state: TournamentState) -> bool:
    """Return whether all games are over. Before, certificates are samples."""
    return state.stage in {Stage.FINISHED, Stage.PUBLISHED}


def certificates(
    state: TournamentState,
    rules: Edition,
    words: Words,
    *,
    letterhead: Letterhead = Letterhead(),  # noqa: B008 (immutable)
    choice: CertificateChoice = CertificateChoice(),  # noqa: B008 (immutable)
) -> Certificates:
    """Return the chosen certificates, the winner's first; samples until all games are over."""
    is_sample = not has_ranks(state)
    made = _samples(state, rules, words) if is_sample else _ranked(state, rules, words)
    chosen = tuple(
        certificate
        for player, rank, certificate in made
        if (is_sample or choice.player in {"", player}) and rank.first <= (choice.best or rank.first)
    )
    return _framed(chosen, state, letterhead, words, words.gettext("Sample") if is_sample else "")


def prize_certificates(
    state: TournamentState, rules: Edition, words: Words, letterhead: Letterhead
) -> Certificates:
    """Return a certificate for each winner of a prize, in the organiser's order."""
    _ = words.gettext
    made = []
    for award in awards_in_words(state, rules, words):
        for one in award.winners:
            place = one.place if len(award.winners) > 1 else ""
            title = f"{award.name}{_(': ')}{_('Place {n}').format(n=place)}" if place else award.name
            medal = int(one.place) if one.place in {"1", "2", "3"} else 0
            made.append(Certificate(one.name, title, f"{one.figure} · {rules.title}", one.place, medal))
    return _framed(tuple(made), state, letterhead, words)


def _framed(
    made: tuple[Certificate, ...],
    state: TournamentState,
    letterhead: Letterhead,
    words: Words,
    sample: str = "",
) -> Certificates:
    _, day = words.gettext, day_in_words(state.date, words.gettext)
    organised = _("Organised by {name}").format(name=letterhead.organiser)
    details = f"{day} · {letterhead.venue}" if letterhead.venue else day
    return Certificates(
        made,
        state.name,
        (details, *((organised,) if letterhead.organiser else ())),
        (_("Judge"), _("Organiser")),
        letterhead.logo,
        sample,
    )


_Ranked = tuple[PlayerId, Rank, Certificate]


def _ranked(state: TournamentState, rules: Edition, words: Words) -> list[_Ranked]:
    prizes: dict[PlayerId, Cells] = {}
    for award in awards_of(state, rules):
        for one in award.winners:
            if not one.club:
                prizes[one.player] = (*prizes.get(one.player, ()), award.prize.name)
    names, rows = names_of(state), standings_of(state, rules).rows
    of = _count(sum(row.rank is not None or row.games > 0 for row in rows), words)
    return [
        (
            row.player,
            row.rank,
            Certificate(
                names[row.player],
                _place(row.rank, words),
                f"{of} · {dollars(row.final_score)} · {rules.title}",
                str(row.rank),
                row.rank.first if row.rank.first <= _MEDALS else 0,
                prizes.get(row.player, ()),
            ),
        )
        for row in rows
        if row.rank
    ]


def _samples(state: TournamentState, rules: Edition, words: Words) -> list[_Ranked]:
    text = f"{_count(max(len(state.contenders), len(_SAMPLES)), words)} · {rules.title}"
    return [
        (
            PlayerId(""),
            rank := Rank(number, number),
            Certificate(name, _place(rank, words), text, str(rank), number if number <= _MEDALS else 0),
        )
        for number, name in enumerate(_SAMPLES, 1)
    ]


def _count(players: int, words: Words) -> str:
    return words.ngettext("of {n} player", "of {n} players", players).format(n=players)


def _place(rank: Rank, words: Words) -> str:
    _ = words.gettext
    by_name = (
        _("First place") if rank.is_shared else _("Champion"),
        _("Second place"), _("Third place"), _("Fourth place"),
        _("Fifth place"), _("Sixth place"), _("Seventh place"), _("Eighth place"),
    )  # fmt: skip
    place = by_name[rank.first - 1] if rank.first <= len(by_name) else _("Place {n}").format(n=rank.first)
    return _("{place}, shared").format(place=place) if rank.is_shared else place
