"""The state of the checkout: version, commit, time, and hashes of the files used for images."""

import subprocess
from pathlib import Path

from base import __version__
from base.errors import BadData
from image.recipe.plan import Source, digest_of_files
from image.recipe.target import Target

CHECKOUT = Path(__file__).parents[2]
_ROOMS = (
    "base",
    "core",
    "hardware",
    "kiosk",
    "station",
    "sync",
    "requirements",
    "pyproject.toml",
    "hatch_build.py",
)


def _git(*words: str) -> str:
    # In a user namespace the checkout appears to belong to another user.
    command = ("git", "-c", f"safe.directory={CHECKOUT}", "-C", str(CHECKOUT), *words)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BadData(str(CHECKOUT), f"an image can only be built from a git checkout: {done.stderr.strip()}")
    return done.stdout.strip()


def source_of(target: Target) -> Source:
    """Return the checkout's state, in which a plus after the commit marks uncommitted changes."""
    changed = _git("status", "--porcelain", "--untracked-files=no")
    image = CHECKOUT / "image"
    recipe = [image / "recipe" / name for name in ("layers.py", "apt.py", "drivers.py")]
    parts = (image / "common", image / target.kind.value)
    return Source(
        version=__version__,
        commit=_git("rev-parse", "--short=12", "HEAD") + ("+" if changed else ""),
        epoch=int(_git("log", "-1", "--format=%ct")),
        files={
            "layers": digest_of_files(recipe),
            "app": digest_of_files(CHECKOUT / name for name in _ROOMS),
            "initramfs": digest_of_files([image / "initramfs"]),
            "root": digest_of_files(part / "root" for part in parts),
            "boot": digest_of_files(part / "boot" for part in parts),
        },
    )
