"""One card that hits several players: the same result in whatever order its victims are entered."""

import itertools
import random
from collections.abc import Sequence
from typing import Final

import msgspec
import pytest

from core.editions.edition import Edition
from core.editions.loader import edition, with_options
from core.game.clock import EndByTimeLimit
from core.game.correction import RestorePlayer
from core.game.ending.endings import InProgress, Outcome, outcome
from core.game.ending.finished_game import FinishedGame, check_finished, finished_game
from core.game.ending.record_sheet import record_sheet
from core.game.ending.sheet import AgreeEnding, DeclareRoles
from core.game.ending.winnings import winnings
from core.game.play.abandonment import Abandon
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate, PlayerEliminated
from core.game.play.one_card import may_be_out_too, same_card_matters
from core.game.play.turns import SetTurn
from core.game.play.wounds import Rescue, SaveLastLife
from core.game.state.decisions import Undo
from core.game.state.game import Cause, Elimination, Phase
from core.game.state.reasons import GameReason
from core.rule_set import OptionKey, RecordMode
from core.terms import Dollars, Ending, PlayerId, Role, RoundNo, SeatNo, TableNo
from tests.core.game import naive_referee
from tests.core.game.conftest import ROLES, MakeGame, ScriptedTable, with_readings
from tests.core.game.rebel_table import DEPUTY, OTHER_OUTLAW, OUTLAW, REBEL, RENEGADE, SHERIFF, RebelTable

FULL, LIGHT = RecordMode.FULL, RecordMode.LIGHT
DEALS: Final = {n: tuple(Role(role) for role in deal) for n, deal in naive_referee.DEALS.items()}
REBEL_DEALS: Final = {n: tuple(Role(role) for role in deal) for n, deal in naive_referee.REBEL_DEALS.items()}
_OLD: Final = edition("official-2003")
_REBEL: Final = with_options(_OLD, (OptionKey.REBEL,), "test")
# Characters are dealt: an auction changes nothing here.
_AUCTION: Final = msgspec.structs.replace(
    edition("championship-2010"), characters=edition("championship-2022").characters
)
RULES: Final = {
    "2022": (edition("championship-2022"), DEALS, (5, 6, 7)),
    "2010": (_AUCTION, DEALS, (5, 6, 7)),
    "2003": (_OLD, DEALS, (4, 5, 7, 8)),
    "2003, strict": (with_readings(_OLD, renegade_final_duel="strict"), DEALS, (4, 5, 6)),
    "2003, label": (with_readings(_OLD, renegade_final_duel="label"), DEALS, (5, 7, 8)),
    "cash rewards": (with_options(_OLD, (OptionKey.CASH_REWARDS,), "test"), DEALS, (5, 7)),
    "simplified": (edition("simplified-2003"), DEALS, (4, 6)),
    "Rebel!": (_REBEL, REBEL_DEALS, (4, 6, 8, 10)),
}


class Card(msgspec.Struct, frozen=True):
    """A card that hits several players. out: before it. deal: roles by seat."""

    deal: tuple[Role, ...]
    out: tuple[SeatNo, ...]
    by: SeatNo
    victims: tuple[SeatNo, ...]
    in_own_turn: bool

    @staticmethod
    def drawn(deal: Sequence[Role], chance: random.Random) -> "Card":
        seats = [SeatNo(seat) for seat in range(1, len(deal) + 1)]
        chance.shuffle(seats)
        while True:
            left = chance.randint(2, len(seats))
            by, *others = seats[:left]
            out = tuple(seats[left:])
            if 1 not in out and not _is_over(deal, out):
                break
            chance.shuffle(seats)
        victims = tuple(others[: chance.randint(1, min(3, len(others)))])
        return Card(tuple(deal), out, by, victims, chance.random() < 0.7)

    def command(self, seat: SeatNo, *, same: bool | None = None) -> Eliminate:
        return Eliminate(seat, self.by, self.deal[seat - 1], Cause.PLAYER, same)


def _is_over(deal: Sequence[Role], out: Sequence[SeatNo]) -> bool:
    bad = {Role.OUTLAW, Role.RENEGADE}
    return all(role not in bad or seat in out for seat, role in enumerate(deal, 1))


def enter(table: ScriptedTable, card: Card, seat: SeatNo, *, at_once: bool) -> None:
    """Enter a victim and answer what the table is asked."""
    now, rules = table.now(), table.rules
    if seat in may_be_out_too(now, rules):
        table.ask(card.command(seat, same=True))
    elif now.phase is Phase.PLAYING:
        is_asked = not at_once and same_card_matters(now, card.command(seat), rules)
        table.ask(card.command(seat, same=True if is_asked else None))


