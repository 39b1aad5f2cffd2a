"""The faults of a rehearsal and the judges' reactions as values; and its audit finds what is inconsistent."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.rehearsal.faults import HIDDEN_AT_FIRST, Ledger, RandomTrouble
from demo.rehearsal.report import AuditedJournal, JournalAudit, compare_journals, lines
from station.rehearsals.contract import ActionResult, FaultKind, JudgeAction, Solved

AT_TABLES = tuple(kind for kind in FaultKind if kind is not FaultKind.STATION_STALLS)
RIGHT_HAND = {
    FaultKind.CUT_CABLE: JudgeAction.CABLE,
    FaultKind.NOISY_LINE: JudgeAction.CABLE,
    FaultKind.FLAT_BATTERY: JudgeAction.POWER,
    FaultKind.SLEEPY_TABLE: JudgeAction.TALK,
    FaultKind.DISPUTED_ENDING: JudgeAction.TALK,
}
RIGHT_ACT = {
    FaultKind.DEAD_UNIT: Solved.SWAPPED,
    FaultKind.WALKED_AWAY: Solved.WITHDRAWN,
    FaultKind.WRONG_SHEET: Solved.CORRECTED,
}


def wrong_at_3(kind: FaultKind) -> Ledger:
    return Ledger().begin(3, kind, 10.0).show(3, kind, 20.0)


@pytest.mark.parametrize(("kind", "hand"), RIGHT_HAND.items())
def test_the_right_hand_solves_it_and_any_other_finds_nothing(kind: FaultKind, hand: JudgeAction) -> None:
    for tried in JudgeAction:
        ledger, _ = wrong_at_3(kind).perform(3, tried, 30.0)
        (fault,) = ledger.faults
        assert fault.reacted_s == 30.0
        assert (fault.solved is Solved.BY_HAND) == (tried is hand)


@pytest.mark.parametrize(("kind", "act"), RIGHT_ACT.items())
def test_what_no_hand_can_solve_is_solved_at_the_station(kind: FaultKind, act: Solved) -> None:
    ledger = wrong_at_3(kind)
    for hand in JudgeAction:
        ledger, _ = ledger.perform(3, hand, 30.0)
    assert ledger.has(3, kind)
    assert ledger.act(3, act, 40.0).faults[0].solved is act


def test_the_players_tell_what_no_screen_shows() -> None:
    assert wrong_at_3(FaultKind.WALKED_AWAY).perform(3, JudgeAction.TALK, 30.0)[1] is ActionResult.HAS_LEFT
    assert wrong_at_3(FaultKind.WRONG_SHEET).perform(3, JudgeAction.TALK, 30.0)[1] is ActionResult.WRONG_ROLES
    assert wrong_at_3(FaultKind.DEAD_UNIT).perform(3, JudgeAction.POWER, 30.0)[1] is ActionResult.STAYS_DARK
    assert Ledger().perform(3, JudgeAction.TALK, 30.0)[1] is ActionResult.ALL_WELL


@pytest.mark.parametrize("kind", AT_TABLES)
def test_taking_the_game_back_solves_everything_and_only_at_its_table(kind: FaultKind) -> None:
    ledger = wrong_at_3(kind).act(4, Solved.VOIDED, 30.0)
    assert ledger.has(3, kind)
    assert ledger.faults[0].reacted_s is None
    assert not ledger.act(3, Solved.VOIDED, 40.0).has(3, kind)


@pytest.mark.parametrize("kind", [kind for kind in FaultKind if kind in HIDDEN_AT_FIRST])
def test_what_lies_in_wait_is_unknown_to_players_and_cannot_be_reacted_to_before_it_shows(
    kind: FaultKind,
) -> None:
    waiting = Ledger().begin(3, kind, 10.0)
    ledger, said = waiting.perform(3, JudgeAction.TALK, 15.0)
    assert (said, ledger.has(3, kind)) == (ActionResult.ALL_WELL, True)
    assert waiting.faults[0].shows_s is None
    assert waiting.react(3, 15.0).faults[0].reacted_s is None
    assert waiting.show(3, kind, 20.0).react(3, 25.0).faults[0].reacted_s == 25.0


def test_an_accepted_sheet_ends_what_was_wrong_with_the_players_but_not_with_the_sheet() -> None:
    ledger = Ledger()
    for kind in AT_TABLES:
        ledger = ledger.begin(3, kind, 10.0)
    left = {fault.kind for fault in ledger.game_over(3, 50.0).open_at(3)}
    assert left == {FaultKind.WRONG_SHEET, FaultKind.CUT_CABLE, FaultKind.NOISY_LINE}


@given(
    kinds=st.lists(st.sampled_from(AT_TABLES), max_size=5),
    done=st.lists(st.sampled_from([*JudgeAction, *Solved, None]), max_size=8),
)
def test_time_goes_forward_in_every_fault(
    kinds: list[FaultKind], done: list[JudgeAction | Solved | None]
) -> None:
    ledger, now_s = Ledger(), 0.0
    for kind in kinds:
        now_s += 1
        ledger = ledger.begin(3, kind, now_s)
    for what in done:
        now_s += 1
        ledger = (
            ledger.perform(3, what, now_s)[0] if isinstance(what, JudgeAction) else ledger.act(3, what, now_s)
        )
    for fault in ledger.faults:
        times = [t for t in (fault.began_s, fault.shows_s, fault.reacted_s, fault.solved_s) if t is not None]
        assert times == sorted(times)
        assert (fault.solved is None) == (fault.solved_s is None)
    assert len(list(lines(ledger.faults))) == len(kinds)


def test_trouble_comes_about_as_often_as_asked_and_the_same_with_the_same_seed() -> None:
    def came(seed: int) -> list[tuple[int, tuple[int, FaultKind]]]:
        trouble = RandomTrouble(seed)
        seconds = range(36_000)
        return [(s, due) for s in seconds if (due := trouble.due(float(s), 30.0, (1, 2, 3))) is not None]

    assert 200 <= len(came(5)) <= 400
    assert came(5) == came(5)
    assert {kind for _, (_, kind) in came(5)} == set(FaultKind)
    assert RandomTrouble(1).due(1e9, 0.0, (1,)) is None


def test_no_trouble_comes_where_no_table_is_well() -> None:
    trouble = RandomTrouble(1)
    assert all(trouble.due(float(s), 3600.0, ()) is None for s in range(1000))


def test_the_debrief_says_who_came_when_and_what_was_never_solved() -> None:
    ledger, _ = wrong_at_3(FaultKind.CUT_CABLE).perform(3, JudgeAction.CABLE, 75.0)
    ledger = ledger.begin(0, FaultKind.STATION_STALLS, 100.0).begin(4, FaultKind.WRONG_SHEET, 110.0)
    assert list(lines(ledger.faults)) == [
        "  0:10  table 3: cut-cable; a judge came after 65 s; by-hand after 65 s",
        "  1:40  station: station-stalls; not solved",
        "  1:50  table 4: wrong-sheet; it never appeared",
    ]


WRITTEN = (b"one", b"two", b"three")
HELD = tuple(enumerate(WRITTEN, 1))


def hall(
    folder: Path, held: tuple[tuple[int, bytes], ...], *, quarantined: bool = False
) -> tuple[Path, Path]:
    station, journal = folder / "station.sqlite", folder / "journal.db"
    with closing(sqlite3.connect(station)) as database:
        database.execute("CREATE TABLE entries (arrival INTEGER PRIMARY KEY, stream TEXT, seq INT, raw BLOB)")
        database.execute("CREATE TABLE quarantine (number INT)")
        rows = [("table/ab", seq, raw) for seq, raw in held]
        database.executemany("INSERT INTO entries (stream, seq, raw) VALUES (?, ?, ?)", rows)
        if quarantined:
            database.execute("INSERT INTO quarantine VALUES (1)")
        database.commit()
    with closing(sqlite3.connect(journal)) as database:
        database.execute("CREATE TABLE own (seq INTEGER PRIMARY KEY, raw BLOB)")
        database.executemany("INSERT INTO own VALUES (?, ?)", HELD)
        database.commit()
    return station, journal


def audited(folder: Path, held: tuple[tuple[int, bytes], ...], *, destroyed: bool = False) -> JournalAudit:
    station, journal = hall(folder, held)
    return compare_journals(station, {"ab": AuditedJournal(journal, destroyed)})


def test_all_of_it_once_in_order_and_unaltered_is_well(tmp_path: Path) -> None:
    assert audited(tmp_path, HELD) == JournalAudit(entries=3)


def test_what_has_not_come_yet_is_owed_and_what_went_down_is_lost(tmp_path: Path) -> None:
    assert audited(tmp_path, HELD[:2]) == JournalAudit(entries=2, missing=1)
    (tmp_path / "other").mkdir()
    assert audited(tmp_path / "other", HELD[:1], destroyed=True) == JournalAudit(entries=1, lost=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "held",
    [
        (HELD[0], HELD[0], HELD[1]),
        (HELD[1], HELD[0]),
        (HELD[0], (2, b"twp")),
        (HELD[0], HELD[2]),
        (*HELD, (4, b"four")),
    ],
    ids=["doubled", "order", "altered", "gap", "invented"],
)
def test_anything_else_is_wrong(tmp_path: Path, held: tuple[tuple[int, bytes], ...]) -> None:
    assert audited(tmp_path, held).wrong


def test_entries_in_quarantine_are_wrong(tmp_path: Path) -> None:
    station, journal = hall(tmp_path, HELD, quarantined=True)
    assert compare_journals(station, {"ab": AuditedJournal(journal, destroyed=False)}).wrong
