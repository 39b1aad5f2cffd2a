"""Properties of an auction, whatever the table enters."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.editions.edition import Edition
from core.game.decide import GameCommand, why_not
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.play.abandonment import Abandon
from core.game.play.auction import KeepCharacter, LeaveCharacter, RevealCharacters
from core.game.play.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.state.decisions import Undo
from core.game.state.game import GameState, Phase, Stake
from core.game.timeline import fold, undoable
from core.terms import Dollars, SeatNo
from tests.core.game.auction.conftest import DECK, ENLISTMENT, RULES_2010, AuctionTable, stake
from tests.examples import examples

RULES = st.sampled_from([RULES_2010, ENLISTMENT])
MONEY = st.one_of(st.just(0), st.integers(-2, 40).map(lambda hundreds: hundreds * 50))
STAKES = st.lists(
    st.builds(
        stake, MONEY, survived=st.booleans(), owned=st.none() | st.sampled_from(DECK), price=MONEY.map(abs)
    ),
    min_size=4,
    max_size=7,
)


def moves(state: GameState) -> st.SearchStrategy[GameCommand]:
    """Return commands that a table may enter now, and some that it should not."""
    auction = state.auction
    assert auction is not None
    seats = st.sampled_from([seat.seat for seat in state.seats])
    bids = st.integers(-1, 22).map(lambda hundreds: Dollars(hundreds * 100))
    usual: list[st.SearchStrategy[GameCommand]] = [
        st.builds(Raise, seats, bids),
        st.builds(Pass, seats),
        st.builds(Nominate, seats, st.sampled_from(DECK), bids),
        st.builds(Abandon, seats),
        st.builds(Undo, st.integers(1, 4)),
        st.just(CallJudge()),
        st.just(AnswerJudgeCall()),
    ]
    if auction.keepers:
        keepers = st.sampled_from(auction.keepers)
        return st.one_of(*usual, *[st.builds(KeepCharacter, keepers), st.builds(LeaveCharacter, keepers)] * 5)
    if not auction.revealed:
        without = sum(seat.character is None for seat in state.seats)
        up = st.permutations(DECK).map(lambda deck: RevealCharacters(tuple(deck[:without])))
        return st.one_of(*usual, *[up] * 8)
    free = st.sampled_from(auction.free)
    if auction.hand is not None and auction.hand.word is not None:
        word = st.just(auction.hand.word)
        return st.one_of(*usual, *[st.builds(Raise, word, bids), st.builds(Pass, word)] * 5)
    speaker = auction.nominator or auction.taker
    assert speaker is not None, "nobody has the word"
    word = st.just(speaker)
    return st.one_of(
        *usual, *[st.builds(Nominate, word, free, bids), st.builds(TakeCharacter, word, free)] * 5
    )


def finished(table: AuctionTable, rules: Edition) -> None:
    """Lead an auction to its end the shortest way; where nobody has the word it would fail."""
    assert rules.auction is not None
    while table.now().phase is Phase.AUCTION and table.auction().keepers:
        table.ask(LeaveCharacter(table.auction().keepers[0]))
    if table.now().phase is Phase.AUCTION and not table.auction().revealed:
        table.turned_up()
    table.all_pass()
    table.sold_to_nominators(rules.auction.minimum)


def sound(table: AuctionTable, budgets: Sequence[int]) -> None:
    state = table.now()
    owned = [seat.character for seat in state.seats if seat.character is not None]
    assert len(set(owned)) == len(owned), "a character was given twice"
    for seat, budget in zip(state.seats, budgets, strict=True):
        assert 0 <= seat.spent <= max(0, budget), f"seat {seat.seat} overspent"
    recorded = Counter[SeatNo]()
    for sale in () if state.auction is None else state.auction.sales:
        recorded[sale.seat] += sale.price
    assert all(recorded[seat.seat] == seat.spent for seat in state.seats), (
        "money paid is not what is recorded"
    )


@pytest.mark.slow
@settings(max_examples=examples(80), deadline=None)
@given(st.data(), RULES, STAKES)
def test_an_auction_is_sound_and_undone_at_every_step_and_ends_with_a_character_for_each(
    data: st.DataObject, rules: Edition, stakes: list[Stake]
) -> None:
    table = AuctionTable(rules).opened(stakes)
    budgets = [brought.budget for brought in stakes]
    for _ in range(data.draw(st.integers(0, 40))):
        state = table.now()
        if state.phase is not Phase.AUCTION:
            break
        command = data.draw(moves(state))
        if why_not(state, command, rules, may_undo=undoable(table.timeline)) is None:
            if not isinstance(command, Undo | CallJudge | AnswerJudgeCall):
                table.ask(command, Undo(1))
                assert table.now() == state
            table.ask(command)
        sound(table, budgets)
    if table.now().phase in {Phase.SEATING, Phase.ROLES}:  # taken back to before the auction
        return
    finished(table, rules)
    sound(table, budgets)
    assert all(seat.character is not None for seat in table.now().seats)
    assert fold(table.log) == table.timeline


@settings(max_examples=examples(50), deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 10))
def test_a_refused_bid_sounds_the_same_whatever_the_player_has(one: int, other: int, above: int) -> None:
    bid = Dollars((max(one, other) + above) * 100)
    said = set()
    for budget in (one, other):
        table = AuctionTable(RULES_2010).bidding(5000, budget * 100, 5000, 5000)
        table.nominate(1, DECK[0], 0)
        said.add(str(why_not(table.now(), Raise(SeatNo(2), bid), table.rules)))
    assert len(said) == 1
