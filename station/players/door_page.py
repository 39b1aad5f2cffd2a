"""Check-in at the door: one field for names and badges, for several helpers with phones and hand scanners."""

import asyncio
import contextlib
import datetime as dt
from collections.abc import Sequence
from typing import Final

import msgspec
from litestar import get, post
from litestar.response import Response, Template

from base.errors import Refused
from core.terms import PlayerId
from core.tournament.state.names import fold_name, name_filter, names_like
from core.tournament.state.tournament import Entrant
from station.accounts.permissions import Permission
from station.audit import Audit, Unrecorded
from station.imports.findings import PrivateFacts, PrivateField
from station.offline.uploads import texts_in
from station.players.codes import codes_of
from station.players.service import Desk, DeskRecord, DeskRefusal, Presence, PresenceState
from station.text.times import time_of_day
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

_MOST_CHOICES: Final = 8
_LONGEST_SHOWN: Final = 60
_MOST_RECENT: Final = 5
_DIGITS: Final = 3
"""The most digits of a player's number, as in the list of players."""
_LARGEST_FRAME: Final = 1024 * 1024


def _(text: str) -> str:
    return text


_ALONE: Final = _("{name} was already here, {time}, checked in without a helper.")


def players_typed(here: TournamentContext, record: DeskRecord, typed: str) -> Sequence[Entrant]:
    """Return the players whose badge was scanned, or whose name, club, number or e-mail address was typed.

    Raises Refused.
    """
    known = here.service.of(codes_of).find_scanned(typed, here.service.tournaments())
    if known is not None and known.tournament != here.state.tournament:
        raise Refused(DeskRefusal.OTHER_BADGE, tournament=here.site.tournament(known.tournament).name)
    if known is not None:
        return [here.player(known.player)]
    people = here.state.contenders
    is_found, wanted = name_filter(typed), typed.strip().casefold()
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= _DIGITS else 0
    return (
        [one for one in people if fold_name(one.name) == fold_name(typed)]
        or [one for one in people if is_found(f"{one.name} {one.club}")]
        or [one for one in here.state.entrants[number - 1 : number] if number]
        or [one for one in people if wanted and record.facts_of(one.player).email.casefold() == wanted]
    )


def like_players(here: TournamentContext, typed: str) -> Sequence[Entrant]:
    """Return players whose names sound like a typed one that nobody has."""
    is_like = names_like(typed)
    return [one for one in here.state.contenders if is_like(one.name)]


class DoorAnswer(msgspec.Struct, frozen=True):
    """The answer to one name or badge.

    entrant: the player who is here now, if it's known who is meant.
    is_done: whether the station has done what was asked.
    choices: the players of whom the helper chooses one.
    facts: private facts to show to the helper.
    """

    text: str
    entrant: Entrant | None = None
    is_done: bool = False
    choices: Sequence[Entrant] = ()
    facts: PrivateFacts = PrivateFacts()

    @property
    def mood(self) -> str:
        """Return the colour and sound: good, bad or ask."""
        return "ask" if self.choices else "good" if self.is_done else "bad"


class RecentArrival(msgspec.Struct, frozen=True):
    """One of the last check-ins, as listed at the door. ``at_ms`` recognises it when it is undone."""

    player: PlayerId
    name: str
    time: str
    by: str
    at_ms: int


@get("/door", needs=Permission.CHECK_IN)
async def door(here: AtTournament) -> Template:
    """Show one large field for names and badges, and how many players are here."""
    record = await here.service.of(Desk).record(here.state.tournament)
    return _page(here, record, None)


@post("/door", needs=Permission.CHECK_IN, audit=Audit("Changed whether a player is here"), status_code=200)
async def check_in_at_door(here: AtTournament) -> Template:
    """Check in a player by name or badge, or undo one of the last check-ins, and show who it was or why not.

    Repeating it changes nothing. With ``again``, the browser isn't sure whether the station has received the
    form before.
    """
    fields = await here.fields()
    record = await here.service.of(Desk).record(here.state.tournament)
    typed, chosen, is_again = fields.text("typed"), fields.text("player"), fields.is_ticked("again")
    try:
        if undone := fields.text("undo"):
            entrant, at_ms = here.player(undone), fields.wall_ms("at")
            record, answer = await _undo(here, entrant, at_ms, is_again=is_again)
            return _page(here, record, answer)
        people = [here.player(chosen)] if chosen else players_typed(here, record, typed)
        if len(people) == 1:
            record, answer = await _check_in(here, record, people[0], is_again=is_again)
        else:
            answer = _ask(here, people or like_players(here, typed), typed)
    except Refused as refused:
        answer = DoorAnswer(here.words.error(refused))
    return _page(here, record, answer)


