#!/usr/bin/env python3
"""What options ask to be written and cannot be: a message on stderr and an exit code, which masks no other."""

import os
import subprocess

import harness

# Long enough for code that is compiled, and for decisions.
PROGRAM = "local s = 0\nfor i = 1, 100000 do s = s + i % 3 end\nio.stderr:write('ran\\n')\n"
FULL = "/dev/full"
NO_SPACE = "No space left on device"


class FailedWrites(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("s.lua", PROGRAM)
        if not os.path.exists(FULL):
            self.skipTest(f"there is no {FULL}")

    def run_to(self, out: str | None, options: list[str], err: str | None = None) -> tuple[int, str]:
        """stdout goes to the file `out` (None: it is closed), stderr to `err`, if that is given."""
        redirection = (">&-" if out is None else f">{out}") + ("" if err is None else f" 2>{err}")
        command = f'"$0" "$@" {redirection}'
        done = subprocess.run(["sh", "-c", command, harness.ENGINE, *options], cwd=self.folder, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    def fails(self, options: list[str], what: str, why: str, ran: bool, out: str = os.devnull) -> None:
        code, err = self.run_to(out, options)
        self.assertEqual((code, "ran\n" in err), (1, ran), (options, err))
        self.assertIn(f"mangata: cannot write {what}: {why}\n", err)
        self.assertEqual(err.count("cannot write"), 1, err)

    def test_files_on_a_full_disk(self):
        for options, what in ((["--jit-log=/dev/full"], "log '/dev/full'"),
                              (["--record-decisions=/dev/full"], "log '/dev/full'"),
                              (["--profile-paths=/dev/full"], "profile '/dev/full'"),
                              (["--profile-edges=/dev/full"], "profile '/dev/full'"),
                              (["--profile-sampled=/dev/full"], "profile '/dev/full'")):
            self.fails([*options, "s.lua"], what, NO_SPACE, ran=True)

    def test_files_that_cannot_be_opened(self):
        """The program does not run."""
        os.mkdir(self.folder / "folder")
        for name, why in (("folder", "Is a directory"), ("nowhere/file", "No such file or directory")):
            for option in ("--jit-log", "--record-decisions"):
                self.fails([f"{option}={name}", "s.lua"], f"log '{name}'", why, ran=False)
            code, err = self.run_to(os.devnull, [f"--profile-paths={name}", "s.lua"])
            self.assertEqual((code, "ran\n" in err), (1, False))
            self.assertIn(why, err)

    def test_dumps_and_answers(self):
        self.assertEqual(self.run_engine(["--record-decisions=r.jsonl", "s.lua"]).code, 0)
        for stage in ("tokens", "bytecode", "cfg", "numbering", "plan"):
            self.fails([f"--dump={stage}", "s.lua"], "dump", NO_SPACE, ran=False, out=FULL)
        for options in (["--help"], ["--version"], ["--simulate=r.jsonl", "--policy=adaptive"]):
            self.fails(options, "standard output", NO_SPACE, ran=False, out=FULL)
        self.fails(["--simulate=r.jsonl", "--jit-log=/dev/full", "--policy=adaptive"], "log '/dev/full'", NO_SPACE, ran=False)
        self.fails(["--simulate=r.jsonl", "--jit-log=nowhere/l", "--policy=adaptive"], "log 'nowhere/l'", "No such file or directory", ran=False)

    def test_dumps_of_regions(self):
        options = ["--policy=optimizer:warm=1000,record=600", "--dump=region"]
        if "region: " not in self.run_engine([*options, "s.lua"]).out:
            self.skipTest("this engine has no optimizer")
        self.fails([*options, "s.lua"], "dump", NO_SPACE, ran=True, out=FULL)

    def test_closed_streams(self):
        code, err = self.run_to(None, ["--dump=bytecode", "s.lua"])
        self.assertEqual((code, err), (1, "mangata: cannot write dump: Bad file descriptor\n"))
        # A log that is opened does not become the program's standard output.
        self.write("p.lua", "print('of the program') print(io.write('x'))")
        code, err = self.run_to(None, ["--jit-log=log", "p.lua"])
        self.assertEqual((code, err), (0, ""))
        self.assertNotIn("of the program", (self.folder / "log").read_text())

    def test_reports_on_stderr(self):
        for option in ("--profile-paths", "--profile-edges", "--jit-log"):
            for target in (FULL, "&-"):
                redirected = target if target == FULL else "/dev/null 2>&-"
                self.assertEqual(self.run_to(os.devnull, [option, "s.lua"], redirected)[0], 1, (option, target))

    def test_names_for_profilers(self):
        self.write("probe.lua", "jit.on()")
        got = self.run_engine(["--policy=baseline", "--perf-map", "probe.lua"])
        if got.err:
            self.skipTest("there is no machine code")
        # A limit of the size of files, which is met when code is compiled.
        for option, what in (("--perf-map", "perf map"), ("--jitdump", "jitdump")):
            command = f'trap "" XFSZ; ulimit -f 0; exec "$0" --policy=baseline {option} s.lua'
            done = subprocess.run(["sh", "-c", command, harness.ENGINE], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, rf"mangata: cannot write {what} '.*': File too large\n")
            self.assertEqual(done.stderr.count("cannot write"), 1, done.stderr)

    def test_exit_codes_of_programs_stay(self):
        for ending, code in (("os.exit(7)", 7), ("os.exit(true)", 1), ("os.exit(0, true)", 1), ("os.exit(false)", 1), ("error('x')", 1)):
            self.write("e.lua", ending)
            for option in ("--profile-paths", "--record-decisions"):
                got = self.run_engine([f"{option}=/dev/full", "e.lua"])
                self.assertEqual(got.code, code, (ending, option, got.err))
                self.assertIn("cannot write", got.err)

    def test_programs_write_as_in_lua(self):
        """Output of the program is its own business."""
        self.write("p.lua", "print(1) print(io.write('x'))")
        self.assertEqual(self.run_to(FULL, ["p.lua"])[0], 0)


if __name__ == "__main__":
    harness.main()
