"""Reads the inline expectations of a language behaviour file.

A behaviour file is a Lua program that says, in comments, what it prints:

    print(1 + 1)          -- expect: 2
    -- expect error: file.lua:9: attempt to ...      (stderr, in order, from its first line)
    -- expect exit: 3                                (only when it is not 0, or 1 after an error)
    -- not under: gc-stress                          (a configuration that changes what the file is about)
    -- long under: resume                            (a configuration that takes long, and says little more: in campaigns)

The expected standard output is the text of all `-- expect:` comments in file order, one line each.  The comparison is
exact but for blanks at the end of a line, which no editor keeps.  `-- expect error:` lines are a prefix of standard error, after the program's own name has been taken off its
first line; when there is none, standard error must be empty.

Read next: run_lua_tests.py (runs the files), record_expectations.py (writes the comments from a trusted engine).
"""

import re
from dataclasses import dataclass, field

OUTPUT = re.compile(r"-- expect:(?: (.*))?$")
ERROR = re.compile(r"-- expect error:(?: (.*))?$")
EXIT = re.compile(r"-- expect exit: (\d+)$")
NOT_UNDER = re.compile(r"^-- not under: ([\w-]+)")
LONG_UNDER = re.compile(r"^-- long under: ([\w-]+)")


@dataclass
class Expectations:
    """What one behaviour file promises."""

    output: list[str] = field(default_factory=list)
    error: list[str] = field(default_factory=list)
    exit_code: int = 0
    not_under: list[str] = field(default_factory=list)
    long_under: list[str] = field(default_factory=list)


def parse(source: str) -> Expectations:
    """Collects the expectation comments of `source` in file order."""
    found = Expectations()
    explicit_exit = None
    for line in source.split("\n"):
        if match := OUTPUT.search(line):
            found.output.append((match.group(1) or "").rstrip())
        elif match := ERROR.search(line):
            found.error.append((match.group(1) or "").rstrip())
        elif match := EXIT.search(line):
            explicit_exit = int(match.group(1))
        elif match := NOT_UNDER.search(line):
            found.not_under.append(match.group(1))
        elif match := LONG_UNDER.search(line):
            found.long_under.append(match.group(1))
    found.exit_code = explicit_exit if explicit_exit is not None else (1 if found.error else 0)
    return found


def strip_program_name(stderr: str, names: list[str]) -> str:
    """Removes `name: ` from the start of the first line, whichever of `names` the engine calls itself."""
    for name in names:
        if stderr.startswith(name + ": "):
            return stderr[len(name) + 2 :]
    return stderr


def differences(expected: Expectations, output: str, error: str, exit_code: int) -> list[str]:
    """Returns what differs, as lines ready to print; empty when the run kept every promise."""
    lines = []
    got_output = text_lines(output)
    if got_output != expected.output:
        lines += line_diff("stdout", expected.output, got_output)
    got_error = text_lines(error)
    compared = got_error[: len(expected.error)] if expected.error else got_error
    if compared != expected.error:
        lines += line_diff("stderr", expected.error, compared)
    if exit_code != expected.exit_code:
        lines.append(f"  exit code: expected {expected.exit_code}, got {exit_code}")
        lines += [f"    {line}" for line in got_error[:5]]
    return lines


def text_lines(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def line_diff(title: str, expected: list[str], got: list[str]) -> list[str]:
    """A short diff: the first differing line with two lines before it and up to five after."""
    first = 0
    while first < min(len(expected), len(got)) and expected[first] == got[first]:
        first += 1
    lines = [f"  {title} differs at line {first + 1}:"]
    lines += [f"      {line}" for line in expected[max(0, first - 2) : first]]
    lines += [f"    - {line}" for line in expected[first : first + 5]]
    lines += [f"    + {line}" for line in got[first : first + 5]]
    return lines
