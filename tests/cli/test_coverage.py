#!/usr/bin/env python3
"""Coverage: what each format says of a small program, LuaCov's settings, children, exit codes.

What a hit is, is judged by the unit tests of the profiler (line_events_test.cpp). Golden files are in tests/golden/coverage; --update writes
them anew.
"""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import harness

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "coverage"
PROGRAM = (GOLDEN / "words.lua").read_text(encoding="utf-8")


def parse_lcov(text: str) -> dict[str, dict]:
    """Per file: lines {number: hits}, functions {name: calls}, branches {(line, block, branch): count}, totals {"LF": n}."""
    files = {}
    for line in text.splitlines():
        kind, _, value = line.partition(":")
        fields = value.split(",")
        if kind == "SF":
            file = files[value] = {"lines": {}, "functions": {}, "starts": {}, "branches": {}, "totals": {}}
        elif kind == "DA":
            file["lines"][int(fields[0])] = int(fields[1])
        elif kind == "FN":
            file["starts"][fields[1]] = int(fields[0])
        elif kind == "FNDA":
            file["functions"][fields[1]] = int(fields[0])
        elif kind == "BRDA":
            file["branches"][tuple(map(int, fields[:3]))] = fields[3]
        elif kind in ("LF", "LH", "FNF", "FNH", "BRF", "BRH"):
            file["totals"][kind] = int(value)
    return files


def parse_stats(text: str) -> dict[str, dict[int, int]]:
    lines = text.splitlines()
    return {head.partition(":")[2]: {i + 1: int(n) for i, n in enumerate(hits.split()) if n != "0"}
            for head, hits in zip(lines[::2], lines[1::2])}


