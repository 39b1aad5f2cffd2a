"""The form in which a tournament's rules are chosen, for opening one and for changing it."""

import asyncio
import datetime as dt
import enum
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

import msgspec
from litestar.response import Template
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.editions.loader import base_edition, editions, read_house_rules
from core.rule_set import AgreementForm, OptionKey, ReadingChoice, RecordMode, RuleSet
from core.text.open_questions import choices, chosen_readings, questions
from core.text.rules_in_words import text_chapters
from core.text.sentence import list_numbers
from core.tournament.draw.rounds import planned_rounds, table_sizes
from core.tournament.state.tournament import TournamentState, Waivers
from station.imports.findings import PlayerRow
from station.pace.day import day_lengths
from station.text.i18n import Words
from station.text.plan import first_free_table
from station.text.reasons import FormReason
from station.text.rules_in_words import (
    CHAPTER_ICONS,
    in_short,
    options,
    origin,
    score_in_short,
    winnings_rows,
)
from station.tournaments.checklist import DUELS_OF_FINALS, range_in_words
from station.web.forms import Fields
from station.web.site import PageRequest, page, site_of, words_of
from station.web.tournament_context import TournamentContext

_LARGEST_RULES: Final = 64 * 1024
LARGEST_FORM: Final = 4 * _LARGEST_RULES
"""The form's size limit; URL encoding needs up to three characters per byte."""
_USUAL_PLAYERS: Final = 24
"""The number of players for whom the editions are described at first."""
_DIGITS: Final = 3
"""The most digits of an expected number of players."""
_TYPED = (
    "name", "date", "rounds", "time_limit_min", "cycles", "unofficial", "tables", "with_players",
    "with_presence", "with_desk", "prizes",
)  # fmt: skip
_Choice = TypeVar("_Choice", bound=enum.Enum)
_READING = "reading-"
_OPTION = "option-"


class RulesTarget(msgspec.Struct, frozen=True):
    """The purpose of the form: a new tournament, perhaps a copy, or other rules for an existing one.

    url: the address of the choice of rules.
    changes: the tournament whose rules change, or None.
    copied: the tournament to copy, or None.
    """

    url: str = "/judge/new"
    changes: TournamentState | None = None
    copied: TournamentState | None = None

    @property
    def choose(self) -> str:
        return f"{self.url}/choose" if self.changes is not None else f"{self.url}{self.query}"

    @property
    def adjust(self) -> str:
        """The address of the form with the rules of the tournament whose rules change."""
        return f"{self.url}/as/{self.changes.tournament}" if self.changes is not None else self.url

    @property
    def query(self) -> str:
        return "" if self.copied is None else f"?copies={self.copied.tournament}"


NEW: Final = RulesTarget()


def show_choice(
    request: PageRequest,
    target: RulesTarget,
    *,
    typed: str = "",
    status_code: int = 200,
    faults: Sequence[BadData] = (),
    more: int = 0,
    is_draft: bool = False,
) -> Template:
    """List the editions, earlier house rules, and the faults of an uploaded file.

    ``is_draft`` means that the faults are those of a tournament's file, not of house rules.
    """
    service, words = site_of(request).service, words_of(request)
    about = target.changes or target.copied
    known_players = len(about.contenders) if about is not None else 0
    players = _expected_players(request) or known_players or _USUAL_PLAYERS
    used = {state.rules.house_rules: state for state in service.tournaments() if state.rules.house_rules}
    return _page(
        request,
        "judge/new.html",
        target,
        status_code,
        offers=[_offer(known, players, words) for known in editions()],
        expected_players=players,
        own=[(state, service.rules(state.tournament)) for state in used.values()],
        typed=typed,
        faults=faults,
        more=more,
        is_draft=is_draft,
    )


def _expected_players(request: PageRequest) -> int | None:
    typed = request.query_params.get("players", "")
    return (int(typed) or None) if typed.isascii() and typed.isdigit() and len(typed) <= _DIGITS else None


class RulesOffer(msgspec.Struct, frozen=True):
    """An edition at a glance. refused: why this many players can't play it, or ""."""

    edition: Edition
    origin: str
    lines: tuple[str, ...]
    money: str
    refused: str = ""
    length: str = ""
    rounds: str = ""
    tables: str = ""


