#!/usr/bin/env python3
"""Which functions ordinary runs execute: cmake/function_order.txt, by which the linker puts them side by side (Targets.cmake).

Linux maps the pages around each page that is touched, too. Spread over the executable, the functions that run make most of it
resident; side by side, a third. A list that is out of date costs memory, nothing else.

    order_functions.py --engine build/release/bin/mangata           makes the list, with valgrind (minutes)
    order_functions.py --engine build/release/bin/mangata --check   fails when a tenth of the list is no longer there (with nm)
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "cmake" / "function_order.txt"
# From what every run needs to what only some do; for each policy, what most of the programs need comes first.
POLICIES = ["interpreter", "baseline", "adaptive"]
PROGRAMS = ["fibonacci", "sorting", "json_round_trip", "cooperative_tasks", "text_building", "vectors", "tokenizer", "varargs"]
SCALE = "0.005"
TALKING = "print(string.format('%d %s', 1, 'a')) io.write('b\\n') print(pcall(error, 'c')) for l in io.lines('/dev/null') do end"


def executed(engine, options):
    """The symbols of the functions of `engine` that a run executes."""
    with tempfile.NamedTemporaryFile("r") as record:
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={record.name}", "--compress-strings=no",
                        "--demangle=no", "--smc-check=all-non-file", engine, *options],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        functions, ours, called_ours = set(), False, False
        for line in record:
            kind, _, name = line.rstrip("\n").partition("=")
            if kind == "ob":
                ours = name == engine
            elif kind == "cob":
                called_ours = name == engine
            elif kind == "fn" and ours or kind == "cfn" and called_ours:
                functions.add(re.sub(r"'\d+$", "", name))
    return functions


def defined(engine):
    """The functions of the executable: name -> address. A constructor has several names, one of which is its section's."""
    listing = subprocess.run(["nm", "--defined-only", engine], capture_output=True, text=True, check=True).stdout
    return {fields[2]: fields[0] for fields in map(str.split, listing.splitlines()) if len(fields) == 3 and fields[1] in "tTwW"}


def check(engine):
    names = LIST.read_text().split()
    missing = set(names) - defined(engine).keys()
    print(f"{len(names)} functions in {LIST.name}, {len(missing)} of them not in {engine}")
    if len(missing) * 10 > len(names):
        sys.exit("too many: make the list anew, as the head of this file says")


def make(engine):
    functions = defined(engine)
    ordered = {}
    for policy in POLICIES:
        runs = [["-e", TALKING]] + [[str(ROOT / f"bench/suite/{program}.lua"), SCALE] for program in PROGRAMS]
        counts = Counter()
        for run in runs:
            counts.update({functions[name] for name in executed(engine, [f"--policy={policy}", *run]) & functions.keys()})
        added = [name for name in functions.keys() - ordered.keys() if functions[name] in counts]
        ordered |= dict.fromkeys(sorted(added, key=lambda name: (-counts[functions[name]], name)))
        print(f"{policy}: {len(ordered)} functions", file=sys.stderr)
    LIST.write_text("\n".join(ordered) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, metavar="FILE")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    tool = "nm" if options.check else "valgrind"
    if not shutil.which(tool):
        print(f"{tool} is not here")
        sys.exit(77)
    engine = str(Path(options.engine).resolve())
    check(engine) if options.check else make(engine)


if __name__ == "__main__":
    main()
