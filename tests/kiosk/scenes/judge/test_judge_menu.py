"""The judge's PIN, key and menu: nothing irreversible on its first page, and a message after each action."""

import msgspec
import pytest

from core.editions.readings import TimeLimit
from core.game.correction import CorrectElimination, CorrectLife
from core.game.decide import GameCommand
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.ending.sheet import ConfirmSheet, VoidGame
from core.game.play.abandonment import Abandon
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetRecordMode
from core.game.setup import RestartGame
from core.game.state.game import Cause, Confirmation, HighNoon
from core.rule_set import RecordMode
from core.terms import Role, SeatNo, TableNo
from kiosk.preferences import Layout
from kiosk.ui.blocks import Target
from kiosk.view.intents import AskGame, TryPin
from kiosk.view.table_view import PinState, TableView
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import hand_on, intents_of
from tests.scenarios.moments import Table

TWO = SeatNo(2)


class Judge:
    """A judge with the key at a table's screen."""

    def __init__(self, view: TableView) -> None:
        self.view = msgspec.structs.replace(view, judge_present=True)
        self.hand = hand_on(self.view)
        self.screen = self.hand.screen

    def show(self, **seen: object) -> None:
        self.view = msgspec.structs.replace(self.view, **seen)
        self.screen.update(self.view)

    def target(self, name: str) -> Target:
        return next(target for target in self.screen.targets() if target.id == name)

    def touch(self, *targets: str) -> None:
        self.hand.touch(*targets, view=self.view)

    def question(self) -> AskGame:
        (intent,) = self.hand.intents
        assert isinstance(intent, AskGame)
        return intent


def says(judge: Judge) -> str:
    return " ".join(judge.screen.visible_text())


@pytest.fixture
def judge() -> Judge:
    return Judge(Table(6).running().view())


def test_nothing_on_the_first_page_needs_a_hold(judge: Judge) -> None:
    judge.touch("menu", "judge-menu")
    assert [target.id for target in judge.screen.targets() if target.hold_ms] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("targets", "command"),
    [
        (("player-leaves", "leaves-seat-3", "seat-3-abandon"), Abandon(SeatNo(3))),
        (("void-game", "reason-1", "do-it"), VoidGame("Cards were missing")),
        (("restart-game", "reason-2", "do-it"), RestartGame("The deal was wrong")),
        (
            ("correct", "correct-seat-1", "life-less", "to-reason", "reason-1", "do-it"),
            CorrectLife(SeatNo(1), 2, "Wrong button tapped"),
        ),
        (
            ("correct", "correct-seat-2", "by-seat-1", "to-reason", "reason-2", "do-it"),
            CorrectElimination(TWO, SeatNo(1), Cause.PLAYER, Role.OUTLAW, "The whole table saw it"),
        ),
        (("record-mode", "change-record-mode"), SetRecordMode(RecordMode.LIGHT)),
    ],
)
def test_what_is_grave_is_told_held_and_closes_the_menu(
    judge: Judge, targets: tuple[str, ...], command: GameCommand
) -> None:
    judge.touch("menu", "judge-menu", *targets[:-1])
    assert judge.target(targets[-1]).hold_ms == 800
    assert judge.hand.intents == []
    judge.touch(targets[-1])
    assert judge.question().command == command
    assert judge.question().done
    assert judge.screen.scene_name() == "play"


@pytest.mark.parametrize(
    ("cause", "said"),
    [(Cause.DYNAMITE, "was eliminated by Dynamite."), (Cause.HIGH_NOON, "was eliminated at High Noon.")],
)
def test_a_corrected_role_is_reported_with_the_cause(judge: Judge, cause: Cause, said: str) -> None:
    game = judge.view.game
    assert game is not None
    out = tuple(
        msgspec.structs.replace(elimination, by=None, cause=cause) if elimination.seat == TWO else elimination
        for elimination in game.eliminations
    )
    judge.show(game=msgspec.structs.replace(game, eliminations=out, high_noon=HighNoon.ON))
    judge.touch("menu", "judge-menu", "correct", "correct-seat-2", "role-renegade", "to-reason", "reason-1")
    judge.touch("do-it")
    assert judge.question().done.endswith(f"(Renegade) {said}")


