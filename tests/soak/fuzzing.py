"""Coverage-guided fuzzing of one decoder in a separate process.

    python -m tests.soak.fuzzing messages --seconds 60
    python -m tests.soak.fuzzing messages --again .soak/fuzz/messages/crash-…

A target is a module ``tests/soak/fuzz_NAME.py`` with a function ``one_input(data)``, which raises an error if
something is wrong, and ``SEEDS``, which are inputs to begin with.
"""

import importlib
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import click

from tests.test_rooms import ROOMS

HERE = Path(__file__).parent
KEPT = HERE.parents[1] / ".soak" / "fuzz"
"""Corpora and crashes, which are not in git."""
_TELL_EVERY = 200
_LONGEST = 4_096


class Target(Protocol):
    """The functions of a module ``fuzz_NAME``."""

    SEEDS: Sequence[bytes]

    def one_input(self, data: bytes) -> None:
        """Feed these bytes. Raises an error if something is wrong."""


def target_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.py")))


def target(name: str) -> Target:
    module: Target = importlib.import_module(f"tests.soak.fuzz_{name}")
    return module


class Counted:
    """A feeder of a target that regularly writes the number of inputs to a file."""

    def __init__(self, feed: Callable[[bytes], None], counts_file: Path) -> None:
        self._feed = feed
        self._counts_file = counts_file
        self._inputs = 0
        self._octets = 0

    def __call__(self, data: bytes) -> None:
        self._inputs += 1
        self._octets += len(data)
        if self._inputs % _TELL_EVERY == 0:
            fresh = self._counts_file.with_suffix(".new")
            fresh.write_text(f"{self._inputs} {self._octets}", encoding="ascii")
            fresh.rename(self._counts_file)
        self._feed(data)


@click.command()
@click.argument("name", type=click.Choice(target_names()))
@click.option("--seconds", default=60, help="How long.")
@click.option("--seed", default=1, help="Of the fuzzer's chance.")
@click.option("--again", type=click.Path(exists=True, path_type=Path), help="Feed this file once.")
def main(name: str, seconds: int, seed: int, again: Path | None) -> None:
    """Feed the decoder NAME."""
    if again is not None:
        target(name).one_input(again.read_bytes())
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import atheris

        with atheris.instrument_imports(include=[*ROOMS, "tests"]):
            module = target(name)
    kept = KEPT / name
    corpus = kept / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, example in enumerate(module.SEEDS):
        (corpus / f"seed-{number}").write_bytes(example)
    options = [f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={_LONGEST}", "-print_final_stats=1"]
    atheris.Setup(
        [sys.argv[0], *options, f"-artifact_prefix={kept}/", str(corpus)],
        Counted(module.one_input, kept / "counts"),
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
