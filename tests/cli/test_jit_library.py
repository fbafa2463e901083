"""The library `jit`: jit.on, off, flush, status and jit.util. Machine code is put to use and taken away in all situations that a
program can be in; what the program computes must not change."""

import sys

import harness

# Exercised from loops, nested calls, coroutines, metamethods, error handlers and finalizers. `change` is called in each.
SITUATIONS = """
local change = ...
local log = {}
local function note(...) log[#log + 1] = table.concat({...}, ' ') end

local function sum(n)
  local s = 0
  for i = 1, n do
    s = s + i % 7
    if i % 50 == 0 then change(s) end
  end
  return s
end
for i = 1, 5 do note('loop', sum(200)) end

local function deep(n)
  if n == 0 then change() return 0 end
  local below = deep(n - 1)
  if n % 5 == 0 then change() end
  return below + 1
end
for i = 1, 4 do note('deep', deep(40)) end

local function tail(n, acc)
  if n == 0 then return change() or acc end
  if n % 10 == 0 then change() end
  return tail(n - 1, acc + n)
end
note('tail', tail(100, 0))
local function to_native() return change() end
for i = 1, 30 do to_native() end

local function varargs(...)
  change()
  local n = select('#', ...)
  if n > 20 then return n end
  return varargs(n, ...)
end
note('varargs', varargs())

local function worker(n)
  for i = 1, n do
    if i % 3 == 0 then change() end
    coroutine.yield(i)
  end
  return 'done'
end
for round = 1, 3 do
  local a, b = coroutine.wrap(worker), coroutine.wrap(worker)
  local t = {}
  a(20) b(20)
  for i = 1, 18 do
    t[#t + 1] = a() * b()
    if i % 4 == 0 then change() end
  end
  note('coroutines', table.concat(t, ','))
end

local meta = {}
meta.__index = function(t, k) change() return k * 2 end
meta.__add = function(a, b) change() return 5 end
meta.__lt = function() change() return true end
meta.__call = function(self, x) change() return x end
meta.__close = function() change() end
local object = setmetatable({}, meta)
local function metamethods()
  local s = 0
  for i = 1, 80 do
    s = s + object[i] + (object + 1) + object(i)
    if object < object then s = s + 1 end
    local closed <close> = object
  end
  return s
end
for i = 1, 3 do note('metamethods', metamethods()) end

local function fails(n)
  if n == 0 then error('x') end
  return fails(n - 1) + 1
end
for i = 1, 30 do
  local ok, message = xpcall(fails, function(m) change() return 'handled ' .. m:sub(-1) end, 10)
  note('errors', tostring(ok), message)
end

local list = {}
for i = 1, 60 do list[i] = (i * 37) % 61 end
table.sort(list, function(x, y) change() return x < y end)
note('sort', table.concat(list, ' '))
note('gsub', (('abcabc'):gsub('b', function() change() return 'x' end)))

local finalized = 0
for i = 1, 200 do setmetatable({}, {__gc = function() finalized = finalized + 1 change() end}) end
collectgarbage() collectgarbage()
note('finalizers', finalized)
local hooked = 0
debug.sethook(function() hooked = 1 change() end, 'l')
note('hooks', sum(10))
debug.sethook()
note('hooked', hooked)
return table.concat(log, '\\n')
"""


class Required(harness.CommandLineTest):
    """The library is there for those who ask for it by name: a global `jit` is what LuaJIT is recognised by."""

    def test_there_is_no_global(self) -> None:
        self.same(["-e", "print(rawget(_G, 'jit'), package.loaded.jit, package.loaded['jit.util'])"])

    def test_requiring_it_makes_no_global(self) -> None:
        got = self.run_engine(["-e", "local jit = require 'jit' print(type(jit.off), rawget(_G, 'jit'))"])
        self.assertEqual(got.out, "function\tnil\n")

    def test_its_parts_come_first_or_later(self) -> None:
        got = self.run_engine(["-e", "local paths, util = require 'jit.paths', require 'jit.util' local jit = require 'jit'"
                                     "print(jit.paths == paths, jit.util == util, package.loaded.jit == jit)"])
        self.assertEqual(got.out, "true\ttrue\ttrue\n")

    def test_an_option_makes_the_global(self) -> None:
        self.assertEqual(self.run_engine(["-l", "jit", "-e", "print(jit == package.loaded.jit)"]).out, "true\n")


