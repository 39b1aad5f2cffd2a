"""``judge`` and ``pin``: manage the judges' accounts and the PIN of the terminals' judge menu."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import click

from saloon.base.clock import SystemClock
from saloon.station.accounts.judges import Judges
from saloon.station.cli.options import data_option
from saloon.station.services.terminals.terminals import hash_pin
from saloon.station.store.data_folder import DataFolder
from saloon.station.store.database import Database
from saloon.station.store.settings import JUDGE_PIN, Settings


@contextmanager
def _judges(folder: DataFolder) -> Iterator[Judges]:
    with folder.lock_unless_shared(), closing(Database(folder.url)) as database:
        yield Judges(database, SystemClock().wall_ms)


@click.group()
def judge() -> None:
    """Manage the judges' accounts. A station without --database must not run meanwhile."""


@judge.command()
@click.argument("name")
@data_option
def add(name: str, folder: DataFolder) -> None:
    """Add the account NAME; the password is asked for, or read as one line from standard input."""
    password = _secret("Password")
    with _judges(folder) as judges:
        click.echo(f"Judge {judges.add(name, password).name} may log in.")


@judge.command(name="list")
@data_option
def list_(folder: DataFolder) -> None:
    """Show all accounts."""
    with _judges(folder) as judges:
        for found in judges.all():
            click.echo(found.name)


@judge.command()
@click.argument("name")
@data_option
def remove(name: str, folder: DataFolder) -> None:
    """Delete the account NAME; the last one stays."""
    with _judges(folder) as judges:
        judges.remove(name)
    click.echo(f"Judge {name} may not log in any more.")


@click.command()
@data_option
def pin(folder: DataFolder) -> None:
    """Set the PIN of the judge's menu at the terminals; asked for, or one line of standard input."""
    hashed = hash_pin(_secret("PIN"))
    with folder.lock_unless_shared(), closing(Database(folder.url)) as database:
        Settings(database).set(JUDGE_PIN, hashed)
    click.echo("The terminals learn the new PIN when the station runs.")


def _secret(name: str) -> str:
    if sys.stdin.isatty():
        return str(click.prompt(name, hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\r\n")
