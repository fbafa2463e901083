#!/usr/bin/env python3
"""How much of the exact profile the sampled one finds: their overlap (weight matching), program by program.

    bench/sampling_overlap.py --engine build/release/bin/mangata [--k 1] [--k 4] [--scale 0.2] [--only NAME...] [--minimum PERCENT]

The overlap of two profiles is the sum over all paths of the smaller of the two shares [Ball & Larus 1996 call it matching]: 100 when they
say the same, 0 when they have no path in common. The exact profile is that of --profile-paths, the sampled one that of
--profile-sampled under the policy adaptive, which looks at as many rounds of a loop as its data ask for, up to k. So both are brought
to the same terms first: of each function, the exact profile over as many rounds as the sampled one has in the loop where it has most,
and of paths through a loop where it has fewer, every run of so many rounds. Functions that the policy never sampled count as not
found.
"""

import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

SUITE = Path(__file__).resolve().parent / "suite"


def profile(engine: list[str], program: Path, size: list[str], options: list[str]) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile.json"
        kind = options[0]
        subprocess.run([*engine, f"{kind}={file}", *options[1:], str(program), *size], check=True, stdout=subprocess.DEVNULL)
        return json.loads(file.read_text())


def all_paths(function: dict):
    yield from function["paths"]
    for loop in function.get("loops", []):
        yield from loop["windows"]


def k_installed(report: dict) -> dict[str, dict[str, int]]:
    """By function and loop: over how many rounds it was looked at."""
    return {function["id"]: {loop["key"]: loop["k"] for loop in function.get("loops", [])} for function in report["functions"]}


def exact_profile(engine: list[str], program: Path, size: list[str], wanted_k: dict[str, dict[str, int]]) -> dict:
    """Each function over the most rounds that the sampled profile has of one of its loops."""
    functions = {}
    for k in sorted({1} | {k for loops in wanted_k.values() for k in loops.values()}):
        for function in profile(engine, program, size, ["--profile-paths", f"--profile-k={k}"])["functions"]:
            if k == max([1, *wanted_k.get(function["id"], {}).values()]):
                functions[function["id"], function["source"], function["line"]] = function
    return {"functions": list(functions.values())}


def loop_of(start: str, end: str, loops: list[str]) -> str | None:
    """The loop whose rounds a path has; None: it is not known, because the path goes through several."""
    for end_of_path in (start, end):
        if end_of_path in loops:
            return end_of_path
    return loops[0] if len(loops) == 1 else None


def pieces(key: str, loops: list[str], wanted_k: dict[str, int]):
    """The rounds that are new on a path, each with up to k - 1 rounds before it.

    A path that begins at a loop over several rounds repeats all rounds of the path before it but the last; others are new throughout."""
    start, text, end = key.split(":")
    rounds = text.split("|")
    loop = loop_of(start, end, loops)
    if len(rounds) == 1 or loop is None:
        yield key
        return
    k = wanted_k.get(loop, 1)
    first_new = len(rounds) - 1 if start == loop else 0
    for i in range(first_new, len(rounds)):
        from_start = first_new == 0 and i < k
        yield ":".join((start if from_start else loop, "|".join(rounds[max(0, i - k + 1):i + 1]), end if i == len(rounds) - 1 else loop))


def shares(report: dict, wanted_k: dict[str, dict[str, int]]) -> dict:
    weights = collections.Counter()
    for function in report["functions"]:
        loops = [loop["key"] for loop in function.get("loops", [])]
        for path in all_paths(function):
            for piece in pieces(path["key"], loops, wanted_k.get(function["id"], {})):
                weights[function["id"], piece] += path["count"]
    total = sum(weights.values())
    return {piece: count / total for piece, count in weights.items()} if total else {}


def overlap(a: dict, b: dict) -> float:
    return 100 * sum(min(share, b.get(piece, 0)) for piece, share in a.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--k", type=int, action="append")
    parser.add_argument("--policy", default="adaptive")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--scale", type=float, help="fraction of each program's usual size")
    parser.add_argument("--minimum", type=float, default=0, help="fail when the mean overlap is smaller")
    arguments = parser.parse_args()
    engine = arguments.engine.split()
    ok = True
    for k in arguments.k or [1, 4]:
        separator = "," if ":" in arguments.policy else ":"
        results = []
        for program in sorted(SUITE.glob("*.lua")):
            if arguments.only and program.stem not in arguments.only:
                continue
            size = [] if arguments.scale is None else [str(arguments.scale)]
            sampled = profile(engine, program, size, ["--profile-sampled", f"--policy={arguments.policy}{separator}k={k}"])
            wanted_k = k_installed(sampled)
            exact = exact_profile(engine, program, size, wanted_k)
            results.append(overlap(shares(exact, wanted_k), shares(sampled, wanted_k)))
            print(f"k={k}  {program.stem:24} {results[-1]:6.2f}", flush=True)
        mean = sum(results) / len(results)
        print(f"k={k}  {'mean':24} {mean:6.2f}\n")
        ok = ok and mean >= arguments.minimum
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
