#!/usr/bin/env python3
"""What is shown of loops that are optimized: --dump=region and --dump=ir."""

import json
import re
from pathlib import Path

import harness

PROGRAM = """local function f(n)
  local sum, flag = 0, false
  for i = 1, n do
    if flag then sum = sum + i else sum = sum - 1 end
    flag = not flag
  end
  return sum
end
print(f(200000))
"""
# The open call may read all that is above it, as far as the optimizer knows; at the loop's end, headers of frames are there.
AUTOMATON = """local function run(n)
  local mode, sum = "count", 0
  for i = 1, n do
    if mode == "count" then
      sum = sum + 1
      mode = "skip"
    elseif mode == "skip" then
      mode = "double"
    else
      sum = sum + 2
      mode = "count"
    end
  end
  return sum
end
local sum
for _ = 1, 20 do sum = run(60000) end
print(sum)
"""

HEADERS = """local function g(x) return x, 1 end
local function f(a, b, c) return a + b + c end
local function adder(n) return function(x) return x + n end end
local function run(n)
  local s = 0
  for i = 1, n do
    s = f(s, g(i))
    local three = i
    s = (s + adder(three)(three)) % 1000
  end
  return s
end
for _ = 1, 40 do run(10000) end
print(run(10000))
"""
# From the second loop on `at` leaves its region in every call, and only `push` runs in baseline code, where samples are taken.
LEAVES = """local function push(t, step)
  t.n = t.n + step
  return t.n
end
local function at(t) return push(t, t.step) + 0 end
local t = { n = 0, step = 1 }
for i = 1, 60000 do pcall(at, t) end
t.step, t.n = 0.5, 0.0
for i = 1, 300000 do pcall(at, t) end
print(t.n)
"""
# In the end each call leaves its region for a tail call, which enters it again: baseline code counts no event at all.
FLAT = """local flat = false
local function f(n)
  if n == 0 then return 0 end
  if flat then return f(n - 1) end
  return 1 + f(n - 1)
end
for i = 1, 2000 do f(100) end
flat = true
print(f(1000000))
"""
# Functions that call nothing may run beyond the limit of the stack, and nobody else here raises that.
LEAF = """local function leaf(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end
local function f0() local s = 0 for _ = 1, 30000 do s = s + leaf(12) + #tostring(s) end return s end
"""
# One loop is optimized, and later left at times; the other is not worth it, and counts. `f` is not inlined.
TWO_LOOPS = """local function f(n, odd)
  local x = 0
  for i = 1, n do
    if i == odd then x = x - 1 end
    x = x + i % 3
  end
  for i = 1, 100 do x = x + #(i .. "") end
  return x
end
local sum = 0
for i = 1, 3000 do sum = sum + select(2, pcall(f, 1000, -1)) end
for i = 1, 2000 do sum = sum + select(2, pcall(f, 1000, 500)) end
print(sum)
"""
# Integers first; then `f` is called with floats, and its region is never entered.
CHANGES = """local function f(n, step)
  local x = 0
  for i = 1, n do x = x + step end
  return x
end
local sum = 0
for i = 1, 2000 do sum = sum + select(2, pcall(f, 1000, 1)) end
for i = 1, 2000 do sum = sum + select(2, pcall(f, 1000, 0.5)) end
print(sum)
"""
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "policies"
# Optimizes at the second question, and says what it sees.
SAYS_WHAT_IT_SEES = """return {first = {entry = 20, loop = 60}, decide = function(seen)
  local said = {}
  for i, its in ipairs(seen.regions) do
    said[i] = table.concat({its.line, tostring(its.installed), its.made, its.ir_instructions, its.iterations, its.unexpected, its.expected, its.refused}, " ")
  end
  return {tier = seen.asked == 1 and "optimized" or "baseline", sample = 5000, reason = table.concat(said, "; ")}
end}
"""
# Drops a region that was left 500 times, and asks for another one ten questions later.
DROPS = """return {first = {entry = 20, loop = 60}, decide = function(seen)
  if seen.name ~= "f" then return {tier = "baseline"} end
  local step = seen.memory[1]
  local its
  for _, region in ipairs(seen.regions) do its = region.line == 3 and region or its end
  if step == 0 and seen.asked > 0 then return {tier = "optimized", sample = 5000, memory = {1}, reason = "optimizes"} end
  if step == 1 and its and its.unexpected > 500 then return {drop_regions = true, sample = 5000, memory = {2}, reason = "drops"} end
  if step == 12 then return {tier = "optimized", sample = 5000, memory = {13}, reason = "once more"} end
  return {tier = "baseline", sample = 5000, memory = {step < 2 and step or step + 1}}
end}
"""
OPTIMIZER = "--policy=optimizer:warm=1000,record=600"


