"""A table at each of its scenes, led there by the rules: for pictures and for tests."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

import msgspec
from msgspec.structs import replace

from core.characters import Character
from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.decide import GameCommand, decide
from core.game.ending.judge_calls import CallJudge, GiveCallReason
from core.game.ending.rebel import RevealRebel, ShowEventCard
from core.game.ending.sheet import AgreeEnding, ConfirmSheet, DeclareRoles, VoidGame, awaited_seats
from core.game.events import GameStep
from core.game.play.abandonment import Abandon
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetRecordMode, SetTurn
from core.game.play.wounds import LoseLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.decisions import Undo
from core.game.state.game import CallReason, Cause, Confirmation, EventCard, GameState, SeatedPlayer, Stake
from core.game.state.seats import role_counts
from core.game.timeline import Timeline, answers_on_ending, extend, redoable, undoable, undoable_freely
from core.rule_set import AgreementForm, RecordMode, RuleSet
from core.terms import GameId, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId
from kiosk.i18n import Words
from kiosk.preferences import Learner, Spoken
from kiosk.scenes.terminal.trouble import TroubleScene
from kiosk.terminal.link.qr_codes import code_of
from kiosk.terminal.story import Storyteller, describe_undone
from kiosk.view.final_story import story_to_take
from kiosk.view.table_view import (
    CardDoubt,
    Delivery,
    Patience,
    PinState,
    RoundTime,
    TableQuestion,
    TableView,
    TextCode,
)
from sync.link.counters import Tally, counters_from
from sync.ports.addresses import FoundStation
from sync.ports.findings import Finding
from sync.terminal.agent_contract import LinkPhase, LinkReport

EDITION: Final = edition("championship-2022")
NAMES: Final = (
    "Ada", "Bartolomeo", "Čeněk Dvořák", "Dafne", "Emil", "Francesca Maria", "Giò", "Hortensia",
    "Ivo", "Josefína",
)  # fmt: skip
CAST: Final = (
    Character.WILLY_THE_KID,
    Character.SUZY_LAFAYETTE,
    Character.SID_KETCHUM,
    Character.EL_GRINGO,
    Character.SLAB_THE_KILLER,
    Character.ROSE_DOOLAN,
    Character.JOURDONNAIS,
    Character.VULTURE_SAM,
    Character.LUCKY_DUKE,
    Character.KIT_CARLSON,
)
SIGN_IN: Final = "https://192.168.178.20:8443/in/7KQ3M9XWPT4C"
_GAME: Final = GameId("rehearsal-1")
_SAVED: Final = Delivery(entered=41, saved=41, received=39, link=LinkPhase.SEARCHING)
_RECEIVED: Final = Delivery(entered=41, saved=41, received=41, link=LinkPhase.CONNECTED)


class Moment(msgspec.Struct, frozen=True):
    """A table at one moment. picture: its name. touches: targets that open what is shown, in order.

    trouble: what the terminal itself has.
    """

    picture: str
    scene: str
    view: TableView
    touches: tuple[str, ...] = ()
    trouble: TroubleScene | None = None


class Table:
    """A game that is led by commands. stakes: what the players bring, by seat, where something is bought."""

    def __init__(
        self,
        seats: int,
        rules: Edition = EDITION,
        stakes: Sequence[Stake] = (),
        agreement: AgreementForm = AgreementForm.EACH_PLAYER,
    ) -> None:
        self.seats = seats
        self._rules = rules
        self._timeline: Timeline | None = None
        self._storyteller, self._words = Storyteller(), Words("en")
        brought = (*stakes, *(None for _ in range(len(stakes), seats)))
        players = tuple(SeatedPlayer(PlayerId(f"p{n}"), NAMES[n], brought[n]) for n in range(seats))
        tournament, rule_set = (
            TournamentId("rehearsal"),
            RuleSet(rules.key, rules.chosen, agreement=agreement),
        )
        self.do(SeatTable(_GAME, tournament, "Rehearsal", rule_set, RoundNo(2), TableNo(4), players))

    def do(self, *commands: GameCommand) -> "Table":
        """Ask for commands, one after the other. Raises Refused."""
        for command in commands:
            state = None if self._timeline is None else self._timeline.state
            may_undo, may_redo = undoable(self._timeline), redoable(self._timeline)
            events = decide(state, command, self._rules, may_undo=may_undo, may_redo=may_redo)
            self._timeline = extend(self._timeline, GameStep(_GAME, events))
        return self

    @property
    def state(self) -> GameState:
        assert self._timeline is not None  # seated at birth
        return self._timeline.state

    def everyone(self) -> tuple[SeatNo, ...]:
        return tuple(SeatNo(n + 1) for n in range(self.seats))

    def view(self, delivery: Delivery = _RECEIVED) -> TableView:
        return TableView(
            table=TableNo(4),
            game=self.state,
            edition=self._rules,
            delivery=delivery,
            now_ms=1000,
            story=self._storyteller.story(self._timeline, self._words),
            timeline=self._timeline,
            may_undo=undoable(self._timeline),
            may_undo_freely=undoable_freely(self._timeline),
            may_redo=redoable(self._timeline),
            taken_back=describe_undone(self._timeline, self._words),
            round_time=RoundTime(34 * 60, 90 * 60),
            answers_on_ending=answers_on_ending(self._timeline),
            patience=Patience(turn_s=240, deck_turns=24),
        )

    def dealt(self) -> "Table":
        return self.do(*(CheckIn(seat) for seat in self.everyone()), DealRoles())

    def begun(self) -> "Table":
        """At the Sheriff's first turn."""
        self.dealt()
        choices = zip(self.everyone(), CAST, strict=False)
        return self.do(*(ChooseCharacter(seat, who) for seat, who in choices), BeginGame())

    def wound(self, seat: int, points: int) -> "Table":
        return self.do(*(LoseLife(SeatNo(seat)) for _ in range(points)))

    def kill(self, seat: int, by: int, role: Role) -> "Table":
        self.wound(seat, self.state.seats[seat - 1].life)
        return self.do(Eliminate(SeatNo(seat), SeatNo(by), role, Cause.PLAYER))

    def running(self) -> "Table":
        """Play some turns, with wounds, one player eliminated and one who has left."""
        self.begun().wound(1, 2).do(EndTurn()).wound(3, 1).do(EndTurn(), Reshuffle())
        self.kill(2, 3, Role.OUTLAW).do(EndTurn()).wound(4, 1)
        return self.do(Abandon(SeatNo(self.seats)), EndTurn()) if self.seats > 4 else self

    def ended(self) -> "Table":
        """Won by the Outlaws: the Sheriff fell."""
        self.running()
        return self.kill(1, 3, Role.SHERIFF)

    def agreed(self) -> "Table":
        return self.do(*(AgreeEnding(seat) for seat in awaited_seats(self.state)))

    def declared(self) -> "Table":
        row = role_counts(self.seats, self._rules)
        left = [role for role in Role for _ in range(row.count(role)) if role is not Role.SHERIFF]
        left.remove(Role.OUTLAW)
        self.ended().agreed()
        return self.do(DeclareRoles((Role.SHERIFF, Role.OUTLAW, *reversed(left))))


