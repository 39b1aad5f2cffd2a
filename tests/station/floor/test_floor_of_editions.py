"""The floor and a table's page during an auction, a duel and a Revolution, and with ten seats."""

import pytest

from core.characters import Character
from core.editions.loader import rules_of
from core.game.duel.fight import EnterCharacter, RuleDuel, WoundCharacter
from core.game.duel.opening import DrawStarter
from core.game.play.auction import RevealCharacters
from core.game.play.bidding import Nominate, Pass
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles
from core.game.state.game import Cause
from core.rule_set import OptionKey, RuleSet
from core.terms import Dollars, MatchKind, Role, SeatNo
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.state.tournament import Waivers
from tests.station.browser import Browser, on_floor
from tests.station.conftest import OPEN, ScriptedTerminal, Station, present

FLOOR = f"/judge/t/{OPEN}/floor"
TABLE = f"/judge/t/{OPEN}/tables/1/1/"
DECK = tuple(Character)
ONE, TWO = SeatNo(1), SeatNo(2)


def seats(terminal: ScriptedTerminal, rules: RuleSet) -> int:
    """Check in and deal the roles of the last seating, and return the number of players."""
    seating = terminal.seating
    terminal.rules = rules_of(rules)
    count = len(seating.seats)
    terminal.ask(seating, *(CheckIn(SeatNo(seat)) for seat in range(1, count + 1)), DealRoles())
    return count


@pytest.fixture
def dealt(station: Station) -> ScriptedTerminal:
    """Table 1 before its auction, with all characters revealed."""
    station.opens(10, Waivers(rounds=1), "championship-2010")
    station.publishes()
    terminal = station.terminal(1)
    count = seats(terminal, RuleSet("championship-2010"))
    terminal.ask(RevealCharacters(DECK[:count]))
    return terminal


@pytest.fixture
def auction(dealt: ScriptedTerminal) -> ScriptedTerminal:
    dealt.tells(Nominate(SeatNo(1), DECK[0], Dollars(300)))
    return dealt


def test_the_lot_is_shown_and_no_budget(station: Station, judge: Browser, auction: ScriptedTerminal) -> None:
    assert auction.timeline is not None
    assert auction.timeline.state.seats[0].stake is not None
    leader = station.service.floor(OPEN)[0].players[0]
    name = next(e.name for e in station.service.tournament(OPEN).entrants if e.player == leader)
    for page in (judge.get(FLOOR), judge.get(TABLE), on_floor(judge, OPEN, 1)):
        assert f"{DECK[0].value} is up: {name} bids $300" in page
        assert "5,000" not in page


def test_prices_paid_stay_with_the_characters(judge: Browser, auction: ScriptedTerminal) -> None:
    auction.tells(*(Pass(SeatNo(seat)) for seat in range(2, 6)))
    page = judge.get(FLOOR)
    assert f"{DECK[0].value} $300" in page
    assert "puts a character up" in page
    assert "5,000" not in page
    assert "4,700" not in page


@pytest.fixture
def duel(station: Station) -> ScriptedTerminal:
    """A semifinal at table 1: each player has turned up a character, and the second is wounded."""
    station.opens(10, Waivers(rounds=1), "championship-2010")
    station.plays_round()
    station.breaks_ties()
    station.does(PublishRoundsRanking())
    station.does(BeginDuels(kind=MatchKind.SHORT_DUEL))
    terminal = station.terminal(1)
    terminal.rules = rules_of(RuleSet("championship-2010"))
    terminal.ask(terminal.seating, CheckIn(ONE), CheckIn(TWO))
    terminal.ask(EnterCharacter(ONE, DECK[0]), EnterCharacter(TWO, DECK[1]), DrawStarter(ONE))
    terminal.tells(WoundCharacter(TWO, DECK[1], 1))
    return terminal


def test_a_duel_shows_characters_and_score(station: Station, judge: Browser, duel: ScriptedTerminal) -> None:
    page = judge.get(FLOOR)
    assert "<span>Floor · </span>Semifinals" in page
    assert f"{DECK[1].value} 3/4" in page
    duel.tells(RuleDuel(ONE, "the hall closes"))
    table = judge.get(f"/judge/t/{OPEN}/tables/2/1/")
    assert "the hall closes" in table
    assert "Confirm the record sheet" in table
    judge.send(f"/judge/t/{OPEN}/tables/2/1/confirm", {})
    finals = present(station.service.tournament(OPEN).finals)
    assert finals.semifinal_winners[0] == finals.finalists[0]


def test_a_duel_from_paper_shows_its_own_score(judge: Browser, duel: ScriptedTerminal) -> None:
    form = f"/judge/t/{OPEN}/tables/2/1/sheet"
    judge.get(form)
    judge.send(f"{form}/confirm", {"score-1": "5", "score-2": "2", "how": "score"})
    card = judge.get(FLOOR).split('id="table-1"')[1].split("</article>")[0]
    scores = [part.split("</svg>")[1].split("<")[0].strip() for part in card.split('class="life"')[1:]]
    assert scores == ["5", "2"]
    assert f"{DECK[1].value} 3/4" not in card


def test_after_a_revolution_the_rebel_wears_the_star(station: Station, judge: Browser) -> None:
    rules = RuleSet("official-2003", (OptionKey.REBEL,))
    station.opens(6, rules=rules)
    station.publishes()
    terminal = station.terminal(1)
    count = seats(terminal, rules)
    terminal.ask(*(ChooseCharacter(SeatNo(seat), DECK[seat - 1]) for seat in range(1, count + 1)))
    terminal.ask(BeginGame(), EndTurn())
    sheriff = terminal.state.seats[0]
    terminal.ask(*(LoseLife(SeatNo(1), 1) for _ in range(sheriff.life)))
    terminal.ask(Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER))
    if terminal.state.revolution_question is not None:
        terminal.ask(AnswerRevolution(SeatNo(2), is_rebel=True))
    terminal.sends()
    page = judge.get(FLOOR)
    assert "Revolution" in page
    assert page.count(">Rebel!<") == 1
    rebel = page.split('class="seat-list"')[1].split("<li")[2]
    assert "#star" in rebel
    assert "#star" not in page.split('class="seat-list"')[1].split("<li")[1]


def test_the_floor_holds_ten_seats(station: Station, judge: Browser) -> None:
    station.opens(10, rules=RuleSet("official-2003", (OptionKey.REBEL,)))
    station.publishes()
    assert judge.get(FLOOR).split('class="seat-list"')[1].count("<li") == 10


def test_a_game_after_an_auction_is_confirmed_at_its_table(judge: Browser, dealt: ScriptedTerminal) -> None:
    terminal, count = dealt, len(dealt.state.seats)
    for seat in range(1, count):
        terminal.ask(Nominate(SeatNo(seat), DECK[seat - 1], Dollars(0)))
        terminal.ask(*(Pass(SeatNo(other)) for other in range(seat + 1, count + 1)))
    terminal.ask(BeginGame())
    terminal.ends()
    terminal.confirms()
    page = judge.get(TABLE)
    assert "confirmed" in page
    assert "Confirmed" in page
