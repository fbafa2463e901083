#!/usr/bin/env python3
"""What each kind of profile is worth to the optimizer: the same tier with --opt-paths=off, edges, acyclic, k and facts.

    bench/paths_worth.py --engine build/release/bin/mangata [--folder bench/branchy] [--group branchy | --only NAME...] [--rounds 3] [--seconds 1]
                         [--compiling] [--loops] [--engines lua5.4 luajit]

Compiling is left out: each program is loaded once and called again and again in one process, with a small scale, and what counts is its
fastest call, by the processor time of the process. Processes are interleaved, and of all rounds the fastest call counts again. With
--compiling, whole runs are measured instead, by the user time of the process, under the policy that is the default.

Numbers are times over that of baseline code: how many times faster. The last column is that of the last kind over the best of the others.
Programs with a twin (bench/branchy) have the bound beside them: the same result, computed by code in which whatever follows from paths was
folded by hand, under the kind that suits that code best. Both have to compute the same.

`native` is the program in C++ (bench/native), where there is one and it was built: the time of ten times the work, by ten.

With --loops, nothing is timed: for each loop that was compiled it says, under each kind, how many contexts, IR instructions, bytes and
milliseconds it has become, and what its contexts look back on, or which variables' values they know and how many branches these decide.

A program that makes its classes anew in each call has new shapes each time: such programs (bank_queue, shapes, trees) look worse here
than they are, under every kind of profile alike.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from run import ROOT, SUITE, geomean, read_group

DRIVER = """
local path, scale, seconds, which = arg[1], arg[2], tonumber(arg[3]), arg[4]
local program, say, result = assert(loadfile(path)), print, nil
print = function() end
local start, best, calls = os.clock(), math.huge, 0
repeat
  local before = os.clock()
  result = program(scale, which)
  best = math.min(best, os.clock() - before)
  calls = calls + 1