class Regions(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("s.lua", PROGRAM)
        got = self.dump("region")
        if "there are no regions" in got.err or "there is no optimizer" in got.out:
            self.skipTest("this engine has no optimizer")

    def dump(self, stage: str, *options: str) -> harness.Outcome:
        return self.run_engine([OPTIMIZER, *options, f"--dump={stage}", "s.lua"])

    def test_regions_with_contexts_by_facts(self):
        got = self.dump("region")
        self.assertEqual((got.code, got.err), (0, ""))
        self.assertIn("  formed from facts that paths leave, without profitability checks, entered at pc ", got.out)
        self.assertRegex(got.out, r"loop at line 3, pc \d+: k = 1: what is known at the head saves \d+% of an iteration")
        contexts = re.findall(r"context (\d), where flag = (\w+), which decide 1\.0 branches: 50\.0%.*\n +w\d 100\.0% \(\d+\) -> context (\d)", got.out)
        self.assertEqual([value for _, value, _ in contexts], ["false", "true"])
        self.assertEqual([c for c, *_ in contexts], [c for *_, c in reversed(contexts)], "each leads to the other")

    def test_regions_with_contexts_paths_and_reasons(self):
        got = self.dump("region", "--opt-paths=k")
        self.assertEqual((got.code, got.err), (0, ""))
        self.assertRegex(got.out, r"(?m)^region: loop 3 of f \(s\.lua:1\)$")
        self.assertIn("  formed from k paths, without profitability checks, entered at pc ", got.out)
        self.assertRegex(got.out, r"loop at line 3, pc \d+: k = 2: acc\(2\) is 1\.00, at least 0\.75, and 0\.50 more than acc\(1\)")
        self.assertRegex(got.out, r"(?m)^    w0: 4:[TF] 3:loop$")
        contexts = re.findall(r"context (\d), after (w\d): +50\.0%.*\n +(w\d) 100\.0% \(\d+\) -> context (\d)", got.out)
        self.assertEqual({(a, b) for _, a, b, _ in contexts}, {("w0", "w1"), ("w1", "w0")}, "each path leads to the other")
        self.assertEqual({c for c, *_ in contexts}, {c for *_, c in contexts})
        self.assertRegex(got.out, r"compiled: \d+ IR instructions, predicted to save \d+% of the time; \d+ exits: ")

    def test_program_runs_and_the_text_repeats_itself(self):
        got = self.dump("region")
        self.assertEqual(got.out.splitlines()[-1], "10000000000")
        self.assertEqual(got.out, self.dump("region").out)

    def test_tables_that_are_not_made(self):
        self.write("s.lua", "local s = 0\nfor i = 1, 400000 do\n  local p = {x = i, y = 1}\n  s = s + p.x + p.y\nend\nprint(s)\n")
        got = self.dump("region")
        self.assertEqual(got.out.splitlines()[-1], "80000600000")
        self.assertIn("  tables that are made only where they are needed: of line 3\n", got.out)

    def test_registers_that_hold_headers_of_frames_do_not_keep_it_out(self):
        self.write("s.lua", HEADERS)
        got = self.run_engine([OPTIMIZER, "--deterministic", "--jit-log", "s.lua"])
        self.assertEqual(got.out, "0\n")
        self.assertRegex(got.err, r"region of loop 6 of s\.lua:4 ")
        self.assertNotIn("entry refused", got.err)

    def test_what_it_is_formed_from(self):
        for paths, words in [("facts", "formed from facts that paths leave"), ("k", "formed from k paths"), ("acyclic", "formed from acyclic paths"), ("edges", "formed from edges"), ("off", "formed from off")]:
            got = self.dump("region", f"--opt-paths={paths}")
            self.assertIn(words, got.out)
        self.assertIn("generic, its paths were not counted", got.out)

    def test_contexts_by_facts_say_what_is_known_and_what_it_decides(self):
        self.write("s.lua", AUTOMATON)
        got = self.run_engine([OPTIMIZER, "--deterministic", "--opt-paths=facts", "--dump=region", "s.lua"])
        self.assertEqual(got.out.splitlines()[-1], "60000")
        self.assertRegex(got.out, r"loop at line 3, pc \d+: k = 1: what is known at the head saves \d+% of an iteration\n")
        for facts, decided in [('mode = "count"', 1), ('mode = "skip"', 2), ('mode = "double"', 2)]:
            self.assertRegex(got.out, rf"(?m)^    context \d, where {facts}, which decide {decided}\.0 branches: \d+\.\d% of the iterations$")
        log = self.run_engine([OPTIMIZER, "--deterministic", "--opt-paths=facts", "--jit-log", "s.lua"]).err
        self.assertRegex(log, r"loop 3 by 4 contexts, of mode, which decide 1\.\d branches of an iteration")

    def test_interim_forms_get_their_contexts_while_they_run(self):
        self.write("s.lua", AUTOMATON.replace("for _ = 1, 20 do sum = run(60000) end", "sum = run(60000)"))  # it is called once
        got = self.run_engine(["--stress=region:7", "--opt-compiler=llvm", "--jit-log", "s.lua"])
        self.assertEqual(got.code, 0)
        lines = [line for line in got.err.splitlines() if "loop 3 optimized" in line]
        self.assertRegex(lines[0], r"\]: an interim form; later loop 3 by \d+ contexts")
        self.assertRegex(lines[1], r"\]: loop 3 by \d+ contexts")
        first, second = [int(re.search(r"\[(\d+) IR", line).group(1)) for line in lines[:2]]
        self.assertLess(first, second)
        self.assertRegex(got.err, r"\n  \d+ to be upgraded at pc \d+ line 4 ")

    def test_loops_that_are_refused_say_why(self):
        self.write("s.lua", "local s = 0 for i = 1, 400000 do s = s + #(i .. 'x' .. i) end print(s)\n")
        got = self.run_engine(["--policy=adaptive:warm=2000,sample=1000,quiet=5000,optimize=20000", "--dump=region", "s.lua"])
        self.assertRegex(got.out, r"region: loop 1 of main chunk \(s\.lua:1\)\n(.*\n)*?  not installed: predicted to save only \d+%")

    def test_ir_before_and_after_the_passes(self):
        got = self.dump("ir")
        before, after = got.out.split("; as generated\n", 1)[1].split("; after the passes\n", 1)
        for text in (before, after):
            self.assertRegex(text, r"(?m)^define .*@region_\d+\(")
            self.assertRegex(text, r"(?m)^}$")
        self.assertIn(" = alloca ", before)
        self.assertNotIn(" = alloca ", after)

    def test_ir_behind_each_pass(self):
        got = self.dump("passes")
        passes = re.findall(r"(?m)^; after (\w+)\n+(?:; Function Attrs.*\n)?define .*@region_\d+\(", got.out)
        for one in ("SROAPass", "EarlyCSEPass", "SimplifyCFGPass"):
            self.assertIn(one, passes)
        self.assertLess(passes.index("SROAPass"), passes.index("EarlyCSEPass"))
        self.assertEqual(got.out.splitlines()[-1], "10000000000")

    def test_dumps_of_several_regions_are_whole(self):
        self.write("s.lua", PROGRAM + PROGRAM.replace("200000", "100000"))
        got = self.dump("ir")
        self.assertEqual(got.out.count("; as generated\n"), got.out.count("; after the passes\n"))
        self.assertGreaterEqual(got.out.count("; as generated\n"), 2)

    def test_regions_that_are_always_left_are_noticed_though_others_are_sampled(self):
        self.write("s.lua", LEAVES)
        got = self.run_engine(["--policy=optimizer", "--deterministic", "--jit-log", "s.lua"])
        self.assertEqual((got.code, got.out), (0, "150000.0\n"))
        self.assertRegex(got.err, r"at \(s\.lua:5\): not optimized: left \d{4,5} times by failed checks")

    def test_regions_of_functions_that_call_nothing_are_entered_from_shallow_stacks(self):
        for nesting in range(4):
            self.write("s.lua", LEAF + "".join(f"local function f{i + 1}() local s = f{i}() return s end\n" for i in range(nesting))
                       + f"for _ = 1, 3 do f{nesting}() end\n")
            got = self.run_engine([OPTIMIZER, "--opt-compiler=quick", "--deterministic", "--jit-log", "s.lua"])
            self.assertEqual((got.code, got.out), (0, ""))
            self.assertRegex(got.err, r"region of s\.lua:1 .*\n  \d{5} iterations", f"{nesting} frames between")

    def test_regions_that_are_left_while_nothing_counts_events_are_noticed(self):
        self.write("s.lua", FLAT)
        got = self.run_engine(["--policy=optimizer", "--deterministic", "--jit-log", "s.lua"])
        self.assertEqual((got.code, got.out), (0, "0\n"))
        self.assertRegex(got.err, r"f \(s\.lua:2\): not optimized: left \d{4,5} times by failed checks")
        self.assertNotRegex(got.err, r"region of s\.lua:2 .*: left \d{6,} times")

    def test_policies_see_regions(self):
        self.write("says.lua", SAYS_WHAT_IT_SEES)
        logs = {}
        for mode in ([], ["--deterministic"]):
            # Where the program does not wait for the compile thread, it runs long enough for that to be done, on a busy machine, too; when in
            # the first loop it is done, nobody knows.
            self.write("s.lua", TWO_LOOPS if mode else TWO_LOOPS.replace("3000", "100000"))
            got = self.run_engine(["--policy=./says.lua", "--opt-compiler=llvm", *mode, "--jit-log=log.jsonl", "--record-decisions=record.jsonl", "s.lua"])
            self.assertEqual((got.code, got.out, got.err), (0, "5958000\n" if mode else "121582000\n", ""))
            lines = [json.loads(line) for line in (self.folder / "log.jsonl").read_text().splitlines()]
            about_f = [line for line in lines if line.get("snapshot", line.get("region", {})).get("name") == "f"]
            made = next(line["region"] for line in about_f if "region" in line and line["region"]["installed"])
            asked = [line for line in about_f if "snapshot" in line and line["snapshot"]["regions"]]
            its = next(region for region in asked[-1]["snapshot"]["regions"] if region["line"] == made["loop"])
            self.assertEqual((its["line"], its["installed"], its["made"]), (3, True, 1))
            self.assertEqual((its["line"], its["why_not"]), (made["loop"], ""))
            for field in ("ir_instructions", "saved_share", *([] if mode else ["code_bytes", "milliseconds"])):
                self.assertEqual(its[field], made[field])
                self.assertGreater(its[field], 0)
            self.assertGreater(its["iterations"], 1_000_000 if mode else 1000)
            self.assertGreater(its["unexpected"], 1000, "once in each of the later calls")
            self.assertLessEqual(its["unexpected"], 2000)
            self.assertGreater(its["expected"], 2000 if mode else 1000, "once in each call")
            said = " ".join(str(its[field]).lower() for field in
                            ("line", "installed", "made", "ir_instructions", "iterations", "unexpected", "expected", "refused"))
            self.assertIn(said, asked[-1]["decision"]["reason"].split("; "))
            self.assertEqual("nanoseconds" in asked[-1]["snapshot"], not mode)
            record = (self.folder / "record.jsonl").read_text()
            self.assertIn('"saved_share":', record)
            for measured in ("milliseconds", "code_bytes", "nanoseconds"):
                self.assertNotIn(measured, record)
            exits = [line["exits"] for line in lines if "exits" in line]
            its = next(its for its in exits if its["name"] == "f")
            self.assertEqual((its["source"], its["line"], its["loop"], its["installed"]), ("s.lua", 1, 3, True))
            self.assertLessEqual(its["unexpected"], 2000)
            self.assertGreaterEqual(its["unexpected"], 1900, "where samples are taken and others are recorded, an iteration may run elsewhere")
            self.assertEqual(its["refused"], 0)
            self.assertEqual(its["entries"], sum(exit["count"] for exit in its["exits"]))
            self.assertEqual([(exit["line"], exit["opcode"], exit["source"]) for exit in its["exits"]],
                             [(7, "LoadInteger", "s.lua"), (4, "SubConstant", "s.lua")])
            self.assertEqual(its["exits"][0]["why"], "loop ended")
            self.assertIn(its["exits"][1]["why"], ("not in the region", "rare branch"))
            self.assertEqual(lines[-len(exits):], [{"exits": its} for its in exits], "at the end")
            logs[bool(mode)] = (self.folder / "log.jsonl").read_text()
        for measured in ("milliseconds", "code_bytes", "nanoseconds"):
            self.assertNotIn(f'"{measured}"', re.sub(r'"predicted":\{[^}]*\}', "", logs[True]))
        simulated = self.run_engine(["--policy=./says.lua", "--simulate=record.jsonl", "--deterministic"])
        self.assertIn("in every respect: ", simulated.out)
        self.assertEqual(simulated.out.count("(100.0%)"), 2, simulated.out)

    def test_policies_drop_regions(self):
        self.write("s.lua", TWO_LOOPS)
        self.write("drops.lua", DROPS)
        got = self.run_engine(["--policy=./drops.lua", "--deterministic", "--jit-log=log.jsonl", "--record-decisions=a.jsonl", "s.lua"])
        self.assertEqual((got.code, got.out, got.err), (0, "5958000\n", ""))
        lines = [json.loads(line) for line in (self.folder / "log.jsonl").read_text().splitlines()]
        whys = [line["region"]["why_not"] for line in lines if line.get("region", {}).get("loop") == 3 and "not yet" not in line["region"]["why_not"]]
        self.assertEqual(whys, ["", "the policy has given it up", ""])
        about_f = [line for line in lines if line.get("snapshot", {}).get("name") == "f"]
        dropped = next(i for i, line in enumerate(about_f) if line["decision"]["drop_regions"])

        def in_loop_3(line):
            return next(region for region in line["snapshot"]["regions"] if region["line"] == 3)

        for line in about_f[dropped + 1 : dropped + 11]:
            its = in_loop_3(line)
            self.assertEqual((its["installed"], its["made"], its["why_not"]), (False, 1, "the policy has given it up"))
            self.assertEqual(its["iterations"], in_loop_3(about_f[dropped + 1])["iterations"], "it does not run any more")
        its = in_loop_3(about_f[-1])
        self.assertEqual((its["installed"], its["made"]), (True, 2))
        self.assertEqual(its["unexpected"], 0, "it was made with what the exits of the first one have taught")
        self.run_engine(["--policy=replay:a.jsonl", "--deterministic", "--record-decisions=b.jsonl", "s.lua"])
        self.assertEqual((self.folder / "a.jsonl").read_text(), (self.folder / "b.jsonl").read_text())

    def test_the_example_that_gives_up(self):
        self.write("s.lua", CHANGES)
        for chances, made in (("", 1), (":9", 2)):
            got = self.run_engine([f"--policy={EXAMPLES / 'gives_up.lua'}{chances}", "--deterministic", "--jit-log", "s.lua"])
            self.assertEqual((got.code, got.out), (0, "3000000.0\n"))
            self.assertEqual(len(re.findall(r"f \(s\.lua:1\): loop 3 optimized", got.err)), made, got.err)
            self.assertRegex(got.err, r"f \(s\.lua:1\): loop 3 not optimized: left \d+ times by failed checks")
            self.assertEqual("f (s.lua:1): baseline: gives up: loop 3 predicted to save " in got.err, made == 1, got.err)

    def test_policies_without_regions(self):
        for options in (["--policy=baseline"], ["--policy=interpreter"], ["--policy=adaptive", "--profile-sampled"]):
            got = self.run_engine([*options, "--dump=region", "s.lua"])
            self.assertEqual((got.code, got.out), (1, ""))
            self.assertIn("there are no regions: ", got.err)


if __name__ == "__main__":
    harness.main()
