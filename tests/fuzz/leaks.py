#!/usr/bin/env python3
"""Generated programs that run many times over leave no memory behind (leaks.lua), under options that compile in several ways.

    leaks.py --engine build/release/bin/mangata [--first 1] [--count 4] [--seconds 600] [--options="--policy=optimizer"]

Each program has a process of its own. Exit status: 0 no leak, 1 leaks.
"""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

RUNNER = Path(__file__).resolve().parent / "leaks.lua"
OPTIONS = ["--policy=interpreter", "", "--policy=baseline", "--policy=optimizer"]
RUNS = {"mixed": 400, "hot": 150, "library": 400, "crossings": 60, "chunks": 40, "wide": 150}  # in a window: programs of some kinds take longer
CONFIRMING = 4  # times as many runs, before a program is said to leak
TOTAL = re.compile(r"(\d+) programs, (\d+) runs, (\d+) leak$", re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--options", action="append", help=f"of the engine; may be repeated; default: {OPTIONS}")
    parser.add_argument("--kind", action="append", choices=list(RUNS), help="default: all")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--count", type=int, default=4, help="seeds; each is a program of one kind under one of the options")
    parser.add_argument("--seconds", type=float, help="as many as the time allows")
    arguments = parser.parse_args()
    options, kinds = arguments.options or OPTIONS, arguments.kind or list(RUNS)
    end = None if arguments.seconds is None else time.monotonic() + arguments.seconds
    seed, runs, leaks = arguments.first, 0, 0
    while seed < arguments.first + arguments.count if end is None else time.monotonic() < end:
        kind, chosen = kinds[seed % len(kinds)], options[seed // len(kinds) % len(options)]
        command = [arguments.engine, *chosen.split(), str(RUNNER), str(seed), "1", f"--kind={kind}", f"--runs={RUNS[kind]}"]
        done = subprocess.run(command, capture_output=True, text=True, encoding="latin-1")
        total = TOTAL.search(done.stdout)
        if done.returncode == 0 and total is not None and total[3] != "0":  # what came to rest only later is no leak
            command[-1] = f"--runs={CONFIRMING * RUNS[kind]}"
            done = subprocess.run(command, capture_output=True, text=True, encoding="latin-1")
            total = TOTAL.search(done.stdout)
        if total is None or done.returncode != 0 or total[3] != "0":
            leaks += 1
            print(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr[-1000:]}", flush=True)
        runs += int(total[2]) if total else 0
        seed += 1
    print(f"{runs} runs of {seed - arguments.first} programs, {leaks} leak")
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
