#!/usr/bin/env python3
"""What is shown of machine code: --dump=asm, and names for perf and gdb (--perf-map, --jitdump, --gdb)."""

import os
import re
import shutil
import subprocess
import unittest

import harness

PROGRAM = """local function inner(n)
  if n == 0 then return os.getenv("MANGATA_TEST_MARK") end
  local r = inner(n - 1)
  return r
end
local function outer()
  local ok, value = pcall(inner, 3)
  return value
end
print(outer())
"""

# Optimized code calls C, the last time in UTC.
REGION = """local date, formats = os.date, {}
local function outer(n)
  local x = 0
  for i = 1, n do
    x = x * 3 + i & 0xffff
    date(formats[i])
    x = x + (x >> 3) * 5 ~ 0x55
    x = (x << 3) + i // 3 & 0xfffff
  end
  return x
end
local function calls(n)
  local r = outer(n)
  return r
end
for i = 1, 3000 do formats[i] = "%H" end
for i = 1, 30 do
  if i == 30 then formats[3000] = "!%H" end
  calls(3000)
end
"""


class MachineCode(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("s.lua", PROGRAM)
        if not harness.has_machine_code():
            self.skipTest("this engine has no JIT")

    def asm(self, options: list[str] = []) -> str:
        got = self.run_engine(options + ["--dump=asm", "s.lua"])
        if "Zydis" in got.err:
            self.skipTest(got.err)
        self.assertEqual((got.code, got.err), (0, ""))
        return got.out

    def test_asm_of_every_function_with_its_bytecode(self):
        text = self.asm()
        self.assertEqual([int(line) for line in re.findall(r"^asm <s.lua:(\d+)> \(\d+ instructions, \d+ bytes\)$", text, re.M)], [0, 1, 6])
        bytecode = self.run_engine(["--dump=bytecode", "s.lua"]).out
        functions = text.split("\nasm ")
        for asm, listing in zip(functions, bytecode.split("\nfunction ")):
            wanted = [(int(pc), int(line), op) for pc, line, op in re.findall(r"^ +(\d+) +\[(\d+)\] +(\w+)", listing, re.M)]
            shown = [(int(pc), int(line), op) for pc, line, op in re.findall(r"^; (\d+) \[(\d+)\] (\w+)", asm, re.M)]
            self.assertEqual(wanted, shown)
            self.assertIn("; slow paths\n", asm)

    def test_asm_names_what_it_refers_to(self):
        text = self.asm()
        for name in ["call runtime_closure", "call call_of_other", "code[", "cache[", "jmp leave_to_interpreter", "jmp call_function"]:
            self.assertIn(name, text)
        self.assertEqual(re.findall(r"(?:call|jmp) 0x[0-9a-f]+", text), [], "without a name")
        self.assertEqual(text, self.asm(), "it depends on addresses")

    def test_asm_with_events(self):
        self.assertNotIn("count[", self.asm())
        for options, event in [(["--profile-paths"], "; r = 0\n"), (["--profile-edges"], "; count["),
                               (["--profile-paths", "--profile-k=2"], "; enter window 0")]:
            self.write("s.lua", PROGRAM + "for i = 1, 9 do if i % 2 == 0 then print(i) end end\n")
            plan = self.run_engine(options + ["--dump=plan", "s.lua"]).out
            text = self.asm(options)
            self.assertIn(event, text)
            if "--profile-edges" in options:
                continue  # --dump=plan shows the plan of paths
            planned = re.findall(r"^  \d+  ((?:r |count|enter|iteration|leave).*)$", plan, re.M)
            shown = re.findall(r"^; ((?:r |count|enter|iteration|leave).*)$", text, re.M)
            self.assertEqual(planned, shown)

    def test_asm_without_a_jit(self):
        got = self.run_engine(["--policy=interpreter", "--dump=asm", "s.lua"])
        self.assertEqual((got.code, got.out), (1, ""))
        self.assertIn("there is no machine code", got.err)

    def test_asm_in_a_cache_that_is_full(self):
        got = self.run_engine(["--max-code=1K", "--dump=asm", "s.lua"])
        self.assertEqual((got.code, got.out), (1, ""))
        self.assertIn("--max-code", got.err)

    def run_with_process_id(self, options: list[str], policy: str = "baseline") -> tuple[int, subprocess.CompletedProcess]:
        process = subprocess.Popen([harness.ENGINE, "--policy=" + policy] + options + ["s.lua"], cwd=self.folder,
                                   env=harness.environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = process.communicate(timeout=60)
        return process.pid, subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def test_perf_map(self):
        pid, done = self.run_with_process_id(["--perf-map"])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"nil\n", b""))
        path = f"/tmp/perf-{pid}.map"
        with open(path, encoding="latin-1") as file:
            rows = [line.rstrip("\n").split(" ", 2) for line in file]
        os.remove(path)
        names = [name for _, _, name in rows]
        self.assertEqual(names[:3], ["lua:enter", "lua:call_function", "lua:leave_to_interpreter"])
        self.assertEqual(names[-3:], ["lua:main chunk@s.lua", "lua:outer@s.lua:6", "lua:inner@s.lua:1"])
        ends = 0
        for start, size, name in sorted((int(start, 16), int(size, 16), name) for start, size, name in rows):
            self.assertGreaterEqual(start, ends, name)
            self.assertGreater(size, 0)
            ends = start + size

    def require_optimizer(self):
        self.write("o.lua", "for i = 1, 9 do end")
        got = self.run_engine(["--policy=optimizer", "--dump=region", "o.lua"])
        if "there are no regions" in got.err or "there is no optimizer" in got.out:
            self.skipTest("this engine has no optimizer")

    def test_perf_map_has_optimized_code_with_a_star(self):
        self.require_optimizer()
        self.write("s.lua", "local function spin(n)\n  local x = 0\n  for i = 1, n do x = x ~ i * 3 end\n  return x\nend\nfor _ = 1, 200 do spin(20000) end\n")
        for compiler in ["quick", "llvm"]:
            pid, done = self.run_with_process_id(["--stress=region:1", "--opt-compiler=" + compiler, "--perf-map"], "optimizer")
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            path = f"/tmp/perf-{pid}.map"
            with open(path, encoding="latin-1") as file:
                names = [line.rstrip("\n").split(" ", 2)[2] for line in file]
            os.remove(path)
            self.assertIn("lua:*spin@s.lua:1", names, compiler)
            self.assertIn("lua:spin@s.lua:1", names, compiler)

    def test_jitdump(self):
        pid, done = self.run_with_process_id(["--jitdump"])
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        dump = (self.folder / f"jit-{pid}.dump").read_bytes()
        self.assertEqual(dump[:4], b"DTiJ")
        for name in [b"lua:enter\0", b"lua:main chunk@s.lua\0", b"lua:inner@s.lua:1\0"]:
            self.assertIn(name, dump)

    def test_an_observer_that_cannot_write_says_so(self):
        if os.geteuid() == 0:
            self.skipTest("root may write anywhere")
        os.chmod(self.folder, 0o555)
        got = self.run_engine(["--policy=baseline", "--jitdump", "s.lua"])
        os.chmod(self.folder, 0o755)
        self.assertEqual((got.code, got.out), (1, ""))
        self.assertIn("mangata: cannot write jitdump './jit-", got.err)

    @unittest.skipUnless(shutil.which("valgrind"), "no valgrind here")
    def test_there_is_machine_code_under_valgrind(self):
        got = subprocess.run(["valgrind", "--quiet", "--tool=none", harness.ENGINE, "--policy=baseline", "--dump=asm", "s.lua"],
                             cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertNotIn("there is no machine code", got.stderr)

    @unittest.skipUnless(shutil.which("perf"), "no perf here")
    def test_perf_report_names_lua_functions(self):
        self.write("s.lua", "local function spin(n)\n  local x = 0\n  for i = 1, n do x = x + i end\n  return x\nend\nspin(50000000)\n")
        record = ["record", "-q", "-o", "data", harness.ENGINE, "--policy=baseline", "--perf-map", "s.lua"]
        if self.run_program("perf", record).code != 0 or not (self.folder / "data").exists():
            self.skipTest("perf may not measure here")
        report = self.run_program("perf", ["report", "--stdio", "-i", "data"])
        if "lua" not in report.out and "# Samples: 0" in report.out:
            self.skipTest("perf has measured nothing")
        hottest = [line for line in report.out.split("\n") if "%" in line][:3]
        self.assertIn("lua:spin@s.lua:1", "\n".join(hottest))

    @unittest.skipUnless(shutil.which("perf"), "no perf here")
    def test_perf_unwinds_through_compiled_code(self):
        """Callers of a function in machine code, up to the executable, by the unwinding data of the jitdump."""
        self.write("s.lua", "local function spin(n)\n  local x = 0\n  for i = 1, n do x = x + i end\n  return x\nend\n"
                   "local function middle(n)\n  return spin(n) + 1\nend\nprint(middle(50000000))\n")
        record = ["record", "-q", "-F", "999", "-k", "1", "--call-graph", "dwarf,16384", "-o", "data", harness.ENGINE, "--policy=baseline", "--jitdump", "s.lua"]
        if self.run_program("perf", record).code != 0 or not (self.folder / "data").exists():
            self.skipTest("perf may not measure here")
        done = self.run_program("perf", ["inject", "--jit", "-i", "data", "-o", "jit.data"])
        self.assertEqual(done.code, 0, done.err)
        chains = self.run_program("perf", ["script", "-i", "jit.data", "-F", "ip,sym"]).out.split("\n\n")
        inside = [chain for chain in chains if "lua:spin@s.lua:1" in chain.strip().split("\n")[0]]
        if len(inside) < 10:
            self.skipTest("perf has measured nothing")
        whole = [chain for chain in inside if "lua:middle@s.lua:6" in chain and "lua:main chunk@s.lua" in chain and "_start" in chain]
        self.assertGreater(len(whole), 0.9 * len(inside), inside[0])

    @unittest.skipUnless(shutil.which("gdb"), "no gdb here")
    def test_gdb_names_frames_and_lines(self):
        commands = ["set debuginfod enabled off", "set breakpoint pending on",
                    'break getenv if $_streq((char*)$rdi, "MANGATA_TEST_MARK")', "run", "backtrace", "kill"]
        arguments = ["-batch", "-nx"] + [word for command in commands for word in ("-ex", command)]
        got = self.run_program("gdb", arguments + ["--args", harness.ENGINE, "--policy=baseline", "--gdb", "s.lua"])
        if "lua:" not in got.out and ("ptrace" in got.err or "Cannot" in got.err):
            self.skipTest("gdb may not run programs here")
        frames = re.findall(r"in (lua:[^(]+) \(", got.out)
        inner = ["lua:inner@s.lua:1"]
        self.assertEqual(frames, inner * 4 + ["lua:enter", "lua:call_of_other", "lua:outer@s.lua:6", "lua:main chunk@s.lua", "lua:enter"])
        self.assertIn("s.lua:3", got.out)  # the line of the recursive call
        self.assertIn("run_compiled", got.out)  # and the frames of the machine around it

    @unittest.skipUnless(shutil.which("gdb"), "no gdb here")
    def test_gdb_knows_frames_of_optimized_code(self):
        """Also the code that has entered it, which has pushed something."""
        self.require_optimizer()
        self.write("s.lua", REGION)
        commands = ["set debuginfod enabled off", "set breakpoint pending on", "break gmtime_r", "run", "continue", "backtrace", "kill"]  # the first is of the start
        arguments = ["-batch", "-nx"] + [word for command in commands for word in ("-ex", command)]
        for compiler in ["quick", "llvm"]:
            options = ["--policy=optimizer", "--stress=region:1", "--opt-compiler=" + compiler, "--gdb", "s.lua"]
            got = self.run_program("gdb", arguments + ["--args", harness.ENGINE] + options)
            if "lua:" not in got.out and ("ptrace" in got.err or "Cannot" in got.err):
                self.skipTest("gdb may not run programs here")
            frames = re.findall(r"in (lua:[^(]+) \(", got.out)
            self.assertEqual(frames[:3], ["lua:*outer@s.lua:2", "lua:outer@s.lua:2", "lua:calls@s.lua:12"], compiler)
            self.assertIn("s.lua:6", got.out, compiler)  # the line of the call
            self.assertIn("run_compiled", got.out, compiler)


if __name__ == "__main__":
    harness.main()
