#!/usr/bin/env python3
"""Runs the programs of bench/suite under several engines, interleaved, and compares user time and peak memory.

The method, and how to read the table, is in bench/README.md. Python's standard library only.

    bench/run.py                                          every engine found, every program
    bench/run.py --only 'base*' --runs 9                  some programs, more runs
    bench/run.py --engine lua=lua5.4 --engine counting='build/release/bin/mangata --profile-paths=/dev/null'
    bench/run.py --together                               all engines at the same time on one processor (together.py)
    bench/run.py --startup                                how long an empty program takes
"""

import argparse
import ctypes
import fnmatch
import json
import math
import os
import platform
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from together import sample_together

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT / "bench" / "suite"
DEFAULT_ENGINES = [
    "lua5.4=lua5.4",
    "luajit-off=luajit -joff",
    "luajit=luajit",
    f"mangata={ROOT}/build/release/bin/mangata",
]


@dataclass
class Sample:
    """One run of one command."""

    user_seconds: float
    wall_seconds: float
    peak_kilobytes: int
    error: str | None = None


@dataclass
class Cell:
    """All runs of one program under one engine. After the first error no more runs are made."""

    samples: list[Sample] = field(default_factory=list)
    error: str | None = None

    def add(self, sample):
        if sample.error:
            self.error = sample.error
        else:
            self.samples.append(sample)

    @property
    def usable(self):
        return self.error is None and bool(self.samples)

    @property
    def user(self):
        return statistics.median(s.user_seconds for s in self.samples)

    @property
    def peak(self):
        return statistics.median(s.peak_kilobytes for s in self.samples)

    @property
    def spread(self):
        """Half the distance between the fastest and the slowest run, as a share of the median."""
        times = [s.user_seconds for s in self.samples]
        return (max(times) - min(times)) / 2 / self.user if self.user else 0.0


@dataclass
class Program:
    path: Path
    group: str

    @property
    def name(self):
        return self.path.stem


def read_group(path):
    """The group is named by the first line: `-- group: branchy`."""
    with open(path, encoding="utf-8") as file:
        first = file.readline()
    prefix = "-- group:"
    if not first.startswith(prefix):
        sys.exit(f"{path}: the first line must be '{prefix} NAME'")
    return first[len(prefix) :].strip()


def adopt_orphans():
    """Makes grandchildren whose parent has ended children of this process (Linux), which `measure` relies on."""
    set_child_subreaper = 36
    if ctypes.CDLL(None, use_errno=True).prctl(set_child_subreaper, 1, 0, 0, 0) != 0:
        sys.exit("this kernel cannot adopt orphans (PR_SET_CHILD_SUBREAPER)")


# Linux counts the memory of whoever forked a process, up to its exec, as that process's own: started from Python, an
# engine would never seem to need less than Python does. So a shell, which is small, starts it and ends at once; the engine
# waits for a line until the shell is gone, or a short run could end while it is still the shell's child.
LAUNCHER = ["/bin/sh", "-c", 'exec 3<&0; (read go <&3; exec 3<&-; exec "$@" >/dev/null) & echo $!', "launcher"]


