#!/usr/bin/env python3
"""Runs generated Lua programs under a judge and other engines, and reports every program on which one disagrees, made small.

    differential.py --judge lua5.4 --engine build/release/bin/mangata --count 3000
    differential.py --judge "$M --policy=interpreter" --engine "$M --policy=baseline" --engine "$M --stress=schedule:{seed}" \\
                    --kind hot --seconds 3600 --first 1000000
    differential.py --judge "$M --policy=interpreter" --engine "$M --policy=baseline" --profile="--profile-k={1|2|3} --profile-paths"
    differential.py --judge lua5.4 --engine "$M --policy=baseline" --programs tests/fuzz/regressions

Every engine runs tests/fuzz/run.lua over the same seeds in batches; each prints one line per seed. A seed whose lines
differ (or on which an engine crashes or does not end) is reduced line by line to a small program on which the engines
still differ, and written to the folder of findings. With --profile, the profile of each program
belongs to what must be equal. What may stand in a command: engines.py.

Exit status: 0 no difference, 1 differences, 77 an engine is missing (a skipped test for ctest).
"""

import argparse
import concurrent.futures
import os
import sys
import tempfile
import time
from pathlib import Path

from engines import Engine
from reduce import reduce_lines

KINDS = ["mixed", "hot", "wide", "crossings", "chunks", "library", "mutants"]  # generator.lua
BATCH = 250
SECONDS_PER_PROGRAM = 5
BAD_ENDS = ("does not load", "did not end", "exit status")


