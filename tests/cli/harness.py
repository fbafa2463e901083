"""What the command-line tests share: running an engine, and comparing it with the real lua5.4.

A test file is a unittest module that ends in `harness.main()`.  `self.same([...])` runs the judge and the engine with
the same arguments, input and environment, and compares standard output, standard error and exit code after the name of
the program has become `lua` and the version banner `Lua 5.4`.  Exit status 77 when there is no judge: ctest skips.
"""

import argparse
import ctypes
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

ENGINE = ""
ENGINE_OPTIONS: list[str] = []  # come before those of the test
JUDGE = ""
WHOLE = False  # all of what a test chooses some of


def without_huge_pages() -> None:
    """For tests that compare amounts of memory: in what is run from now on, pages are small. Otherwise memory grows in steps of 2 MiB."""
    PR_SET_THP_DISABLE = 41
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)


def has_sanitizer() -> bool:
    """Whether the engine was built with one that has an allocator of its own."""
    binary = Path(ENGINE).read_bytes()
    return b"__asan_init" in binary or b"__tsan_init" in binary


@functools.cache
def has_machine_code() -> bool:
    got = subprocess.run([ENGINE, "--dump=asm", "-e", ""], capture_output=True, text=True)
    return "there is no machine code" not in got.stderr


class Outcome:
    def __init__(self, done: subprocess.CompletedProcess, name: str):
        self.code = done.returncode
        self.out = normalise(done.stdout.decode("latin-1"), name)
        self.err = normalise(done.stderr.decode("latin-1"), name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and vars(self) == vars(other)

    def __str__(self) -> str:
        return f"exit code {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def normalise(text: str, name: str) -> str:
    """The program's own name becomes `lua`, the banner loses its release, the copyright line goes."""
    for own in {name, os.path.basename(name)}:
        text = re.sub(rf"(?m)^{re.escape(own)}: ", "lua: ", text)
    return re.sub(r"(?m)^Lua 5\.4.*$", "Lua 5.4", text)


def environment(extra: dict[str, str]) -> dict[str, str]:
    """The caller's environment without Lua's variables, plus `extra`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("LUA_")}
    return kept | {"LC_ALL": "C", "TERM": "dumb"} | extra


class CommandLineTest(unittest.TestCase):
    """Each test runs in an empty folder of its own; self.write makes files there."""

    maxDiff = None

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="latin-1")
        return name

    def run_program(self, program: str, arguments: list[str], stdin: str = "", env: dict[str, str] | None = None) -> Outcome:
        done = subprocess.run(
            [program] + arguments,
            cwd=self.folder,
            env=environment(env or {}),
            input=stdin.encode("latin-1"),
            capture_output=True,
            timeout=60,
        )
        return Outcome(done, program)

    def run_engine(self, arguments: list[str], **options) -> Outcome:
        return self.run_program(ENGINE, ENGINE_OPTIONS + arguments, **options)

    def same(self, arguments: list[str], **options) -> Outcome:
        """Runs both and returns what the engine did, which must be what the judge did."""
        expected = self.run_program(JUDGE, arguments, **options)
        got = self.run_engine(arguments, **options)
        self.assertEqual(str(expected), str(got), f"arguments: {arguments}")
        return got

    def same_first_error_line(self, arguments: list[str], **options) -> None:
        """For usage errors: the lines after the first describe each program's own options."""
        expected = self.run_program(JUDGE, arguments, **options)
        got = self.run_engine(arguments, **options)
        first = [outcome.err.split("\n")[0] for outcome in (expected, got)]
        self.assertEqual((expected.code, expected.out, first[0]), (got.code, got.out, first[1]), f"arguments: {arguments}")


class ProfileTest(CommandLineTest):
    """Tests of one option that writes a profile: `option`. s.lua is CLASSIFY, whose counts are known."""

    option = ""
    CLASSIFY = """local function classify(n)
  if n % 2 == 0 then
    return 'even'
  end
  return 'odd'
end
local count = 0
for i = 1, 100 do
  if classify(i) == 'even' then count = count + 1 end
end
print(count)
"""

    def setUp(self) -> None:
        super().setUp()
        self.write("s.lua", self.CLASSIFY)

    def report(self, *options: str, script: str = "s.lua", code: int = 0) -> dict:
        """Runs with a JSON report in a file and returns it."""
        got = self.run_engine([f"{self.option}=out.json", *options, script])
        self.assertEqual(got.code, code, got.err)
        return self.take_report()

    def take_report(self) -> dict:
        """What out.json says. It is removed, so that the next one is not this."""
        path = self.folder / "out.json"
        text = path.read_text()
        path.unlink()
        return json.loads(text)

    def report_after(self, end: str, code: int) -> dict:
        """The report of CLASSIFY with another end."""
        self.write("ended.lua", self.CLASSIFY + end + "\n")
        return self.report(script="ended.lua", code=code)

    def report_after_signal(self, number: int) -> dict:
        """The report of a run that goes on calling classify(1) until the signal comes."""
        self.write("w.lua", self.CLASSIFY + "io.stdout:flush() while true do local x = classify(1) end\n")
        process = subprocess.Popen([ENGINE, *ENGINE_OPTIONS, f"{self.option}=out.json", "w.lua"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment({}))
        process.stdout.readline()
        time.sleep(0.2)
        process.send_signal(number)
        process.communicate(timeout=20)
        self.assertNotEqual(process.returncode, 0)
        return self.take_report()


def main() -> None:
    global ENGINE, JUDGE
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True, help="the program under test")
    parser.add_argument("--judge", default="lua5.4", help="the real Lua 5.4")
    parser.add_argument("--policy", help="a tiering policy for all runs of the engine that do not choose one")
    parser.add_argument("--whole", action="store_true", help="all of what a test chooses some of")
    arguments, rest = parser.parse_known_args()
    engine, judge = shutil.which(arguments.engine), shutil.which(arguments.judge)
    if not engine:
        sys.exit(f"{arguments.engine}: not found")
    if not judge:
        print(f"{arguments.judge} is not here: nothing to compare with")
        sys.exit(77)
    # The judge's own module sets ENGINE and JUDGE where the test modules look: they import this file by its name.
    module = sys.modules["harness"]
    module.ENGINE, module.JUDGE = os.path.abspath(engine), os.path.abspath(judge)
    module.WHOLE = arguments.whole
    module.ENGINE_OPTIONS = [f"--policy={arguments.policy}"] if arguments.policy else []
    unittest.main(module="__main__", argv=[sys.argv[0]] + rest)
