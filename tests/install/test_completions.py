#!/usr/bin/env python3
"""Asks the completions for bash what they offer, zsh and fish (where installed) what they found in theirs, and man whether it can read the page.

    test_completions.py --engine build/release/bin/mangata
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BASH = """
source "$1"
compopt() { echo "compopt $*"; }
COMP_LINE="mangata $2" COMP_POINT=${#COMP_LINE}
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


def written(given, folder, kind):
    """The file that --help writes of this kind."""
    text = subprocess.run([given.engine, "--help", kind], capture_output=True, text=True, check=True, timeout=60).stdout
    path = folder / kind
    path.write_text(text, encoding="utf-8")
    return path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        problems = find_problems(given, Path(folder))
    print("\n".join(problems) or "completions are complete")
    return 1 if problems else 0


def find_problems(given, folder):
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    options = set(re.findall(r"^  (--[a-z-]+)", subprocess.run([given.engine, "--help"], capture_output=True, text=True).stdout, re.M))
    bash = written(given, folder, "bash")

    def offers(word):
        return run(environment, "bash", "--norc", "-c", BASH, "bash", bash, word)

    problems = []
    if missing := options - {offer.rstrip("=") for offer in offers("--")}:
        problems.append(f"bash does not offer {sorted(missing)}")
    if not any(offer.startswith("--policy") for offer in offers("--pol")) or any(o.startswith("--jit") for o in offers("--pol")):
        problems.append(f"bash offers for --pol: {offers('--pol')}")
    for before in ("", "--profile-paths="):
        some = offers(f"{before}{folder}/ba")
        if f"{folder}/bash" not in some or "compopt -o filenames" not in some:
            problems.append(f"bash offers for a file: {some}")
    if [word for word in offers("--profile-many=")[:-1] if not word.startswith("compopt")] != ["truncate", "hash"]:
        problems.append(f"bash offers for --profile-many=: {offers('--profile-many=')}")
    if "adaptive" not in offers("--policy=ad") or "eager" in offers("--policy=ad"):
        problems.append(f"bash offers for --policy=ad: {offers('--policy=ad')}")
    if offers("--")[-1] != "complete -F _mangata mangata":
        problems.append("bash does not know the function")
    if shutil.which("zsh"):
        zsh = written(given, folder, "zsh")
        run(environment, "zsh", "-n", zsh)
        found = run(environment, "zsh", "-f", "-c", ZSH, "zsh", zsh)
        if missing := {option for option in options if not any(re.match(re.escape(option) + r"\W", line) for line in found)}:
            problems.append(f"zsh does not find {sorted(missing)}")
        if any(not re.fullmatch(r"--?[-a-zA-Z]+(=-?)?\[([^]\\]|\\.)*\](::?value:(\([a-z ]+\)|_files)?)?|\*:script:_files", line) for line in found):
            problems.append("zsh's list has other things:\n" + "\n".join(found))
    if shutil.which("fish"):
        fish = written(given, folder, "fish")
        run(environment, "fish", "--no-execute", fish)
        found = run(environment, "fish", "--no-config", "-c", f"source {fish}; complete -C 'mangata --'")
        if missing := options - {line.split("\t")[0].rstrip("=") for line in found}:
            problems.append(f"fish does not find {sorted(missing)}")
    page = written(given, folder, "man")
    if shutil.which("man"):
        shown = "\n".join(run(dict(environment, MANWIDTH="500", MAN_KEEP_FORMATTING=""), "man", "--warnings=w", "-l", page))
        if missing := {option for option in options if option not in shown.replace("\N{HYPHEN}", "-")}:
            problems.append(f"the manual page does not tell of {sorted(missing)}")
    return problems


if __name__ == "__main__":
    sys.exit(main())
