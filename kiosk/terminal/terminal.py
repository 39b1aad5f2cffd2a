"""The app of one terminal, which connects game, screen, panel, journal and station."""

from collections.abc import Callable
from typing import assert_never

import structlog

from base.languages import LANGUAGES
from core.game.state.game import GameState
from core.game.timeline import answers_on_ending, redoable, undoable, undoable_freely
from hardware.contract import Panel, PanelEvent, Tune
from kiosk.preferences import Choices
from kiosk.terminal.board_services import BoardServices
from kiosk.terminal.clocks import Clocks
from kiosk.terminal.game_entries import GameEntries
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.terminal.link.enrolment_progress import DeliveryProgress, EnrolmentProgress
from kiosk.terminal.link.offline_export import JournalSnapshot, OfflineExport
from kiosk.terminal.link.qr_codes import BackgroundCode
from kiosk.terminal.link.update_progress import UpdateScheduler
from kiosk.terminal.lock import TableLock
from kiosk.terminal.mistakes import ForgetfulnessWatch
from kiosk.terminal.notices import Notices
from kiosk.terminal.orders_about_terminal import RemoteOrders
from kiosk.terminal.panel_parts import Parts
from kiosk.terminal.panel_side import PanelSide
from kiosk.terminal.pin import PinCheck
from kiosk.terminal.story import Storyteller, describe_undone
from kiosk.view.intents import (
    AskClock,
    AskGame,
    AskLink,
    BeginAnew,
    CarryIntent,
    ChangePreferences,
    DismissNotice,
    GoOnHere,
    Intent,
    LetRest,
    LockTable,
    PartIntent,
    PlayTune,
    PutOffUpdate,
    StationIntent,
    TableIntent,
    TryCode,
    TryPin,
    UnlockGlass,
)
from kiosk.view.table_view import CardDoubt, PinState, TableView
from sync.terminal.agent_contract import (
    Agent,
    AgentNews,
    CardIsForeign,
    EnrolmentChanged,
    EnrolmentStage,
    JournalFailed,
    JournalsDisagree,
    LinkChanged,
    LinkPhase,
    LinkReported,
    OrderArrived,
    Packed,
    Received,
    Resumed,
    Saved,
    TryJoinCode,
)
from sync.update.messages import UpdateNews

_log = structlog.get_logger()


