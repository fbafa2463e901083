#!/usr/bin/env python3
"""bench/micro/idioms.lua: every idiom gives the result that is expected, in every tier and under lua5.4; bench/idioms.py compares them. The operations
of bench/micro/operations.lua run in every tier.

Without lua5.4 only the tiers are looked at.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
TIERS = ["--policy=interpreter", "--policy=baseline", "--policy=optimizer", "--stress=region:1", "--policy=adaptive"]


def checked(command: list[str]) -> list[str]:
    done = subprocess.run([*command, BENCH / "micro" / "idioms.lua", "--check", "2"], capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout.splitlines()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    engine = parser.parse_args().engine
    names = [checked([engine, tier]) for tier in TIERS]
    assert all(each == names[0] for each in names) and len(set(names[0])) == len(names[0]) >= 200, names
    for tier in TIERS:
        operations = subprocess.run([engine, tier, BENCH / "micro" / "operations.lua", "100"], capture_output=True, text=True)
        assert operations.returncode == 0 and len(operations.stdout.splitlines()) >= 200, f"{tier}: {operations.stderr}"
    if shutil.which("lua5.4") is None:
        return 0
    assert checked(["lua5.4"]) == names[0]
    table = subprocess.run([sys.executable, "-B", BENCH / "idioms.py", "--quick", "--only", "^calls%.assert$", "--engine", engine],
                           capture_output=True, text=True)
    assert table.returncode == 0, table.stdout + table.stderr
    assert re.search(r"(?m)^calls\.assert( +[\d.]+){8,10}$", table.stdout) and "geometric mean" in table.stdout, table.stdout
    return 0


if __name__ == "__main__":
    sys.exit(main())
