"""The comparisons that campaigns of generated programs consist of, each a turn: campaign.py and tests/soak take them one after the other.

In the commands, M is the engine under test and R the reference, another Lua 5.4; what else may stand there: engines.py.
"""

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BATCH = 250


@dataclass
class Turn:
    """One kind of comparison."""

    name: str
    kind: str
    judge: str
    engines: list[str] = field(default_factory=list)
    profile: str = ""
    batch: int = BATCH
    given: bool = True  # programs are generated once; or by each engine: a test of its own, which takes most of the time
    seconds_per_program: float = 0.1
    newest_reference: bool = False  # a reference before 5.4.8 would differ: by its own mistakes, and in messages that have changed
    comparisons: int = 0  # made so far

    def description(self) -> str:
        return f"{self.kind}: {self.judge} against {', '.join(self.engines)} {self.profile}".rstrip()

    def needs_reference(self) -> bool:
        return any(command[0] == "R" for command in [self.judge, *self.engines])

    def command_line(self, engine: str, reference: str, first: int, slower: int = 1) -> list[str]:
        """The command of differential.py from seed `first`, without how long. An engine may be so many times `slower`."""

        def command(text: str) -> str:
            return {"M": engine, "R": reference}[text[0]] + text[1:]

        options = ["--judge", command(self.judge), "--kind", self.kind, f"--profile={self.profile}", "--first", str(first)]
        for words in self.engines:
            options += ["--engine", command(words)]
        options += ["--given"] * self.given
        options += ["--batch", str(max(1, self.batch // slower)), "--seconds-per-program", str(self.seconds_per_program * slower)]
        return [sys.executable, "-B", str(FOLDER / "differential.py"), *options]


def release_of(reference: str) -> tuple[int, ...]:
    """(5, 4, 8) for PUC Lua 5.4.8; () when the command does not run or is another Lua."""
    try:
        said = subprocess.run([reference, "-v"], capture_output=True, text=True, timeout=20).stdout
    except OSError:
        return ()
    words = said.split()
    return tuple(int(part) for part in words[1].split(".")) if len(words) > 1 and words[1].startswith("5.4.") else ()


def special(name: str, kind: str) -> list[Turn]:
    """The turns of a kind of programs that is about something in particular: by tiers, by exits from compiled code, and by the reference."""
    common = {"batch": 50, "seconds_per_program": 0.5}
    return [
        Turn(name, kind, INTERPRETER, COMPILED, **common),
        Turn(f"{name}-exits", kind, INTERPRETER, ["M --policy=baseline --stress=resume", "M --stress={region|deopt|osr}:{seed}{|,O0}"], **common),
        Turn(f"reference-{name}", kind, "R", ["M --policy={interpreter|baseline}", "M --stress=schedule:{seed}"], newest_reference=True, **common),
    ]


INTERPRETER = "M --policy=interpreter"
COMPILED = ["M --policy=baseline", "M --policy=counter:entry={1|2|5},loop={3|20|100}", "M --stress={schedule|profile}:{seed}"]
TURNS = [
    Turn("tiers", "hot", INTERPRETER, COMPILED),
    Turn("tiers-mixed", "mixed", INTERPRETER, COMPILED),
    Turn("reference", "mixed", "R", ["M --policy={interpreter|baseline}"], given=False),
    Turn("reference-hot", "hot", "R", ["M --policy={interpreter|baseline}", "M --stress=schedule:{seed}"], newest_reference=True),
    Turn("resume", "hot", INTERPRETER, ["M --policy=baseline --stress=resume", "M {--policy=baseline|--stress=schedule:{seed}} {--profile-paths=/dev/null|--profile-edges=/dev/null|--profile-k=2 --profile-paths=/dev/null}"]),
    Turn("switching", "hot", INTERPRETER, ["M --stress=profile:{seed}", "M --policy=eager"]),
    Turn("regions", "hot", INTERPRETER, ["M --stress=region:{seed}", "M --policy=optimizer:warm={16|100},record={60|300|2000}"]),
    Turn("exits", "hot", INTERPRETER, ["M --stress=deopt:{seed}", "M --stress=osr:{seed}"]),
    Turn("exits-O0", "hot", INTERPRETER, ["M --stress=region:{seed},O0", "M --stress=deopt:{seed},O0", "M --stress=osr:{seed},O0"]),
    Turn("profiles", "hot", INTERPRETER, ["M --policy=baseline", "M --stress=schedule:{seed}"], "--profile-k={1|1|2|3} --profile-many={truncate|hash} --profile-paths", 25),
    Turn("edges", "hot", INTERPRETER, ["M --policy=baseline"], "--profile-edges", 25),
    Turn("collector", "hot", INTERPRETER, ["M --policy=baseline --gc-stress"], "", 20, seconds_per_program=3),
    Turn("resume-mixed", "mixed", INTERPRETER, ["M --policy=baseline --stress=resume", "M --policy=baseline --profile-paths=/dev/null"]),
    *special("frames", "wide"),
    *special("crossings", "crossings"),
    *special("chunks", "chunks"),
    Turn("mutants", "mutants", f"{INTERPRETER} --max-memory=256M", ["M --policy=baseline --max-memory=256M", "M --stress={schedule|schedule|region|deopt}:{seed} --max-memory=256M"], batch=100, seconds_per_program=0.5),
    Turn("library", "library", "R", ["M --policy={interpreter|baseline}"]),
]
