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
_LARGEST_FRAME: Final = 1024 * 1024


def _(text: str) -> str:
    return text


_ALONE: Final = _("{name} was already here, {time}, checked in without a helper.")


def players_typed(here: TournamentContext, typed: str) -> Sequence[Entrant]:
    """Return the players whose badge was scanned or whose name, or part of it, was typed. Raises Refused."""
    known = here.service.of(codes_of).find_scanned(typed, here.service.tournaments())
    if known is not None and known.tournament != here.state.tournament:
        raise Refused(DeskRefusal.OTHER_BADGE, tournament=here.site.tournament(known.tournament).name)
    if known is not None:
        return [here.player(known.player)]
    people = here.state.contenders
    is_found = name_filter(typed)
    return (
        [one for one in people if fold_name(one.name) == fold_name(typed)]
        or [one for one in people if is_found(f"{one.name} {one.club}")]
    )  # fmt: skip


def like_players(here: TournamentContext, typed: str) -> Sequence[Entrant]:
    """Return players whose names sound like a typed one that nobody has."""
    is_like = names_like(typed)
    return [one for one in here.state.contenders if is_like(one.name)]


class DoorAnswer(msgspec.Struct, frozen=True):
    """The answer to one name or badge.

    entrant: the player who is here now, if it's known who is meant.
    before: the former state, for *Undo*; None if nothing has changed.
    choices: the players of whom the helper chooses one.
    facts: private facts to show to the helper.
    """

    text: str
    entrant: Entrant | None = None
    before: str | None = None
    choices: Sequence[Entrant] = ()
    facts: PrivateFacts = PrivateFacts()

    @property
    def mood(self) -> str:
        """Return the colour and sound: good, bad or ask."""
        return "ask" if self.choices else "good" if self.before is not None else "bad"


@get("/door", needs=Permission.CHECK_IN)
async def door(here: AtTournament) -> Template:
    """Show one large field for names and badges, and how many players are here."""
    record = await here.service.of(Desk).record(here.state.tournament)
    return _page(here, "judge/door.html", record, None)


@post("/door", needs=Permission.CHECK_IN, audit=Audit("Changed whether a player is here"), status_code=200)
async def check_in_at_door(here: AtTournament) -> Template:
    """Check in a player by name or badge, and show who it was or why not. Repeating it changes nothing.

    With ``again``, the browser isn't sure whether the station has received the form before.
    """
    fields = await here.fields()
    record = await here.service.of(Desk).record(here.state.tournament)
    typed, chosen = fields.text("typed"), fields.text("player")
    try:
        people = [here.player(chosen)] if chosen else players_typed(here, typed)
        if len(people) == 1:
            record, answer = await _check_in(here, record, people[0], is_again=fields.is_ticked("again"))
        else:
            answer = _ask(here, people or like_players(here, typed), typed)
    except Refused as refused:
        answer = DoorAnswer(here.words.error(refused))
    is_part = "hx-request" in here.request.headers
    return _page(here, "judge/_door_answer.html" if is_part else "judge/door.html", record, answer)


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
        # Of a form that was received before, the former state isn't known any more.
        former = PresenceState.NOT_YET if before is PresenceState.HERE else before
        text = here.words.gettext(_("{name} is here.")).format(name=name)
        return record, DoorAnswer(text, entrant, former.value, facts=facts)
    time = time_of_day(dt.datetime.fromtimestamp(first.at_ms / 1000, dt.UTC))
    by = _("{name} was already here, {time}, by {judge}.") if first.by else _ALONE
    text = here.words.gettext(by).format(name=name, time=time, judge=first.by)
    return record, DoorAnswer(text, entrant, facts=facts)


def _page(here: TournamentContext, template: str, record: DeskRecord, answer: DoorAnswer | None) -> Template:
    played = here.service.of(Desk).played(here.state)
    people = here.state.contenders
    return here.page(
        template,
        answer=answer,
        here_now=sum(Desk.is_here(record, one.player, played) for one in people),
        all_players=len(people),
        shows_paid=PrivateField.PAID in record.private_fields,
    )


routes = tournament_routes(door, check_in_at_door, read_frame, under="/check-in")
