"""The command-line program: ``python -m image.recipe`` builds an image, ``… app`` the part for an update."""

import os
import shutil
import signal
import sys
from pathlib import Path
from time import monotonic
from typing import TypedDict, Unpack

import click
import msgspec
from rich.console import Console
from rich.table import Table

from base.console import plain_console
from base.errors import SaloonError
from image.recipe.build import Builder, working_folder
from image.recipe.card.disk import BOOT_SIZE, DATA_SIZE
from image.recipe.card.layout import MIB, identifier_of
from image.recipe.checkout import CHECKOUT, source_of
from image.recipe.contents import contents_of
from image.recipe.packages.apt_sources import rendered, sources_of
from image.recipe.plan import Plan, Stage, plan_of
from image.recipe.progress import BuildProgress
from image.recipe.requirements_check import check, check_tools, find_tool, inside, missing_tools, tools_of
from image.recipe.target import Architecture, Kind, Target

_INSIDE = "SALOON_RECIPE_INSIDE"
_CONTENTS = CHECKOUT / "image/packages.toml"
_OUT = CHECKOUT / "build/image"
_FOLDER = click.Path(path_type=Path, file_okay=False)


def planned(target: Target, apt: Path, out: Path) -> Plan:
    """Return the plan of an image. Raises BadData for an unsuitable checkout or unsuitable apt sources."""
    contents = contents_of(_CONTENTS)
    sources = rendered(sources_of(apt, contents.suite))
    in_cache = frozenset(path.name for path in (out / "cache").glob("*.tar"))
    return plan_of(target, contents, sources, source_of(target), in_cache)


def show(plan: Plan, console: Console) -> None:
    """Print a plan: steps, cached results, packages to install and the disk."""
    source, of_kind = plan.source, plan.contents.of_kind(plan.target.kind)
    console.print(
        f"{plan.target.name}: Saloon {source.version}, commit {source.commit}, Debian {plan.contents.suite}"
    )
    table = Table("step", "what", "made of", "", box=None)
    for step in plan.steps:
        table.add_row(
            step.stage.name.lower(), step.stage.value, step.key, "in the cache" if step.cached else ""
        )
    console.print(table)
    for stage in (Stage.BASE, Stage.KIND):
        layer = plan.layer(stage)
        console.print(f"{stage.name.lower()} installs: {' '.join(layer.packages)}")
        console.print(f"{stage.name.lower()} unpacks: {' '.join(layer.unpacked)}")
    console.print(f"distributions: {' '.join(of_kind.python)} and what they need")
    console.print(f"compiled: {' '.join(of_kind.built) or 'none'}")
    console.print(
        f"disk {identifier_of(plan.target)}: boot {BOOT_SIZE // MIB} MiB FAT32,"
        f" root squashfs, data {DATA_SIZE // MIB} MiB ext4 that grows on the board"
    )
    missing = missing_tools(find_tool, tools_of(plan.target.architecture, compiles=bool(of_kind.built)))
    if missing:
        console.print(f"to build it here: apt install {' '.join(missing)}", style="yellow")


def _compiles(target: Target) -> bool:
    return bool(contents_of(_CONTENTS).of_kind(target.kind).built)


def _enter(target: Target, out: Path) -> None:
    """Check the machine and, unless we are root, restart as "root" of a user namespace."""
    if _INSIDE in os.environ:
        return
    check(target.architecture, out, compiles=_compiles(target))
    command = inside([sys.executable, "-m", "image.recipe", *sys.argv[1:]])
    if os.geteuid() != 0:
        os.execvpe(command[0], command, {**os.environ, _INSIDE: "1"})  # noqa: S606


def _ended(number: int, _frame: object) -> None:
    sys.exit(128 + number)


class _Options(TypedDict):
    station: bool
    arch: str
    apt: Path
    out: Path
    dry_run: bool
    refresh: bool


class _Given(msgspec.Struct, frozen=True):
    """The common options of all commands."""

    target: Target
    apt: Path
    out: Path

    def plan(self) -> Plan:
        return planned(self.target, self.apt, self.out)


@click.group(invoke_without_command=True)
@click.option("--station", is_flag=True, help="Build the station's image instead of a terminal's.")
@click.option(
    "--arch", type=click.Choice([a.value for a in Architecture]), default="arm64", show_default=True
)
@click.option(
    "--apt", type=_FOLDER, default=Path("/etc/apt"), show_default=True, help="Folder of apt's configuration."
)
@click.option("--out", type=_FOLDER, default=_OUT, help="Folder for images and the cache.")
@click.option("--dry-run", is_flag=True, help="Print the plan; fetch and build nothing.")
@click.option("--refresh", is_flag=True, help="Build the layers of packages again, with the newest versions.")
@click.pass_context
def recipe(context: click.Context, **options: Unpack[_Options]) -> None:
    """Make a bootable image of this checkout and Debian's packages."""
    kind = Kind.STATION if options["station"] else Kind.TERMINAL
    given = _Given(Target(kind, Architecture(options["arch"])), options["apt"], options["out"].resolve())
    context.obj = given
    if context.invoked_subcommand is not None:
        return
    if options["dry_run"]:
        show(given.plan(), plain_console(soft_wrap=True))
    else:
        _build(given, refresh=options["refresh"])


def _build(given: _Given, *, refresh: bool) -> None:
    _enter(given.target, given.out)
    console = plain_console(soft_wrap=True)
    began = monotonic()
    with working_folder(given.out) as work:
        if refresh:
            shutil.rmtree(given.out / "cache", ignore_errors=True)
        path, manifest = Builder(given.plan(), given.out, work, BuildProgress(console)).image()
    disk = manifest.files["disk"]
    seconds = monotonic() - began
    console.print(f"{path}: {disk.size / 1e6:.0f} MB in {seconds:.0f} s, sha256 {disk.sha256}")
    console.print(f"what is in it: {path.with_suffix('.json')}")


@recipe.command()
@click.pass_obj
def app(given: _Given) -> None:
    """Make only /opt/saloon, as the squashfs for an update."""
    check_tools(tools_of(given.target.architecture, compiles=_compiles(given.target)))
    console = plain_console(soft_wrap=True)
    with working_folder(given.out) as work:
        path = Builder(given.plan(), given.out, work, BuildProgress(console)).app_squashfs()
    console.print(str(path))


def leave_when_ended() -> None:
    signal.signal(signal.SIGTERM, _ended)


def main() -> None:
    """Run the program. A missing tool or a failure exits with an error message."""
    leave_when_ended()
    try:
        recipe.main(prog_name="python -m image.recipe")
    except SaloonError as error:
        plain_console(stderr=True).print(str(error), style="red", soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
