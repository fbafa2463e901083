#!/usr/bin/env python3
"""`./dev fuzz`: generated programs under every way of running them, within a time budget.

    campaign.py --engine build/release/bin/mangata [--seconds 60] [--seed 1] [--reference .../lua-5.4.8/lua]

The interpreter is compared with the reference (another Lua 5.4), and everything else with the interpreter: compiled code
from the first call, by thresholds, by random schedules, resumed at every safepoint, with a collection at every allocation,
with random profiles counted, also profiles switched at random while the program runs; and the profiles themselves must be the same. The budget is divided among these in turns;
each turn runs seeds of its own, counted from --seed. A difference is made small and kept as tests/fuzz/regressions/*.lua.
At the end it prints how many comparisons each turn made.
"""

import argparse
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SEEDS_PER_TURN = 1_000_000  # a turn never reaches the seeds of the next one


@dataclass
class Turn:
    """One kind of comparison. In the commands, M is the engine and R the reference."""

    kind: str
    judge: str
    engines: list[str] = field(default_factory=list)
    profile: str = ""
    batch: int = 250
    given: bool = True  # programs are generated once; or by each engine: a test of its own, which takes most of the time
    seconds_per_program: float = 0.1
    comparisons: int = 0  # made so far

    def description(self) -> str:
        return f"{self.kind}: {self.judge} against {', '.join(self.engines)} {self.profile}".rstrip()


COMPILED = ["M --policy=baseline", "M --policy=counter:entry={1|2|5},loop={3|20|100}", "M --stress={schedule|profile}:{seed}"]
TURNS = [
    Turn("hot", "M --policy=interpreter", COMPILED),
    Turn("mixed", "M --policy=interpreter", COMPILED),
    Turn("mixed", "R", ["M --policy={interpreter|baseline}"], given=False),
    Turn("hot", "M --policy=interpreter", ["M --policy=baseline --stress=resume", "M {--policy=baseline|--stress=schedule:{seed}} {--profile-paths=/dev/null|--profile-edges=/dev/null|--profile-k=2 --profile-paths=/dev/null}"]),
    Turn("hot", "M --policy=interpreter", ["M --stress=profile:{seed}", "M --policy=eager"]),
    Turn("hot", "M --policy=interpreter", ["M --stress=region:{seed}", "M --policy=optimizer:warm={16|100},record={60|300|2000}"]),
    Turn("hot", "M --policy=interpreter", ["M --stress=deopt:{seed}", "M --stress=osr:{seed}"]),
    Turn("hot", "M --policy=interpreter", ["M --stress=region:{seed},O0", "M --stress=deopt:{seed},O0", "M --stress=osr:{seed},O0"]),
    Turn("hot", "M --policy=interpreter", ["M --policy=baseline", "M --stress=schedule:{seed}"], "--profile-k={1|1|2|3} --profile-many={truncate|hash} --profile-paths", 25),
    Turn("hot", "M --policy=interpreter", ["M --policy=baseline"], "--profile-edges", 25),
    Turn("hot", "M --policy=interpreter", ["M --policy=baseline --gc-stress"], "", 20, seconds_per_program=3),
    Turn("mixed", "M --policy=interpreter", ["M --policy=baseline --stress=resume", "M --policy=baseline --profile-paths=/dev/null"]),
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="mangata")
    parser.add_argument("--reference", default="lua5.4", help="another Lua 5.4; a turn without it is left out")
    parser.add_argument("--seconds", type=float, default=60, help="the budget (60)")
    parser.add_argument("--turn-seconds", type=float, default=20, help="of one comparison before the next one's turn (20)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="first seed (the time)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at the same time (1)")
    parser.add_argument("--findings", type=Path, default=FOLDER / "regressions", help="where differing programs go")
    arguments = parser.parse_args()

    deadline = time.monotonic() + arguments.seconds
    failed, number, first = False, 0, arguments.seed
    while time.monotonic() < deadline:
        turn = TURNS[number % len(TURNS)]
        number += 1
        seconds = min(arguments.turn_seconds, max(1.0, deadline - time.monotonic()))

        def command(text: str) -> str:
            return {"M": arguments.engine, "R": arguments.reference}[text[0]] + text[1:]

        options = ["--judge", command(turn.judge), "--kind", turn.kind, "--batch", str(turn.batch), f"--profile={turn.profile}"]
        for engine in turn.engines:
            options += ["--engine", command(engine)]
        options += ["--first", str(first), "--seconds", str(seconds), "--jobs", str(arguments.jobs), "--findings", str(arguments.findings)]
        options += ["--given"] * turn.given + ["--seconds-per-program", str(turn.seconds_per_program)]
        first += SEEDS_PER_TURN
        print(turn.description(), flush=True)
        command_line = [sys.executable, "-B", str(FOLDER / "differential.py")] + options
        with subprocess.Popen(command_line, stdout=subprocess.PIPE, text=True) as running:
            for line in running.stdout:
                print(line, end="", flush=True)
                if total := re.match(r"(\d+) comparisons of", line):
                    turn.comparisons += int(total.group(1))
        failed |= running.returncode == 1
    for turn in TURNS:
        print(f"{turn.comparisons:8d} {turn.description()}")
    print(f"{sum(turn.comparisons for turn in TURNS):8d} comparisons")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
