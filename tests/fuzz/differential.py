#!/usr/bin/env python3
"""Runs generated Lua programs under two engines and reports every program on which they disagree, made small.

    differential.py --engine-a lua5.4 --engine-b build/release/bin/mangata --count 3000
    differential.py --engine-a .../lua-5.4.8/lua --engine-b "build/release/bin/mangata --profile-paths=/dev/null" \\
                    --first 1 --count 1000000 --jobs 2 --findings /tmp/findings

Both engines run tests/fuzz/run.lua over the same seeds in batches; each prints one line per seed.  A seed whose lines
differ (or on which an engine crashes or does not end) is reduced line by line to a small program that still makes the
engines differ, and written to the folder of findings with what each engine said.

Exit status: 0 no difference, 1 differences, 77 an engine is missing (a skipped test for ctest).
"""

import argparse
import concurrent.futures
import os
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNNER = Path(__file__).resolve().parent / "run.lua"
BATCH = 250
SECONDS_PER_PROGRAM = 5
MEMORY_LIMIT_BYTES = 8 << 30  # address space: the engine under test reserves much and touches little


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))


class Engine:
    """A command line that runs Lua scripts."""

    def __init__(self, command: str, flags: list[str], limited: bool):
        self.command = shlex.split(command)
        self.flags = flags
        self.limited = limited

    def exists(self) -> bool:
        return shutil.which(self.command[0]) is not None

    def run(self, arguments: list[str], timeout: float) -> str:
        """Standard output, followed by how the process ended when that was not well."""
        try:
            done = subprocess.run(
                self.command + [str(RUNNER)] + self.flags + arguments,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=timeout,
                preexec_fn=limit_memory if self.limited else None,
            )
        except subprocess.TimeoutExpired as expired:
            return (expired.stdout or b"").decode("latin-1") + "did not end\n"
        output = done.stdout.decode("latin-1")
        if done.returncode != 0:
            output += f"exit status {done.returncode}\n" + done.stderr.decode("latin-1")[-2000:]
        return output


def differing_seeds(engines: list[Engine], first: int, count: int) -> list[int]:
    """The seeds of [first, first + count) on which the engines disagree."""
    timeout = 20 + count * 0.1
    outputs = [engine.run([str(first), str(count)], timeout) for engine in engines]
    if outputs[0] == outputs[1]:
        return []
    complete = [len(output.splitlines()) == count and "exit status" not in output for output in outputs]
    if all(complete):
        lines_a, lines_b = outputs[0].splitlines(), outputs[1].splitlines()
        return [first + i for i in range(count) if lines_a[i] != lines_b[i]]
    if count == 1:
        return [first]
    # An engine crashed or hung on the way: look at halves until the seed stands alone.
    half = count // 2
    return differing_seeds(engines, first, half) + differing_seeds(engines, first + half, count - half)


def disagree(engines: list[Engine], lines: list[str], scratch: str) -> bool:
    """Whether the program made of `lines` still loads and makes the engines differ."""
    path = os.path.join(scratch, "candidate.lua")
    Path(path).write_text("\n".join(lines) + "\n", encoding="latin-1")
    first = engines[0].run(["--file", path], SECONDS_PER_PROGRAM)
    if "does not load" in first or "did not end" in first or "exit status" in first:
        return False
    return first != engines[1].run(["--file", path], SECONDS_PER_PROGRAM)


