#!/usr/bin/env python3
"""Edge profiles: when the report is written and what it says of a small program.

The counts themselves are judged by the unit tests of the profiler (path_trace_check --edges).
"""

import signal

import harness


class ProfileEdges(harness.ProfileTest):
    option = "--profile-edges"

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
        for end, code in [("error('at the end')", 1), ("os.exit(3)", 3), ("os.exit(3, true)", 3),
                          ("coroutine.wrap(function() os.exit(3) end)()", 3)]:
            report = self.report_after(end, code)
            self.assertEqual(self.outcomes(report, "classify"), {"2:T": 50, "2:F": 50})
            main = next(f for f in report["functions"] if f["name"] == "main chunk")
            self.assertEqual((main["calls"], main["left"]), (1, 1))
            self.assertEqual(sum(block["left"] for block in main["blocks"]), 1)

    def test_written_after_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.assertGreater(self.outcomes(self.report_after_signal(number), "classify")["2:F"], 50)

    def test_either_paths_or_edges(self):
        got = self.run_engine(["--profile-edges", "--profile-paths", "s.lua"])
        self.assertEqual(got.code, 1)
        self.assertIn("exclude each other", got.err)
        self.assertIn("needs a file name", self.run_engine(["--profile-edges=", "s.lua"]).err)


if __name__ == "__main__":
    harness.main()
