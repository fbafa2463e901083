#!/usr/bin/env python3
"""A soak counts what its campaigns compare, continues with the next seeds, survives being killed, and reports an engine that is wrong.

    test_soak.py --engine build/release/bin/mangata
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SOAK = Path(__file__).resolve().parent / "soak.py"
ONLY = ["--only", "tiers-mixed", "--no-sanitizers"]
# Says one thing more than the engine about the first program of a campaign when it compiles it, alone and among others.
WRONG_ENGINE = ('#!/bin/sh\n"{engine}" "$@"\nstatus=$?\n'
                'case "$*" in *baseline*"--given "*"000000 "*|*baseline*--file*) echo more;; esac\nexit $status\n')


class Soak(unittest.TestCase):
    engine = ""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.builds = Path(self.folder.name)
        self.program = self.builds / "release" / "bin" / "mangata"
        self.program.parent.mkdir(parents=True)
        self.install("#!/bin/sh\nexec \"{engine}\" \"$@\"\n")

    def tearDown(self) -> None:
        self.folder.cleanup()

    def install(self, script: str) -> None:
        self.program.write_text(script.replace("{engine}", self.engine))
        self.program.chmod(0o755)

    def command(self, *options: str) -> list[str]:
        return [sys.executable, "-B", str(SOAK), "--builds", str(self.builds), *ONLY, *options]

    def soak(self) -> subprocess.CompletedProcess:
        return subprocess.run(self.command("--minutes", "0.01", "--stint-seconds", "1"), capture_output=True, text=True)

    def state(self) -> dict:
        return json.loads((self.builds / "soak" / "state.json").read_text())

    def test_continues_with_the_next_seeds(self) -> None:
        first = self.soak()
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
        before = self.state()
        second = self.soak()
        self.assertEqual(second.returncode, 0, second.stdout + second.stderr)
        after = self.state()
        for name, seed in before["next_seeds"].items():
            self.assertGreater(after["next_seeds"][name], seed)
        self.assertGreater(sum(row["comparisons"] for row in after["rows"]), sum(row["comparisons"] for row in before["rows"]))
        self.assertIn(f"{sum(row['programs'] for row in after['rows']):,}", second.stdout)

    def test_makes_do_with_the_builds_that_are_there(self) -> None:
        (self.builds / "release").rename(self.builds / "asan")
        command = [word for word in self.command("--minutes", "0.01", "--stint-seconds", "1") if word != "--no-sanitizers"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("without the builds release, tsan", done.stdout)
        self.assertEqual({row["build"] for row in self.state()["rows"]}, {"asan"})

    def test_keeps_what_was_done_when_it_is_interrupted(self) -> None:
        self.soak()
        before = self.state()
        with subprocess.Popen(self.command("--stint-seconds", "600"), stdout=subprocess.PIPE, text=True) as running:
            while "a round" not in running.stdout.readline():  # the last word before it begins
                pass
            time.sleep(0.5)
            running.send_signal(signal.SIGTERM)
            said = running.communicate(timeout=60)[0]
        self.assertIn("interrupted", said)
        self.assertIn("all", said.splitlines()[-1])
        self.assertEqual(self.state()["next_seeds"], before["next_seeds"])

    def test_reports_an_engine_that_is_wrong(self) -> None:
        self.install(WRONG_ENGINE)
        done = self.soak()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("different", self.state()["findings"][0])
        self.assertTrue(list((self.builds / "soak" / "findings").glob("*.lua")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True)
    arguments, rest = parser.parse_known_args()
    Soak.engine = os.path.abspath(arguments.engine)
    unittest.main(argv=[sys.argv[0], *rest])
