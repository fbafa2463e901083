#!/usr/bin/env python3
"""Asks the completions for bash what they offer, and zsh (where installed) whether it can read its own and what that has found.

    test_completions.py --engine build/release/bin/mangata --packaging packaging
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

BASH = """
source "$1"
compopt() { echo "compopt $*"; }
COMP_WORDS=(mangata "$2") COMP_CWORD=1
_mangata
printf '%s\\n' "${COMPREPLY[@]}"
complete -p mangata
"""

# Stands in for zsh's own function, which shows what it was given on the screen of an editor.
ZSH = """
_arguments() { print -rl -- "$@"; }
source "$1"
"""


def run(environment, *command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, env=environment)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{command[0]}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", type=Path, required=True)
    parser.add_argument("--packaging", type=Path, required=True)
    given = parser.parse_args()
    environment = dict(os.environ, PATH=f"{given.engine.resolve().parent}:{os.environ['PATH']}")
    options = set(re.findall(r"^  (--[a-z-]+)", subprocess.run([given.engine, "--help"], capture_output=True, text=True).stdout, re.M))

    def offers(word):
        return run(environment, "bash", "--norc", "-c", BASH, "bash", given.packaging / "completion.bash", word)

    problems = []
    if missing := options - {offer.rstrip("=") for offer in offers("--")}:
        problems.append(f"bash does not offer {sorted(missing)}")
    if not any(offer.startswith("--policy") for offer in offers("--pol")) or any(o.startswith("--jit") for o in offers("--pol")):
        problems.append(f"bash offers for --pol: {offers('--pol')}")
    readme = str(given.packaging / "READ")
    if readme + "ME.md" not in offers(readme) or "compopt -o filenames" not in offers(readme):
        problems.append(f"bash offers for a file: {offers(readme)}")
    if offers("--")[-1] != "complete -F _mangata mangata":
        problems.append("bash does not know the function")
    if shutil.which("zsh"):
        run(environment, "zsh", "-n", given.packaging / "_mangata")
        found = run(environment, "zsh", "-f", "-c", ZSH, "zsh", given.packaging / "_mangata")
        if missing := {option for option in options if not any(re.match(re.escape(option) + r"\W", line) for line in found)}:
            problems.append(f"zsh does not find {sorted(missing)}")
        if any(not re.fullmatch(r"-s|--?[-a-zA-Z]+\[[^]]*\]|\*:script:_files", line) for line in found):
            problems.append("zsh's list has other things:\n" + "\n".join(found))
    print("\n".join(problems) or "completions are complete")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
