"""Proof packs to be spoilt."""

from tests.core.program.conftest import exported, run

__all__ = ["exported", "run"]
