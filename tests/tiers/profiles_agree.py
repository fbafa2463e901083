#!/usr/bin/env python3
"""The profile of a program does not depend on the tier that ran it: path and edge counts are compared, exactly.

    profiles_agree.py --engine build/release/bin/mangata                     bench, examples, tests/lua; all modes
    profiles_agree.py --engine ... --mode paths-k2 --program tokenizer
    profiles_agree.py --engine ... --every 5 --from 2                        a fifth of the programs: what the tests run
    profiles_agree.py --engine ... --tier deopt --tier osr                   regions that are left all the time: slow, only on request

The interpreter is the judge. All these programs take the same paths in every run; only names of temporary files differ.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import run_lua_tests  # noqa: E402
from exact_profile import WITHOUT_TIME, exact_part  # noqa: E402

MODES = {
    "paths": ["--profile-paths"],
    "paths-k2": ["--profile-paths", "--profile-k=2"],
    "paths-k3": ["--profile-paths", "--profile-k=3"],
    "hashed": ["--profile-paths", "--profile-many=hash"],
    # Which short strings exist still, so that they are not made again, depends on the collector, and its pace on machine code.
    "alloc": ["--profile-paths", "--profile-alloc", "-e", "collectgarbage('stop')"],
    "edges": ["--profile-edges"],
}
TIERS = {
    "baseline": ["--policy=baseline"],
    "counter": ["--policy=counter:entry=3,loop=5"],
    "schedule": ["--stress=schedule:7"],
    "resume": ["--policy=baseline", "--stress=resume"],
    "optimizer": ["--policy=optimizer:warm=100,record=400"],
    "facts": ["--policy=optimizer:warm=400,record=2000", "--opt-paths=facts"],
    "deopt": ["--stress=deopt:5"],
    "osr": ["--stress=osr:5"],
}
ON_REQUEST = {"deopt", "osr"}
SCALE = "0.02"
# How deep a recursion gets until the stack overflows may differ: compiled leaves check no stack, and metamethods that are inlined
# are no nested calls.
DEPTH_DEPENDENT = {"leaves_at_the_end_of_the_stack.lua", "functions_that_find_properties.lua", "recursion_of_all_kinds.lua"}
# How often it goes round until the collector runs depends on the memory in use, which machine code is part of.
MEMORY_DEPENDENT = {"stopped_collector.lua"}
# With --every, each other program runs in one of these halves of the tiers.
HALVES = [["baseline", "resume", "optimizer"], ["counter", "schedule", "facts"]]
# Programs that run long however small the scale, for stacks that overflow or so much code: with --every in these tiers only.
LONG = {"results_that_do_not_fit.lua", "recursion_as_deep_as_in_lua54.lua", "uncaught_stack_overflow.lua", "protected_calls_in_hot_loops.lua",
        "many_constants.lua", "lift.lua", "library_functions_of_odd_arguments.lua", "functions_that_call_themselves.lua", "recursion_depth.lua"}
LONG_TIERS = ["baseline", "optimizer"]
# Programs of some ten thousand functions, whose profiles take seconds to write and compare: only where all programs are asked for.
MANY_FUNCTIONS = {"operators_on_edge_values.lua", "comparisons_on_edge_values.lua", "loops_on_edge_values.lua",
                  "some_edge_loops.lua"}


def programs() -> list[Path]:
    """Each with the folder it runs in, and its arguments."""
    found = sorted((ROOT / "bench" / "suite").glob("*.lua")) + sorted((ROOT / "bench" / "branchy").glob("*.lua")) + sorted((ROOT / "examples").glob("*.lua"))
    for area in run_lua_tests.areas():
        found += run_lua_tests.files_of(area)
    return [path for path in found if path.name not in DEPTH_DEPENDENT | MEMORY_DEPENDENT]


def profile(engine: str, options: list[str], path: Path) -> tuple[str, str]:
    """What a run printed, and its profile; equal texts are equal profiles."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "profile.json")
        profiled = [WITHOUT_TIME] + [f"{o}={out}" if o in ("--profile-paths", "--profile-edges") else o for o in options]
        arguments = [SCALE] if path.parent.name in ("suite", "branchy") else []
        try:
            done = subprocess.run([engine, *profiled, path.name, *arguments], cwd=path.parent, capture_output=True, timeout=300,
                                  env=run_lua_tests.clean_environment(), stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return "not ended after 300 s", "no profile"
        text = Path(out).read_text(encoding="latin-1") if os.path.exists(out) else "no profile"
        return f"exit code {done.returncode}", re.sub(r"/tmp/lua_\w{6}", "/tmp/lua_XXXXXX", exact_part(text))


def first_difference(a: str, b: str) -> str:
    """Where two profiles part: the first function whose record differs."""
    try:
        left, right = json.loads(a), json.loads(b)
    except ValueError:
        return "one is no JSON"
    for f, g in zip(left.get("functions", []), right.get("functions", [])):
        if f != g:
            keys = [key for key in f if f.get(key) != g.get(key)]
            return f"{f.get('name')} ({f.get('source', f.get('file'))}): " + ", ".join(
                f"{key}: {str(f.get(key))[:150]} | {str(g.get(key))[:150]}" for key in keys)
    return f"{len(left.get('functions', []))} and {len(right.get('functions', []))} functions"


def check(engine: str, mode: str, tiers: list[str], path: Path) -> list[str]:
    judge = profile(engine, ["--policy=interpreter", *MODES[mode]], path)
    failures = []
    for tier in tiers:
        got = profile(engine, [*TIERS[tier], *MODES[mode]], path)
        if got != judge:
            what = first_difference(judge[1], got[1]) if got[0] == judge[0] else f"{judge[0]}, {got[0]}"
            failures.append(f"FAILED {path.relative_to(ROOT)} [{mode}, {tier}]: {what}")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--mode", action="append", choices=list(MODES), help="default: all")
    parser.add_argument("--tier", action="append", choices=list(TIERS), help="default: all but those on request")
    parser.add_argument("--program", action="append", help="only programs whose path contains this text")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth program")
    parser.add_argument("--from", type=int, default=0, metavar="I", dest="first", help="with --every: beginning with the Ith, from 0")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    engine = os.path.abspath(arguments.engine)
    chosen = [path for path in programs() if not arguments.program or any(text in str(path) for text in arguments.program)]
    if arguments.every > 1:
        chosen = [path for path in chosen if path.name not in MANY_FUNCTIONS]
    chosen = chosen[arguments.first::arguments.every]
    jobs = [(mode, path) for mode in arguments.mode or list(MODES) for path in chosen]
    tiers = arguments.tier or [tier for tier in TIERS if tier not in ON_REQUEST]

    def tiers_of(path: Path) -> list[str]:
        if arguments.every == 1 or arguments.tier:
            return tiers
        return LONG_TIERS if path.name in LONG else HALVES[chosen.index(path) % 2]

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for lines in pool.map(lambda job: check(engine, job[0], tiers_of(job[1]), job[1]), jobs):
            failed += len(lines)
            for line in lines:
                print(line, flush=True)
    print(f"{len(jobs)} programs and modes, {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
