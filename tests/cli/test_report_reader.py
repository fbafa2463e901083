#!/usr/bin/env python3
"""Saved profiles: `mangata-report` and `mangata --report` show, merge and compare them; labels and sources in reports."""

import gzip
import json
import os
import pty
import subprocess
from pathlib import Path

import harness

TWO_ON_A_LINE = "local function f(a, b) if a and b then return 1 end return 2 end f(1, 2) f(nil, 2) f(1, nil)\n"


class ReportReader(harness.ProfileTest):
    option = "--profile-paths"

    def profile(self, name: str, *options: str, script: str = "s.lua") -> str:
        """Without time: where its samples fall is another place in each run."""
        got = self.run_engine([f"--profile-paths={name}", "--profile-time=off", *options, script])
        self.assertEqual(got.code, 0, got.err)
        return name

    def read(self, *arguments: str, code: int = 0) -> harness.Outcome:
        """What the small executable says, which is what the large one says."""
        small = self.run_program(str(Path(harness.ENGINE).with_name("mangata-report")), list(arguments))
        large = self.run_program(harness.ENGINE, ["--report", *arguments])
        self.assertEqual(small.code, code, small.err)
        self.assertEqual((small.code, small.out), (large.code, large.out))
        return small

    def without_runs(self, text: str) -> str:
        return "\n".join(line for line in text.split("\n") if not line.startswith(("Run: ", "     ")) or "%" in line)

    def test_a_saved_profile_is_reported_as_at_the_end_of_the_run(self):
        self.profile("p.json")
        self.profile("p.txt")
        told = (self.folder / "p.txt").read_text()
        read = self.read("p.json").out
        self.assertIn("classify", read)
        self.assertEqual(self.without_runs(read), self.without_runs(told))

    def test_json_of_json_is_the_same(self):
        self.profile("p.json")
        self.assertEqual(json.loads(self.read("--format=json", "p.json").out), json.loads((self.folder / "p.json").read_text()))

    def test_run_information(self):
        self.write("ended.lua", self.CLASSIFY + "os.exit(3)")
        self.run_engine(["--profile-paths=p.json", "ended.lua", "argument"])
        (run,) = json.loads((self.folder / "p.json").read_text())["runs"]
        self.assertEqual(run["command_line"][-2:], ["ended.lua", "argument"])
        self.assertEqual(run["exit_status"], 3)
        self.assertRegex(run["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertIn("exit status 3", self.read("p.json").out)

    def exact(self, report: dict) -> dict:
        """By function and path."""
        return {(f["name"], p["key"]): p["count"] for f in report["functions"] if f["source"] == "@s.lua" for p in f["paths"]}

    def test_three_profiles_merged_are_that_of_three_runs(self):
        for k in ("1", "3"):
            names = [self.profile(f"{i}.json", f"--profile-k={k}") for i in range(3)]
            self.write("thrice.lua", "for i = 1, 3 do dofile('s.lua') end\n")
            self.profile("all.json", f"--profile-k={k}", "--profile-file=s.lua", script="thrice.lua")
            merged = json.loads(self.read("--format=json", *names).out)
            together = json.loads((self.folder / "all.json").read_text())
            self.assertEqual(len(merged["runs"]), 3)
            by_name = {f["name"]: f for f in together["functions"]}
            self.assertEqual(set(by_name), {f["name"] for f in merged["functions"]})
            for function in merged["functions"]:
                self.assertEqual(function, by_name[function["name"]])

    def test_a_run_does_not_differ_from_itself(self):
        self.profile("p.json")
        self.assertIn("Nothing differs.\n", self.read("--diff", "p.json", "p.json").out)

    def test_what_is_new_and_what_has_vanished(self):
        self.profile("old.json")
        self.write("s.lua", self.CLASSIFY.replace("1, 100", "1, 200") + "local function later() return 1 end later()\n")
        self.profile("new.json")
        got = self.read("--diff=old.json", "new.json").out
        self.assertRegex(got, r"\+\d+ .* 100 +200 +classify +s\.lua:1\n")
        self.assertRegex(got, r"new +later +s\.lua:12\n")
        self.assertRegex(got, r"code changed +main chunk +s\.lua:1\n")
        self.assertRegex(self.read("--diff=new.json", "old.json").out, r"vanished +later")

    def test_filters_and_limits(self):
        self.profile("p.json")
        self.assertNotIn("main chunk  s.lua:1", self.read("--func", "class*", "p.json").out)
        self.assertIn("Lines of classify (s.lua:1), 100 calls", self.read("--list=classify", "p.json").out)
        self.assertRegex(self.read("--list=classify", "p.json").out, r" 50 +3      return 'even'\n")
        self.assertEqual(len(json.loads(self.read("--format", "json", "--top=1", "p.json").out)["functions"]), 1)

    def test_the_page_of_a_saved_profile_is_that_of_the_run(self):
        self.profile("p.json")
        self.profile("p.html")
        told, read = ({key: value for key, value in json.loads(page.split('id="data">')[1].split("</script>")[0]).items() if key not in ("runs", "time")}
                      for page in ((self.folder / "p.html").read_text(), self.read("--format=html", "p.json").out))
        self.assertEqual(read["weight"], "bytecodes")
        self.assertEqual({function["name"]: function["self"][0] for function in read["functions"] if function["kind"] == "lua"},
                         {"classify": 100, "main chunk": 1})
        self.assertEqual(told["functions"], read["functions"])
        self.assertEqual(told["totals"], read["totals"])
        self.assertIn("if n % 2 == 0", told["files"][0]["ranges"][0][1])

    def test_a_difference_as_a_page(self):
        self.profile("p.json")
        self.assertIn('"difference":{"weight":"bytecodes"', self.read("--format=html", "--diff=p.json", "p.json").out)

    def test_formats_of_other_tools(self):
        """The same from a saved profile, from several, and at the end of the run; their readers judge them in tests/readers."""
        self.profile("p.json")
        for name, extension in (("pprof", ".pb.gz"), ("speedscope", ".speedscope.json"), ("collapsed", ".folded")):
            self.profile("direct" + extension)
            read = self.read(f"--format={name}", "p.json").out
            direct = (self.folder / ("direct" + extension)).read_bytes()
            if name == "pprof":
                read, direct = gzip.decompress(read.encode("latin-1")).decode("latin-1"), gzip.decompress(direct).decode("latin-1")
                self.assertIn("s.lua:1 entry > 2:F > return 5", read)
                self.assertIn("classify (s.lua:1)", direct)
            elif name == "speedscope":
                read, direct = json.loads(read), json.loads(direct)
                self.assertEqual(read["profiles"], direct["profiles"])
                self.assertEqual(read["shared"], direct["shared"])
                twice = json.loads(self.read("--format=speedscope", "p.json", "p.json").out)["profiles"][0]
                self.assertEqual(twice["endValue"], 2 * read["profiles"][0]["endValue"])
            else:
                self.assertEqual(read, direct.decode("latin-1"))
                self.assertRegex(read, r"^classify \(s.lua:1\) \d+\nmain chunk \(s.lua\) \d+\n$")

    def test_binary_formats_are_not_for_terminals(self):
        self.profile("p.json")
        master, terminal = pty.openpty()
        program = str(Path(harness.ENGINE).with_name("mangata-report"))
        done = subprocess.run([program, "--format=pprof", "p.json"], cwd=self.folder, stdout=terminal, stderr=subprocess.PIPE, text=True)
        os.close(terminal)
        os.close(master)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output is a terminal", done.stderr)

    def test_errors(self):
        self.write("bad.json", "{}")
        self.profile("p.json")
        self.profile("k.json", "--profile-k=2")
        self.assertIn('bad.json: not a path profile: it: has no member "format"', self.read("bad.json", code=1).err)
        self.assertIn("cannot read profile 'none.json'", self.read("none.json", code=1).err)
        self.assertIn("k.json: cannot be merged with p.json", self.read("p.json", "k.json", code=1).err)
        self.assertIn("k.json: was written with another --profile-k", self.read("--diff", "k.json", "p.json", code=1).err)
        for arguments, error in ([[], "no file is named"], [["--nonsense"], "unrecognized option '--nonsense'"],
                                 [["--top"], "needs a value"], [["--top=x", "p.json"], "expected a number"],
                                 [["--format=xml", "p.json"], "expected text, json, html, "],
                                 [["--format=json", "--diff=p.json", "p.json"], "a difference cannot be written as json"],
                                 [["--format=pprof", "--diff=p.json", "p.json"], "a difference cannot be written as pprof"]):
            self.assertIn(error, self.read(*arguments, code=1).err)

    def test_options_named_as_those_of_mangata_are_explained(self):
        self.assertIn("unrecognized option '--profile-weight'; here it is '--weight'", self.read("--profile-weight=time", "p.json", code=1).err)
        self.assertNotIn("here it is", self.read("--profile-k=2", "p.json", code=1).err)

    def test_what_is_left_out_is_read_again(self):
        body = "".join(f"if i // {2 ** n} % 2 == 0 then x = x + {n} end " for n in range(10))
        self.write("many.lua", f"local x = 0\nlocal function f(i) {body} end\nfor i = 0, 1023 do f(i) end\n")
        self.profile("p.json", "--profile-max-memory=2M", script="many.lua")
        saved = json.loads((self.folder / "p.json").read_text())
        self.assertEqual(sum(f.get("left_out", 0) for f in saved["functions"]), saved["left_out"]["executions"])
        self.assertGreater(saved["left_out"]["executions"], 0)
        self.assertEqual(json.loads(self.read("--format=json", "p.json").out), saved)
        self.assertRegex(self.read("p.json").out, r"Path profile: 2048 paths completed[^L]*\n.*\nLeft out, to stay within 2M")

    def test_a_path_in_a_long_line_begins_at_its_loop(self):
        self.write("long.lua", "local unused = '" + "x" * 200 + "' do local n = 0 for i = 1, 9 do n = n + i end end\n")
        self.assertRegex(self.run_engine(["--profile-paths", "long.lua"]).err, r" \| \.\.\.for i = 1, 9 do n = n \+ i end end\n")

    def test_conditions_in_one_line_have_columns(self):
        self.write("two.lua", TWO_ON_A_LINE)
        text = self.run_engine(["--profile-paths", "two.lua"]).err
        self.assertIn("entry > 1:27:T 1:33:T > return 1", text)
        self.assertIn("entry > 1:27:T 1:33:F > return 1", text)
        self.assertIn("entry > 1:27:F > return 1", text)

    def test_a_long_line_is_shown_by_its_conditions(self):
        self.write("long.lua", "local unused = '" + "x" * 200 + "' " + TWO_ON_A_LINE)
        text = self.run_engine(["--profile-paths", "long.lua"]).err
        self.assertRegex(text, r" T  1:2\d\d \| a\n +T  1:2\d\d \| b\n")
        self.assertTrue(all(len(line) < 200 for line in text.split("\n")))

    def test_sources_of_chunks_that_are_no_files(self):
        loop = "for i = 1, 3 do local x = i end"
        self.assertIn(f"| {loop}\n", self.run_engine(["--profile-paths", "-e", loop]).err)
        self.assertIn(f"| {loop}\n", self.run_engine(["--profile-paths", "-"], stdin=loop).err)
        self.write("load.lua", f"load('{loop}', '=made')()")
        self.assertIn(f"| {loop}\n", self.run_engine(["--profile-paths", "load.lua"]).err)

    def test_a_chunk_named_like_a_file_is_not_shown_with_its_lines(self):
        self.write("template.txt", "<p>Hello</p>\n")
        self.write("load.lua", "load('for i = 1, 3 do local x = i end', '@template.txt')()")
        text = self.run_engine(["--profile-paths", "load.lua"]).err
        self.assertNotIn("Hello", text)
        self.assertIn("| for i = 1, 3 do local x = i end\n", text)

    def test_a_file_that_has_changed_since_is_not_shown(self):
        self.profile("p.json")
        self.write("s.lua", "-- other\n" * 20)
        self.assertIn("(no source: the file does not have the text that ran)", self.read("p.json").out)

    def test_control_characters_are_escaped(self):
        self.write("e.lua", "load('for i = 1, 3 do local x = \"\\\\x1b[2J\\x1b\" end', '=e\\x1b[2J')()")
        text = self.run_engine(["--profile-paths", "e.lua"]).err
        self.assertNotIn("\x1b", text)
        self.assertIn("e\\27[2J", text)


if __name__ == "__main__":
    harness.main()