def entered(
    card: Card, rules: Edition, mode: RecordMode, order: Sequence[SeatNo], *, at_once: bool
) -> tuple[Dollars, ...]:
    """Return the winnings if a careful table enters the victims in this order.

    at_once: all lose their last life point before the first of them is eliminated.
    """
    table = ScriptedTable(rules).begun(len(card.deal), mode=mode)
    for seat in card.out:
        table.ask(Eliminate(seat, None, card.deal[seat - 1], Cause.DYNAMITE))
    if card.in_own_turn and not table.now().is_turn_unknown:
        table.end_turns_until(card.by)
    elif card.in_own_turn:
        table.ask(SetTurn(card.by))
    if at_once:
        table.fall(*order)
    for seat in order:
        enter(table, card, seat, at_once=at_once)
    question = table.now().revolution_question
    if question is not None:
        table.ask(AnswerRevolution(question, is_rebel=card.deal[question - 1] is Role.REBEL))
    if table.now().phase is Phase.PLAYING:
        sheriff = table.now().sheriff
        table.ask(Eliminate(sheriff, None, card.deal[sheriff - 1], Cause.DYNAMITE))
    table.ask(DeclareRoles(card.deal))
    game = finished_game(table.now())
    check_finished(game, rules)
    return winnings(game, rules)


def expected(card: Card, rules: Edition) -> tuple[Dollars, ...]:
    """Return the winnings if the card is one thing: scored from its eliminations, without a table."""
    before = [
        Elimination(seat, None, SeatNo(1), effect, Cause.DYNAMITE, card.deal[seat - 1])
        for effect, seat in enumerate(card.out, 1)
    ]
    turn = card.by if card.in_own_turn else None
    number = len(before) + 1
    hit = [
        Elimination(seat, card.by, turn or SeatNo(1), number, Cause.PLAYER, card.deal[seat - 1])
        for seat in card.victims
    ]
    eliminations = tuple(before + hit)
    result = outcome(card.deal, eliminations, rules.readings)
    if isinstance(result, InProgress):
        sheriff = result.current_sheriff
        role = card.deal[sheriff - 1]
        last = Elimination(sheriff, None, sheriff, number + 1, Cause.DYNAMITE, role)
        eliminations = (*eliminations, last)
        result = outcome(card.deal, eliminations, rules.readings)
    assert isinstance(result, Outcome)
    players = tuple(PlayerId(f"p{seat}") for seat in range(1, len(card.deal) + 1))
    game = FinishedGame(RoundNo(1), TableNo(3), players, card.deal, eliminations, (), result.ending)
    return winnings(game, rules)


@pytest.mark.slow
@pytest.mark.by_day(50)
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("name", RULES)
def test_winnings_do_not_depend_on_the_order_in_which_the_victims_are_entered(name: str, seed: int) -> None:
    rules, deals, sizes = RULES[name]
    chance = random.Random(f"{name} {seed}")
    card = Card.drawn(deals[chance.choice(sizes)], chance)
    wanted = expected(card, rules)
    for order in itertools.permutations(card.victims):
        results = {
            (mode, at_once): entered(card, rules, mode, order, at_once=at_once)
            for mode, at_once in ((FULL, False), (FULL, True), (LIGHT, False))
        }
        assert set(results.values()) == {wanted}, (card, order, results, wanted)


def out(seat: int, by: int, role: Role, *, same: bool | None = None) -> Eliminate:
    return Eliminate(SeatNo(seat), SeatNo(by), role, Cause.PLAYER, same)


def before_a_final_duel(mode: RecordMode) -> ScriptedTable:
    """The Sheriff, an Outlaw and the Renegade are left of seven."""
    table = ScriptedTable(edition("championship-2022")).begun(7, mode=mode)
    for seat in (3, 4, 6, 7):
        table.out(seat, None)
    return table


@pytest.mark.parametrize("mode", [FULL, LIGHT])
@pytest.mark.parametrize(("same", "dollars"), [(True, 0), (False, 250)])
def test_the_table_is_asked_whether_the_sheriffs_card_took_both(
    mode: RecordMode, *, same: bool, dollars: int
) -> None:
    table = before_a_final_duel(mode)
    table.out(2, by=1)
    command = out(5, 1, Role.RENEGADE)
    assert same_card_matters(table.now(), command, table.rules)
    table.ask(msgspec.structs.replace(command, same_card=same))
    table.declare()
    assert winnings(finished_game(table.now()), table.rules)[4] == dollars


def test_a_player_asked_about_beside_another_may_have_fallen_to_another_card() -> None:
    table = before_a_final_duel(FULL)
    table.fall(2, 5)
    table.out(5, by=1)
    assert same_card_matters(table.now(), out(2, 1, Role.OUTLAW), table.rules) is False
    table.ask(Undo(1))
    table.out(2, by=1)
    command = out(5, 1, Role.RENEGADE, same=False)
    assert same_card_matters(table.now(), command, table.rules)
    table.ask(command)
    assert [e.effect for e in table.now().eliminations] == [1, 2, 3, 4, 5, 6]


