"""The judge's menu, in three groups: game, table and terminal."""

from collections.abc import Iterator

from core.game.duel.fight import RuleDuel
from core.game.ending.sheet import VoidGame, WaiveAgreement, awaited_seats
from core.game.play.abandonment import Abandon
from core.game.setup import RestartGame
from core.rule_set import RecordMode
from core.terms import SeatNo
from kiosk.scenes import pages
from kiosk.scenes.judge.judge_called import calls_elsewhere
from kiosk.scenes.judge.judge_correct import correct_game
from kiosk.scenes.judge.judge_game import (
    brightness,
    event_card,
    other_mode,
    record_mode,
    resend_entries,
    swap_terminal,
    table_clock,
    time_limit,
)
from kiosk.scenes.judge.judge_ruling import Purpose, ReasonScene, choose_offence, warn_player
from kiosk.scenes.scene import Reply, Scene, SceneContext
from kiosk.scenes.selftest.sequence import self_test
from kiosk.scenes.widgets.dialogs import Dialog, Group, MenuEntry, draw_groups, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import HOLD_MS, back_offer, offer, ruling_offer
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.view.intents import BeginAnew, GoOnHere
from kiosk.view.table_view import CardDoubt


@scene("player-leaves", when=lambda stage: bool(stage.seats_for(Abandon)))
def player_leaves(stage: SceneContext) -> Dialog:
    """Choose the player who leaves the tournament."""
    _ = stage.words.gettext
    offers = [
        offer(stage, f"leaves-seat-{seat.seat}", seat.name, send_away(seat.seat), 2.6, look=ButtonStyle.CARD)
        for seat in stage.seats_for(Abandon)
    ]
    head = Heading(_("A player leaves"), _("Who's leaving or being ejected?"), "away")
    return Dialog(stage, head, offers)


