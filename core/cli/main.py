"""The program ``saloon-rules``."""

import sys

import click

from base import __version__
from base.errors import BadData, Refused
from base.late_commands import LateCommand, LateGroup
from base.terminal_text import print_errors_safely

_COMMANDS = {
    "chart": LateCommand(
        "core.cli.editions:chart",
        "Show the rounds and tables for a number of PLAYERS, by an EDITION or a file of house rules",
    ),
    "check": LateCommand(
        "core.cli.check:check",
        "Validate house rules (.toml), and compare worked cases (vectors) with the rules",
    ),
    "editions": LateCommand("core.cli.editions:editions", "List the editions of the rules"),
    "export-edition": LateCommand(
        "core.cli.editions:export_edition",
        "Write the file of an EDITION under a new key, as a start for house rules",
    ),
    "rank": LateCommand("core.cli.rank:rank", "Rank the players of tournaments"),
    "replay": LateCommand(
        "core.cli.replay:replay",
        "Show games turn by turn: life points, reshuffles and High Noon",
    ),
    "score": LateCommand("core.cli.score:score", "Show what finished games pay, seat by seat"),
    "season": LateCommand(
        "core.cli.season:season",
        "Add up the rankings of proof PACKS by a season's RULE, each verified first",
    ),
    "show": LateCommand("core.cli.editions:show", "Show a whole EDITION or file of house rules"),
    "verify": LateCommand(
        "core.cli.proof_pack:verify",
        "Check a proof pack: every byte, every draw, every game, all money and the ranking",
    ),
    "why": LateCommand("core.cli.why:why", "Explain a player's dollars and rank"),
}


@click.group(cls=LateGroup, late=_COMMANDS, program="saloon-rules")
@click.version_option(__version__, prog_name="saloon-rules")
def commands() -> None:
    """Check and explain the rules of BANG! tournaments, without a running tournament."""


def main() -> None:
    """Run a command. Bad input and violated rules print an error and exit with status 2."""
    print_errors_safely()
    try:
        commands.main(standalone_mode=True)
    except (BadData, Refused) as error:
        from base.console import plain_console

        plain_console(stderr=True).print(str(error), style="red", soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
