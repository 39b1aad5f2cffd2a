"""Winnings: printed tables and examples, formulas, rewards and penalties, part by part."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from base.errors import BadData
from core.editions.edition import Edition
from core.editions.loader import edition, editions, rules_of
from core.editions.winnings_table import Counted, WinningsCase
from core.game.clock import EndByTimeLimit
from core.game.ending.endings import Outcome, outcome
from core.game.ending.finished_game import FinishedGame, finished_game
from core.game.ending.record_sheet import record_sheet
from core.game.ending.sheet import DeclareRoles
from core.game.ending.winnings import PayoutKind, PayoutTerm, payouts, winnings, winnings_by_role
from core.game.state.game import Cause, Elimination, Phase
from core.game.state.seats import role_counts
from core.rule_set import OptionKey, ReadingChoice, RuleSet
from core.terms import Dollars, Ending, PlayerId, Role, RoundNo, SeatNo, TableNo
from tests.core.game.conftest import ROLES, ScriptedTable
from tests.core.game.strategies import next_move
from tests.core.game.test_decide import after
from tests.examples import examples

S, D, O, R = Role.SHERIFF, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE  # noqa: E741
OFFICIAL = edition("official-2003")
SIMPLIFIED = edition("simplified-2003")
REWARDED = rules_of(RuleSet("official-2003", (OptionKey.CASH_REWARDS,)))


def game(
    rules: Edition, roles: Sequence[Role], *out: tuple[int, int | None], spent: tuple[Dollars, ...] = ()
) -> FinishedGame:
    """A finished game: who went out, and by whom (None: Dynamite)."""
    eliminations = tuple(
        Elimination(
            seat=SeatNo(seat),
            by=None if by is None else SeatNo(by),
            turn=SeatNo(seat if by is None else by),
            effect=number,
            cause=Cause.DYNAMITE if by is None else Cause.PLAYER,
            role=roles[seat - 1],
        )
        for number, (seat, by) in enumerate(out, start=1)
    )
    result = outcome(tuple(roles), eliminations, rules.readings, time_limit=True)
    assert isinstance(result, Outcome)
    return FinishedGame(
        round=RoundNo(1),
        table=TableNo(1),
        players=tuple(PlayerId(f"p{seat}") for seat in range(1, len(roles) + 1)),
        roles=tuple(roles),
        eliminations=eliminations[: result.after],
        abandonments=(),
        ending=result.ending,
        spent=spent,
    )


def read(key: str, **readings: str | bool) -> Edition:
    """An edition as its judge reads it."""
    return rules_of(RuleSet(key, (), tuple(ReadingChoice(name, value) for name, value in readings.items())))


FIVE = (S, D, O, R, O)
LAW, OUTLAWS, ALONE = ((4, 1), (3, 1), (5, 1)), ((1, 3),), ((2, 3), (3, 4), (5, 4), (1, 4))
LAW_OF_ONE, OUTLAWS_OF_TWO = ((2, 3), *LAW), ((3, 1), (1, 5))
PENALTY = read("simplified-2003", deputy_penalty_in_simplified=True)
REBEL = rules_of(RuleSet("official-2003", (OptionKey.REBEL,)))
OTHERWISE = read("official-2003", simplified_multiplier="players", simplified_eliminated="all")
RENEGADE_PLAYERS = read("simplified-2003", simplified_multiplier="renegade_players")
PLAYERS = read("simplified-2003", simplified_multiplier="players")
MIXED = read("simplified-2003", simplified_multiplier="printed")
ALIVE, LAW_ALIVE, ALL = (
    read("simplified-2003", simplified_eliminated=value) for value in ("alive", "law_alive", "all")
)


@pytest.mark.parametrize(
    ("rules", "roles", "out", "paid"),
    [
        pytest.param(OFFICIAL, FIVE, ((4, 3), (3, 1), (5, 2)), (3000, 2000, 0, 0, 0), id="printed: Law"),
        pytest.param(
            *(OFFICIAL, (S, D, O, O, R, O, D), ((4, 1), (2, 3), (1, 6)), (0, 0, 3000, 2400, 2100, 3000, 0)),
            id="printed: Outlaws of seven",
        ),
        pytest.param(SIMPLIFIED, FIVE, ((4, 3), (3, 1), (5, 2)), (3500, 2500, 0, 0, 0), id="simplified"),
        pytest.param(OFFICIAL, FIVE, ((1, 2),), (0, -5000, 2000, 1500, 2000), id="a Deputy pays"),
        pytest.param(SIMPLIFIED, FIVE, ((1, 2),), (0, 0, 2500, 0, 2500), id="no penalty in simplified"),
        pytest.param(PENALTY, FIVE, ((1, 2),), (0, -5000, 2500, 0, 2500), id="unless it is read so"),
        pytest.param(REBEL, (S, D, O, R, Role.REBEL, O), ((1, 5), (5, 2)), (0, -5000, 2000, 1800, 0, 2000),
                     id="a Deputy killed the Sheriff of a revolution"),
        pytest.param(OFFICIAL, FIVE, ((1, 3),), (0, 0, 2000, 1500, 2000), id="an Outlaw pays nothing"),
        pytest.param(OFFICIAL, FIVE, ((1, 4),), (0, 0, 2000, 1500, 2000), id="nor does the Renegade"),
        pytest.param(OFFICIAL, FIVE, ((1, None),), (0, 0, 2000, 1500, 2000), id="and Dynamite is nobody's"),
        pytest.param(OFFICIAL, (S, D, D, O, O, O, R, R), tuple((seat, 7) for seat in (2, 3, 4, 5, 6, 8, 1)),
                     (800, 0, 0, 0, 0, 0, 12000, 0), id="of two Renegades only the survivor is paid"),
        pytest.param(SIMPLIFIED, FIVE, ALONE, (0, 0, 0, 2000 * 2 + 500 * 4, 0), id="for each Outlaw"),
        pytest.param(RENEGADE_PLAYERS, FIVE, ALONE, (0, 0, 0, 2000 * 5 + 500 * 4, 0), id="for each player"),
        pytest.param(RENEGADE_PLAYERS, FIVE, LAW, (3500, 2500, 0, 0, 0), id="only for the Renegade"),
        pytest.param(PLAYERS, FIVE, LAW, (1000 * 5 + 1500, 500 * 5 + 1500, 0, 0, 0), id="for all: Law"),
        pytest.param(PLAYERS, FIVE, OUTLAWS, (0, 0, 1000 * 5 + 500, 0, 1000 * 5 + 500), id="all: Outlaws"),
        pytest.param(MIXED, FIVE, LAW, (1000 * 2 + 1500, 500 * 2 + 1500, 0, 0, 0), id="mixed: Law"),
        pytest.param(MIXED, FIVE, OUTLAWS, (0, 0, 1000 * 5 + 500, 0, 1000 * 5 + 500), id="mixed: Outlaws"),
        pytest.param(MIXED, FIVE, ALONE, (0, 0, 0, 2000 * 5 + 500 * 4, 0), id="mixed: Renegade"),
        pytest.param(ALIVE, FIVE, LAW_OF_ONE, (4000, 1000, 0, 0, 0), id="alive: Law"),
        pytest.param(ALIVE, FIVE, OUTLAWS_OF_TWO, (0, 0, 2000, 0, 3000), id="alive: Outlaws"),
        pytest.param(LAW_ALIVE, FIVE, LAW_OF_ONE, (4000, 1000, 0, 0, 0), id="read law_alive: Law"),
        pytest.param(LAW_ALIVE, FIVE, OUTLAWS_OF_TWO, (0, 0, 2000, 0, 2000), id="read law_alive: Outlaws"),
        pytest.param(ALL, FIVE, LAW_OF_ONE, (4000, 3000, 0, 0, 0), id="eliminated, read all: Law"),
        pytest.param(ALL, FIVE, OUTLAWS_OF_TWO, (0, 0, 3000, 0, 3000), id="eliminated, read all: Outlaws"),
        pytest.param(OTHERWISE, FIVE, LAW, (3000, 2000, 0, 0, 0), id="readings of the other table"),
    ],
)  # fmt: skip
def test_a_game_is_paid_as_the_table_is_read(
    rules: Edition, roles: tuple[Role, ...], out: tuple[tuple[int, int | None], ...], paid: tuple[int, ...]
) -> None:
    assert winnings(game(rules, roles, *out), rules) == paid


def test_a_formula_tells_its_terms() -> None:
    played = game(SIMPLIFIED, FIVE, (4, 3), (3, 1), (5, 2))
    (part,) = record_sheet(played, SIMPLIFIED).lines[0].parts
    assert part.terms == (
        PayoutTerm(Dollars(1000), 2, Counted.OUTLAWS),
        PayoutTerm(Dollars(500), 3, Counted.ELIMINATED),
    )


# n: Sheriff; Deputy alive, out; Outlaw alive, out; Renegade duel, alive, wins; Sheriff when he wins.
VALUES = {
    4: (3000, 2000, 1400, 2000, 1600, 1600, 1200, 6000, 400),
    5: (3000, 2000, 1400, 2000, 1600, 2000, 1500, 7500, 500),
    6: (4500, 3000, 2100, 3000, 2400, 2400, 1800, 9000, 600),
    7: (4500, 3000, 2100, 3000, 2400, 2800, 2100, 10500, 700),
}


def roles_at(players: int, rules: Edition) -> tuple[Role, ...]:
    row = role_counts(players, rules)
    return tuple(role for role in Role for _ in range(row.count(role)))


@pytest.mark.parametrize("players", VALUES)
def test_official_formulas_give_every_value_of_the_table(players: int) -> None:
    roles = roles_at(players, OFFICIAL)
    seats = {role: [n for n, held in enumerate(roles, start=1) if held is role] for role in Role}
    deputies, outlaws, renegade = seats[D], seats[O], seats[R][0]
    law, deputy, deputy_out, outlaw, outlaw_out, duel, alive, wins, sheriff = VALUES[players]

    def paid(*out: tuple[int, int | None]) -> tuple[Dollars, ...]:
        return winnings(game(OFFICIAL, roles, *out), OFFICIAL)

    by_law = paid(*((seat, 1) for seat in (renegade, *outlaws)))
    assert by_law[0] == law
    assert all(by_law[seat - 1] == deputy for seat in deputies)
    after_duel = paid(*((seat, 1) for seat in (*deputies, *outlaws, renegade)))
    assert after_duel[renegade - 1] == duel
    assert all(after_duel[seat - 1] == deputy_out for seat in deputies)
    by_outlaws = paid((outlaws[0], 1), (1, outlaws[1]))
    assert (by_outlaws[outlaws[0] - 1], by_outlaws[outlaws[1] - 1]) == (outlaw_out, outlaw)
    assert by_outlaws[renegade - 1] == alive
    by_renegade = paid(*((seat, renegade) for seat in (*deputies, *outlaws, 1)))
    assert (by_renegade[renegade - 1], by_renegade[0]) == (wins, sheriff)
    assert sum(by_renegade) == wins + sheriff


def test_the_tables_of_2010_are_their_exact_structure() -> None:
    """The regulations print numbers; all of them are so much for an Outlaw, or for a player."""
    rules = edition("championship-2010")
    each = {
        (Ending.LAW_WINS, S, "always"): (1500, 0),
        (Ending.LAW_WINS, D, "alive"): (1100, 0),
        (Ending.LAW_WINS, D, "eliminated"): (700, 0),
        (Ending.LAW_WINS, R, "lost_final_duel"): (0, 400),
        (Ending.OUTLAWS_WIN, O, "alive"): (1000, 0),
        (Ending.OUTLAWS_WIN, O, "eliminated"): (700, 0),
        (Ending.OUTLAWS_WIN, R, "alive"): (0, 100),
        (Ending.RENEGADE_WINS, R, "always"): (0, 1300),
        (Ending.RENEGADE_WINS, S, "always"): (0, 100),
    }
    for row in rules.winnings:
        per_outlaw, per_player = each.get((row.ending, row.role, row.case.value), (0, 0))
        for size, dollars in zip(rules.tables.sizes, row.dollars, strict=True):
            assert dollars == per_outlaw * role_counts(size, rules).outlaw + per_player * size


def test_cash_rewards_go_to_whoever_eliminates_an_outlaw_and_are_told_apart() -> None:
    played = game(REWARDED, (S, D, O, R, O), (3, 2), (1, 2))
    payout = payouts(played, _ended(played), REWARDED)[1]
    assert [(part.kind, part.dollars, part.eliminated) for part in payout.parts] == [
        (PayoutKind.TABLE, 0, None),
        (PayoutKind.REWARD, 1000, 3),
        (PayoutKind.PENALTY, -5000, 1),
    ]
    assert payout.dollars == -4000


@pytest.mark.parametrize(
    ("rules", "out", "rewards"),
    [
        pytest.param(REWARDED, ((3, 5), (1, 5)), (0, 0, 0, 0, 1000), id="an Outlaw too"),
        pytest.param(REWARDED, ((3, None), (1, 5)), (0, 0, 0, 0, 0), id="not for Dynamite"),
        pytest.param(REWARDED, ((2, 1), (1, 5)), (0, 0, 0, 0, 0), id="not for a Deputy"),
        pytest.param(REWARDED, ((3, 4), (5, 4), (2, 4), (1, 4)), (0, 0, 0, 2000, 0), id="the Renegade"),
        pytest.param(REWARDED, ((3, 1), (1, None)), (1000, 0, 0, 0, 0), id="also a later loser"),
        pytest.param(OFFICIAL, ((3, 2), (5, 2), (4, 1)), (0, 0, 0, 0, 0), id="nobody without the option"),
    ],
)
def test_who_is_rewarded(
    rules: Edition, out: tuple[tuple[int, int | None], ...], rewards: tuple[int, ...]
) -> None:
    played = game(rules, FIVE, *out)
    paid = payouts(played, _ended(played), rules)
    assert tuple(payout.of(PayoutKind.REWARD) for payout in paid) == rewards


def test_what_was_spent_stands_beside_the_winnings_and_not_among_them() -> None:
    rules = edition("championship-2010")
    spent = tuple(Dollars(amount) for amount in (300, 0, 100, 0, 0))
    played = game(rules, (S, D, O, R, O), (4, 1), (3, 1), (5, 1), spent=spent)
    lines = record_sheet(played, rules).lines
    assert [line.winnings for line in lines] == [3000, 2200, 0, 0, 0]
    assert [line.spent for line in lines] == [300, 0, 100, 0, 0]


def test_a_table_size_that_is_not_paid_is_named() -> None:
    rules = edition("championship-2010")
    with pytest.raises(BadData, match=r"no winnings for a table of 4; allowed: 5, 6, 7"):
        winnings(game(rules, (S, O, R, O), (1, 2)), rules)


def _ended(played: FinishedGame) -> Outcome:
    result = outcome(played.roles, played.eliminations, OFFICIAL.readings)
    assert isinstance(result, Outcome)
    return result


@st.composite
def played_games(draw: st.DrawFn) -> tuple[FinishedGame, Edition]:
    """Any game, to its end, by any edition with any of its scoring options."""
    base = draw(st.sampled_from(editions()))
    offered = [option for option in base.offered if option is OptionKey.CASH_REWARDS]
    rules = rules_of(RuleSet(base.key, tuple(draw(st.sets(st.sampled_from(offered)))) if offered else ()))
    roles = roles_at(draw(st.sampled_from(rules.tables.sizes)), rules)
    order = draw(st.permutations(range(1, len(roles) + 1)))
    out: list[tuple[int, int | None]] = []
    for number, seat in enumerate(order[:-1]):
        by = draw(st.none() | st.sampled_from(order[number + 1 :]))
        out.append((seat, by))
    return game(rules, roles, *out), rules


@pytest.mark.slow
@given(played_games())
def test_winnings_are_their_parts_and_pay_winners_only_beside_the_printed_consolations(
    given_game: tuple[FinishedGame, Edition],
) -> None:
    played, rules = given_game
    sheet = record_sheet(played, rules)
    assert tuple(line.winnings for line in sheet.lines) == winnings(played, rules)
    for line in sheet.lines:
        assert line.winnings == sum(part.dollars for part in line.parts)
        assert [part.kind for part in line.parts].count(PayoutKind.TABLE) == 1
        for part in line.parts:
            assert not part.terms or part.dollars == sum(term.each * term.times for term in part.terms)
    rewards = sum(
        part.dollars for line in sheet.lines for part in line.parts if part.kind is PayoutKind.REWARD
    )
    shot = sum(e.role is O and e.by is not None for e in played.eliminations)
    assert rewards == (1000 * shot if rules.chosen else 0)


RULES = edition("championship-2022")
BEGUN = {players: ScriptedTable(RULES).begun(players).timeline for players in (5, 6, 7)}


@pytest.mark.slow
@pytest.mark.parametrize("rules", editions(), ids=lambda rules: rules.key)
@settings(deadline=None, max_examples=examples(25), suppress_health_check=[HealthCheck.too_slow])
@given(players=st.sampled_from([5, 6, 7]), data=st.data())
def test_each_amount_of_the_sheet_is_among_those_told_for_the_role(
    rules: Edition, players: int, data: st.DataObject
) -> None:
    timeline = BEGUN[players]
    assert timeline is not None
    for _ in range(80):
        if timeline.state.phase is not Phase.PLAYING:
            break
        timeline = after(timeline, data.draw(next_move(timeline.state, ROLES[players])))
    if timeline.state.phase is Phase.PLAYING:
        timeline = after(timeline, EndByTimeLimit())
    payments = winnings_by_role(timeline.state, rules)
    declared = after(timeline, DeclareRoles(ROLES[players])).state
    if declared.phase is not Phase.SHEET:
        return
    killed_sheriff = {e.by for e in declared.eliminations if e.seat == 1}
    for seat, dollars in zip(declared.seats, winnings(finished_game(declared), rules), strict=True):
        if seat.seat in killed_sheriff:
            continue  # a Deputy's penalty is no row of the table
        assert dollars in {pay.dollars for pay in payments if pay.role is seat.role}


def test_nothing_is_told_before_an_ending() -> None:
    timeline = BEGUN[5]
    assert timeline is not None
    assert winnings_by_role(timeline.state, RULES) == ()


def test_an_eliminated_winner_is_not_paid_for_those_eliminated() -> None:
    rules = edition("simplified-2003")
    table = ScriptedTable(RULES).begun(5)
    one, other = (seat for seat, role in enumerate(ROLES[5], start=1) if role is Role.OUTLAW)
    table.kill(one, by=1)
    table.kill(1, by=other)
    payments = winnings_by_role(table.now(), rules)
    assert [(pay.case, pay.dollars) for pay in payments if pay.role is Role.OUTLAW] == [
        (WinningsCase.ALIVE, 2 * 1000 + 2 * 500),
        (WinningsCase.ELIMINATED, 2 * 1000),
    ]
    table.declare()
    assert winnings(finished_game(table.now()), rules) == (0, 2000, 0, 3000, 0)
