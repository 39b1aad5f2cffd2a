"""The page about a terminal whose journal conflicts with the station: both versions, advice and an export."""

import msgspec
from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response, Template

from station.accounts.permissions import Permission
from station.audit import Audit, AuditKind
from station.projections.alarms import JournalProblem
from station.projections.floor_cards import TimedGameStep
from station.text.i18n import Words
from station.text.reasons import Done
from station.text.story_in_words import StoryRow, story_lines
from station.web.tournament_context import AtStation, station_routes
from sync.protocol.entry import TerminalId


class ShownTrouble(msgspec.Struct, frozen=True):
    """A problem with both versions as text, or empty if a version cannot be read or described."""

    trouble: JournalProblem
    stored: tuple[StoryRow, ...]
    received: tuple[StoryRow, ...]


@get("/", needs=Permission.FLOOR)
async def trouble(here: AtStation, terminal: FromPath[str]) -> Template:
    """Show all problems found in a terminal's journal."""
    words = here.words
    problems = await here.service.troubles.of_terminal(TerminalId(terminal))
    rows = [
        ShownTrouble(one, _story_rows(one.stored, one, words), _story_rows(one.received, one, words))
        for one in problems
    ]
    return here.page(
        "judge/trouble.html",
        terminal=terminal,
        card=next((card for card in here.service.terminals() if card.terminal == terminal), None),
        rows=rows,
        unseen=any(not one.is_seen for one in problems),
    )


@get(
    "/export",
    needs=Permission.FLOOR,
    audit=Audit("Downloaded a terminal's entries", kind=AuditKind.TERMINALS),
)
async def export(here: AtStation, terminal: FromPath[str]) -> Response[bytes]:
    """Return both versions of all quarantined entries as a file."""
    content = await here.service.troubles.export_of(TerminalId(terminal))
    # The address may contain anything, but a header allows only Latin-1 and no quotes.
    name = "".join(sign for sign in terminal if sign.isascii() and sign.isalnum())[:8]
    headers = {"Content-Disposition": f'attachment; filename="quarantine-{name}.jsonl"'}
    return Response(content, media_type="application/jsonl", headers=headers)


@post(
    "/seen",
    needs=Permission.FLOOR,
    audit=Audit("Marked a terminal's problem as seen", kind=AuditKind.TERMINALS),
)
async def mark_seen(here: AtStation, terminal: FromPath[str]) -> Redirect:
    """Mark the problems as seen by the judge, which ends the alarm."""
    work = here.service.troubles.mark_terminal_seen(TerminalId(terminal), here.judge)
    return await here.act(work, f"/judge/terminals/{terminal}/trouble", Done.SEEN)


def _story_rows(step: TimedGameStep | None, one: JournalProblem, words: Words) -> tuple[StoryRow, ...]:
    if step is None or not one.names:
        return ()
    try:
        return story_lines([step], one.names, words)
    except LookupError:  # a seat that the table does not have
        return ()


routes = station_routes("/judge/terminals/{terminal:str}/trouble", trouble, export, mark_seen)
