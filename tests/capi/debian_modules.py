#!/usr/bin/env python3
"""Modules in C that Debian compiled for lua5.4, in this engine: each driver prints the same bytes as under lua5.4.

A driver (drivers/use_*.lua) names its package in the first line. Drivers whose module lua5.4 does not find are skipped and reported;
when all are, the test is.

    debian_modules.py --engine build/release/bin/mangata [--option=--gc-stress] [--only lpeg]
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

DRIVERS = Path(__file__).resolve().parent / "drivers"
JUDGE = "lua5.4"
SKIPPED = 77


def run(command: list[str]) -> tuple[int, str]:
    """Exit code and output of one program; its name, which messages begin with, is taken out."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("LUA_")} | {"LC_ALL": "C"}
    done = subprocess.run(command, cwd=DRIVERS, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120)
    return done.returncode, done.stdout.decode("latin-1").replace(command[0] + ":", "lua:")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--option", action="append", default=[], help="of the engine")
    parser.add_argument("--only", action="append", help="drivers whose name contains this")
    arguments = parser.parse_args()
    if shutil.which(JUDGE) is None:
        print(f"skipped: no {JUDGE}")
        return SKIPPED
    passed, failed, skipped = 0, 0, []
    for driver in sorted(DRIVERS.glob("use_*.lua")):
        if arguments.only and not any(text in driver.name for text in arguments.only):
            continue
        expected = run([JUDGE, driver.name])
        if expected[0] != 0:
            package = driver.read_text(encoding="utf-8").splitlines()[0].removeprefix("-- package: ")
            skipped.append(package)
            continue
        got = run([os.path.abspath(arguments.engine)] + arguments.option + [driver.name])
        if got == expected:
            passed += 1
            continue
        failed += 1
        print(f"FAILED {driver.name}: exit code {got[0]}\n--- {JUDGE}\n{expected[1]}--- engine\n{got[1]}")
    print(f"{passed} passed, {failed} failed" + (f"; not installed: {' '.join(skipped)}" if skipped else ""))
    if failed:
        return 1
    return 0 if passed else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
