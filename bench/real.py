#!/usr/bin/env python3
"""Real programs under lua5.4, LuaJIT and each tier of Mangata: the same output, byte for byte, and how much faster.

    bench/real.py --folder CLONES [--programs bench/awfy_programs.toml ...] [--only NAME...] [--runs 5] [--together] [--engine build/release/bin/mangata]
                  [--luajit PATH] [--luau PATH]

CLONES holds the programs' repositories, by their names; the files of programs name them and say what is run (the head of real_programs.toml
explains it). Programs whose folder is missing are left out; a clone of another commit than the one that is named is said to be one. User time of
the process, medians of interleaved runs (bench/README.md): lua5.4 in seconds, everything else as times over that. User time includes the compile
thread; what that took, and how many regions and bytes of machine code there were, is from a run of its own with --jit-log. `mem` is peak RSS as a
multiple of lua5.4's. Below the table: programs that the default policy runs slower than our own interpreter, or more than 5 % slower than
baseline code alone, and programs below 1.5 times lua5.4.

The exit status is 1 if output, messages or exit codes of any tier of Mangata differ from lua5.4's, or a program does not run under that,
which leaves it out. Under LuaJIT and Luau programs may differ, which is marked, or not run at all (luau.py says which cannot). Luau compiles to
machine code (-O2 --codegen); it is asked only if --luau names it.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from luau import bundle
from run import ROOT, adopt_orphans, geomean, measure
from together import sample_together


@dataclass
class Program:
    name: str
    folder: Path
    script: Path
    environment: dict[str, str]

    def script_for(self, command):
        """Luau's has all modules in it."""
        whole = self.script.with_suffix(".luau")
        return str(whole if "--codegen" in command else self.script)

    def output(self, command, options=()):
        done = subprocess.run([*command, *options, self.script_for(command)], cwd=self.folder, env=self.environment, capture_output=True, timeout=600)
        # Messages begin with the name of the program that says them.
        return done.stdout, re.sub(rb"(?m)^\S*(?:lua5\.4|mangata|luajit): ", b"lua: ", done.stderr), done.returncode

    def sample(self, command):
        sample = measure([*command, self.script_for(command)], 600, self.folder, self.environment)
        return sample if sample.error is None else None


@dataclass
class Row:
    """What one program did under the engines other than lua5.4: how many times faster than that, and its memory as a multiple."""

    cells: str
    speedups: dict[str, float]
    memory: dict[str, float]
    differing: list[str]


def check_commit(name, folder, commit):
    """Says so where a clone is not of the commit that the figures were taken at: its output may then be another one."""
    head = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    if not head.startswith(commit):
        print(f"{name}: {folder} is at {head[:8]}, not at {commit}", file=sys.stderr)


def read_programs(options, scripts):
    programs = []
    described = {}
    for path in options.programs:
        described |= tomllib.loads(path.read_text(encoding="utf-8"))
    for name, description in described.items():
        folder = options.folder / description["repository"].rsplit("/", 1)[1]
        if options.only and name not in options.only:
            continue
        if not folder.is_dir():
            print(f"{name}: no {folder}, of {description['repository']}", file=sys.stderr)
            continue
        if "commit" in description:
            check_commit(name, folder, description["commit"])
        script = scripts / f"run_{name}_here.lua"
        script.write_text(description["script"], encoding="utf-8")
        path = f"{description['path']};{ROOT}/bench/programs/?.lua;;"
        if options.luau:
            whole = bundle(options.luau, description["script"], path, folder.resolve())
            script.with_suffix(".luau").write_text(whole, encoding="utf-8", errors="surrogateescape")
        kept = {key: value for key, value in os.environ.items() if not key.startswith("LUA_")}
        programs.append(Program(name, folder.resolve(), script, kept | {"LUA_PATH": path}))
    return programs


def compilation(program, command, log):
    """Regions, milliseconds of the compile thread, milliseconds of baseline compilation, and bytes of machine code of both."""
    program.output(command, [f"--jit-log={log}"])
    regions, optimizing, compiling, code_bytes = 0, 0.0, 0.0, 0
    for line in log.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if region := event.get("region"):
            regions += region["installed"]
            optimizing += region["milliseconds"]
            code_bytes += region["code_bytes"]
        elif cost := event.get("cost"):
            compiling += cost["milliseconds"]
            code_bytes += cost["code_bytes"]
    return f"{regions:8}{optimizing:8.0f}{compiling:8.1f}{code_bytes / 1024:8.0f}"


