"""What only the judge may do at a terminal: the game, the table, the terminal."""

from collections.abc import Iterator
from typing import Final

from saloon.core.editions.readings import TimeLimit
from saloon.core.game.commands import Abandon, EndByTimeLimit, RestartGame, VoidGame
from saloon.core.game.ending.agreement import awaited
from saloon.kiosk.intents import BeginAnew, GoOnHere
from saloon.kiosk.scenes.connection.connection import ConnectionScene
from saloon.kiosk.scenes.connection.offline_transfer import CarryScene
from saloon.kiosk.scenes.duel.ruling import RulingScene
from saloon.kiosk.scenes.judge.clock import ClockScene
from saloon.kiosk.scenes.judge.judge_correct import CorrectScene, may_correct
from saloon.kiosk.scenes.judge.judge_leaving import PlayerLeavesScene
from saloon.kiosk.scenes.judge.judge_overrule import GoesOnScene
from saloon.kiosk.scenes.judge.judge_terminal import LightScene, ResendScene, SwapScene
from saloon.kiosk.scenes.judge.judge_void import restart_scene, void_scene
from saloon.kiosk.scenes.play.time_limit import TimeLimitScene
from saloon.kiosk.scenes.scene import Reply, Stage
from saloon.kiosk.scenes.selftest.course import self_test
from saloon.kiosk.scenes.settings.language import LanguageScene
from saloon.kiosk.scenes.settings.sound import SoundScene
from saloon.kiosk.scenes.story.story import StoryScene
from saloon.kiosk.scenes.widgets.button_groups import Entry, Group, group_reply, grouped
from saloon.kiosk.scenes.widgets.common import HOLD_MS, NOWHERE, Head, Offer, back_offer
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.ui.parts import Block, Button, Look
from saloon.kiosk.view.table_view import CardDoubt


class JudgeScene:
    """Three groups; each button opens a page that tells what it does before anything is held."""

    name: Final = "judge"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """What the rules allow at this moment of the game."""
        _ = stage.words.gettext
        if stage.table.doubt is not None:
            link = Button(NOWHERE, "connection", _("Connection"), icon="link", size_px=stage.mm(4.2))
            offers = (back_offer(stage, 2), Offer(link, 2), *_decisions(stage))
            return dialog(stage, Head(_("For the judge"), _decision_text(stage), "key"), offers)
        text = _("No game is seated here.")
        if stage.table.game is not None:
            text = _("What is done here the story tells, and the station sees.")
        return grouped(stage, Head(_("For the judge"), text, "key"), _groups(stage))

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Opens the page of a button."""
        match target:
            case "begin-anew":
                return Reply(intents=(BeginAnew(),), closes=True)
            case "go-on-here":
                return Reply(intents=(GoOnHere(),), closes=True)
            case _:
                return group_reply(target, _groups(stage))

    def still_holds(self, stage: Stage) -> bool:
        """Until the judge leaves it."""
        del stage
        return True


def _groups(stage: Stage) -> tuple[Group, ...]:
    """Add an entry to one of these; its page tells the rest."""
    _ = stage.words.gettext
    has_game = stage.table.game is not None
    return (
        Group(_("Game"), "cards", tuple(_of_the_game(stage)) if has_game else ()),
        Group(_("Table"), "star", tuple(_of_the_table(stage)) if has_game else ()),
        Group(_("Terminal"), "gear", tuple(_of_the_terminal(stage))),
    )


def _of_the_game(stage: Stage) -> Iterator[Entry]:
    _ = stage.words.gettext
    if stage.game.duel is None:
        allowed = stage.allows(EndByTimeLimit(TimeLimit.NO_WINNER))
        scene = TimeLimitScene()
        yield Entry("end-by-time-limit", _("Time is over"), "clock", Reply(opens=scene), enabled=allowed)
    else:
        yield Entry("rule-duel", _("Time is over"), "clock", Reply(opens=RulingScene()))
    if awaited(stage.game):
        yield Entry("goes-on", _("Go on without"), "arrow", Reply(opens=GoesOnScene()))
    may_leave = any(stage.allows(Abandon(seat.seat)) for seat in stage.game.seats)
    leaves = Reply(opens=PlayerLeavesScene())
    yield Entry("player-leaves", _("A player leaves"), "away", leaves, enabled=may_leave)
    if stage.game.duel is None:
        correct = Reply(opens=CorrectScene())
        yield Entry("correct", _("Correct"), "pencil", correct, enabled=may_correct(stage))
    yield Entry("step-back", _("Step back"), "undo", Reply(opens=StoryScene()))
    may_void = stage.allows(VoidGame(""))
    again = stage.allows(RestartGame("…"))
    restart = Reply(opens=restart_scene(stage))
    yield Entry("restart-game", _("Play again"), "shuffle", restart, enabled=again)
    void = Reply(opens=void_scene(stage))
    yield Entry("void-game", _("Take the game back"), "cross", void, enabled=may_void)


def _of_the_table(stage: Stage) -> Iterator[Entry]:
    _ = stage.words.gettext
    yield Entry("clock", _("Clock"), "clock", Reply(opens=ClockScene()))
    yield Entry("swap", _("Swap terminal"), "shuffle", Reply(opens=SwapScene()))
    yield Entry("resend", _("Send again"), "arrow", Reply(opens=ResendScene()))
    yield Entry("carry", _("No connection?"), "qr", Reply(opens=CarryScene(by_judge=True)))


def _of_the_terminal(stage: Stage) -> Iterator[Entry]:
    _ = stage.words.gettext
    yield Entry("connection", _("Connection"), "link", Reply(opens=ConnectionScene()))
    yield Entry("language", _("Language"), "speech", Reply(opens=LanguageScene()))
    yield Entry("light", _("Brightness"), "sun", Reply(opens=LightScene()))
    yield Entry("sound", _("Sound"), "speaker", Reply(opens=SoundScene()))
    yield Entry("self-test", _("Self-test"), "check", self_test(stage.table.parts))


def _decision_text(stage: Stage) -> str:
    _ = stage.words.gettext
    if stage.table.doubt is CardDoubt.FOREIGN:
        return _(
            "Moved here and used nowhere else: go on. The copy of a card: begin anew; "
            "its journal is set aside, then enrol it."
        )
    return _("On the copy of a card: begin anew. The old journal is set aside; then enrol it.")


def _decisions(stage: Stage) -> Iterator[Offer]:
    _ = stage.words.gettext
    size = stage.mm(4.2)
    if stage.table.doubt is CardDoubt.FOREIGN:
        go_on = Button(NOWHERE, "go-on-here", _("Go on here"), Look.MAIN, size_px=size, hold_ms=HOLD_MS)
        yield Offer(go_on, 2.6)
    yield Offer(
        Button(NOWHERE, "begin-anew", _("Begin anew"), Look.GRAVE, size_px=size, hold_ms=HOLD_MS), 2.6
    )
