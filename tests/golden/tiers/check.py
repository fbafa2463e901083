"""Compares what `mangata --dump=plan|asm|region` prints for the programs here with the files beside them: <name>.<stage>.

    check.py --engine path/to/mangata [--stage STAGE ...] [--update]

What may vary is taken out: where a field of the machine lies, offsets and sizes of code, numbers of LLVM's instructions. --update writes the files.
"""
import argparse
import difflib
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
# By stage: what is asked for. Under --deterministic regions are the same in every run; the policy has all loops optimized soon.
OPTIONS = {
    "plan": ["--profile-k=2", "--dump=plan"],
    "asm": ["--dump=asm"],
    "region": ["--deterministic", "--policy=optimizer", "--dump=region"],
}


def without_main_chunk(text):
    """Its prologue has little of its own to say, and much to compare."""
    return "\n\n".join(part for part in text.split("\n\n") if not re.match(r"asm <\S+:0>", part))


def stable(stage, text):
    if stage == "asm":
        text = without_main_chunk(text)
        text = re.sub(r"(?m)^  [0-9a-f]{4,}  ", "  ", text)
        text = re.sub(r"(?m)^(asm .*), \d+ bytes\)", r"\1)", text)
        text = re.sub(r"\[r13\+0x[0-9a-f]+\]", "[machine]", text)
        text = re.sub(r"\[r12\+0x[0-9a-f]+\]", "[thread]", text)
    if stage == "region":
        text = re.sub(r"\b\d+ IR instructions", "N IR instructions", text)
    return text


def dump(engine, stage, program):
    # A relative name, so that the dump does not depend on where the repository is.
    command = [engine, *OPTIONS[stage], program.name]
    result = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=250)
    return stable(stage, result.stdout + result.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--stage", nargs="+", choices=OPTIONS, default=list(OPTIONS))
    parser.add_argument("--update", action="store_true", help="write what the engine prints instead of comparing")
    arguments = parser.parse_args()
    failed = False
    for stage in arguments.stage:
        for golden in sorted(FOLDER.glob(f"*.{stage}")):
            actual = dump(arguments.engine, stage, golden.with_suffix(".lua"))
            if arguments.update:
                golden.write_text(actual, encoding="utf-8")
                continue
            expected = golden.read_text(encoding="utf-8")
            if actual != expected:
                failed = True
                sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True), golden.name, "actual"))
    if failed:
        print("\nif that is what is wanted: tests/golden/tiers/check.py --engine build/release/bin/mangata --update")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