def test_another_card_beside_one_that_ended_the_game_came_before_it() -> None:
    table = before_a_final_duel(FULL)
    table.ask(RestorePlayer(SeatNo(3), 2, "a slip"))
    table.out(2, by=1)
    table.fall(3, 5)
    table.out(5, by=1)
    table.ask(out(3, 1, Role.DEPUTY, same=False))
    assert [e.seat for e in table.now().eliminations][-2:] == [3, 5]
    table.declare()
    assert winnings(finished_game(table.now()), table.rules)[4] == 250


def test_nobody_is_asked_where_it_changes_nothing(make_game: MakeGame) -> None:
    table = make_game(players=7)
    table.kill(2)
    assert not same_card_matters(table.now(), out(4, 1, Role.OUTLAW), table.rules)
    table.end_turn()
    assert table.refusal(out(4, 1, Role.OUTLAW, same=True)) is GameReason.NOT_SAME_CARD


def test_a_card_ends_with_the_turn_but_not_with_one_that_passes_on_by_itself(make_game: MakeGame) -> None:
    table = make_game(players=7)
    table.end_turn(2)
    table.kill(3, by=1)
    assert table.now().turn == 4
    table.ask(out(5, 1, Role.RENEGADE, same=True))
    last = table.now().eliminations[-1]
    assert (last.effect, last.turn) == (1, 3)
    table.kill(4, by=1)
    assert table.refusal(out(6, 2, Role.OUTLAW, same=True)) is GameReason.NOT_SAME_CARD
    table.end_turn()
    assert table.refusal(out(6, 1, Role.OUTLAW, same=True)) is GameReason.NOT_SAME_CARD


def test_the_card_that_took_the_sheriff_may_have_taken_others() -> None:
    table = ScriptedTable(_OLD).begun(7, mode=LIGHT)
    table.end_turn()
    table.out(1, by=2)
    assert may_be_out_too(table.now(), table.rules) == (3, 4, 5, 6, 7)
    table.ask(AgreeEnding(SeatNo(3)))
    events = table.ask(out(4, 2, Role.OUTLAW, same=True))
    assert events == (
        PlayerEliminated(
            SeatNo(4), SeatNo(2), Role.OUTLAW, Cause.PLAYER, turn=SeatNo(2), effect=1, same_card=True
        ),
    )
    assert (table.now().phase, table.now().agreement.agreed) == (Phase.ENDED, ())
    table.declare()
    assert winnings(finished_game(table.now()), table.rules)[1] == 3000
    lines = record_sheet(finished_game(table.now()), table.rules).lines
    assert [line.same_card for line in lines] == [(4,), (), (), (1,), (), (), ()]


def test_the_ending_asks_nobody_where_all_victims_earn_the_same(make_game: MakeGame) -> None:
    table = make_game(players=7)
    for seat in (2, 4, 6):
        table.out(seat, None)
    table.out(5, by=1)
    assert table.now().ending is Ending.LAW_WINS
    assert may_be_out_too(table.now(), table.rules) == ()
    table = make_game()
    table.out(1, None)
    assert may_be_out_too(table.now(), table.rules) == ()


def test_the_ending_changes_with_the_last_victim(table: ScriptedTable) -> None:
    table.end_turns_until(5)
    table.out(1, by=5)
    for seat in (2, 3, 4):
        assert table.now().ending is Ending.OUTLAWS_WIN
        assert seat in may_be_out_too(table.now(), table.rules)
        table.ask(out(seat, 5, ROLES[5][seat - 1], same=True))
    assert table.now().ending is Ending.RENEGADE_WINS


def test_no_card_takes_others_at_a_time_limit_or_by_another_reading(make_game: MakeGame) -> None:
    table = make_game()
    table.out(2, by=1)
    table.ask(EndByTimeLimit())
    assert table.refusal(out(3, 1, Role.DEPUTY, same=True)) is GameReason.ENDED
    table = make_game(simultaneous="elimination_order")
    table.out(1, by=2)
    assert table.refusal(out(3, 2, Role.DEPUTY, same=True)) is GameReason.ENDED


def test_the_card_of_a_revolution_may_have_taken_others() -> None:
    table = RebelTable()
    table.end_turns_until(REBEL)
    table.ask(out(SHERIFF, REBEL, Role.SHERIFF))
    assert may_be_out_too(table.now(), table.rules) == (OUTLAW, DEPUTY, OTHER_OUTLAW, RENEGADE)
    table.ask(out(DEPUTY, REBEL, Role.DEPUTY, same=True))
    assert table.now().revolution_question == REBEL
    table.answer(REBEL, is_rebel=True)
    # The table may notice even later.
    assert DEPUTY not in may_be_out_too(table.now(), table.rules)
    command = out(OUTLAW, REBEL, Role.OUTLAW)
    assert same_card_matters(table.now(), command, table.rules)
    table.ask(msgspec.structs.replace(command, same_card=True))
    assert [made.after for made in table.now().revolutions] == [3]
    table.shoot(OTHER_OUTLAW)
    assert may_be_out_too(table.now(), table.rules) == ()
    assert [e.effect for e in table.now().eliminations] == [1, 1, 1, 2]


