"""Proof packs to be spoilt."""

from tests.core.cli.conftest import exported, run

__all__ = ["exported", "run"]
