"""Events of a game are stored as in version 1.0.0; every command is a decision or makes events."""

from collections.abc import Iterator
from typing import get_args

import msgspec

from core.game.events import GameEvent
from core.game.state.decisions import Event

STORED = {
    "advantage-taken": "advantage",
    "agreement-waived": "seat",
    "agreement-withdrawn": "seat",
    "auction-opened": "keepers?",
    "bid-passed": "seat",
    "bid-raised": "seat bid",
    "call-reason-given": "reason",
    "cards-kept": "seat cards dollars",
    "character-chosen": "seat character offered?",
    "character-entered": "seat character",
    "character-healed": "seat character points?",
    "character-kept": "seat character price",
    "character-left": "seat",
    "character-nominated": "seat character bid queue",
    "character-out": "seat character excess?",
    "character-picked": "seat character",
    "character-taken": "seat character price",
    "character-won": "seat character price",
    "character-wounded": "seat character points?",
    "characters-revealed": "characters",
    "characters-turned-up": "characters",
    "clock-doubted": "left_s?",
    "clock-extended": "seconds",
    "clock-paused": "left_s",
    "clock-resumed": "paused_s",
    "clock-started": "",
    "deck-reshuffled": "count",
    "duel-turn-started": "seat",
    "duel-won": "winner because ruling?",
    "elimination-corrected": "seat by cause role reason",
    "ending-agreed": "seat",
    "ending-disputed": "seat",
    "event-card-shown": "card",
    "game-began": "life",
    "game-ended": "ending because ruled?",
    "game-resumed": "",
    "game-voided": "reason",
    "hand-annulled": "character",
    "high-noon-armed": "",
    "high-noon-began": "seat",
    "high-noon-called": "reason?",
    "high-noon-survived": "seat",
    "judge-answered": "",
    "judge-called": "",
    "last-life-saved": "seat rescue points?",
    "life-corrected": "seat life reason",
    "life-lost": "seat points?",
    "life-regained": "seat points?",
    "line-chosen": "seat front jailed?",
    "line-shown": "seat front rear",
    "nominator-called": "seat",
    "order-corrected": "seats reason",
    "player-abandoned": "seat ejected? offence? reason? *",
    "player-came-back": "seat card life",
    "player-checked-in": "seat",
    "player-eliminated": "seat by role cause turn effect is_earlier? same_card? *",
    "player-restored": "seat life reason",
    "player-warned": "seat offence reason",
    "rebel-revealed": "seat",
    "record-mode-set": "mode",
    "reshuffles-corrected": "count high_noon reason",
    "revolution-asked": "seat",
    "revolution-made": "seat points",
    "roles-dealt": "",
    "roles-declared": "roles",
    "sheet-confirmed": "how",
    "starter-drawn": "seat",
    "steps-redone": "steps",
    "steps-undone": "steps",
    "table-seated": "game tournament tournament_name rules round table seats match?",
    "taker-called": "seat",
    "turn-corrected": "seat high_noon reason",
    "turn-named": "seat",
    "turn-skipped": "seat why",
    "turn-started": "seat loses?",
    "turn-unknown": "",
    "turns-corrected": "seat turns reason",
    "turns-passed": "seats doubtful?",
    "wounds-carried": "seat points?",
}
"""The fields by tag. A question mark: may be missing. With a star, those with their default are left out."""


def stored_as(kind: type[msgspec.Struct]) -> tuple[object, str]:
    fields = [field.encode_name + ("" if field.required else "?") for field in msgspec.structs.fields(kind)]
    config = kind.__struct_config__
    return config.tag, " ".join([*fields, "*"] if config.omit_defaults else fields)


def test_every_event_is_stored_and_read_with_the_fields_that_it_always_had() -> None:
    assert dict(map(stored_as, get_args(GameEvent))) == STORED


def leaves(base: type) -> Iterator[type]:
    below: list[type] = base.__subclasses__()
    return (leaf for one in below for leaf in leaves(one)) if below else iter((base,))


def test_the_list_of_events_is_complete() -> None:
    assert set(get_args(GameEvent)) == set(leaves(Event))