@post(
    "/door/frame",
    needs=Permission.CHECK_IN,
    audit=Unrecorded("a frame of a camera; the codes in it are sent like typed ones"),
    status_code=200,
    request_max_body_size=_LARGEST_FRAME,
)
async def read_frame(here: AtTournament) -> Response[bytes]:
    """Return the texts of the codes in a camera's frame as JSON, for browsers that can't read codes."""
    file = (await here.fields()).file("file")
    picture = b"" if file is None else await file.read()
    codes: tuple[str, ...] = ()
    with contextlib.suppress(Refused):
        async with here.site.reading:
            codes = await asyncio.to_thread(texts_in, picture)
    return Response(msgspec.json.encode({"codes": codes}), media_type="application/json")


def _ask(here: TournamentContext, people: Sequence[Entrant], typed: str) -> DoorAnswer:
    if not people:
        raise Refused(DeskRefusal.NOBODY, typed=typed[:_LONGEST_SHOWN])
    question = here.words.gettext(_("Which player is “{typed}”?"))
    return DoorAnswer(question.format(typed=typed[:_LONGEST_SHOWN]), choices=people[:_MOST_CHOICES])


async def _check_in(
    here: TournamentContext, record: DeskRecord, entrant: Entrant, *, is_again: bool
) -> tuple[DeskRecord, DoorAnswer]:
    """Check a player in, unless they have left or another helper was faster. Raises Refused."""
    player, name, desk = entrant.player, here.names[entrant.player], here.service.of(Desk)
    here.recorded.known["player"] = player
    if entrant.is_out:
        raise Refused(DeskRefusal.LEFT, name=name)
    before, mine = record.state_of(player), Presence(PresenceState.HERE, desk.now_ms, here.judge)
    is_first = False

    def _arrive(kept: DeskRecord) -> DeskRecord:
        nonlocal is_first
        is_first = kept.state_of(player) is not PresenceState.HERE
        return kept.with_presence(player, mine)

    record = await desk.change(here.state.tournament, _arrive)
    here.recorded.note_change("state", before, PresenceState.HERE)
    first, facts = record.presence[player], record.facts_of(player)
    if is_first or (is_again and first.by == here.judge):
        text = here.words.gettext(_("{name} is here.")).format(name=name)
        return record, DoorAnswer(text, entrant, is_done=True, facts=facts)
    time = _time_of(first)
    by = _("{name} was already here, {time}, by {judge}.") if first.by else _ALONE
    text = here.words.gettext(by).format(name=name, time=time, judge=first.by)
    return record, DoorAnswer(text, entrant, facts=facts)


async def _undo(
    here: TournamentContext, entrant: Entrant, at_ms: int, *, is_again: bool
) -> tuple[DeskRecord, DoorAnswer]:
    """Undo a check-in unless the player was changed since. Raises Refused."""
    player, name, desk = entrant.player, here.names[entrant.player], here.service.of(Desk)
    here.recorded.known["player"] = player
    is_undone = False

    def _take_back(kept: DeskRecord) -> DeskRecord:
        nonlocal is_undone
        after = kept.without_arrival(player, at_ms, by=here.judge, now_ms=desk.now_ms)
        is_undone = after is not kept
        return after

    record = await desk.change(here.state.tournament, _take_back)
    state = record.state_of(player)
    if is_undone:
        here.recorded.note_change("state", PresenceState.HERE, state)
    elif not is_again or state is PresenceState.HERE:
        raise Refused(DeskRefusal.NOT_UNDONE, name=name)
    text = here.words.gettext(_("Check-in undone: {name}")).format(name=name)
    return record, DoorAnswer(text, is_done=True)


def _time_of(presence: Presence) -> str:
    return time_of_day(dt.datetime.fromtimestamp(presence.at_ms / 1000, dt.UTC))


def _recent(here: TournamentContext, record: DeskRecord) -> list[RecentArrival]:
    by_themselves = here.words.gettext(_("by the player"))
    return [
        RecentArrival(player, here.names[player], _time_of(one), one.by or by_themselves, one.at_ms)
        for player, one in record.last_arrivals(_MOST_RECENT)
        if player in here.names
    ]


def _page(here: TournamentContext, record: DeskRecord, answer: DoorAnswer | None) -> Template:
    """Return the page, or only the part that a script shows."""
    is_part = answer is not None and "hx-request" in here.request.headers
    played = here.service.of(Desk).played(here.state)
    people = here.state.contenders
    return here.page(
        "judge/_door_answer.html" if is_part else "judge/door.html",
        is_part=is_part,
        answer=answer,
        recent=_recent(here, record),
        here_now=sum(Desk.is_here(record, one.player, played) for one in people),
        all_players=len(people),
        shows_paid=PrivateField.PAID in record.private_fields,
    )


routes = tournament_routes(door, check_in_at_door, read_frame, under="/check-in")
