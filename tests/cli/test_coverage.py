#!/usr/bin/env python3
"""Coverage: what each format says of a small program, LuaCov's settings, children, exit codes.

What a hit is, is judged by the unit tests of the profiler (line_events_test.cpp). Golden files are in tests/golden/coverage; --update writes
them anew.
"""

import json
import random
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


class LoopProgram:
    """Nested loops that note each stay and each time their bodies are begun; it prints, by line, stays of 0, 1 and more, and beginnings."""

    HEAD = ("local stays = {}\nlocal function enter(line) stays[line] = stays[line] or {} table.insert(stays[line], 0) end\n"
            "local function begin(line) local own = stays[line] own[#own] = own[#own] + 1 end\n")
    TAIL = ("for line, own in pairs(stays) do\n  local n = {0, 0, 0} local all = 0\n"
            "  for _, count in ipairs(own) do local i = math.min(count, 2) + 1 n[i] = n[i] + 1 all = all + count end\n"
            "  print(line, n[1], n[2], n[3], all)\nend\n")

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.rows = self.HEAD.splitlines()
        self.innermost: set[int] = set()
        self.lines: set[int] = set()
        self.rows.append("local function f(a, b)")
        for _ in range(2):
            self.loop(self.random.randint(1, 3))
        self.rows.append("end")
        self.rows.append("for a = 0, 3 do for b = 0, 2 do pcall(f, a, b) pcall(f, a, b - 1) end end")
        self.text = "\n".join(self.rows) + "\n" + self.TAIL

    def loop(self, depth: int) -> None:
        name = f"i{len(self.rows)}"
        kind = self.random.choice(["numeric", "generic", "while", "repeat"])
        count = self.random.choice(["a", "b", "a - b", "a + b", "2"])
        line = len(self.rows) + 2 if kind != "while" else len(self.rows) + 3
        if kind == "repeat":
            line = len(self.rows) + 4
        self.rows.append(f"enter({line})")
        if kind == "numeric":
            self.rows.append(f"for {name} = 1, {count} do")
        elif kind == "generic":
            self.rows.append(f"for {name} in string.gmatch(string.rep('x', {count}), 'x') do")
        else:
            self.rows.append(f"local {name} = {count}")
            self.rows.append(f"while {name} > 0 and a do" if kind == "while" else "repeat")
        self.lines.add(line)
        self.rows.append(f"begin({line}) {'' if kind in ('numeric', 'generic') else f'{name} = {name} - 1'}")
        if self.random.random() < 0.3:
            self.rows.append(f"if a == {self.random.randint(0, 3)} then {self.random.choice(['break', 'do return end', 'error(1)', 'a = 3'])} end")
        if depth > 1:
            self.loop(depth - 1)
        else:
            self.innermost.add(line)
        if self.random.random() < 0.3:
            self.rows.append(f"if b == {self.random.randint(0, 2)} then b = b + 1 end")
        self.rows.append(f"until {name} <= 0" if kind == "repeat" else "end")


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

    def report(self, *arguments: str, code: int = 0) -> harness.Outcome:
        """What mangata-report says, and `mangata --report`, which is the same."""
        small = self.run_program(str(Path(harness.ENGINE).with_name("mangata-report")), list(arguments))
        self.assertEqual(small.code, code, small)
        large = self.run_program(harness.ENGINE, ["--report", *arguments])
        self.assertEqual((large.code, re.sub(r'timestamp="\d+"', "", large.out)), (code, re.sub(r'timestamp="\d+"', "", small.out)))
        return small

    def test_a_saved_report_is_what_the_run_writes(self):
        self.covered("c.json", "--coverage-paths")
        for name, file in [("text", "c.txt"), ("lcov", "c.info"), ("html", "c.html"), ("json", "again.json"), ("cobertura", "c.xml")]:
            whole = re.compile(r'timestamp="\d+"')
            saved = self.report("c.json", f"--format={name}").out
            self.assertEqual(whole.sub("", saved), whole.sub("", self.covered(file, "--coverage-paths")), name)
        stats = parse_stats(self.report("c.json", "--format=luacov").out)["words.lua"]
        counted = parse_lcov(self.covered("c.info"))["words.lua"]["lines"]
        self.assertEqual(stats, {line: hits for line, hits in counted.items() if hits})

    def test_runs_are_added_up(self):
        self.write("src/unused.lua", "print(1)\n")
        self.covered("a.json", "--coverage-include=*.lua")
        self.covered("b.json")
        once = parse_lcov(self.covered("once.info"))["words.lua"]
        files = parse_lcov(self.report("a.json", "b.json", "--format", "lcov").out)
        self.assertEqual(sorted(files), ["src/unused.lua", "words.lua"])
        self.assertEqual(files["words.lua"]["lines"], {line: 2 * hits for line, hits in once["lines"].items()})
        self.assertEqual(files["words.lua"]["functions"], {name: 2 * calls for name, calls in once["functions"].items()})
        self.assertEqual(files["words.lua"]["totals"], once["totals"])
        self.assertEqual(list(parse_lcov(self.report("a.json", "--format=lcov", "--file=w*").out)), ["words.lua"])
        self.assertIn("never_called(text)", self.report("a.json", "b.json", "--format=html").out)
        again = self.folder / "all.json"
        again.write_text(self.report("a.json", "b.json", "--format=json").out, encoding="utf-8")
        self.assertEqual(parse_lcov(self.report("all.json", "--format=lcov").out), files)

    def test_fail_under_after_a_merge(self):
        """Each of two runs reaches a half."""
        self.write("half.lua", "if ... then\n  print(1)\n  print(1)\n  print(1)\nelse\n  print(2)\n  print(2)\n  print(2)\nend\n")
        for name, arguments in [("a.json", []), ("b.json", ["x"])]:
            self.assertEqual(self.run_engine([f"--coverage={name}", "half.lua", *arguments]).code, 0)
            self.assertIn("less than 90%", self.report(name, "--fail-under=90", code=2).err)
        self.report("a.json", "b.json", "--fail-under=90%")
        self.report("a.json", "b.json", "--coverage-fail-under", "100")
        self.assertIn("expected a percentage", self.report("a.json", "--fail-under=101", code=1).err)

    def test_what_an_earlier_run_did_not_cover(self):
        self.write("s.lua", "local function f(a, b)\n  if a then print(1) end\n  if b then print(2) end\nend\nf(1, 1) f()\nif ... then f(1) end\n")
        self.covered("tests.json", "--coverage-paths", script="s.lua")
        self.run_engine(["--coverage=use.json", "--coverage-paths", "s.lua", "x"])
        said = self.report("--diff=tests.json", "use.json").out
        self.assertEqual(said.splitlines(), ["Covered here, but not there: 0 lines, 1 outcome, 2 paths.", "  s.lua:6: T, 1 time",
                                             "  s.lua:1: main chunk: entry > 6:T > return 6, 1 time",
                                             "  s.lua:1: f: entry > 2:T 3:F > return 4, 1 time"])
        # The path profile of the same two runs says the same.
        self.run_engine(["--profile-paths=base.json", "s.lua"])
        residual = self.run_engine(["--profile-paths", "--profile-residual=base.json", "s.lua", "x"]).err
        self.assertIn("2 new paths in its functions, taken 2 times", residual)
        for path in ["entry > 6:T > return 6", "entry > 2:T 3:F > return 4"]:
            self.assertIn(path, residual)

    def test_runs_of_other_texts_and_other_files_are_not_added(self):
        self.covered("a.json")
        self.write("words.lua", "print(1)\n" + PROGRAM)
        self.covered("b.json")
        self.assertIn("words.lua has another text in 'a.json', which is not added", self.report("b.json", "a.json").out)
        self.run_engine(["--profile-paths=p.json", "words.lua"])
        for files, error in [(["none.json"], "No such file"), (["words.lua"], "it is not JSON"), (["b.json", "p.json"], "p.json: not coverage"),
                             (["p.json", "b.json"], "b.json: not a path profile"), (["b.json", "--top=3"], "'--top' is of profiles"),
                             (["p.json", "--fail-under=3"], "is of coverage"), (["b.json", "--format=x"], "expected text, html")]:
            self.assertIn(error, self.report(*files, code=1).err)

    def test_paths_that_tests_of_every_outcome_miss(self):
        self.write("s.lua", "local function f(a, b, n)\n  if a then a = 1 end\n  if b then b = 1 end\n  for i = 1, n do\n    n = n - i\n  end\n"
                            "  while n > 5 do n = n - 1 end\nend\nf(1, 1, 0) f(nil, nil, 3) f(nil, nil, 1)\n")
        text = self.covered("c.txt", "--coverage-paths", script="s.lua")
        self.assertIn("100.00% of lines", text)
        self.assertRegex(text, r"\nf \(s.lua:1\): \d+ of \d+ paths taken; not taken: .*\n  loop 7: never gone through exactly once, never gone through more than once\n"
                               r"(  .*\n)*  2:F 3:T  never on one path")
        self.assertNotIn("loop 4:", text)
        self.assertIn("never gone through exactly once, never gone through more than once", self.covered("c.html", "--coverage-paths", script="s.lua"))

    def test_loops_left_out_once_and_more_often(self):
        """Against programs that keep account of their stays themselves."""
        known = 0
        for seed in range(40):
            self.write("l.lua", LoopProgram(seed).text)
            got = self.run_engine(["--coverage=c.json", "--coverage-paths", "l.lua"])
            self.assertEqual(got.code, 0, got)
            expected = {int(line): tuple(map(int, rest)) for line, *rest in map(str.split, got.out.splitlines())}
            (file,) = json.loads((self.folder / "c.json").read_text())["files"]
            loops = {loop["line"]: loop for function in file["paths"] for loop in function["loops"] if loop["line"] in LoopProgram(seed).lines}
            for line, (left_out, once, more, begun) in expected.items():
                loop = loops[line]
                place = f"seed {seed}, line {line}"
                self.assertEqual((loop["left_out"], loop["entered"], loop["iterations"]), (left_out, once + more, begun), place)
                self.assertTrue(loop["once"][0] <= once <= loop["once"][1], place)
                if line in LoopProgram(seed).innermost:
                    self.assertEqual(loop["once"], [once, once], place)
                known += loop["once"][0] == loop["once"][1]
        self.assertGreater(known, 60)

    def test_every_tier_writes_the_same(self):
        self.write("l.lua", LoopProgram(1).text)
        for script in ["words.lua", "l.lua"]:
            for options in [[], ["--coverage-paths"]]:
                seen = {policy: self.covered("c.json", f"--policy={policy}", *options, script=script)
                        for policy in ["interpreter", "baseline", "adaptive", "optimizer", "eager"]}
                self.assertEqual(len(set(seen.values())), 1, (script, options))

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
        none = self.run_engine(["--coverage=c.txt", "--coverage-include=wrods*", "--coverage-fail-under=1", "words.lua"])
        self.assertEqual((none.code, none.err), (2, "lua: coverage: there is no line that counts\n"))
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
        for option in ["--coverage-format=lcov", "--coverage-include=x", "--coverage-paths", "--coverage-fail-under=5"]:
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