class Constants(harness.CommandLineTest):
    def test_what_does_not_change(self) -> None:
        got = self.run_engine(["-ljit", "-e", "print(jit.version, jit.version_num // 1, jit.arch, jit.os)"
                                              "print(package.loaded.jit == jit, require('jit.util') == jit.util, require 'jit.paths' == jit.paths)"])
        version, number, arch, system = got.out.split("\n")[0].split("\t")
        self.assertRegex(version, r"^Mangata \d+\.\d+\.\d+$")
        major, minor, patch = (int(x) for x in version.split()[1].split("."))
        self.assertEqual(int(number), major * 10000 + minor * 100 + patch)
        if sys.platform == "linux":
            self.assertEqual(system, "Linux")
        self.assertNotEqual(arch, "")
        self.assertEqual(got.out.split("\n")[1], "true\ttrue\ttrue")

    def test_status(self) -> None:
        got = self.run_engine(["--policy=interpreter", "-ljit", "-e", "print(jit.status())"])
        self.assertEqual(got.out, "false\n")
        got = self.run_engine(["-ljit", "-e", "print((jit.status())) jit.off() print((jit.status())) jit.on() print((jit.status()))"])
        has_code = got.out.startswith("true")
        self.assertEqual(got.out, "true\nfalse\ntrue\n" if has_code else "false\n" * 3)


class Switching(harness.CommandLineTest):
    TIER = "local function tier(f) return jit.util.funcinfo(f).tier end\n"

    def lua(self, text: str, *options: str) -> str:
        got = self.run_engine(["--policy=baseline", *options, "-ljit", "-e", self.TIER + text])
        self.assertEqual((got.code, got.err), (0, ""))
        return got.out

    def setUp(self) -> None:
        super().setUp()
        if self.run_engine(["-ljit", "-e", "print((jit.status()))"]).out != "true\n":
            self.skipTest("no machine code here")

    def test_off_and_on_of_one_function(self) -> None:
        self.assertEqual(self.lua("""
            local function f() return 1 end
            f() print(tier(f))
            jit.off(f) print(tier(f), jit.util.funcinfo(f).code_bytes, jit.util.funcinfo(f).jit)
            for i = 1, 1000 do f() end print(tier(f))
            jit.on(f) print(tier(f)) f() print(tier(f))"""),
                         "baseline\ninterpreter\t0\tfalse\ninterpreter\ninterpreter\nbaseline\n")

    def test_true_is_the_calling_function(self) -> None:
        self.assertEqual(self.lua("""
            local function f() jit.off(true) end
            local function g() end
            f() f() g() print(tier(f), tier(g))"""), "interpreter\tbaseline\n")

    def test_nested_functions(self) -> None:
        text = """
            local function outer() local function inner() end inner() return inner end
            local inner = outer()
            jit.off(outer, %s) outer() inner() print(tier(outer), tier(inner))"""
        self.assertEqual(self.lua(text % "nil"), "interpreter\tbaseline\n")
        self.assertEqual(self.lua(text % "true"), "interpreter\tinterpreter\n")
        self.assertEqual(self.lua(text % "false"), "baseline\tinterpreter\n")

    def test_off_for_all(self) -> None:
        self.assertEqual(self.lua("""
            local function f() end local function g() end
            f() jit.off() f() g() print(tier(f), tier(g))
            local h = load 'return 1' h() print(tier(h))
            jit.on() g() h() print(tier(g), tier(h))"""),
                         "baseline\tinterpreter\ninterpreter\nbaseline\tbaseline\n")

    def test_flush(self) -> None:
        self.assertEqual(self.lua("""
            local function f() end
            f() jit.flush() print(tier(f), jit.util.funcinfo(f).code_bytes) f() print(tier(f))
            jit.flush(f) print(tier(f)) f() print(tier(f))"""),
                         "interpreter\t0\nbaseline\ninterpreter\nbaseline\n")

    def test_a_frame_goes_on_in_code_that_was_flushed(self) -> None:
        self.assertEqual(self.lua("""
            local function f(n) local s = 0 for i = 1, n do if i == 5 then jit.flush() end s = s + i end return s end
            print(f(100), f(100), f(100))"""), "5050\t5050\t5050\n")

    def test_nothing_leaks_in_a_small_cache(self) -> None:
        # 3,000 times more code than there is room for; all of it must still be compiled in the end.
        self.assertEqual(self.lua("""
            local compiled = 0
            for i = 1, 3000 do
              local f = load('local a = ... local s = 0 for i = 1, a do s = s + i * ' .. i .. ' end return s')
              f(3)
              if tier(f) == 'baseline' then compiled = compiled + 1 end
              jit.flush()
            end
            print(compiled)""", "--max-code=64K"), "3000\n")

    def test_nothing_leaks_while_a_frame_runs(self) -> None:
        for stress in ([], ["--stress=schedule:7"], ["--stress=resume"]):
            got = self.lua("""
                local function f(n)
                  for i = 1, n do jit.flush() end
                end
                collectgarbage() collectgarbage()
                f(200)
                local before = collectgarbage('count')
                f(20000)
                collectgarbage() collectgarbage()
                print(collectgarbage('count') - before < 64)""", *stress)
            self.assertEqual(got, "true\n", stress)

    def test_bad_arguments(self) -> None:
        self.assertIn("bad argument #1 to 'jit.off' (Lua function expected, got number)",
                      self.lua("print(pcall(jit.off, 1))"))
        self.assertIn("bad argument #1 to 'jit.flush' (Lua function expected, got function)",
                      self.lua("print(pcall(jit.flush, print))"))
        self.assertIn("bad argument #1 to 'jit.util.funcinfo' (function expected, got no value)",
                      self.lua("print(pcall(jit.util.funcinfo))"))


