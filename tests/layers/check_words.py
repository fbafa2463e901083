#!/usr/bin/env python3
"""Finds names and words that say too little, or that the glossary of README.md has replaced:
  * what is called `its` (or `its_`) in C++: a pronoun names nothing;
  * words of REPLACED in comments and in names.
Prints one line for each and fails when there is any.

    check_words.py [ROOT]
"""

import functools
import re
import sys
from pathlib import Path

SUFFIXES = {".h", ".hpp", ".cpp", ".c", ".inc", ".def"}
FOREIGN = ("runtime/include/lua5.4/",)   # in their authors' words
FOLDERS_OF_NAMES = ("numbering", "vm", "profiler", "jit", "runtime", "bench", "tests", "examples")
FOLDERS_OF_WORDS = ("numbering/", "vm/", "profiler/", "jit/", "runtime/")
# What is said instead. In names the words are parts: is_in_force, VirtualTable.
REPLACED = {
    "walked into": "inlined",
    "in force": "installed, or what applies",
    "virtual table": "scalar replacement, a replaced table",
    "virtual tables": "scalar replacement, replaced tables",
    "money": "price, or budget",
}

COMMENT = r"//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/"
LITERAL = r"R\"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)\"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'"
NO_CODE = re.compile(rf"(?P<comment>{COMMENT})|{LITERAL}", re.S)
NAME = re.compile(r"[A-Za-z_]\w*")
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
# Behind what ends a type, in a structured binding, in the captures of a lambda, or as the parameter of a macro.
NO_TYPE = r"(?:return|co_return|co_yield|co_await|throw|case|else|goto|new|delete|sizeof|not|and|or)\b"
PRONOUN = re.compile(rf"(?:\b(?!{NO_TYPE})[A-Za-z_]\w*(?:[&*\s]|\.\.\.)+|(?:[>\]]|\bdecltype\([^()]*\))(?:[&*\s]|\.\.\.)*|\bauto\s*&*\s*\[[^\[\]]*?\b|"
                     rf"\[[^\[\]]*?(?=its_?\s*=)|^[ \t]*#[ \t]*define\s+\w+\([^()\n]*?)(?<![\w.])(its_?)\b(?=\s*[=;,:)(\]\[{{]|\s*\.\.\.)", re.M)
# Over the end of a line of a comment, too.
WORDS = {word: re.compile(r"\b" + r"(?:[\s_*-]|//[/!<]*)+".join(word.split()) + r"\b", re.I) for word in REPLACED}


@functools.lru_cache(maxsize=1)
def split(text):
    """The code, with what is none blanked, and the comments, each with its place."""
    comments = [(match.start(), match.group(0)) for match in NO_CODE.finditer(text) if match.group("comment")]
    return NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text), comments


def pronouns(text):
    """Where something is declared that is called so."""
    code, _ = split(text)
    return [match.start(1) for match in PRONOUN.finditer(code)]


def replaced_words(text):
    """Where each is, and which."""
    code, comments = split(text)
    for start, comment in comments:
        plain = comment.replace("_", " ")
        for word, pattern in WORDS.items():
            yield from ((start + match.start(), word) for match in pattern.finditer(plain))
    for match in NAME.finditer(code):
        parts = " ".join(PART.findall(match.group(0))).lower()
        yield from ((match.start(), word) for word in REPLACED if re.search(rf"\b{word}\b", parts))


def files(root, folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            file = path.relative_to(root).as_posix()
            if path.suffix in SUFFIXES and path.is_file() and not file.startswith(FOREIGN):
                yield file, path.read_text(encoding="utf-8", errors="replace")


def offences(root):
    for file, text in files(root, FOLDERS_OF_NAMES):
        for start in pronouns(text):
            yield f"{file}:{text.count(chr(10), 0, start) + 1}: a pronoun is no name; what is it?"
        if not file.startswith(FOLDERS_OF_WORDS):
            continue
        for start, word in sorted(replaced_words(text)):
            yield f"{file}:{text.count(chr(10), 0, start) + 1}: \"{word}\" is called otherwise: {REPLACED[word]}"


def main():
    found = list(offences(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])))
    print("\n".join(found) if found else "no pronoun is a name, and no word is used that the glossary has replaced")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
