#!/usr/bin/env python3
"""Path profiles: when the report is written, where to, and what the --profile options select.

The counts themselves are judged by the unit tests of the profiler; here a small program with known paths is enough.
"""

import json
import signal

import harness


class ProfileOptions(harness.ProfileTest):
    option = "--profile-paths"

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

    def test_formats_that_need_a_file_or_paths(self):
        got = self.run_engine(["--profile-paths", "--profile-format=pprof", "s.lua"])
        self.assertEqual((got.code, got.out), (1, ""))
        self.assertIn("the format pprof needs a file: --profile-paths=FILE", got.err)
        for file, name in (("e.pb.gz", "pprof"), ("e.speedscope.json", "speedscope"), ("e.folded", "collapsed")):
            got = self.run_engine([f"--profile-edges={file}", "s.lua"])
            self.assertEqual((got.code, got.out), (1, ""))
            self.assertIn(f"edge profiles cannot be written as {name}", got.err)

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

    def test_array_limit_chooses_the_table_and_changes_no_count(self):
        arrays, hashed = self.report(), self.report("--profile-array=0")
        self.assertEqual({f["table"] for f in arrays["functions"]}, {"array"})
        self.assertEqual({f["table"] for f in hashed["functions"]}, {"hash"})
        self.assertEqual(self.paths(arrays), self.paths(hashed))
        most = max(f["possible_paths"] for f in arrays["functions"])
        self.assertEqual({f["table"] for f in self.report(f"--profile-array={most}")["functions"]}, {"array"})
        self.assertIn("hash", {f["table"] for f in self.report(f"--profile-array={most - 1}")["functions"]})

    def test_array_limit_is_a_number_of_paths(self):
        for value in ("", "-1", "1.5", "many", "65537"):
            got = self.run_engine([f"--profile-array={value}", "s.lua"])
            self.assertEqual(got.code, 1)
            self.assertIn(f"invalid value '{value}' for option '--profile-array'", got.err)

    def test_written_after_an_error_and_after_os_exit(self):
        for end, code in [("error('at the end')", 1), ("os.exit(3)", 3), ("os.exit(3, true)", 3),
                          ("coroutine.wrap(function() os.exit(3) end)()", 3)]:
            self.assertIn(("classify", 50), self.paths(self.report_after(end, code)))

    def test_written_after_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            report = self.report_after_signal(number)
            self.assertTrue(any(name == "classify" and count > 50 for name, count in self.paths(report)))
            main = next(f for f in report["functions"] if f["name"] == "main chunk")
            cut = [(p["start"]["line"], p["end"]["kind"], p["end"]["line"], p["count"]) for p in main["cut_paths"]]
            self.assertEqual(cut, [(12, "left", 12, 1)])

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
