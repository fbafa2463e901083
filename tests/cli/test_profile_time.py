#!/usr/bin/env python3
"""Samples of the processor time: which functions they are charged to, below which, in every tier. 5,000 samples a second by real time, so
that short programs have enough of them; what they weigh is processor time all the same."""

import collections
import json
from pathlib import Path

import harness

RATE = 5000
TIERS = {
    "interpreter": ["--policy=interpreter"],
    "baseline": ["--policy=baseline"],
    "adaptive": [],
    "optimizer": ["--policy=optimizer"],
    "quick": ["--policy=optimizer", "--opt-compiler=quick"],
}

# spin() takes the same time wherever it is called from, once it is compiled: on a busy machine that may take a while, so what is compared
# is called several times in turn.
SPIN = """
local function spin(n)
  local s = 0
  for i = 1, n do s = (s + i * i) % 1000003 end
  return s
end
local UNIT <const> = 400000
"""

SHARES = SPIN + """
local function light() for _ = 1, 3 do spin(UNIT) end end
local function heavy() for _ = 1, 9 do spin(UNIT) end end
for _ = 1, 4 do light() heavy() end
"""

NATIVES = """
local text = string.rep("x", 200000)
local function searches() for i = 1, 20000 do assert(not text:find("y" .. i % 3, 1, true)) end end
local function sorts(n)
  local t = {}
  for i = 1, n do t[i] = i * 7919 % 100003 end
  table.sort(t, function(a, b) return a < b end)
end
searches()
for i = 1, 8 do sorts(20000) end
"""

CALLS_OF_C = """
local find, text = string.find, string.rep("x", 20000)
local function asks(n)
  local count = 0
  for i = 1, n do
    if find(text, "y", 1, true) then count = count + 1 else count = count - i % 3 end
  end
  return count
end
for i = 1, 40 do asks(20000) end
"""

COROUTINES = SPIN + """
local function body() for i = 1, 10 do spin(UNIT) coroutine.yield() end end
local function resumes() local co = coroutine.wrap(body) for i = 1, 10 do co() end end
resumes()
"""

STACKS = SPIN + """
local function callee() return spin(4 * UNIT) + 0 end
local function tail_calls() return callee() end
local function protects() return pcall(callee) end
local function recursive(n) if n == 0 then return spin(4 * UNIT) + 0 end return 1 + recursive(n - 1) end
for _ = 1, 5 do tail_calls() protects() recursive(5) end
"""

# Where the time goes are quotients of line 4, inlined in line 10, and of line 11.
LINES = """
local function quotient(a, b)
  a = a + 1
  a = (a << 20) // b // 5
  return a & 0xffff
end
local function loops(n)
  local x, y, count = 1, 1, 0
  for i = 1, n do
    count = count + (i & 1) x = quotient(x, i)
    y = ((y << 20) + i) // (i + 3) // 5 & 0xffff
    if count < 0 then error("never") end
    count = count + 1
  end
  return x + y + count
end
for _ = 1, 60 do loops(100000) end
"""

FINALIZERS = SPIN + """
local function finalize() spin(8 * UNIT) end
setmetatable({}, {__gc = finalize})
collectgarbage()
"""

COLLECTS = """
local kept = {}
for i = 1, 200000 do kept[i] = {i} end
for i = 1, 25 do collectgarbage() end
"""

# Machine code that calls C++ for moments: samples often fall on the first instruction of a function of that.
SHORT_CALLS = Path(__file__).resolve().parents[2] / "bench" / "suite" / "bank_queue.lua"

# Everything that moves frames: calls, errors, coroutines, closures, metamethods, finalizers, strings, deep recursion, loading.
MOVES = """
local out = 0
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local function deep(n) if n == 0 then return 0 end return 1 + deep(n - 1) end
local function tails(n) if n == 0 then return 1 end return tails(n - 1) end
local meta = {__add = function(a, b) return a.x + b.x end, __index = function(t, k) return #k end, __gc = function() out = out + 0 end}
local function objects() local a, b = setmetatable({x = 1}, meta), setmetatable({x = 2}, meta) return a + b + a.name + b.other end
local function fails(n) if n % 3 == 0 then error({n}) end return n end
local function generator(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end
local function varargs(...) return select("#", ...) + select(-1, ...) end
for round = 1, 40 do
  out = out + fib(12) + deep(500) + tails(1000) + varargs(1, 2, 3)
  for i = 1, 30 do out = out + objects() end
  for i = 1, 30 do local ok, e = pcall(fails, i) out = out + (ok and e or e[1]) end
  for i in generator(50) do out = out + i end
  local inner = coroutine.wrap(function() for i in generator(20) do coroutine.yield(i) end end)
  for i = 1, 20 do out = out + inner() end
  out = out + load("local s = 0 for i = 1, 50 do s = s + i end return s")()
  local t = {}
  for i = 1, 200 do t[i] = (i * 37) % 101 .. "" end
  table.sort(t, function(a, b) return a < b end)
  out = out + #table.concat(t) + #string.rep("ab", 100):gsub("a", function(c) return c .. c end)
  if round % 10 == 0 then collectgarbage() end
end
print(out)
"""


