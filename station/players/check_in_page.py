"""The check-in desk: check players in, and answer requests to leave or to play."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from msgspec.structs import replace

from base.errors import BadData, Refused, Unavailable
from core.terms import PlayerId
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import RegisterPlayers
from core.tournament.state.names import fold_name, likeness_keys
from core.tournament.state.tournament import Entrant
from station.accounts.permissions import Permission
from station.audit import Audit, AuditKind
from station.imports.findings import CsvProblem, PlayerRow, PrivateFacts, PrivateField
from station.imports.player_list import new_players
from station.players.door_page import like_players, players_typed
from station.players.service import (
    Application,
    Desk,
    DeskRecord,
    DeskRefusal,
    Presence,
    PresenceState,
    facts_typed,
)
from station.text.reasons import Done, FormReason
from station.web.http_rules import COMPRESSED
from station.web.site import notice, referring_page
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes


def _(text: str) -> str:
    return text


@get("/", needs=Permission.CHECK_IN, middleware=[COMPRESSED])
async def desk(here: AtTournament) -> Template:
    """Show which players are present, absent or not coming, and the requests to leave and to play."""
    record = await here.service.of(Desk).record(here.state.tournament)
    played = here.service.of(Desk).played(here.state)
    people = sorted(here.state.contenders, key=lambda one: (_rank(record, one, played), fold_name(one.name)))
    return here.page(
        "judge/check_in.html",
        desk=record,
        applicants=record.applicants(people),
        waiting=record.waiting_list(people),
        private_fields=[one.value for one in PrivateField if one in record.private_fields],
        entries={
            one.value: sum(bool(getattr(facts, one.value)) for facts in record.private.values())
            for one in PrivateField
        },
        numbers={one.player: number for number, one in enumerate(here.state.entrants, 1)},
        missing=sum(record.state_of(one.player) is PresenceState.NOT_YET for one in people),
        alike=_alike(here, record.applications),
        leaving=[one.player for one in here.state.contenders if one.player in record.leaving],
        people=people,
        played=played,
        here_now=sum(_rank(record, one, played) == _HERE for one in people),
        states=PresenceState,
        address=here.address_for_others(),
    )


def _alike(here: TournamentContext, applications: Sequence[Application]) -> Mapping[int, str]:
    entrants = here.state.entrants if applications else ()
    people = {key: one.name for one in entrants for key in likeness_keys(one.name)}
    question = here.words.label(CsvProblem.ALIKE)
    return {
        one.number: question.format(name=one.name, other=people[key])
        for one in applications
        for key in likeness_keys(one.name)
        if key in people
    }


_ORDER: Final = (PresenceState.NOT_YET, PresenceState.NOT_COMING, PresenceState.HERE)
_SET: Final = {
    PresenceState.HERE: _("{name} is here."),
    PresenceState.NOT_YET: _("{name} isn't here yet."),
    PresenceState.NOT_COMING: _("{name} isn't coming."),
}
_HERE: Final = _ORDER.index(PresenceState.HERE)


def _rank(record: DeskRecord, entrant: Entrant, played: frozenset[PlayerId]) -> int:
    """Return the sort key of a player in the list, which shows missing players first."""
    if Desk.is_here(record, entrant.player, played):
        return _HERE
    return _ORDER.index(record.state_of(entrant.player))


_SETTINGS: Final = "self_check_in registration own_results capacity private_fields"


@post(
    "/settings",
    needs=Permission.PLAYERS,
    audit=Audit("Changed what players may do themselves"),
)
async def settings(here: AtTournament) -> Redirect:
    """Set what players may do without a judge."""
    fields = await here.fields()
    may_show = here.may(Permission.STANDINGS)
    capacity = fields.number("capacity") or 0

    def _change(record: DeskRecord) -> DeskRecord:
        return replace(
            record,
            self_check_in=fields.is_ticked("self-check-in"),
            registration=fields.is_ticked("registration"),
            capacity=capacity,
            # Only head judges decide whether money is shown, as an organiser may be playing.
            own_results=fields.is_ticked("own-results") if may_show else record.own_results,
        )

    return await _change_desk(here, _change)


async def _change_desk(
    here: TournamentContext, change: Callable[[DeskRecord], DeskRecord], then: str = "check-in"
) -> Redirect:
    def _recorded(record: DeskRecord) -> DeskRecord:
        after = change(record)
        here.recorded.note_changes(record, after, _SETTINGS)
        here.recorded.note_change("here", *(one.count(PresenceState.HERE) for one in (record, after)))
        return after

    work = here.service.of(Desk).change(here.state.tournament, _recorded)
    return await here.act(work, f"{here.url}/{then}", Done.CHANGED)


@post(
    "/private-fields",
    needs=Permission.PLAYERS,
    audit=Audit("Changed which private facts judges keep"),
)
async def keep_private_fields(here: AtTournament) -> Redirect:
    """Set which private facts judges keep about players; what was entered in the others is deleted."""
    fields = await here.fields()
    chosen = frozenset(one for one in PrivateField if fields.is_ticked(one.value))
    return await _change_desk(here, lambda record: record.with_private_fields(chosen))


@post("/facts/{player:str}", needs=Permission.CHECK_IN, audit=Audit("Changed private facts about a player"))
async def change_facts(here: AtTournament, player: FromPath[str]) -> Redirect:
    """Change a player's private facts; a fact that isn't in the form stays as it is."""
    fields, entrant = await here.fields(), here.player(player)
    then = referring_page(here.request, f"{here.url}/check-in")

    def _change(record: DeskRecord) -> DeskRecord:
        former = record.facts_of(entrant.player)
        facts = facts_typed(former, fields.typed_values())
        here.recorded.note_changes(former, facts, "paid")
        here.recorded.note_changes(former, facts, "note email", is_secret=True)
        return record.with_facts({entrant.player: facts})

    return await here.act(here.service.of(Desk).change(here.state.tournament, _change), then, Done.CHANGED)


@post("/again", needs=Permission.PLAYERS, audit=Audit("Began check-in again"))
async def begin_again(here: AtTournament) -> Redirect:
    """Clear everybody's presence, for another day."""
    return await _change_desk(here, lambda record: replace(record, presence={}))


