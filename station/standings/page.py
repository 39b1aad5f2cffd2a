"""The judge's standings and finals, secret until published: lots, duels, the end, and the sums behind ranks.

A tournament without finals ends on the page of standings. One with finals ends on their page, which has the
ranking of the rounds, the duels of the top four, their places and prizes.
"""

import secrets

from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Template

from core.editions.edition import Scoring
from core.terms import GameId, MatchKind, PlayerId
from core.tournament.finals import BeginDuels, CallOffTieDuel, PublishRoundsRanking
from core.tournament.standings.ledger import is_money_spent, start_money
from core.tournament.standings.ranking import DrawLots, EnterOneOnOne, PublishRanking, one_on_one_pairs
from core.tournament.standings.standings import Standings
from core.tournament.state.tournament import Stage
from station.accounts.permissions import Permission
from station.audit import Audit
from station.draw.page import cards_missing_entries, free_table, tables_in_use
from station.players.service import Desk
from station.text.reasons import Done, FormReason, Missing
from station.web.http_rules import COMPRESSED
from station.web.page_keys import content_key
from station.web.tournament_context import (
    TOURNAMENT,
    AtTournament,
    TournamentContext,
    tournament_routes,
)

_SEED_BYTES = 32


@get("/", needs=Permission.STANDINGS)
async def standings(here: AtTournament) -> Template:
    """Show the standings with all tie-breaks."""
    state, rules = here.state, here.rules
    ranking = here.service.standings(state.tournament)
    running = {frozenset(table.players) for _, table in state.open_tie_duels}
    pairs = one_on_one_pairs(ranking, rules)
    waiting = [(first, second) for first, second in pairs if {first, second} not in running]
    seed = secrets.token_hex(_SEED_BYTES)
    duels = [BeginDuels.of_tie(pair, rules.duel_modes[0], seed) for pair in waiting[:1]]
    return here.page(
        "judge/standings.html",
        standings=ranking,
        ranking_key=ranking_key(ranking),
        accounts=here.service.accounts(state.tournament),
        is_average=rules.scoring is Scoring.AVERAGE,
        money_is_spent=is_money_spent(rules),
        start=start_money(rules),
        publish_refused=here.why_not(PublishRanking()),
        owing=cards_missing_entries(here),
        pairs=pairs,
        tied=[*pairs, *((second, first) for first, second in pairs)],
        waiting=waiting,
        modes=rules.duel_modes,
        in_the_way=tables_in_use(here, duels[0]) if duels else "",
        free_table=free_table(here),
        tie_duels=here.service.floor(state.tournament, all_duels=True) if state.tie_duels else (),
    )


def ranking_key(ranking: Standings) -> str:
    """Return a short hash of the places and amounts that a ranking makes public."""
    return content_key([(row.player, row.rank, row.final_score) for row in ranking.rows])


async def require_unchanged_ranking(here: TournamentContext) -> None:
    """Raise Refused if the ranking has changed since the judge's page was shown."""
    key = ranking_key(here.service.standings(here.state.tournament))
    await here.require_unchanged(key, FormReason.ANOTHER_RANKING)


@get("/{player:str}", needs=Permission.STANDINGS, audit=Audit("Showed a player their total"))
async def own_total(here: AtTournament, player: FromPath[str]) -> Template:
    """Show one player's total, to be seen by nobody else."""
    row = here.service.standings(here.state.tournament).row(PlayerId(player))
    if row is None:
        raise NotFoundException(Missing.PLAYER.value)
    return here.page("judge/own_total.html", row=row)


@post("/lots", needs=Permission.STANDINGS, audit=Audit("Drew lots to break ties"))
async def lots(here: AtTournament) -> Redirect:
    return await here.run(DrawLots(secrets.token_hex(_SEED_BYTES)), f"{here.url}/standings")


@post(
    "/one-on-one", needs=Permission.STANDINGS, audit=Audit("Entered a one-on-one game", keeps="pair winner")
)
async def one_on_one(here: AtTournament) -> Redirect:
    """Break a tie of two players by the result of a duel that they have played."""
    fields = await here.fields()
    winner = fields.text("winner")
    command = EnterOneOnOne(PlayerId(winner), _other(fields.text("pair"), winner))
    return await here.run(command, f"{here.url}/standings", Done.CHANGED)


@post(
    "/one-on-one/begin",
    needs=Permission.STANDINGS,
    audit=Audit("Called tied players to a table", keeps="pair kind"),
)
async def begin_one_on_one(here: AtTournament) -> Redirect:
    """Call two tied players to a table for a duel."""
    then, fields = f"{here.url}/standings", await here.fields()
    try:
        kind = MatchKind(fields.text("kind"))
    except ValueError:
        return here.refuse(FormReason.NO_DUEL_KIND, then)
    first, *others = fields.text("pair").split() or [""]
    pair = PlayerId(first), PlayerId(others[0] if others else "")
    command = BeginDuels.of_tie(pair, kind, secrets.token_hex(_SEED_BYTES))
    return await here.run(command, then, Done.DUELS_RUN)


