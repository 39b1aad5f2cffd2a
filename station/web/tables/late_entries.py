"""Late steps on a table's page: in words beside the game, taken over with a reason, or left."""

import msgspec
from litestar import Router, post
from litestar.params import FromPath
from litestar.response import Redirect

from saloon.core.game.ending.finished import FinishedGame
from saloon.core.game.ending.record_sheet import RecordSheet, record_sheet
from saloon.core.tournament.state import TournamentState
from saloon.station.services.tables.floor_cards import FloorCard, ReportedLateSteps
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import PageRequest, judge_of, run_action, site_of, words_of
from saloon.station.web.tables.floor import card_of
from saloon.station.web.text.names import names_of
from saloon.station.web.text.reasons import Done
from saloon.station.web.text.story_in_words import StoryLine, story_lines


class LateStepsView(msgspec.Struct, frozen=True):
    """Late steps as the page shows them.

    sheet: the record sheet that they end with, if they do.
    """

    telling: ReportedLateSteps
    lines: tuple[StoryLine, ...]
    sheet: RecordSheet | None


def late_shown(request: PageRequest, state: TournamentState, card: FloorCard) -> tuple[LateStepsView, ...]:
    """Return all late steps of a table, in words."""
    names = [names_of(state)[player] for player in card.players]
    rules = site_of(request).office.rules(state.tournament)
    return tuple(
        LateStepsView(
            telling,
            story_lines(telling.steps, names, words_of(request)),
            record_sheet(telling.result, rules) if isinstance(telling.result, FinishedGame) else None,
        )
        for telling in card.late
    )


def proposed_from(card: FloorCard, subject: str) -> FinishedGame | None:
    """Return the finished game that late steps end with, for a record sheet's form; None for none."""
    for telling in card.late:
        if telling.subject == subject and isinstance(telling.result, FinishedGame):
            return telling.result
    return None


@post("/seen")
async def seen(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Mark late steps as seen by the judge, who leaves them uncounted."""
    subject = (await form_of(request)).text("subject")
    work = site_of(request).office.troubles.mark_seen(subject, judge_of(request))
    return await run_action(request, work, _page_of(tournament, round_no, table), Done.SEEN)


@post("/go-on")
async def go_on(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Have the table go on from late steps instead of its own, with a reason."""
    card = card_of(request, site_of(request).tournament(tournament), round_no, table)
    fields = await form_of(request)
    work = site_of(request).office.troubles.go_on_from(
        card.game_id, fields.text("subject"), fields.text("reason"), judge_of(request)
    )
    return await run_action(request, work, _page_of(tournament, round_no, table), Done.GOES_ON)


def _page_of(tournament: str, round_no: int, table: int) -> str:
    return f"/judge/t/{tournament}/tables/{round_no}/{table}"


routes = Router(
    "/judge/t/{tournament:str}/tables/{round_no:int}/{table:int}/late",
    before_request=only_judges,
    route_handlers=[seen, go_on],
)