class ProfileTime(harness.CommandLineTest):
    def stacks(self, script: str, *options: str) -> collections.Counter:
        """Microseconds by stack, root first."""
        self.write("s.lua", script)
        got = self.run_engine(["--profile-paths=p.json", f"--profile-time={RATE}", "--profile-stacks=stacks.txt", *options, "s.lua"])
        self.assertEqual((got.code, got.err), (0, ""), options)
        found = collections.Counter()
        for line in (self.folder / "stacks.txt").read_text(encoding="latin-1").splitlines():
            stack, microseconds = line.rsplit(" ", 1)
            found[tuple(stack.split(";"))] += int(microseconds)
        return found

    @staticmethod
    def share(stacks: collections.Counter, holds) -> float:
        return sum(us for stack, us in stacks.items() if holds([frame.split(" (")[0] for frame in stack])) / sum(stacks.values())

    @staticmethod
    def in_the_long_run(run, check):
        """Where the samples of a run do not say what check() asserts, those of more have to: a busy machine leaves few to each."""
        samples = run()
        for more in [10, 30]:
            try:
                return check(samples)
            except AssertionError:
                samples = sum((run() for _ in range(more)), samples)
        check(samples)

    def in_each_tier(self, script: str, check):
        """check(stacks) of one run each."""
        for tier, options in TIERS.items():
            with self.subTest(tier=tier):
                check(self.stacks(script, *options))

    def in_all_tiers(self, script: str, check):
        for tier, options in TIERS.items():
            with self.subTest(tier=tier):
                self.in_the_long_run(lambda options=options: self.stacks(script, *options), check)

    def test_rows_add_up_to_the_threads_clock(self):
        def check(stacks):
            seconds = float(self.run_engine(["s.lua"]).out)  # another run: the order of magnitude
            self.assertGreater(sum(stacks.values()), 0.2e6 * seconds)
            self.assertLess(self.share(stacks, lambda s: s == ["[invalid]"]), 0.01)

        self.in_each_tier(SHARES + "io.stdout:write(os.clock())", check)

    def test_hardly_a_sample_is_invalid(self):
        def check(stacks):
            self.assertLess(self.share(stacks, lambda s: s == ["[invalid]"]), 0.008)

        self.in_all_tiers(SHORT_CALLS.read_text().replace("tonumber((...))", "2"), check)

    def test_callers_are_charged_as_often_as_they_call(self):
        def check(stacks):
            heavy = self.share(stacks, lambda s: "heavy" in s)
            light = self.share(stacks, lambda s: "light" in s)
            self.assertAlmostEqual(heavy / (heavy + light), 0.75, delta=0.07)
            self.assertGreater(self.share(stacks, lambda s: s[-1] == "spin"), 0.75)

        self.in_all_tiers(SHARES, check)

    def test_functions_of_c_are_charged_by_name(self):
        def check(stacks):
            self.assertGreater(self.share(stacks, lambda s: s[-2:] == ["searches", "[C] string.find"]), 0.02)
            self.assertGreater(self.share(stacks, lambda s: "[C] table.sort" in s and s[s.index("[C] table.sort") - 1] == "sorts"), 0.2)
            self.assertGreater(self.share(stacks, lambda s: s[-2:-1] == ["[C] table.sort"] and s[-1].startswith("function <")), 0.02)

        self.in_all_tiers(NATIVES, check)

    def test_coroutines_are_below_who_resumes_them(self):
        def check(stacks):
            spun = self.share(stacks, lambda s: s[-1] == "spin")
            below = self.share(stacks, lambda s: s[-3:] == ["[coroutine]", "body", "spin"] and "resumes" in s)
            self.assertGreater(below / spun, 0.95)

        self.in_all_tiers(COROUTINES, check)

    def test_tail_callers_are_gone_and_pcall_is_there(self):
        def check(stacks):
            self.assertEqual(self.share(stacks, lambda s: "tail_calls" in s and "callee" in s), 0)
            self.assertAlmostEqual(self.share(stacks, lambda s: "callee" in s), 0.66, delta=0.15)
            self.assertAlmostEqual(self.share(stacks, lambda s: s[-4:] == ["protects", "[C] pcall", "callee", "spin"]), 0.33, delta=0.12)
            self.assertAlmostEqual(self.share(stacks, lambda s: "recursive" in s), 0.33, delta=0.12)

        self.in_all_tiers(STACKS, check)

    def test_finalizers_are_below_a_frame_of_their_own(self):
        def check(stacks):
            self.assertGreater(self.share(stacks, lambda s: s[-3:] == ["[finalizer]", "finalize", "spin"]), 0.7)

        self.in_all_tiers(FINALIZERS, check)

    def test_optimized_code_knows_its_lines(self):
        def lines(compiler: str) -> collections.Counter:
            self.stacks(LINES, "--policy=optimizer", "--opt-compiler=" + compiler)
            time = json.loads((self.folder / "p.json").read_text())["time"]
            found = collections.Counter()
            for stack in time["stacks"]:
                name = time["symbols"][stack["symbol"]]["name"]
                if name == "quotient":
                    self.assertEqual((time["stacks"][stack["parent"]]["line"], stack["line"] in range(2, 7)), (10, True))
                if name in ("quotient", "loops") and "self" in stack:
                    found[stack["line"]] += stack["self"]["nanoseconds"]
            return found

        def check(lines: collections.Counter):
            dear = lines[4] + lines[11]
            self.assertGreater(dear, 0.55 * sum(lines.values()), lines)
            self.assertGreater(min(lines[4], lines[11]), 0.05 * dear, lines)
            # While a call begins or ends, a sample may find the one's frame with the other's line.
            self.assertLess(sum(ns for line, ns in lines.items() if line not in range(2, 15)), 0.001 * sum(lines.values()), lines)

        for compiler in ["quick", "llvm"]:
            with self.subTest(compiler=compiler):
                self.in_the_long_run(lambda compiler=compiler: lines(compiler), check)

    def test_the_collector_has_a_row(self):
        def check(stacks):
            self.assertGreater(self.share(stacks, lambda s: s[-1] == "[collector]"), 0.3)

        self.in_all_tiers(COLLECTS, check)

    def test_times_of_paths_add_up_to_that_of_their_function(self):
        """And not to more: what functions of C took is in rows of their own."""
        def check(stacks):
            own = sum(us for stack, us in stacks.items() if stack[-1].startswith("asks "))
            native = sum(us for stack, us in stacks.items() if stack[-1] == "[C] string.find")
            self.assertGreater(native, 0.3 * own)
            (asks,) = [f for f in json.loads((self.folder / "p.json").read_text())["functions"] if f["name"] == "asks"]
            self.assertAlmostEqual(sum(path["nanoseconds"] for path in asks["paths"]) / 1000, own, delta=0.02 * own + 1000)

        self.in_each_tier(CALLS_OF_C, check)

    def test_it_can_be_switched_off(self):
        self.write("s.lua", SHARES)
        got = self.run_engine(["--profile-paths=p.json", "--profile-time=off", "--profile-stacks=stacks.txt", "s.lua"])
        self.assertEqual((got.code, got.err), (0, ""))
        self.assertFalse((self.folder / "stacks.txt").exists())

    def test_what_programs_do_does_not_change(self):
        """The handler at every kind of instruction: 20,000 samples a second."""
        self.write("s.lua", MOVES)
        expected = self.run_engine(["s.lua"])
        for tier in [*TIERS.values(), ["--stress=region:1"], ["--stress=schedule:3"], ["--stress=deopt:1"], ["--stress=osr:2"],
                     ["--policy=baseline", "--stress=resume"], ["--stress=region:2", "--opt-compiler=quick"], ["--stress=deopt:2", "--opt-compiler=quick"]]:
            with self.subTest(tier=tier):
                got = self.run_engine(["--profile-paths=p.json", "--profile-time=20000", "--profile-stacks=stacks.txt", *tier, "s.lua"])
                self.assertEqual(got, expected)


if __name__ == "__main__":
    harness.main()
