"""Imperfect people at the real app: they forget, press twice, enter late and mistake killers."""

import random
from collections.abc import Sequence
from typing import Final

from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand
from core.game.ending.judge_calls import WarnPlayer
from core.game.ending.rebel import RevealRebel
from core.game.play.abandonment import Abandon
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, HighNoonBegan, SkipTurn
from core.game.play.wounds import LoseLife, RegainLife, Rescue, SaveLastLife
from core.game.state.game import Cause, HighNoon, Phase
from core.terms import Role, SeatNo
from kiosk.view.table_view import TableQuestion
from tests.forgetful.hands import MOST_TOUCHES, Asked, CallsJudge, Faults, Hands
from tests.forgetful.true_game import Happening, TrueGame
from tests.kiosk.rig.virtual_table import VirtualTable

_CAUSES: Final = {
    Cause.DYNAMITE: "by-dynamite",
    Cause.OWN_DUEL: "by-own-duel",
    Cause.HIGH_NOON: "by-high-noon",
}
_RESCUES: Final = {Rescue.BEER: "rescue-beer", Rescue.SID_KETCHUM: "rescue-sid-ketchum"}
_REASON: Final = ("offence-slow-play", "reason-1", "do-it")
_LATER_S: Final = (5.0, 60.0)
"""Until a second player enters the same reshuffle."""


