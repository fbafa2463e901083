#!/usr/bin/env python3
"""Large programs take time in proportion to their size: no pass of the front end, the profiler or a compiler is quadratic.

The judge is a ratio of processor times: of a program and of one four times as large, of the same shape. And of a large main chunk only
what runs again and again is compiled.
"""

import os
import re
import subprocess
import unittest

import harness

FACTOR = 4
# A quadratic pass would come to 16, once it takes most of the time.
MOST = 8.0
ATTEMPTS = 4


def chain(before: str, piece: str, after: str):
    """Programs of n pieces, which may name their number."""
    return lambda n: before + "".join(piece.replace("#", str(i)) for i in range(n)) + after


CALL_IT = " end for i = 1, 25 do g(-1) end"
# name: (size, program, options)
SHAPES = {
    "calls of what calls return": (20000, chain("function f() return f end function g() return f", "()", CALL_IT), []),
    "calls of locals": (8000, chain("function g() ", "do local a = type a(#) end ", CALL_IT), []),
    "names of fields": (6000, chain("M = {} ", "function M.f#() end ", ""), []),
    "names in a table": (6000, chain("local t = {", "f# = function() end, ", "}"), []),
    "names of locals": (6000, chain("", "do local function f#() end end ", ""), []),
    "elseif": (8000, chain("function g(x) if x then ", "elseif x == # then x = 1 ", "end" + CALL_IT), ["--policy=interpreter"]),
    "and": (12000, chain("function g(x) return x", " and #", CALL_IT), ["--policy=interpreter"]),
    "labels": (12000, chain("function g(x) ", "::l#:: x = # ", CALL_IT), ["--policy=interpreter"]),
    "gotos": (8000, lambda n: chain("function g(x) ", "if x == # then goto l# end ", "do return end ")(n) + chain("", "::l#:: x = # ", CALL_IT)(n),
              ["--policy=interpreter"]),
    "loops": (2500, chain("function g(x) ", "for i = 1, 2 do end ", CALL_IT), []),
    "loops over pairs": (2000, chain("function g(x) local t = {1} ", "for k in next, t do end ", CALL_IT), []),
    "loops in a loop": (2500, chain("local x = 0 for i = 1, 100 do ", "for j = 1, 2 do x = x + 1 end ", "end"), []),
    "loops by k": (2500, chain("function g(x) ", "while x < 1 do x = x + 1 end x = 0 ", CALL_IT), ["--profile-paths=p.json", "--profile-k=3"]),
    "branches of a loop": (1500, chain("function g(x) for i = 1, 2 do ", "if x == # then goto on end ", "::on:: end " + CALL_IT), ["--policy=eager"]),
}


class LargePrograms(harness.CommandLineTest):
    def seconds(self, program: str, options: list[str]) -> float:
        """Of the processor; the machine may be busy."""
        self.write("large.lua", program)
        before = os.times()
        got = subprocess.run([harness.ENGINE, *harness.ENGINE_OPTIONS, *options, "large.lua"], cwd=self.folder, capture_output=True)
        after = os.times()
        self.assertEqual((got.returncode, got.stderr[-300:]), (0, b""))
        return after.children_user + after.children_system - before.children_user - before.children_system

    def test_time_grows_with_size(self):
        for name, (size, program, options) in SHAPES.items():
            with self.subTest(name):
                ratios = []
                while len(ratios) < ATTEMPTS and (not ratios or ratios[-1] > MOST):
                    small = self.seconds(program(size), options)
                    ratios.append(self.seconds(program(FACTOR * size), options) / max(small, 0.02))
                self.assertLess(min(ratios), MOST, f"a program {FACTOR} times as large takes {ratios} times as long")

    def peak_kilobytes(self, program: str, options: list[str]) -> int:
        self.write("large.lua", program)
        running = subprocess.Popen([harness.ENGINE, *harness.ENGINE_OPTIONS, *options, "large.lua"], cwd=self.folder)
        status, usage = os.wait4(running.pid, 0)[1:]
        running.returncode = status
        self.assertEqual(status, 0)
        return usage.ru_maxrss

    def test_reports_of_loops_in_a_row_take_memory_in_proportion(self):
        # From each of the loops on, the most frequent edges lead through all that follow it.
        program = chain("local x = 0 ", "for i = 1, 2 do x = x + i end ", "")
        for options in (["--profile-paths=p.json"], ["--profile-paths=p.json", "--profile-many=hash"]):
            with self.subTest(options):
                small, large = (self.peak_kilobytes(program(size), options) for size in (1500, 6000))
                self.assertLess(large, 3 * small)

    def test_only_the_loop_of_a_large_chunk_is_compiled(self):
        functions = "".join(f"function f{i}(x) return x + {i} end\n" for i in range(10000))
        self.write("large.lua", functions + "local s = 0 for i = 1, 20000 do s = s + f1(i) end print(s)")
        got = self.run_engine(["--policy=adaptive", "--jit-log", "large.lua"])
        self.assertEqual(got.out, "200030000\n", got.err)
        if "baseline" not in got.err:
            self.skipTest("this engine has no JIT")
        compiled = re.findall(r"main chunk \(large.lua:1\): .*\[(\d+) bytes", got.err)
        self.assertEqual(len(compiled), 1, "it has machine code, once")
        self.assertLess(int(compiled[0]), 20000)


if __name__ == "__main__":
    harness.without_huge_pages()
    harness.main()
