#!/usr/bin/env python3
"""Real programs under lua5.4, LuaJIT and each tier of Mangata: the same output, byte for byte, and how much faster.

    bench/real.py --folder CLONES [--programs bench/real_programs.toml] [--only NAME...] [--runs 5] [--engine build/release/bin/mangata]

CLONES holds the programs' repositories, by their names; the file of programs names them and says what is run (its head explains it). Programs
whose folder is missing are left out. User time of the process, medians of interleaved runs (bench/README.md): lua5.4 in seconds, everything else
as times over that. User time includes the compile thread; what that took, and how many regions and bytes of machine code there were, is from
a run of its own with --jit-log. `slower` names programs that the default policy runs slower than our own interpreter.

The exit status is 1 if output, messages or exit codes of any tier of Mangata differ from lua5.4's, or a program does not run under that,
which leaves it out. Under LuaJIT programs may differ, which is marked, or not run at all.
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

from run import ROOT, adopt_orphans, geomean, measure


@dataclass
class Program:
    name: str
    folder: Path
    script: Path
    environment: dict[str, str]

    def output(self, command, options=()):
        done = subprocess.run([*command, *options, str(self.script)], cwd=self.folder, env=self.environment, capture_output=True, timeout=600)
        # Messages begin with the name of the program that says them.
        return done.stdout, re.sub(rb"(?m)^\S*(?:lua5\.4|mangata|luajit): ", b"lua: ", done.stderr), done.returncode

    def seconds(self, command):
        sample = measure([*command, str(self.script)], 600, self.folder, self.environment)
        return sample.user_seconds if sample.error is None else None


def read_programs(options, scripts):
    programs = []
    for name, its in tomllib.loads(options.programs.read_text(encoding="utf-8")).items():
        folder = options.folder / its["repository"].rsplit("/", 1)[1]
        if options.only and name not in options.only:
            continue
        if not folder.is_dir():
            print(f"{name}: no {folder}, of {its['repository']}", file=sys.stderr)
            continue
        script = scripts / f"run_{name}_here.lua"
        script.write_text(its["script"], encoding="utf-8")
        kept = {key: value for key, value in os.environ.items() if not key.startswith("LUA_")}
        programs.append(Program(name, folder.resolve(), script, kept | {"LUA_PATH": its["path"] + ";;"}))
    return programs


def compilation(program, command, log):
    """Regions, milliseconds of the compile thread, milliseconds of baseline compilation, and bytes of machine code of both."""
    program.output(command, [f"--jit-log={log}"])
    regions, optimizing, compiling, code_bytes = 0, 0.0, 0.0, 0
    for line in log.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if region := event.get("region"):
            regions += region["in_force"]
            optimizing += region["milliseconds"]
            code_bytes += region["code_bytes"]
        elif cost := event.get("cost"):
            compiling += cost["milliseconds"]
            code_bytes += cost["code_bytes"]
    return f"{regions:8}{optimizing:8.0f}{compiling:8.1f}{code_bytes / 1024:8.0f}"


def compare(program, engines, options):
    """A row's texts, its ratios by engine, and which tiers differ from lua5.4. None: it does not run under lua5.4."""
    judge, *others = engines
    wanted = program.output(engines[judge])
    if wanted[2] != 0:
        print(f"{program.name}: {judge} fails, so it is left out: {wanted[1].decode(errors='replace')}", file=sys.stderr)
        return None
    got = {name: program.output(engines[name]) for name in others}
    differing = [name for name in others if got[name] != wanted]
    running = [judge] + [name for name in others if got[name][2] == 0]
    seconds = {name: [] for name in running}
    for _ in range(options.runs):
        for name in running:
            seconds[name].append(program.seconds(engines[name]))
    medians = {name: max(statistics.median(seconds[name]), 1e-4) for name in running if None not in seconds[name]}
    base = medians[judge]
    ratios = {name: base / medians[name] for name in running[1:] if name in medians}
    cells = [f"{base:9.2f}"]
    for name in others:
        cells.append(f"{ratios[name]:11.2f}x" + ("*" if name in differing else " ") if name in ratios else f"{'-':>13}")
    return "".join(cells), ratios, differing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--programs", type=Path, default=ROOT / "bench" / "real_programs.toml")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--engine", default=str(ROOT / "build" / "release" / "bin" / "mangata"))
    options = parser.parse_args()
    adopt_orphans()
    tiers = {"interpreter": ["--policy=interpreter"], "baseline": ["--policy=baseline"], "adaptive": []}
    mangata = os.path.abspath(options.engine)
    engines = {"lua5.4": ["lua5.4"]} | {tier: [mangata, *rest] for tier, rest in tiers.items()}
    if shutil.which("luajit"):
        engines["luajit"] = ["luajit"]
    columns = list(engines)[1:]
    print(f"{'':14}{'lua5.4 s':>9}" + "".join(f"{name:>12} " for name in columns) + f"{'regions':>8}{'orc ms':>8}{'asm ms':>8}{'code K':>8}")
    all_ratios, wrong, slower, left_out = {name: [] for name in columns}, [], [], []
    with tempfile.TemporaryDirectory() as scripts:
        for program in read_programs(options, Path(scripts)):
            compared = compare(program, engines, options)
            if compared is None:
                left_out.append(program.name)
                continue
            cells, ratios, differing = compared
            print(f"{program.name:14}{cells}{compilation(program, engines['adaptive'], Path(scripts) / 'log.jsonl')}", flush=True)
            for name, ratio in ratios.items():
                all_ratios[name].append(ratio)
            wrong += [f"{program.name} under {name}" for name in differing if name in tiers]
            if ratios.get("adaptive", 0) < ratios.get("interpreter", 0):
                slower.append(f"{program.name} ({ratios['adaptive'] / ratios['interpreter']:.2f}x)")
    if any(all_ratios.values()):
        means = "".join(f"{geomean(all_ratios[name]):11.2f}x " if all_ratios[name] else f"{'-':>13}" for name in columns)
        print(f"{'geometric mean':14}{'':9}{means}")
    print("* another output than lua5.4's" if wrong else "The output of every tier is that of lua5.4.")
    if slower:
        print("slower than our own interpreter:", ", ".join(slower))
    for each in wrong:
        print("DIFFERS:", each)
    if left_out:
        print("left out:", ", ".join(left_out))
    return 1 if wrong or left_out else 0


if __name__ == "__main__":
    sys.exit(main())
