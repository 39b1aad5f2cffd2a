"""The screen from the app's point of view: views in, targets and intents out."""

from collections.abc import Callable
from inspect import getmembers, isfunction, signature
from pathlib import Path

import msgspec
import pytest

from core.characters import Character
from core.game.ending.judge_calls import CallJudge
from core.game.ending.sheet import DeclareRoles
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife, Rescue, SaveLastLife
from core.game.setup import ChooseCharacter
from core.game.state.decisions import Undo
from core.game.state.duel import DuelPhase
from core.game.state.game import Cause, Phase
from core.terms import Role, SeatNo
from kiosk.preferences import Preferences
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes import pages
from kiosk.scenes.judge.pin import PinScene
from kiosk.scenes.widgets.life import SHOWN_MS
from kiosk.terminal.display import flow
from kiosk.terminal.display.screen import TableScreen
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.geometry import screen_geometry_for
from kiosk.ui.painter import REACH_PX, STEP_MS
from kiosk.view.intents import ChangePreferences, DismissNotice
from kiosk.view.panel_view import ShutDown
from kiosk.view.table_view import Delivery, TableView, UpdateShown
from tests.kiosk.scenes.conftest import GLASSES, Hand, hand_on, intents_of, laid_out
from tests.scenarios.auction_moments import auction_moments
from tests.scenarios.judge_moments import judge_moments
from tests.scenarios.moments import Table, moments

GLASS = screen_geometry_for((800, 480))
ROOT = Path(__file__).parents[3]


def test_nothing_is_painted_when_the_view_says_the_same() -> None:
    view = Table(7).running().view()
    screen = TableScreen(GLASS, failsafe=False)
    assert screen.update(view)
    assert not screen.update(view)
    assert not screen.update(msgspec.structs.replace(view, now_ms=view.now_ms + 60_000))
    assert screen.next_deadline_ms() == STEP_MS


def test_a_picture_is_made_again_only_if_it_may_have_changed() -> None:
    screen = TableScreen(GLASS, failsafe=False)
    received = Table(7).running().view()
    owed = msgspec.structs.replace(received, delivery=Delivery(9, 9, 7, owes_since_ms=0))
    pictures = []
    for view, now_ms in ((received, 0), (received, 300_000), (owed, 300_000), (owed, 420_000)):
        screen.update(msgspec.structs.replace(view, now_ms=now_ms))
        pictures.append(screen._view())
    assert pictures[0] is pictures[1]
    # Other entries of the terminal have been unsent for longer.
    assert pictures[1] != pictures[2]
    assert pictures[2] is not pictures[3]


def test_the_picture_wanders_by_a_few_pixels_and_what_can_be_touched_goes_with_it() -> None:
    view = Table(7).running().view()
    screen = hand_on(view).screen

    def inner() -> tuple[int, int, int, int]:
        return next(target.rect for target in screen.targets() if target.id == "end-turn")

    before, places = inner(), set()
    for step in range(20):
        screen.update(msgspec.structs.replace(view, now_ms=step * STEP_MS))
        x, y, width, height = inner()
        assert (width, height) == before[2:]
        assert max(abs(x - before[0]), abs(y - before[1])) <= REACH_PX
        places.add((x, y))
    assert len(places) == 9


def test_the_picture_stands_still_under_a_hand() -> None:
    view = Table(7).running().view()
    screen = hand_on(view).screen
    before = screen.targets()
    screen.pointer(Pointer(1, PointerPhase.DOWN, 0, 0, STEP_MS - 1))
    assert not screen.update(msgspec.structs.replace(view, now_ms=STEP_MS + 1))
    assert screen.targets() == before
    due = screen.next_deadline_ms()
    assert due is not None
    assert STEP_MS < due < STEP_MS + 10_000
    assert screen.update(msgspec.structs.replace(view, now_ms=due))


def test_a_life_point_is_lost_by_one_touch_and_shown_for_three_seconds() -> None:
    table = Table(6).begun()
    hand = hand_on(table.view())
    hand.touch("seat-3-minus")
    assert intents_of(hand) == [LoseLife(SeatNo(3))]
    table.do(LoseLife(SeatNo(3)))
    view = msgspec.structs.replace(table.view(), now_ms=hand.now_ms)
    assert hand.screen.update(view)
    assert hand.screen.next_deadline_ms() == hand.now_ms + SHOWN_MS
    later = msgspec.structs.replace(view, now_ms=hand.now_ms + SHOWN_MS)
    hand.screen.advance(later.now_ms)
    assert hand.screen.update(later)
    assert hand.screen.next_deadline_ms() == STEP_MS


