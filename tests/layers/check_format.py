#!/usr/bin/env python3
"""Are the tracked C++ files as .clang-format says? Prints which are not, and how many lines differ; with --renew formats them.

    check_format.py [--renew] [--report] [ROOT]

Versions of clang-format differ in places, so it takes VERSION and no other: exit status 77 (skipped) where that is not installed.
--report: how many lines differ is said, and is no failure.
"""

import argparse
import difflib
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tracked_files import tracked_files

VERSION = "19"
# Headers that programs compiled for lua5.4 know, in their authors' layout.
FOREIGN = ("runtime/include/lua5.4/",)


def clang_format():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path and re.search(rf"version {VERSION}\.", subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    return None


def sources(root):
    return [name for name in tracked_files(root, "*.cpp", "*.h", "*.hpp") if not name.startswith(FOREIGN)]


def suspects(tool, root, files):
    """Those that clang-format would change: one process looks at all of them."""
    said = subprocess.run([tool, "--dry-run", *files], cwd=root, capture_output=True, text=True).stderr
    named = set(re.findall(r"(?m)^([^\s:]+):\d+:\d+: warning: code should be clang-formatted", said))
    return [name for name in files if name in named]


def differing_lines(tool, path):
    text = path.read_text(encoding="utf-8")
    wanted = subprocess.run([tool, path], capture_output=True, check=True, text=True).stdout
    if text == wanted:
        return 0
    blocks = difflib.SequenceMatcher(None, text.splitlines(), wanted.splitlines(), autojunk=False).get_opcodes()
    return max(1, sum(max(i2 - i1, j2 - j1) for kind, i1, i2, j1, j2 in blocks if kind != "equal"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[2])
    arguments = parser.parse_args()
    tool = clang_format()
    if tool is None or not (arguments.root / ".git").exists():
        print(f"clang-format {VERSION} is not installed (./dev format does it), or this is no clone")
        return 77
    files = sources(arguments.root)
    if arguments.renew:
        subprocess.run([tool, "-i", *files], cwd=arguments.root, check=True)
        return 0
    counts = {name: differing_lines(tool, arguments.root / name) for name in suspects(tool, arguments.root, files)}
    for name, count in counts.items():
        print(f"{name}: {count} lines")
    wrong = sum(counts.values())
    print(f"{wrong} lines in {len(counts)} of {len(files)} files are not as .clang-format says" + (": ./dev format" if wrong else ""))
    return 1 if wrong and not arguments.report else 0


if __name__ == "__main__":
    sys.exit(main())