def mixed_up() -> Table:
    """Return a table where two players' roles were confused."""
    return Table(6).begun().kill(3, 1, Role.RENEGADE).kill(5, 1, Role.DEPUTY)


def test_a_card_that_another_player_has_shown_changes_both_and_says_so() -> None:
    table = mixed_up()
    judge, names = Judge(table.view()), {seat.seat: seat.name for seat in table.state.seats}
    judge.touch("menu", "judge-menu", "correct", "correct-seat-5", "role-renegade", "to-reason", "reason-1")
    text = says(judge)
    for number, roles in ((3, ("Renegade", "Deputy")), (5, ("Deputy", "Renegade"))):
        for role in roles:
            assert f"{names[SeatNo(number)]} ({role}) was eliminated by {names[SeatNo(1)]}." in text
    judge.touch("do-it")
    command = judge.question().command
    assert isinstance(command, CorrectElimination)
    eliminations = table.do(command).state.eliminations
    assert [(one.seat, one.role) for one in eliminations] == [(3, Role.DEPUTY), (5, Role.RENEGADE)]


def test_d35_a_judge_names_the_other_duellist_of_an_own_duel() -> None:
    table = mixed_up()
    judge = Judge(table.view())
    judge.touch(
        "menu", "judge-menu", "correct", "correct-seat-5", "by-own-duel", "by-seat-2", "to-reason", "reason-1"
    )
    judge.touch("do-it")
    command = judge.question().command
    assert isinstance(command, CorrectElimination)
    assert (command.by, command.cause) == (2, Cause.OWN_DUEL)


def test_what_was_done_is_said_until_it_is_read(judge: Judge) -> None:
    judge.show(done="Emil was ejected.")
    judge.touch("dismiss")
    assert len(judge.hand.intents) == 1


def test_the_page_of_light_and_full_games_says_what_is_entered_from_now_on(judge: Judge) -> None:
    judge.touch("menu", "judge-menu", "record-mode")
    assert "Enter reshuffles and eliminations only. Winnings and ranking stay the same." in says(judge)
    noon = Judge(Table(6).begun().do(*[Reshuffle()] * 3).view())
    noon.touch("menu", "judge-menu", "record-mode")
    assert "Enter turns, reshuffles and eliminations;" in says(noon)
    light = Judge(Table(6).running().do(SetRecordMode(RecordMode.LIGHT)).view())
    light.touch("menu", "judge-menu", "record-mode", "change-record-mode")
    assert light.question().command == SetRecordMode(RecordMode.FULL)
    assert "Life points and turns count again" in light.question().done


@pytest.mark.slow
@pytest.mark.parametrize(
    ("touches", "said"),
    [
        (
            ("correct-reshuffles", "reshuffles-more"),
            "Currently: 1. New number: 2. High Noon after 1 more reshuffle.",
        ),
        (
            ("correct-reshuffles", "reshuffles-more", "reshuffles-more"),
            "Currently: 1. New number: 3. From here on, turns decide when High Noon begins.",
        ),
        (("correct-turn", "turn-of-1"), "Nobody gains or loses a life point."),
        (("correct-turn", "noon-waiting"), "point. From here on, turns decide when High Noon begins."),
        (
            ("correct-turn", "noon-on"),
            "point. High Noon is on: from the next turn on, each turn takes a life point.",
        ),
    ],
)
def test_a_correction_of_the_course_says_what_follows_where_it_is_held(
    judge: Judge, touches: tuple[str, ...], said: str
) -> None:
    judge.touch("menu", "judge-menu", "correct", *touches, "to-reason")
    assert judge.screen.scene_name() == "reason"
    assert says(judge).replace("  ", " ").count(said) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("touches", "said"),
    [
        (
            ("correct-reshuffles", *["reshuffles-less"] * 3),
            "New number: 0. High Noon ends. Give back the life points that it took.",
        ),
        (("correct-reshuffles", "reshuffles-more"), "New number: 4. High Noon doesn't change."),
        (("correct-turn", "noon-off"), "High Noon ends. Give back the life points that it took."),
        (
            ("correct-turn", "noon-waiting"),
            "High Noon ends. Give back the life points that it took. From here on, turns decide when",
        ),
    ],
)
def test_a_correction_of_high_noon_says_what_becomes_of_its_points(
    touches: tuple[str, ...], said: str
) -> None:
    noon = Judge(Table(6).begun().do(*[Reshuffle()] * 3, *[EndTurn()] * 2).view())
    noon.touch("menu", "judge-menu", "correct", *touches, "to-reason")
    assert said in says(noon)


