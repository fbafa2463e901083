#!/usr/bin/env python3
"""The report format html in a real browser (Debian's chromium): the page draws itself, and answers clicks.

    test_page.py --engine build/release/bin/mangata

Exit status 77 when there is no browser, but 1 when MANGATA_READERS, a list of installed readers, says that chromium is one.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import browser

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ""

HOSTILE = """
local t = {}
t["</script><img src=x onerror=alert(1)>"] = function(a) if a == "</script><script>alert(2)</script>" then return 1 end return 2 end -- <!-- <img src=y>
for _, f in pairs(t) do for i = 1, 1000 do f(i) end end
"""

ROWS = 'const rows = () => [...document.querySelectorAll("#functions tr[data-row]")].map((row) => [...row.cells].map((cell) => cell.textContent));'


class Page(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def profile(self, script: Path, *options: str) -> Path:
        """The page of a run; its profile is beside it."""
        saved, page = self.folder / "p.json", self.folder / "p.html"
        subprocess.run([ENGINE, f"--profile-paths={saved}", *options, script.name], check=True, capture_output=True, cwd=script.parent)
        self.report(page, "--format=html", str(saved), folder=script.parent)
        return page

    def report(self, output: Path, *arguments: str, folder: Path = ROOT) -> str:
        done = subprocess.run([ENGINE, "--report", *arguments], check=True, capture_output=True, cwd=folder)
        output.write_bytes(done.stdout)
        return done.stdout.decode()

    def run_page(self, page: Path, actions: str):
        result = browser.run(page, actions)
        self.assertEqual((result["errors"], result["requests"], result["console"]), ([], [], []))
        return result["value"]

    def test_the_first_ten_functions_are_those_of_the_text_report(self):
        page = self.profile(ROOT / "examples/tokenizer.lua")
        text = self.report(self.folder / "p.txt", str(self.folder / "p.json"))
        table = text.split("file:line\n")[1].split("\n\n")[0].split("\n")[:10]
        rows = self.run_page(page, ROWS + "return rows();")[:10]
        self.assertEqual(len(table), len(rows))
        self.assertGreaterEqual(len(rows), 7)
        for line, (share, name, place, *_) in zip(table, rows):
            self.assertIn(name, line)
            self.assertTrue(line.endswith(place), line)
            self.assertAlmostEqual(float(share.rstrip("%")), float(re.findall(r"([\d.]+)%", line)[0]), delta=0.06)

    def test_a_click_on_a_path_draws_it_through_the_source(self):
        page = self.profile(ROOT / "examples/utf8.lua", "--profile-k=3")
        drawn = self.run_page(page, """
          const before = document.querySelectorAll("#source .on, #source svg").length;
          document.querySelector("#source .paths tr.choice").click();
          const on = [...document.querySelectorAll("#source .line.on")].map((line) => Number(line.dataset.line));
          const taken = [...document.querySelectorAll("#source .line .taken")].map((cell) => cell.textContent).filter((text) => /[TF]/.test(text));
          const result = { before, on, taken, path: document.querySelector("#source .paths tr.choice .path").textContent,
            strokes: document.querySelectorAll("#source svg.rail path").length, marks: document.querySelectorAll("#source mark").length };
          document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
          return { ...result, after: document.querySelectorAll("#source .on, #source svg").length };""")
        self.assertEqual((drawn["before"], drawn["after"]), (0, 0))
        steps = re.findall(r"(\d+):([TF])", drawn["path"])
        self.assertTrue({int(line) for line, _ in steps} <= set(drawn["on"]), drawn)
        by_line: dict[str, list[str]] = {}
        for line, outcome in steps:
            by_line.setdefault(line, []).append(outcome)
        self.assertEqual(drawn["taken"], ["|".join(by_line[line]) for line in sorted(by_line, key=int)])
        self.assertEqual(drawn["marks"], len(by_line))
        self.assertGreater(drawn["strokes"], 5)

    def test_search_and_sort(self):
        page = self.profile(ROOT / "examples/tokenizer.lua")
        found = self.run_page(page, ROWS + """
          const field = document.querySelector("input[type=search]");
          field.value = "is_"; field.dispatchEvent(new Event("input"));
          const searched = rows();
          field.value = ""; field.dispatchEvent(new Event("input"));
          const head = [...document.querySelectorAll("#functions th button")].find((button) => button.textContent === "function");
          head.click();
          return { searched, sorted: rows(), order: document.querySelectorAll("#functions th")[1].getAttribute("aria-sort") };""")
        self.assertEqual([row[1] for row in found["searched"]], ["is_letter", "is_digit"])
        names = [row[1] for row in found["sorted"]]
        self.assertEqual(names, sorted(names, key=str.lower))
        self.assertEqual(found["order"], "ascending")

    def test_loops_tell_which_path_follows_which(self):
        page = self.profile(ROOT / "examples/alternation.lua", "--profile-k=2")
        parts = self.run_page(page, """document.querySelector("#loops tr.choice").click();
          return [...document.querySelectorAll(".transitions .part")].map((part) => part.textContent);""")
        self.assertIn("A 100%", parts)
        self.assertIn("B 100%", parts)

    def test_samples_are_drawn_as_calls(self):
        script = self.folder / "busy.lua"
        script.write_text("local function work() local s = 0 for i = 1, 3000000 do s = s + i % 7 end return s end\nfor i = 1, 30 do work() end\n")
        page = self.profile(script)
        names = self.run_page(page, 'return [...document.querySelectorAll("#flame .call")].map((call) => call.textContent);')
        self.assertEqual(names[0], "all")
        self.assertIn("work", names)

    def test_hostile_text_stays_text(self):
        script = self.folder / "hostile.lua"
        script.write_text(HOSTILE)
        found = self.run_page(self.profile(script), ROWS + """
          return { rows: rows(), images: document.images.length, scripts: document.scripts.length, source: document.querySelector("#source").textContent };""")
        self.assertEqual((found["images"], found["scripts"]), (0, 4))
        self.assertIn("t.</script><img src=x onerror=alert(1)>", [row[1] for row in found["rows"]])

    def test_a_difference(self):
        script = self.folder / "s.lua"
        script.write_text("local function f(n) for i = 1, n do if i % 2 == 0 then n = n + 0 end end end\nf(1000)\n")
        self.profile(script)
        (self.folder / "p.json").rename(self.folder / "base.json")
        script.write_text(script.read_text().replace("f(1000)", "f(3000)"))
        self.profile(script)
        page = self.folder / "diff.html"
        self.report(page, "--format=html", f"--diff={self.folder}/base.json", str(self.folder / "p.json"))
        rows = self.run_page(page, 'return [...document.querySelectorAll("#changes tr.choice")].map((row) => [...row.cells].map((cell) => cell.textContent));')
        names = [row[7] for row in rows]
        self.assertIn("f", names)
        self.assertTrue(rows[names.index("f")][1].startswith("+"))

    def test_a_page_without_functions(self):
        script = self.folder / "s.lua"
        script.write_text("return 1\n")
        self.profile(script)
        page = self.folder / "none.html"
        self.report(page, "--format=html", "--func=nosuch", str(self.folder / "p.json"))
        self.assertIn("Nothing that was counted", self.run_page(page, 'return document.querySelector("#functions").textContent;'))


def main() -> int:
    global ENGINE
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True)
    ENGINE = str(Path(parser.parse_args().engine).resolve())
    if browser.find() is None:
        print("no browser: install Debian's package chromium")
        return 1 if "chromium" in os.environ.get("MANGATA_READERS", "").split() else 77
    return not unittest.main(argv=[sys.argv[0]], exit=False, verbosity=2).result.wasSuccessful()


if __name__ == "__main__":
    sys.exit(main())
