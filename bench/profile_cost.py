#!/usr/bin/env python3
"""What profiling costs: every mode of the profiler against the same machine code without it, over bench/suite.

The method is that of bench/run.py, described in bench/README.md. Python's standard library only.

    bench/profile_cost.py                                 every mode, every program, user time
    bench/profile_cost.py --mode paths --mode k=2 --only 'utf8*' --runs 9
    bench/profile_cost.py --instructions                  executed instructions instead of time (valgrind; one run is exact)
    bench/profile_cost.py --instructions --steady         those that a program needs for more of the same work
    bench/profile_cost.py --policy interpreter            what profiling costs the interpreter
"""

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import run as suite

UNTIMED = ["--profile-time=off"]
# With --instructions, `time` is not what it is worth: under valgrind a program takes dozens of times as long, and is sampled as many times more.
MODES = {
    "edges": ["--profile-edges=/dev/null"],
    "coverage": ["--coverage=/dev/null"],
    "coverage-paths": ["--coverage=/dev/null", "--coverage-paths"],
    "paths": ["--profile-paths=/dev/null", *UNTIMED],
    "time": ["--profile-paths=/dev/null"],  # and samples of the processor time
    "k=2": ["--profile-paths=/dev/null", "--profile-k=2", *UNTIMED],
    "k=3": ["--profile-paths=/dev/null", "--profile-k=3", *UNTIMED],
    "k=4": ["--profile-paths=/dev/null", "--profile-k=4", *UNTIMED],
    "hash": ["--profile-paths=/dev/null", "--profile-many=hash", *UNTIMED],
    "adaptive": ["--policy=adaptive"],  # the default policy instead: what it counts, when, and what it saves by not compiling everything
    "preferential": ["--profile-paths=/dev/null", *UNTIMED],  # and --profile-residual, of a first run of the same program
}
BASE = "none"

# Machine code is written through another mapping of its pages than it runs from, so valgrind is told to look whether it
# changed. Nothing of a cache is simulated: this only counts.
COUNTER = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--branch-sim=no", "--cachegrind-out-file=/dev/null",
           "--smc-check=all-non-file"]


class Commands:
    """The command of a program in a mode. Preferential profiles need one of a first run, made when it is first asked for."""

    def __init__(self, engine, policy, scale, folder):
        self.engine = [engine, f"--policy={policy}"]
        self.scale = scale
        self.folder = Path(folder)

    def __call__(self, program, mode, scale):
        options = list(MODES.get(mode, []))
        if mode == "preferential":
            options.append(f"--profile-residual={self.baseline(program)}")
        return [*self.engine, *options, str(program.path), f"{scale:g}"]

    def baseline(self, program):
        file = self.folder / f"{program.name}.json"
        if not file.exists():
            command = [*self.engine, f"--profile-paths={file}", str(program.path), f"{self.scale:g}"]
            subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        return file


