"""Late steps on a table's page: a judge continues the game from them, with a reason, or sets them aside."""

import msgspec
from litestar import post
from litestar.response import Redirect

from core.game.ending.finished import FinishedGame
from core.game.ending.record_sheet import RecordSheet, record_sheet
from station.accounts.permissions import Permission
from station.audit import Audit
from station.projections.floor_cards import FloorCard, ReportedLateSteps
from station.text.reasons import Done
from station.text.story_in_words import StoryRow, story_lines
from station.web.tournament_context import AtTable, TableContext, table_routes


class LateStepsView(msgspec.Struct, frozen=True):
    """Late steps as shown on the page. ``sheet`` is the record sheet at their end, if there is one."""

    reported: ReportedLateSteps
    lines: tuple[StoryRow, ...]
    sheet: RecordSheet | None


def late_shown(here: TableContext) -> tuple[LateStepsView, ...]:
    """Return all late steps of a table for the page."""
    names, rules = [here.names[player] for player in here.card.players], here.rules
    return tuple(
        LateStepsView(
            reported,
            story_lines(reported.steps, names, here.words),
            record_sheet(reported.result, rules) if isinstance(reported.result, FinishedGame) else None,
        )
        for reported in here.card.late
    )


def proposed_result(card: FloorCard, subject: str) -> FinishedGame | None:
    """Return the finished game at the end of late steps, for the record sheet's form, or None."""
    for reported in card.late:
        if reported.subject == subject and isinstance(reported.result, FinishedGame):
            return reported.result
    return None


@post("/seen", needs=Permission.FLOOR, audit=Audit("Marked late entries as seen"))
async def mark_seen(here: AtTable) -> Redirect:
    """Mark late steps as seen by the judge, leaving them uncounted."""
    work = here.service.troubles.mark_seen((await here.fields()).text("subject"), here.judge)
    return await here.act(work, here.table_url, Done.SEEN)


@post("/go-on", needs=Permission.FLOOR, audit=Audit("Continued a game from late entries", keeps="reason"))
async def go_on(here: AtTable) -> Redirect:
    """Continue the table's game from late steps instead of its own, with a reason."""
    fields = await here.fields()
    work = here.service.troubles.continue_from_late_steps(
        here.card.game_id, fields.text("subject"), fields.text("reason"), here.judge
    )
    return await here.act(work, here.table_url, Done.GOES_ON)


routes = table_routes(mark_seen, go_on, under="/late")
