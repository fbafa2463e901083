#!/usr/bin/env python3
"""The default policy finds the phases of a program, and what it finds in each is what ran there.

    phases_found.py --engine build/release/bin/mangata

bench/suite/phase_change.lua with each phase long enough to be looked at: by the log, `process` is settled in every phase ("stops counting"),
noticed to have changed ("drift") and settled again; and the paths that it was settled with are those of an exact profile of
that phase alone. bench/suite/type_flip.lua has one phase: its loops are looked at more deeply, found predictable, left alone, and looked at again.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent.parent / "bench" / "suite"
PHASES = 6
CALLS = 1_000_000
LEAST_OVERLAP = 0.95
# Optimized code counts nothing, so a phase that begins in it would not be looked at.
COUNTING = "--policy=adaptive:size=0,optimize=0"


def run(engine: str, options: list[str], program: Path, *arguments: str) -> None:
    done = subprocess.run([engine, *options, program.name, *arguments], cwd=program.parent, capture_output=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{program.name}: exit code {done.returncode}: {done.stderr.decode('latin-1')}")


def with_phases(folder: Path, first: int, last: int) -> Path:
    """phase_change.lua with these phases, each once."""
    source = (SUITE / "phase_change.lua").read_text()
    start = source.index("for _ = 1, math.max")
    assert "for _, phase in ipairs(phases) do" in source
    source = source[:start] + f"phases = table.move(phases, {first}, {last}, 1, {{}})\nrun({CALLS})\n"
    file = folder / f"phases_{first}_{last}.lua"
    file.write_text(source)
    return file


def shares(counts: dict[str, int]) -> dict[str, float]:
    total = sum(counts.values())
    return {key: count / total for key, count in counts.items()}


def exact_shares(engine: str, folder: Path, phase: int) -> dict[str, float]:
    file = folder / "exact.json"
    run(engine, [f"--profile-paths={file}"], with_phases(folder, phase, phase))
    process = next(f for f in json.loads(file.read_text())["functions"] if f["name"] == "process")
    return shares({path["key"]: path["count"] for path in process["paths"]})


def decisions_about(function: str, log: Path) -> list[dict]:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [line for line in lines if line.get("snapshot", {}).get("name") == function]


def overlap(a: dict[str, float], b: dict[str, float]) -> float:
    return sum(min(share, b.get(key, 0)) for key, share in a.items())


def check_phases(engine: str, folder: Path) -> list[str]:
    log = folder / "log.jsonl"
    run(engine, [COUNTING, "--deterministic", f"--jit-log={log}"], with_phases(folder, 1, PHASES))
    settled, drifts = [], 0
    for line in decisions_about("process", log):
        reason = line["decision"]["reason"]
        drifts += reason.startswith("drift")
        if not reason.endswith("stops counting"):
            continue
        settled.append(shares({path["key"]: path["count"] for path in line["snapshot"]["hottest"]}))
    problems = []
    for phase in range(1, PHASES + 1):
        exact = exact_shares(engine, folder, phase)
        best = max((overlap(exact, found) for found in settled), default=0)
        print(f"phase {phase}: {100 * best:.1f} % of what ran in it was found")
        if best < LEAST_OVERLAP:
            problems.append(f"phase {phase} was not found")
    if drifts < PHASES - 2:  # two pairs of phases take the same ways through `process`
        problems.append(f"only {drifts} changes were noticed")
    return problems


def check_flips(engine: str, folder: Path) -> list[str]:
    log = folder / "log.jsonl"
    run(engine, [COUNTING, "--deterministic", f"--jit-log={log}"], SUITE / "type_flip.lua")
    problems = []
    for function, ways in [("flip", 4), ("optional_chain", 3)]:
        lines = decisions_about(function, log)
        profiles = [line["decision"]["profile"] for line in lines]
        if profiles[:4] != ["none", "paths", "iterations", "iterations"] or profiles[4:6] != ["none", "iterations"]:
            problems.append(f"{function}: {profiles}")
            continue
        loop = lines[3]["snapshot"]["loops"][0]
        print(f"{function}: acc(1) {loop['accuracy'][0]:.2f}, acc(2) {loop['accuracy'][1]:.2f}, {loop['distinct']} windows")
        if loop["accuracy"][0] > 1 / ways + 0.05 or loop["accuracy"][1] < 0.99 or loop["distinct"] > ways + 2:
            problems.append(f"{function}: {loop}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True)
    engine = str(Path(parser.parse_args().engine).resolve())
    probe = subprocess.run([engine, "--dump=asm", str(SUITE / "phase_change.lua")], capture_output=True)
    if b"there is no machine code" in probe.stderr:
        print("this engine has no JIT, so policies are not asked")
        return 77
    with tempfile.TemporaryDirectory() as name:
        problems = check_phases(engine, Path(name)) + check_flips(engine, Path(name))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
