#!/usr/bin/env python3
"""Finds functions of more than LIMIT lines, between the braces of their bodies. Prints one line for each and fails when there is any that
LONG does not name, or that LONG names in vain.

    check_functions.py [--all] [ROOT]          --all: also those that are allowed, the longest first

What a function is, is told by the layout: a line that ends in `{`, after parentheses, at most as far to the right as classes inside of
namespaces may be; up to the line with `}` under its beginning.
"""

import re
import sys
from pathlib import Path

LIMIT = 60
FOLDERS = ("numbering", "vm", "profiler", "jit", "runtime", "bench", "tests", "examples")
# Each with its reason.
LONG = {
    ("vm/interpreter/interpreter.cpp", "run_loop"): "the dispatch loop: what handlers share are its local variables",
    ("runtime/lib/pattern.cpp", "PatternMatcher::run"): "a dispatch loop over the steps of a pattern",
    ("jit/build/lower_instruction.cpp", "lower_instruction"): "a switch that names all families of opcodes",
    ("jit/region/type_recorder.cpp", "TypeRecorder::look_at_operands"): "a switch that names all families of opcodes",
    ("jit/quick/x64/selector.cpp", "Selector::select"): "a switch that names all operations",
    ("jit/optimizer/to_llvm.cpp", "Translator::translate"): "one switch over the operations of the IR",
}
NO_FUNCTION = re.compile(r"^\s*(?:namespace|class|struct|enum|union|extern|if|for|while|switch|do|else|try|catch|case|default|return|#|//)\b|=\s*\{$")


def functions(text):
    """The name (or the line) of each, its first line, and how many lines its body has."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        if not line.endswith("{") or ")" not in joined(lines, number) or NO_FUNCTION.search(first_of(lines, number)):
            number += 1
            continue
        start = beginning(lines, number)
        indent = len(lines[start]) - len(lines[start].lstrip())
        if indent > 4:
            number += 1
            continue
        end = next((i for i in range(number + 1, len(lines)) if lines[i].startswith(" " * indent + "}")), None)
        if end is None:
            number += 1
            continue
        yield name_of(" ".join(lines[start:number + 1])), start + 1, end - number - 1
        number = end + 1


def beginning(lines, number):
    """Where the signature begins whose `{` is in that line: parameters may take several lines."""
    start, text = number, lines[number]
    while text.count("(") < text.count(")") or re.match(r"\s*:\s", lines[start]):
        if start == 0 or number - start > 12:
            break
        start -= 1
        text = lines[start] + " " + text
    return start


def joined(lines, number):
    return " ".join(lines[beginning(lines, number):number + 1])


def first_of(lines, number):
    return lines[beginning(lines, number)]


def name_of(signature):
    match = re.search(r"([\w:~]+(?:\s*operator\s*\S+)?)\s*\(", signature)
    return match.group(1) if match else signature.strip()


def main():
    arguments = [each for each in sys.argv[1:] if each != "--all"]
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parents[2])
    found, named = [], set()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in {".cpp", ".h", ".hpp", ".inc"} or not path.is_file():
                continue
            file = path.relative_to(root).as_posix()
            for name, line, length in functions(path.read_text(encoding="utf-8")):
                if length > LIMIT:
                    allowed = (file, name) in LONG
                    named.add((file, name))
                    found.append((length, file, line, name, allowed))
    if "--all" in sys.argv:
        for length, file, line, name, allowed in sorted(found, reverse=True):
            print(f"{length:4} {file}:{line}: {name}{' (allowed)' if allowed else ''}")
        return 0
    wrong = [f"{file}:{line}: {name} has {length} lines, the limit is {LIMIT}" for length, file, line, name, allowed in found if not allowed]
    wrong += [f"tests/layers/check_functions.py: LONG names {file}: {name}, which is short or not there" for file, name in LONG if (file, name) not in named]
    print("\n".join(wrong) if wrong else f"no function has more than {LIMIT} lines, but those that are named")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
