"""A check of the published ranking against the auditors' programs, run on the export."""

import json
from pathlib import Path

from saloon.demo.processes import Processes, ProgramDied, program


def recounted(export: Path, ranking: list[tuple[str, str, int]], processes: Processes) -> str:
    """Return the findings of a recount of the export, in words. Raises ProgramDied where it differs."""
    rules = program("saloon-rules")
    counted = json.loads(processes.run("saloon-rules rank", rules, "rank", "--json", str(export)))
    processes.run("saloon-rules score", rules, "score", str(export))
    processes.run("saloon-rules verify", rules, "verify", str(export))
    totals = {row["name"]: row["final_score"] for row in counted[0]["standings"]}
    shown = {name: total for _, name, total in ranking}
    if totals != shown:
        wrong = sorted(name for name in shown if totals.get(name) != shown[name])
        raise ProgramDied(f"the recount differs from the station for: {', '.join(wrong)}")
    return (
        f"Recounted from the proof pack by saloon-rules: all {len(shown)} totals agree; "
        "every line, draw, game and sum in it was verified."
    )
