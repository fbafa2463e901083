#!/usr/bin/env python3
"""`go tool pprof` says of our files what our own report says."""

import re
import shutil
import unittest

import reader_test
from reader_test import report, saved, text_rows

TYPES = ("samples", "cpu", "paths", "alloc_space", "alloc_objects", "bytecodes")


def pprof(*arguments: str) -> str:
    return reader_test.run("go", "tool", "pprof", *arguments)


def total(*arguments: str) -> float:
    """Of the chosen sample type, in its smallest unit."""
    shown = re.search(r"^Showing nodes accounting for \S+, \S+% of (-?[\d.]+)\S* total", pprof("-top", "-nodefraction=0", *arguments), re.MULTILINE)
    return float(shown[1])


def top_rows(*arguments: str) -> list[tuple]:
    text = pprof("-top", "-nodefraction=0", "-nodecount=10", *arguments)
    rows = re.findall(r"^ *(-?[\d.]+)(?:ms)? +([\d.]+)% +([\d.]+)% +([\d.]+)(?:ms)? +([\d.]+)%  (.*)$", text, re.MULTILINE)
    return [(row[5], *map(float, row[:5])) for row in rows]


class Pprof(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.saved = reader_test.write_profile("run.json", "--profile-alloc", "--profile-time=2000")
        cls.file = reader_test.converted(cls.saved, "pprof", ".pb.gz")
        cls.profile = saved(cls.saved)

    def test_first_ten_are_those_of_the_text_report(self):
        ours = text_rows(self.saved)
        theirs = top_rows("-unit=ms", self.file)
        self.assertEqual(len(ours), 10)
        self.assertEqual([row[0] for row in ours], [row[0] for row in theirs])
        for our, their in zip(ours, theirs):
            for column in (1, 4):   # milliseconds, of which we tell tenths
                self.assertAlmostEqual(our[column], their[column], delta=0.06, msg=f"{our} {their}")
            for column in (2, 3, 5):
                self.assertAlmostEqual(our[column], their[column], delta=0.011, msg=f"{our} {their}")

    def test_totals_are_those_of_the_run(self):
        paths = [path for function in self.profile["functions"] for path in function["paths"]]
        expected = {
            "samples": self.profile["time"]["samples"],
            "cpu": reader_test.sampled_nanoseconds(self.profile),
            "paths": self.profile["totals"]["completed"],
            "bytecodes": self.profile["totals"]["bytecodes"],
            "alloc_space": sum(path["allocated_bytes"] for path in paths),
            "alloc_objects": sum(path["allocated_objects"] for path in paths),
        }
        units = {"cpu": ["-unit=ns"], "alloc_space": ["-unit=B"]}
        self.assertEqual({kind: total(f"-sample_index={kind}", *units.get(kind, []), self.file) for kind in TYPES}, expected)

    def test_time_is_what_is_shown_first(self):
        self.assertIn("\nType: cpu\n", "\n" + pprof("-top", self.file))
        self.assertRegex(pprof("-raw", self.file), r"samples/count cpu/nanoseconds\[dflt\] paths/count alloc_space/bytes alloc_objects/count bytecodes/count")
        self.assertIn("without a call stack", pprof("-comments", self.file))

    def test_paths_are_tags(self):
        counts = sorted((path["count"] for function in self.profile["functions"] for path in function["paths"]), reverse=True)
        tags = re.findall(r"^ +([\d.]+) \( *[\d.]+%\): (.*)$", pprof("-tags", "-sample_index=paths", self.file), re.MULTILINE)
        self.assertEqual([float(count) for count, _ in tags[:10]], counts[:10])
        self.assertRegex(tags[0][1], r"json_round_trip\.lua:\d+ .* > ")

    def test_paths_as_leaves(self):
        """Then a function has its paths below it, which have what it had itself."""
        flat = {row[0]: row[1] for row in top_rows("-sample_index=paths", self.file)}
        leaves = top_rows("-sample_index=paths", "-tagleaf=path", self.file)
        self.assertEqual(total("-sample_index=paths", "-tagleaf=path", self.file), self.profile["totals"]["completed"])
        self.assertRegex(leaves[0][0], r" > ")
        name = max(flat, key=flat.get)
        place = re.search(r"\((.*)\)", name)[1]
        below = pprof("-tags", "-sample_index=paths", f"-focus={re.escape(name)}", self.file)
        counts = [float(count) for count in re.findall(rf"^ +([\d.]+) \( *[\d.]+%\): {re.escape(place)} ", below, re.MULTILINE)]
        self.assertEqual(sum(counts), flat[name])

    def test_source_is_found(self):
        name = next(row[0] for row in text_rows(self.saved) if row[0].startswith("skip_blanks"))
        text = pprof("-list=" + re.escape(name), "-unit=ms", self.file)
        self.assertIn("ROUTINE ======================== " + name, text)
        lines = (reader_test.FOLDER / reader_test.PROGRAM).read_text().split("\n")
        shown = re.findall(r"^ +(\.|[\d.]+ms) +(\.|[\d.]+ms) +(\d+):(.*)$", text, re.MULTILINE)
        self.assertTrue(shown)
        for _, _, number, line in shown:
            self.assertEqual(line.strip(), lines[int(number) - 1].strip())
        flat = sum(float(own[:-2]) for own, _, _, _ in shown if own != ".")
        self.assertAlmostEqual(flat, next(row[1] for row in text_rows(self.saved) if row[0] == name), delta=0.2)

    def test_stacks_have_their_callers(self):
        stacks = pprof("-traces", self.file)
        self.assertTrue(re.search(r"ms   skip_blanks \(json_round_trip\.lua:7\)\n +parse_object", stacks))
        self.assertTrue(re.search(r"main chunk \(json_round_trip\.lua\)\n +\[C\] main\n", stacks))

    def test_a_profile_does_not_differ_from_itself(self):
        for kind in TYPES:
            text = pprof("-top", f"-sample_index={kind}", f"-diff_base={self.file}", self.file)
            self.assertRegex(text, r"Showing nodes accounting for 0, 0% of ")

    def test_merging_is_the_same_on_both_sides(self):
        second = reader_test.write_profile("second.json", "--profile-alloc", "--profile-time=2000")
        ours = reader_test.FOLDER / "merged.json"
        ours.write_text(report("--format=json", self.saved, second))
        merged = reader_test.converted("merged.json", "pprof", ".pb.gz")
        second = reader_test.converted(second, "pprof", ".pb.gz")
        for kind in TYPES:
            unit = {"cpu": ["-unit=ns"], "alloc_space": ["-unit=B"]}.get(kind, [])
            self.assertEqual(total(f"-sample_index={kind}", *unit, merged), total(f"-sample_index={kind}", *unit, self.file, second), kind)
        self.assertEqual(top_rows("-unit=ms", merged), top_rows("-unit=ms", self.file, second))

    def test_without_time_paths_are_shown(self):
        source = reader_test.write_profile("exact.json", "--profile-time=off")
        direct = reader_test.write_profile("direct.pb.gz", "--profile-time=off")
        for file in (reader_test.converted(source, "pprof", ".pb.gz"), direct):
            self.assertIn("\nType: paths\n", "\n" + pprof("-top", file))
            self.assertEqual(total(file), saved(source)["totals"]["completed"])
            self.assertEqual(total("-sample_index=cpu", file), 0)
            self.assertIn("was not sampled", pprof("-comments", file))


if __name__ == "__main__":
    reader_test.main("pprof", lambda: shutil.which("go") is not None)
