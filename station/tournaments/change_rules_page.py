"""Change the rules of a tournament before its first draw, and remove a tournament opened by mistake."""

from typing import Final

from litestar import get, post
from litestar.datastructures import FormMultiDict
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Template

from base.errors import BadData, Refused, Unavailable
from core.editions.loader import editions, rules_of, with_all_readings
from core.rule_set import RuleSet
from core.text.rules_in_words import text_chapters
from core.tournament.decisions import decide, evolve, why_not
from core.tournament.draw.drawing import SealDraw
from core.tournament.registration import ChangeRules
from core.tournament.state.names import fold_name
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import TournamentState
from station.accounts.permissions import Permission
from station.audit import PREVIEW, Audit
from station.hall.tournaments import decide_on
from station.text.changes_in_words import TournamentRules, rule_changes, stated_rules
from station.text.i18n import Words
from station.text.reasons import Done, FormReason, Missing
from station.text.rules_in_words import winnings_rows
from station.tournaments.opening_page import preview_house_rules
from station.tournaments.rules_form import (
    LARGEST_FORM,
    RulesTarget,
    read_base,
    read_choices,
    show_choice,
    show_form,
    typed_choices,
)
from station.web.forms import Fields
from station.web.page_keys import shown_key
from station.web.site import notice, show_refusal, site_of
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

_UNSEALED: Final = "0" * 64


@get("/change-rules", needs=Permission.SET_UP)
async def form(here: AtTournament) -> Template | Redirect:
    """Show the editions with the present one marked, unless the rules can't change any more."""
    if here.state.rounds:
        is_public = bool(here.state.published_rounds)
        reason = TournamentReason.RULES_ARE_FIXED if is_public else TournamentReason.RULES_OF_A_SEALED_DRAW
        return here.refuse(reason, here.url)
    return show_choice(here.request, _target(here))


@get("/change-rules/choose", needs=Permission.SET_UP)
async def choose(here: AtTournament) -> Template:
    return show_choice(here.request, _target(here))


@get("/change-rules/as/{other:str}", needs=Permission.SET_UP)
async def as_other(here: AtTournament, other: FromPath[str]) -> Template:
    """Show the form with the rules of a tournament: this one's, to adjust their options, or another's."""
    rules = stated_rules(site_of(here.request).tournament(other).rules)
    return show_form(here.request, _target(here), rules, typed_choices(here.state))


@get("/change-rules/{edition:str}", needs=Permission.SET_UP)
async def with_edition(here: AtTournament, edition: FromPath[str]) -> Template:
    """Show the form with another edition."""
    try:
        return show_form(here.request, _target(here), RuleSet(edition), typed_choices(here.state))
    except BadData as error:
        raise NotFoundException(Missing.RULES.value) from error


@get("/change-rules/compare/{edition:str}", needs=Permission.SET_UP)
async def compare(here: AtTournament, edition: FromPath[str]) -> Template | Redirect:
    """Show what another edition would change, with the present choices that it has too."""
    rules, known = here.state.rules, next((one for one in editions() if one.key == edition), None)
    if known is None:
        return Redirect(f"{here.url}/change-rules/{edition}")
    typed = typed_choices(here.state) | {"mode": rules.mode.value, "agreement": rules.agreement.value}
    gone = {"rounds", "time_limit_min", "cycles"} if known.is_one_group else {"cycles"}
    kept = {name: value for name, value in typed.items() if name not in gone}
    return await _preview(here, Fields(FormMultiDict({"edition": edition, **kept})))


@post("/change-rules/house-rules", needs=Permission.SET_UP, audit=PREVIEW, request_max_body_size=LARGEST_FORM)
async def house_rules(here: AtTournament) -> Template:
    return await preview_house_rules(here.request, _target(here))


@get(["/change-rules/house-rules", "/change-rules/preview"], needs=Permission.SET_UP)
async def again(here: AtTournament) -> Redirect:
    """Redirect to the form, as a preview cannot be loaded again."""
    return Redirect(f"{here.url}/change-rules")


@post("/change-rules/preview", needs=Permission.SET_UP, audit=PREVIEW, request_max_body_size=LARGEST_FORM)
async def preview(here: AtTournament) -> Template:
    """Show what would change, before and after, without changing it; or the filled-in form again."""
    return await _preview(here, await here.fields())


async def _preview(here: TournamentContext, fields: Fields) -> Template:
    try:
        command = await _command(fields)
        if fields.is_ticked("back"):
            return _form_again(here, fields, command.rules, 200)
        return _show_changes(here, fields, command)
    except (Refused, BadData) as error:
        return await _refuse(here, fields, error)


