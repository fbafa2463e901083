"""What a soak has done so far, in a file that outlives interruptions, and the table made from it.

Invariant: the file is replaced as a whole after each stint, so a soak that is killed loses at most the stint that was running; its seeds
are taken again.
"""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass
class Row:
    """A campaign in a build, on a commit."""

    campaign: str
    build: str
    commit: str
    stints: int = 0
    programs: int = 0
    comparisons: int = 0
    differences: int = 0
    seconds: float = 0


@dataclass
class Record:
    file: Path
    position: int = 0  # the stint that is next, counted over all rounds
    next_seeds: dict[str, int] = field(default_factory=dict)  # "campaign/build" -> its next seed
    rows: list[Row] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)  # lines that say what differed

    @staticmethod
    def load(file: Path) -> "Record":
        if not file.exists():
            return Record(file)
        stored = json.loads(file.read_text())
        return Record(file, stored["position"], stored["next_seeds"], [Row(**row) for row in stored["rows"]], stored["findings"])

    def save(self) -> None:
        stored = {"position": self.position, "next_seeds": self.next_seeds, "rows": [asdict(row) for row in self.rows], "findings": self.findings}
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(stored, indent=1) + "\n")
        os.replace(new, self.file)

    def row(self, campaign: str, build: str, commit: str) -> Row:
        for row in self.rows:
            if (row.campaign, row.build, row.commit) == (campaign, build, commit):
                return row
        self.rows.append(Row(campaign, build, commit))
        return self.rows[-1]

    def comparisons(self) -> int:
        return sum(row.comparisons for row in self.rows)

    def differences(self) -> int:
        return sum(row.differences for row in self.rows)

    def table(self) -> str:
        """All rows, then the sums by commit, then what differed."""
        head = ["campaign", "build", "commit", "programs", "comparisons", "differences", "minutes"]
        lines = [[row.campaign, row.build, row.commit, *numbers([row])] for row in self.rows if row.stints]
        for commit in dict.fromkeys(row.commit for row in self.rows if row.stints):
            lines.append(["all", "", commit, *numbers([row for row in self.rows if row.commit == commit])])
        widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
        text = ["  ".join(word.ljust(width) if i < 3 else word.rjust(width) for i, (word, width) in enumerate(zip(line, widths))).rstrip() for line in [head, *lines]]
        return "\n".join([*text, *self.findings])


def numbers(rows: list[Row]) -> list[str]:
    sums = (sum(getattr(row, name) for row in rows) for name in ("programs", "comparisons", "differences"))
    return [*(f"{number:,}" for number in sums), f"{sum(row.seconds for row in rows) / 60:.1f}"]
