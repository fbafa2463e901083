#!/usr/bin/env python3
"""./dev papers on a few programs: every table and figure is there, well formed, and has numbers that are known to be right.

Pages that count instructions, under valgrind, are made of one program only, without --both.
Skipped (77) without valgrind, or when the engine has no machine code.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAPERS = ROOT / "bench" / "papers"
sys.path[:0] = [str(PAPERS), str(PAPERS.parent)]

import document  # noqa: E402
import laboratory  # noqa: E402
import run as suite  # noqa: E402
import svg  # noqa: E402

ENGINE = ""
PROGRAMS = ["forms"]  # of the pages that count instructions
COUNTED = ["ball_larus_1", "k_iteration_3", "preferential_15"]
NAMES = ["ball_larus_1", "ball_larus_2", "ball_larus_3", "k_iteration_3", "k_iteration_4", "preferential_15", "preferential_16"]


def tables_of(text):
    """Each table as a list of rows, the first being its headings."""
    tables, inside = [], False
    for line in text.splitlines():
        if not line.startswith("|"):
            inside = False
        elif line.startswith("|---"):
            continue
        else:
            if not inside:
                tables.append([])
            tables[-1].append([field.strip() for field in line.strip("|").split("|")])
            inside = True
    return tables


class Quick(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.output = Path(cls.folder.name) / "results"
        command = [sys.executable, "-B", str(PAPERS / "papers.py"), "--engine", ENGINE, "--quick", "--output", str(cls.output)]
        for names, programs in ((COUNTED, PROGRAMS), ([name for name in NAMES if name not in COUNTED], [])):
            chosen = [word for name in names for word in ("--only", name)] + [word for name in programs for word in ("--program", name)]
            done = subprocess.run(command + chosen, capture_output=True, text=True)
            if done.returncode != 0:
                raise AssertionError(done.stderr)

    def text(self, name):
        return (self.output / f"{name}.md").read_text(encoding="utf-8")

    def row(self, name, program):
        """The cells of a program in the last table that has it, by heading."""
        found = {}
        for table in tables_of(self.text(name)):
            for row in table[1:]:
                if row[0] == program:
                    found = dict(zip(table[0], row))
        return found

    def test_every_page_is_there_with_its_command_and_its_figure(self):
        self.assertEqual(sorted(p.name for p in self.output.iterdir()), sorted(f"{n}.{e}" for n in NAMES for e in ("md", "svg")))
        for name in NAMES:
            text = self.text(name)
            chosen = "".join(f" --program {program}" for program in PROGRAMS) if name in COUNTED else ""
            self.assertIn(f"`./dev papers --only {name} --quick{chosen}`", text)
            self.assertIn(f"({name}.svg)", text)

    def test_tables_are_rectangular_and_full(self):
        for name in NAMES:
            for table in tables_of(self.text(name)):
                self.assertEqual({len(row) for row in table}, {len(table[0])}, (name, table[0]))
                self.assertGreater(len(table), 1, name)
                self.assertNotIn("", [field for row in table for field in row])

    def test_nothing_is_broken_or_of_this_machine(self):
        for path in self.output.iterdir():
            text = path.read_text(encoding="utf-8")
            self.assertIsNone(re.search(r"\b(nan|inf|None)\b", text), path.name)
            for place in (str(ROOT), ENGINE, self.folder.name):
                self.assertNotIn(place, text)

    def test_figures_are_drawings(self):
        for name in NAMES:
            root = ElementTree.parse(self.output / f"{name}.svg").getroot()
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            width, height = float(root.get("width")), float(root.get("height"))
            shapes = [e for e in root.iter() if e.tag.split("}")[1] in ("rect", "circle", "polyline")]
            self.assertGreater(len(shapes), 5, name)
            for e in shapes:
                for key, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
                    self.assertTrue(-1 <= float(e.get(key, 0)) <= most + 1, (name, key, e.get(key)))

    def test_counts_are_those_of_the_programs(self):
        self.assertEqual(self.row("ball_larus_2", "utf8_decoder")["paths"], "16")
        self.assertGreater(float(self.row("ball_larus_1", "forms")["hashed %"]), 0)
        for program in PROGRAMS:
            if program == "utf8_decoder":
                self.assertEqual(self.row("ball_larus_1", program)["hashed %"], "0.0")
            its = self.row("ball_larus_1", program)
            self.assertLess(float(its["edge %"]), float(its["path %"]), program)
            self.assertLess(0, float(its["edge %"]), program)
            self.assertGreater(float(self.row("preferential_15", program)["hash %"]), float(its["path %"]))

    def test_the_papers_figures_stand_beside_ours(self):
        self.assertEqual(self.row("ball_larus_1", "099.go")["path % time"], "+53.4")
        self.assertEqual(self.row("ball_larus_2", "102.swim")["named %"], "57.1")
        self.assertEqual(self.row("k_iteration_3", "ndes"), {"program": "ndes", "k=2, time": "6.12", "k=3, time": "-"})


class Parts(unittest.TestCase):
    def laboratory(self):
        options = types.SimpleNamespace(measurements=None, quiet=True, timeout=100)
        return laboratory.Laboratory(ENGINE, [], options)

    def test_static_paths_are_those_of_the_tables(self):
        program = suite.Program(ROOT / "examples" / "alternation.lua", "")
        lab = self.laboratory()
        self.addCleanup(lab.folder.cleanup)
        for k in (1, 2, 3):
            report = lab.profile(program, "--profile-paths", 1, flags=(f"--profile-k={k}",))
            expected = {f["line"]: f["possible_paths"] + sum(loop["body_paths"] ** k for loop in f.get("loops", []))
                        for f in report["functions"]}
            self.assertIn("weave", [f["name"] for f in report["functions"]])
            got = {f.line: f.paths for f in lab.static_paths(program, k) if f.line in expected}
            self.assertEqual(got, expected, k)

    def test_a_loop_with_a_smaller_k_has_no_number(self):
        program = suite.Program(laboratory.OWN_PROGRAMS / "board.lua", "")
        lab = self.laboratory()
        self.addCleanup(lab.folder.cleanup)
        by_name = [{f.name: f.paths for f in lab.static_paths(program, k)} for k in (1, 2)]
        self.assertGreater(by_name[0]["judge"], 10**6)
        self.assertIsNone(by_name[1]["judge"])

    def test_functions_are_called_as_their_line_does(self):
        source = ["local function f(x)", "T.g = function()", "sort(t, function(a, b)", "  function A:b()"]
        self.assertEqual([laboratory.function_name(source, i) for i in range(5)], ["main chunk", "f", "T.g", "function in line 3", "A:b"])

    def test_ticks_are_round_and_inside(self):
        self.assertEqual(svg.ticks(0, 100), [0, 20, 40, 60, 80, 100])
        self.assertTrue(all(-3 <= tick <= 52 for tick in svg.ticks(-3, 52)))

    def test_tables_leave_out_columns_without_numbers(self):
        text = document.table(["a", "b", "c"], [["x", "-", "1"], ["y", "-", "-"]])
        self.assertEqual(tables_of(text), [[["a", "c"], ["x", "1"], ["y", "-"]]])


def main():
    global ENGINE
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True)
    parser.add_argument("--both", action="store_true", help="count instructions of both programs")
    options, rest = parser.parse_known_args()
    if options.both:
        PROGRAMS.append("utf8_decoder")
    ENGINE = str(Path(options.engine).resolve())
    compiles = subprocess.run([ENGINE, "--policy=baseline", "--dump=asm", str(ROOT / "examples" / "alternation.lua")],
                              capture_output=True).returncode == 0
    if not shutil.which("valgrind") or not compiles:
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
