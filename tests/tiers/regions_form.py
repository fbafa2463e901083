#!/usr/bin/env python3
"""Loops that pay are optimized by their paths: the log says so, the output stays the same, and what cannot work is said.

    regions_form.py --engine build/release/bin/mangata

Exit status 77 (skipped) where Mangata was built without LLVM.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from exact_profile import WITHOUT_TIME, exact_part

ALTERNATING = """
local function f(n)
  local sum, flag = 0, false
  for i = 1, n do
    if flag then sum = sum + i else sum = sum - 1 end
    flag = not flag
  end
  return sum
end
print(f(400000))
"""

# One function is inlined; then the types change, and frames that were left out have to be made.
INLINED = """
local function step(x, y) if y > 50000 then x = x + 0.5 end return x * 3 % 1000003, y end
local function f(n)
  local x, last = 1, 0
  for i = 1, n do x, last = step(x, i) end
  return x, last
end
print(f(100000))
print(pcall(f, 'x'))
"""

# A function that is called often is optimized as a whole; later it gets other types.
CALLED = """
local function second(a, b, c, d)
  if a > b then a, b = b, a end
  if c > d then c, d = d, c end
  if a > c then a, c = c, a end
  if b > d then b, d = d, b end
  if b > c then b, c = c, b end
  return b
end
local function work(n)
  local sum = 0
  for i = 1, n do sum = sum + second(i % 7, i % 5, i % 3, i % 11) + select('#', second(i, 2, 3, 1)) end
  return sum
end
for i = 1, 40 do work(2000) end
print(work(2000), second('a', 'c', 'b', 'd'), pcall(second, 1, {}, 2, 3))
"""

# A loop of a generic for that stands alone, and one whose iterator is written in Lua.
ITERATED = """
local list = {}
for i = 1, 500 do list[i] = i end
local function add_up()
  local sum = 0
  for _, v in ipairs(list) do sum = sum + v end
  return sum
end
local function step(last, i) if i < last then return i + 1 end end
local function count(n)
  local sum = 0
  for i in step, n, 0 do sum = sum + i end
  return sum
end
local all = 0
for _ = 1, 200 do all = all + add_up() + count(500) end
print(all)
"""

# Two arrays are added without checks in each iteration, in vectors.
VECTORS = """
local a, b = {}, {}
for i = 1, 2000 do a[i], b[i] = i * 0.5, 1.5 end
local function add()
  for i = 1, #a do b[i] = a[i] + b[i] end
end
for _ = 1, 100 do add() end
print(b[1], b[1000], b[2000])
"""

# Exact counts begin while a region runs the loop.
COUNTED = """
local jit = require 'jit'
local function f(n)
  local odd = 0
  for i = 1, n do
    if i == n - 100 then jit.paths.start() end
    if i % 2 == 1 then odd = odd + 1 end
  end
  jit.paths.stop()
  return odd