def compare(program, engines, options):
    """None: the program does not run under lua5.4."""
    judge, *others = engines
    wanted = program.output(engines[judge])
    if wanted[2] != 0:
        print(f"{program.name}: {judge} fails, so it is left out: {wanted[1].decode(errors='replace')}", file=sys.stderr)
        return None
    got = {name: program.output(engines[name]) for name in others}
    differing = [name for name in others if got[name] != wanted]
    running = [judge] + [name for name in others if got[name][2] == 0]
    if options.together:
        samples = sample_together(lambda name: program.sample(engines[name]), running, options.runs)
    else:
        samples = {name: [] for name in running}
        for _ in range(options.runs):
            for name in running:
                samples[name].append(program.sample(engines[name]))
    typical = statistics.mean if options.together else statistics.median
    usable = {name: each for name, each in samples.items() if None not in each}
    seconds = {name: max(typical(sample.user_seconds for sample in each), 1e-4) for name, each in usable.items()}
    peaks = {name: statistics.median(sample.peak_kilobytes for sample in each) for name, each in usable.items()}
    speedups = {name: seconds[judge] / seconds[name] for name in others if name in usable}
    memory = {name: peaks[name] / peaks[judge] for name in others if name in usable}
    cells = f"{seconds[judge]:9.2f}"
    for name in others:
        cells += f"{speedups[name]:11.2f}x" + ("*" if name in differing else " ") if name in usable else f"{'-':>13}"
    cells += "".join(f"{memory[name]:12.2f}" if name in usable else f"{'-':>12}" for name in others)
    return Row(cells, speedups, memory, differing)


def choose_engines(options):
    tiers = {"interpreter": ["--policy=interpreter"], "baseline": ["--policy=baseline"], "adaptive": []}
    mangata = os.path.abspath(options.engine)
    engines = {"lua5.4": ["lua5.4"]} | {tier: [mangata, *rest] for tier, rest in tiers.items()}
    if luajit := shutil.which(options.luajit):
        engines["luajit"] = [os.path.abspath(luajit)]
    if options.luau:
        engines["luau"] = [os.path.abspath(options.luau), "-O2", "--codegen"]
    return engines


def print_means(rows, columns):
    def means(kind, text, width):
        values = {name: [getattr(row, kind)[name] for row in rows.values() if name in getattr(row, kind)] for name in columns}
        return "".join(text.format(geomean(values[name])) if values[name] else f"{'-':>{width}}" for name in columns)

    if rows:
        print(f"{'geometric mean':14}{'':9}{means('speedups', '{:11.2f}x ', 13)}{means('memory', '{:12.2f}', 12)}")


def print_lists(rows, left_out):
    """What is to be looked at. Returns the names of what differs from lua5.4's output."""
    def listed(title, chosen):
        if chosen:
            print(f"{title}: {', '.join(chosen)}")

    def slower(than, by):
        for name, row in rows.items():
            ratio = row.speedups.get("adaptive", 0) / row.speedups.get(than, 1)
            if ratio < by:
                yield f"{name} ({ratio:.2f}x)"

    wrong = [f"{name} under {tier}" for name, row in rows.items() for tier in row.differing if tier not in ("luajit", "luau")]
    print("* another output than lua5.4's" if wrong else "The output of every tier is that of lua5.4.")
    listed("slower than our own interpreter", list(slower("interpreter", 1)))
    listed("slower than baseline code alone", list(slower("baseline", 0.95)))
    for tier in ("baseline", "adaptive"):
        listed(f"below 1.5x under {tier}", [f"{name} ({row.speedups[tier]:.2f}x)" for name, row in rows.items() if row.speedups.get(tier, 2) < 1.5])
    for each in wrong:
        print("DIFFERS:", each)
    listed("left out", left_out)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--programs", type=Path, nargs="+", default=[ROOT / "bench" / "real_programs.toml"])
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--together", action="store_true", help="all engines at the same time on one processor (together.py); means, not medians")
    parser.add_argument("--engine", default=str(ROOT / "build" / "release" / "bin" / "mangata"))
    parser.add_argument("--luajit", default="luajit", help="the executable of LuaJIT (default: the one installed, if there is one)")
    parser.add_argument("--luau", help="the executable of Luau")
    options = parser.parse_args()
    adopt_orphans()
    engines = choose_engines(options)
    columns = list(engines)[1:]
    print(f"{'':14}{'lua5.4 s':>9}" + "".join(f"{name:>12} " for name in columns) + "".join(f"{name[:7] + ' mem':>12}" for name in columns)
          + f"{'regions':>8}{'orc ms':>8}{'asm ms':>8}{'code K':>8}")
    rows, left_out = {}, []
    with tempfile.TemporaryDirectory() as scripts:
        for program in read_programs(options, Path(scripts)):
            row = compare(program, engines, options)
            if row is None:
                left_out.append(program.name)
                continue
            rows[program.name] = row
            print(f"{program.name:14}{row.cells}{compilation(program, engines['adaptive'], Path(scripts) / 'log.jsonl')}", flush=True)
    print_means(rows, columns)
    wrong = print_lists(rows, left_out)
    return 1 if wrong or left_out else 0


if __name__ == "__main__":
    sys.exit(main())
