#!/usr/bin/env python3
"""Evaluates the expressions of expressions.lua in two engines, ours and LuaJIT, and compares what they give.

Where the semantics are meant to be the same, values, texts of cdata and error messages are. Left out of the comparison: addresses, numbers of
unnamed structs, which function a bad argument was passed to (LuaJIT does not know), in which declaration an error is, and the difference
between 2 and 2.0. Skipped (77) without LuaJIT.

    same_as_luajit.py --engine build/release/bin/mangata [--judge luajit]
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "expressions.lua"
RULES = [
    (r"0x[0-9a-f]+", "ADDRESS"),
    (r"\b(struct|union) \d+", r"\1 N"),
    (r"bad argument #(\d+) to '[^']*'", r"bad argument #\1"),
    (r"( \(member '[^']*'\))? in the declaration of '[^']*'", ""),
    (r"(\d)\.0\b", r"\1"),
]


def lines_of(command):
    run = subprocess.run([*command.split(), str(SCRIPT)], capture_output=True, text=True)
    text = run.stdout + run.stderr
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text)
    return run.returncode, text.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--judge", default="luajit")
    options = parser.parse_args()
    if shutil.which(options.judge) is None:
        print(f"{options.judge}: not found; skipped")
        return 77
    (status, ours), (judge_status, theirs) = lines_of(options.engine), lines_of(options.judge)
    differences = [(a, b) for a, b in zip(ours, theirs) if a != b]
    for a, b in differences:
        print(f"- {b}\n+ {a}")
    print(f"{len(theirs)} expressions, {len(differences)} differences")
    return 1 if differences or len(ours) != len(theirs) or status or judge_status or not theirs else 0


if __name__ == "__main__":
    sys.exit(main())
