"""The journal contains what was played, whenever the power fails."""

import msgspec
import pytest

from base.errors import BadData, Refused
from core.characters import Character
from core.editions.readings import TimeLimit
from core.game.decide import GameCommand
from core.game.duel.fight import EnterCharacter, WoundCharacter
from core.game.duel.opening import DrawStarter
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.ending.sheet import ConfirmSheet
from core.game.events import GameStep
from core.game.orders import (
    AnswerCall,
    AssignTable,
    CallTime,
    CloseTournament,
    ConfirmFromStation,
    EndCall,
    Order,
    PlaceInQueue,
    RelieveTable,
    SeatGame,
    TakeGame,
    VoidTable,
    WithdrawSeat,
)
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.result import finished_duel
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.decisions import Undo
from core.game.state.duel import DuelBecause
from core.game.state.game import Confirmation, GameState, HighNoon, Phase, SeatedPlayer
from core.game.takeover import step_with_origin
from core.game.timeline import undoable
from core.terms import Ending, GameId, PlayerId, RoundNo, SeatNo, TableNo, TournamentId
from kiosk.terminal.game_keeper import GameKeeper
from tests.core.game.duel.conftest import DECK, ONE, SHORT, TWO, WITH_FINALS
from tests.kiosk.rig.stand_ins import seat_order

G1, G2 = GameId("g1"), GameId("g2")
SEATS = [SeatNo(n) for n in range(1, 6)]
FACES = [face for face in Character if face.value not in {"El Gringo", "Paul Regret"}]
BEGINNING: tuple[GameCommand, ...] = (
    *map(CheckIn, SEATS), DealRoles(), *(ChooseCharacter(n, FACES[n]) for n in SEATS), BeginGame()
)  # fmt: skip


def snapshot(keeper: GameKeeper) -> tuple[object, ...]:
    return (
        keeper.timeline,
        keeper.table,
        keeper.judge_pin,
        keeper.message,
        keeper.judge_coming,
        keeper.calls_before,
        keeper.time_limit_min,
        keeper.orders_done,
        undoable(keeper.timeline),
    )


class Life:
    """A keeper with its journal, and its state after every durable entry."""

    def __init__(self) -> None:
        self.keeper = GameKeeper()
        self.own: list[bytes] = []
        self.orders: list[bytes] = []

    @property
    def game(self) -> GameState:
        assert self.keeper.game is not None
        return self.keeper.game

    def phase(self) -> Phase:
        return self.game.phase

    def do(self, *commands: GameCommand) -> None:
        for command in commands:
            self.own.append(self.keeper.ask(command))

    def begin(self) -> None:
        self.do(*BEGINNING)

    def obey(self, order: Order) -> tuple[bytes, ...]:
        self.orders.append(msgspec.msgpack.encode(order))
        bodies = self.keeper.carry_out(len(self.orders), self.orders[-1])
        self.own.extend(bodies)
        return bodies

    def resumed(self, own: int | None = None) -> tuple[GameKeeper, tuple[bytes, ...]]:
        """Return the keeper restored after a power cut. own: number of durable entries."""
        keeper = GameKeeper()
        return keeper, keeper.resume(tuple(self.own[:own]), tuple(self.orders))


def started() -> Life:
    life = Life()
    life.obey(AssignTable(TableNo(3), "hash"))
    life.obey(seat_order())
    life.begin()
    return life


def story() -> tuple[GameCommand | Order, ...]:
    return (
        AssignTable(TableNo(3), "hash"),
        CloseTournament("See you next year"),
        seat_order("g1"),
        CallTime(G1),
        *BEGINNING,
        EndTurn(),
        CallJudge(),
        AnswerCall(G1),
        PlaceInQueue(G1, 1, 3),
        AnswerJudgeCall(),
        CallJudge(),
        LoseLife(SEATS[2]),
        Undo(1),
        AnswerCall(GameId("another")),
        WithdrawSeat(G1, SEATS[3], ejected=False),
        WithdrawSeat(G1, SEATS[3], ejected=False),
        EndTurn(),
        seat_order("g2"),
        VoidTable(G1, "an old game"),
        *map(CheckIn, SEATS),
        ConfirmFromStation(G1),
        VoidTable(G2, "the draw was taken back"),
    )


def test_at_every_cut_the_terminal_resumes_what_was_live() -> None:
    life = Life()
    for item in story():
        before = len(life.own)
        bodies: tuple[bytes, ...] = ()
        if isinstance(item, Order):
            bodies = life.obey(item)
        else:
            life.do(item)
        keeper, due = life.resumed()
        assert snapshot(keeper) == snapshot(life.keeper), item
        assert due == (), item
        for kept in range(len(bodies)):
            # The order and some of its steps were durable; the others are due.
            keeper, due = life.resumed(before + kept)
            assert due == bodies[kept:], item
            assert snapshot(keeper) == snapshot(life.keeper), item
    assert (life.game.game, life.game.phase) == (G2, Phase.VOIDED)
    assert len(life.own) == 29


