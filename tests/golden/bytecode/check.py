"""Compares `mangata --dump=<stage> <name>.lua` with <name>.<stage>, for every such pair of files in this folder."""
import argparse
import difflib
import pathlib
import subprocess
import sys

STAGES = ("tokens", "bytecode", "cfg")
FOLDER = pathlib.Path(__file__).resolve().parent


def dump(engine, stage, program):
    # A relative name, so that the dump does not depend on where the repository is.
    command = [engine, f"--dump={stage}", program.name]
    result = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=60)
    return result.stdout + result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--update", action="store_true", help="write what the engine prints instead of comparing")
    arguments = parser.parse_args()
    failed = False
    for stage in STAGES:
        for golden in sorted(FOLDER.glob(f"*.{stage}")):
            actual = dump(arguments.engine, stage, golden.with_suffix(".lua"))
            expected = golden.read_text()
            if actual == expected:
                continue
            if arguments.update:
                golden.write_text(actual)
                continue
            failed = True
            sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True),
                                                       golden.name, "actual"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
