"""What the tests of reports by foreign readers share.

A file tests one reader and ends in `reader_test.main("go")`. Its absence is exit status 77, which ctest reports as skipped; a failure if
MANGATA_READERS names it, as `./dev readers` does of what it has installed. Profiles are of one run of a program with many functions.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = ROOT / "build" / "readers"   # where `./dev readers` puts what Debian does not have
PROGRAM = "json_round_trip.lua"

MANGATA = ""
FOLDER = Path()


def is_promised(reader: str) -> bool:
    """`./dev readers` has installed it."""
    return reader in os.environ.get("MANGATA_READERS", "").split()


def run(*command: str, **options) -> str:
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, timeout=120, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit code {done.returncode}\n{done.stderr.decode('utf-8', 'replace')}")
    return done.stdout.decode("utf-8", "replace")


def write_profile(name: str, *options: str) -> str:
    """Of PROGRAM, which lies in FOLDER."""
    run(MANGATA, f"--profile-paths={name}", *options, PROGRAM)
    return name


def report(*arguments: str) -> str:
    return run(str(Path(MANGATA).with_name("mangata-report")), *arguments)


def converted(source: str, format_name: str, extension: str) -> str:
    """A saved profile in another format."""
    target = Path(source).stem + extension
    with open(FOLDER / target, "wb") as file:
        subprocess.run([Path(MANGATA).with_name("mangata-report"), f"--format={format_name}", source], cwd=FOLDER, stdout=file, check=True)
    return target


def saved(name: str) -> dict:
    return json.loads((FOLDER / name).read_text())


def sampled_nanoseconds(profile: dict) -> int:
    nodes = profile["time"]["stacks"]
    return sum(node.get(kind, {}).get("nanoseconds", 0) for node in nodes for kind in ("self", "shortened")) + profile["time"]["invalid_ns"]


def text_rows(source: str, count: int = 10) -> list[tuple]:
    """The first functions of the text report by time, as (name in other formats, flat ms, flat%, sum%, cum ms, cum%)."""
    lines = report("--weight=time", f"--top={count}", source).split("\n")
    heading = next(i for i, line in enumerate(lines) if re.match(r"\s+flat\s+flat%", line))
    rows = []
    for line in lines[heading + 1:heading + 1 + count]:
        numbers = re.match(r"\s+([\d.]+) ms\s+([\d.]+)%\s+[\d.]+\s+([\d.]+)%\s+([\d.]+) ms\s+([\d.]+)%\s+(.*)", line)
        if not numbers:
            break
        *_, name, place = "", *re.split(r"\s{2,}", numbers[6].rstrip())
        if place.startswith("[") and place != "[C]":   # [collector] has no place
            name, place = place, ""
        if place == "[C]":
            name = "[C] " + name
        elif not name.startswith("["):
            name += f" ({place.removesuffix(':1') if name == 'main chunk' else place})"
        rows.append((name, *(float(numbers[i]) for i in range(1, 6))))
    return rows


def main(reader: str, is_here) -> None:
    global MANGATA, FOLDER
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True)
    arguments, rest = parser.parse_known_args()
    if not is_here():
        print(f"{reader} is not here" + (", but was installed (MANGATA_READERS)" if is_promised(reader) else ": nothing is tested; ./dev readers installs it"))
        sys.exit(1 if is_promised(reader) else 77)
    with tempfile.TemporaryDirectory() as folder:
        module = sys.modules["reader_test"]
        module.MANGATA, module.FOLDER = os.path.abspath(arguments.engine), Path(folder)
        shutil.copy(ROOT / "bench" / "suite" / PROGRAM, folder)
        unittest.main(module="__main__", argv=[sys.argv[0]] + rest)
