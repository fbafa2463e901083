#!/usr/bin/env python3
"""Edge profiles: when the report is written and what it says of a small program.

The counts themselves are judged by the unit tests of the profiler (path_trace_check --edges).
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


class ProfileEdges(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("s.lua", CLASSIFY)

    def report(self, *options: str, script: str = "s.lua", code: int = 0) -> dict:
        """Runs with a JSON report in a file and returns it."""
        got = self.run_engine(["--profile-edges=out.json", *options, script])
        self.assertEqual(got.code, code, got.err)
        return json.loads((self.folder / "out.json").read_text())

    def outcomes(self, report: dict, name: str) -> dict[str, int]:
        """By "line:arm", of the function of that name."""
        return {f"{edge['line']}:{edge['arm']}": edge["count"]
                for function in report["functions"] if function["name"] == name
                for edge in function["edges"] if edge["arm"]}

    def test_report_on_standard_error_leaves_output_alone(self):
        got = self.run_engine(["--profile-edges", "s.lua"])
        self.assertEqual((got.code, got.out), (0, "50\n"))
        self.assertIn("Edge profile: 101 calls", got.err)
        self.assertIn("2:T", got.err)

    def test_json_has_the_exact_counts(self):
        report = self.report()
        self.assertEqual((report["format"], report["version"]), ("mangata-edge-profile", 1))
        self.assertEqual(self.outcomes(report, "classify"), {"2:T": 50, "2:F": 50})
        self.assertEqual(self.outcomes(report, "main chunk"),
                         {"8:loop": 99, "8:done": 1, "8:enter": 1, "9:T": 50, "9:F": 50})
        self.assertLess(report["totals"]["counted_edges"], report["totals"]["all_edges"])

    def test_selection(self):
        report = self.report("--profile-top=1", "--profile-func=class*")
        self.assertEqual([f["name"] for f in report["functions"]], ["classify"])
        self.assertEqual(sum(len(f["edges"]) for f in report["functions"]), 1)

    def test_written_after_an_error_and_after_os_exit(self):
        for number, (end, code) in enumerate([("error('at the end')", 1), ("os.exit(3)", 3), ("os.exit(3, true)", 3),
                                              ("coroutine.wrap(function() os.exit(3) end)()", 3)]):
            self.write(f"x{number}.lua", CLASSIFY + end + "\n")
            report = self.report(script=f"x{number}.lua", code=code)
            self.assertEqual(self.outcomes(report, "classify"), {"2:T": 50, "2:F": 50})
            main = next(f for f in report["functions"] if f["name"] == "main chunk")
            self.assertEqual((main["calls"], main["left"]), (1, 1))
            self.assertEqual(sum(block["left"] for block in main["blocks"]), 1)

    def test_written_after_signals(self):
        self.write("w.lua", CLASSIFY + "io.stdout:flush() while true do local x = classify(1) end\n")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([harness.ENGINE, "--profile-edges=out.json", "w.lua"], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=harness.environment({}))
            process.stdout.readline()
            time.sleep(0.2)
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertNotEqual(process.returncode, 0)
            report = json.loads((self.folder / "out.json").read_text())
            self.assertGreater(self.outcomes(report, "classify")["2:F"], 50)
            (self.folder / "out.json").unlink()

    def test_either_paths_or_edges(self):
        got = self.run_engine(["--profile-edges", "--profile-paths", "s.lua"])
        self.assertEqual(got.code, 1)
        self.assertIn("exclude each other", got.err)
        self.assertIn("needs a file name", self.run_engine(["--profile-edges=", "s.lua"]).err)


if __name__ == "__main__":
    harness.main()
