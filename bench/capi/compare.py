#!/usr/bin/env python3
"""cost.lua under several engines in turns; the best of all rounds, nanoseconds.

    compare.py --module build/release/bench/capi build/release/bin/mangata lua5.4
    compare.py --script bench/ffi/cost.lua --module build/release/bench/ffi build/release/bin/mangata luajit "luajit -joff"
"""

import argparse
import os
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "cost.lua"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", required=True, help="the folder of cost.so")
    parser.add_argument("--script", default=str(SCRIPT))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("engines", nargs="+")
    arguments = parser.parse_args()
    environment = os.environ | {"LUA_CPATH": os.path.abspath(arguments.module) + "/?.so"}
    best: dict[str, dict[str, float]] = {}
    for _ in range(arguments.rounds):
        for engine in arguments.engines:
            output = subprocess.run([*engine.split(), arguments.script], env=environment, capture_output=True, text=True, check=True).stdout
            for line in output.splitlines():
                case, nanoseconds = line.split("\t")
                times = best.setdefault(case, {})
                times[engine] = min(times.get(engine, float("inf")), float(nanoseconds))
    print(f"{'ns':36}", *(f"{engine.split('/')[-1]:>18}" for engine in arguments.engines))
    for case, times in best.items():
        print(f"{case:36}", *(f"{times[engine]:18.1f}" if engine in times else f"{'':18}" for engine in arguments.engines))


if __name__ == "__main__":
    main()