def test_a_new_order_is_shown_beside_the_old_one() -> None:
    two = Judge(Table(6).begun().kill(2, 1, Role.OUTLAW).kill(3, 1, Role.OUTLAW).view())
    two.touch("menu", "judge-menu", "correct", "correct-order", "earlier-3", "to-reason")
    before, after = "Before: Bartolomeo, Čeněk Dvořák.", "After: Čeněk Dvořák, Bartolomeo."
    assert f"{before} {after} If this changes the ending" in says(two)


def test_a_correction_that_is_impossible_says_why() -> None:
    table = Table(6).begun()
    table.kill(2, 3, Role.OUTLAW).kill(3, 1, Role.DEPUTY)
    table.kill(4, 1, Role.OUTLAW).kill(6, 1, Role.OUTLAW)
    judge = Judge(table.view())
    judge.touch("menu", "judge-menu", "correct", "correct-order")
    assert "changes nothing" not in says(judge)
    judge.touch("earlier-3")
    assert "Seat 3 (Čeněk D.) had already been eliminated." in says(judge)
    judge.touch("back", "correct-seat-3", "role-outlaw")
    assert "All roles of that kind (Outlaw) have already been revealed." in says(judge)
    assert not judge.target("to-reason").enabled


def test_an_elimination_that_cannot_be_struck_says_why() -> None:
    judge = Judge(Table(6, rebel_rules()).begun().kill(2, 1, Role.REBEL).view())
    judge.touch("menu", "judge-menu", "correct", "correct-seat-2")
    assert "The Revolution depends on this elimination: undo back to it instead." in says(judge)


def facing(judge: Judge) -> int:
    return judge.screen._blocks[0].quarter_turns


def test_a_menu_that_is_turned_to_the_next_side_stays_so_on_the_pages_behind_it(judge: Judge) -> None:
    judge.touch("menu")
    turns = facing(judge)
    judge.touch("turn-page", "judge-menu", "end-by-time-limit")
    assert facing(judge) == (turns + 1) % 4
    judge.touch("turn-page", "back", "correct")
    assert facing(judge) == (turns + 2) % 4


def test_the_judges_pages_stay_turned_until_the_key_is_taken(judge: Judge) -> None:
    judge.touch("menu", "judge-menu")
    turns = facing(judge)
    judge.touch("turn-page", "warn", "back", "back", "back", "menu")
    assert facing(judge) == turns
    judge.touch("judge-menu")
    assert facing(judge) == (turns + 1) % 4
    judge.touch("back", "back")
    judge.show(judge_present=False)
    judge.show(judge_present=True)
    judge.touch("menu", "judge-menu")
    assert facing(judge) == turns


def test_the_keypad_of_a_judge_without_a_key_turns_and_so_does_the_menu_behind_it(judge: Judge) -> None:
    judge.show(judge_present=False)
    judge.touch("menu", "judge-menu")
    turns = facing(judge)
    judge.touch("turn-page", "pin-1", "pin-2", "pin-3", "pin-4", "pin-ok")
    judge.show(pin=PinState.RIGHT)
    assert (judge.screen.scene_name(), facing(judge)) == ("judge", (turns + 1) % 4)
    judge.touch("back", "back", "menu")
    judge.touch("judge-menu")
    assert facing(judge) == turns


def test_pages_of_a_table_that_stands_upright_are_not_turned(judge: Judge) -> None:
    preferences = msgspec.structs.replace(judge.view.preferences, layout=Layout.KEEPER)
    judge.show(preferences=preferences)
    judge.touch("menu", "judge-menu", "correct")
    assert "turn-page" not in [target.id for target in judge.screen.targets()]