class People(Hands):
    """The players of one table. truth: what happens to them."""

    def __init__(self, table: VirtualTable, truth: TrueGame, faults: Faults, seed: int) -> None:
        super().__init__(table, faults, random.Random(f"people {seed}"))
        self._truth = truth
        seats = len(truth.roles)
        self._end_turn = self._shares(faults.end_turn, seats)
        self._hit = self._shares(faults.hit, seats)
        self._reshuffle = self._shares(faults.reshuffle, seats)
        self._late: list[Happening] = []
        self._now = truth.happenings[0].before
        self._reshuffled_in: list[SeatNo] = []
        self._is_answering = False
        self._at = 0
        self.tally = Asked()
        self.high_noon_entered: tuple[int, SeatNo] | None = None

    def play(self) -> None:
        for number, happening in enumerate(self._truth.happenings):
            self._at = number
            self._table.advance(happening.after_s)
            if self._chance.random() < self._faults.ghost:
                self.touch_anywhere()
            self.close_pages()
            self._answer_questions()
            self._miss_the_dead(self._faults.catches_up)
            self._now = happening.after
            if isinstance(happening.command, Reshuffle):
                self._reshuffled_in.append(_turn_of(happening))
            self._enter(happening)
            self._answer_questions()
            self._note_high_noon()
        if self._table.game.phase is Phase.PLAYING:
            # The game is over, and the glass plays on.
            self._answer_questions()
            self._miss_the_dead(1)

    # What is entered.

    def _enter(self, happening: Happening) -> None:
        if self._forgets(happening):
            self._late.append(happening)
            return
        if self._late and self._chance.random() < self._faults.catches_up:
            late, self._late = self._late, []
            for one in late:
                if not isinstance(one.command, EndTurn | SkipTurn):
                    self._touch_for(one)
        self._touch_for(happening)

    def _forgets(self, happening: Happening) -> bool:
        seat = happening.by - 1
        match happening.command:
            case EndTurn() | SkipTurn():
                return self._chance.random() < self._end_turn[seat]
            case LoseLife() | RegainLife():
                return self._chance.random() < self._hit[seat]
            case Reshuffle():
                return self._chance.random() < self._reshuffle[seat]
            case _:
                return False

    def _miss_the_dead(self, share: float) -> None:
        """See that players who are out are in play on the glass, by an undo or a lapse, and enter it."""
        for happening in self._truth.happenings:
            command = happening.command
            if self._table.game.phase is not Phase.PLAYING or not isinstance(command, Eliminate):
                continue
            alive = self._table.game.seats[command.seat - 1].in_play
            is_out = not self._now.seats[command.seat - 1].in_play
            if alive and is_out and self._chance.random() < share and not self.touch_if("redo"):
                self._eliminate(happening, command)

    def _touch_for(self, happening: Happening) -> None:
        table = self._table
        if isinstance(happening.command, Eliminate) and self._is_out_too(happening.command):
            return
        if table.scene() == "new-sheriff":
            self.touch("back")
        if table.game.phase is not Phase.PLAYING:
            return
        match happening.command:
            case EndTurn() | SkipTurn():
                self._end(happening)
            case LoseLife(seat=seat):
                if table.game.seats[seat - 1].life > 0:
                    self.touch_if(f"seat-{seat}-minus")
            case RegainLife(seat=seat):
                self.touch_if(f"seat-{seat}-plus")
            case Reshuffle():
                self._reshuffle_deck(happening)
            case _:
                self._decide_fate(happening)

    def _decide_fate(self, happening: Happening) -> None:
        """Enter what becomes of a player without life points, or of the Rebel!."""
        match happening.command:
            case SaveLastLife(seat=seat, rescue=rescue):
                if self._table.game.pending[:1] == (seat,):
                    self.touch_if(_RESCUES[rescue])
            case Eliminate() as command:
                self._eliminate(happening, command)
            case AnswerRevolution():
                self._answer_revolution()
            case RevealRebel(seat=seat):
                self._reveal_rebel(seat)
            case WarnPlayer() | Abandon() | EndByTimeLimit():
                self._judge_comes(happening.command)
            case _:
                raise ValueError(f"{happening.command} does not happen")

    def _answer_revolution(self, killer: SeatNo | None = None) -> bool:
        """Answer whether a player is the Rebel!; return whether somebody else eliminated the Sheriff.

        killer: who did; the glass says "You eliminated the Sheriff" to the one who was named.
        """
        seat_no = self._table.game.revolution_question
        if seat_no is not None:
            if killer not in {None, seat_no} and self._chance.random() < self._faults.notices:
                return self.touch_if("undo")
            is_rebel = self._truth.roles[seat_no - 1] is Role.REBEL
            self.touch("revolution-yes" if is_rebel else "revolution-no")
            if self._table.scene() == "new-sheriff":
                self.touch("back")
        return False

    def _reveal_rebel(self, seat: SeatNo) -> None:
        if self._table.game.turn != seat:
            self.touch_if(f"seat-{seat}-turn")
        self.touch(f"seat-{seat}-menu")
        self.touch_if("reveal-rebel")
        self.close_pages()

    def _judge_comes(self, command: WarnPlayer | Abandon | EndByTimeLimit) -> None:
        table, pages = self._table, tuple[str, ...]()
        match command:
            case WarnPlayer(seat=seat):
                pages = ("menu", "judge-menu", "warn", f"warn-seat-{seat}", *_REASON)
            case Abandon(seat=seat) if table.game.seats[seat - 1].passive:
                # The second warning has ejected the player.
                return
            case Abandon(seat=seat, ejected=True):
                away = ("player-leaves", f"leaves-seat-{seat}", f"seat-{seat}-eject")
                pages = ("menu", "judge-menu", *away, *_REASON)
            case Abandon(seat=seat):
                pages = (f"seat-{seat}-menu", f"seat-{seat}-leaves", f"seat-{seat}-abandon")
            case EndByTimeLimit():
                pages = ("menu", "judge-menu", "end-by-time-limit", "time-no-winner")
        table.turn_key(on=True)
        for name in pages:
            if not table.offers(name) and table.offers("offence-others"):
                table.touch("offence-others")
            if not table.offers(name):
                raise CallsJudge(f"{name} is not offered: {table.scene()} {table.says()}")
            table.touch(name)
        table.turn_key(on=False)
        if table.offers("dismiss"):
            table.touch("dismiss")

    def _reshuffle_deck(self, happening: Happening) -> None:
        """Enter a reshuffle, and answer what is asked then; a second one may press for the same reshuffle."""
        self._press_reshuffle(happening)
        if self._chance.random() < self._faults.second_press and self._table.game.phase is Phase.PLAYING:
            self._table.advance(self._chance.uniform(*_LATER_S))
            self._press_reshuffle(happening)

    def _press_reshuffle(self, happening: Happening) -> None:
        table = self._table
        self.touch_if("reshuffle")
        if table.scene() == "reshuffle-again":
            right = table.game.reshuffles < self._now.reshuffles
            self.tally.questions += 1
            self.tally.in_vain += right
            right = right == (self._chance.random() < self._faults.notices)
            self.tally.about_deck.append(self._now.turns)
            self.touch("reshuffled-again" if right else "back")
        if table.scene() == "reshuffled-in-turn":
            self.tally.questions += 1
            self.tally.about_deck.append(self._now.turns)
            turn_shown, turn = table.game.turn, _turn_of(happening)
            self.tally.in_vain += turn_shown == turn
            notices = self._chance.random() < self._faults.notices
            self.touch(self.first(f"in-turn-{turn if notices else turn_shown}", f"in-turn-{turn_shown}"))

    def _end(self, happening: Happening) -> None:
        game, following = self._table.game, happening.after.turn
        if isinstance(happening.command, SkipTurn) and self._skips(happening.by):
            return
        if not self._table.offers("end-turn") or game.turn == following:
            return
        if game.turn != happening.by and self._chance.random() < self._faults.looks and following is not None:
            self.touch_if(f"seat-{following}-turn")
            return
        self.touch("end-turn")

    def _skips(self, seat: SeatNo) -> bool:
        if self._table.game.turn != seat or not self._table.offers(f"seat-{seat}-menu"):
            return False
        self.touch(f"seat-{seat}-menu")
        offered = self._table.offers("skip-turn")
        self.touch("skip-turn" if offered else "back")
        return offered

    def _eliminate(self, happening: Happening, command: Eliminate) -> None:
        table, seat = self._table, command.seat
        if table.game.seats[seat - 1].in_play is False:
            return
        if self._chance.random() < self._faults.wrong_out:
            self.take_out_another(seat)
        named = self._killer(command)
        for _ in range(MOST_TOUCHES):
            if table.game.phase is not Phase.PLAYING or not table.game.seats[seat - 1].in_play:
                return
            if table.scene() == "eliminate":
                named = self._answer_elimination(happening, command, named)
                continue
            self._settle_others(seat)
            if table.scene() == "whose-turn":
                self._answer_whose_turn()
            elif table.scene() == "revolution" and self._answer_revolution(command.by):
                named = self._true_killer(command)
            elif table.scene() != "revolution":
                self._open_elimination(seat)
        raise CallsJudge(f"seat {seat} is not out: {table.scene()} {table.says()}")

    def _open_elimination(self, seat: SeatNo) -> None:
        game = self._table.game
        if seat in game.pending[:1] or seat in game.doubtful[:1]:
            self.touch("eliminated")
        elif not self.touch_if(f"seat-{seat}-out") and game.phase is Phase.PLAYING:
            self.touch(f"seat-{seat}-menu", "eliminated")

    def _is_out_too(self, command: Eliminate) -> bool:
        """Enter one more victim of the card that has ended the game, or overthrown the Sheriff."""
        if not self._table.offers("out-too") or not self._is_same_card(command.seat):
            return False
        self.touch("out-too")
        if not self.touch_if(f"seat-{command.seat}-out-too"):
            self.close_pages()
            return False
        self.touch(f"role-{command.role.value}")
        self.close_pages()
        return True

    def _is_same_card(self, seat: SeatNo) -> bool:
        """Return whether the card of the glass's last elimination truly eliminated this player too."""
        cards = {out.seat: out.effect for out in self._truth.final.eliminations}
        last = self._table.game.eliminations[-1:]
        return any(cards.get(out.seat) == cards[seat] for out in last)

    def _answer_same_card(self, seat: SeatNo) -> None:
        is_same = self._is_same_card(seat)
        self.tally.questions += 1
        self.tally.in_vain += not is_same
        notices = self._chance.random() < self._faults.notices
        self.tally.wrongly += not notices
        self.touch("same-card" if is_same == notices else "other-card")

    def _answer_elimination(self, happening: Happening, command: Eliminate, named: str) -> str:
        """Answer one question of an elimination; the killer who is named from now on."""
        table, duellist = self._table, f"by-seat-{command.by}"
        if table.offers("other-turn") or table.offers("same-turn"):
            return self._answer_turn_of_killer(happening, command, named)
        if table.offers("same-card"):
            self._answer_same_card(command.seat)
        elif table.offers(f"role-{command.role.value}"):
            self.touch(f"role-{command.role.value}")
        elif named == "by-own-duel" and table.offers(duellist) and not table.offers("by-nobody"):
            self.touch(duellist)
        elif table.offers(named):
            self.touch(named)
        elif table.offers("by-nobody") and named != self._true_killer(command):
            # Somebody who has left isn't offered: the table sees that it was wrong.
            return self._true_killer(command)
        elif table.offers("by-nobody") and not named.startswith("by-seat"):
            self.touch("by-nobody")
            if not table.offers(named) and not self._enter_missed_high_noon():
                # Another question is open, and is answered first.
                while table.scene() == "eliminate":
                    self.touch("back")
        else:
            # Nothing fits: another question is open, and is answered first.
            self.touch("back")
        return named

    def _enter_missed_high_noon(self) -> bool:
        """Enter the reshuffle that High Noon waits for; return whether the glass offers it."""
        if not self.touch_if("missed-high-noon"):
            return False
        self.tally.about_deck.append(self._now.turns)
        self._name_turn_of_reshuffle()
        return True

    def _name_turn_of_reshuffle(self) -> None:
        if self._table.scene() == "late-reshuffle":
            turns = self._reshuffled_in[self._table.game.reshuffles :]
            self.touch(self.first(*(f"during-{turn}" for turn in turns[:1]), *reversed(self.like("during-"))))

    def _answer_turn_of_killer(self, happening: Happening, command: Eliminate, named: str) -> str:
        """Answer whose turn it is, if not the killer's; the killer who is named from now on."""
        self.tally.questions += 1
        self.tally.about_turn.append(self._now.turns)
        turn = happening.before.turn
        # Dynamite and their own Duel happen in the victim's turn.
        acting = named.removeprefix("by-seat-") if named.startswith("by-seat-") else str(command.seat)
        notices = self._chance.random() < self._faults.notices
        if notices and named != self._true_killer(command):
            self.touch("back")
            return self._true_killer(command)
        if not notices or acting != str(turn):
            right = self._table.offers(f"turn-of-{turn}")
            self.touch(f"turn-of-{turn}" if right and notices else self._same_turn())
        else:
            self.touch("other-turn")
        return named

    def _same_turn(self) -> str:
        offered = [t.id for t in self._table.screen.targets() if t.enabled]
        return next(name for name in ("same-turn", "other-turn") if name in offered)

    def _killer(self, command: Eliminate) -> str:
        right = self._true_killer(command)
        if not right.startswith("by-seat") or self._chance.random() >= self._faults.killer:
            return right
        others = [s.seat for s in self._now.seats if s.in_play and s.seat not in {command.seat, command.by}]
        return f"by-seat-{self._chance.choice(others)}" if others else right

    @staticmethod
    def _true_killer(command: Eliminate) -> str:
        return f"by-seat-{command.by}" if command.cause is Cause.PLAYER else _CAUSES[command.cause]

    # What is asked.

    def _settle_others(self, but: SeatNo | None = None) -> None:
        table = self._table
        for _ in range(MOST_TOUCHES):
            game = table.game
            seat_no = next(iter((*game.pending, *game.doubtful)), None)
            if game.phase is not Phase.PLAYING or seat_no is None or seat_no == but:
                return
            if self._lives(seat_no):
                self.touch(self.first("still-in-play", "rescue-sid-ketchum", "rescue-beer", "undo"))
                continue
            fate = self._fate(seat_no)
            if but is None or fate is None:
                return
            self._touch_for(fate)

    def _fate(self, seat: SeatNo) -> Happening | None:
        before, after = self._truth.happenings[: self._at + 1], self._truth.happenings[self._at :]
        if seat in self._now.pending:
            following = next((h for h in after if getattr(h.command, "seat", None) == seat), None)
            return following if following and isinstance(following.command, Eliminate) else None
        return next((h for h in reversed(before) if _is_elimination(h.command, seat)), None)

    def _lives(self, seat: SeatNo) -> bool:
        return self._now.seats[seat - 1].in_play and seat not in self._now.pending

    def _answer_questions(self) -> None:
        table = self._table
        for _ in range(MOST_TOUCHES):
            if table.game.phase is not Phase.PLAYING:
                return
            self._settle_others()
            question = table.question
            if table.scene() == "whose-turn":
                self._answer_whose_turn()
            elif question is TableQuestion.STILL_TURN and table.offers("still-turn"):
                self._answer_still_turn()
            elif question is TableQuestion.RESHUFFLED and table.offers("reshuffled"):
                self._answer_reshuffled()
            else:
                return

    def _answer_whose_turn(self) -> None:
        self.tally.about_deck.append(self._now.turns)
        turn = self._now.turn
        if not self.touch_if(f"seat-{turn}-turn"):
            self.touch(self.first(*self.like(suffix="-turn")))

    def _answer_still_turn(self) -> None:
        game, turn = self._table.game, self._now.turn
        self.tally.questions += 1
        self.tally.about_turn.append(self._now.turns)
        if game.turn == turn and not self._late:
            self.tally.in_vain += 1
        notices = game.turn != turn and self._chance.random() < self._faults.notices
        if not (notices and self.touch_if(f"seat-{turn}-turn")):
            self.touch("still-turn")

    def _answer_reshuffled(self) -> None:
        game = self._table.game
        missing = self._now.reshuffles - game.reshuffles
        self.tally.questions += 1
        self.tally.about_deck.append(self._now.turns)
        if missing <= 0:
            self.tally.in_vain += 1
        if missing <= 0 or self._chance.random() >= self._faults.notices:
            self.touch("not-reshuffled")
            return
        self._late = [one for one in self._late if not isinstance(one.command, Reshuffle)]
        self.touch("reshuffled")
        self._name_turn_of_reshuffle()

    def _note_high_noon(self) -> None:
        game = self._table.game
        if game.high_noon is HighNoon.ON and self.high_noon_entered is None:
            self.high_noon_entered = (self._now.turns, high_noon_seat(self._table))

    def after_touch(self) -> None:
        if self._table.scene() == "turn-again" and not self._is_answering:
            self._is_answering = True
            self._answer_turn_again()
            self._is_answering = False

    def _answer_turn_again(self) -> None:
        """Answer whether the glass has run ahead of the true turn, or a whole round behind it."""
        table, is_ahead = self._table, self._table.game.turns > self._now.turns
        self.tally.questions += 1
        self.tally.about_turn.append(self._now.turns)
        self.tally.in_vain += not is_ahead
        if not is_ahead or self._chance.random() >= self._faults.notices:
            self.touch("round-on")
        else:
            self.touch("turn-back" if table.game.turns - self._now.turns == 1 else "back")

    def _shares(self, most: float, seats: int) -> Sequence[float]:
        return [self._chance.uniform(0, most) for _ in range(seats)]


def _is_elimination(command: GameCommand, seat: SeatNo) -> bool:
    return isinstance(command, Eliminate) and command.seat == seat


def high_noon_seat(table: VirtualTable) -> SeatNo:
    timeline = table.view.timeline
    assert timeline is not None
    events = (event for step in reversed(timeline.steps) for event in step.events)
    return next(event.seat for event in events if isinstance(event, HighNoonBegan))


def _turn_of(happening: Happening) -> SeatNo:
    """The seat in whose turn the deck was reshuffled; its player may be out by then."""
    command, turn = happening.command, happening.before.turn
    during = command.during if isinstance(command, Reshuffle) else None
    assert turn is not None  # a game's turns are known in truth
    return turn if during is None else during