until os.clock() - start > seconds and calls >= 5
say(string.format("%.6f", best), result)
"""
KINDS = ["off", "edges", "acyclic", "k", "facts"]
BOUND_KINDS = ["off", "k", "facts"]
NATIVE_WORK = 10
MADE = re.compile(r"\] (?P<function>\S+) \([^)]*\): (?P<loop>loop \d+ |whole function )?optimized "
                  r"\[(?P<ir>\d+) IR instructions, (?P<bytes>\d+) bytes, (?P<ms>[\d.]+) ms[^\]]*\](?P<how>: .*)?")


def fastest_call(command, driver, program, options, which):
    """Seconds, and what the program has returned; None: it has failed."""
    done = subprocess.run([*command, driver, str(program), str(options.scale), str(options.seconds), *which],
                          capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        return None
    seconds, result = done.stdout.split(None, 1)
    return float(seconds), result


def whole_run(command, program, options, which):
    """The same, of one run; what it computes it checks itself."""
    process = subprocess.Popen([*command, str(program), str(options.scale), *which], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return (usage.ru_utime, "") if status == 0 else None


def native_seconds(program, options):
    """Of the same work as the others do in one call, or run; None: there is no such program."""
    binary = options.engine.parent / f"native_{program.stem}"
    if not binary.exists() or options.folder.resolve() != SUITE.resolve():
        return None
    done = [whole_run([str(binary)], Path(str(options.scale * NATIVE_WORK)), argparse.Namespace(scale=""), []) for _ in range(options.rounds)]
    return min(seconds for seconds, _ in done) / NATIVE_WORK


def print_loops(programs, commands, options):
    """What the log says of each loop; the last that was made counts."""
    print(f"{'':40}{'kind':9}{'contexts':>9}{'IR':>7}{'bytes':>7}{'ms':>7}  what contexts are of")
    for program in programs:
        found = {}
        for kind in KINDS:
            with tempfile.NamedTemporaryFile(suffix=".log") as log:
                subprocess.run([*commands[kind], f"--jit-log={log.name}", str(program), "6"], stdout=subprocess.DEVNULL, check=False)
                text = Path(log.name).read_text()
            for made in MADE.finditer(text):
                loop = (made["loop"] or "").strip() or "whole function"
                found.setdefault((made["function"], loop), {})[kind] = made
        for (function, loop), kinds in found.items():
            for kind, made in kinds.items():
                contexts = re.search(r"by (\d+) context", made["how"] or "")
                print(f"{program.stem + ': ' + function + ', ' + loop:40.40}{kind:9}{contexts[1] if contexts else '-':>9}{made['ir']:>7}{made['bytes']:>7}"
                      f"{float(made['ms']):7.1f}  {(made['how'] or '').removeprefix(': ')}")


def commands_of(options):
    policy = [] if options.compiling else ["--policy=optimizer:k=4"]
    commands = {"baseline": [str(options.engine), "--policy=baseline"]}
    for kind in KINDS:
        commands[kind] = [str(options.engine), *policy, f"--opt-paths={kind}"]
    for other in options.engines:
        commands[other] = [other]
    return commands


def measure(program, commands, options, driver):
    """By name of a command, and by name and ":twin", the fewest seconds of all rounds; and all results."""
    best, results = {}, set()
    runs = [(name, command, []) for name, command in commands.items()]
    if '"twin"' in program.read_text():
        runs += [(f"{kind}:twin", commands[kind], ["twin"]) for kind in BOUND_KINDS]
    for _ in range(options.rounds):
        for name, command, which in runs:
            done = whole_run(command, program, options, which) if options.compiling else fastest_call(command, driver, program, options, which)
            if done is not None:
                best[name] = min(best.get(name, done[0]), done[0])
                results.add(done[1])
    return best, results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", type=Path, default=ROOT / "build" / "release" / "bin" / "mangata")
    parser.add_argument("--engines", nargs="*", default=[], help="others to compare with")
    parser.add_argument("--folder", type=Path, default=SUITE, help="the programs (default bench/suite)")
    parser.add_argument("--group")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="of each process")
    parser.add_argument("--scale", type=float, help="of each call (default 0.05), or of the run (1)")
    parser.add_argument("--loops", action="store_true", help="what each loop is compiled to, instead of times")
    parser.add_argument("--compiling", action="store_true", help="whole runs, with all that they compile")
    options = parser.parse_args()
    options.scale = options.scale or (1 if options.compiling else 0.05)
    commands = commands_of(options)
    programs = [p for p in sorted(options.folder.glob("*.lua"))
                if (not options.group or read_group(p) == options.group) and (not options.only or p.stem in options.only)]
    if options.loops:
        return print_loops(programs, commands, options)
    last = f"{KINDS[-1]}/best"
    columns = [*list(commands)[1:], "bound", "native", last]
    print(f"{'':22}" + "".join(f"{name:>11}" for name in columns))
    ratios = {name: [] for name in columns}
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as driver:
        driver.write(DRIVER)
        driver.flush()
        for program in programs:
            best, results = measure(program, commands, options, driver.name)
            if not all(name in best for name in ("baseline", *KINDS)):
                print(f"{program.stem:22} does not run at this scale", file=sys.stderr)
                continue
            if len(results) != 1:
                print(f"{program.stem:22} computes {sorted(results)}", file=sys.stderr)
            its = {name: best["baseline"] / best[name] for name in commands if name in best}
            its[last] = its[KINDS[-1]] / max(its[kind] for kind in KINDS[:-1])
            twins = [seconds for name, seconds in best.items() if name.endswith(":twin")]
            if twins:
                its["bound"] = best["baseline"] / (min(twins) or 0.001)
            native = native_seconds(program, options)
            if native:
                its["native"] = best["baseline"] / native
            for name in columns:
                if name in its:
                    ratios[name].append(its[name])
            print(f"{program.stem:22}" + "".join(f"{its[name]:11.2f}" if name in its else f"{'':11}" for name in columns), flush=True)
    print(f"{'geomean':22}" + "".join(f"{geomean(ratios[name]) or 0:11.2f}" for name in columns))


if __name__ == "__main__":
    main()
