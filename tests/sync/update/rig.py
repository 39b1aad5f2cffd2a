"""A folder that looks like a terminal's image, and bundles for it."""

import hashlib
from pathlib import Path

import msgspec

from base.signing import signer
from sync.update.bundle import About, BundleHead, Manifest, head_of
from sync.update.bundle_file import generate_key, public_text
from sync.update.place import UpdateFolders

PRIVATE, PUBLIC = generate_key()
SIGN = signer(PRIVATE, "key")
OLD = About("0.2.0", "a1b2c3d4", 1_790_000_000, "arm64", "bookworm-1")
NEW = msgspec.structs.replace(OLD, version="0.3.0", build="e5f6")


def release_text(about: About) -> bytes:
    """Return the file ``release`` of a tree as the recipe writes it."""
    return (
        f'version="{about.version}"\ncommit="{about.build}"\nkind="terminal"\n'
        f'architecture="{about.architecture}"\nmade={about.made}\n'
    ).encode()


def image_in(root: Path, about: About = OLD) -> UpdateFolders:
    """Create the files of a terminal's image below a root."""
    for folder in ("usr/lib/saloon", "run/saloon/app", "run/saloon-terminal", "data/updates"):
        (root / folder).mkdir(parents=True)
    (root / "usr/lib/saloon/release.pub").write_text(public_text(PUBLIC, is_for_trials=True))
    (root / "usr/lib/saloon/base").write_text(f"{about.base}\n")
    (root / "run/saloon/app/release").write_bytes(release_text(about))
    return UpdateFolders(root, root / "run/saloon-terminal")


def head_for(payload: bytes, about: About = NEW) -> BundleHead:
    return head_of(Manifest(about, hashlib.sha256(payload).digest(), len(payload)), SIGN)
