#!/usr/bin/env python3
"""What common idioms of Lua cost under each tier, as times over lua5.4: the first 50 ms, and after a second of running.

    bench/idioms.py [--only PATTERN] [--quick] [--rounds 1] [--engine build/release/bin/mangata] [--luajit PATH] [--json FILE]

The idioms are those of bench/micro/idioms.lua, whose head says what the two figures are. Each runs in a process of its own, engine by engine, idiom
by idiom, round by round, so that a noisy minute hits all engines alike; of several rounds the best figure counts. A pair of columns for each
engine: first, steady; lua5.4 in nanoseconds an operation, all others as times over lua5.4's figure of the same kind. Geometric means take each
ratio as 50 at most: beyond that an idiom has been optimized away, and how far says nothing. Below the table: idioms below 1.3 times lua5.4, and
those that the default policy runs at less than 0.95 of baseline code alone, in steady state.

--quick warms up for 0.3 s instead of one. On an idle machine all of it takes a minute and a half for each engine then, else five.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

from run import ROOT, geomean

SCRIPT = ROOT / "bench" / "micro" / "idioms.lua"
MOST = 50.0          # a ratio in a geometric mean
WANTED = 1.3         # times lua5.4
OF_BASELINE = 0.95   # the default policy beside baseline code
KINDS = ("first", "steady")


def choose_engines(options):
    mangata = os.path.abspath(options.engine)
    engines = {
        "lua5.4": ["lua5.4"],
        "interpreter": [mangata, "--policy=interpreter"],
        "baseline": [mangata, "--policy=baseline"],
        "adaptive": [mangata],
    }
    if luajit := shutil.which(options.luajit):
        engines["luajit"] = [luajit]
    return engines


def names_of(command, pattern):
    listed = subprocess.run([*command, SCRIPT, "--list", *([pattern] if pattern else [])], capture_output=True, text=True, check=True)
    return listed.stdout.split()


def figures(command, name, quick):
    """Nanoseconds an operation, (first, steady). None: the idiom failed, which is said."""
    exact = "^" + name.replace(".", "%.") + "$"
    done = subprocess.run([*command, SCRIPT, *(["--quick"] if quick else []), exact], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{name} under {' '.join(command)}: {done.stderr.strip()}", file=sys.stderr)
        return None
    return tuple(float(word) for word in done.stdout.split()[1:])


class Results:
    """The best figures of each idiom under each engine."""

    def __init__(self, engines):
        self.engines = engines
        self.best = {}

    def add(self, name, engine, measured):
        known = self.best.get((name, engine), (math.inf, math.inf))
        self.best[name, engine] = tuple(min(pair) for pair in zip(known, measured))

    def ratio(self, name, engine, kind, base="lua5.4"):
        ours, theirs = self.best.get((name, engine)), self.best.get((name, base))
        return theirs[kind] / max(ours[kind], 1e-3) if ours and theirs else None

    def mean(self, names, engine, kind):
        ratios = [self.ratio(name, engine, kind) for name in names]
        return geomean([min(each, MOST) for each in ratios if each])


def print_row(results, name):
    base = results.best.get((name, "lua5.4"))
    cells = f"{base[0]:9.1f}{base[1]:9.1f}" if base else f"{'-':>9}{'-':>9}"
    for engine in list(results.engines)[1:]:
        for kind in range(2):
            ratio = results.ratio(name, engine, kind)
            cells += f"{ratio:9.2f}" if ratio else f"{'-':>9}"
    print(f"{name:44}{cells}", flush=True)


def print_head(results):
    print(f"{'':44}" + "".join(f"{engine:>18}" for engine in results.engines))
    print(f"{'':44}" + f"{'first':>9}{'steady':>9}" * len(results.engines))


def print_summary(results, names):
    cells = f"{'':18}"
    for engine in list(results.engines)[1:]:
        for kind in range(2):
            mean = results.mean(names, engine, kind)
            cells += f"{mean:9.2f}" if mean else f"{'-':>9}"
    print(f"{f'geometric mean, {MOST:g} at most':44}{cells}")
    for engine in ("baseline", "adaptive"):
        slow = sorted((results.ratio(name, engine, 1) or MOST, name) for name in names)
        slow = [f"{name} ({ratio:.2f})" for ratio, name in slow if ratio < WANTED]
        print(f"\nbelow {WANTED} times lua5.4 under {engine}, steady ({len(slow)} of {len(names)}): {', '.join(slow) or 'none'}")
    for kind, word in enumerate(KINDS):
        worse = sorted((results.ratio(name, "adaptive", kind, "baseline") or 1, name) for name in names)
        worse = [f"{name} ({ratio:.2f})" for ratio, name in worse if ratio < OF_BASELINE]
        print(f"\nadaptive below {OF_BASELINE} of baseline, {word} ({len(worse)} of {len(names)}): {', '.join(worse) or 'none'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="PATTERN", help="a pattern of Lua's: only idioms whose names match")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--engine", default=str(ROOT / "build" / "release" / "bin" / "mangata"))
    parser.add_argument("--luajit", default="luajit", help="the executable of LuaJIT (default: the one installed, if there is one)")
    parser.add_argument("--json", metavar="FILE", help="also write all figures, nanoseconds an operation, to FILE")
    options = parser.parse_args()
    engines = choose_engines(options)
    names = names_of(engines["lua5.4"], options.only)
    if not names:
        sys.exit(f"no idiom matches {options.only}")
    without_luajit = set(names) - set(names_of(engines["luajit"], options.only)) if "luajit" in engines else set()
    results, failed = Results(engines), False
    print_head(results)
    for round_number in range(options.rounds):
        for name in names:
            for engine, command in engines.items():
                if engine == "luajit" and name in without_luajit:
                    continue
                measured = figures(command, name, options.quick)
                failed |= measured is None
                if measured:
                    results.add(name, engine, measured)
            if round_number == options.rounds - 1:
                print_row(results, name)
    print_summary(results, names)
    if options.json:
        figures_by_name = {name: {engine: results.best.get((name, engine)) for engine in engines} for name in names}
        Path(options.json).write_text(json.dumps({"format": "mangata-idioms", "version": 1, "idioms": figures_by_name}, indent=1), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