def _offer(edition: Edition, players: int, words: Words) -> RulesOffer:
    """Describe an edition, and the day of this many players."""
    _, ngettext = words.gettext, words.ngettext
    offer = RulesOffer(
        edition, origin(edition, words), in_short(edition, words), score_in_short(edition, words)
    )
    try:
        rounds, sizes = planned_rounds(players, edition, Waivers()), table_sizes(players, edition)
    except Refused as refused:
        return replace(offer, refused=words.refusal(refused))
    lengths, duels = day_lengths(sizes, edition), 0 if edition.finals is None else DUELS_OF_FINALS
    unit = ("{n} game", "{n} games") if edition.is_one_group else ("{n} round", "{n} rounds")
    tables = ngettext("{n} table of {sizes} players", "{n} tables of {sizes} players", len(sizes))
    length = None if lengths is None else lengths.day(rounds, duels)
    return replace(
        offer,
        length="" if length is None else range_in_words(length, words),
        rounds=ngettext(*unit, rounds).format(n=rounds),
        tables=tables.format(n=len(sizes), sizes=list_numbers(sorted(set(sizes)), words)),
    )


def show_form(
    request: PageRequest,
    target: RulesTarget,
    rules: RuleSet,
    typed: Mapping[str, str],
    *,
    status_code: int = 200,
    players: Sequence[PlayerRow] = (),
) -> Template:
    """Show the form with these rules. Raises BadData for invalid rules.

    ``players`` are those of an uploaded file.
    """
    words, service = words_of(request), site_of(request).service
    base = base_edition(rules)
    return _page(
        request,
        "judge/opening.html",
        target,
        status_code,
        e=base,
        house_rules=rules.house_rules,
        short=(*in_short(base, words), score_in_short(base, words)),
        chapters=text_chapters(base, words) if rules.house_rules else (),
        icons=CHAPTER_ICONS,
        words=words,
        winnings=winnings_rows(base, words) if rules.house_rules else (),
        options=options(base, words),
        chosen={option.value for option in rules.options},
        modes=tuple(RecordMode),
        recorded=rules.mode,
        forms=tuple(AgreementForm),
        agreed=rules.agreement,
        questions=questions(base, chosen_readings(rules), words),
        today=dt.datetime.now(dt.UTC).astimezone().date().isoformat(),
        typed={name: typed.get(name, "") for name in _TYPED},
        players=players,
        free_table=first_free_table(
            (state, service.rules(state.tournament)) for state in service.tournaments()
        ),
    )


def _page(
    request: PageRequest, name: str, target: RulesTarget, status_code: int, **values: object
) -> Template:
    if target.changes is None:
        return page(request, name, status_code=status_code, target=target, **values)
    here = TournamentContext(request, target.changes.tournament)
    return here.page(name, status_code, target=target, **values)


def typed_choices(state: TournamentState) -> dict[str, str]:
    """Return a tournament's choices, apart from its name and place, as fields of the form."""
    waivers = {name: str(value or "") for name, value in msgspec.structs.asdict(state.waivers).items()}
    return {**waivers, "unofficial": "yes" if state.unofficial else ""}


async def read_base(fields: Fields) -> RuleSet:
    """Return the edition or house rules in the form, without its choices. Raises Refused and BadData."""
    rules = RuleSet(fields.text("edition"), house_rules=fields.raw("house_rules").replace("\r\n", "\n"))
    _check_size(rules.house_rules)
    await asyncio.to_thread(base_edition, rules)
    return rules


def read_choices(fields: Fields, rules: RuleSet) -> RuleSet:
    """Return the rules as chosen in the form."""
    return RuleSet(
        rules.edition,
        tuple(key for key in OptionKey if fields.is_ticked(f"{_OPTION}{key.value}")),
        _readings(fields, base_edition(rules)),
        rules.house_rules,
        _choice(fields, "mode", RecordMode.FULL),
        _choice(fields, "agreement", AgreementForm.EACH_PLAYER),
    )


async def read_uploaded(fields: Fields) -> RuleSet:
    """Return uploaded house rules. Raises Refused and BadData; FaultyRules lists all faults."""
    file = fields.file("file")
    content = await file.read() if file is not None else b""
    try:
        text = content.decode("utf-8-sig") or fields.raw("house_rules")
    except UnicodeDecodeError as error:
        raise Refused(FormReason.NO_RULES) from error
    if not text.strip():
        raise Refused(FormReason.NO_RULES)
    _check_size(text)
    text = text.replace("\r\n", "\n")
    read = await asyncio.to_thread(read_house_rules, text, "house rules")
    rules = RuleSet(read.key, house_rules=text)
    await asyncio.to_thread(base_edition, rules)
    return rules


def _choice(fields: Fields, name: str, default: _Choice) -> _Choice:
    typed = fields.text(name)
    return next((member for member in type(default) if member.value == typed), default)


def _readings(fields: Fields, base: Edition) -> tuple[ReadingChoice, ...]:
    typed = fields.typed_values()
    wanted = {name.removeprefix(_READING): typed[name] for name in typed if name.startswith(_READING)}
    return choices(base, wanted)


def _check_size(text: str) -> None:
    if len(text.encode()) > _LARGEST_RULES:
        raise Refused(FormReason.NO_RULES)