end
print(f(300000))
local counts = {}
for _, fn in ipairs(jit.paths.snapshot().functions) do
  for _, path in ipairs(fn.paths) do
    if path.key:find('L') then counts[#counts + 1] = path.key .. ' ' .. path.count end
  end
end
table.sort(counts)
print(table.concat(counts, '\\n'))
"""


def run(engine: str, options: list[str], text: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "s.lua"
        script.write_text(text)
        return subprocess.run([engine, *options, "s.lua"], cwd=folder, capture_output=True, text=True, timeout=250,
                              env={**os.environ, **(environment or {})})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    engine = parser.parse_args().engine
    optimizer = ["--policy=optimizer:warm=1000,record=600", "--deterministic", "--jit-log"]
    failures = []

    def check(what: str, holds: bool, seen: str) -> None:
        if not holds:
            failures.append(f"{what}; seen:\n{seen}")

    for name, text, wanted in (("alternating", ALTERNATING, "by 3 contexts, of flag, which decide 1.0 branches"), ("inlined", INLINED, " optimized ["),
                               ("called", CALLED, "whole function optimized"), ("iterated", ITERATED, "add_up (s.lua:4): loop 6 optimized"),
                               ("iterator in Lua", ITERATED, "count (s.lua:10): loop 12 optimized"),
                               ("vectors", VECTORS, "loop 5 optimized")):
        judge = run(engine, ["--policy=interpreter"], text)
        got = run(engine, optimizer, text)
        if "there is no optimizer" in got.stderr:
            print(got.stderr.strip().splitlines()[-1])
            return 77
        check(f"{name}: the output is that of the interpreter", (got.stdout, got.returncode) == (judge.stdout, judge.returncode),
              got.stdout + judge.stdout)
        check(f"{name}: a region is made", wanted in got.stderr, got.stderr)
        kept, profiles = [], []
        for options in (["--policy=interpreter"], optimizer):
            with tempfile.TemporaryDirectory() as folder:
                profile = Path(folder) / "profile.json"
                kept.append(run(engine, [*options, WITHOUT_TIME, f"--profile-paths={profile}"], text).stderr)
                profiles.append(exact_part(profile.read_text()))
        check(f"{name}: a region is made while paths are counted", " optimized [" in kept[1] and ("contexts" in kept[1] or "contexts" not in wanted),
              kept[1])
        check(f"{name}: the region counts what the interpreter counts", profiles[0] == profiles[1], profiles[0] + profiles[1])
        again = run(engine, optimizer, text)
        check(f"{name}: the log repeats itself", again.stderr == got.stderr, got.stderr + again.stderr)

    for options in ([], ["--profile-paths=/dev/null"]):
        got = run(engine, [*optimizer, "--dump=ir", *options], VECTORS)
        check(f"loops over arrays are vectorized {' '.join(options)}", "vector.body" in got.stdout, got.stderr)

    counted = run(engine, ["--policy=interpreter"], COUNTED)
    got = run(engine, ["--policy=optimizer:warm=1000,record=600", "--deterministic"], COUNTED)
    check("exact counts begin in a region's loop", got.returncode == 0 and got.stdout.split()[0] == counted.stdout.split()[0],
          got.stdout + got.stderr + counted.stdout)

    acyclic = run(engine, [*optimizer, "--opt-paths=acyclic"], ALTERNATING)
    check("--opt-paths=acyclic looks back over nothing", "over 1 iteration" in acyclic.stderr, acyclic.stderr)
    off = run(engine, [*optimizer, "--opt-paths=off"], ALTERNATING)
    check("--opt-paths=off uses no contexts", " optimized [" in off.stderr and " context" not in off.stderr, off.stderr)
    histories = run(engine, [*optimizer, "--opt-paths=k"], ALTERNATING)
    check("--opt-paths=k has a context for each history", "contexts over 2 iterations" in histories.stderr, histories.stderr)
    edges = run(engine, [*optimizer, "--opt-paths=edges"], ALTERNATING)
    check("--opt-paths=edges uses no contexts", " optimized [" in edges.stderr and " context" not in edges.stderr, edges.stderr)
    for stress, place, text in (("deopt:1", "check failed", INLINED), ("osr:1", "not in the region", ALTERNATING)):
        got = run(engine, [f"--stress={stress}", "--jit-log"], text)
        wanted = run(engine, ["--policy=interpreter"], text)
        check(f"--stress={stress} leaves regions", got.stdout == wanted.stdout and place in got.stderr, got.stderr)
    bad = run(engine, ["--opt-paths=many"], ALTERNATING)
    check("--opt-paths names its values", bad.returncode != 0 and "off, edges, acyclic, k or facts" in bad.stderr, bad.stderr)

    missing = run(engine, [*optimizer, "--opt-compiler=llvm"], ALTERNATING, {"MANGATA_ORC": "/nonexistent/mangata-orc.so"})
    check("a missing module is said, and nothing else happens",
          missing.returncode == 0 and missing.stderr.count("there is no optimizer") == 1, missing.stderr)
    quick = run(engine, optimizer, ALTERNATING, {"MANGATA_ORC": "/nonexistent/mangata-orc.so"})
    check("without it there is quick code", quick.returncode == 0 and ", quick code" in quick.stderr, quick.stderr)

    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
