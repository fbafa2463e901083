#!/usr/bin/env python3
"""How far from native code: five programs of bench/suite, and the same programs in C++ (bench/native), interleaved.

    bench/native_limit.py --build build/release [--runs 5] [--scale 1] [--only NAME...]

User time of the process (bench/README.md), medians; `x` is how many times as fast as lua5.4. Native programs do ten times the work,
for they end too soon otherwise; their time is a tenth of what was measured. The last column is how many times as long as native code the
default policy takes, compiling included.

Then the loop of the paper on paths of k iterations whose two arms alternate (native/alternation.lua): nanoseconds per iteration in the
steady state, and cycles of the time stamp counter (not of the core's clock, which may be another). Where LuaJIT is not installed its row is left out.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from run import ROOT, SUITE, adopt_orphans, geomean, measure

PROGRAMS = ["alternating_branch", "dfa", "mandelbrot", "sieve", "utf8_decoder"]
NATIVE_WORK = 10


def compare_programs(options, engines):
    columns = [*engines, "native"]
    print(f"{'user seconds':22}" + "".join(f"{name:>17}" for name in columns) + f"{'to native':>11}")
    ratios = {name: [] for name in columns[1:] + ["to native"]}
    for name in options.only or PROGRAMS:
        samples = {column: [] for column in columns}
        for _ in range(options.runs):
            for engine, command in engines.items():
                samples[engine].append(measure([*command, str(SUITE / f"{name}.lua"), str(options.scale)], 300))
            native = measure([str(options.binaries / f"native_{name}"), str(options.scale * NATIVE_WORK)], 300)
            native.user_seconds /= NATIVE_WORK
            samples["native"].append(native)
        errors = [sample.error for runs in samples.values() for sample in runs if sample.error]
        if errors:
            sys.exit(f"{name}: {errors[0]}")
        times = {column: statistics.median(sample.user_seconds for sample in runs) for column, runs in samples.items()}
        base = times[columns[0]]
        cells = [f"{times[columns[0]]:17.3f}"] + [f"{times[c]:9.3f} {base / times[c]:6.1f}x" for c in columns[1:]]
        over = times[list(engines)[-1]] / times["native"]
        print(f"{name:22}" + "".join(cells) + f"{over:11.2f}", flush=True)
        for column in columns[1:]:
            ratios[column].append(base / times[column])
        ratios["to native"].append(over)
    means = "".join(f"{geomean(ratios[c]):16.1f}x" for c in columns[1:])
    print(f"{'geometric mean':22}{'':17}{means}{geomean(ratios['to native']):11.2f}")


def nanoseconds(command):
    return [float(word) for word in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()]


def alternation(options, engines):
    native = options.binaries / "native_alternation"
    if not native.exists():
        return
    script = str(ROOT / "bench" / "native" / "alternation.lua")
    best, rates = {}, []
    for _ in range(options.runs):
        for name, command in engines.items():
            best[name] = min(best.get(name, float("inf")), nanoseconds([*command, script])[0])
        took, rate = nanoseconds([str(native)])
        best["native"] = min(best.get("native", float("inf")), took)
        rates.append(rate)
    rate = statistics.median(rates)
    print(f"\n{'alternating loop':22}{'ns':>8}{'cycles':>8}   per iteration; {rate:.2f} cycles in a nanosecond")
    for name, took in best.items():
        print(f"{name:22}{took:8.2f}{took * rate:8.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--only", nargs="*", choices=PROGRAMS)
    options = parser.parse_args()
    adopt_orphans()
    options.binaries = options.build.resolve() / "bin"
    mangata = str(options.binaries / "mangata")
    engines = {"lua5.4": ["lua5.4"], "interpreter": [mangata, "--policy=interpreter"],
               "baseline": [mangata, "--policy=baseline"], "adaptive": [mangata]}
    compare_programs(options, engines)
    if shutil.which("luajit"):
        engines["luajit"] = ["luajit"]
    engines["adaptive, acyclic"] = [mangata, "--opt-paths=acyclic"]
    alternation(options, engines)


if __name__ == "__main__":
    main()
