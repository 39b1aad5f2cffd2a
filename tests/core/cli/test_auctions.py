"""Auctions for those who look from outside: worked cases that differ, and a replay."""

import json
from pathlib import Path

import msgspec
import pytest

from base.errors import BadData
from core.cli.cases.auctions import auction
from core.cli.cases.vectors import Vector, overridden
from core.editions.game_rules import BidOrder
from tests.core.cli.conftest import Run
from tests.core.game.auction.conftest import DECK, ENLISTMENT, RULES_2010, AuctionTable, stake


def case(*operations: dict[str, object], sheriff: int = 1, balances: tuple[int, ...] = (5000,) * 4) -> Vector:
    data = {
        "players": len(balances),
        "sheriff_seat": sheriff,
        "balances": balances,
        "characters": [character.value for character in DECK[: len(balances)]],
        "operations": operations,
    }
    return Vector("AU", msgspec.Raw(json.dumps(data).encode()))


def nominate(seat: int, bid: int, expect: str = "accept") -> dict[str, object]:
    return {"op": "nominate", "seat": seat, "character": "Bart Cassidy", "bid": bid, "expect": expect}


def test_a_case_counts_its_seats_from_its_own_sheriff() -> None:
    passes: list[dict[str, object]] = [{"op": "pass", "seat": seat, "expect": "accept"} for seat in (4, 1, 2)]
    result = auction(case(nominate(3, 200), *passes, sheriff=3), RULES_2010, "case")
    assert isinstance(result["assignments"], list)
    assert result["assignments"][2] == {
        "seat": 3, "character": "Bart Cassidy", "paid": 200, "balance_after": 4800,
    }  # fmt: skip


def test_an_operation_that_goes_otherwise_is_named() -> None:
    result = auction(case(nominate(1, 150)), RULES_2010, "case")
    assert result["assignments"] == "operation 0 (nominate) is rejected"
    result = auction(case(nominate(1, 100, "reject")), RULES_2010, "case")
    assert result["assignments"] == "operation 0 (nominate) is accepted"


def test_what_enlistment_leaves_open_can_be_read_otherwise() -> None:
    flags = {"enlistment_bid_order": "clockwise", "enlistment_bid_step": 50}
    read = overridden(ENLISTMENT, flags, "case").auction
    assert read is not None
    assert (read.order, read.step) == (BidOrder.CLOCKWISE, 50)
    assert overridden(ENLISTMENT, {"enlistment_next_nominator": "from_nominator"}, "case") == ENLISTMENT
    with pytest.raises(BadData, match="sideways"):
        overridden(ENLISTMENT, {"enlistment_bid_order": "sideways"}, "case")


def test_a_replay_tells_the_bids_and_sales(tmp_path: Path, run: Run) -> None:
    table = AuctionTable(RULES_2010).opened([stake(5000)] * 4).turned_up()
    table.nominate(1, DECK[0], 0)
    table.raises(2, 300)
    table.passes(3, 4, 1)
    path = tmp_path / "steps.json"
    path.write_bytes(msgspec.json.encode(table.log))
    output = " ".join(run("replay", path).output.split())
    assert "characters-revealed characters Bart Cassidy" in output
    assert "bid-raised seat 2 bid 300" in output
    assert "character-won seat 2" in output
    answers = json.loads(run("replay", path, "--json").output)[0]
    assert answers["state"]["auction"]["sales"][0]["price"] == 300