@post("/all", needs=Permission.CHECK_IN, audit=Audit("Checked in everyone else"))
async def check_in_all(here: AtTournament) -> Redirect:
    """Check in everybody who is neither present nor marked as not coming."""
    now_ms = here.service.of(Desk).now_ms
    presence = Presence(PresenceState.HERE, now_ms, here.judge, with_others=True)
    missing: list[PlayerId] = []

    def _change(record: DeskRecord) -> DeskRecord:
        players = (entrant.player for entrant in here.state.contenders)
        missing[:] = [player for player in players if record.state_of(player) is PresenceState.NOT_YET]
        for player in missing:
            record = record.with_presence(player, presence)
        return record

    answer = await _change_desk(here, _change)
    if not here.recorded.refused:
        said = here.words.ngettext("{n} player was checked in", "{n} players were checked in", len(missing))
        undo = (f"{here.url}/check-in/all/undo", "at", str(now_ms), "") if missing else None
        notice(here.request, said.format(n=len(missing)), bad=False, undo=undo)
    return answer


@post("/all/undo", needs=Permission.CHECK_IN, audit=Audit("Undid the check-in of everyone else"))
async def undo_all(here: AtTournament) -> Redirect:
    """Undo one press of *Check in everyone else*, apart from players who were changed since."""
    at_ms, now_ms = (await here.fields()).wall_ms("at"), here.service.of(Desk).now_ms
    undone: tuple[PlayerId, ...] = ()

    def _change(record: DeskRecord) -> DeskRecord:
        nonlocal undone
        undone = record.checked_in_together(at_ms)
        if not undone:
            raise Refused(DeskRefusal.NONE_UNDONE)
        for player in undone:
            record = record.without_arrival(player, at_ms, by=here.judge, now_ms=now_ms)
        return record

    answer = await _change_desk(here, _change)
    if not here.recorded.refused:
        text = here.words.ngettext("{n} check-in was undone", "{n} check-ins were undone", len(undone))
        notice(here.request, text.format(n=len(undone)), bad=False)
    return answer


@post("/typed", needs=Permission.CHECK_IN, audit=Audit("Changed whether a player is here"))
async def check_in_typed(here: AtTournament) -> Redirect:
    """Check in a player whose name was typed, or whose badge was scanned as its code or address."""
    typed, then = (await here.fields()).text("typed"), f"{here.url}/check-in"
    try:
        record = await here.service.of(Desk).record(here.state.tournament)
        people = players_typed(here, record, typed)
    except Refused as refused:
        return here.refuse(refused, then)
    if len(people) == 1:
        player = people[0].player
        here.recorded.known["player"] = player
        return await _set(here, player, PresenceState.HERE, then)
    names = ", ".join(here.names[one.player] for one in (people or like_players(here, typed))[:3])
    reason = FormReason.SEVERAL_PLAYERS if people else FormReason.LIKE_PLAYERS
    return here.refuse(Refused(reason, names=names) if names else FormReason.NO_PLAYER_FOUND, then)