def reduce_lines(engines: list[Engine], lines: list[str], scratch: str, deadline: float) -> list[str]:
    """Delta debugging: removes ever smaller runs of lines, then empties blocks, as long as the engines disagree."""
    size = max(1, len(lines) // 2)
    while size >= 1 and time.monotonic() < deadline:
        removed = False
        start = 0
        while start < len(lines) and time.monotonic() < deadline:
            candidate = lines[:start] + lines[start + size :]
            if disagree(engines, candidate, scratch):
                lines, removed = candidate, True
            else:
                start += size
        if not removed or size > len(lines):
            lines, unwrapped = unwrap_blocks(engines, lines, scratch, deadline)
            if not unwrapped and size == 1:
                break
            if not removed:
                size = size // 2 if size > 1 else 1 if unwrapped else 0
    return lines


def unwrap_blocks(engines: list[Engine], lines: list[str], scratch: str, deadline: float) -> tuple[list[str], bool]:
    """Removes an opening line together with a closing line after it (`do` ... `end`)."""
    changed = False
    start = 0
    while start < len(lines) and time.monotonic() < deadline:
        for end in range(start + 1, min(len(lines), start + 12)):
            if not lines[end].lstrip().startswith(("end", "until", "else")):
                continue
            candidate = lines[:start] + lines[start + 1 : end] + lines[end + 1 :]
            if disagree(engines, candidate, scratch):
                lines, changed = candidate, True
                break
        else:
            start += 1
    return lines, changed


def report(engines: list[Engine], seed: int, findings: Path, seconds: float) -> None:
    """Writes the reduced program of a seed and what each engine says about it; prints it too."""
    source = next((text for text in (e.run(["--text", str(seed)], 20) for e in engines) if "exit status" not in text), "")
    lines = source.rstrip("\n").split("\n")
    with tempfile.TemporaryDirectory() as scratch:
        if disagree(engines, lines, scratch):
            lines = reduce_lines(engines, lines, scratch, time.monotonic() + seconds)
        path = findings / f"seed-{seed}.lua"
        findings.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="latin-1")
        said = [engine.run(["--file", str(path)], SECONDS_PER_PROGRAM) for engine in engines]
    text = "\n".join(f"-- {' '.join(e.command)}\n{s.rstrip()}" for e, s in zip(engines, said))
    (findings / f"seed-{seed}.txt").write_text(text + "\n", encoding="latin-1")
    print(f"seed {seed}: {path}\n" + "\n".join("    " + line for line in lines) + "\n" + text, flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine-a", required=True, help="the judge, with options")
    parser.add_argument("--engine-b", required=True, help="the engine under test, with options")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--count", type=int, default=3000, help="number of seeds")
    parser.add_argument("--jobs", type=int, default=2, help="batches at the same time")
    parser.add_argument("--no-names", action="store_true", help="ignore the names of variables in messages")
    parser.add_argument("--size", type=int, help="most sections in a program")
    parser.add_argument("--hot", type=int, help="multiplies the rounds of hot loops")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"), help="folder for reduced programs")
    parser.add_argument("--max-reports", type=int, default=10, help="stop after this many differences")
    parser.add_argument("--reduce-seconds", type=float, default=20, help="time to reduce one program; 0: leave it")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    flags = ["--no-names"] if arguments.no_names else []
    flags += [f"--size={arguments.size}"] if arguments.size else []
    flags += [f"--hot={arguments.hot}"] if arguments.hot else []
    engines = [Engine(arguments.engine_a, flags, True), Engine(arguments.engine_b, flags, False)]
    for engine in engines:
        if not engine.exists():
            print(f"differential.py: {engine.command[0]} is not here, nothing compared")
            return 77
    started = time.monotonic()
    end = arguments.first + arguments.count
    batches = [(start, min(BATCH, end - start)) for start in range(arguments.first, end, BATCH)]
    compared = 0
    found: list[int] = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        # Submitted in slices, so that stopping early does not leave a queue behind.
        slice_size = arguments.jobs * 4
        for at in range(0, len(batches), slice_size):
            part = batches[at : at + slice_size]
            for (_, count), seeds in zip(part, pool.map(lambda b: differing_seeds(engines, *b), part)):
                compared += count
                found += seeds
            if len(found) >= arguments.max_reports:
                break
    for seed in found[: arguments.max_reports]:
        report(engines, seed, arguments.findings, arguments.reduce_seconds)
    seconds = time.monotonic() - started
    print(f"{compared} programs compared, {len(found)} different, {seconds:.1f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
