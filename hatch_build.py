"""Compile the gettext catalogues when a wheel or an editable install is built."""

import io
import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface[Any]):
    """A build step that writes each catalogue's ``.mo`` beside its ``.po``, for the wheel to pack."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (the hook's interface)
        """Compile all catalogues of all rooms."""
        for source in sorted(Path(self.root).glob("*/locale/*/LC_MESSAGES/*.po")):
            compiled = io.BytesIO()
            with source.open("rb") as text:
                write_mo(compiled, read_po(text))
            target = source.with_suffix(".mo")
            # A program, or another build, may be reading it.
            if not target.exists() or target.read_bytes() != compiled.getvalue():
                whole = target.with_suffix(f".{os.getpid()}")
                whole.write_bytes(compiled.getvalue())
                whole.replace(target)