def test_the_finger_is_seen_before_the_game_answers() -> None:
    view = Table(6).begun().view()
    screen = hand_on(view).screen
    x, y, w, h = next(t.rect for t in screen.targets() if t.id == "seat-1-minus")
    assert screen.pointer(Pointer(1, PointerPhase.DOWN, x + w // 2, y + h // 2, 5000)) == ()
    assert screen.update(view)


def test_what_the_rules_forbid_is_there_and_not_enabled() -> None:
    hand = hand_on(Table(6).begun().view())
    targets = {target.id: target for target in hand.screen.targets()}
    assert not targets["seat-1-plus"].enabled
    assert targets["seat-1-minus"].enabled
    assert targets["end-turn"].enabled


def last_life() -> TableView:
    return next(m for m in moments(5) if m.picture == "last-life").view


RUNNING, BEGUN = Table(6).running().view, Table(6).begun().view
OUT_BY_SEAT_1 = Eliminate(SeatNo(2), SeatNo(1), Role.OUTLAW, Cause.PLAYER)
DECLARED = DeclareRoles((Role.SHERIFF, Role.OUTLAW, Role.OUTLAW, Role.DEPUTY, Role.RENEGADE))


@pytest.mark.parametrize(
    ("look", "touches", "command"),
    [
        pytest.param(RUNNING, ["end-turn"], EndTurn(), id="the turn ends"),
        pytest.param(RUNNING, ["reshuffle"], Reshuffle(), id="a reshuffle"),
        pytest.param(RUNNING, ["undo"], Undo(1), id="one step back"),
        pytest.param(RUNNING, ["call-judge"], CallJudge(), id="the judge is called"),
        pytest.param(last_life, ["call-judge"], CallJudge(), id="the judge during a question"),
        pytest.param(
            BEGUN, ["seat-2-menu", "eliminated", "by-seat-1", "role-outlaw"], OUT_BY_SEAT_1,
            id="an elimination in four touches from any life points",
        ),
        pytest.param(
            Table(5).ended().agreed().view,
            ["to-roles", "declare-seat-3-outlaw", "declare-seat-4-deputy", "declare-roles"], DECLARED,
            id="roles are declared with few touches",
        ),
    ],
)  # fmt: skip
def test_touches_ask_the_game(look: Callable[[], TableView], touches: list[str], command: object) -> None:
    hand = hand_on(look())
    hand.touch(*touches, view=look())
    assert intents_of(hand) == [command]


def test_a_character_is_chosen_on_the_own_side_of_the_table() -> None:
    hand = hand_on(Table(5).dealt().view())
    hand.touch("seat-2-character", view=Table(5).dealt().view())
    assert {t.id for t in hand.screen.targets()} >= {"character-slab-the-killer", "back"}
    hand.touch("character-slab-the-killer")
    assert intents_of(hand) == [ChooseCharacter(SeatNo(2), Character.SLAB_THE_KILLER)]


def test_a_beer_saves() -> None:
    table = Table(6).begun().wound(2, 4)
    hand = hand_on(table.view())
    assert hand.screen.scene_name() == "last-life"
    hand.touch("rescue-beer")
    assert intents_of(hand) == [SaveLastLife(SeatNo(2), Rescue.BEER)]
    assert "rescue-sid-ketchum" not in {t.id for t in hand.screen.targets()}


def test_d48_sid_ketchum_is_offered_his_cards_with_two_left() -> None:
    table = Table(5).begun()
    for seat, role in ((2, Role.OUTLAW), (4, Role.DEPUTY), (5, Role.OUTLAW)):
        table.wound(seat, table.state.seats[seat - 1].life)
        table.do(Eliminate(SeatNo(seat), SeatNo(1), role, Cause.PLAYER))
    hand = hand_on(table.do(EndTurn()).wound(3, 4).view())
    assert not next(t for t in hand.screen.targets() if t.id == "rescue-beer").enabled
    hand.touch("rescue-sid-ketchum")
    assert intents_of(hand) == [SaveLastLife(SeatNo(3), Rescue.SID_KETCHUM)]


def test_an_elimination_asks_by_whom_then_the_role_to_hold() -> None:
    view = Table(6).begun().wound(2, 4).view()
    hand = hand_on(view)
    hand.touch("eliminated", "by-seat-4", "same-turn", view=view)
    assert hand.screen.scene_name() == "eliminate"
    confirm = next(t for t in hand.screen.targets() if t.id == "role-outlaw")
    assert confirm.hold_ms == 800
    hand.touch("role-outlaw")
    assert intents_of(hand) == [Eliminate(SeatNo(2), SeatNo(4), Role.OUTLAW, Cause.PLAYER)]


def test_nobody_is_the_killer_for_a_reason() -> None:
    view = Table(6).begun().view()
    hand = hand_on(view)
    hand.touch("seat-2-menu", "eliminated", "by-nobody", view=view)
    offered = {t.id for t in hand.screen.targets() if t.id.startswith("by-")}
    assert offered == {"by-dynamite", "by-own-duel", "by-leaving"}
    hand.touch("by-own-duel", "by-seat-3", "same-turn", "role-outlaw", view=view)
    assert intents_of(hand) == [Eliminate(SeatNo(2), SeatNo(3), Role.OUTLAW, Cause.OWN_DUEL)]


def test_the_sheriff_shows_only_one_role() -> None:
    table = Table(6).begun()
    table.wound(1, table.state.seats[0].life)
    hand = hand_on(table.view())
    hand.touch("eliminated", "by-nobody", "by-dynamite", view=table.view())
    assert [t.id for t in hand.screen.targets() if t.id.startswith("role-")] == ["role-sheriff"]
    hand.touch("role-sheriff")
    assert intents_of(hand) == [Eliminate(SeatNo(1), None, Role.SHERIFF, Cause.DYNAMITE)]


def test_high_noon_needs_no_eliminator() -> None:
    noon = next(m for m in moments(6) if m.picture == "last-life-high-noon").view
    hand = hand_on(noon)
    hand.touch("eliminated", view=noon)
    ids = {t.id for t in hand.screen.targets()}
    assert not any(name.startswith("by-") for name in ids)
    assert any(name.startswith("role-") for name in ids)


def test_the_question_closes_when_the_table_leaves_it_behind() -> None:
    fallen = Table(6).begun().wound(2, 4)
    hand = hand_on(fallen.view())
    hand.touch("eliminated", view=fallen.view())
    fallen.do(SaveLastLife(SeatNo(2), Rescue.BEER))
    hand.screen.update(fallen.view())
    assert hand.screen.scene_name() == "play"


def test_leaving_needs_two_holds_and_the_judges_key_or_pin() -> None:
    view = Table(6).begun().view()
    for is_there, asks in ((False, []), (True, [Abandon(SeatNo(4))])):
        now = msgspec.structs.replace(view, judge_present=is_there)
        hand = hand_on(now)
        hand.touch("seat-4-menu", view=now)
        assert hand.screen.scene_name() == "player-menu"
        hand.touch("seat-4-leaves", "seat-4-abandon", view=now)
        assert intents_of(hand) == asks
        assert (hand.screen.scene_name() == "pin") is not is_there


def test_a_menu_that_is_a_button_opens_at_a_tap() -> None:
    for picture in ("seating", "characters"):
        hand = hand_on(next(m for m in moments(5) if m.picture == picture).view)
        menus = [target for target in hand.screen.targets() if target.id.endswith("-menu")]
        assert menus
        assert all(target.hold_ms == 0 for target in menus)


def test_a_reason_that_is_still_missing_is_asked_for() -> None:
    moment = next(m for m in judge_moments(5) if m.picture == "judge-restarts")
    hand = hand_on(moment.view)
    hand.touch(*(t for t in moment.touches if not t.startswith("reason-")), view=moment.view)
    assert "Why?" in hand.screen.visible_text()
    hand.touch("reason-2", view=moment.view)
    assert "Why?" not in hand.screen.visible_text()


def test_when_everybody_has_a_character_nobody_is_told_to_choose() -> None:
    view = next(m for m in moments(5) if m.picture == "characters").view
    assert view.game is not None
    seats = tuple(
        msgspec.structs.replace(seat, character=character)
        for seat, character in zip(view.game.seats, Character, strict=False)
    )
    hand = hand_on(view)
    assert "All set" not in hand.screen.visible_text()
    hand.screen.update(msgspec.structs.replace(view, game=msgspec.structs.replace(view.game, seats=seats)))
    assert "All set" in hand.screen.visible_text()
    assert "Choose a character" not in hand.screen.visible_text()


def test_a_role_that_is_used_up_cannot_be_declared_and_one_can_be_taken_back() -> None:
    table = Table(6).ended().agreed()
    hand = hand_on(table.view())
    hand.touch("to-roles", "declare-seat-3-deputy", view=table.view())
    targets = {t.id: t.enabled for t in hand.screen.targets()}
    assert not targets["declare-seat-4-deputy"]
    hand.touch("clear-seat-3", view=table.view())
    targets = {t.id: t.enabled for t in hand.screen.targets()}
    assert targets["declare-seat-4-deputy"]
    assert targets["declare-seat-3-deputy"]


def test_a_notice_is_read_and_dismissed_while_the_panels_stay() -> None:
    view = msgspec.structs.replace(Table(6).begun().view(), notice="Seat 2 has been eliminated.")
    hand = hand_on(view)
    ids = {t.id for t in hand.screen.targets()}
    assert "seat-2-minus" in ids
    assert "end-turn" not in ids
    hand.touch("dismiss")
    assert intents_of(hand) == [DismissNotice()]


def test_the_language_is_asked_for_and_spoken() -> None:
    view = Table(6).begun().view()
    hand = hand_on(view)
    hand.touch("menu", "language", "language-it", view=view)
    assert intents_of(hand) == [ChangePreferences(Preferences("it"))]
    assert hand.screen.update(msgspec.structs.replace(view, language="it"))


def test_the_shutdown_question_stays_in_front_of_an_announced_update() -> None:
    view = Table(7).running().view()
    parts = msgspec.structs.replace(view.parts, shut_down=ShutDown.ASKED)
    update = msgspec.structs.replace(view.update, phase=UpdateShown.SOON)
    screen = TableScreen(GLASS, failsafe=False)
    both = msgspec.structs.replace(view, parts=parts, update=update)
    for now_ms in range(4):
        screen.update(msgspec.structs.replace(both, now_ms=view.now_ms + now_ms))
        assert screen.scene_name() == "shut-down"
    screen.update(msgspec.structs.replace(both, parts=view.parts))
    assert screen.scene_name() == "new-version"


@pytest.mark.slow
def test_an_error_in_a_scene_shows_a_code_and_no_traceback() -> None:
    view = Table(6).begun().view()
    of_one_seat = msgspec.structs.replace(Table(6).begun().state, seats=Table(6).begun().state.seats[:1])
    screen = TableScreen(GLASS)
    screen.update(msgspec.structs.replace(view, game=of_one_seat))
    assert screen.scene_name() == "trouble"
    hand = Hand(screen)
    screen.update(view)
    hand.touch("dismiss", view=view)
    assert screen.scene_name() == "play"


@pytest.mark.slow
def test_every_target_is_in_the_list_for_those_who_touch() -> None:
    listed = (ROOT / "docs" / "reference" / "targets.md").read_text(encoding="utf-8")
    unknown = set()
    for seats in (5, 7):
        for moment in (*moments(seats), *judge_moments(seats), *auction_moments(seats)):
            targets = laid_out(GLASSES["800x480"], moment).targets()
            unknown |= {t.id for t in targets if f"`{_general(t.id)}`" not in listed}
    assert unknown == set()


def _general(target: str) -> str:
    """Return a target's name in the list's form, with N, R, C, D, K, A and S as placeholders."""
    for role in Role:
        target = target.replace(f"role-{role.value}", "role-R")
        if target.startswith("declare-seat-"):
            target = target.replace(f"-{role.value}", "-R")
    words = [("N" if word.isdigit() else word) for word in target.split("-")]
    general = "-".join(words)
    if target.startswith(("try ", "forget ")):
        return f"{target.partition(' ')[0]} A"
    if target.startswith("rule-"):
        return "rule-G"
    if target.startswith("ask-"):
        return "ask-G-N" if target[-1].isdigit() else "ask-G"
    if target.startswith("language-"):
        return "language-L"
    if target.startswith("key-") and target != "key-erase":
        return "key-S"
    if general.startswith(("character-", "ability-")):
        return f"{general.partition('-')[0]}-C"
    return general.replace("pin-N", "pin-D")


def test_two_digits_before_the_next_picture_both_count() -> None:
    view = Table(6).running().view()
    hand = hand_on(view)
    hand.touch("menu", "judge-menu", view=view)
    hand.touch("pin-1")
    hand.touch("pin-2")
    scene = hand.screen._scene()
    assert isinstance(scene, PinScene)
    assert scene.typed == "12"


def test_every_moment_has_a_scene_which_is_there() -> None:
    # The phases of a duel choose its scenes.
    assert set(flow._SCENES) == {*flow._Special, *DuelPhase, *Phase} - {Phase.DUEL}
    assert all(flow._scene(moment).name for moment in flow._SCENES)


def test_every_page_that_scenes_open_by_name_has_its_scene() -> None:
    needed = {
        "seat": SeatNo(1),
        "rule": Rule.HIGH_NOON,
        "reader": None,
        "character": Character.SID_KETCHUM,
    }
    opened = [page for page in vars(pages).values() if isinstance(page, pages.Page)]
    for _name, page_of in getmembers(pages, isfunction):
        names = needed.keys() & signature(page_of).parameters.keys()
        opened.append(page_of(**{name: needed[name] for name in names}))
    scenes = [flow.open_scene(page) for page in opened]
    assert len({scene.name for scene in scenes}) == len(opened)
    assert [flow.open_scene(scene) for scene in scenes] == scenes
