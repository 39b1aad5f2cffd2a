"""The fields of a case by the names that the program uses, whatever synonyms the case uses."""

from collections.abc import Mapping, Sequence

import msgspec

from saloon.core.cli.files import decoded


def named(raw: msgspec.Raw, also_called: Mapping[str, Sequence[str]], where: str) -> msgspec.Raw:
    """Rename the fields of an object. also_called: synonyms by the program's name. Raises BadData."""
    fields = decoded(raw, dict[str, msgspec.Raw], f"{where}, input")
    for name, others in also_called.items():
        for other in others:
            if name not in fields and other in fields:
                fields[name] = fields.pop(other)
    return msgspec.Raw(msgspec.json.encode(fields))