def measure(command, timeout, folder=ROOT, environment=None):
    """Runs `command` to its end. User time and peak memory are those of this one process (wait4)."""
    start = time.perf_counter()
    launcher = subprocess.Popen(
        [*LAUNCHER, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=environment,
        start_new_session=True,
    )
    pid = int(launcher.stdout.readline())
    timed_out = threading.Event()

    def give_up():
        timed_out.set()
        os.killpg(launcher.pid, signal.SIGKILL)   # the shell's process group, in which the engine runs

    timer = threading.Timer(timeout, give_up)
    timer.start()
    launcher.wait()
    launcher.stdin.write(b"go\n")
    launcher.stdin.close()
    launcher.stdin = None
    message = launcher.stderr.read().decode(errors="replace").strip()
    launcher.communicate()
    _, status, usage = os.wait4(pid, 0)
    timer.cancel()
    sample = Sample(usage.ru_utime, time.perf_counter() - start, usage.ru_maxrss)
    code = os.waitstatus_to_exitcode(status)
    if timed_out.is_set():
        sample.error = f"no end after {timeout:g} s"
    elif code < 0:
        sample.error = f"killed by {signal.Signals(-code).name}"
    elif code > 0:
        sample.error = message.splitlines()[0] if message else f"exit code {code}"
    return sample


def wall_seconds(command):
    """The time from starting `command` directly to its end: for programs too short to have a user time."""
    start = time.perf_counter()
    status = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start if status == 0 else None


def geomean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


class Results:
    """The cells of the table, and the ratios every report is made of."""

    def __init__(self, programs, engines, base):
        self.programs, self.engines, self.base = programs, engines, base
        self.cells = {(p.name, e): Cell() for p in programs for e in engines}

    def speedup(self, program, engine):
        """How many times faster than the base engine; None when either of them failed."""
        base, cell = self.cells[program.name, self.base], self.cells[program.name, engine]
        if not (base.usable and cell.usable and base.user and cell.user):
            return None
        return base.user / cell.user

    def memory(self, program, engine):
        base, cell = self.cells[program.name, self.base], self.cells[program.name, engine]
        if not (base.usable and cell.usable):
            return None
        return cell.peak / base.peak

    def groups(self):
        return sorted({p.group for p in self.programs})

    def summary(self, ratio, engine, group=None):
        """The geometric mean over a group (or all), with the number of programs it stands for."""
        chosen = [p for p in self.programs if group in (None, p.group)]
        ratios = [r for r in (ratio(p, engine) for p in chosen) if r]
        return geomean(ratios), len(ratios), len(chosen)


def run_once(results, program, name, scale, timeout):
    cell = results.cells[program.name, name]
    if not cell.error:
        cell.add(measure([*results.engines[name], str(program.path), f"{scale:g}"], timeout))


def run_suite_together(results, runs, scale, timeout):
    for program in results.programs:
        sample_together(lambda name: run_once(results, program, name, scale, timeout), results.engines, runs)


def run_suite(results, runs, scale, timeout, quiet):
    """Round by round, program by program, engine by engine, so that a noisy minute hits all engines alike."""
    for round_number in range(runs):
        for program in results.programs:
            for name in results.engines:
                if not quiet and not results.cells[program.name, name].error:
                    note = f"round {round_number + 1}/{runs}: {program.name} under {name}"
                    print(f"\r{note:<78}", end="", file=sys.stderr, flush=True)
                run_once(results, program, name, scale, timeout)
    if not quiet:
        print("\r" + " " * 78 + "\r", end="", file=sys.stderr, flush=True)


def print_table(results):
    names = list(results.engines)
    others = [n for n in names if n != results.base]
    width = max([len(p.name) for p in results.programs] + [len(f"geomean {g}") for g in results.groups()])
    columns = [f"{results.base} s"] + [f"{n} x" for n in others] + [f"{n} mem" for n in others]
    sizes = [max(len(c), 8) for c in columns]
    print(f"user time of {results.base} in seconds; x: times faster than {results.base}; mem: its peak RSS = 1.00")
    print()
    print("  ".join(["program".ljust(width)] + [c.rjust(s) for c, s in zip(columns, sizes)] + ["spread"]))

    def line(label, fields, tail=""):
        print("  ".join([label.ljust(width)] + [f.rjust(s) for f, s in zip(fields, sizes)] + [tail]).rstrip())

    def shown(value):
        return "-" if value is None else f"{value:.2f}"

    for group in results.groups():
        for program in (p for p in results.programs if p.group == group):
            base = results.cells[program.name, results.base]
            fields = [f"{base.user:.3f}" if base.usable else "ERROR"]
            for ratio in (results.speedup, results.memory):
                for name in others:
                    failed = results.cells[program.name, name].error
                    fields.append("ERROR" if failed else shown(ratio(program, name)))
            spreads = [results.cells[program.name, n].spread for n in names if results.cells[program.name, n].usable]
            line(program.name, fields, f"{max(spreads):.0%}" if spreads else "")
        print_geomeans(results, f"geomean {group}", others, group, line)
        print()
    print_geomeans(results, "geomean all", others, None, line)


def print_geomeans(results, label, others, group, line):
    fields = [""]
    incomplete = []
    for ratio in (results.speedup, results.memory):
        for name in others:
            mean, counted, total = results.summary(ratio, name, group)
            fields.append("-" if mean is None else f"{mean:.2f}")
            if counted < total and ratio == results.speedup:
                incomplete.append(f"{name}: {counted} of {total}")
    line(label, fields, "without the failed ones (" + ", ".join(incomplete) + ")" if incomplete else "")


def print_errors(results):
    failures = [(key, cell) for key, cell in results.cells.items() if cell.error]
    if failures:
        print("\nerrors:")
        for (program, engine), cell in failures:
            print(f"  {engine} on {program}: {cell.error}")
    return bool(failures)


def to_json(results, options):
    def cell_json(cell):
        if cell.error:
            return {"error": cell.error}
        return {
            "user_seconds": [s.user_seconds for s in cell.samples],
            "wall_seconds": [s.wall_seconds for s in cell.samples],
            "peak_kilobytes": [s.peak_kilobytes for s in cell.samples],
            "user_seconds_median": cell.user,
            "peak_kilobytes_median": cell.peak,
        }

    def summary_json(engine, group):
        speedup, counted, total = results.summary(results.speedup, engine, group)
        memory = results.summary(results.memory, engine, group)[0]
        return {"speedup": speedup, "memory": memory, "programs": total, "counted": counted}

    return {
        "format": "mangata-bench",
        "version": 1,
        "machine": platform.machine(),
        "system": platform.platform(),
        "runs": options.runs,
        "scale": options.scale,
        "base": results.base,
        "engines": {name: shlex.join(command) for name, command in results.engines.items()},
        "programs": [
            {
                "name": p.name,
                "group": p.group,
                "engines": {
                    e: {
                        **cell_json(results.cells[p.name, e]),
                        "speedup": results.speedup(p, e),
                        "memory": results.memory(p, e),
                    }
                    for e in results.engines
                },
            }
            for p in results.programs
        ],
        "geomeans": {
            group or "all": {e: summary_json(e, group) for e in results.engines}
            for group in [*results.groups(), None]
        },
    }


def measure_startup(engines, base, runs, timeout):
    """Wall time of `engine -e ''`, interleaved: a process this short has no user time worth reading."""
    walls = {name: [] for name in engines}
    rows = {}
    for name, command in engines.items():
        sample = measure([*command, "-e", ""], timeout)
        rows[name] = {"error": sample.error} if sample.error else {"peak_kilobytes": sample.peak_kilobytes}
    for _ in range(runs):
        for name, command in engines.items():
            if "error" not in rows[name]:
                walls[name].append(wall_seconds([*command, "-e", ""]))
    for name, times in walls.items():
        if None in times:
            rows[name] = {"error": "failed in some of the runs"}
        elif times:
            rows[name]["milliseconds_median"] = statistics.median(times) * 1000
            rows[name]["milliseconds_best"] = min(times) * 1000
    print(f"start-up, {runs} runs each; wall time of `engine -e ''`, including the cost of starting any process")
    print(f"{'engine':<16}{'median ms':>10}{'best ms':>10}{'ratio':>8}{'peak kB':>10}")
    for name, row in rows.items():
        if "error" in row:
            print(f"{name:<16}{'ERROR':>10}  {row['error']}")
            continue
        ratio = row["milliseconds_median"] / rows[base]["milliseconds_median"] if "error" not in rows[base] else math.nan
        print(f"{name:<16}{row['milliseconds_median']:>10.2f}{row['milliseconds_best']:>10.2f}{ratio:>8.2f}"
              f"{row['peak_kilobytes']:>10.0f}")
    return {"format": "mangata-startup", "version": 1, "runs": runs, "base": base, "engines": rows}


def parse_engines(texts):
    """`name=command with options` -> {name: [command, with, options]}; the defaults are those that are installed."""
    engines = {}
    for text in texts or DEFAULT_ENGINES:
        name, equals, command = text.partition("=")
        words = shlex.split(command)
        if not equals or not words:
            sys.exit(f"--engine wants NAME='COMMAND ...', not {text!r}")
        if shutil.which(words[0]):
            engines[name] = [shutil.which(words[0]), *words[1:]]
        elif texts:
            sys.exit(f"engine {name}: {words[0]} is not an executable")
    if not engines:
        sys.exit("no engine found: give one with --engine NAME='COMMAND ...'")
    return engines


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", action="append", metavar="NAME=COMMAND",
                        help="an engine with its options (may be repeated; default: those installed)")
    parser.add_argument("--base", metavar="NAME", help="the engine all others are compared with (default: the first)")
    parser.add_argument("--folder", type=Path, default=SUITE, help="the programs (default bench/suite; bench/kinds has some more)")
    parser.add_argument("--only", action="append", metavar="GLOB", help="only programs whose name matches")
    parser.add_argument("--group", action="append", metavar="NAME", help="only programs of this group")
    parser.add_argument("--runs", type=int, help="runs of every program (default 5; 200 with --startup)")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies the work (default 1)")
    parser.add_argument("--timeout", type=float, default=120.0, metavar="SECONDS", help="per run (default 120)")
    parser.add_argument("--json", metavar="FILE", help="also write everything, each run included, to FILE")
    parser.add_argument("--together", action="store_true", help="all engines at the same time on one processor (together.py)")
    parser.add_argument("--startup", action="store_true", help="measure start-up instead of the suite")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    options = parser.parse_args()
    options.runs = options.runs or (200 if options.startup else 5)
    options.quiet = options.quiet or not sys.stderr.isatty()
    return options


def choose_programs(options):
    programs = [Program(path, read_group(path)) for path in sorted(options.folder.glob("*.lua"))]
    if options.only:
        programs = [p for p in programs if any(fnmatch.fnmatch(p.name, glob) for glob in options.only)]
    if options.group:
        programs = [p for p in programs if p.group in options.group]
    if not programs:
        sys.exit("no program matches")
    return programs


def main():
    options = parse_arguments()
    adopt_orphans()
    engines = parse_engines(options.engine)
    base = options.base or next(iter(engines))
    if base not in engines:
        sys.exit(f"--base {base}: the engines are {', '.join(engines)}")
    failed = False
    if options.startup:
        report = measure_startup(engines, base, options.runs, options.timeout)
    else:
        results = Results(choose_programs(options), engines, base)
        if options.together:
            run_suite_together(results, options.runs, options.scale, options.timeout)
        else:
            run_suite(results, options.runs, options.scale, options.timeout, options.quiet)
        print_table(results)
        failed = print_errors(results)
        report = to_json(results, options)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
            file.write("\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
