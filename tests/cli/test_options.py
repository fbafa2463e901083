#!/usr/bin/env python3
"""The options of lua5.4: -e -i -l -v -E -W -- - and the order in which they act (manual, chapter 7)."""

import harness

SHOW_ARG = """
local low = 0
while arg[low - 1] do low = low - 1 end
for i = low, #arg do if i > low then io.write(i, '=', arg[i], ' ') end end
print(#arg, select('#', ...), ...)
"""


class Options(harness.CommandLineTest):
    def test_execute_string(self):
        self.same(["-e", "print(1 + 1)"])
        self.same(["-eprint('joined')"])
        self.same(["-e", "x = 1", "-e", "print(x)"])
        self.same(["-e", "print(#arg, ...)"])
        self.same(["-e", "print(arg[0] == nil)", "-"], stdin="print('from stdin', arg[0])")
        self.same_first_error_line(["-e"])

    def test_execute_string_errors(self):
        self.same(["-e", "error('x')"])
        self.same(["-e", "x ="])
        self.same(["-e", "local x = nil; x.y = 1"])
        self.same(["-e", "print(1)", "-e", "error('second')", "-e", "print('never')"])

    def test_script_arguments(self):
        self.write("show.lua", SHOW_ARG)
        self.same(["show.lua"])
        self.same(["show.lua", "a", "b c", ""])
        self.same(["-e", "z = 1", "show.lua", "-e", "not an option"])
        self.same(["-W", "show.lua", "x"])
        self.same(["--", "show.lua", "-v"])
        self.same(["-E", "--", "show.lua"])

    def test_script_from_standard_input(self):
        self.same(["-"], stdin="print('stdin', ...)")
        self.same(["-", "a", "b"], stdin="print(arg[0], arg[1], arg[2], ...)")
        self.same(["-"], stdin="error('in stdin')")
        self.same(["-"], stdin="#!shebang\nprint('after shebang')")
        self.same(["-"], stdin="")
        self.same([], stdin="print('no arguments, not a terminal')")
        self.same([], stdin="x = = 1")

    def test_require_library(self):
        self.write("mod.lua", "print('loading', ...) return {value = 5}")
        self.write("sub/inner.lua", "return 'inner'")
        self.same(["-l", "mod", "-e", "print(mod.value)"])
        self.same(["-lmod", "-e", "print(mod.value)"])
        self.same(["-l", "m=mod", "-e", "print(m.value, mod)"])
        self.same(["-l", "sub.inner", "-e", "print(package.loaded['sub.inner'])"])
        self.same(["-l", "no_such_module"], env={"LUA_PATH": "./?.lua", "LUA_CPATH": "./?.so"})
        self.same_first_error_line(["-l"])

    def test_version_and_bad_options(self):
        version = self.run_engine(["-v"])
        self.assertEqual((version.code, version.out.split("\n")[0]), (0, "Lua 5.4"))
        self.same_first_error_line(["-x"])
        self.same_first_error_line(["-ex y", "-q"])
        self.same_first_error_line(["-vv"])
        self.same_first_error_line(["-i2"])

    def test_version_goes_on_with_the_script(self):
        self.write("s.lua", "print('script')")
        out = self.run_engine(["-v", "s.lua"]).out
        self.assertTrue(out.startswith("Lua 5.4") and out.endswith("script\n"), out)

    def test_warnings(self):
        self.same(["-W", "-e", "warn('shown')"])
        self.same(["-e", "warn('not shown')"])
        self.same(["-W", "-e", "warn('@off') warn('x') warn('@on') warn('a', 'b')"])

    def test_missing_script(self):
        self.same(["no_such_file.lua"])
        self.same(["-e", "print('first')", "no_such_file.lua"])
        self.same(["."])

    def test_shebang_and_binary_scripts(self):
        self.write("s.lua", "#!/usr/bin/env lua\nprint('line', debug.getinfo(1, 'l').currentline)\nerror('at 3')")
        self.same(["s.lua"])
        self.write("s.lua", "# only a comment line")
        self.same(["s.lua"])
        self.write("s.lua", "\xef\xbb\xbfprint('after a byte order mark')")
        self.same(["s.lua"])
        self.write("s.lua", "\xef\xbb\xbf#!both\nprint('both')")
        self.same(["s.lua"])

    def test_run_of_a_binary_chunk_of_its_own(self):
        self.write("make.lua", "io.open('b.luac', 'wb'):write(string.dump(loadfile('s.lua'))):close()")
        self.write("s.lua", "print('binary', ...) error('in it')")
        self.run_engine(["make.lua"])
        got = self.run_engine(["b.luac", "x"])
        self.assertEqual((got.code, got.out), (1, "binary\tx\n"))
        self.assertIn("s.lua:1: in it", got.err)


