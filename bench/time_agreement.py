#!/usr/bin/env python3
"""Whether samples of the processor time agree with perf: shares of Lua functions, of one run that both look at.

    time_agreement.py --engine build/release/bin/mangata PROGRAM.lua [ARGUMENT...]

perf sees machine code by function (--perf-map) and C++ by symbol; what the machine does in C++ for a Lua function is charged to that
function here, and to nobody there. So perf's samples in C++ are divided among the functions as those here are: what is compared are shares
of the time in machine code. Inlined functions count as the one that they are inlined in, on both sides."""

import argparse
import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def perf_shares(data: Path) -> dict[str, float]:
    """By "name file:line", of the samples in machine code."""
    text = subprocess.run(["perf", "script", "-i", str(data), "-F", "period,ip,sym"], capture_output=True, text=True, check=True).stdout
    found = collections.Counter()
    for line in text.splitlines():
        match = re.match(r"\s*(\d+)\s+[0-9a-f]+\s+lua:(.*)@(.*)$", line)
        if match:
            found[f"{match[2]} {Path(match[3]).name}"] += int(match[1])
    total = sum(found.values())
    return {name: time / total for name, time in found.items()} if total else {}


def own_shares(stacks: Path) -> dict[str, float]:
    found = collections.Counter()
    for line in stacks.read_text(encoding="latin-1").splitlines():
        stack, microseconds = line.rsplit(" ", 1)
        match = re.match(r"(.*) \((.*)\)$", stack.split(";")[-1])
        if match and not match[1].startswith("[C]"):
            name = "function" if match[1].startswith("function <") else match[1]
            found[f"{name} {Path(match[2]).name}"] += int(microseconds)
    total = sum(found.values())
    return {name: time / total for name, time in found.items()} if total else {}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--option", action="append", default=[], help="of the engine, besides")
    parser.add_argument("--points", type=float, default=2.0, help="the largest difference that passes")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data, stacks = Path(folder, "perf.data"), Path(folder, "stacks.txt")
        command = [options.engine, "--perf-map", f"--profile-paths={folder}/p.json", f"--profile-stacks={stacks}", *options.option]
        subprocess.run(["perf", "record", "-q", "-o", str(data), *command, options.program, *options.arguments], check=True,
                       stdout=subprocess.DEVNULL)
        perf, own = perf_shares(data), own_shares(stacks)
    worst = 0.0
    for name in sorted(perf.keys() | own.keys(), key=lambda name: -perf.get(name, 0)):
        theirs, ours = 100 * perf.get(name, 0), 100 * own.get(name, 0)
        worst = max(worst, abs(theirs - ours))
        if max(theirs, ours) >= 0.5:
            print(f"{theirs:6.1f}% {ours:6.1f}%  {name}")
    print(f"largest difference: {worst:.1f} points")
    return 0 if worst <= options.points else 1


if __name__ == "__main__":
    sys.exit(main())