def count_instructions(command, timeout):
    """Instructions executed by `command`, as (count, error)."""
    try:
        done = subprocess.run([*COUNTER, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              errors="replace", timeout=timeout, cwd=suite.ROOT)
    except subprocess.TimeoutExpired:
        return None, f"no end after {timeout:g} s"
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or not found:
        lines = [line for line in done.stderr.splitlines() if not line.startswith("==")]
        return None, lines[0] if lines else f"exit code {done.returncode}"
    return int(found.group(1).replace(",", "")), None


def take_sample(command, options):
    """One run of command(scale), as (value, error). --steady: how much more twice the work takes than the work itself, so that
    what does not grow with it (start-up, compiling, instrumenting, the report) does not count."""
    value, error = measure_once(command(options.scale), options)
    if not options.steady or error:
        return value, error
    more, error = measure_once(command(2 * options.scale), options)
    return (None, error) if error else (more - value, None)


def measure_once(command, options):
    if options.instructions:
        return count_instructions(command, options.timeout)
    sample = suite.measure(command, options.timeout)
    return sample.user_seconds, sample.error


class Costs:
    """All samples: seconds of user time, or instructions."""

    def __init__(self, programs, modes):
        self.programs, self.modes = programs, modes
        self.samples = {(p.name, m): [] for p in programs for m in [BASE, *modes]}
        self.errors = {}

    def median(self, program, mode):
        samples = self.samples[program.name, mode]
        return statistics.median(samples) if samples and (program.name, mode) not in self.errors else None

    def ratio(self, program, mode):
        """What the program takes in this mode, as a multiple of what it takes without a profile."""
        base, own = self.median(program, BASE), self.median(program, mode)
        return own / base if base and own else None

    def spread(self, program):
        """Half the distance between the fastest and the slowest run as a share of the median; the largest of the row."""
        spreads = [0.0]
        for mode in [BASE, *self.modes]:
            times, middle = self.samples[program.name, mode], self.median(program, mode)
            if middle:
                spreads.append((max(times) - min(times)) / 2 / middle)
        return max(spreads)

    def summary(self, mode):
        rows = [(self.ratio(p, mode), p.name) for p in self.programs if self.ratio(p, mode)]
        if not rows:
            return None
        worst, program = max(rows)
        return {"geomean": suite.geomean([ratio for ratio, _ in rows]), "worst": worst, "worst_program": program,
                "programs": len(rows)}


def measure_all(costs, commands, options):
    """Round by round, program by program, mode by mode, so that a noisy minute hits all modes alike."""
    for number in range(options.runs):
        for program in costs.programs:
            for mode in [BASE, *costs.modes]:
                if (program.name, mode) in costs.errors:
                    continue
                if not options.quiet:
                    note = f"round {number + 1}/{options.runs}: {program.name}, {mode}"
                    print(f"\r{note:<78}", end="", file=sys.stderr, flush=True)
                value, error = take_sample(partial(commands, program, mode), options)
                if error:
                    costs.errors[program.name, mode] = error
                else:
                    costs.samples[program.name, mode].append(value)
    if not options.quiet:
        print("\r" + " " * 78 + "\r", end="", file=sys.stderr, flush=True)


def percent(ratio):
    return "-" if ratio is None else f"{(ratio - 1) * 100:+.1f}%"


def print_table(costs, options):
    unit = "million instructions" if options.instructions else "user time in seconds"
    what = "the second half of the work" if options.steady else "the run"
    print(f"--policy={options.policy}; {BASE}: {unit} of {what} without a profile; modes: what they add to it")
    print()
    width = max(len(p.name) for p in costs.programs)
    size = max(9, *(len(m) for m in costs.modes))

    def line(label, fields, tail=""):
        print("  ".join([label.ljust(width), *(f.rjust(size) for f in fields), tail]).rstrip())

    line("program", [BASE, *costs.modes], "" if options.instructions else "spread")
    for program in costs.programs:
        base = costs.median(program, BASE)
        shown = "ERROR" if base is None else f"{base / 1e6:.1f}" if options.instructions else f"{base:.3f}"
        fields = ["ERROR" if (program.name, m) in costs.errors else percent(costs.ratio(program, m)) for m in costs.modes]
        line(program.name, [shown, *fields], "" if options.instructions else f"{costs.spread(program):.0%}")
    summaries = [costs.summary(mode) or {"geomean": None, "worst": None} for mode in costs.modes]
    print()
    line("geomean", ["", *(percent(s["geomean"]) for s in summaries)])
    line("worst", ["", *(percent(s["worst"]) for s in summaries)])
    if "paths" in costs.modes:
        paths = costs.summary("paths")
        line("over paths", ["", *(percent(s["geomean"] / paths["geomean"]) if paths and s["geomean"] else "-"
                                  for s in summaries)])
    for (program, mode), error in costs.errors.items():
        print(f"error: {mode} on {program}: {error}")


def to_json(costs, options):
    return {
        "format": "mangata-profile-cost",
        "version": 1,
        "unit": "instructions" if options.instructions else "seconds",
        "policy": options.policy,
        "runs": options.runs,
        "scale": options.scale,
        "steady": options.steady,
        "modes": {mode: {"options": MODES[mode], "summary": costs.summary(mode)} for mode in costs.modes},
        "programs": [
            {
                "name": p.name,
                "group": p.group,
                "samples": {m: costs.samples[p.name, m] for m in [BASE, *costs.modes]},
                "ratios": {m: costs.ratio(p, m) for m in costs.modes},
            }
            for p in costs.programs
        ],
        "errors": [{"program": p, "mode": m, "error": e} for (p, m), e in costs.errors.items()],
    }


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=suite.SUITE, help="the programs (default bench/suite)")
    parser.add_argument("--engine", default=str(suite.ROOT / "build/release/bin/mangata"), metavar="FILE",
                        help="the executable (default: build/release/bin/mangata)")
    parser.add_argument("--policy", default="baseline", help="for all runs (default: baseline)")
    parser.add_argument("--mode", action="append", choices=list(MODES), help="only this mode (may be repeated)")
    parser.add_argument("--only", action="append", metavar="GLOB", help="only programs whose name matches")
    parser.add_argument("--group", action="append", metavar="NAME", help="only programs of this group")
    parser.add_argument("--instructions", action="store_true", help="count executed instructions, with valgrind")
    parser.add_argument("--steady", action="store_true", help="the cost of more of the same work, without fixed costs: "
                        "the difference between runs of twice the scale and of the scale")
    parser.add_argument("--runs", type=int, help="runs of every program and mode (default 7; 1 with --instructions)")
    parser.add_argument("--scale", type=float, help="multiplies the work (default 3; 0.1 with --instructions)")
    parser.add_argument("--timeout", type=float, default=300.0, metavar="SECONDS", help="per run (default 300)")
    parser.add_argument("--json", metavar="FILE", help="also write everything, each run included, to FILE")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    options = parser.parse_args()
    options.runs = options.runs or (1 if options.instructions else 7)
    options.scale = options.scale or (0.1 if options.instructions else 3.0)
    options.quiet = options.quiet or not sys.stderr.isatty()
    if not shutil.which(options.engine):
        sys.exit(f"{options.engine} is not an executable")
    if options.instructions and not shutil.which(COUNTER[0]):
        sys.exit("--instructions needs valgrind")
    options.engine = str(Path(shutil.which(options.engine)).resolve())
    return options


def main():
    options = parse_arguments()
    suite.adopt_orphans()
    modes = [mode for mode in MODES if not options.mode or mode in options.mode]
    costs = Costs(suite.choose_programs(options), modes)
    with tempfile.TemporaryDirectory() as folder:
        measure_all(costs, Commands(options.engine, options.policy, options.scale, folder), options)
    print_table(costs, options)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(to_json(costs, options), file, indent=1)
            file.write("\n")
    return 1 if costs.errors else 0


if __name__ == "__main__":
    sys.exit(main())
