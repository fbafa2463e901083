#!/usr/bin/env python3
"""Finds dead references: files that READMEs and comments name and that do not exist, and headings that links lead to in vain.

Looked at are links of Markdown, and names of files with one of SUFFIXES, in Markdown between backquotes, elsewhere in comments. A name
is right when the file is there from the root of the tree, from the folder that the text is in or a folder above that, or, for a name
without folders, anywhere. Prints one line for each dead reference and fails when there is any.

    check_references.py [ROOT]
"""

import re
import sys
from pathlib import Path

from tracked_files import tracked_files

SUFFIXES = "h|hpp|cpp|c|inc|def|md|py|lua|cmake|toml"
TEXTS = {".md", ".h", ".hpp", ".cpp", ".c", ".inc", ".def", ".py", ".lua", ".cmake", ".txt"}
NAME = re.compile(rf"(?<![\w./<*%{{}}-])((?:[\w-]+/)*[\w-]+\.(?:{SUFFIXES}))(?![\w/*({{]|\.\w)")
# Rooted at the tree, and without a suffix: a folder, or files that differ in their suffix.
STEM = re.compile(r"(?<![\w./<*%{}-])((?:numbering|vm|profiler|jit|runtime|bench|tests|cmake|packaging|examples)(?:/[\w-]+)+)(?![\w/*({<$-]|\.\w)")
COMMENT = {".h": "//", ".hpp": "//", ".cpp": "//", ".c": "//", ".inc": "//", ".def": "//", ".py": "#", ".lua": "--", ".cmake": "#", ".txt": "#"}
LINK = re.compile(r"\]\(([^)\s]+)\)")
QUOTED = re.compile(r"`([^`]+)`")

# Texts that speak of files elsewhere: other programs, what a user has, what a test makes.
FOREIGN = ("bench/papers/results/", "tests/lua/", "tests/golden/", "tests/capi/", "tests/fuzz/regressions/", "bench/suite/", "examples/",
           "tests/support/run_official.py", "profiler/coverage/model/stats_file.h",
           "runtime/include/lua5.4/", "tests/cli/", "tests/install/", "tests/unit/")
# Names that stand for any file, for one of another project, or for one that is made.
EXAMPLES = re.compile(r"(?:^|/)(?:[a-z]|mine|script|file|my\w*|foo|bar|test|tests|program|lua|lauxlib|lualib|luaconf|main|init|config|"
                      r"policy|module|name|mod|host|page|out|page_\w*|cmake_pch|malloc|stdio|errno|setjmp|dlfcn|function_order|"
                      r"CMakeLists|socket|lib|setup|all|heavy|testmod|testsrvr|testclnt|tests-sqlite3)\.\w+$|^[A-Z_]+\.\w+$|^l[a-z]{2,8}\.[ch]$|^lib\w+\.h$|^lj_\w+\.[ch]$|^sys/|^linux/|^asm/|^llvm/|^asmjit/|^mangata/")


def anchor_of(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(text):
    return {anchor_of(line.lstrip("#")) for line in text.splitlines() if line.startswith("#")}


class Tree:
    def __init__(self, root):
        self.root = Path(root)
        self.files = tracked_files(root)
        self.names = {name.rsplit("/", 1)[-1] for name in self.files}
        self.paths = set(self.files)
        for name in self.files:
            self.paths.update(parent.as_posix() for parent in Path(name).parents)
        self.stems = self.paths | {name.rsplit(".", 1)[0] for name in self.files}

    def has(self, name, text):
        """Does the text in the file `text` name a file that is there?"""
        if "/" not in name and name in self.names:
            return True
        folders = [""] + [parent.as_posix() + "/" for parent in Path(text).parents if parent.as_posix() != "."]
        return any(folder + name in self.paths for folder in folders)

    def has_stem(self, name, text):
        folders = [""] + [parent.as_posix() + "/" for parent in Path(text).parents if parent.as_posix() != "."]
        return any(folder + name in self.stems for folder in folders)

    def dead_links(self, file, text):
        for match in LINK.finditer(text):
            target, _, anchor = match.group(1).partition("#")
            if "://" in target or target.startswith("mailto:"):
                continue
            path = file if target == "" else (Path(file).parent / target).as_posix()
            parts = []
            for part in path.split("/"):
                parts = parts[:-1] if part == ".." else parts if part == "." else parts + [part]
            path = "/".join(parts)
            if path.rstrip("/") not in self.paths:
                yield match.start(), f"link to {match.group(1)}"
            elif anchor and path.endswith(".md") and anchor not in anchors((self.root / path).read_text(encoding="utf-8")):
                yield match.start(), f"link to {match.group(1)}: there is no such heading"

    def dead_names(self, file, text):
        for start, spoken in spoken_parts(file, text):
            for match in NAME.finditer(spoken):
                name = match.group(1)
                if not EXAMPLES.search(name) and not self.has(name, file):
                    yield start + match.start(1), name
            for match in STEM.finditer(spoken):
                if not self.has_stem(match.group(1), file):
                    yield start + match.start(1), match.group(1)

    def dead(self):
        for file in self.files:
            suffix = Path(file).suffix
            if suffix not in TEXTS or file.startswith(FOREIGN) or "/regressions/" in file:
                continue
            text = (self.root / file).read_text(encoding="utf-8", errors="replace")
            found = list(self.dead_names(file, text)) + (list(self.dead_links(file, text)) if suffix == ".md" else [])
            for start, what in sorted(found):
                yield f"{file}:{text.count(chr(10), 0, start) + 1}: {what}"


def spoken_parts(file, text):
    """What is said about the tree: between backquotes in Markdown, comments elsewhere; each with its place."""
    suffix = Path(file).suffix
    if suffix == ".md":
        # Without what is fenced, whose backquotes are none.
        text = re.sub(r"^```.*?^```", lambda fenced: re.sub(r"[^\n]", " ", fenced.group(0)), text, flags=re.MULTILINE | re.DOTALL)
        for match in QUOTED.finditer(text):
            yield match.start(1), match.group(1)
        return
    mark = COMMENT[suffix]
    for match in re.finditer(rf"(?:^|(?<=\s)){re.escape(mark)}.*$", text, re.MULTILINE):
        yield match.start(), match.group(0)


def main():
    found = list(Tree(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]).dead())
    print("\n".join(found) if found else "all files and headings that texts name are there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
