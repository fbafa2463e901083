#!/usr/bin/env python3
"""Memory that the system refuses (ulimit -v) is a Lua error that pcall catches, whatever was growing, and the process goes on.

LLVM ends the process when it gets no memory: these programs are not optimized."""

import resource
import subprocess

import harness

GROWTH = {
    "tables": "local t = {} for i = 1, 1e9 do t[i] = {i} end",
    "an array": "local t = {} for i = 1, 1e9 do t[i] = i end",
    "a hash part": "local t = {} for i = 1, 1e9 do t[i * 7.5] = i end",
    "short strings": "local t = {} for i = 1, 1e9 do t[i] = 'key' .. i end",
    "concatenation": "local s = 'x' while true do s = s .. s end",
    "string.rep": "local t = {} for i = 1, 1e9 do t[i] = string.rep('x', 100000 + i) end",
    "table.concat": "local t = {} for i = 1, 1000 do t[i] = string.rep('x', 1 << 20) end return #table.concat(t)",
    "string.format": "local s = string.rep('x', 1 << 20) while true do s = string.format('%s%q', s, s) end",
    "gsub": "local s = string.rep('x', 1 << 20) while true do s = s:gsub('x', 'yx') end",
    "coroutines": "local t = {} for i = 1, 1e9 do t[i] = coroutine.create(print) end",
    "coroutines that run": "local t = {} for i = 1, 1e9 do t[i] = coroutine.wrap(function() pcall(coroutine.yield) end) t[i]() end",
    "closures": "local t = {} for i = 1, 1e9 do t[i] = function() return i, t end end",
    "a long list": "local t for i = 1, 1e9 do t = {t} end",
    "weak tables": "local t = {} for i = 1, 1e9 do t[i] = setmetatable({[t] = t}, {__mode = i % 2 == 0 and 'k' or 'v'}) end",
    "loaded chunks": "local t = {} for i = 1, 1e9 do t[i] = load('local a = ' .. i .. ' return function() return a end') end",
    "a large chunk": "local t = {} for i = 1, 3e5 do t[i] = 'x[' .. i .. '.5] = function() return {' .. i .. '.25} end' end "
                     "local text = table.concat(t, '\\n') local kept = {} for i = 1, 1e9 do kept[i] = load(text) or error('not enough memory', 0) end",
    "a reader": "local _, problem = load(function() return string.rep('-', 1 << 20) end) error(problem, 0)",  # it ends in either of them
    "sort": "local t = {} for i = 1, 1e9 do t[i] = tostring(i % 1000) if i >= 65536 and i & (i - 1) == 0 then table.sort(t) end end",
    "reading": "local t = {} for i = 1, 1e9 do t[i] = io.open('/dev/zero'):read(1 << 20) end",
    "reading all": "io.open('/dev/zero'):read('a')",
    "reading a line": "io.open('/dev/zero'):read('l')",
    "packing": "local t = {} for i = 1, 1e9 do t[i] = string.pack('c2000000', '') end",
    "arguments": "local t = {} for i = 1, 1e9 do t[i] = table.pack(string.byte(string.rep('x', 10000), 1, -1)) end",
}

# What grows here does so inside a function of C++, whatever calls it: in one policy only.
IN_A_FUNCTION = {"string.rep", "table.concat", "string.format", "gsub", "a large chunk", "a reader", "sort", "reading", "reading all", "reading a line",
                 "packing"}

PROGRAM = """
local grow = load(%r)
for attempt = 1, 2 do
  local ok, problem = pcall(grow)
  if ok or not tostring(problem):find("not enough memory", 1, true) then io.stderr:write(tostring(problem), "\\n") os.exit(3) end
  collectgarbage()
end
local t = {}
for i = 1, 1000 do t[i] = {tostring(i)} end
print("alive", #t)
"""


class MemoryRefused(harness.CommandLineTest):
    def run_limited(self, program, kilobytes):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (kilobytes * 1024, kilobytes * 1024))

        return subprocess.run([harness.ENGINE, *(harness.ENGINE_OPTIONS or ["--policy=counter:entry=20,loop=60"]), "-e", program], preexec_fn=limit,
                              capture_output=True, text=True, errors="replace", timeout=100)

    def setUp(self):
        super().setUp()
        if harness.has_sanitizer():
            self.skipTest("sanitizers reserve more address space than any limit")

    def test_growth_of_every_kind(self):
        for name, code in GROWTH.items():
            if harness.ENGINE_OPTIONS and name in IN_A_FUNCTION:
                continue
            # Address space of stacks is kept for the next coroutines: a limit of a few of them leaves nothing else. Each policy has
            # a limit of its own.
            kilobytes = 300000 if name.startswith("coroutines") else 127000 if harness.ENGINE_OPTIONS else 110000
            with self.subTest(name=name, kilobytes=kilobytes):
                result = self.run_limited(PROGRAM % code, kilobytes)
                self.assertEqual((result.returncode, result.stdout), (0, "alive\t1000\n"), result.stderr[-500:])

    def test_many_limits(self):
        """Where exactly memory ends is another allocation each time."""
        for kilobytes in range(102500 if harness.ENGINE_OPTIONS else 100000, 140000, 5000):
            with self.subTest(kilobytes=kilobytes):
                code = GROWTH["tables" if kilobytes % 10000 < 5000 else "short strings"]
                result = self.run_limited(PROGRAM % code, kilobytes)
                self.assertEqual((result.returncode, result.stdout), (0, "alive\t1000\n"), result.stderr[-500:])

    def test_too_little_to_begin(self):
        for kilobytes in range(20000, 100000, 10000):
            with self.subTest(kilobytes=kilobytes):
                result = self.run_limited("print('begun')", kilobytes)
                self.assertIn(result.returncode, (0, 1, 127), result.stderr[-500:])  # 127: the loader

    def test_uncaught(self):
        result = self.run_limited(GROWTH["tables"], 120000)
        self.assertEqual(result.returncode, 1)
        self.assertIn("not enough memory", result.stderr)


if __name__ == "__main__":
    harness.main()
