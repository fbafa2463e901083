#!/usr/bin/env python3
"""First screens of real programs: does a person see at once what is slow?

    bench/reports/first_screens.py --folder CLONES --output SCREENS [--only NAME...] [--runs 3] [--without-luajit] [--engine build/release/bin/mangata]

CLONES holds the repositories that programs.toml names, by their names (programs.toml explains it; nothing in CLONES is changed: programs run in
copies). For each program this writes into SCREENS, and says in a line of its own:

  NAME.txt          our report of a run, as it is printed
  NAME.luajit.txt   what `luajit -jp` says of the same work, where LuaJIT is installed
  NAME.planted.txt  our report of the program with a cost planted by a patch

  cpu s     processor time of the run, which should be 3 s at least
  clock     what all rows add up to, as a share of the thread's processor time
  invalid   samples whose stack could not be read
  planted   the share of the function that was patched, and in which line of the report it stands
  order     pairs of functions, neighbours in some run, that differ by more than the report says is chance (four times the larger ±), and how many of
            them come in the other order in another run; in brackets the same for twice the larger ±, which chance alone exceeds at times

The exit status is 1 if a planted cost of 15 % or more is not in the first three lines, an order differs, the sum is off by more than 1 %, or more than
1 % of the samples are invalid."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LUAJIT_SECONDS = 60


@dataclass
class Row:
    """A line of the report's first table."""

    percent: float
    error: float
    name: str
    place: str


@dataclass
class Screen:
    text: str
    rows: list[Row]
    seconds: float
    percent_of_clock: float
    percent_invalid: float


