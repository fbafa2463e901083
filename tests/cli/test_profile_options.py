#!/usr/bin/env python3
"""Path profiles: when the report is written, where to, and what the --profile options select.

The counts themselves are judged by the unit tests of the profiler; here a small program with known paths is enough.
"""

import json
import signal
import subprocess
import time

import harness

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


class ProfileOptions(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("s.lua", CLASSIFY)

    def report(self, *options: str, script: str = "s.lua", code: int = 0) -> dict:
        """Runs with a JSON report in a file and returns it."""
        got = self.run_engine(["--profile-paths=out.json", *options, script])
        self.assertEqual(got.code, code, got.err)
        return json.loads((self.folder / "out.json").read_text())

    def paths(self, report: dict) -> list[tuple[str, int]]:
        return sorted((f["name"], p["count"]) for f in report["functions"] for p in f["paths"])

    def test_report_on_standard_error_leaves_output_alone(self):
        got = self.run_engine(["--profile-paths", "s.lua"])
        self.assertEqual((got.code, got.out), (0, "50\n"))
        self.assertIn("classify", got.err)
        self.assertIn("s.lua", got.err)

    def test_json_has_the_exact_counts(self):
        report = self.report()
        self.assertEqual(report["version"], 1)
        by_function = {f["name"]: sorted(p["count"] for p in f["paths"]) for f in report["functions"]}
        self.assertEqual(by_function["classify"], [50, 50])
        self.assertEqual(report["totals"]["completed"], sum(p["count"] for f in report["functions"] for p in f["paths"]))

    def test_format_follows_the_suffix_unless_told(self):
        self.run_engine(["--profile-paths=out.txt", "s.lua"])
        self.assertNotEqual((self.folder / "out.txt").read_text()[:1], "{")
        self.run_engine(["--profile-paths=out.txt", "--profile-format=json", "s.lua"])
        json.loads((self.folder / "out.txt").read_text())
        self.run_engine(["--profile-paths=out.json", "--profile-format=text", "s.lua"])
        self.assertNotEqual((self.folder / "out.json").read_text()[:1], "{")

    def test_top_and_minimum(self):
        self.assertEqual(len(self.paths(self.report("--profile-top=1"))), 1)
        everything = len(self.paths(self.report()))
        frequent = len(self.paths(self.report("--profile-min=10")))
        self.assertLess(frequent, everything)

    def test_filters(self):
        self.assertEqual({name for name, _ in self.paths(self.report("--profile-func=class*"))}, {"classify"})
        self.assertEqual(self.paths(self.report("--profile-func=nothing*")), [])
        self.assertTrue(self.paths(self.report("--profile-file=*.lua")))
        self.assertEqual(self.paths(self.report("--profile-file=other*")), [])

    def test_weight(self):
        report = self.report("--profile-weight=bytecodes")
        self.assertEqual(report["weight"], "bytecodes")

    def test_written_after_an_error(self):
        self.write("e.lua", CLASSIFY + "error('at the end')\n")
        report = self.report(script="e.lua", code=1)
        self.assertIn(("classify", 50), self.paths(report))

    def test_written_after_os_exit(self):
        for number, call in enumerate(["os.exit(3)", "os.exit(3, true)", "coroutine.wrap(function() os.exit(3) end)()"]):
            self.write(f"x{number}.lua", CLASSIFY + call + "\n")
            report = self.report(script=f"x{number}.lua", code=3)
            self.assertIn(("classify", 50), self.paths(report))

    def test_written_after_signals(self):
        self.write("w.lua", CLASSIFY + "io.stdout:flush() while true do local x = classify(1) end\n")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([harness.ENGINE, "--profile-paths=out.json", "w.lua"], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=harness.environment({}))
            process.stdout.readline()
            time.sleep(0.2)
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertNotEqual(process.returncode, 0)
            report = json.loads((self.folder / "out.json").read_text())
            self.assertTrue(any(name == "classify" and count > 50 for name, count in self.paths(report)))
            (self.folder / "out.json").unlink()

    def test_program_that_does_not_load(self):
        self.write("bad.lua", "x = = 1")
        got = self.run_engine(["--profile-paths", "bad.lua"])
        self.assertEqual(got.code, 1)
        self.assertTrue(got.err.startswith("lua: bad.lua:1: unexpected symbol"))

    def test_file_that_cannot_be_written(self):
        got = self.run_engine(["--profile-paths=no/such/folder/p.json", "s.lua"])
        self.assertEqual(got.code, 1)
        self.assertIn("no/such/folder/p.json", got.err)


if __name__ == "__main__":
    harness.main()
