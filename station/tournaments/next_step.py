"""The next step of a tournament's day: a sentence, a button, and what is in its way."""

from collections.abc import Callable, Sequence
from typing import assert_never

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.tournament.decisions import TournamentDecision
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Stage, TournamentState
from station.accounts.permissions import Permission
from station.projections.cards import FloorCard
from station.text.i18n import Words
from station.text.names import round_title
from station.web.tournament_context import TournamentContext

_SEED = "0" * 64
"""Stands for a seed that isn't chosen yet."""
_TOO_FEW = frozenset(
    {TournamentReason.NO_TABLES, TournamentReason.TOO_FEW_FOR_A_TABLE, TournamentReason.BELOW_MINIMUM}
)


class StepLink(msgspec.Struct, frozen=True):
    """A link beside a step. ``is_file``: it downloads something."""

    text: str
    url: str
    is_file: bool = False


class NextStep(msgspec.Struct, frozen=True):
    """The next step of the day.

    button: None if the step needs another account, or if nothing needs to be done.
    decision: what the button leads to; the tournament's rules accept it. None if no decision is due.
    refusal: why the decision isn't possible yet; the button then leads to the page that says what to do.
    progress: how many of all record sheets are confirmed.
    """

    sentence: str
    button: StepLink | None = None
    others: tuple[StepLink, ...] = ()
    decision: TournamentDecision | None = None
    refusal: str = ""
    hint: str = ""
    progress: tuple[int, int] | None = None
    is_for_head_judge: bool = False


class DayFacts(msgspec.Struct, frozen=True):
    """The facts on which the next step depends.

    sheets, confirmed: number of record sheets of the running round, and of those confirmed.
    on_paper: number of tables whose sheets judges must enter.
    why_not: returns why the rules refuse a decision, or None.
    """

    state: TournamentState
    edition: Edition
    words: Words
    may: Callable[[Permission], bool]
    why_not: Callable[[TournamentDecision], Refused | None]
    sheets: int = 0
    confirmed: int = 0
    on_paper: int = 0

    def link(self, needs: Permission, text: str, page: str, *, is_file: bool = False) -> tuple[StepLink, ...]:
        """Return a link to a page of the tournament, or to one of the station if it begins with "/"."""
        url = page if page.startswith("/") else f"/judge/t/{self.state.tournament}/{page}"
        return (StepLink(text, url, is_file),) if self.may(needs) else ()

    def title(self, number: int) -> str:
        return round_title(self.state, number, self.words)

    def decide(self, step: NextStep, decision: TournamentDecision) -> NextStep:
        """Return a step that takes a decision, or one that leads to what is in its way."""
        if step.button is None:
            return replace(step, is_for_head_judge=True)
        refused = self.why_not(decision)
        if refused is None:
            return replace(step, decision=decision)
        button = replace(step.button, text=self.words.gettext("See what's in the way"))
        return replace(step, button=button, refusal=self.words.refusal(refused))


def next_step_of(here: TournamentContext, cards: Sequence[FloorCard]) -> NextStep:
    """Return the next step for the account of a page. ``cards`` are those of the running round."""
    return next_step(
        DayFacts(
            here.state,
            here.rules,
            here.words,
            here.may,
            lambda decision: here.service.why_not(here.state.tournament, decision),
            sheets=len(cards),
            confirmed=sum(card.accepted is not None for card in cards),
            on_paper=sum(card.is_on_paper for card in cards),
        )
    )


def next_step(day: DayFacts) -> NextStep:
    """Return the next step of the day as one account sees it."""
    match day.state.stage:
        case Stage.REGISTRATION:
            return _register(day)
        case Stage.SEALED | Stage.DRAWN:
            return _draw(day)
        case Stage.PLAYING:
            return _play(day)
        case Stage.BETWEEN:
            return _go_on(day)
        case Stage.FINALS:
            return _play_duels(day) if day.state.open_duels else _go_on_with_finals(day)
        case Stage.FINISHED:
            return _play_duels(day) if day.state.open_duels else _rank(day)
        case Stage.PUBLISHED:
            return _close(day)
        case _:
            assert_never(day.state.stage)


def _first(links: tuple[StepLink, ...]) -> StepLink | None:
    return links[0] if links else None


def _register(day: DayFacts) -> NextStep:
    _ = day.words.gettext
    refused = day.why_not(SealDraw(seed=_SEED))
    players = day.link(Permission.TOURNAMENTS, _("Players"), "players")
    if refused is not None and (not day.state.entrants or refused.reason in _TOO_FEW):
        said = _("Register the players, from a file or one by one.")
        return NextStep(said, _first(players), hint=day.words.refusal(refused))
    said = _("Is everyone here? Then seal the draw: {round}.").format(round=day.title(1))
    button = _first(day.link(Permission.DRAWS, _("Go to the draw"), "draw"))
    more = day.link(Permission.PLAYERS, _("Add more players"), "players") or players
    return day.decide(NextStep(said, button, more), SealDraw(seed=_SEED))


def _draw(day: DayFacts) -> NextStep:
    _ = day.words.gettext
    if day.state.stage is Stage.SEALED:
        said = _("The seed is sealed. Ask somebody in the hall to call out a word, then draw.")
        button = _first(day.link(Permission.DRAWS, _("Draw"), "draw"))
        return day.decide(NextStep(said, button), MakeDraw(hall_word=""))
    said = _("{round} has been drawn. Check it, then publish it to the tables.")
    said = said.format(round=day.title(len(day.state.rounds)))
    button = _first(day.link(Permission.DRAWS, _("Check and publish"), "draw"))
    return day.decide(NextStep(said, button), PublishDraw())