@scene("send-away", holds=lambda stage, seat: stage.allows(Abandon(seat)))
def send_away(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Explain the consequences of leaving, and confirm that a player leaves or is ejected."""
    _, name = stage.words.gettext, stage.seat(seat).name
    if stage.game.duel is None:
        text = _(
            "The character stays in play but is passive: it skips its turns and can be hit. "
            "Players who leave or are ejected can't come back in this tournament."
        )
    else:
        text = _("The opponent wins the duel. Players who leave can't come back in this tournament.")
    done = _("{name} has left.").format(name=name)
    leaves = ruling_offer(
        stage, f"seat-{seat}-abandon", _("Hold: player has left"), Abandon(seat), done, share=2.8, icon="away"
    )
    eject, offence = f"seat-{seat}-eject", choose_offence(seat, ejects=True)
    ejects = offer(stage, eject, _("Eject"), offence, 2.8, icon="cross")
    return Dialog(stage, Heading(name, text, "away"), (leaves, ejects))


def _void_scene(stage: SceneContext) -> ReasonScene:
    _ = stage.words.gettext
    purpose = Purpose(
        title=_("Void the game"),
        text=_("The game won't count: no winnings, no winner. The story keeps what was played."),
        hold=_("Hold: void the game"),
        done=_("The game has been voided."),
        usual=_usual(stage),
        icon="cross",
    )
    return ReasonScene(VoidGame(""), purpose)


def _restart_scene(stage: SceneContext) -> ReasonScene:
    _ = stage.words.gettext
    purpose = Purpose(
        title=_("Play the game again"),
        text=_(
            "What has been played won't count. The same players check in again at the same "
            "seats, and new roles are dealt. “Undo steps” brings the old game back."
        ),
        hold=_("Hold: play again"),
        done=_("The game begins again: collect all cards and deal new roles."),
        usual=_usual(stage),
        icon="shuffle",
    )
    return ReasonScene(RestartGame(""), purpose)


def _usual(stage: SceneContext) -> tuple[str, ...]:
    _ = stage.words.gettext
    return _("Cards were missing"), _("The deal was wrong"), _("A role was seen"), _("Wrong seating")


@scene("goes-on", when=lambda stage: stage.table.game is not None and bool(awaited_seats(stage.game)))
def continue_without_player(stage: SceneContext) -> Dialog:
    """Choose a player without whose agreement the game ends."""
    _ = stage.words.gettext
    text = _(
        "The ending stands without this player's agreement. The story will show that you "
        "continued, and who disputed it."
    )
    offers = []
    for seat in awaited_seats(stage.game):
        words = _("Hold: without {name}").format(name=stage.seat(seat).name)
        done = _("The judge continues without {name}.").format(name=stage.seat(seat).name)
        offers.append(ruling_offer(stage, f"seat-{seat}-waive", words, WaiveAgreement(seat), done))
    return Dialog(stage, Heading(_("Continue without …"), text, "away"), offers)


@scene("rule-duel", when=lambda stage: bool(stage.seats_for(lambda seat: RuleDuel(seat, "…"))))
def rule_duel(stage: SceneContext) -> Dialog:
    """Choose the winner of a duel when time is up."""
    _ = stage.words.gettext
    offers = []
    for seat in stage.game.seats:
        words, done = _("Hold: {name} wins").format(name=seat.name), _("You ruled: {name} wins.")
        command, target = RuleDuel(seat.seat, _("The time limit was reached.")), f"seat-{seat.seat}-rules"
        offers.append(ruling_offer(stage, target, words, command, done.format(name=seat.name)))
    text = _("The duel ends at once with the winner you name. The record sheet will show that you ruled.")
    return Dialog(stage, Heading(_("Time's up"), text, "clock"), offers)


@scene("judge")
def judge_menu(stage: SceneContext) -> tuple[Block, ...] | Dialog:
    """Draw the judge's actions, each of which opens a page that explains it.

    If the memory card is doubtful, only the decision about the card is offered.
    """
    _ = stage.words.gettext
    if stage.table.doubt is not None:
        link = offer(stage, "connection", _("Connection"), pages.CONNECTION, 2, icon="link")
        offers = (back_offer(stage, 2), link, *_decisions(stage))
        text = _(
            "If this card is a copy, start over, then enrol this terminal. The old journal is set aside."
        )
        if stage.table.doubt is CardDoubt.FOREIGN:
            text = _(
                "If this card was moved here and isn't used anywhere else, continue. If it's a copy, start "
                "over, then enrol this terminal. The old journal is set aside."
            )
        return Dialog(stage, Heading(_("Judge's menu"), text, "key"), offers)
    text, groups = _("No game at this table."), [Group(_("Terminal"), "gear", tuple(_of_the_terminal(stage)))]
    if stage.table.game is not None:
        logged = _("Everything done here is logged and visible at the station.")
        text = calls_elsewhere(stage) or logged
        groups.insert(0, Group(_("Table"), "star", tuple(_of_the_table(stage))))
        groups.insert(0, Group(_("Game"), "cards", tuple(_of_the_game(stage))))
    head = Heading(_("Judge's menu"), text, "key", is_optional=not stage.table.calls_elsewhere)
    return draw_groups(stage, head, groups)


def _of_the_game(stage: SceneContext) -> Iterator[MenuEntry]:
    _ = stage.words.gettext
    if stage.game.duel is None:
        yield _opens(stage, "end-by-time-limit", _("Time's up"), "clock", time_limit())
    else:
        yield MenuEntry("rule-duel", _("Time's up"), "clock", rule_duel())
    if awaited_seats(stage.game):
        yield _opens(stage, "goes-on", _("Continue without …"), "arrow", continue_without_player())
    yield _opens(stage, "warn", _("Warn a player"), "warning", warn_player())
    yield _opens(stage, "player-leaves", _("A player leaves"), "away", player_leaves())
    if stage.game.duel is None:
        yield _opens(stage, "correct", _("Correct"), "pencil", correct_game())
    if event_card().still_holds(stage):
        yield _opens(stage, "event-card", _("Event card"), "cards", event_card())
    yield MenuEntry("step-back", _("Undo steps"), "undo", pages.story(by_judge=True))
    yield _opens(stage, "restart-game", _("Play again"), "shuffle", _restart_scene(stage))
    yield _opens(stage, "void-game", _("Void the game"), "cross", _void_scene(stage))


def _opens(stage: SceneContext, target: str, label: str, icon: str, opened: Scene) -> MenuEntry:
    """Return the entry that opens a scene, disabled while that scene couldn't stay open."""
    return MenuEntry(target, label, icon, opened, enabled=opened.still_holds(stage))


def _of_the_table(stage: SceneContext) -> Iterator[MenuEntry]:
    _ = stage.words.gettext
    yield MenuEntry("clock", _("Clock"), "clock", table_clock())
    if stage.game.duel is None:
        words = _("Light game") if other_mode(stage).mode is RecordMode.LIGHT else _("Full game")
        yield _opens(stage, "record-mode", words, "story", record_mode())
    yield MenuEntry("swap", _("Swap terminal"), "shuffle", swap_terminal())
    yield MenuEntry("resend", _("Send again"), "arrow", resend_entries())
    yield MenuEntry("carry", _("No connection?"), "qr", pages.offline_transfer(by_judge=True))


def _of_the_terminal(stage: SceneContext) -> Iterator[MenuEntry]:
    _ = stage.words.gettext
    yield MenuEntry("connection", _("Connection"), "link", pages.CONNECTION)
    yield MenuEntry("language", _("Language"), "speech", pages.language())
    yield MenuEntry("light", _("Brightness"), "sun", brightness())
    yield MenuEntry("sound", _("Sound"), "speaker", pages.SOUND)
    yield MenuEntry("self-test", _("Self-test"), "check", self_test(stage.table.parts))


def _decisions(stage: SceneContext) -> Iterator[Offer]:
    _ = stage.words.gettext
    if stage.table.doubt is CardDoubt.FOREIGN:
        go_on, main = Reply(intents=(GoOnHere(),), closes=True), ButtonStyle.MAIN
        yield offer(stage, "go-on-here", _("Hold: continue here"), go_on, 2.6, look=main, hold_ms=HOLD_MS)
    anew, grave = Reply(intents=(BeginAnew(),), closes=True), ButtonStyle.GRAVE
    yield offer(stage, "begin-anew", _("Hold: start over"), anew, 2.6, look=grave, hold_ms=HOLD_MS)
