#!/usr/bin/env python3
"""Options only mangata has: --help, --version, --policy, --max-memory, --dump, and how wrong ones are refused."""

import harness

LOOP = "local n = 0\nfor i = 1, 10 do\n  if i % 2 == 0 then n = n + i end\nend\nprint(n)\n"


class MangataOptions(harness.CommandLineTest):
    def test_help_names_every_option(self):
        got = self.run_engine(["--help"])
        self.assertEqual((got.code, got.err), (0, ""))
        for option in ["-e", "-i", "-l", "-v", "-E", "-W", "--help", "--version", "--policy", "--max-memory", "--dump", "--profile-paths",
                       "--profile-format", "--profile-k", "--profile-many", "--profile-top", "--profile-min", "--profile-func", "--profile-file", "--profile-weight",
                       "--max-code", "--perf-map", "--jitdump", "--gdb"]:
            self.assertIn(option, got.out)

    def test_version(self):
        got = self.run_engine(["--version"])
        self.assertEqual((got.code, got.err), (0, ""))
        self.assertRegex(got.out, r"^Mangata \d+\.\d+")

    def test_options_go_before_the_script_only(self):
        self.write("s.lua", "print(...)")
        self.assertEqual(self.run_engine(["--policy=interpreter", "s.lua", "--help"]).out, "--help\n")

    def test_wrong_options_are_refused(self):
        self.write("s.lua", "print('ran')")
        for option in ["--nope", "--policy=nope", "--max-memory=abc", "--max-memory=", "--dump=nope", "--profile-format=xml", "--profile-top=x",
                       "--profile-min=x", "--profile-weight=x", "--dump", "--profile-top=-1",
                       "--max-code=x", "--max-code=0", "--max-code", "--perf-map=x", "--gdb=1"]:
            got = self.run_engine([option, "s.lua"])
            self.assertEqual((got.code, got.out), (1, ""), option)
            self.assertIn(option.split("=")[0], got.err)

    def test_wrong_options_take_two_lines(self):
        for options, lines in [(["--profile-pahts"], ["unrecognized option '--profile-pahts'", "Did you mean '--profile-paths'? Try 'mangata --help profile' for more information."]),
                               (["--nope"], ["unrecognized option '--nope'", "Try 'mangata --help' for more information."]),
                               (["-x"], ["unrecognized option '-x'", "Try 'mangata --help' for more information."]),
                               (["--profile-k=3", "-"], ["'--profile-k' needs '--profile-paths'", "Try 'mangata --help profile' for more information."]),
                               (["--help", "nope"], ["no help on 'nope'", "The topics are lua, mangata, jit, profile, testing; and the options."])]:
            got = self.run_engine(options)
            self.assertEqual((got.code, got.out, got.err), (1, "", f"lua: {lines[0]}\n{lines[1]}\n"), options)

    def test_help_on_a_topic(self):
        everything = self.run_engine(["--help"]).out
        for topic, wanted, other in [("profile", "--profile-k=K", "--policy"), ("jit", "--policy=POLICY", "--profile-top"), ("--profile-k", "--profile-k=K", "--profile-top"),
                                     ("max-code", "--max-code=SIZE", "--policy")]:
            got = self.run_engine(["--help", topic])
            self.assertEqual((got.code, got.err), (0, ""), topic)
            self.assertIn(wanted, got.out)
            self.assertNotIn(other + "=", got.out)
            self.assertIn(wanted, everything)

    def test_memory_limit_is_a_lua_error_and_the_program_goes_on(self):
        self.write(
            "s.lua",
            "print(pcall(string.rep, 'x', 1 << 28))\n"
            "print(pcall(function() local t = {} for i = 1, 1e8 do t[i] = {i} end end))\n"
            "print(pcall(function() local s = 'x' while true do s = s .. s end end))\n"
            "print(pcall(function() local function f(n) local t = {n} return f(n + 1) + #t end f(1) end) == false)\n"
            "local parts = {} for i = 1, 1000 do parts[i] = i end print(#table.concat(parts, ','))\n"
            "print(coroutine.wrap(function() return pcall(string.rep, 'y', 1 << 28) end)())\n",
        )
        got = self.run_engine(["--max-memory=32M", "s.lua"])
        lines = got.out.split("\n")
        self.assertEqual(lines[:3], ["false\tnot enough memory"] * 3)
        self.assertEqual(lines[3:6], ["true", "3892", "false\tnot enough memory"])
        self.assertEqual((got.code, got.err), (0, ""))

    def test_memory_limit_uncaught(self):
        got = self.run_engine(["--max-memory=16M", "-e", "local t = {} while true do t[#t + 1] = {} end"])
        self.assertEqual((got.code, got.err.split("\n")[0]), (1, "lua: not enough memory"))

    def test_no_address_space_for_coroutines_is_a_lua_error(self):
        limited = ["-c", "ulimit -v 3000000 && exec \"$0\" \"$@\"", harness.ENGINE]
        if self.run_program("sh", limited + ["--version"]).code != 0:
            self.skipTest("the engine itself needs more (a sanitizer)")
        for make in ["wrap", "create"]:
            self.write(
                "s.lua",
                "local live = {}\n"
                f"print(pcall(function() for i = 1, 100000 do live[i] = coroutine.{make}(print) end end))\n"
                "print(#live > 10)\n"
                "live = nil\n"  # their stacks serve the next ones
                f"for i = 1, 1000 do coroutine.{make}(print) end\n"
                "print(coroutine.wrap(function() return 'goes on' end)())\n",
            )
            got = self.run_program("sh", limited + ["s.lua"])
            self.assertEqual((got.code, got.out, got.err), (0, "false\tnot enough memory\ntrue\ngoes on\n", ""), make)

    def test_dumps(self):
        self.write("s.lua", LOOP)
        for stage, wanted in [("tokens", "for"), ("bytecode", "s.lua"), ("cfg", "b0"), ("numbering", "edge"), ("plan", "s.lua")]:
            got = self.run_engine([f"--dump={stage}", "s.lua"])
            self.assertEqual((got.code, got.err), (0, ""), stage)
            self.assertIn(wanted, got.out.lower())
            self.assertNotIn("30\n", got.out.split("\n")[-2] + "\n")

    def test_dump_of_a_wrong_program(self):
        self.write("s.lua", "x = = 1")
        got = self.run_engine(["--dump=bytecode", "s.lua"])
        self.assertEqual(got.code, 1)
        self.assertIn("s.lua:1: unexpected symbol near '='", got.err)


if __name__ == "__main__":
    harness.main()
