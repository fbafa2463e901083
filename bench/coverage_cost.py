#!/usr/bin/env python3
"""What coverage of a test suite costs, beside LuaCov: user time of a command and its children, in turns.

    coverage_cost.py --mangata build/release/bin/mangata --luacov FOLDER/src --rounds 3 -- {lua} run.lua tests

{lua} in the command is the interpreter; -lluacov is added behind it where LuaCov counts (its place in LUA_PATH is set). Children inherit
both: by MANGATA_OPTIONS, and where the command passes on the interpreter it was started with. Prints the least user time of each way, and
what it is of the same interpreter without coverage.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def ways(args: argparse.Namespace, folder: Path) -> dict[str, tuple[list[str], dict[str, str]]]:
    """Interpreter and environment, by name."""
    luacov = {"LUA_PATH": f"{args.luacov}/?.lua;;", "LUACOV_CONFIG": str(folder / "luacov.config")}
    (folder / "luacov.config").write_text(f"statsfile = '{folder}/luacov.stats.out'\n", encoding="utf-8")
    return {
        "lua5.4": ([args.lua], {}),
        "lua5.4, LuaCov": ([args.lua, "-lluacov"], luacov),
        "mangata": ([args.mangata], {}),
        "mangata --coverage": ([args.mangata], {"MANGATA_OPTIONS": f"--coverage={folder}/c.%p.json"}),
        "mangata --coverage-paths": ([args.mangata], {"MANGATA_OPTIONS": f"--coverage={folder}/p.%p.json --coverage-paths"}),
        "mangata, LuaCov": ([args.mangata, "-lluacov"], luacov),
    }


def user_seconds(command: list[str], interpreter: list[str], environment: dict[str, str], verbose: bool) -> float:
    words = [word for part in command for word in (interpreter if part == "{lua}" else [part.replace("{lua}", " ".join(interpreter))])]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(words, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    if verbose or done.returncode != 0:
        print(f"exit code {done.returncode}: {' '.join(words)}\n{done.stdout[-600:].decode(errors='replace')}", file=sys.stderr)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mangata", required=True, type=os.path.abspath)
    parser.add_argument("--lua", default=shutil.which("lua5.4"))
    parser.add_argument("--luacov", required=True, type=os.path.abspath, help="the folder that has luacov.lua")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", help="a folder for what was written, which else is removed")
    parser.add_argument("--verbose", action="store_true", help="show the end of what the command prints")
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(args.keep or temporary).absolute()
        folder.mkdir(exist_ok=True, parents=True)
        least: dict[str, float] = {}
        for _ in range(args.rounds):
            for name, (interpreter, environment) in ways(args, folder).items():
                seconds = user_seconds(args.command, interpreter, environment, args.verbose)
                least[name] = min(least.get(name, seconds), seconds)
    for name, seconds in least.items():
        base = least["lua5.4" if name.startswith("lua5.4") else "mangata"]
        print(f"{name:26} {seconds:8.3f} s   {seconds / base:5.2f}")


if __name__ == "__main__":
    main()