class Situations(harness.CommandLineTest):
    CHANGES = {
        "flush": "jit.flush()",
        "off and on": "if jit.status() then jit.off() else jit.on() end",
        "one function": "local i = debug.getinfo(2, 'f') if i and i.func ~= print and debug.getinfo(i.func, 'S').what ~= 'C' then "
                        "count = count + 1 if count % 3 == 0 then jit.off(i.func) else jit.on(i.func) jit.flush(i.func, true) end end",
        "paths": "count = count + 1 if count % 2 == 1 then jit.paths.start{k = 1 + count % 3} else jit.paths.stop() end",
        "everything": "count = count + 1 if count % 5 == 0 then jit.paths.start{k = 2} elseif count % 5 == 2 then jit.flush() "
                      "elseif count % 7 == 3 then jit.paths.stop() elseif count % 11 == 0 then jit.paths.reset() end",
    }
    OPTIONS = [[], ["--policy=baseline"], ["--stress=resume"], ["--policy=interpreter"], ["--policy=adaptive:warm=50,sample=50,quiet=100"],
               *([f"--stress={kind}:{seed}"] for kind in ("schedule", "profile") for seed in (1, 2, 3))]

    def test_nothing_changes_what_a_program_does(self) -> None:
        self.write("situations.lua", SITUATIONS)
        run = "local count = 0 print(loadfile('situations.lua')(function() %s end))"
        expected = self.run_engine(["--policy=interpreter", "-ljit", "-e", run % ""])
        self.assertEqual((expected.code, expected.err), (0, ""))
        self.assertIn("metamethods", expected.out)
        for name, change in self.CHANGES.items():
            for options in self.OPTIONS:
                got = self.run_engine([*options, "-ljit", "-e", run % change])
                self.assertEqual(str(got), str(expected), f"{name} {options}")


class FuncInfo(harness.CommandLineTest):
    def test_of_a_lua_function(self) -> None:
        self.write("f.lua", """local up = 1
local function f(a, b, ...)
  local function inner() end
  return up + a + 1.5
end
local i = jit.util.funcinfo(f)
local names = {}
for k in pairs(i) do names[#names + 1] = k end
table.sort(names)
print(table.concat(names, ' '))
print(i.linedefined, i.lastlinedefined, i.params, i.isvararg, i.upvalues, i.children, i.source, i.nconsts)
print(jit.util.funcinfo(f, i.bytecodes - 1).currentline, jit.util.funcinfo(f, i.bytecodes).currentline, jit.util.funcinfo(f, 0).loc)
print(jit.util.funcinfo(print).upvalues, jit.util.funcinfo(print).source)
""")
        got = self.run_engine(["-ljit", "f.lua"])
        self.assertEqual((got.code, got.err), (0, ""))
        lines = got.out.split("\n")
        self.assertEqual(lines[0], "bytecodes children code_bytes currentline gcconsts isvararg jit lastlinedefined linedefined loc "
                                   "nconsts params profile source stackslots tier upvalues versions")
        self.assertEqual(lines[1], "2\t5\t2\ttrue\t1\ttrue\t@f.lua\t1")
        self.assertRegex(lines[2], r"^[45]\tnil\tf\.lua:[23]$")
        self.assertEqual(lines[3], "0\tnil")


if __name__ == "__main__":
    harness.main()