@pytest.mark.parametrize("order", [(2, 5), (5, 2)])
@pytest.mark.parametrize("at_once", [True, False])
def test_a_beer_is_accepted_whatever_the_order_of_answers(
    table: ScriptedTable, order: tuple[int, ...], *, at_once: bool
) -> None:
    table.out(3, None)
    table.out(4, None)
    if at_once:
        table.fall(2, 5)
    for seat in order:
        if not at_once:
            table.fall(seat)
        if seat == 2:
            table.out(2, by=1)
        else:
            table.ask(SaveLastLife(SeatNo(5), Rescue.BEER, same_card=not at_once))
    assert table.seat(5).life == 1


def test_two_players_left_before_the_card_drink_no_beer(make_game: MakeGame) -> None:
    table = make_game()
    for seat in (2, 3, 5):
        table.out(seat, None)
    table.fall(4)
    for same in (True, False):
        assert table.refusal(SaveLastLife(SeatNo(4), Rescue.BEER, same)) is GameReason.TWO_LEFT
    table = make_game()
    for seat in (2, 3, 5):
        table.out(seat, by=1)
    table.end_turn()
    table.fall(4)
    assert table.refusal(SaveLastLife(SeatNo(4), Rescue.BEER, same_card=True)) is GameReason.TWO_LEFT


def test_d35_the_other_duellist_is_the_killer() -> None:
    rules = with_options(_OLD, (OptionKey.CASH_REWARDS,), "test")
    table = ScriptedTable(rules).begun(5)
    table.end_turn()
    table.ask(Eliminate(SeatNo(2), SeatNo(3), Role.OUTLAW, Cause.OWN_DUEL))
    table.ask(Eliminate(SeatNo(1), SeatNo(3), Role.SHERIFF, Cause.OWN_DUEL))
    table.declare()
    # A reward for the Outlaw, the penalty for the Sheriff.
    assert winnings(finished_game(table.now()), rules)[2] == 1000 - 5000


def test_d51_a_player_who_has_left_eliminates_nobody_but_by_a_card_played_before(make_game: MakeGame) -> None:
    table = make_game(players=7)
    table.end_turn()
    table.fall(3, 4)
    table.ask(Abandon(SeatNo(2)))
    table.fall(6)
    assert table.refusal(out(6, 2, Role.OUTLAW)) is GameReason.KILLER_LEFT
    table.out(3, by=2)
    table.out(6, by=1)
    table.out(4, by=2)
    assert table.now().turn == 5
    assert table.refusal(out(7, 2, Role.DEPUTY)) is GameReason.KILLER_LEFT
    table.ask(out(7, 2, Role.DEPUTY, same=True))


def test_the_dynamite_of_a_player_who_has_left_explodes_before_high_noon_takes_the_next_point(
    table: ScriptedTable,
) -> None:
    for seat in (2, 5):
        table.out(seat, None)
    table.ask(Abandon(SeatNo(4)))
    table.reshuffle(3)
    table.end_turns_until(1)
    table.leave_with(seat_3=2)
    table.end_turn()
    table.leave_with(seat_1=1)
    table.end_turn()
    assert (table.now().turn, table.now().pending, table.now().high_noon_question) == (1, (1,), True)
    dynamite = Eliminate(SeatNo(4), None, Role.OUTLAW, Cause.DYNAMITE)
    other = msgspec.structs.replace(dynamite, seat=SeatNo(3), role=Role.DEPUTY)
    assert table.refusal(other) is GameReason.QUESTION_OPEN
    table.ask(dynamite)
    assert (table.now().ending, table.seat(1).in_play) == (Ending.LAW_WINS, True)


def test_high_noon_still_asks_after_a_dynamite_that_ended_nothing(table: ScriptedTable) -> None:
    table.ask(Abandon(SeatNo(5)))
    table.reshuffle(3)
    table.end_turn(3)
    table.leave_with(seat_1=1)
    table.end_turn()
    assert table.now().pending == (1,)
    table.ask(Eliminate(SeatNo(5), None, Role.RENEGADE, Cause.DYNAMITE))
    assert (table.now().pending, table.now().high_noon_question, table.now().effects) == ((1,), True, 1)
    table.noon_takes(1)
    assert [e.effect for e in table.now().eliminations] == [1, 2]
