#!/usr/bin/env python3
"""With --deterministic, a program gives the same logs of decisions in every run, byte for byte, and replaying them gives them again.

    decisions_repeat.py --engine build/release/bin/mangata                   bench/suite and examples
    decisions_repeat.py --engine ... --program phase_change --scale 1
    decisions_repeat.py --engine ... --every 5 --from 2                      a fifth of the programs
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Looks early and often, so that small inputs see every phase of the policy.
POLICY = "adaptive:warm=2000,sample=1000,quiet=20000"
LOGS = ("log.txt", "log.jsonl", "record.jsonl")


def logs_of(engine: str, path: Path, policy: str, scale: str, record: Path | None) -> dict[str, str]:
    """The text log, and in another run the JSON log and the record."""
    texts = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        replay = f"--policy=replay:{record}" if record else f"--policy={policy}"
        arguments = [scale] if path.parent.name == "suite" else []
        for options in ([f"--jit-log={folder / 'log.txt'}"],
                        [f"--jit-log={folder / 'log.jsonl'}", f"--record-decisions={folder / 'record.jsonl'}"]):
            done = subprocess.run([engine, replay, "--deterministic", *options, path.name, *arguments], cwd=path.parent,
                                  capture_output=True, timeout=300, stdin=subprocess.DEVNULL)
            if done.returncode != 0:
                sys.exit(f"{path.name}: exit code {done.returncode}: {done.stderr.decode('latin-1')}")
        for log in LOGS:
            texts[log] = (folder / log).read_text(encoding="latin-1")
    return texts


def difference(first: str, second: str) -> str:
    for number, (a, b) in enumerate(zip(first.splitlines(), second.splitlines()), 1):
        if a != b:
            return f"line {number}:\n  {a[:300]}\n  {b[:300]}"
    return f"{first.count(chr(10))} lines and {second.count(chr(10))}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True)
    parser.add_argument("--program", help="only this one")
    parser.add_argument("--policy", default=POLICY)
    parser.add_argument("--scale", default="0.05", help="of the programs of bench/suite")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first")
    options = parser.parse_args()
    programs = sorted((ROOT / "bench" / "suite").glob("*.lua")) + sorted((ROOT / "examples").glob("*.lua"))
    programs = [p for p in programs if options.program in (None, p.stem)][options.first :: options.every]
    if programs and b"there is no machine code" in subprocess.run([options.engine, "--dump=asm", programs[0]], capture_output=True).stderr:
        print("this engine has no JIT, so policies are not asked")
        return 77
    bad = decisions = 0
    for path in programs:
        first = logs_of(options.engine, path, options.policy, options.scale, None)
        decisions += first["record.jsonl"].count("\n") - 1
        second = logs_of(options.engine, path, options.policy, options.scale, None)
        with tempfile.NamedTemporaryFile("w", encoding="latin-1", suffix=".jsonl") as record:
            record.write(first["record.jsonl"])
            record.flush()
            replayed = logs_of(options.engine, path, options.policy, options.scale, Path(record.name))
        pairs = [(log, "a second run", first[log], second[log]) for log in LOGS]
        pairs.append(("record.jsonl", "its replay", first["record.jsonl"], replayed["record.jsonl"]))
        for log, what, a, b in pairs:
            if a != b:
                bad += 1
                print(f"{path.name}: {log} differs in {what}: {difference(a, b)}")
                break
        if ", 0 not in the record, 0 left over" not in replayed["log.txt"]:
            bad += 1
            print(f"{path.name}: {replayed['log.txt'].splitlines()[-1]}")
    print(f"{len(programs)} programs, {decisions} decisions, {bad} differences")
    return 1 if bad or not programs or not decisions else 0


if __name__ == "__main__":
    sys.exit(main())