def test_a_judge_at_the_glass_sees_where_to_go_next() -> None:
    view = Table(6).running().do(CallJudge()).view()
    judge = Judge(msgspec.structs.replace(view, calls_elsewhere=(TableNo(7), TableNo(12))))
    judge.touch("menu", "judge-menu")
    assert "More tables are waiting for a judge, in this order: 7, 12." in says(judge)
    judge.touch("back", "back", "judge-called", "judge-came")
    assert judge.screen.scene_name() == "play"
    assert judge.question() == AskGame(
        AnswerJudgeCall(), "More tables are waiting for a judge, in this order: 7, 12."
    )
    judge.show(calls_elsewhere=(TableNo(7),))
    judge.touch("menu", "judge-menu")
    assert "Table 7 is waiting for a judge, too." in says(judge)


@pytest.mark.parametrize(
    ("reading", "first"),
    [
        (TimeLimit.NO_WINNER, ["time-no-winner"]),
        (TimeLimit.HIGH_NOON, ["time-high-noon"]),
        (TimeLimit.JUDGE, ["time-law", "time-outlaws", "time-renegade"]),
    ],
)
def test_the_ruling_of_the_tournaments_rules_comes_first_and_is_marked(
    judge: Judge, reading: TimeLimit, first: list[str]
) -> None:
    edition = judge.view.edition
    assert edition is not None
    readings = msgspec.structs.replace(edition.readings, time_limit=reading)
    judge.show(edition=msgspec.structs.replace(edition, readings=readings))
    judge.touch("menu", "judge-menu", "end-by-time-limit")
    buttons = [target for target in judge.screen.targets() if target.id.startswith("time-")]
    assert [target.id for target in buttons[: len(first)]] == first
    assert [target.id for target in buttons if "by the rules" in target.label] == first


def test_the_sheet_is_confirmed_by_pin() -> None:
    view = Table(6).declared().view()
    hand = hand_on(view)
    hand.touch("confirm-sheet", "pin-2", "pin-0", "pin-1", "pin-9", "pin-ok", view=view)
    assert intents_of(hand) == [TryPin("2019", ConfirmSheet(Confirmation.PIN))]
    assert hand.screen.scene_name() == "pin"


def test_a_locked_pad_takes_no_digits() -> None:
    view = msgspec.structs.replace(Table(6).declared().view(), pin=PinState.LOCKED)
    hand = hand_on(view)
    hand.touch("confirm-sheet", view=view)
    assert [t.id for t in hand.screen.targets() if t.enabled] == ["turn-page", "back"]


def test_the_right_pin_opens_the_judges_menu() -> None:
    view = Table(6).running().view()
    hand = hand_on(view)
    hand.touch("menu", "judge-menu", "pin-2", "pin-0", "pin-1", "pin-9", "pin-ok", view=view)
    hand.screen.update(msgspec.structs.replace(view, pin=PinState.RIGHT))
    assert hand.screen.scene_name() == "judge"


def test_the_key_opens_the_judges_menu_also_from_the_pad_that_asks_for_the_pin() -> None:
    view = msgspec.structs.replace(Table(6).running().view(), pin=PinState.LOCKED)
    hand = hand_on(view)
    hand.touch("menu", "judge-menu", view=view)
    assert hand.screen.scene_name() == "pin"
    hand.screen.update(msgspec.structs.replace(view, judge_present=True))
    assert hand.screen.scene_name() == "judge"


def test_the_key_leads_from_the_pad_back_to_the_sheet_where_a_hold_confirms() -> None:
    view = Table(6).declared().view()
    hand = hand_on(view)
    hand.touch("confirm-sheet", view=view)
    assert hand.screen.scene_name() == "pin"
    hand.screen.update(msgspec.structs.replace(view, judge_present=True))
    assert hand.screen.scene_name() == "sheet"
    assert intents_of(hand) == []
    assert next(t for t in hand.screen.targets() if t.id == "confirm-sheet").hold_ms == 800
    hand.touch("confirm-sheet")
    assert intents_of(hand) == [ConfirmSheet(Confirmation.KEY)]
