#!/usr/bin/env python3
"""Random sequences of calls of the C API (random/random.h), with Debian's liblua5.4.so.0 and with ours: one trace.

    random_calls.py --library build/release/lib/lua5.4/liblua5.4.so.0 --host build/release/tests/capi/random_calls
    random_calls.py ... --first 1000 --count 20000 --judge /path/to/another/liblua5.4.so.0
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

DEBIAN = "/usr/lib/x86_64-linux-gnu/liblua5.4.so.0"
AT_ONCE = 100
SKIPPED = 77


def trace(host: str, library: str, first: int, count: int) -> list[str]:
    """The lines that so many seeds print."""
    environment = os.environ | {"LD_LIBRARY_PATH": os.path.dirname(library), "LC_ALL": "C"}
    try:
        done = subprocess.run([host, str(first), str(count)], env=environment, capture_output=True, timeout=20 + count)
    except subprocess.TimeoutExpired:
        return ["does not end"]
    lines = done.stdout.decode("latin-1").split("\n")
    return lines if done.returncode == 0 else [*lines, f"exit {done.returncode}"]


def difference(host: str, judge: str, library: str, seed: int) -> str:
    """Where the traces of one seed part; empty: they do not, or the judge itself crashed."""
    expected, found = trace(host, judge, seed, 1), trace(host, library, seed, 1)
    if expected == found or expected[-1].startswith("exit "):
        return ""
    place = next((i for i, (a, b) in enumerate(zip(expected, found)) if a != b), min(len(expected), len(found)))
    before = "".join(f"    {line}\n" for line in expected[max(0, place - 4) : place])
    return f"seed {seed}:\n{before}  judge {expected[place : place + 1]}\n  ours  {found[place : place + 1]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True)
    parser.add_argument("--host", required=True)
    parser.add_argument("--judge", default=DEBIAN)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    arguments = parser.parse_args()
    if not Path(arguments.judge).exists():
        print(f"skipped: there is no {arguments.judge} (package liblua5.4-0) to compare with")
        return SKIPPED
    parted = 0
    for first in range(arguments.first, arguments.first + arguments.count, AT_ONCE):
        count = min(AT_ONCE, arguments.first + arguments.count - first)
        if trace(arguments.host, arguments.judge, first, count) == trace(arguments.host, arguments.library, first, count):
            continue
        for seed in range(first, first + count):
            text = difference(arguments.host, arguments.judge, arguments.library, seed)
            if text:
                parted += 1
                print(text, flush=True)
    print(f"{arguments.count} sequences, {parted} parted")
    return 1 if parted else 0


if __name__ == "__main__":
    sys.exit(main())