class Program:
    def __init__(self, name: str, described: dict, clones: Path, scratch: Path):
        self.name, self.described, self.scratch = name, described, scratch
        for repository in [described["repository"], *described.get("beside", [])]:
            folder = repository.rsplit("/", 1)[1]
            shutil.copytree(clones / folder, scratch / folder, ignore=shutil.ignore_patterns(".git"), dirs_exist_ok=True)
        self.folder = scratch / described["repository"].rsplit("/", 1)[1]
        # Beside the program, so that reports do not show where the copies are.
        (self.folder / "driver.lua").write_text(described["script"], encoding="utf-8")

    def run(self, command: list[str], arguments=()) -> str:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("LUA_")}
        done = subprocess.run([*command, "driver.lua", *arguments], cwd=self.folder, env=kept | {"LUA_PATH": f"{self.described['path']};;"}, capture_output=True,
                              text=True, errors="replace")
        if done.returncode != 0:
            raise RuntimeError(f"{self.name}: {' '.join(command)}: {done.stderr}")
        return done.stdout

    def screen(self, engine: str) -> Screen:
        saved = self.scratch / "profile.json"
        self.run([engine, f"--profile-paths={saved}"])
        text = subprocess.run([f"{engine}-report", "--weight=time", saved], capture_output=True, text=True, check=True, cwd=self.folder).stdout
        time = json.loads(saved.read_text(encoding="utf-8"))["time"]
        in_rows = time["invalid_ns"] + sum(node[kind]["nanoseconds"] for node in time["stacks"] for kind in ("self", "shortened") if kind in node)
        return Screen(text, rows_of(text), time["thread_ns"] / 1e9, 100 * in_rows / time["thread_ns"], 100 * time["invalid_samples"] / time["samples"])

    def luajit_screen(self) -> str:
        if not shutil.which("luajit"):
            return "luajit is not installed\n"
        try:
            return self.run(["prlimit", f"--cpu={LUAJIT_SECONDS}", "luajit", "-jp"])
        except RuntimeError:
            return f"[not done after {LUAJIT_SECONDS} s; of a tenth of the work:]\n" + self.run(["luajit", "-jp"], [str(self.tenth())])

    def tenth(self) -> int:
        return max(1, int(re.search(r"tonumber\(\(\.\.\.\)\) or (\d+)", self.described["script"])[1]) // 10)

    def plant(self) -> set[str]:
        """Returns where the functions stand that the patch has changed: "file.lua:12"."""
        plant = self.described["plant"]
        path = self.folder / plant["file"]
        lines = path.read_text(encoding="utf-8").split("\n")
        changed = [i for i, line in enumerate(lines) if plant["after"] in line]
        if not changed:
            raise RuntimeError(f"{self.name}: no {plant['after']} in {path}")
        for i in changed:
            lines[i] += " " + plant["code"]
        path.write_text("\n".join(lines), encoding="utf-8")
        return {f"{path.name}:{i + 1}" for i in changed}


def rows_of(text: str) -> list[Row]:
    table = text.split("\n\n")[1].split("\n")
    rows = []
    for line in table[1:]:
        cells = re.split(r"  +", line.strip())
        numbers = re.match(r"\s*[\d.]+ m?s\s+([\d.]+)%\s+([\d.]+)\s+[\d.]+%\s+[\d.]+ m?s\s+[\d.]+%\s+(?:\d+\s+)?(.*)", line)
        if numbers:
            name, *place = re.split(r"  +", numbers[3].strip())
            rows.append(Row(float(numbers[1]), float(numbers[2]), name, place[0] if place else ""))
        elif not cells[0].startswith("..."):
            raise RuntimeError(f"not a row: {line}")
    return rows


def changes_of_order(runs: list[list[Row]], errors: float) -> tuple[int, list[str]]:
    """Neighbours of a run that differ by more than so many standard errors: how many, and those that another run has the other way round."""
    compared, changed = 0, []
    for run in runs:
        for above, below in zip(run, run[1:]):
            if above.percent - below.percent <= errors * max(above.error, below.error):
                continue
            for other in runs:
                if other is run:
                    continue
                compared += 1
                shares = {(row.name, row.place): row.percent for row in other}
                # What is not in the table has less than its last line.
                if shares.get((above.name, above.place), 0) < shares.get((below.name, below.place), 0):
                    changed.append(f"{above.name} {above.percent}% and {below.name} {below.percent}%")
    return compared, changed


def look_at(program: Program, options) -> list[str]:
    """Prints the program's line; returns what is wrong."""
    screens = [program.screen(options.engine) for _ in range(options.runs)]
    first = screens[0]
    (options.output / f"{program.name}.txt").write_text(first.text, encoding="utf-8")
    if not options.without_luajit:
        (options.output / f"{program.name}.luajit.txt").write_text(program.luajit_screen(), encoding="utf-8")
    changed = program.plant()
    planted = program.screen(options.engine)
    (options.output / f"{program.name}.planted.txt").write_text(planted.text, encoding="utf-8")
    found = [(i + 1, row) for i, row in enumerate(planted.rows) if row.place.rsplit("/", 1)[-1] in changed]
    line, share = (found[0][0], found[0][1].percent) if found else (0, 0.0)
    compared, wrong = changes_of_order([screen.rows for screen in screens], 4)
    closer, wrong_closer = changes_of_order([screen.rows for screen in screens], 2)
    worst_clock = max((screen.percent_of_clock for screen in [*screens, planted]), key=lambda percent: abs(percent - 100))
    invalid = max(screen.percent_invalid for screen in [*screens, planted])
    print(f"{program.name:12}{first.seconds:8.2f}{worst_clock:9.2f}%{invalid:8.2f}%{share:9.1f}% in line {line}"
          f"{compared:8} pairs, {len(wrong)} differ ({closer}, {len(wrong_closer)})", flush=True)
    problems = [f"{program.name}: the order differs: {pair}" for pair in wrong]
    if line == 0 or line > 3 or share < 15:
        problems.append(f"{program.name}: the planted cost has {share} % in line {line}")
    if first.seconds < 3:
        problems.append(f"{program.name}: {first.seconds:.2f} s only")
    if abs(worst_clock - 100) > 1:
        problems.append(f"{program.name}: rows add up to {worst_clock:.2f} % of the clock")
    if invalid > 1:
        problems.append(f"{program.name}: {invalid:.2f} % of the samples are invalid")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--without-luajit", action="store_true")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--engine", default=str(ROOT / "build" / "release" / "bin" / "mangata"))
    options = parser.parse_args()
    options.engine = os.path.abspath(options.engine)
    options.output.mkdir(parents=True, exist_ok=True)
    print(f"{'':12}{'cpu s':>8}{'clock':>10}{'invalid':>9}{'planted':>10}{'order':>14}")
    problems = []
    for name, described in tomllib.loads((HERE / "programs.toml").read_text(encoding="utf-8")).items():
        if options.only and name not in options.only:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            problems += look_at(Program(name, described, options.folder, Path(scratch)), options)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
