from pathlib import Path

import pytest

from saloon.hardware.wiring import ButtonWiring, WiringFault, read_wiring, shipped_wiring, wiring_of


def test_the_shipped_panel_has_every_part() -> None:
    assert dict(shipped_wiring().pins()) == {
        "button reshuffle": 17,
        "button end-turn": 27,
        "button call-judge": 22,
        "key": 23,
        "lamp red": 5,
        "lamp green": 6,
        "lamp blue": 13,
        "buzzer": 19,
    }


def test_every_part_may_be_left_out() -> None:
    wiring = wiring_of('name = "one button"\n[buttons.reshuffle]\npin = 4\nhold_ms = 500\n', "x")
    assert wiring.buttons == {"reshuffle": ButtonWiring(4, to_ground=True, hold_ms=500)}
    assert (wiring.key, wiring.lamp, wiring.buzzer) == (None, None, None)
    assert wiring_of('name = "nothing"', "x").pins() == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = 'x'\npin 4", "not TOML.*line 2"),
        ("", "missing required field `name`"),
        ("name = 'x'\ncolour = 1", "unknown field `colour`"),
        ("name = 'x'\n[key]\npin = 28", r"<= 27.*\$\.key\.pin"),
        ("name = 'x'\n[key]\npin = -1", r">= 0.*\$\.key\.pin"),
        ("name = 'x'\n[buzzer]\npin = 4\nsound = 'loud'", r"Invalid enum value 'loud'.*\$\.buzzer\.sound"),
        ("name = 'x'\n[key]\npin = '17'", r"Expected `int`, got `str`.*\$\.key\.pin"),
        ("name = 'x'\n[lamp]\nred = 1\ngreen = 2", r"missing required field `blue`.*\$\.lamp"),
        ("name = 'x'\n[buttons.reshuffle]\npin = 1\nhold_ms = 0", r">= 100.*hold_ms"),
        (
            "name = 'x'\n[buttons.bang]\npin = 1",
            "no such button; there are call-judge",
        ),
        ("name = 'x'\n[key]\npin = 5\n[buzzer]\npin = 5", "pin 5 is already the one of key"),
        (
            "name = 'x'\n[lamp]\nred = 5\ngreen = 5\nblue = 6",
            "pin 5 is already the one of lamp red",
        ),
    ],
)
def test_a_wrong_file_is_named_with_the_key_and_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(WiringFault, match=f"^panel.toml: .*{said}"):
        wiring_of(text, "panel.toml")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(WiringFault, match=r"no\.toml"):
        read_wiring(tmp_path / "no.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(WiringFault, match=r"binary\.toml"):
        read_wiring(tmp_path / "binary.toml")


def test_an_unknown_panel_says_which_there_are() -> None:
    with pytest.raises(WiringFault, match="panel deluxe: no such panel; there are bare-pi"):
        shipped_wiring("deluxe")
