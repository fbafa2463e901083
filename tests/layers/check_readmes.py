#!/usr/bin/env python3
"""Checks the READMEs: prose of at most COLUMNS columns, and a word about every folder, in a README of its own or of a folder above it.

    check_readmes.py [ROOT]

Tables, commands and long links have no other place to be, and may be wider.
"""

import re
import subprocess
import sys
from pathlib import Path

COLUMNS = 110
# Made by programs, or in work.
WIDE = ("bench/papers/results/", "jit/", "runtime/tiering/")
# What these folders hold is what their names say: behaviour files by area, data of tests.
SAID_ABOVE = ("tests/lua/", "tests/unit/", "tests/golden/", "tests/install/", "bench/micro/idioms")


def tracked(root):
    listing = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True, text=True).stdout
    return [name for name in listing.split("\0") if name and (root / name).is_file()]


def wide_lines(text):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        is_prose = not fenced and not line.startswith(("|", "    ", "!["))
        if is_prose and len(line) > COLUMNS and " " in line.strip()[:COLUMNS]:
            yield number, len(line)


def is_named(folder, texts):
    """Do READMEs of the folders above say anything of it?"""
    path = Path(folder)
    for above in path.parents:
        readme = (above / "README.md").as_posix()
        name = re.escape(path.relative_to(above).as_posix())
        if readme in texts and re.search(rf"(?<![\w-])(?:{name}(?![\w-])|{re.escape(path.name)}/)", texts[readme]):
            return True
    return False


def offences(root):
    files = tracked(root)
    texts = {name: (root / name).read_text(encoding="utf-8") for name in files if name.endswith(".md")}
    for name, text in texts.items():
        if not name.startswith(WIDE):
            for number, columns in wide_lines(text):
                yield f"{name}:{number}: {columns} columns, the limit is {COLUMNS}"
    folders = sorted({Path(name).parent.as_posix() for name in files} - {"."})
    for folder in folders:
        if folder.startswith((".",) + SAID_ABOVE) or f"{folder}/README.md" in texts or is_named(folder, texts):
            continue
        yield f"{folder}: no README has anything to say of it"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
    if not (root / ".git").exists():
        print("this is no clone")
        return 77
    found = list(offences(root))
    print("\n".join(found) if found else "all folders are named in a README, and READMEs are as wide as they may be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