class ExitCodes(harness.CommandLineTest):
    def test_os_exit(self):
        for code in ["", "true", "false", "0", "1", "3", "255", "256", "-1", "true, true", "false, true", "4, true", "3.0", "nil"]:
            self.same(["-e", f"io.write('out') io.stderr:write('err') os.exit({code})"])

    def test_os_exit_closes_the_state_on_request(self):
        self.write(
            "s.lua",
            "local x <close> = setmetatable({}, {__close = function() print 'closed' end})\n"
            "g = setmetatable({}, {__gc = function() print 'collected' end})\n"
            "local function deep(n) if n == 0 then os.exit(2, ...) end deep(n - 1) end\ndeep(5)",
        )
        self.same(["s.lua"])
        self.write("t.lua", (self.folder / "s.lua").read_text().replace("...", "true"))
        self.same(["t.lua"])

    def test_normal_end_runs_finalizers(self):
        self.same(["-e", "setmetatable({}, {__gc = function() print 'gc' end})"])
        self.same(["-e", "x = setmetatable({}, {__gc = function() error 'in gc' end})"])
        self.same(["-W", "-e", "x = setmetatable({}, {__gc = function() error 'in gc' end})"])

    def test_return_values_of_scripts_are_ignored(self):
        self.write("s.lua", "return 1, 'two'")
        self.same(["s.lua"])


class ErrorReports(harness.CommandLineTest):
    def test_traceback_of_a_script(self):
        self.write(
            "s.lua",
            "local function inner() local t = nil\n  return t.field\nend\nlocal function outer() inner() end\n"
            "function global() outer() end\nlocal m = {}\nfunction m.method() global() end\nm.method()\n",
        )
        self.same(["s.lua"])

    def test_error_values(self):
        for value in ["{}", "nil", "42", "true", "setmetatable({}, {__tostring = function() return 'told' end})", "print", "'text', 0",
                      "'text', 2", "setmetatable({}, {__tostring = function() return 5 end})", "setmetatable({}, {__name = 'N'})"]:
            got, expected = self.run_engine(["-e", f"error({value})"]), None
            expected = self.run_program(harness.JUDGE, ["-e", f"error({value})"])
            self.assertEqual(str(expected), str(got), value)

    def test_deep_traceback_is_shortened(self):
        self.write("s.lua", "local function f(n) if n == 0 then error 'deep' end f(n - 1) return n end\nf(50)")
        self.same(["s.lua"])

    def test_stack_overflow(self):
        self.write("s.lua", "local function f() return 1 + f() end\nf()")
        expected = self.run_program(harness.JUDGE, ["s.lua"])
        got = self.run_engine(["s.lua"])
        self.assertEqual(expected.code, got.code)
        self.assertEqual(expected.err.split("\n")[0].split(" (message")[0], got.err.split("\n")[0].split(" (message")[0])

    def test_errors_inside_other_functions(self):
        for text in ["table.sort({3, 2, 1}, function() error 'cmp' end)", "('x'):gsub('x', function() error 'rep' end)",
                     "coroutine.wrap(function() error 'co' end)()", "local x <close> = setmetatable({}, {__close = function() error 'close' end})",
                     "require 'nope_nope'", "dofile 'nope.lua'", "load('x =')()", "assert(false)", "assert(nil, 'asserted')", "assert(false, {})",
                     "string.rep()", "('x'):bad()", "setmetatable({}, {__index = function() error 'index' end}).x = setmetatable({}, {__index = function() error 'index' end}).y"]:
            self.same(["-e", text], env={"LUA_PATH": "./?.lua", "LUA_CPATH": "./?.so"})

    def test_output_written_before_an_error_appears(self):
        self.same(["-e", "io.write('partial') error('after')"])


if __name__ == "__main__":
    harness.main()
