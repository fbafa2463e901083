#!/usr/bin/env python3
"""bench/kinds: each program prints the same in every tier and, where there is one, under lua5.4."""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parents[2] / "bench" / "kinds"
SCALE = "0.05"
TIERS = ["--policy=interpreter", "--policy=baseline", "--policy=adaptive", "--policy=optimizer", "--stress=region:1", "--stress=schedule:3"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    engine = parser.parse_args().engine
    commands = [[engine, tier] for tier in TIERS] + ([["lua5.4"]] if shutil.which("lua5.4") else [])
    programs = sorted(PROGRAMS.glob("*.lua"))
    assert len(programs) >= 5, programs
    for program in programs:
        printed = {}
        for command in commands:
            done = subprocess.run([*command, program, SCALE], capture_output=True, text=True)
            assert done.returncode == 0, f"{command} {program}: {done.stderr}"
            printed.setdefault(done.stdout, []).append(command)
        assert len(printed) == 1 and all(printed), f"{program}: {printed}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