@post(
    "/change-rules",
    needs=Permission.SET_UP,
    audit=Audit("Changed the rules of the tournament", keeps="edition"),
    request_max_body_size=LARGEST_FORM,
)
async def save(here: AtTournament) -> Template | Redirect:
    """Change the rules, unless they have changed since the judge saw them."""
    fields = await here.fields()
    try:
        command = await _command(fields)
        seen = fields.text("looked-at")
        context = here.service.context
        work = decide_on(
            context, here.state.tournament, lambda state: _unless_done(state, command, seen), here.judge
        )
        await context.run_to_completion(work)
    except (Refused, BadData, Unavailable) as error:
        return await _refuse(here, fields, error)
    rules = f"/t/{here.state.tournament}/rules", here.words.gettext("Rules")
    notice(here.request, here.words.label(Done.RULES_CHANGED), bad=False, page=rules)
    return Redirect(here.url)


@post("/remove", needs=Permission.SET_UP, audit=Audit("Removed the tournament", keeps="name"))
async def remove(here: AtTournament) -> Redirect:
    """Archive a tournament that was opened by mistake, after its name has been typed."""
    fields = await here.fields()
    if here.state.published_rounds:
        return here.refuse(FormReason.IS_PLAYED, here.url)
    if fold_name(fields.text("name")) != fold_name(here.state.name):
        return here.refuse(FormReason.OTHER_NAME, here.url)
    return await here.act(here.service.archive.archive(here.state, here.judge), "/judge", Done.SET_ASIDE)


def _unless_done(state: TournamentState, command: ChangeRules, seen: str) -> ChangeRules | None:
    """Return the command, or None if the button was pressed twice. Raises Refused for an outdated page."""
    refusal = why_not(state, command, rules_of(command.rules))
    if refusal is not None and refusal.reason is TournamentReason.SAME_RULES:
        return None
    if seen != _key(state):
        raise Refused(FormReason.RULES_CHANGED)
    return command


def _target(here: TournamentContext) -> RulesTarget:
    return RulesTarget(f"{here.url}/change-rules", changes=here.state)


def _key(state: TournamentState) -> str:
    return shown_key((state.rules, state.waivers, state.unofficial))


async def _command(fields: Fields) -> ChangeRules:
    rules = with_all_readings(read_choices(fields, await read_base(fields)))
    rules_of(rules)
    return ChangeRules(rules, fields.waivers(), unofficial=fields.is_ticked("unofficial"))


async def _refuse(
    here: TournamentContext, fields: Fields, error: Refused | BadData | Unavailable
) -> Template:
    """Show the filled-in form again with the refusal, or the choice of rules if it has none."""
    show_refusal(here.request, error)
    try:
        return _form_again(here, fields, read_choices(fields, await read_base(fields)), 422)
    except (Refused, BadData):
        return show_choice(here.request, _target(here), typed=fields.raw("house_rules"), status_code=422)


def _form_again(here: TournamentContext, fields: Fields, rules: RuleSet, status_code: int) -> Template:
    return show_form(here.request, _target(here), rules, fields.typed_values(), status_code=status_code)


def _show_changes(here: TournamentContext, fields: Fields, command: ChangeRules) -> Template:
    before, words = here.state, here.words
    (decided,) = decide(before, command, rules_of(command.rules), here.judge)
    after = evolve(before, decided)
    edition = rules_of(after.rules)
    refusal = why_not(after, SealDraw(seed=_UNSEALED), edition) if after.entrants else None
    former, later = _sentences(before, words), _sentences(after, words)
    return here.page(
        "judge/change_rules.html",
        changes=rule_changes(_chosen(before), _chosen(after), words),
        gone=[line for line in former if line not in later],
        added=[line for line in later if line not in former],
        refusal="" if refusal is None else words.refusal(refusal),
        typed={name: value for name, value in fields.typed_values().items() if name not in _SENT_APART},
        house_rules=after.rules.house_rules,
        key=_key(before),
    )


def _chosen(state: TournamentState) -> TournamentRules:
    return TournamentRules(state.rules, state.waivers, state.unofficial)


_SENT_APART: Final = frozenset({"house_rules", "looked-at", "back"})


def _sentences(state: TournamentState, words: Words) -> dict[str, None]:
    """Return the sentences of a tournament's rules and what they pay, in order."""
    rules = rules_of(state.rules)
    lines = [line.text for chapter in text_chapters(rules, words) for line in chapter.sentences]
    for row, pays in winnings_rows(rules, words):
        labels = (words.label(part) for part in (row.ending, row.role, row.case))
        lines.append(", ".join(filter(None, labels)) + words.gettext(": ") + " · ".join(pays))
    return dict.fromkeys(lines)


routes = tournament_routes(
    form, choose, as_other, with_edition, compare, house_rules, again, preview, save, remove
)