@post("/{player:str}", needs=Permission.CHECK_IN, audit=Audit("Changed whether a player is here"))
async def set_presence(here: AtTournament, player: FromPath[str]) -> Redirect:
    """Set a player's presence. Repeating the request changes nothing."""
    then = referring_page(here.request, f"{here.url}/check-in")
    try:
        state = PresenceState((await here.fields()).text("state"))
    except ValueError:
        return here.refuse(FormReason.NO_ACTION, then)
    return await _set(here, PlayerId(player), state, then)


async def _set(here: TournamentContext, player: PlayerId, state: PresenceState, then: str) -> Redirect:
    """Set a player's presence, and show a notice with which it can be undone."""
    here.player(player)
    desk, tournament = here.service.of(Desk), here.state.tournament
    former = (await desk.record(tournament)).state_of(player)
    answer = await here.act(desk.set_presence(tournament, player, state, here.judge), then)
    if not here.recorded.refused:
        here.recorded.note_change("state", former, state)
        text = here.words.gettext(_SET[state]).format(name=here.names[player])
        undo = (f"{here.url}/check-in/{player}", "state", former.value, "")
        notice(here.request, text, bad=False, undo=undo if former is not state else None)
    return answer


@post(
    "/leaving/{player:str}",
    needs=Permission.PLAYERS,
    audit=Audit("Answered a player who asked to leave", keeps="answer"),
)
async def answer_leaving(here: AtTournament, player: FromPath[str]) -> Redirect:
    """Withdraw a player who asked to leave, or decline the request."""
    fields, entrant, then = await here.fields(), here.player(player), f"{here.url}/check-in"
    tournament = here.state.tournament

    async def _answer() -> None:
        if fields.text("answer") == "withdraw":
            reason = here.words.gettext("asked to leave on their own page")
            await here.service.decide(tournament, WithdrawPlayer(entrant.player, reason), here.judge)
        await here.service.of(Desk).change(
            tournament, lambda record: record.with_leaving(entrant.player, None)
        )

    return await here.act(_answer(), then, Done.CHANGED)


@post(
    "/applications/{number:int}",
    needs=Permission.PLAYERS,
    audit=Audit("Answered an application to play", keeps="answer"),
)
async def answer_application(here: AtTournament, number: FromPath[int]) -> Redirect:
    """Register an applicant, or reject the application."""
    fields, then = await here.fields(), f"{here.url}/check-in"
    record = await here.service.of(Desk).record(here.state.tournament)
    application = next((one for one in record.applications if one.number == number), None)
    if application is None:
        return here.refuse(DeskRefusal.GONE, then)
    here.recorded.known["name"] = application.name
    is_approved = fields.text("answer") == "approve"
    return await here.act(_answer_application(here, application, is_approved=is_approved), then, Done.CHANGED)


async def _answer_application(
    here: TournamentContext, application: Application, *, is_approved: bool
) -> None:
    tournament = here.state.tournament
    # The application is removed first, so that of two judges who approve it, one is refused.
    await here.service.of(Desk).change(
        tournament, lambda record: record.without_application(application.number)
    )
    if not is_approved:
        return
    players = new_players((PlayerRow(1, application.name, application.club),), here.state.entrants)
    try:
        await here.service.decide(tournament, RegisterPlayers(players), here.judge)
    except (Refused, BadData, Unavailable):
        await here.service.of(Desk).change(tournament, lambda record: record.with_returned(application))
        raise
    facts = PrivateFacts(email=application.email, newcomer=application.newcomer)
    await here.service.of(Desk).introduce(tournament, {players[0].player: facts})


@post(
    "/private/{player:str}",
    needs=Permission.STANDINGS,
    audit=Audit("Replaced a player's private code", kind=AuditKind.PLAYERS),
)
async def replace_private_code(here: AtTournament, player: FromPath[str]) -> Redirect:
    """Replace a player's private code, which invalidates the previous one."""
    wanted = PlayerId(player)
    return await _change_desk(here, lambda record: record.with_new_key(wanted), f"players/{player}")


routes = tournament_routes(
    desk,
    settings,
    keep_private_fields,
    change_facts,
    begin_again,
    check_in_all,
    undo_all,
    check_in_typed,
    set_presence,
    answer_leaving,
    answer_application,
    replace_private_code,
    under="/check-in",
)