@post(
    "/one-on-one/call-off",
    needs=Permission.STANDINGS,
    audit=Audit("Called off a duel of tied players", keeps="game"),
)
async def call_off_one_on_one(here: AtTournament) -> Redirect:
    game = GameId((await here.fields()).text("game"))
    return await here.run(CallOffTieDuel(game), f"{here.url}/standings", Done.CHANGED)


def _other(pair: str, winner: str) -> PlayerId:
    return PlayerId(next((player for player in pair.split() if player != winner), ""))


@post("/publish", needs=Permission.STANDINGS, audit=Audit("Published the ranking"))
async def publish(here: AtTournament) -> Redirect:
    """End the tournament with the ranking that the judge has seen."""
    return await _publish(here)


async def _publish(here: TournamentContext) -> Redirect:
    await require_unchanged_ranking(here)
    state = await here.service.of(Desk).with_newcomers(here.state)
    return await here.run(PublishRanking(newcomers=state.newcomers), here.url)


@get("/{player:str}/why", needs=Permission.STANDINGS)
async def why(here: AtTournament, player: FromPath[str]) -> Template:
    return _why_page(here, "judge/why.html", player)


@get("/{player:str}", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def why_for_everybody(here: AtTournament, player: FromPath[str]) -> Template:
    """Show everybody the sums behind a player's score and rank, once they are public."""
    if here.state.entrant(PlayerId(player)) is not None and here.state.stage is not Stage.PUBLISHED:
        taken_back = here.state.ranking_taken_back
        raise NotFoundException((Missing.RANKING_TAKEN_BACK if taken_back else Missing.NOT_PUBLIC).value)
    return _why_page(here, "public/why.html", player)


def _why_page(here: TournamentContext, template: str, player: str) -> Template:
    wanted = here.player(player).player
    return here.page(template, why=here.service.why(here.state.tournament, wanted))


@get("/", needs=Permission.STANDINGS)
async def finals(here: AtTournament) -> Template:
    """Show the state of the finals and the judge's next step."""
    standings = here.service.standings(here.state.tournament)
    modes = () if here.rules.finals is None else here.rules.finals.modes
    return here.page(
        "judge/finals.html",
        standings=standings,
        ranking_key=ranking_key(standings),
        cards=here.service.floor(here.state.tournament, all_duels=True),
        modes=modes,
        rounds_refused=here.why_not(PublishRoundsRanking()),
        begin_refused=here.why_not(BeginDuels(kind=modes[0])) if modes else "",
        publish_refused=here.why_not(PublishRanking()),
        owing=cards_missing_entries(here),
        in_the_way=tables_in_use(here, BeginDuels(kind=modes[0])) if modes else "",
        free_table=free_table(here),
    )


@post("/rounds", needs=Permission.STANDINGS, audit=Audit("Published the ranking of the rounds"))
async def publish_rounds(here: AtTournament) -> Redirect:
    """Publish the ranking of the rounds that the judge has seen."""
    await require_unchanged_ranking(here)
    return await here.run(PublishRoundsRanking(), f"{here.url}/finals", Done.FINALISTS_NAMED)


@post(
    "/begin", needs=Permission.STANDINGS, audit=Audit("Called players to duels of the finals", keeps="kind")
)
async def begin_duels(here: AtTournament) -> Redirect:
    """Call the semifinals or the final to the tables."""
    then = f"{here.url}/finals"
    try:
        kind = MatchKind((await here.fields()).text("kind"))
    except ValueError:
        return here.refuse(FormReason.NO_DUEL_KIND, then)
    return await here.run(BeginDuels(kind=kind), then, Done.DUELS_RUN)


@post("/publish", needs=Permission.STANDINGS, audit=Audit("Published the finals"))
async def publish_finals(here: AtTournament) -> Redirect:
    """End the tournament with the finals' places and prizes that the judge has seen."""
    return await _publish(here)


routes = tournament_routes(
    standings,
    own_total,
    lots,
    one_on_one,
    begin_one_on_one,
    call_off_one_on_one,
    publish,
    why,
    under="/standings",
)
finals_routes = tournament_routes(finals, publish_rounds, begin_duels, publish_finals, under="/finals")
public_routes = Router("/t/{tournament:str}/why", dependencies=TOURNAMENT, route_handlers=[why_for_everybody])
