"""Players who leave in the middle of a game."""

from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.game.play.auction import require_auction
from core.game.play.bidding import without_leaver
from core.game.play.turns import pass_turns
from core.game.state.decisions import Decision, Draft, Event
from core.game.state.game import Abandonment, GameState, Penalty, Phase
from core.game.state.offences import Offence
from core.game.state.reasons import GameReason
from core.game.state.seats import (
    MAY_LEAVE,
    end_seating_if_complete,
    recorded_seat,
    require_phase,
    seat_in_play,
    with_seat,
)
from core.terms import SeatNo


class Abandon(Decision, frozen=True, tag="player-abandoned", omit_defaults=True):
    """Record that a player leaves or is ejected. Their character stays, and its turns are skipped.

    offence, reason: why the judge ejects the player; missing in older logs and for ejections at the station.
    Source: Championship 2022/23 v1.4, 1.4 "Abandoning the tournament".
    """

    seat: SeatNo
    ejected: bool = False
    offence: Offence | None = None
    reason: str = ""

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        check_leaving(state, self.seat)
        draft = Draft(state).then(self)
        if state.phase is Phase.AUCTION:
            return without_leaver(draft, self.seat, require_auction(state, edition), edition).events
        return pass_turns(draft, edition).events

    def apply(self, state: GameState) -> GameState:
        abandonment = Abandonment(self.seat, len(state.eliminations), self.ejected)
        ejection = Penalty(self.seat, self.offence, self.reason)
        left = replace(
            with_seat(state, replace(recorded_seat(state, self.seat), passive=True)),
            abandonments=(*state.abandonments, abandonment),
            ejections=(*state.ejections, ejection) if self.ejected else state.ejections,
            hits_by_leavers=(*state.hits_by_leavers, *((hit, self.seat) for hit in state.pending)),
        )
        return end_seating_if_complete(left)


def check_leaving(state: GameState, number: SeatNo) -> None:
    """Raise Refused unless the player of this seat is in play and hasn't left yet."""
    require_phase(state, *MAY_LEAVE)
    if seat_in_play(state, number).passive:
        raise Refused(GameReason.ALREADY_PASSIVE, seat=number)