def _play(day: DayFacts) -> NextStep:
    """Lead to the floor, or where tables play on paper, to the printer and then to the sheets."""
    _ = day.words.gettext
    said = day.words.ngettext(
        "{round} is in progress: {done} of {all} record sheet confirmed.",
        "{round} is in progress: {done} of {all} record sheets confirmed.",
        day.sheets,
    ).format(round=day.title(len(day.state.published_rounds)), done=day.confirmed, all=day.sheets)
    step = NextStep(said, progress=(day.confirmed, day.sheets))
    floor = day.link(Permission.FLOOR, _("Go to the floor"), "floor")
    if not day.on_paper or not day.may(Permission.SHEETS):
        return replace(step, button=_first(floor))
    enter = day.words.ngettext("Enter {n} record sheet", "Enter {n} record sheets", day.on_paper)
    sheets = day.link(Permission.SHEETS, enter.format(n=day.on_paper), "sheets")
    papers = day.link(Permission.TOURNAMENTS, _("Print record sheets"), "print?paper=record-sheets")
    hint = day.words.ngettext(
        "{n} table plays on paper: print the record sheet, then enter it here.",
        "{n} tables play on paper: print the record sheets, then enter them here.",
        day.on_paper,
    ).format(n=day.on_paper)
    first, *others = (*sheets, *papers) if day.confirmed else (*papers, *sheets)
    return replace(step, button=first, others=(*others, *floor), hint=hint)


def _go_on(day: DayFacts) -> NextStep:
    _ = day.words.gettext
    number = len(day.state.published_rounds)
    draw = _("Draw: {round}").format(round=day.title(number + 1))
    button = _first(day.link(Permission.DRAWS, draw, "draw"))
    if day.state.missing_sheets:
        said = _("Earlier record sheets are missing. They're listed at the top of this page.")
        return day.decide(NextStep(said, button), SealDraw(seed=_SEED))
    said = _("{round}: all record sheets are confirmed. Download a backup, then seal the next draw.")
    backup = day.link(Permission.BACKUPS, _("Backup"), "/judge/backup", is_file=True) or day.link(
        Permission.ENCRYPTED_BACKUPS, _("Backup"), "/judge/backup/encrypted", is_file=True
    )
    return day.decide(NextStep(said.format(round=day.title(number)), button, backup), SealDraw(seed=_SEED))


def _play_duels(day: DayFacts) -> NextStep:
    """Lead to the floor while duels of the finals or of tied players are played."""
    _, running = day.words.gettext, day.state.open_duels
    said = day.words.ngettext(
        "A duel is in progress. Confirm its record sheet when it ends.",
        "{n} duels are in progress. Confirm their record sheets when they end.",
        len(running),
    ).format(n=len(running))
    papers = day.link(Permission.SHEETS, _("Print duel sheets"), "print?paper=duel-sheets")
    button = _first(day.link(Permission.FLOOR, _("Go to the floor"), "floor"))
    return NextStep(said, button, papers if day.on_paper else ())


def _go_on_with_finals(day: DayFacts) -> NextStep:
    _, finals = day.words.gettext, day.state.finals
    button = _first(day.link(Permission.STANDINGS, _("Finals"), "finals"))
    if finals is not None:
        said = (
            _("Both semifinals have been decided. Call the finalists to their table.")
            if finals.final_pair
            else _("Call the semifinalists to their tables.")
        )
        modes = day.edition.duel_modes
        return day.decide(NextStep(said, button), BeginDuels(kind=modes[0]))
    if button is not None and day.why_not(PublishRanking()) is None:
        said = _("Too few players are left for the finals. Publish the ranking of the rounds.")
        return NextStep(said, button, decision=PublishRanking())
    said = _(
        "All rounds have been played. Publish their ranking: it shows which four players reach the finals."
    )
    return _unless_tied(day, NextStep(said, button), PublishRoundsRanking())


def _rank(day: DayFacts) -> NextStep:
    _ = day.words.gettext
    said = _("Everything has been played. Check the standings, then publish the ranking.")
    links = day.link(Permission.STANDINGS, _("Standings"), "standings")
    if day.state.with_finals:
        said = _("The finals are over. Publish places and prizes.")
        links = day.link(Permission.STANDINGS, _("Finals"), "finals")
    return _unless_tied(day, NextStep(said, _first(links)), PublishRanking())


def _unless_tied(day: DayFacts, step: NextStep, decision: TournamentDecision) -> NextStep:
    """Break ties first. Accounts that may not see the standings don't learn whether there are any."""
    _ = day.words.gettext
    refused = None if step.button is None else day.why_not(decision)
    if refused is None or refused.reason is not TournamentReason.TIED:
        return day.decide(step, decision)
    said = _("Everything has been played, but players are tied. Break the ties.")
    button = _first(day.link(Permission.STANDINGS, _("Standings"), "standings"))
    return day.decide(NextStep(said, button), DrawLots(_SEED))


def _close(day: DayFacts) -> NextStep:
    _, tournament = day.words.gettext, day.state.tournament
    said = _("The ranking is public. Print the certificates, and keep the proof pack.")
    return NextStep(
        said,
        _first(day.link(Permission.TOURNAMENTS, _("Print certificates"), "print?paper=certificates")),
        (
            *day.link(Permission.PUBLIC_PAGES, _("Ranking"), f"/t/{tournament}"),
            *day.link(Permission.HISTORY, _("Proof pack"), "proof"),
            *day.link(
                Permission.SET_UP,
                _("Copy for the next tournament"),
                f"/judge/new/as/{tournament}?copies={tournament}",
            ),
        ),
    )
