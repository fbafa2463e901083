#!/usr/bin/env python3
"""What single operations cost by the kinds of their operands, as times over lua5.4, the slowest first.

    bench/operations.py [--below 1.3] [--sort baseline|adaptive|interpreter] [--rounds 2] [--engine build/release/bin/mangata]

The operations are those of bench/micro/operations.lua. Engines take turns, the best of the rounds counts. Nanoseconds an operation, the loop around
it included, so ratios are nearer to one than those of the operation alone. Regions move most of these out of their loop: what the column `adaptive`
says is where they do not.
"""

import argparse
import math
import os
import subprocess
import sys

from run import ROOT

SCRIPT = ROOT / "bench" / "micro" / "operations.lua"


def nanoseconds(command):
    done = subprocess.run([*command, SCRIPT], capture_output=True, text=True, check=True)
    return {name: float(figure) for name, figure in (line.split("\t") for line in done.stdout.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--below", type=float, default=math.inf, help="only what is less than so many times as fast as lua5.4")
    parser.add_argument("--sort", choices=("interpreter", "baseline", "adaptive"), default="baseline")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--engine", default=str(ROOT / "build" / "release" / "bin" / "mangata"))
    options = parser.parse_args()
    mangata = os.path.abspath(options.engine)
    engines = {"lua5.4": ["lua5.4"], "interpreter": [mangata, "--policy=interpreter"], "baseline": [mangata, "--policy=baseline"],
               "adaptive": [mangata]}
    best = {engine: {} for engine in engines}
    for _ in range(options.rounds):
        for engine, command in engines.items():
            for name, figure in nanoseconds(command).items():
                best[engine][name] = min(figure, best[engine].get(name, math.inf))
    base = best["lua5.4"]

    def ratio(engine, name):
        return base[name] / max(best[engine][name], 0.1)

    print(f"{'ns an operation':24}" + "".join(f"{engine:>20}" for engine in engines))
    for name in sorted(base, key=lambda each: ratio(options.sort, each)):
        if ratio(options.sort, name) < options.below:
            cells = "".join(f"{best[engine][name]:11.2f} ({ratio(engine, name):5.2f}x)" for engine in list(engines)[1:])
            print(f"{name:24}{base[name]:20.2f}{cells}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