class Campaign:
    """The judge, the engines, and what was found so far."""

    def __init__(self, arguments: argparse.Namespace):
        flags = [f"--kind={arguments.kind}"]
        flags += ["--no-names"] if arguments.no_names else []
        flags += [f"--size={arguments.size}"] if arguments.size else []
        flags += [f"--hot={arguments.hot}"] if arguments.hot else []
        self.arguments = arguments
        self.judge = Engine(arguments.judge, flags, limited="lua5.4" in arguments.judge, profile=arguments.profile)
        self.engines = [Engine(command, flags, profile=arguments.profile) for command in arguments.engine]
        self.comparisons = 0
        self.found: list[tuple[Engine, int, int]] = []  # engine, first seed of the batch, seed

    def differences(self, first: int, count: int) -> tuple[int, list[tuple[Engine, int, int]]]:
        """Compares a batch: the number of comparisons, and what differed."""
        with tempfile.TemporaryDirectory() as scratch:
            expected = self.run(self.judge, first, first, count, scratch)
            if any(end in expected for end in BAD_ENDS[1:]):
                print(f"the judge failed on seeds {first} to {first + count - 1}:\n{expected[-500:]}", flush=True)
                return 0, [(self.judge, first, first)]
            found = []
            for engine in self.engines:
                seeds = self.differing_seeds(engine, first, first, count, expected, scratch)
                found += [(engine, first, seed) for seed in seeds]
        return count * len(self.engines), found

    def run(self, engine: Engine, batch: int, first: int, count: int, scratch: str) -> str:
        words = [str(first), str(count)]
        if self.arguments.given:
            texts = os.path.join(scratch, f"texts-{first}-{count}")
            if not os.path.exists(texts):
                plain = Engine(self.judge.command, self.judge.flags)
                Path(texts).write_text(plain.run(batch, ["--texts"] + words, 60, scratch), encoding="latin-1")
            words = ["--given", str(first), texts]
        return engine.run(batch, words, 30 + count * self.arguments.seconds_per_program, scratch)

    def differing_seeds(self, engine: Engine, batch: int, first: int, count: int, expected: str, scratch: str) -> list[int]:
        output = self.run(engine, batch, first, count, scratch)
        if output == expected:
            return []
        both = (expected, output)
        if not engine.profile and all(len(o.splitlines()) == count and not any(end in o for end in BAD_ENDS) for o in both):
            lines = [o.splitlines() for o in both]
            return [first + i for i in range(count) if lines[0][i] != lines[1][i]]
        if count == 1:
            return [first]
        # A crash, a hang, or profiles that differ: look at halves until the seed stands alone.
        halves = [(first, count // 2), (first + count // 2, count - count // 2)]
        found = []
        for start, size in halves:
            if len(found) >= self.arguments.max_reports:
                break
            expected_half = self.run(self.judge, batch, start, size, scratch)
            found += self.differing_seeds(engine, batch, start, size, expected_half, scratch)
        return found

    def report(self, engine: Engine, batch: int, seed: int) -> None:
        """Writes the reduced program of a seed, which is a regression test from then on, and prints what both engines say."""
        findings = self.arguments.findings
        findings.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            texts = (e.run(batch, ["--text", str(seed)], 20, scratch) for e in (Engine(self.judge.command, self.judge.flags), engine))
            source = next((text for text in texts if "exit status" not in text), "")
            lines = source.rstrip("\n").split("\n")

            def disagree(candidate: list[str]) -> bool:
                path = os.path.join(scratch, "candidate.lua")
                Path(path).write_text("\n".join(candidate) + "\n", encoding="latin-1")
                expected = self.judge.run(batch, ["--file", path], SECONDS_PER_PROGRAM, scratch)
                if any(end in expected for end in BAD_ENDS):
                    return False
                return expected != engine.run(batch, ["--file", path], SECONDS_PER_PROGRAM, scratch)

            alone = disagree(lines)
            if alone:
                lines = reduce_lines(lines, disagree, self.arguments.reduce_seconds)
            path = findings / f"{self.arguments.kind}-{seed}.lua"
            options = " ".join(engine.words(batch)[1:])
            note = "" if alone else "; only when other programs ran before it in the same process"
            path.write_text(f"-- Differed with: {options}{note}\n" + "\n".join(lines) + "\n", encoding="latin-1")
            said = [e.run(batch, ["--file", str(path)], SECONDS_PER_PROGRAM, scratch) for e in (self.judge, engine)]
        print(f"seed {seed} (batch {batch}): {path}{note}")
        print("\n".join("    " + line for line in lines))
        for e, words in zip((self.judge, engine), said):
            print(f"-- {' '.join(e.words(batch))}\n{words.rstrip()[:4000]}", flush=True)

    def run_programs(self, folder: Path) -> None:
        """Compares the programs in a folder, one process each; several for commands that differ by batch."""
        with tempfile.TemporaryDirectory() as scratch:
            for path in sorted(folder.glob("*.lua")):
                expected = self.judge.run(1, ["--file", str(path)], SECONDS_PER_PROGRAM, scratch)
                runs = [(engine, batch) for engine in self.engines for batch in range(1, 6 if "{" in engine.command else 2)]
                for engine, batch in runs:
                    got = engine.run(batch, ["--file", str(path)], SECONDS_PER_PROGRAM, scratch)
                    self.comparisons += 1
                    if got != expected:
                        self.found.append((engine, batch, 0))
                        print(f"{path} differs\n-- {self.judge.command}\n{expected}-- {' '.join(engine.words(batch))}\n{got}", flush=True)
        print(f"{self.comparisons} comparisons, {len(self.found)} different")

    def go(self) -> None:
        """Batches until the count, the time or the number of differences is reached."""
        arguments = self.arguments
        started = time.monotonic()
        deadline = started + arguments.seconds if arguments.seconds else float("inf")
        next_seed, end = arguments.first, arguments.first + arguments.count if arguments.count else float("inf")
        last_word = started
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            running: set[concurrent.futures.Future] = set()
            while True:
                wanted = len(self.found) < arguments.max_reports and time.monotonic() < deadline
                while wanted and len(running) < arguments.jobs and next_seed < end:
                    count = int(min(arguments.batch, end - next_seed))
                    running.add(pool.submit(self.differences, next_seed, count))
                    next_seed += count
                if not running:
                    break
                done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    comparisons, found = future.result()
                    self.comparisons += comparisons
                    self.found += found
                    for engine, batch, seed in found:  # the reports come at the end
                        print(f"seed {seed} (batch {batch}) differs under {' '.join(engine.words(batch))}", flush=True)
                if time.monotonic() - last_word > 60:
                    last_word = time.monotonic()
                    rate = self.comparisons / (last_word - started)
                    print(f"{self.comparisons} comparisons, {len(self.found)} different, {rate:.0f} a second, next seed {next_seed}", flush=True)
        for engine, batch, seed in [f for f in self.found if f[0] is not self.judge][: arguments.max_reports]:
            self.report(engine, batch, seed)
        seconds = time.monotonic() - started
        seeds = next_seed - arguments.first
        print(f"{self.comparisons} comparisons of {seeds} programs of kind {arguments.kind}, {len(self.found)} different, {seconds:.1f} s")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--judge", required=True, help="the engine that is right, with options")
    parser.add_argument("--engine", required=True, action="append", help="an engine under test, with options; may be repeated")
    parser.add_argument("--kind", choices=KINDS, default="mixed", help="which programs (run.lua)")
    parser.add_argument("--programs", type=Path, help="compare the programs in this folder, not generated ones")
    parser.add_argument("--profile", default="", help="options of all engines, the last of which takes a file: profiles are compared")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--count", type=int, help="number of seeds (default: 3000, or as many as the time allows)")
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--batch", type=int, default=BATCH, help="seeds that one process runs")
    parser.add_argument("--given", action="store_true", help="the judge generates the programs: for engines that are very slow")
    parser.add_argument("--jobs", type=int, default=2, help="batches at the same time")
    parser.add_argument("--no-names", action="store_true", help="ignore the names of variables in messages")
    parser.add_argument("--size", type=int, help="most sections in a mixed program")
    parser.add_argument("--hot", type=int, help="multiplies the rounds of hot loops")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"), help="folder for reduced programs")
    parser.add_argument("--max-reports", type=int, default=10, help="stop after this many differences")
    parser.add_argument("--reduce-seconds", type=float, default=30, help="time to reduce one program; 0: leave it")
    parser.add_argument("--seconds-per-program", type=float, default=0.1, help="average that a batch may take before it counts as hung")
    arguments = parser.parse_args()
    if arguments.count is None and arguments.seconds is None:
        arguments.count = 3000
    return arguments


def main() -> int:
    campaign = Campaign(parse_arguments())
    for engine in [campaign.judge] + campaign.engines:
        if not engine.is_usable():
            print(f"differential.py: '{engine.command}' does not run, nothing compared")
            return 77
    if campaign.arguments.programs:
        campaign.run_programs(campaign.arguments.programs)
    else:
        campaign.go()
    return 1 if campaign.found else 0


if __name__ == "__main__":
    sys.exit(main())
