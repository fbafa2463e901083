#!/usr/bin/env python3
"""Whether samples of the processor time agree with perf: shares of Lua functions, of one run that both look at.

    time_agreement.py --engine build/release/bin/mangata [--option=...] [--together A,B] [--in FOLDER] PROGRAM.lua [ARGUMENT...]

Each sample of either side is charged to the innermost Lua function on its stack: that is what runs there, or what the functions of C++,
stubs, the collector run for. perf unwinds through C++ by its tables and through machine code by those of --jitdump. In machine code
alone (--flat, without stacks) the two do not compare: a function that calls a library much has less of it than of the time.

Regions: perf charges what is inlined there to the region's function, as jitdump has no inlined frames; ours are charged to the function itself.
With --option=--policy=baseline nothing is inlined; --together A,B,C takes functions as one.

Nothing else should want the processors (`chrt -f 1 bench/time_agreement.py ...`). Ours are taken at the scheduler's tick, where a thread is also
preempted; caches are cold behind that, so on a machine with seven times as many threads as processors a function that waited for memory had 4 points
less. Differences of chance are those within twice the standard errors: three seconds have one of 1 to 2 points.

Samples in which no Lua function is on the stack (the program's start, compiling before it) are left out on both sides; perf's that it
could not unwind as far are told. Times of the interpreter's own loop cannot be told apart by perf: programs should be compiled.
Differences are to be read beside the standard error that is printed: run for long enough."""

import argparse
import collections
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LUA_FRAME = re.compile(r"lua:(.*)@(.*)$")


class Shares:
    """Time by "name file:line" and how many samples that were."""

    def __init__(self):
        self.time = collections.Counter()
        self.samples = 0
        self.left_out = 0

    def add(self, name, time: int, samples: int = 1):
        if name is None:
            self.left_out += time
        else:
            self.time[name] += time
            self.samples += samples

    def put_together(self, functions: list[str]):
        for name in [each for each in self.time if each.split(" ")[0] in functions]:
            self.time["+".join(functions)] += self.time.pop(name)

    def percent(self, name: str) -> float:
        return 100 * self.time[name] / max(1, sum(self.time.values()))

    def percent_left_out(self) -> float:
        return 100 * self.left_out / max(1, self.left_out + sum(self.time.values()))

    def standard_error(self, name: str) -> float:
        share = self.percent(name) / 100
        return 100 * math.sqrt(share * (1 - share) / max(1, self.samples))


def perf_name(symbol: str):
    match = LUA_FRAME.match(symbol)
    return f"{match[1]} {Path(match[2]).name}" if match else None


def perf_shares(data: Path, is_flat: bool) -> Shares:
    """`is_flat`: of the samples in machine code, by the function that it is of."""
    text = subprocess.run(["perf", "script", "-i", str(data), "--no-inline", "-F", "tid,period,ip,sym"], capture_output=True, text=True,
                          check=True).stdout
    shares = Shares()
    threads = collections.Counter()
    blocks = [block for block in text.split("\n\n") if block.strip()]
    for block in blocks:
        threads[block.split()[0]] += 1
    main_thread = threads.most_common(1)[0][0] if threads else None
    for block in blocks:
        head, *frames = block.strip().split("\n")
        words = head.split()
        if words[0] != main_thread:
            continue  # the compile thread
        names = [perf_name(frame.strip().split(" ", 1)[1]) for frame in (frames[:1] if is_flat else frames) if " " in frame.strip()]
        shares.add(next((name for name in names if name), None), int(words[1]))
    return shares


def own_name(frame: str):
    match = re.match(r"(.*) \((.*)\)$", frame)
    if not match or frame.startswith("["):
        return None
    name = "function" if match[1].startswith("function <") else match[1]
    return f"{name} {Path(match[2]).name}"


def own_shares(stacks: Path, is_flat: bool, period: float) -> Shares:
    shares = Shares()
    for line in stacks.read_text(encoding="latin-1").splitlines():
        stack, microseconds = line.rsplit(" ", 1)
        frames = stack.split(";")[::-1]
        names = [own_name(frame) for frame in (frames[:1] if is_flat else frames)]
        time = int(microseconds)
        shares.add(next((name for name in names if name), None), time, round(time / period))
    return shares


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--option", action="append", default=[], help="of the engine, besides")
    parser.add_argument("--points", type=float, default=2.0, help="the largest difference that passes")
    parser.add_argument("--frequency", type=int, default=499, help="of perf's samples")
    parser.add_argument("--flat", action="store_true", help="compare machine code alone, without stacks")
    parser.add_argument("--together", default="", metavar="A,B", help="functions that count as one")
    parser.add_argument("--in", dest="folder", type=Path, default=Path(), help="where the program runs")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        raw, data, stacks, profile = (Path(folder, name) for name in ("raw.data", "perf.data", "stacks.txt", "p.json"))
        command = [str(Path(options.engine).resolve()), "--jitdump", f"--profile-paths={profile}", f"--profile-stacks={stacks}", *options.option,
                   str(Path(options.program).resolve()), *options.arguments]
        subprocess.run(["perf", "record", "-q", "--no-buildid-cache", "-e", "cpu-clock", "-k", "1", "-F", str(options.frequency), "--call-graph", "dwarf,8192", "-o", str(raw),
                        *command], check=True, stdout=subprocess.DEVNULL, cwd=options.folder)
        subprocess.run(["perf", "inject", "--jit", "-i", str(raw), "-o", str(data)], check=True, cwd=folder)
        for dump in options.folder.glob("jit-*.dump"):
            dump.unlink()
        period = json.loads(profile.read_text())["time"]["mean_period_ns"] / 1000
        perf, own = perf_shares(data, options.flat), own_shares(stacks, options.flat, period)
    for shares in (perf, own):
        shares.put_together(options.together.split(",") if options.together else [])
    worst = 0.0
    print("  perf     ±   ours     ±  difference")
    for name in sorted(perf.time.keys() | own.time.keys(), key=lambda name: -perf.time[name]):
        theirs, ours = perf.percent(name), own.percent(name)
        worst = max(worst, abs(theirs - ours))
        if max(theirs, ours) >= 0.5:
            print(f"{theirs:6.1f} {perf.standard_error(name):5.1f} {ours:6.1f} {own.standard_error(name):5.1f} {ours - theirs:+8.1f}    {name}")
    print(f"perf: {perf.samples} samples, and {perf.percent_left_out():.1f} % without a Lua function; "
          f"ours: {own.samples}, and {own.percent_left_out():.1f} %")
    print(f"largest difference: {worst:.1f} points")
    return 0 if worst <= options.points else 1


if __name__ == "__main__":
    sys.exit(main())
