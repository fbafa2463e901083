#!/usr/bin/env python3
"""`flamegraph.pl` draws what our own report says."""

import html
import os
import re
import shutil
import unittest

import reader_test
from reader_test import saved, text_rows


def script() -> str | None:
    """MANGATA_FLAMEGRAPH names one; else that of `./dev readers`."""
    for path in (os.environ.get("MANGATA_FLAMEGRAPH", ""), str(reader_test.INSTALLED / "FlameGraph" / "flamegraph.pl"), shutil.which("flamegraph.pl") or ""):
        if os.path.isfile(path) and shutil.which("perl"):
            return path
    return None


class Flamegraph(unittest.TestCase):
    maxDiff = None

    def drawn(self, file: str) -> dict[str, list[float]]:
        """The widths of the frames of each name."""
        svg = reader_test.run("perl", script(), "--countname=us", "--minwidth=0", file)
        widths = {}
        for name, width in re.findall(r"<title>(.*) \(([\d,]+) us, [\d.]+%\)</title>", svg):
            widths.setdefault(html.unescape(name), []).append(float(width.replace(",", "")))
        return widths

    def test_frames_are_as_wide_as_the_report_says(self):
        source = reader_test.write_profile("run.json", "--profile-time=2000")
        file = reader_test.converted(source, "collapsed", ".folded")
        widths = self.drawn(file)
        stacks = len((reader_test.FOLDER / file).read_text().splitlines())
        sampled = reader_test.sampled_nanoseconds(saved(source)) / 1000
        self.assertAlmostEqual(widths["all"][0], sampled, delta=stacks)   # each line is rounded
        main = next(name for name in widths if name.startswith("main chunk"))
        rows = {row[0]: row for row in text_rows(source, 30)}
        self.assertAlmostEqual(widths[main][0] / 1000, rows[main][4], delta=0.06 + stacks / 1000)
        for name in list(rows)[:10]:
            self.assertIn(name.replace("[invalid samples]", "[invalid]"), widths)

    def test_text_is_written_at_once(self):
        reader_test.write_profile("direct.folded", "--profile-time=2000")
        self.assertIn("skip_blanks (json_round_trip.lua:7)", self.drawn("direct.folded"))

    def test_without_time_functions_are_drawn_by_bytecodes(self):
        source = reader_test.write_profile("exact.json", "--profile-time=off")
        widths = self.drawn(reader_test.converted(source, "collapsed", ".folded"))
        self.assertEqual(widths["all"], [saved(source)["totals"]["bytecodes"]])


if __name__ == "__main__":
    reader_test.main("flamegraph", lambda: script() is not None)
