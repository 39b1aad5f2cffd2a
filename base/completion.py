"""The command ``completion`` of each program: a shell script that completes commands and options."""

import click
from click.shell_completion import get_completion_class

_SHELLS = ("bash", "zsh", "fish")


def completion_command(program: str) -> click.Command:
    """Return the completion command for a program of this name."""

    @click.command(name="completion")
    @click.argument("shell", type=click.Choice(_SHELLS))
    @click.pass_context
    def completion(context: click.Context, shell: str) -> None:
        """Print the completion script of this program for a SHELL.

        For bash, add to ~/.bashrc: eval "$(PROGRAM completion bash)".
        """
        kind = get_completion_class(shell)
        assert kind is not None
        variable = f"_{program.replace('-', '_').upper()}_COMPLETE"
        click.echo(kind(context.find_root().command, {}, program, variable).source())

    return completion
