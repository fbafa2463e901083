#!/usr/bin/env python3
"""What each kind of profile is worth to the optimizer: the same tier with --opt-paths=off, edges, acyclic and k.

    bench/paths_worth.py --engine build/release/bin/mangata [--group branchy | --only NAME...] [--rounds 3] [--seconds 1] [--engines lua5.4 luajit]

Compiling is left out: each program of bench/suite is loaded once and called again and again in one process, with a small scale, and what
counts is its fastest call, by the processor time of the process. Processes are interleaved, and of all rounds the fastest call counts
again. Numbers are times over that of baseline code: how many times faster. The last column is that of paths over k iterations over the
best of the other three.

A program that makes its classes anew in each call has new shapes each time: such programs (bank_queue, shapes, trees) look worse here
than they are, under every kind of profile alike.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from run import ROOT, SUITE, geomean, read_group

DRIVER = """
local path, scale, seconds = arg[1], arg[2], tonumber(arg[3])
local program, say = assert(loadfile(path)), print
print = function() end
local start, best, calls = os.clock(), math.huge, 0
repeat
  local before = os.clock()
  program(scale)
  best = math.min(best, os.clock() - before)
  calls = calls + 1
until os.clock() - start > seconds and calls >= 5
say(string.format("%.6f", best))
"""
KINDS = ["off", "edges", "acyclic", "k"]


def fastest_call(command, driver, program, options):
    done = subprocess.run([*command, driver, str(program), str(options.scale), str(options.seconds)],
                          capture_output=True, text=True, timeout=300)
    return float(done.stdout) if done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=str(ROOT / "build" / "release" / "bin" / "mangata"))
    parser.add_argument("--engines", nargs="*", default=[], help="others to compare with")
    parser.add_argument("--group")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="of each process")
    parser.add_argument("--scale", type=float, default=0.05)
    options = parser.parse_args()
    commands = {"baseline": [options.engine, "--policy=baseline"]}
    for kind in KINDS:
        commands[kind] = [options.engine, "--policy=optimizer:k=4", f"--opt-paths={kind}"]
    for other in options.engines:
        commands[other] = [other]
    programs = [p for p in sorted(SUITE.glob("*.lua"))
                if (not options.group or read_group(p) == options.group) and (not options.only or p.stem in options.only)]
    print(f"{'':22}" + "".join(f"{name:>10}" for name in list(commands)[1:]) + f"{'k/best':>10}")
    ratios = {name: [] for name in [*commands, "k/best"]}
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as driver:
        driver.write(DRIVER)
        driver.flush()
        for program in programs:
            best = {}
            for _ in range(options.rounds):
                for name, command in commands.items():
                    seconds = fastest_call(command, driver.name, program, options)
                    if seconds is not None:
                        best[name] = min(best.get(name, seconds), seconds)
            if not all(name in best for name in ("baseline", *KINDS)):
                print(f"{program.stem:22} does not run at this scale", file=sys.stderr)
                continue
            its = {name: best["baseline"] / best[name] for name in best}
            its["k/best"] = its["k"] / max(its[kind] for kind in KINDS[:-1])
            for name, ratio in its.items():
                ratios[name].append(ratio)
            print(f"{program.stem:22}" + "".join(f"{its.get(name, 0):10.2f}" for name in ratios if name != "baseline"), flush=True)
    print(f"{'geomean':22}" + "".join(f"{geomean(ratios[name]) or 0:10.2f}" for name in ratios if name != "baseline"))


if __name__ == "__main__":
    main()
