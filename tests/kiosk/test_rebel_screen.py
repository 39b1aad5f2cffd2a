"""The Rebel! on the screen: no player is asked for a secret, and changes are announced."""

import msgspec
import pytest

from core.editions.loader import edition, with_options
from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit
from core.game.ending.rebel import RevealRebel, ShowEventCard
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.play.effects import AnswerRevolution
from core.game.play.turns import EndTurn
from core.game.state.game import Confirmation, EventCard
from core.rule_set import OptionKey
from core.terms import Ending, Role, SeatNo
from kiosk.ui.blocks import Label, Paragraph
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, Hand, Played, hand_on, intents_of
from tests.scenarios.moments import NAMES, Table

GLASS = GLASSES["1280x720"]


def ids(hand: Hand) -> set[str]:
    return {target.id for target in hand.screen.targets() if target.enabled}


def words(hand: Hand) -> set[str]:
    parts = [part for block in hand.screen._blocks for part in block.parts]
    return {part.text for part in parts if isinstance(part, Paragraph | Label)}


def after_revolution(*, is_rebel: bool = True) -> Table:
    """Return a table whose third player has eliminated the Sheriff, and was the Rebel! or not."""
    return killed_sheriff().do(AnswerRevolution(SeatNo(3), is_rebel=is_rebel))


def killed_sheriff() -> Table:
    return Table(6, rebel_rules()).begun().do(EndTurn(), EndTurn()).kill(1, 3, Role.SHERIFF)


@pytest.mark.slow
@pytest.mark.parametrize("turns", range(1, 6))
def test_everybody_in_turn_may_open_the_button_that_shows_the_rebel(turns: int) -> None:
    play = Played(Table(6, rebel_rules()).begun().do(*(EndTurn() for _ in range(turns))), GLASS)
    play.touch(f"seat-{turns + 1}-menu", "reveal-rebel")
    assert intents_of(play.hand) == [RevealRebel(SeatNo(turns + 1))]


def test_the_revolution_is_asked_answered_and_told() -> None:
    play = Played(killed_sheriff(), GLASS)
    assert play.screen.scene_name() == "revolution"
    assert ids(play.hand) == {"revolution-yes", "revolution-no", "out-too", "undo", "ask-rebel-3"}
    play.touch("revolution-yes")
    assert intents_of(play.hand) == [AnswerRevolution(SeatNo(3), is_rebel=True)]
    assert play.screen.scene_name() == "new-sheriff"
    play.touch("back")
    assert play.screen.scene_name() == "play"


@pytest.mark.slow
def test_a_rebel_who_is_shown_is_told_and_marked_and_spares_the_sheriffs_cards() -> None:
    table = Table(6, rebel_rules()).begun().do(EndTurn())
    play = Played(table, GLASS)
    play.touch("seat-2-menu", "reveal-rebel")
    assert play.screen.scene_name() == "rebel-shown"
    play.touch("back")
    assert play.screen.scene_name() == "play"
    table.wound(3, table.state.seats[2].life)
    play.show()
    play.touch("eliminated", "by-seat-1", "same-turn", "role-deputy")
    assert "The Rebel! has been revealed: the Sheriff keeps all cards." in words(play.hand)


@pytest.mark.slow
def test_the_judge_brings_a_sheriff_back_as_a_rebel_who_plays_as_a_ghost() -> None:
    table = after_revolution()
    play = Played(table, GLASS, judge_present=True)
    play.touch("menu", "judge-menu", "event-card")
    assert {"event-card-ghost-town", "event-card-dead-man"} <= ids(play.hand)
    assert "event-card-none" not in ids(play.hand)
    play.touch("event-card-ghost-town")
    assert intents_of(play.hand) == [ShowEventCard(EventCard.GHOST_TOWN)]
    table.do(EndTurn(), EndTurn(), EndTurn())
    assert "seat-1-turn" in ids(hand_on(table.view(), GLASS))
    play = Played(table.do(EndTurn()), GLASS)
    assert {"ghost", "Rebel!", "Ada's turn"} <= words(play.hand)
    assert not {"seat-1-minus", "seat-1-turn"} & ids(play.hand)
    table.wound(3, table.state.seats[2].life)
    play.show()
    play.touch("eliminated", "by-seat-1")
    # The role is known.
    assert {target for target in ids(play.hand) if target.startswith("role-")} == {"role-rebel"}
    play.touch("role-rebel")
    assert table.state.eliminations[-1].by == 1
    assert "Ada is now the Sheriff" in words(play.hand)
    assert {"seat-1-minus", "seat-1-plus"} <= {target.id for target in play.screen.targets()}


@pytest.mark.parametrize(
    ("card", "name"), [(EventCard.GHOST_TOWN, "Ghost Town"), (EventCard.DEAD_MAN, "Dead Man")]
)
def test_the_reasons_of_an_ending_name_who_came_back_by_which_card(card: EventCard, name: str) -> None:
    table = after_revolution().do(ShowEventCard(card))
    while not table.state.comebacks:
        table.do(EndTurn())
    for seat, role in ((2, Role.OUTLAW), (4, Role.OUTLAW), (5, Role.RENEGADE)):
        table.kill(seat, 3, role)
    hand = hand_on(table.view(), GLASS)
    hand.touch("ending-why", view=table.view())
    assert f"Ada came back: {name}" in words(hand)


def test_a_former_sheriff_is_the_rebel_in_play_and_on_the_record_sheet() -> None:
    table = after_revolution()
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
    play = Played(Table(6).running(), GLASS, judge_present=True)
    play.touch("menu", "judge-menu")
    assert "event-card" not in ids(play.hand)


def test_who_said_no_is_not_offered_the_rebel_at_the_end() -> None:
    play = Played(after_revolution(is_rebel=False).agreed(), GLASS)
    play.touch("to-roles", "role-of-seat-3")
    assert "declare-seat-3-rebel" not in ids(play.hand)
    play.touch("back", "role-of-seat-2")
    assert "declare-seat-2-rebel" in ids(play.hand)


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
        (command,) = intents_of(hand)
        assert isinstance(command, EndByTimeLimit)
        assert (command.how, command.ending, bool(command.reason)) == (how, ending, True)


def test_the_ruthless_law_is_remembered_at_the_end_of_the_sheriffs_turn_only() -> None:
    rules = with_options(edition("official-2003"), (OptionKey.RUTHLESS_LAW,), "test")
    table, reminds = Table(5, rules).begun(), []
    for _ in range(2):
        button = next(t for t in hand_on(table.view(), GLASS).screen.targets() if t.id == "end-turn")
        reminds.append("BANG!" in button.label)
        table.do(EndTurn())
    assert reminds == [True, False]


def test_special_cases_are_one_touch_from_the_players_menu_of_passive_seats_too() -> None:
    table = Table(5).running()
    passive = next(seat.seat for seat in table.state.seats if seat.passive)
    for seat in (SeatNo(3), passive):
        hand = hand_on(table.view(), GLASS)
        hand.touch(f"seat-{seat}-menu", "reminders", view=table.view())
        assert hand.screen.scene_name() == "reminders"
