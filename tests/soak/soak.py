#!/usr/bin/env python3
"""`./dev soak`: all campaigns of random tests, in turns, in the release build and those with sanitizers, until the time is over.

    soak.py --builds build [--minutes 60] [--judge .../lua-5.4.8/lua] [--jobs 2] [--only regions] [--no-sanitizers] [--list]

A turn is a stint of some seconds of one campaign in one build; then comes the next. What was done is kept in build/soak: state.json, with
which the next soak continues with the next seeds; output.txt, all that the campaigns said; findings, the programs that differed.
One line a minute says where it is. At the end, also after Ctrl-C, a table says what was run, on which commit, and what differed.

A fixed part is judged by another Lua 5.4 (--judge, PUC 5.4.8 best). An older one has mistakes of its own: what would show them is left out.

Exit status: 0 no difference, 1 differences.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from campaigns import BUILDS, CAMPAIGNS, Campaign, Setting, release_of
from record import Record

FIRST_SEED = 1_000_000  # below are the seeds of the tests
SEEDS_APART = 100_000_000  # between campaigns, so that no two run the same programs
LAST_WORDS = 2000
MOST_FAILURES = 5  # stints in a row that end without a result: something is wrong with the machine or the drivers
SKIPPED = 77


def commit_of(root: Path) -> str:
    """The short name of the commit, with + when files differ from it."""
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True).stdout.strip()

    return (git("rev-parse", "--short=10", "HEAD") or "unknown") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def has_optimizer(engine: str) -> bool:
    hot = "local s = 0 for i = 1, 1000000 do s = s + i end"
    log = subprocess.run([engine, "--policy=optimizer", "--deterministic", "--jit-log", "-e", hot], capture_output=True, text=True)
    return log.returncode == 0 and "there is no optimizer" not in log.stderr


class Soak:
    def __init__(self, arguments: argparse.Namespace):
        folder = arguments.builds / "soak"
        folder.mkdir(parents=True, exist_ok=True)
        self.arguments = arguments
        self.setting = Setting(arguments.builds, arguments.judge, arguments.jobs, folder / "findings")
        self.output = folder / "output.txt"
        self.record = Record.load(folder / "state.json")
        self.commit = commit_of(Path(__file__).resolve().parent)
        self.started = self.last_word = time.monotonic()
        self.found = self.failures = 0
        self.stints = self.plan()

    def plan(self) -> list[tuple[Campaign, str]]:
        """A round: each campaign in each build that is there; says what is left out."""
        judge, plan = release_of(self.arguments.judge), []
        print(f"judge: {self.arguments.judge}, " + (f"Lua {'.'.join(map(str, judge))}" if judge else "which does not run as Lua 5.4"))
        builds = [build for build in BUILDS if os.access(self.setting.engine(build), os.X_OK)]
        if self.arguments.no_sanitizers:
            builds = [build for build in builds if build == "release"]
        if set(BUILDS) - set(builds):
            print(f"without the builds {', '.join(build for build in BUILDS if build not in builds)}")
        for campaign in CAMPAIGNS:
            if self.arguments.only and not any(word in campaign.name for word in self.arguments.only):
                continue
            if (campaign.judged and not judge) or (campaign.newest_judge and judge < (5, 4, 8)):
                print(f"left out: {campaign.name}, which the judge cannot decide: {campaign.description}")
                continue
            for build in (build for build in campaign.builds if build in builds):
                absent = [str(file) for file in campaign.needs(self.setting, build) if not file.exists()]
                if absent:
                    print(f"left out: {campaign.name} in {build}, without {', '.join(absent)}")
                else:
                    plan.append((campaign, build))
        if builds and not has_optimizer(self.setting.engine(builds[0])):
            print("without the optimizer: regions are compiled code without LLVM")
        print(f"a round: {len(plan)} stints of {self.arguments.stint_seconds:g} seconds", flush=True)
        return plan

    def go(self) -> None:
        """Stint after stint. Interrupted, the one that runs is not counted."""
        deadline = self.started + 60 * self.arguments.minutes
        while self.stints and time.monotonic() < deadline and self.failures < MOST_FAILURES:
            campaign, build = self.stints[self.record.position % len(self.stints)]
            self.stint(campaign, build, min(self.arguments.stint_seconds, max(5.0, deadline - time.monotonic())))
            self.record.position += 1
            self.record.save()

    def stint(self, campaign: Campaign, build: str, seconds: float) -> None:
        name = f"{campaign.name}/{build}"
        first = self.record.next_seeds.get(name, FIRST_SEED + SEEDS_APART * CAMPAIGNS.index(campaign))
        began = time.monotonic()
        status, output = self.run(campaign.command(self.setting, build, first, seconds), name)
        counted = campaign.count(output)
        self.failures = 0 if counted or status == SKIPPED else self.failures + 1
        if status == SKIPPED:
            self.say(f"{name} skipped: {output.strip()[-200:]}")
            return
        row = self.record.row(campaign.name, build, self.commit)
        programs, comparisons, differences = counted or (0, 0, 1)
        if counted is None or (status != 0 and differences == 0) or differences:
            differences = max(1, differences)
            finding = f"{name} on {self.commit}, seeds from {first}: exit status {status}, {differences} different; {self.output}, {self.setting.findings}"
            self.record.findings.append(finding)
            self.say(f"{finding}\n{output[-LAST_WORDS:]}")
        row.stints += 1
        row.programs += programs
        row.comparisons += comparisons
        row.differences += differences
        row.seconds += time.monotonic() - began
        self.found += differences
        self.record.next_seeds[name] = first + max(1, programs)

    def run(self, command: list[str], name: str) -> tuple[int, str]:
        """The exit status and what it said, which is also kept. A group of its own: an interruption ends all its processes."""
        environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0", "LC_ALL": "C"}  # os.exit leaves memory to the system
        with open(self.output, "ab+") as log:
            log.write(f"\n== {name} {' '.join(command)}\n".encode())
            log.flush()
            start = log.tell()
            running = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
            try:
                while running.poll() is None:
                    try:
                        running.wait(1)
                    except subprocess.TimeoutExpired:
                        self.word(name)
            finally:
                if running.poll() is None:
                    os.killpg(running.pid, signal.SIGKILL)
                    running.wait()
            log.seek(start)
            return running.returncode, log.read().decode("latin-1")

    def word(self, name: str) -> None:
        """One line a minute."""
        if time.monotonic() - self.last_word >= 60:
            self.last_word = time.monotonic()
            minutes = (self.last_word - self.started) / 60
            self.say(f"{minutes:4.0f} min: {self.record.comparisons():,} comparisons, {self.record.differences()} different; now {name}")

    def say(self, text: str) -> None:
        print(text, flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--builds", type=Path, required=True, help="the folder of the builds; those that are not there are left out")
    parser.add_argument("--minutes", type=float, default=60, help="how long (60)")
    parser.add_argument("--judge", default="lua5.4", help="another Lua 5.4, PUC 5.4.8 best (lua5.4)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at the same time (1)")
    parser.add_argument("--only", action="append", help="only campaigns whose names contain this; may be repeated")
    parser.add_argument("--no-sanitizers", action="store_true", help="the release build only")
    parser.add_argument("--stint-seconds", type=float, default=20, help="of one campaign before the next one's turn (20)")
    parser.add_argument("--list", action="store_true", help="print the campaigns and stop")
    return parser.parse_args()


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    arguments = parse_arguments()
    if arguments.list:
        print("\n".join(f"{c.name:22} {','.join(c.builds):18} {c.description}" for c in CAMPAIGNS))
        return 0
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, interrupt)
    soak = Soak(arguments)
    try:
        soak.go()
    except KeyboardInterrupt:
        print("interrupted")
    print(soak.record.table(), flush=True)
    return 1 if soak.found else 0


if __name__ == "__main__":
    sys.exit(main())
