#!/usr/bin/env python3
"""`./dev fuzz`: generated programs under every way of running them, within a time budget.

    campaign.py --engine build/release/bin/mangata [--seconds 60] [--seed 1] [--reference .../lua-5.4.8/lua]

The interpreter is compared with the reference (another Lua 5.4), and everything else with the interpreter: compiled code
from the first call, by thresholds, by random schedules, resumed at every safepoint, with a collection at every allocation,
with random profiles counted, also profiles switched at random while the program runs; and the profiles themselves must be the same. The budget is divided among these turns
(turns.py); each runs seeds of its own, counted from --seed. A difference is made small and kept as tests/fuzz/regressions/*.lua.
At the end it prints how many comparisons each turn made.
"""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

from turns import FOLDER, TURNS, release_of

SEEDS_PER_TURN = 1_000_000  # a turn never reaches the seeds of the next one


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
    newest = release_of(arguments.reference) >= (5, 4, 8)
    turns = [turn for turn in TURNS if newest or not turn.newest_reference]
    failed, number, first = False, 0, arguments.seed
    while time.monotonic() < deadline:
        turn = turns[number % len(turns)]
        number += 1
        seconds = min(arguments.turn_seconds, max(1.0, deadline - time.monotonic()))
        command_line = turn.command_line(arguments.engine, arguments.reference, first)
        command_line += ["--seconds", str(seconds), "--jobs", str(arguments.jobs), "--findings", str(arguments.findings)]
        first += SEEDS_PER_TURN
        print(turn.description(), flush=True)
        with subprocess.Popen(command_line, stdout=subprocess.PIPE, text=True) as running:
            for line in running.stdout:
                print(line, end="", flush=True)
                if total := re.match(r"(\d+) comparisons of", line):
                    turn.comparisons += int(total.group(1))
        failed |= running.returncode == 1
    for turn in turns:
        print(f"{turn.comparisons:8d} {turn.description()}")
    print(f"{sum(turn.comparisons for turn in turns):8d} comparisons")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