def test_an_order_that_comes_twice_acts_once() -> None:
    life = started()
    life.obey(WithdrawSeat(G1, SEATS[1], ejected=True))
    before = snapshot(life.keeper)
    for number, body in enumerate(life.orders, 1):
        assert life.keeper.carry_out(number, body) == ()
    assert snapshot(life.keeper) == before


def test_an_order_that_was_refused_is_not_tried_again_after_a_restart() -> None:
    life = Life()
    life.obey(seat_order())
    assert life.obey(CallTime(G1)) == ()
    life.begin()
    keeper, due = life.resumed()
    assert due == ()
    assert keeper.game is not None
    assert keeper.game.phase is Phase.PLAYING


def test_a_refused_command_changes_nothing() -> None:
    life = started()
    before = snapshot(life.keeper)
    with pytest.raises(Refused):
        life.keeper.ask(CheckIn(SEATS[0]))
    assert snapshot(life.keeper) == before


def test_without_a_game_nothing_can_be_asked() -> None:
    with pytest.raises(BadData, match="no game is seated"):
        GameKeeper().ask(EndTurn())


def test_orders_and_steps_that_cannot_be_read_are_left_out_and_the_rest_counts() -> None:
    life = started()
    life.orders.append(b"\xc1")
    assert life.keeper.carry_out(len(life.orders), b"\xc1") == ()
    life.own.insert(3, b"\xc1")
    life.own.append(msgspec.msgpack.encode(GameStep(G1, ())))
    keeper, due = life.resumed()
    assert due == ()
    assert keeper.timeline == life.keeper.timeline


def test_the_judge_is_coming_and_the_queue_has_a_place_only_while_a_call_is_open() -> None:
    life = started()
    life.obey(PlaceInQueue(G1, 1, 2))
    life.obey(AnswerCall(G1))
    values = []
    seven = TableNo(7)
    queue = (PlaceInQueue(G1, 1, 2), PlaceInQueue(G1, 1, 0, (seven,)), AnswerCall(G1, (seven,)))
    for act in (CallJudge(), *queue):
        life.obey(act) if isinstance(act, Order) else life.do(act)
        values.append((life.keeper.judge_coming, life.keeper.calls_before, life.keeper.calls_elsewhere))
    life.do(AnswerJudgeCall(), CallJudge())
    values.append((life.keeper.judge_coming, life.keeper.calls_before, life.keeper.calls_elsewhere))
    assert values == [
        (False, None, ()), (False, 2, ()), (False, 0, (seven,)), (True, 0, (seven,)), (False, None, ())
    ]  # fmt: skip


def test_a_call_that_a_judge_has_closed_at_the_station_ends_at_the_table() -> None:
    life = started()
    life.do(CallJudge())
    life.obey(AnswerCall(G1))
    life.obey(EndCall(G1, 1))
    assert (life.game.judge_called, life.keeper.judge_coming) == (False, False)
    keeper, _ = life.resumed()
    assert keeper.game is not None
    assert not keeper.game.judge_called


def test_a_table_that_calls_again_keeps_its_new_call() -> None:
    life = started()
    life.do(CallJudge(), AnswerJudgeCall(), CallJudge())
    calls = []
    for number in (1, 2, 2):
        life.obey(EndCall(G1, number))
        calls.append(life.game.judge_called)
    assert calls == [True, False, False]


def test_an_order_of_the_station_cannot_be_taken_back_at_the_table() -> None:
    life = started()
    life.do(EndTurn())
    assert undoable(life.keeper.timeline)
    life.obey(WithdrawSeat(G1, SEATS[4], ejected=False))
    assert undoable(life.keeper.timeline) == 0


def test_the_time_limit_is_carried_out_as_the_judge_chose() -> None:
    why = "Dinner is served."
    noon, ruled = started(), started()
    noon.obey(CallTime(G1, TimeLimit.HIGH_NOON, reason=why))
    assert (noon.game.high_noon, noon.game.phase) == (HighNoon.CALLED, Phase.PLAYING)
    ruled.obey(CallTime(G1, TimeLimit.JUDGE, Ending.OUTLAWS_WIN, why))
    assert (ruled.game.ending, ruled.game.ruled) == (Ending.OUTLAWS_WIN, why)


def take_game(life: Life, first: int = 0, last: int | None = None) -> TakeGame:
    """Return a keeper's game as the station hands it over."""
    steps = [msgspec.msgpack.decode(body, type=GameStep) for body in life.own]
    relayed = tuple(step_with_origin(step, "broken", "e" * 16, seq) for seq, step in enumerate(steps, 1))
    return TakeGame(G1, first, len(relayed), relayed[first:last], 90)