class Terminal:
    """The state of one terminal: it is notified of events, advanced with time, and returns its view.

    ``wake`` wakes the loop; called on any thread.
    """

    def __init__(
        self,
        agent: Agent,
        panel: Panel,
        *,
        choices: Choices,
        enrolling: EnrolmentProgress,
        wake: Callable[[], None],
        board: BoardServices = BoardServices(),  # noqa: B008 (a constant)
        is_rehearsal: bool = False,
    ) -> None:
        self._card_decided = board.card_decided
        self._agent = agent
        self._panel = panel
        self._keeper = GameKeeper()
        self._enrolling = enrolling
        self._pin = PinCheck(wake, board.pins)
        self._carrier = OfflineExport(agent.pack, board.stick, wake)
        self._sign_in, self._take_home = BackgroundCode(wake), BackgroundCode(wake)
        self._delivering = DeliveryProgress(is_enrolled=enrolling.is_enrolled)
        self._lock = TableLock(board.lock)
        self._watch = ForgetfulnessWatch()
        self._parts = Parts(panel, self._restore_panel, board.shut_down)
        self._panel_side = PanelSide(panel, self._lock, self._parts)
        self.remote = RemoteOrders(
            self._keeper.about_terminal, self._delivering,
            report=lambda fact: self._append(self._keeper.report(fact)),
            lock=self._lock, panel=self._panel_side, light=self._light_panel, power=lambda: self._parts.power,
        )  # fmt: skip
        problem = enrolling.view.file_problem if enrolling.is_enrolled else None
        self._notices = Notices(choices, self._parts, problem)
        self._entries = GameEntries(
            self._keeper, self._notices, self._watch, panel=self._panel_side, delivering=self._delivering,
            append=self._append, on_step=self._show_on_panel,
        )  # fmt: skip
        self._clocks = Clocks(board.clock, self._entries.enter_unasked)
        self._is_rehearsal = is_rehearsal
        self._choices = choices
        self._storyteller = Storyteller()
        self._updating = UpdateScheduler(board.updates, agent.ask)

    @property
    def language(self) -> str:
        return self._choices.words.language

    def resume(self, held: Resumed) -> None:
        """Restore the state from the journal, and carry out pending orders."""
        self._delivering.on_resumed(len(held.own), held.received)
        for body in self._keeper.resume(held.own, held.orders):
            self._append(body)
        self._speak_as_chosen()
        self._carrier.on_resumed(held.own, self._keeper.game)
        self._clocks.on_resume(self._keeper.game)
        self._panel.set_volume(self._choices.volume)
        self._show_on_panel(None)

    def on_news(self, news: tuple[AgentNews, ...]) -> None:  # noqa: C901 (one case for each kind)
        """Process news from the journal and the station."""
        for item in news:
            match item:
                case Saved():
                    self._delivering.on_saved(item.seq)
                    self._notices.on_saved()
                case Received():
                    self._delivering.on_received(item.seq)
                case LinkChanged():
                    self._on_link_changed(item)
                case LinkReported():
                    self._delivering.report = item.report
                case OrderArrived():
                    self._on_order(item)
                case JournalFailed():
                    self._notices.on_unsaved()
                case JournalsDisagree():
                    _log.error("journal and station disagree", problem=item.problem)
                    self._entries.doubt = CardDoubt.DISAGREES
                case CardIsForeign():
                    self._entries.doubt = CardDoubt.FOREIGN
                case EnrolmentChanged():
                    self._enrolling.on_changed(item)
                    if item.stage is EnrolmentStage.DONE:
                        self._delivering.on_enrolled()
                case Packed():
                    self._carrier.on_packed(item)
                case UpdateNews():
                    self._updating.on_news(item)
                case _:
                    assert_never(item)
        if news:
            self._show_on_panel(self._keeper.game)

    def _on_link_changed(self, news: LinkChanged) -> None:
        is_new = self._delivering.link is not LinkPhase.REVOKED
        if news.phase is LinkPhase.REVOKED and is_new and self._keeper.game is not None:
            # Between games, the waiting screen shows it.
            self._notices.on_revoked()
        self._delivering.on_link_changed(news)
        if news.phase is LinkPhase.CONNECTED:
            self._entries.doubt = None
            self._clocks.on_connection()
            self._updating.on_connected()

    def on_panel_events(self, events: tuple[PanelEvent, ...], now_ms: int) -> None:
        """Process events of the panel."""
        for event in events:
            command = self._panel_side.command_for(event, self._keeper.game, now_ms)
            if command is not None:
                self._entries.press(command, now_ms)

    def carry_out(self, intents: tuple[Intent, ...], now_ms: int, *, is_named: bool = False) -> None:
        """Carry out requests from the screen. ``is_named``: by a program that names its targets."""
        self._entries.trust(is_named=is_named)
        if intents:
            self._lock.on_touch(now_ms)
            self._updating.on_touch(now_ms)
        for intent in intents:
            if isinstance(intent, PartIntent):
                self._parts.carry_out(intent, now_ms)
            elif isinstance(intent, CarryIntent):
                self._carrier.carry_out(intent, self._journal_snapshot(), now_ms)
            elif isinstance(intent, StationIntent):
                self.remote.carry_out(intent, is_judge=self._panel_side.key_on)
            else:
                self._carry_out(intent, now_ms)

    def _carry_out(self, intent: TableIntent, now_ms: int) -> None:  # noqa: C901 (one case for each kind)
        match intent:
            case AskGame():
                self._entries.touch(intent, now_ms)
            case AskClock():
                command = self._clocks.command(intent, now_ms)
                if command is not None:
                    self._entries.enter(command)
            case TryPin():
                self._pin.begin(intent.pin, self._keeper.judge_pin, now_ms, intent.allowed)
            case LetRest():
                if self._keeper.game is not None and self._keeper.edition is not None:
                    self._watch.answer(self._keeper.game, self._keeper.edition, intent.question)
                    self._light_panel()
            case DismissNotice():
                self._notices.dismiss(left_out=bool(self._keeper.left_out))
            case PutOffUpdate():
                self._updating.put_off(now_ms)
            case BeginAnew():
                if self._entries.doubt is not None:
                    self._card_decided(intent)
            case GoOnHere():
                if self._entries.doubt is CardDoubt.FOREIGN:
                    self._card_decided(intent)
            case AskLink():
                self._enrolling.on_request(intent.request)
                self._agent.ask(intent.request)
            case TryCode():
                self._enrolling.on_trying_code()
                self._agent.ask(TryJoinCode(intent.address, intent.code))
            case ChangePreferences():
                self._choices.prefer(intent.preferences)
                self._panel.set_volume(self._choices.volume)
            case PlayTune():
                self._panel_side.play(intent.tune)
            case LockTable():
                self._lock.choose(is_locked=intent.is_locked, now_ms=now_ms, is_wet=intent.is_wet)
            case _:
                assert_never(intent)

    def advance(self, now_ms: int) -> None:
        """Do everything that is due now: accepted PINs, clocks, lock, update, and their entries."""
        self._pin.advance(self._keeper.judge_pin, now_ms)
        allowed = self._pin.take_allowed(now_ms)
        if isinstance(allowed, UnlockGlass):
            self.remote.carry_out(allowed, is_judge=True)
        elif allowed is not None:
            self._entries.enter(allowed.command, allowed.done, allowed.more)
        self._advance_clocks(now_ms)
        self._delivering.advance(now_ms)
        keeper, words = self._keeper, self._choices.words
        self._sign_in.advance(keeper.sign_in_link if self._delivering.link is LinkPhase.CONNECTED else "")
        self._take_home.advance(self._storyteller.to_take(keeper.timeline, keeper.edition, words))
        self._updating.advance(now_ms, is_idle=self._is_idle())
        self._carrier.advance(now_ms)
        self._lock.advance(self._keeper.game, self._choices.preferences.lock_after_s, now_ms)
        self._parts.advance(now_ms)
        may_act = self._entries.doubt is None and not self._parts.is_tested
        self.remote.advance(now_ms, may_act=may_act, wrong_pins=self._pin.take_unreported)
        self._watch_game(now_ms)

    def _watch_game(self, now_ms: int) -> None:
        keeper, time, before = self._keeper, self._clocks.round_time, self._watch.question
        is_locked = self._lock.is_locked or self._lock.is_shut_by_station
        stands = is_locked or (time is not None and time.is_paused)
        self._watch.look(keeper.game, keeper.edition, now_ms, stands=stands)
        if self._watch.question is not before:
            self._panel_side.play(None if self._watch.question is None else Tune.TURN_LONG)
            self._light_panel()

    def view(self, now_ms: int) -> TableView:
        """Return everything that the screen may show, as of the last ``advance``."""
        keeper, game = self._keeper, self._keeper.game
        return TableView(
            table=keeper.table,
            game=game,
            edition=keeper.edition,
            delivery=self._delivering.view(),
            link=self._delivering.report,
            now_ms=now_ms,
            language=self.language,
            notice=self._notices.text(left_out=bool(keeper.left_out)),
            done=self._notices.done,
            message=keeper.message,
            judge_present=self._panel_side.key_on,
            judge_coming=keeper.judge_coming and game is not None and game.judge_called,
            calls_before=keeper.calls_before,
            calls_elsewhere=keeper.calls_elsewhere,
            call_presses=self._entries.call_presses,
            reshuffle_presses=self._entries.reshuffle_presses,
            doubtful_turns=self._entries.doubtful_turns,
            turns_again=self._entries.turns_again,
            pins_accepted=self._pin.used,
            pin=self._pin.state(now_ms) if self._keeper.judge_pin else PinState.UNSET,
            pin_wait_s=-(-self._pin.wait_ms(now_ms) // 1000),
            story=self._storyteller.story(keeper.timeline, self._choices.words),
            timeline=keeper.timeline,
            may_undo=undoable(keeper.timeline),
            may_undo_freely=undoable_freely(keeper.timeline),
            may_redo=redoable(keeper.timeline),
            taken_back=describe_undone(keeper.timeline, self._choices.words),
            answers_on_ending=answers_on_ending(keeper.timeline),
            enrolment=self._enrolling.view,
            round_time=self._clocks.round_time,
            turn_time=self._clocks.turn_time(),
            doubt=self._entries.doubt,
            is_relieved=keeper.is_relieved,
            steps_to_come=keeper.steps_to_come,
            carried=self._carrier.view(self._journal_snapshot()),
            preferences=self._choices.preferences,
            is_locked=self._lock.is_locked,
            is_wet=self._lock.is_wet,
            parts=self._parts.view(),
            is_rehearsal=self._is_rehearsal,
            touch=self._parts.touch(self._choices.preferences.touch),
            update=self._updating.view(now_ms),
            question=self._watch.question,
            patience=self._watch.patience,
            sign_in=self._sign_in.view(),
            story_code=self._take_home.view(),
            station=self.remote.view(),
        )

    def on_first_picture(self) -> None:
        self._updating.on_first_picture()

    def _is_idle(self) -> bool:
        """Return whether an update may be downloaded and installed: no game, and nothing left to send."""
        keeper, delivery = self._keeper, self._delivering.view()
        plays = keeper.playing is not None or bool(keeper.steps_to_come)
        owes = delivery.received < delivery.entered
        return not (plays or owes or self._entries.doubt is not None or self._parts.is_tested)

    def _advance_clocks(self, now_ms: int) -> None:
        before = self._clocks.round_time
        self._panel_side.play(
            self._clocks.advance(self._keeper, self._choices.preferences.turn_timer_s, now_ms)
        )
        if self._clocks.round_time != before:
            self._light_panel()

    def next_deadline_ms(self, now_ms: int) -> int | None:
        """Return the next time at which the view changes without an event."""
        deadlines = (
            self._pin.next_deadline_ms(now_ms),
            self._clocks.next_deadline_ms(now_ms),
            self._carrier.next_deadline_ms(),
            self._parts.next_deadline_ms(),
            self._updating.next_deadline_ms(now_ms),
            self._watch.next_deadline_ms(),
            self.remote.next_deadline_ms(),
            self._lock.next_deadline_ms(self._keeper.game, self._choices.preferences.lock_after_s),
        )
        return min((at for at in deadlines if at is not None), default=None)

    def close(self) -> None:
        """End all background threads."""
        self._pin.close()
        self._carrier.close()
        self._sign_in.close()
        self._take_home.close()

    def _on_order(self, order: OrderArrived) -> None:
        before = self._keeper.game
        for body in self._keeper.carry_out(order.seq, order.body):
            self._append(body)
        self._speak_as_chosen()
        self._show_on_panel(before)

    def _speak_as_chosen(self) -> None:
        """Apply the languages that players have chosen by phone."""
        for spoken in self._keeper.take_spoken():
            if spoken.language in LANGUAGES:
                self._choices.prefer(self._choices.preferences.speaking(spoken))

    def _append(self, body: bytes) -> None:
        seq = self._agent.append(body)
        self._delivering.on_entered(seq)
        self._carrier.on_entered(seq, self._keeper.game)

    def _journal_snapshot(self) -> JournalSnapshot:
        return JournalSnapshot(self._keeper.game, self._delivering.saved, self._delivering.received)

    def _show_on_panel(self, before: GameState | None) -> None:
        self._light_panel()
        is_calm = self._choices.preferences.is_calm
        self._panel_side.sound(before, self._keeper.game, is_calm=is_calm)

    def _light_panel(self) -> None:
        keeper, is_asked = self._keeper, self._watch.question is not None
        game, link = None if keeper.is_relieved else keeper.game, self._delivering.link
        self._panel_side.light(game, keeper.edition, link, self._clocks.round_time, is_asked=is_asked)

    def _restore_panel(self) -> None:
        self._panel.set_brightness(self._choices.preferences.brightness)
        self._light_panel()
