"""Generated programs that all tiers of the engine must agree about: what aliases_agree.py, automata_agree.py, loops_agree.py, numbers_agree.py and metatables_agree.py share."""

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path


def run(command: list[str], file: Path) -> str:
    """What it prints; or how it ended, instead."""
    try:
        done = subprocess.run([*command, file], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "it did not end\n"
    return done.stdout + (f"exit code {done.returncode}: {done.stderr}" if done.returncode != 0 else "")


def argument_parser(description: str, count: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help="the program under test")
    parser.add_argument("--first", type=int, default=1, help="seed of the first program")
    parser.add_argument("--count", type=int, default=count, help="programs; with --seconds: as many as the time allows")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--options", action="append", help="of an engine to compare; {seed} is that of the program")
    parser.add_argument("--judge", help="command of another Lua; default: the engine's interpreter")
    parser.add_argument("--findings", type=Path, help="folder for programs that differ")
    return parser


def compare(arguments: argparse.Namespace, options: list[str], program: Callable[[int], str], parts: int, noun: str) -> int:
    """Runs program(seed), which has so many `parts`, under the judge and each of the options. The exit status: 1 if any differ."""
    judge = arguments.judge.split() if arguments.judge else [arguments.engine, "--policy=interpreter"]
    end = None if arguments.seconds is None else time.monotonic() + arguments.seconds
    seed, compared, different = arguments.first, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{noun}.lua"
        while seed < arguments.first + arguments.count if end is None else time.monotonic() < end:
            text = program(seed)
            file.write_text(text)
            wanted = run(judge, file)
            if "exit code" in wanted or "did not end" in wanted:
                print(f"seed {seed}: the judge: {wanted[-300:]}")
                different += 1
            for option in arguments.options or options:
                got = run([arguments.engine, *option.replace("{seed}", str(seed)).split()], file)
                compared += parts
                if got == wanted:
                    continue
                different += 1
                lines = [(a[:300], b[:300]) for a, b in zip(wanted.splitlines(), got.splitlines()) if a != b]
                print(f"seed {seed} differs under {option}: {lines[0] if lines else got[-300:]}", flush=True)
                if arguments.findings is not None:
                    arguments.findings.mkdir(parents=True, exist_ok=True)
                    (arguments.findings / f"{noun}-{seed}.lua").write_text(text)
            seed += 1
    print(f"{compared} {noun} compared, {different} programs and options different, {seed - arguments.first} programs, next seed {seed}")
    return 1 if different else 0