def test_a_game_that_is_taken_over_survives_every_cut_and_every_repetition() -> None:
    broken = started()
    broken.do(EndTurn(), LoseLife(SEATS[2]), Undo(1))
    spare = Life()
    spare.obey(seat_order("g2"))
    bodies = spare.obey(take_game(broken))
    assert len(bodies) == len(broken.own) + 1
    for kept in range(len(bodies)):
        keeper, due = spare.resumed(1 + kept)
        assert due == bodies[kept:]
        assert snapshot(keeper) == snapshot(spare.keeper)
    assert spare.keeper.game == broken.keeper.game
    assert undoable(spare.keeper.timeline) == undoable(broken.keeper.timeline)
    assert spare.obey(take_game(broken)) == ()


def test_more_steps_are_taken_only_where_the_game_has_not_gone_on_here() -> None:
    broken = started()
    first = take_game(broken)
    broken.do(EndTurn(), EndTurn())
    more = take_game(broken, len(first.steps))
    waiting, quick = Life(), Life()
    waiting.obey(first)
    quick.obey(first)
    quick.do(LoseLife(SEATS[3]))
    assert len(waiting.obey(more)) == 2
    assert waiting.keeper.game == broken.keeper.game
    assert quick.obey(more) == ()
    assert quick.keeper.steps_to_come == 0


def test_a_game_that_no_one_can_have_played_is_not_taken() -> None:
    broken = started()
    order = take_game(broken)
    other = msgspec.structs.replace(order.steps[3], step=GameStep(G2, order.steps[3].step.events))
    life = started()
    before = life.keeper.timeline
    life.obey(msgspec.structs.replace(order, steps=(*order.steps[:3], other)))
    life.obey(msgspec.structs.replace(order, steps=order.steps[2:]))
    assert life.keeper.timeline == before


def test_a_relieved_table_heeds_no_hand_and_no_order_until_it_keeps_the_game_again() -> None:
    life = started()
    life.obey(RelieveTable(G1))
    assert life.obey(WithdrawSeat(G1, SEATS[1], ejected=False)) == ()
    with pytest.raises(Refused):
        life.do(EndTurn())
    keeper, due = life.resumed()
    assert (keeper.is_relieved, due) == (True, ())
    assert life.obey(seat_order("g1")) == ()
    assert not life.keeper.is_relieved
    life.do(EndTurn())
    life.obey(RelieveTable(G1))
    assert [msgspec.msgpack.decode(body, type=GameStep).game for body in life.obey(seat_order("g2"))] == [G2]


DUEL = GameId("duel-1")
SEATING = SeatTable(
    game=DUEL,
    tournament=TournamentId("t"),
    tournament_name="Open",
    rules=WITH_FINALS,
    round=RoundNo(4),
    table=TableNo(1),
    seats=(SeatedPlayer(PlayerId("p1"), "Ada"), SeatedPlayer(PlayerId("p2"), "Bo")),
    match=SHORT,
)


@pytest.fixture
def life() -> Life:
    life = Life()
    life.obey(SeatGame(SEATING))
    life.do(CheckIn(ONE), CheckIn(TWO))
    life.do(EnterCharacter(ONE, DECK[0]), EnterCharacter(TWO, DECK[1]), DrawStarter(TWO))
    return life


def test_a_duel_is_the_same_after_a_power_cut_at_any_entry(life: Life) -> None:
    life.do(WoundCharacter(ONE, DECK[0], 2), EndTurn(), CallJudge(), WoundCharacter(TWO, DECK[1], 5))
    life.do(EnterCharacter(TWO, DECK[2]), Undo(1), EnterCharacter(TWO, DECK[3]))
    assert life.resumed()[0].timeline == life.keeper.timeline
    for own in range(len(life.own)):
        keeper, due = life.resumed(own)
        assert keeper.left_out == 0
        assert (keeper.game is None) or keeper.game.duel is not None or due


def test_a_duel_won_and_confirmed_is_closed(life: Life) -> None:
    for number in range(5):
        assert life.game.duel is not None
        front = life.game.duel.side(ONE).front
        assert front is not None
        life.do(WoundCharacter(ONE, front.character, front.life))
        if number < 4:
            life.do(EnterCharacter(ONE, DECK[4 + number]))
    assert life.phase() is Phase.SHEET
    life.do(ConfirmSheet(Confirmation.PIN))
    assert finished_duel(life.game).winner == TWO
    with pytest.raises(Refused):
        life.do(Undo(1))


def test_the_time_of_a_duel_is_for_the_judge_to_rule(life: Life) -> None:
    assert life.obey(CallTime(DUEL)) == ()
    assert life.phase() is Phase.DUEL


def test_who_is_withdrawn_at_the_station_loses_the_duel(life: Life) -> None:
    life.obey(WithdrawSeat(DUEL, TWO, ejected=True))
    result = finished_duel(life.game)
    assert (result.winner, result.because) == (ONE, DuelBecause.OPPONENT_EJECTED)


def test_paper_at_the_station_closes_a_duel_and_a_voided_one_leaves_the_table(life: Life) -> None:
    life.obey(ConfirmFromStation(DUEL))
    assert life.phase() is Phase.CONFIRMED
    life.obey(VoidTable(DUEL, "taken back"))
    assert life.phase() is Phase.VOIDED