class Coverage(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("words.lua", PROGRAM)

    def covered(self, file: str, *options: str, script: str = "words.lua") -> str:
        """What stands in the file afterwards."""
        got = self.run_engine([f"--coverage={file}", *options, script])
        self.assertEqual(got.code, 0, got)
        return (self.folder / file).read_text(encoding="utf-8")

    def compare_with_golden(self, name: str, text: str) -> None:
        golden = GOLDEN / name
        if UPDATE:
            golden.write_text(text, encoding="utf-8")
        self.assertEqual(text, golden.read_text(encoding="utf-8"))

    def test_golden_text(self):
        got = self.run_engine(["--coverage", "words.lua"])
        self.assertEqual((got.code, got.out), (0, "3\n"))
        self.compare_with_golden("words.txt", got.err)

    def test_golden_luacov(self):
        self.compare_with_golden("words.stats", self.covered("c.out"))

    def test_golden_lcov(self):
        self.compare_with_golden("words.info", self.covered("c.info"))

    def test_golden_cobertura(self):
        text = re.sub(r'version="Mangata [^"]*" timestamp="\d+"', 'version="V" timestamp="T"', self.covered("c.xml"))
        self.compare_with_golden("words.xml", re.sub("<source>.*</source>", "<source>F</source>", text))

    def test_golden_html(self):
        self.compare_with_golden("words.html", re.sub(r"Written by Mangata [^<]*", "Written by M.", self.covered("c.html")))

    def test_formats_agree(self):
        info = parse_lcov(self.covered("c.info"))["words.lua"]
        root = ElementTree.fromstring(self.covered("c.xml"))
        lines = {int(line.get("number")): line for line in root.findall("./packages/package/classes/class/lines/line")}
        self.assertEqual({n: int(line.get("hits")) for n, line in lines.items()}, info["lines"])
        self.assertEqual(int(root.get("lines-valid")), info["totals"]["LF"])
        self.assertEqual(int(root.get("lines-covered")), info["totals"]["LH"])
        self.assertEqual(int(root.get("branches-valid")), info["totals"]["BRF"])
        self.assertEqual(int(root.get("branches-covered")), info["totals"]["BRH"])
        text = self.covered("c.txt")
        for hit, all_of in [("LH", "LF"), ("FNH", "FNF"), ("BRH", "BRF")]:
            self.assertIn(f"({info['totals'][hit]} of {info['totals'][all_of]})", text)

    def test_totals_are_those_of_the_records(self):
        info = parse_lcov(self.covered("c.info"))["words.lua"]
        totals = info["totals"]
        self.assertEqual((totals["LF"], totals["LH"]), (len(info["lines"]), sum(n > 0 for n in info["lines"].values())))
        self.assertEqual((totals["FNF"], totals["FNH"]), (len(info["functions"]), sum(n > 0 for n in info["functions"].values())))
        taken = sum(count not in ("-", "0") for count in info["branches"].values())
        self.assertEqual((totals["BRF"], totals["BRH"]), (len(info["branches"]), taken))
        self.assertLessEqual(set(info["starts"].values()) | {key[0] for key in info["branches"]}, set(info["lines"]))

    def test_function_names_are_unique_and_without_commas(self):
        self.write("n.lua", "local t = {}\nfunction t.f() return 1 end\nfunction t.f() return 2 end t.f()\n"
                            "t['a,b'] = function() return 3 end t['a,b']()\nlocal f, g = function() return 1 end, function() return 2 end f() g()\n")
        info = parse_lcov(self.covered("n.info", script="n.lua"))["n.lua"]
        self.assertEqual(len(info["functions"]), 5)
        self.assertIn("t.f (line 2)", info["functions"])
        self.assertEqual(info["functions"]["t.f (line 3)"], 1)

    def test_hits_add_up_in_luacovs_file_and_it_is_locked_meanwhile(self):
        once = parse_stats(self.covered("c.out"))["words.lua"]
        several = [subprocess.Popen([harness.ENGINE, "--coverage=c.out", "words.lua"], cwd=self.folder, stdout=subprocess.DEVNULL)
                   for _ in range(7)]
        for process in several:
            self.assertEqual(process.wait(), 0)
        eight = parse_stats((self.folder / "c.out").read_text(encoding="utf-8"))["words.lua"]
        self.assertEqual(eight, {line: 8 * hits for line, hits in once.items()})

    def test_runs_are_added_up(self):
        self.write("src/unused.lua", "print(1)\n")
        self.covered("a.json", "--coverage-include=*.lua")
        self.covered("b.json")
        once = parse_lcov(self.covered("once.info"))["words.lua"]
        added = ["--coverage-add=?.json", "-e", ""]
        self.assertEqual(self.run_engine(["--coverage=all.info", *added]).code, 0)
        files = parse_lcov((self.folder / "all.info").read_text(encoding="utf-8"))
        self.assertEqual(sorted(files), ["src/unused.lua", "words.lua"])
        self.assertEqual(files["words.lua"]["lines"], {line: 2 * hits for line, hits in once["lines"].items()})
        self.assertEqual(files["words.lua"]["functions"], {name: 2 * calls for name, calls in once["functions"].items()})
        self.assertEqual(files["words.lua"]["totals"], once["totals"])
        self.assertEqual(self.run_engine(["--coverage=all.txt", "--coverage-fail-under=90", *added]).code, 2)
        self.assertEqual(self.run_engine(["--coverage=all.txt", "--coverage-fail-under=70", *added]).code, 0)
        self.assertEqual(self.run_engine(["--coverage=all.html", *added]).code, 0)
        self.assertIn("never_called(text)", (self.folder / "all.html").read_text(encoding="utf-8"))

    def test_runs_of_other_texts_and_other_files_are_not_added(self):
        self.covered("a.json")
        self.write("words.lua", "print(1)\n" + PROGRAM)
        got = self.run_engine(["--coverage", "--coverage-add=a.json", "words.lua"])
        self.assertEqual(got.code, 0)
        self.assertIn("words.lua has another text in 'a.json', which is not added", got.err)
        for file in ["none.json", "none*.json", "words.lua"]:
            self.assertEqual(self.run_engine(["--coverage", f"--coverage-add={file}", "-e", ""]).code, 1, file)

    def test_children_by_environment(self):
        self.write("parent.lua", f"os.execute('{harness.ENGINE} words.lua') os.execute('{harness.ENGINE} words.lua')\n")
        options = {"MANGATA_OPTIONS": f"--coverage={self.folder}/all.out"}
        self.assertEqual(self.run_engine(["parent.lua"], env=options).code, 0)
        stats = parse_stats((self.folder / "all.out").read_text(encoding="utf-8"))
        once = parse_stats(self.covered("one.out"))["words.lua"]
        self.assertEqual(stats, {"parent.lua": {1: 1}, "words.lua": {line: 2 * hits for line, hits in once.items()}})
        self.run_engine(["parent.lua"], env={"MANGATA_OPTIONS": "--coverage=p.%p.info"})
        self.assertEqual(len(list(self.folder.glob("p.*.info"))), 3)

    def test_files_that_were_never_loaded(self):
        self.write("src/used.lua", "local M = {}\nfunction M.f()\n  return 1\nend\nreturn M\n")
        self.write("src/unused.lua", "local x = 1\nprint(x)\n")
        self.write("src/broken.lua", "local = 1\n")
        self.write("other.lua", "print(1)\n")
        self.write("s.lua", "package.path = './src/?.lua'\nprint(require 'used'.f())\n")
        got = self.run_engine(["--coverage=c.info", "--coverage-include=src/*.lua", "s.lua"])
        self.assertEqual(got.code, 0, got)
        files = parse_lcov((self.folder / "c.info").read_text(encoding="utf-8"))
        self.assertEqual({name: file["lines"] for name, file in files.items()},
                         {"src/used.lua": {1: 1, 2: 1, 3: 1, 5: 1}, "src/unused.lua": {1: 0, 2: 0}})
        self.assertIn("src/broken.lua does not compile",
                      self.run_engine(["--coverage", "--coverage-include=src/*.lua", "s.lua"]).err)

    def test_only_files_and_only_their_text(self):
        self.write("s.lua", "load('print(1)', '@words.lua')() load('print(2)', '@none.lua')() load('print(3)', '=x')() load('print(4)')()\n"
                            "local f = io.open('words.lua', 'a') f:write('\\n\\n') f:close()\n")
        got = self.run_engine(["--coverage", "s.lua"])
        self.assertIn("in 1 file.", got.err)
        self.assertIn("words.lua is not the text that was loaded", got.err)
        self.assertIn("none.lua cannot be read", got.err)

    def test_fail_under(self):
        under = ["--coverage=c.txt", "--coverage-fail-under=99"]
        self.assertEqual(self.run_engine([*under, "words.lua"]).code, 2)
        self.assertIn("less than 99%", self.run_engine([*under, "words.lua"]).err)
        self.assertEqual(self.run_engine(["--coverage=c.txt", "--coverage-fail-under=60%", "words.lua"]).code, 0)
        for end, code in [("error('x')", 1), ("os.exit(3)", 3), ("os.exit(0)", 2), ("os.exit(true, true)", 2)]:
            self.write("e.lua", f"if not arg then print(1)\nprint(2)\nend {end}\n")
            self.assertEqual(self.run_engine([*under, "e.lua"]).code, code, end)

    def test_settings_of_luacov(self):
        self.write(".luacov", "statsfile = 'hits.out'\nmodules = {['lib.*'] = 'src'}\nexclude = {'skipped$'}\nreturn {include = {'words$'}}\n")
        self.write("src/lib/a.lua", "return 1\n")
        self.write("installed/lib/a.lua", "return 1\n")
        self.write("skipped.lua", "return 2\n")
        self.write("s.lua", "package.path = './installed/?.lua;./?.lua'\nrequire 'lib.a' require 'skipped' dofile 'words.lua'\n")
        self.assertEqual(self.run_engine(["--coverage", "--coverage-format=luacov", "s.lua"]).code, 0)
        stats = parse_stats((self.folder / "hits.out").read_text(encoding="utf-8"))
        self.assertEqual(sorted(stats), ["installed/lib/a.lua", "words.lua"])
        files = parse_lcov(self.covered("c.info", script="s.lua"))
        self.assertEqual(sorted(files), ["src/lib/a.lua", "words.lua"])
        self.assertEqual(files["src/lib/a.lua"]["lines"], {1: 1})

    def test_settings_that_fail(self):
        self.write(".luacov", "error('no')\n")
        got = self.run_engine(["--coverage", "words.lua"])
        self.assertEqual((got.code, got.out), (1, ""))
        self.assertIn("cannot read the settings of LuaCov in '.luacov': config:1: no", got.err)

    def test_comments_switch_it_off(self):
        self.write("s.lua", "print(1)\n-- luacov: disable\nlocal function f(x)\n  if x then print(2) end\nend\nf()\n-- luacov: enable\nprint(3)\n")
        info = parse_lcov(self.covered("c.info", script="s.lua"))["s.lua"]
        self.assertEqual((info["lines"], info["functions"], info["branches"]), ({1: 1, 8: 1}, {}, {}))

    def test_options_that_need_it(self):
        for option in ["--coverage-format=lcov", "--coverage-include=x", "--coverage-add=x", "--coverage-fail-under=5"]:
            self.assertIn("needs '--coverage'", self.run_engine([option, "words.lua"]).err)
        self.assertIn("exclude each other", self.run_engine(["--coverage", "--profile-edges", "words.lua"]).err)
        self.assertIn("invalid value", self.run_engine(["--coverage", "--coverage-format=x", "words.lua"]).err)

    def test_what_cannot_be_written(self):
        self.assertEqual(self.run_engine(["--coverage=/nowhere/c.info", "words.lua"]).code, 1)
        self.assertEqual(self.run_engine(["--coverage=/dev/full", "words.lua"]).code, 1)


UPDATE = "--update" in sys.argv
if UPDATE:
    sys.argv.remove("--update")
harness.main()
