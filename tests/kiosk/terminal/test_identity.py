from pathlib import Path

import pytest

from kiosk.terminal.identity import Identity
from kiosk.terminal.link.agent_startup import request_card_reset, reset_card_if_requested
from sync.tls.certificates import fingerprint_of_pem, own_identity


@pytest.mark.slow
def test_a_new_terminal_gets_a_key_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    names = set()
    for _ in range(2):
        with Identity(tmp_path / "data") as identity:
            key, certificate = identity.files()
        assert key.stat().st_mode & 0o777 == 0o600
        names.add(fingerprint_of_pem(certificate.read_text(encoding="ascii"), "certificate"))
    assert len(names) == 1


@pytest.mark.slow
def test_a_key_that_was_put_aside_since_the_start_is_followed_by_another(tmp_path: Path) -> None:
    key, _ = own_identity(tmp_path, "before")
    before = key.read_bytes()
    with Identity(tmp_path) as identity:
        key.unlink()
        identity.files()
    assert key.read_bytes() != before


@pytest.mark.slow
def test_a_key_that_is_being_set_aside_is_not_lost_to_a_new_one(tmp_path: Path) -> None:
    key, _ = own_identity(tmp_path, "before")
    before = key.read_bytes()
    request_card_reset(tmp_path)
    # The power fails after the first file was archived.
    (tmp_path / "aside-1").mkdir()
    key.rename(tmp_path / "aside-1/key.pem")
    with Identity(tmp_path) as identity:
        identity.close()
        reset_card_if_requested(tmp_path)
        key, _ = identity.files()
    assert (tmp_path / "aside-1/key.pem").read_bytes() == before
    assert key.read_bytes() != before


@pytest.mark.slow
def test_a_folder_that_cannot_hold_them_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with Identity(tmp_path / "data") as identity, pytest.raises(OSError, match="data"):
        identity.files()
