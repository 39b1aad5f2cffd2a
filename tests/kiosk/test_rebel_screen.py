"""The Rebel! on the screen: no player is asked for a secret, and changes are announced."""

import msgspec
import pytest

from core.editions.loader import edition, with_options
from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit
from core.game.ending.rebel import RevealRebel, ShowEventCard
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate
from core.game.play.turns import EndTurn
from core.game.state.game import Cause, Confirmation, EventCard
from core.rule_set import OptionKey
from core.terms import Ending, Role, SeatNo
from kiosk.ui.blocks import Label, Paragraph
from kiosk.view.intents import AskGame
from kiosk.view.table_view import TableView
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, Hand, hand_on
from tests.scenarios.moments import NAMES, Table

GLASS = GLASSES["1280x720"]


def ids(hand: Hand) -> set[str]:
    return {target.id for target in hand.screen.targets() if target.enabled}


def words(hand: Hand) -> set[str]:
    parts = [part for block in hand.screen._blocks for part in block.parts]
    return {part.text for part in parts if isinstance(part, Paragraph | Label)}


@pytest.mark.slow
@pytest.mark.parametrize("turns", range(1, 6))
def test_everybody_in_turn_may_open_the_button_that_shows_the_rebel(turns: int) -> None:
    table = Table(6, rebel_rules()).begun().do(*(EndTurn() for _ in range(turns)))
    hand = hand_on(table.view(), GLASS)
    hand.touch(f"seat-{turns + 1}-menu", view=table.view())
    assert "reveal-rebel" in ids(hand)
    hand.touch("reveal-rebel")
    assert hand.intents == [AskGame(RevealRebel(SeatNo(turns + 1)))]


def test_the_revolution_is_asked_answered_and_told() -> None:
    table = Table(6, rebel_rules()).begun().do(EndTurn(), EndTurn())
    table.kill(1, 3, Role.SHERIFF)
    hand = hand_on(table.view(), GLASS)
    assert hand.screen.scene_name() == "revolution"
    assert ids(hand) == {"revolution-yes", "revolution-no", "out-too", "undo", "ask-rebel-3"}
    hand.touch("revolution-yes")
    answer = AnswerRevolution(SeatNo(3), is_rebel=True)
    assert hand.intents == [AskGame(answer)]
    table.do(answer)
    hand.screen.update(table.view())
    assert hand.screen.scene_name() == "new-sheriff"
    hand.touch("back", view=table.view())
    assert hand.screen.scene_name() == "play"


@pytest.mark.slow
def test_a_rebel_who_is_shown_is_told_and_marked_and_spares_the_sheriffs_cards() -> None:
    table = Table(6, rebel_rules()).begun().do(EndTurn())
    hand = hand_on(table.view(), GLASS)
    hand.touch("seat-2-menu", view=table.view())
    hand.touch("reveal-rebel")
    table.do(RevealRebel(SeatNo(2)))
    hand.screen.update(table.view())
    assert hand.screen.scene_name() == "rebel-shown"
    hand.touch("back", view=table.view())
    assert hand.screen.scene_name() == "play"
    table.wound(3, table.state.seats[2].life)
    hand.screen.update(table.view())
    hand.touch("eliminated", "by-seat-1", "same-turn", "role-deputy", view=table.view())
    table.do(Eliminate(SeatNo(3), SeatNo(1), Role.DEPUTY, Cause.PLAYER))
    hand.screen.update(table.view())
    assert "The Rebel! has been revealed: the Sheriff keeps all cards." in words(hand)


@pytest.mark.slow
def test_the_judge_brings_a_sheriff_back_as_a_rebel_who_plays_as_a_ghost() -> None:
    table = Table(6, rebel_rules()).begun().do(EndTurn(), EndTurn())
    table.kill(1, 3, Role.SHERIFF).do(AnswerRevolution(SeatNo(3), is_rebel=True))

    def judges() -> TableView:
        return msgspec.structs.replace(table.view(), judge_present=True)

    hand = hand_on(judges(), GLASS)
    hand.touch("menu", "judge-menu", "event-card", view=judges())
    assert {"event-card-ghost-town", "event-card-dead-man"} <= ids(hand)
    assert "event-card-none" not in ids(hand)
    hand.touch("event-card-ghost-town")
    (intent,) = hand.intents
    assert isinstance(intent, AskGame)
    assert intent.command == ShowEventCard(EventCard.GHOST_TOWN)
    table.do(ShowEventCard(EventCard.GHOST_TOWN), EndTurn(), EndTurn(), EndTurn())
    hand = hand_on(table.view(), GLASS)
    assert "seat-1-turn" in ids(hand)
    table.do(EndTurn())
    hand = hand_on(table.view(), GLASS)
    assert {"ghost", "Rebel!", "Ada's turn"} <= words(hand)
    assert not {"seat-1-minus", "seat-1-turn"} & ids(hand)
    table.wound(3, table.state.seats[2].life)
    hand.screen.update(table.view())
    hand.touch("eliminated", view=table.view())
    assert "by-seat-1" in ids(hand)
    hand.touch("by-seat-1", view=table.view())
    # The role is known.
    assert {target for target in ids(hand) if target.startswith("role-")} == {"role-rebel"}
    hand.touch("role-rebel")
    table.do(Eliminate(SeatNo(3), SeatNo(1), Role.REBEL, Cause.PLAYER))
    hand.screen.update(table.view())
    assert "Ada is now the Sheriff" in words(hand)
    assert {"seat-1-minus", "seat-1-plus"} <= {target.id for target in hand.screen.targets()}


