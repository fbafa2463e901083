#!/usr/bin/env python3
"""Our files are valid by the schema in speedscope's package, and say what our own report says."""

import base64
import html
import json
import os
import re
import shutil
import unittest
from pathlib import Path

import reader_test
from reader_test import saved, text_rows

VALIDATE = """
const [, schema, ...files] = process.argv;
const fs = require('fs');
const read = (name) => JSON.parse(fs.readFileSync(name));
const Ajv = require('ajv');
const validate = new Ajv({ strict: false }).compile(read(schema));
for (const file of files) {
  if (!validate(read(file))) { console.error(file, validate.errors); process.exit(1); }
}
console.log('valid');
"""


BROWSER_OPTIONS = ("--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage",
                   "--disable-background-networking", "--allow-file-access-from-files", "--window-size=1400,1200", "--virtual-time-budget=20000")


def browser() -> str | None:
    return shutil.which("chromium") or shutil.which("google-chrome")


def modules() -> Path:
    return Path(os.environ.get("MANGATA_NODE_MODULES", reader_test.INSTALLED / "node_modules"))


def schema() -> Path:
    return modules() / "speedscope" / "dist" / "release" / "file-format-schema.json"


class Speedscope(unittest.TestCase):
    maxDiff = None

    def validate(self, *files: str) -> str:
        return reader_test.run("node", "-e", VALIDATE, str(schema()), *files, env={**os.environ, "NODE_PATH": str(modules())})

    def test_files_are_valid(self):
        sampled = reader_test.write_profile("run.json", "--profile-alloc", "--profile-time=2000")
        exact = reader_test.write_profile("exact.json", "--profile-time=off")
        direct = reader_test.write_profile("direct.speedscope.json")
        files = [reader_test.converted(source, "speedscope", ".speedscope.json") for source in (sampled, exact)]
        self.assertEqual(self.validate(*files, direct), "valid\n")

    def test_the_schema_refuses_what_is_none(self):
        (reader_test.FOLDER / "wrong.json").write_text(json.dumps({"shared": {"frames": []}, "profiles": [{"type": "sampled"}]}))
        with self.assertRaises(AssertionError):
            self.validate("wrong.json")

    def test_functions_weigh_what_the_report_says(self):
        source = reader_test.write_profile("run.json", "--profile-alloc", "--profile-time=2000")
        file = saved(reader_test.converted(source, "speedscope", ".speedscope.json"))
        time, bytecodes, allocated = file["profiles"]
        names = [frame["name"] for frame in file["shared"]["frames"]]
        self.assertEqual(len(names), len(set(names)))
        flat, cumulated = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
        for stack, weight in zip(time["samples"], time["weights"]):
            flat[names[stack[-1]]] += weight
            for frame in set(stack):
                cumulated[names[frame]] += weight
        rows = text_rows(source)
        self.assertEqual([row[0] for row in rows], sorted(names, key=lambda name: -flat[name])[:10])
        for row in rows:
            self.assertAlmostEqual(row[1], flat[row[0]] / 1e6, delta=0.06)
            self.assertAlmostEqual(row[4], cumulated[row[0]] / 1e6, delta=0.06)
        profile = saved(source)
        self.assertEqual(time["endValue"], reader_test.sampled_nanoseconds(profile))
        self.assertEqual(bytecodes["endValue"], profile["totals"]["bytecodes"])
        self.assertEqual(allocated["endValue"], sum(path["allocated_bytes"] for f in profile["functions"] for path in f["paths"]))

    @unittest.skipUnless(browser() or reader_test.is_promised("chromium"), "no chromium")
    def test_a_browser_draws_it(self):
        """Its table of functions by time of their own, in the page of the package; the flame graph is drawn by WebGL, so by software."""
        source = reader_test.write_profile("run.json", "--profile-time=2000")
        file = reader_test.FOLDER / reader_test.converted(source, "speedscope", ".speedscope.json")
        script = reader_test.FOLDER / "profile.js"
        script.write_text(f'speedscope.loadFileFromBase64("{file.name}", "{base64.b64encode(file.read_bytes()).decode()}")')
        page = (schema().parent / "index.html").resolve().as_uri()
        text = reader_test.run(browser(), *BROWSER_OPTIONS, f"--user-data-dir={reader_test.FOLDER / 'browser'}", "--dump-dom",
                               f"{page}#localProfilePath={script}&view=sandwich")
        cell = r"<td[^>]*>([^<]*)<div.*?</td>"   # with a bar
        drawn = re.findall(rf"<tr[^>]*>{cell}{cell}<td[^>]*><span[^>]*></span>([^<]*)</td></tr>", text)
        drawn = [(html.unescape(name), own) for _, own, name in drawn]
        rows = text_rows(source)
        self.assertEqual([name for name, _ in drawn[:10]], [row[0] for row in rows])
        for (_, own), row in zip(drawn, rows):
            milliseconds = re.match(r"([\d.]+)(ms|\u00b5s) \(([\d.]+)%\)", own)
            self.assertAlmostEqual(float(milliseconds[1]) / (1 if milliseconds[2] == "ms" else 1000), row[1], delta=0.06, msg=own)
            self.assertAlmostEqual(float(milliseconds[3]), row[2], delta=0.6, msg=own)   # whole percents where they are large


if __name__ == "__main__":
    reader_test.main("speedscope", lambda: shutil.which("node") is not None and schema().is_file())
