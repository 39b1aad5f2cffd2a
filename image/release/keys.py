"""The key that an image trusts: a given one, or one made here and clearly marked for trials."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from base.errors import BadData, Unavailable
from base.whole_file import disk_errors_as_unavailable, write_whole
from sync.update.bundle_file import generate_key, public_key_of, public_text

GIVEN: Final = "SALOON_RELEASE_KEY"
"""The variable with the path of an image's release.pub. If it is not set, a trial key is made."""


def key_folder(checkout: Path) -> Path:
    return checkout / "build/release"


def make_key(private: Path, *, is_for_trials: bool) -> Path:
    """Make a private key, and the public one beside it, and return the public one's file.

    Raises BadData if one of them exists already, or Unavailable.
    """
    shown = private.with_suffix(".pub")
    if private == shown:
        raise BadData(str(private), "this ending is for the public key; choose another ending")
    for there in (private, shown):
        if there.exists():
            raise BadData(str(there), "there is a key already; a lost key cannot be made again, so it stays")
    pem, public = generate_key()
    with disk_errors_as_unavailable(private):
        private.parent.mkdir(parents=True, exist_ok=True)
        write_whole(private, pem)
        write_whole(shown, public_text(public, is_for_trials=is_for_trials).encode())
        shown.chmod(0o644)
    return shown


def trial_key(checkout: Path) -> Path:
    """Return the file of the private trial key, which is made if there is none."""
    private = key_folder(checkout) / "development.pem"
    if not private.exists():
        make_key(private, is_for_trials=True)
    return private


def release_key_text(checkout: Path, environment: Mapping[str, str] = os.environ) -> str:
    """Return the ``release.pub`` for an image. Raises BadData if the given file is invalid."""
    given = environment.get(GIVEN, "")
    file = Path(given) if given else trial_key(checkout).with_suffix(".pub")
    try:
        text = file.read_text(encoding="ascii", errors="replace")
    except OSError as error:
        raise Unavailable(f"{file}: {error.strerror or error}") from error
    public_key_of(text, str(file))
    return text
