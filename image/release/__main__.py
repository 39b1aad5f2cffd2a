"""The command-line program: ``python -m image.release keygen | bundle | verify | show | trials | imager``."""

import sys
import tempfile
from pathlib import Path

import click

from base.errors import SaloonError
from image.release.imager import imager_list
from image.release.keys import make_key, trial_key
from image.release.trees import PROGRAM, release_of, renamed, squashed, unpacked
from sync.update.bundle import About, BundleHead
from sync.update.bundle_file import make_bundle, open_bundle, public_key_in, signing

CHECKOUT = Path(__file__).parents[2]
_BASE = CHECKOUT / "image/common/root/usr/lib/saloon/base"
_FILE = click.Path(dir_okay=False, path_type=Path)
_key = click.option("--key", type=_FILE, help="The private key; by default one for trials, in build/release.")


def bundled(payload: Path, key: Path, out: Path) -> BundleHead:
    """Return the signed bundle of a squashfs of the program, for the base of this checkout's images."""
    about = release_of(payload)
    base = _BASE.read_text(encoding="ascii").strip()
    needs = About(about.version, about.build, about.made, about.architecture, base)
    return make_bundle(payload, needs, signing(key)[0], out)


@click.group()
def release() -> None:
    """Sign versions of the terminals' program for distribution in a hall."""


@release.command()
@click.argument("private", type=_FILE)
def keygen(private: Path) -> None:
    """Make a key: PRIVATE, to be kept off all computers of a hall, and next to it a .pub for images."""
    public = make_key(private, is_for_trials=False)
    click.echo(f"{private}: whoever has it can run anything on every terminal. Keep it off the network.")
    click.echo(f"{public}: goes into images (SALOON_RELEASE_KEY={public} make image)")


@release.command()
@click.argument("payload", type=click.Path(path_type=Path, exists=True))
@_key
@click.option("--out", type=_FILE, help="The bundle to write; by default beside the payload.")
def bundle(payload: Path, key: Path | None, out: Path | None) -> None:
    """Sign PAYLOAD, a squashfs of the program's tree (``python -m image.recipe app``) or the tree itself."""
    with tempfile.TemporaryDirectory() as work:
        source = squashed(payload, Path(work) / "app.squashfs") if payload.is_dir() else payload
        about = release_of(source)
        made = out or payload.parent / f"saloon-{about.name}-{about.architecture}.saloon"
        _say(made, bundled(source, key or trial_key(CHECKOUT), made))


@release.command()
@click.argument("file", type=_FILE)
@click.argument("public", type=_FILE)
def verify(file: Path, public: Path) -> None:
    """Check every byte of the bundle FILE, and that it was signed by the owner of PUBLIC (a .pub)."""
    _say(file, open_bundle(file, public_key_in(public) or b"").head)


@release.command()
@click.argument("file", type=_FILE)
def show(file: Path) -> None:
    """Show what the bundle FILE contains; ``verify`` checks its signature."""
    _say(file, open_bundle(file, None).head)


@release.command()
@click.argument("payload", type=click.Path(dir_okay=False, path_type=Path, exists=True))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@_key
def trials(payload: Path, folder: Path, key: Path | None) -> None:
    """Make two newer versions of PAYLOAD for trials: good.saloon, and bad.saloon, which lacks its program."""
    signs, folder = key or trial_key(CHECKOUT), folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        tree = unpacked(payload, Path(work) / "tree")
        version = release_of(payload).version
        for number, name in enumerate(("good", "bad"), 1):
            renamed(tree, f"{version}.{number}")
            if name == "bad":
                (tree / PROGRAM).unlink()
            source, out = squashed(tree, Path(work) / f"{name}.squashfs"), folder / f"{name}.saloon"
            _say(out, bundled(source, signs, out))


@release.command()
@click.argument(
    "images", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path, exists=True)
)
@click.option("--url", required=True, metavar="URL", help="The folder where the .img.xz files are offered.")
def imager(images: tuple[Path, ...], url: str) -> None:
    """Print a list of IMAGES for Raspberry Pi Imager; open it with ``rpi-imager --repo``."""
    click.echo(imager_list(images, url), nl=False)


def _say(file: Path, head: BundleHead) -> None:
    manifest, about = head.manifest, head.manifest.about
    click.echo(f"{file}: {about.name} for {about.architecture} on {about.base}, {manifest.payload} bytes")
    click.echo(f"  {manifest.name}")


def main() -> None:
    """Run a command; an error exits with a message and status 2."""
    try:
        release.main(prog_name="python -m image.release", standalone_mode=True)
    except SaloonError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