def speaking(view: TableView, *languages: str) -> TableView:
    """Return the table with players who have chosen these languages, by seat."""
    preferences = view.preferences
    seats = () if view.game is None else view.game.seats
    for seat, language in zip(seats, languages, strict=False):
        preferences = preferences.speaking(Spoken(TournamentId("rehearsal"), seat.player, language))
    return replace(view, preferences=preferences)


def learning(view: TableView, *seats: int) -> TableView:
    """Return the table with players who are new to BANG!, by default the one in turn."""
    preferences, game = view.preferences, view.game
    assert game is not None
    for seat in seats or (game.turn or 1,):
        preferences = preferences.learning(Learner(game.game, SeatNo(seat), game.turns_played[seat - 1]))
    return replace(view, preferences=preferences)


def moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield a table of ``seats`` seats at every scene that these rules have."""
    yield from _before(seats, rules)
    yield from _in_play(seats, rules)
    if role_counts(seats, rules).rebel:
        yield from _with_rebel(seats, rules)
    yield from _at_the_end(seats, rules)


@cache
def _sign_in() -> TextCode:
    return TextCode(SIGN_IN, code_of(SIGN_IN))


def _story(view: TableView) -> TextCode:
    assert view.game is not None
    assert view.edition is not None
    assert view.timeline is not None
    text = story_to_take(view.game, view.edition, view.timeline.moments, Words("en"))
    return TextCode(text, code_of(text))


def _before(seats: int, rules: Edition) -> Iterator[Moment]:
    nothing = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=1000)
    ready = replace(nothing, table=TableNo(4), delivery=Delivery(link=LinkPhase.CONNECTED))
    yield Moment("waiting", "waiting", ready)
    yield from _connection(nothing)
    some = Table(seats, rules).do(CheckIn(SeatNo(1)), CheckIn(SeatNo(3)))
    yield Moment("seating", "seating", some.view())
    phones = replace(some.view(), sign_in=_sign_in())
    yield Moment("seating-phone", "seating", phones)
    yield Moment("phone-sign-in", "phone-sign-in", phones, ("phone-sign-in",))
    checked = Table(seats, rules)
    yield Moment("roles", "roles", checked.do(*(CheckIn(s) for s in checked.everyone())).view())
    chosen = Table(seats, rules).dealt().do(
        ChooseCharacter(SeatNo(2), CAST[1]), ChooseCharacter(SeatNo(3), CAST[4])
    )  # fmt: skip
    yield Moment("characters", "characters", chosen.view())
    yield Moment("characters-choice", "characters", chosen.view(), (f"seat-{seats}-character",))
    held = (f"seat-{seats}-character", "ability-suzy-lafayette")
    yield Moment("ability", "ability", chosen.view(), held)


def _connection(nothing: TableView) -> Iterator[Moment]:
    fields: dict[str, str | int] = {"address": "192.168.1.10:7373"}
    searching = LinkReport(
        LinkPhase.SEARCHING,
        way="tcp 192.168.1.10:7373",
        finding=Finding.NO_ANSWER,
        fields=fields,
        typed=("192.168.1.10:7373", "station.hall.example:7373"),
        found=(FoundStation("Saloon", "192.168.1.44:7373"), FoundStation("Saloon", "192.168.1.45:7373")),
        tries=128,
        heard_at_ms=-100_000,
    )
    waits = Delivery(14, 14, 0, LinkPhase.SEARCHING, owes_since_ms=-600_000)
    lost = replace(nothing, table=TableNo(4), link=searching, delivery=waits)
    yield Moment("connection-lost", "connection", lost, ("connection",))
    tally = Tally(frames_sent=1841, frames_sent_again=12, frames_invalid=9)
    figures = counters_from(tally, is_up=True, payload=488, srtt_ms=34, rto_ms=120)
    by_cable = LinkReport(
        LinkPhase.CONNECTED, "serial /dev/ttyUSB0", tries=1, connections=1, heard_at_ms=900, figures=figures
    )
    cable = replace(nothing, table=TableNo(4), link=by_cable, delivery=Delivery(7, 7, 7, LinkPhase.CONNECTED))
    yield Moment("connection-cable", "connection", cable, ("connection",))
    keys = tuple(f"key-{key}" for key in ("1", "9", "2", "dot", "1", "6", "8", "dot", "1", "dot", "1", "0"))
    yield Moment("address", "address", lost, ("connection", "type-address"))
    yield Moment("address-typed", "address", lost, ("connection", "type-address", *keys))


def _in_play(seats: int, rules: Edition) -> Iterator[Moment]:
    play = Table(seats, rules).running().view(_SAVED)
    yield Moment("play", "play", play)
    yield Moment("play-notice", "play", replace(play, notice="Seat 2 has been eliminated."))
    yield Moment("undone", "play", Table(seats, rules).running().do(Undo(1)).view())
    yield Moment("relieved", "relieved", replace(play, is_relieved=True))
    yield Moment("disagreement", "disagreement", replace(play, doubt=CardDoubt.DISAGREES))
    foreign = replace(play, doubt=CardDoubt.FOREIGN)
    yield Moment("foreign-card", "disagreement", foreign)
    for name, doubt in (("begin-anew", CardDoubt.DISAGREES), ("go-on-here", CardDoubt.FOREIGN)):
        doubtful = replace(play, doubt=doubt, judge_present=True)
        yield Moment(name, "judge", doubtful, ("judge-menu",))
    yield Moment("taking-over", "taking-over", replace(play, steps_to_come=212))
    calling = Table(seats, rules).running().do(CallJudge())
    called = replace(calling.view(), judge_coming=True)
    yield Moment("judge-called", "play", called)
    queued = replace(calling.view(), calls_before=2, calls_elsewhere=(TableNo(7), TableNo(12)))
    yield Moment("judge-queue", "judge-called", queued, ("judge-called",))
    keyed = replace(queued, judge_present=True)
    yield Moment("judge-goes-on-to", "judge", keyed, ("menu", "judge-menu"))
    yield Moment("menu", "menu", play, ("menu",))
    yield Moment("rules", "rules", play, ("menu", "rules"))
    yield Moment("rules-own", "rules", play, ("seat-3-menu", "rules"))
    yield Moment("language", "language", play, ("menu", "language"))
    yield Moment("language-own", "language", play, ("seat-3-menu", "language"))
    yield Moment("play-languages", "play", speaking(play, "it", "de", "fr", "es"))
    yield Moment("sound", "sound", play, ("menu", "sound"))
    yield Moment("story", "story", play, ("menu", "story"))
    yield Moment("story-of", "story", play, ("menu", "story", "story-of"))
    yield Moment("chart", "chart", play, ("menu", "story", "story-chart"))
    step_moment = play.story[-3].moment
    yield Moment("moment", "moment", play, ("menu", "story", f"story-moment-{step_moment}"))
    yield Moment(
        "step-back", "step-back", play, ("menu", "story", f"story-moment-{step_moment}", "step-back")
    )
    yield Moment("look", "look", play, ("menu", "look"))
    yield Moment("locked", "locked", replace(play, is_locked=True))
    yield Moment("player-menu", "player-menu", play, ("seat-3-menu",))
    turn = Table(seats, rules).running().state.turn
    yield Moment("new-player", "play", learning(play))
    yield Moment("player-menu-new", "player-menu", learning(play), (f"seat-{turn}-menu",))
    called = calling.view()
    yield Moment("play-judge-called", "play", called)
    yield Moment("judge-called-page", "judge-called", called, ("judge-called",))
    yield Moment("call-reason", "call-reason", called, ("judge-called", "say-why"))
    reasoned = calling.do(GiveCallReason(CallReason.TERMINAL)).view()
    yield Moment("judge-called-why", "judge-called", reasoned, ("judge-called",))
    jailed = Table(seats, rules).begun().do(EndTurn()).view()
    yield Moment("player-menu-in-turn", "player-menu", jailed, ("seat-2-menu",))
    yield Moment("reminders", "reminders", play, ("seat-3-menu", "reminders"))
    passive = next((seat.seat for seat in Table(seats, rules).running().state.seats if seat.passive), None)
    if passive is not None:
        yield Moment("reminders-passive", "reminders", play, (f"seat-{passive}-menu", "reminders"))
    fallen = Table(seats, rules).running()
    fallen.wound(3, 3)
    yield Moment("last-life", "last-life", fallen.view())
    yield Moment("eliminate-by", "eliminate", fallen.view(), ("eliminated",))
    on = fallen.state.turn
    other = next(s.seat for s in fallen.state.seats if s.in_play and s.seat not in {3, on} and not s.passive)
    yield Moment("eliminate-turn", "eliminate", fallen.view(), ("eliminated", f"by-seat-{other}"))
    yield Moment("eliminate-role", "eliminate", fallen.view(), ("eliminated", f"by-seat-{on}"))
    yield Moment("eliminate-nobody", "eliminate", fallen.view(), ("eliminated", "by-nobody"))
    why = ("eliminated", "by-nobody", "by-dynamite")
    yield Moment("eliminate-dynamite", "eliminate", fallen.view(), why)
    yield Moment("reshuffle-again", "reshuffle-again", replace(play, reshuffle_presses=1))
    doubtful = replace(play, doubtful_turns=1)
    yield Moment("reshuffled-in-turn", "reshuffled-in-turn", doubtful)
    yield Moment("leaving", "leaving", play, ("seat-3-menu", "seat-3-leaves"))
    yield Moment("pin-leaving", "pin", play, ("seat-3-menu", "seat-3-leaves", "seat-3-abandon"))
    yield Moment("choose-one-by-one", "characters", Table(seats, rules).dealt().view(), ("enter-all",))
    yield from _forgotten_turns(seats, rules)
    yield from _light(seats, rules)
    still = replace(play, question=TableQuestion.STILL_TURN)
    yield Moment("asks-still-turn", "play", still)
    deck = replace(play, question=TableQuestion.RESHUFFLED)
    yield Moment("asks-reshuffled", "play", deck)
    yield Moment("late-reshuffle", "late-reshuffle", deck, ("reshuffled",))
    if rules.high_noon is None:
        return
    yield Moment("high-noon", "play", _noon(seats, rules).view())
    noon = _noon(seats, rules)
    while not noon.state.pending:
        noon.do(EndTurn())
    yield Moment("last-life-high-noon", "last-life", noon.view())


def _forgotten_turns(seats: int, rules: Edition) -> Iterator[Moment]:
    passed = Table(seats, rules).running().do(EndTurn())
    turn = passed.state.turn or 1
    others = [seat.seat for seat in passed.state.seats if seat.in_play and not seat.passive]
    after_next = [seat for seat in (*others, *others) if seat != turn][1:]
    passed.do(SetTurn(after_next[0] if after_next[0] != turn else others[0]))
    yield Moment("turns-passed", "play", passed.view())
    again = Table(seats, rules).begun().do(EndTurn(), EndTurn()).view()
    named = replace(again, turns_again=(SeatNo(2),))
    yield Moment("turn-again", "turn-again", named)
    earlier = Table(seats, rules).begun().do(EndTurn(), EndTurn(), Undo(1))
    yield Moment("pin-undo", "pin", earlier.view(), ("undo-judge",))
    undone = Table(seats, rules).running().do(EndTurn(), Undo(1))
    yield Moment("may-redo", "play", undone.view())
    if rules.high_noon is None or seats < 4:
        return
    doubt = Table(seats, rules).begun()
    doubt.wound(3, doubt.state.seats[2].life - 1)
    doubt.do(Reshuffle(), Reshuffle(), Reshuffle(), EndTurn(), SetTurn(SeatNo(4)))
    yield Moment("still-in-play", "still-in-play", doubt.view())


def _light(seats: int, rules: Edition) -> Iterator[Moment]:
    light = Table(seats, rules).begun().do(SetRecordMode(RecordMode.LIGHT), Reshuffle())
    yield Moment("light", "play", light.view())
    if rules.high_noon is None:
        return
    light.do(Reshuffle(), Reshuffle())
    if not light.state.is_turn_unknown:
        return
    yield Moment("light-whose-turn", "whose-turn", light.view())
    yield Moment("light-waiting", "play", light.do(SetTurn(SeatNo(1))).view())
    yield Moment("light-high-noon", "play", light.do(EndTurn(), EndTurn()).view())


def _with_rebel(seats: int, rules: Edition) -> Iterator[Moment]:
    rebel = Table(seats, rules).begun().wound(3, 2).do(EndTurn(), EndTurn(), EndTurn())
    turn = rebel.state.turn
    yield Moment("rebel-reveal", "player-menu", rebel.view(), (f"seat-{turn}-menu",))
    fallen = Table(seats, rules).begun().wound(3, 2).do(EndTurn(), EndTurn(), EndTurn())
    revealed = rebel.do(RevealRebel(SeatNo(4)))
    yield Moment("rebel-shown", "play", revealed.view())
    revealed.wound(3, revealed.state.seats[2].life)
    answers = ("eliminated", "by-seat-1", "same-turn")
    if role_counts(seats, rules).deputy:
        yield Moment("rebel-deputy", "eliminate", revealed.view(), answers)
    fallen.kill(1, 4, Role.SHERIFF)
    yield Moment("revolution", "revolution", fallen.view())
    fallen.do(AnswerRevolution(SeatNo(4), is_rebel=True))
    yield Moment("revolution-news", "play", fallen.view())
    ghost = fallen.do(ShowEventCard(EventCard.GHOST_TOWN))
    while ghost.state.ghost is None:
        ghost.do(EndTurn())
    yield Moment("ghost", "play", ghost.view())


def _noon(seats: int, rules: Edition) -> Table:
    return Table(seats, rules).begun().do(Reshuffle(), Reshuffle(), Reshuffle(), EndTurn())


def _at_the_end(seats: int, rules: Edition) -> Iterator[Moment]:
    yield Moment("ending", "ending", Table(seats, rules).ended().view())
    ended = Table(seats, rules).ended().agreed().view()
    yield Moment("ending-agreed", "ending", ended)
    own: tuple[str, ...] = ("to-roles", f"declare-seat-{seats}-renegade")
    if role_counts(seats, rules).rebel and seats > 4:
        yield Moment("roles-declare-page", "roles-declare", ended, ("to-roles", "role-of-seat-3"))
        own = ("to-roles", "role-of-seat-3", "declare-seat-3-renegade")
    yield Moment("roles-declare", "roles-declare", ended, own)
    with_rebel = role_counts(seats, rules).rebel > 0
    if seats not in rules.tables.sizes and not with_rebel:
        return
    sheet = Table(seats, rules).declared()
    yield Moment("sheet", "sheet", sheet.view())
    yield Moment("sheet-key", "sheet", replace(sheet.view(), judge_present=True))
    yield Moment("pin", "pin", sheet.view(), ("confirm-sheet", "pin-1", "pin-2", "pin-3", "pin-4"))
    wrong = replace(sheet.view(), pin=PinState.WRONG)
    yield Moment("pin-wrong", "pin", wrong, ("confirm-sheet",))
    locked = replace(sheet.view(), pin=PinState.LOCKED, pin_wait_s=227)
    yield Moment("pin-locked", "pin", locked, ("confirm-sheet",))
    sheet.do(ConfirmSheet(Confirmation.KEY))
    yield Moment("confirmed", "confirmed", sheet.view(_SAVED))
    yield Moment("final-story", "final-story", sheet.view(_SAVED), ("final-story",))
    ended = sheet.view()
    yield Moment("confirmed-received", "confirmed", replace(ended, story_code=_story(ended)))
    yield Moment("winnings", "winnings", ended, ("winnings",))
    yield Moment("final-chart", "chart", ended, ("story-chart",))
    yield Moment("own-end", "own-end", ended, ("seat-3-end",))
    yield Moment("take-home", "take-home", replace(ended, story_code=_story(ended)), ("take-home",))
    corrected = Table(seats, rules).declared().do(ConfirmSheet(Confirmation.CORRECTED))
    yield Moment("confirmed-corrected", "confirmed", corrected.view())
    yield Moment("voided", "voided", sheet.do(VoidGame("redraw")).view())
