#!/usr/bin/env python3
"""Checks the READMEs: prose of at most COLUMNS columns, and a word about every folder, in a README of its own or of a folder above it.

    check_readmes.py [--renew] [ROOT]          --renew: breaks lines of prose that are too long, and leaves all others

Tables, commands and long links have no other place to be, and may be wider.
"""

import re
import sys
import textwrap
from pathlib import Path

from tracked_files import tracked_files

COLUMNS = 110
# Made by programs, or in work.
WIDE = ("bench/papers/results/",)
# What these folders hold is what their names say: behaviour files by area, data of tests.
SAID_ABOVE = ("tests/lua/", "tests/unit/", "tests/golden/", "tests/install/", "bench/micro/idioms")


def wide_lines(text):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        is_prose = not fenced and not line.startswith(("|", "    ", "!["))
        if is_prose and len(line) > COLUMNS and " " in line.strip()[:COLUMNS]:
            yield number, len(line)


ITEM = re.compile(r"\s*(?:[*+-]|\d+[.)])\s+")


def wrapped(paragraph):
    """The lines of a paragraph or of an item of a list, of COLUMNS columns; themselves where they are. Code and links are not broken."""
    if all(len(line) <= COLUMNS for line in paragraph):
        return paragraph
    item = ITEM.match(paragraph[0])
    first = item.group(0) if item else re.match(r"\s*", paragraph[0]).group(0)
    text = " ".join([paragraph[0][len(first):].strip()] + [line.strip() for line in paragraph[1:]])
    for kept in (r"`[^`]{1,70}`", r"\[[^\]]{1,50}\]\([^)]*\)"):
        text = re.sub(kept, lambda match: match.group(0).replace(" ", "\0"), text)
    text = re.sub(r" (?=(?:[-+*>#|]|\d+[.)])(?: |$))", "\0", text)   # what would begin an item of a list in a new line
    lines = textwrap.wrap(text, COLUMNS, initial_indent=first, subsequent_indent=" " * len(first), break_long_words=False,
                          break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def rewrapped(text):
    lines, paragraph, fenced = [], [], False

    def end_paragraph():
        if paragraph:
            lines.extend(wrapped(paragraph))
            paragraph.clear()

    for line in text.split("\n"):
        is_fence = line.startswith("```")
        if fenced or is_fence or not line.strip() or line.startswith(("|", "#", "    ", "<", "!")):
            end_paragraph()
            lines.append(line)
            fenced ^= is_fence
            continue
        if ITEM.match(line):
            end_paragraph()
        paragraph.append(line)
    end_paragraph()
    return "\n".join(lines)


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
    files = tracked_files(root)
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
    arguments = [each for each in sys.argv[1:] if each != "--renew"]
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parents[2])
    if not (root / ".git").exists():
        print("this is no clone")
        return 77
    if "--renew" in sys.argv:
        for name in tracked_files(root):
            if name.endswith(".md") and not name.startswith(WIDE):
                (root / name).write_text(rewrapped((root / name).read_text(encoding="utf-8")), encoding="utf-8")
    found = list(offences(root))
    print("\n".join(found) if found else "all folders are named in a README, and READMEs are as wide as they may be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