@pytest.mark.parametrize(
    ("card", "name"), [(EventCard.GHOST_TOWN, "Ghost Town"), (EventCard.DEAD_MAN, "Dead Man")]
)
def test_the_reasons_of_an_ending_name_who_came_back_by_which_card(card: EventCard, name: str) -> None:
    table = Table(6, rebel_rules()).begun().do(EndTurn(), EndTurn())
    table.kill(1, 3, Role.SHERIFF).do(AnswerRevolution(SeatNo(3), is_rebel=True), ShowEventCard(card))
    while not table.state.comebacks:
        table.do(EndTurn())
    for seat, role in ((2, Role.OUTLAW), (4, Role.OUTLAW), (5, Role.RENEGADE)):
        table.kill(seat, 3, role)
    hand = hand_on(table.view(), GLASS)
    hand.touch("ending-why", view=table.view())
    assert f"Ada came back: {name}" in words(hand)


def test_a_former_sheriff_is_the_rebel_in_play_and_on_the_record_sheet() -> None:
    table = Table(6, rebel_rules()).begun().do(EndTurn(), EndTurn())
    table.kill(1, 3, Role.SHERIFF).do(AnswerRevolution(SeatNo(3), is_rebel=True))
    hand = hand_on(table.view(), GLASS)
    assert {"Rebel!", "eliminated"} <= words(hand)
    assert "Sheriff" not in words(hand)
    for seat, role in ((2, Role.OUTLAW), (4, Role.OUTLAW), (5, Role.RENEGADE)):
        table.kill(seat, 3, role)
    dealt = (Role.SHERIFF, Role.OUTLAW, Role.REBEL, Role.OUTLAW, Role.RENEGADE, Role.DEPUTY)
    table.agreed()
    assert "Rebel!" in words(hand_on(table.view(), GLASS))
    for command in (DeclareRoles(dealt), ConfirmSheet(Confirmation.KEY)):
        table.do(command)
        parts = [part for block in hand_on(table.view(), GLASS).screen._blocks for part in block.parts]
        texts = [part.text for part in parts if isinstance(part, Label)]
        roles = {
            name: next(t for t in texts[texts.index(name) :] if "Sheriff" in t or "Rebel!" in t)
            for name in ("Ada", NAMES[2])
        }
        assert roles["Ada"].startswith("Rebel!"), texts
        assert roles[NAMES[2]].startswith("Sheriff"), texts


def test_tables_without_the_rebel_have_no_event_cards() -> None:
    view = msgspec.structs.replace(Table(6).running().view(), judge_present=True)
    hand = hand_on(view, GLASS)
    hand.touch("menu", "judge-menu", view=view)
    assert "event-card" not in ids(hand)


def test_who_said_no_is_not_offered_the_rebel_at_the_end() -> None:
    table = Table(6, rebel_rules()).begun().do(EndTurn(), EndTurn())
    table.kill(1, 3, Role.SHERIFF).do(AnswerRevolution(SeatNo(3), is_rebel=False)).agreed()
    hand = hand_on(table.view(), GLASS)
    hand.touch("to-roles", "role-of-seat-3", view=table.view())
    assert "declare-seat-3-rebel" not in ids(hand)
    hand.touch("back", "role-of-seat-2", view=table.view())
    assert "declare-seat-2-rebel" in ids(hand)


@pytest.mark.slow
def test_the_judge_chooses_what_the_end_of_time_means() -> None:
    table = Table(5).begun()
    view = msgspec.structs.replace(table.view(), judge_present=True)
    for target, how, ending in (
        ("time-no-winner", TimeLimit.NO_WINNER, None),
        ("time-high-noon", TimeLimit.HIGH_NOON, None),
        ("time-law", TimeLimit.JUDGE, Ending.LAW_WINS),
        ("time-renegade", TimeLimit.JUDGE, Ending.RENEGADE_WINS),
    ):
        hand = hand_on(view, GLASS)
        hand.touch("menu", "judge-menu", "end-by-time-limit", view=view)
        hand.touch(target)
        (intent,) = hand.intents
        assert isinstance(intent, AskGame)
        assert isinstance(intent.command, EndByTimeLimit)
        assert (intent.command.how, intent.command.ending) == (how, ending)
        assert intent.command.reason


def test_the_ruthless_law_is_remembered_at_the_end_of_the_sheriffs_turn_only() -> None:
    rules = with_options(edition("official-2003"), (OptionKey.RUTHLESS_LAW,), "test")
    table = Table(5, rules).begun()

    def end_turn() -> str:
        button = next(t for t in hand_on(table.view(), GLASS).screen.targets() if t.id == "end-turn")
        return button.label

    assert "BANG!" in end_turn()
    table.do(EndTurn())
    assert "BANG!" not in end_turn()


def test_special_cases_are_one_touch_from_the_players_menu_of_passive_seats_too() -> None:
    table = Table(5).running()
    passive = next(seat.seat for seat in table.state.seats if seat.passive)
    for seat in (SeatNo(3), passive):
        hand = hand_on(table.view(), GLASS)
        hand.touch(f"seat-{seat}-menu", "reminders", view=table.view())
        assert hand.screen.scene_name() == "reminders"
