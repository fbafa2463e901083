#!/usr/bin/env python3
"""Writes the expectation comments of behaviour files from what a trusted engine (PUC Lua 5.4.8) prints.

Write a program without expectations, run this on it, read every comment it added as if a stranger had written it, and
keep the file only if each is what the manual says.  The tool never decides what is right.

How: a prelude replaces `print` by one that prefixes each call with the line the main chunk stands on.  An output goes
beside that line, or below it when there are several; outputs never move up, so file order stays output order.  Added
lines shift the positions in messages, hence the second and third pass.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import expectations  # noqa: E402
from run_lua_tests import clean_environment, program_names  # noqa: E402

WIDTH = 110
PRELUDE = """
local print, write, getinfo, main = print, io.write, debug.getinfo, coroutine.running()
function _G.print(...)
  local text = table.pack(...)
  for i = 1, text.n do text[i] = tostring(text[i]) end
  local line, level = 0, 0
  local running = coroutine.running()
  while true do
    local info
    if running == main then info = getinfo(level, 'Sl') else info = getinfo(main, level, 'Sl') end
    if not info then break end
    if info.what == 'main' and info.source:sub(1, 1) == '@' then line = info.currentline end
    level = level + 1
  end
  write('\\1', line, '\\2', table.concat(text, '\\t'), '\\n')
end
"""


def strip_expectations(source: str) -> str:
    """Takes the output and error comments off; whole-line ones disappear with their line."""
    kept = []
    for line in source.rstrip("\n").split("\n"):
        match = expectations.OUTPUT.search(line) or expectations.ERROR.search(line)
        if not match:
            kept.append(line)
        elif line[: match.start()].strip():
            kept.append(line[: match.start()].rstrip())
    return "\n".join(kept)


def lines_ending_inside_tokens(source: str) -> set[int]:
    """1-based numbers of the lines whose end lies inside a string or a long comment: no comment can go there."""
    inside = set()
    token = re.compile(
        r"--\[(=*)\[.*?\]\1\]|--[^\n]*|\[(=*)\[.*?\]\2\]"
        r"|\"(?:\\z\s*|\\.|[^\"\\\n])*\"|'(?:\\z\s*|\\.|[^'\\\n])*'",
        re.S,
    )
    for match in token.finditer(source):
        first = source.count("\n", 0, match.start())
        inside.update(range(first + 1, first + 1 + match.group().count("\n")))
    return inside


def place(source: str, outputs: list[tuple[int, str]], errors: list[str]) -> str:
    lines = source.split("\n")
    blocked = lines_ending_inside_tokens(source)
    beside: dict[int, list[str]] = {}
    lowest = 1
    for line, text in outputs:
        line = max(line, lowest)
        while line in blocked:
            line += 1
        lowest = line
        beside.setdefault(line, []).append(text)
    result = []
    for number, line in enumerate(lines, 1):
        texts = [f"-- expect: {text}".rstrip() for text in beside.get(number, [])]
        if len(texts) == 1 and len(line) + 2 + len(texts[0]) <= WIDTH and "--" not in line:
            result.append(f"{line}  {texts[0]}")
        else:
            indent = line[: len(line) - len(line.lstrip())]
            result += [line] + [indent + text for text in texts]
    result += [f"-- expect error: {text}".rstrip() for text in errors]
    return "\n".join(result) + "\n"


def original_line_numbers(source: str) -> dict[int, int]:
    """Line in the annotated file -> line in the file without its whole-line expectations."""
    numbers, current = {}, 0
    for number, line in enumerate(source.split("\n"), 1):
        match = expectations.OUTPUT.search(line) or expectations.ERROR.search(line)
        if not match or line[: match.start()].strip():
            current += 1
        numbers[number] = max(current, 1)
    return numbers


def record(engine: str, path: Path) -> None:
    for _ in range(3):
        source = path.read_text(encoding="latin-1")
        numbers = original_line_numbers(source)
        traced = run(engine, path, ["-e", PRELUDE])
        plain = run(engine, path, [])
        positions = [int(n) for n in re.findall(r"\x01(\d+)\x02", traced.stdout.decode("latin-1"))]
        pieces = re.split(r"\x01\d+\x02", traced.stdout.decode("latin-1"))
        outputs = [(positions[0] if positions else 1, line) for line in pieces[0].split("\n")[:-1]]
        for position, piece in zip(positions, pieces[1:]):
            outputs += [(position, line) for line in piece.split("\n")[:-1]]
        plain_lines = plain.stdout.decode("latin-1").split("\n")[:-1]
        if len(plain_lines) != len(outputs):
            print(f"{path}: the traced run prints a different number of lines; placed at the end", file=sys.stderr)
            outputs = [(10**9, line) for line in plain_lines]
        bare = strip_expectations(source)
        last = bare.count("\n") + 1
        placed = [(min(numbers.get(n, last), last), text) for (n, _), text in zip(outputs, plain_lines)]
        error = expectations.strip_program_name(plain.stderr.decode("latin-1"), program_names([engine]))
        errors = error.rstrip("\n").split("\n")[: max(1, len(expectations.parse(source).error))] if error else []
        path.write_text(place(bare, placed, errors), encoding="latin-1")


def run(engine: str, path: Path, options: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(
        [engine] + options + [path.name],
        cwd=path.parent,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=10,
    )


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: record_expectations.py ENGINE FILE...")
    for name in sys.argv[2:]:
        try:
            record(sys.argv[1], Path(name))
        except subprocess.TimeoutExpired:
            print(f"{name}: does not end", file=sys.stderr)
