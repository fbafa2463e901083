#!/usr/bin/env python3
"""Profiles survive: signals, snapshots while the program runs, files that are replaced at once, and errors of writing them."""

import json
import os
import random
import signal
import stat
import subprocess
import time

import harness
from exact_profile import exact_part

# Says "ready", then works until it is stopped. `caught` makes it survive the first Ctrl-C.
WORK = """
local function classify(n)
  if n % 2 == 0 then return 'even' end
  return 'odd'
end
local function work()
  while true do classify(1) end
end
io.write('ready\\n') io.stdout:flush()
if ... == 'caught' then
  print(pcall(work)) io.stdout:flush()
end
if ... == 'blocked' then
  io.read('l')
  while true do end
end
work()
"""


class Survival(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("w.lua", WORK)

    def start(self, *arguments: str, **options) -> subprocess.Popen:
        process = subprocess.Popen([harness.ENGINE, *harness.ENGINE_OPTIONS, *arguments], cwd=self.folder, env=harness.environment({}), bufsize=0,
                                   **({"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options))
        self.addCleanup(self.end, process)
        if process.stdout is not None:
            self.assertEqual(process.stdout.readline(), b"ready\n", process.stderr.read() if process.poll() is not None else "")
        return process

    def end(self, process: subprocess.Popen) -> None:
        if process.poll() is None:
            process.kill()
        process.communicate()

    def path(self, name: str = "out.json"):
        return self.folder / name

    def completed(self, name: str = "out.json") -> int:
        """How often classify is said to have returned."""
        functions = json.loads(self.path(name).read_text())["functions"]
        return sum(path["count"] for f in functions if f["name"] == "classify" for path in f["paths"])

    def wait_for(self, what, process: subprocess.Popen) -> None:
        end = time.monotonic() + 30
        while not what():
            self.assertIsNone(process.poll(), "the program has ended")
            self.assertLess(time.monotonic(), end, "it does not happen")
            time.sleep(0.01)

    def leftovers(self) -> list[str]:
        return [name for name in os.listdir(self.folder) if name not in ("w.lua", "out.json")]

    def test_signals_that_end_the_program(self):
        for option in ("--profile-paths", "--profile-edges"):
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
                process = self.start(f"{option}=out.json", "w.lua")
                process.send_signal(number)
                process.communicate(timeout=30)
                self.assertEqual(process.returncode, -number)
                self.assertTrue(json.loads(self.path().read_text())["functions"])
                self.assertEqual(self.leftovers(), [])
                self.path().unlink()

    def test_without_a_profile_signals_are_not_taken(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
            process = self.start("w.lua", "blocked")
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=30), -number)

    def test_second_interrupt(self):
        process = self.start("--profile-paths=out.json", "w.lua", "caught")
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        self.assertIn(b"interrupted!", process.stdout.readline())
        self.assertFalse(self.path().exists())
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertGreater(self.completed(), 0)

    def test_a_program_that_waits_is_ended(self):
        process = self.start("--profile-paths=out.json", "w.lua", "blocked")
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30), -signal.SIGTERM)
        self.assertTrue(json.loads(self.path().read_text())["functions"])

    def test_output_that_nobody_reads(self):
        self.write("lines.lua", "for i = 1, 1e9 do print(i) end")
        command = f"'{harness.ENGINE}' --profile-paths=out.json lines.lua | head -n 1"
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout, "1\n")
        self.assertTrue(json.loads(self.path().read_text())["functions"])

    def test_ignored_signals_stay_so(self):
        process = self.start("--profile-paths=out.json", "w.lua", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        self.assertIsNone(process.poll())

    def test_snapshots_on_request(self):
        for options in ([], ["--profile-k=3"], ["--policy=interpreter"], ["--policy=optimizer:warm=200"]):
            process = self.start("--profile-paths=out.json", *options, "w.lua")
            counts = []
            for _ in range(3):
                self.path().unlink(missing_ok=True)
                time.sleep(0.05)
                process.send_signal(signal.SIGUSR1)
                self.wait_for(self.path().exists, process)
                counts.append(self.completed())
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)
            counts.append(self.completed())
            self.assertEqual(counts, sorted(set(counts)), options)

    def test_snapshots_of_other_profiles(self):
        for option in ("--profile-edges", "--profile-sampled"):
            if option == "--profile-sampled" and harness.ENGINE_OPTIONS:
                continue  # policies that are named there do not sample
            process = self.start(f"{option}=out.json", "w.lua")
            time.sleep(0.2)
            process.send_signal(signal.SIGUSR1)
            self.wait_for(self.path().exists, process)
            self.assertTrue(json.loads(self.path().read_text())["functions"], option)
            self.path().unlink()

    def test_snapshots_change_nothing(self):
        """The last profile is that of a run without any."""
        self.write("w.lua", "io.write('ready\\n') io.stdout:flush() local n = 0\n"
                   "for i = 1, 3e6 do if i % 3 == 0 then n = n + 1 end end print(n)")
        self.assertEqual(self.run_engine(["--profile-paths=plain.json", "--profile-time=off", "w.lua"]).code, 0)
        process = self.start("--profile-paths=out.json", "--profile-time=off", "--profile-every=0.005", "w.lua")
        for _ in range(20):
            process.send_signal(signal.SIGUSR1)
            time.sleep(0.002)
        out, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (0, b"1000000\n"))
        self.assertEqual(exact_part(self.path().read_text()), exact_part(self.path("plain.json").read_text()))

    def test_snapshots_every_so_often(self):
        process = self.start("--profile-paths=out.json", "--profile-every=0.02", "w.lua")
        counts = set()
        for _ in range(5):
            self.path().unlink(missing_ok=True)
            self.wait_for(self.path().exists, process)
            counts.add(self.completed())
        self.assertEqual(len(counts), 5)

    def test_snapshots_leave_the_program_its_time(self):
        """Those that take longer than the time between two of them."""
        functions = "".join(f"function f{i}(x) if x then return x end end f{i}(1)\n" for i in range(1000))
        self.write("w.lua", f"io.write('ready\\n') io.stdout:flush() {functions} for round = 1, 10 do for i = 0, 999 do _G['f' .. i](i) end end print('end')")
        process = self.start("--profile-paths=out.json", "--profile-every=0.005", "w.lua")
        out, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (0, b"end\n"))
        self.assertTrue(json.loads(self.path().read_text())["functions"])

    def test_snapshots_every_so_often_need_a_file(self):
        for options in (["--profile-paths", "--profile-every=1"], ["--profile-every=1"], ["--profile-paths=o", "--profile-every=0"],
                        ["--profile-paths=o", "--profile-every=-1"], ["--profile-paths=o", "--profile-every=x"]):
            got = self.run_engine([*options, "-e", "print(1)"])
            self.assertEqual((got.code, got.out), (1, ""), options)
            self.assertIn("--profile-every", got.err)

    def test_killed_at_any_moment(self):
        """The file is an old one or a new one, and always whole."""
        chance = random.Random(5)
        found = 0
        for _ in range(40):
            process = self.start("--profile-paths=out.json", "--profile-every=0.001", "w.lua")
            time.sleep(chance.uniform(0, 0.03))
            process.kill()
            process.communicate()
            if self.path().exists():
                self.completed()
                found += 1
        self.assertGreater(found, 10)
        for name in self.leftovers():
            self.assertRegex(name, r"^out\.json\.\w{6}$")

    def test_nothing_is_left_of_a_program_that_is_killed_at_once(self):
        process = self.start("--profile-paths=out.json", "w.lua")
        process.kill()
        process.communicate()
        self.assertEqual(self.leftovers(), [])
        self.assertFalse(self.path().exists())

    def test_what_is_replaced(self):
        self.write("s.lua", "print(1)")
        old = self.path("real.json")
        old.write_text("old")
        old.chmod(0o640)
        os.symlink("real.json", self.path())
        self.assertEqual(self.run_engine(["--profile-paths=out.json", "s.lua"]).code, 0)
        self.assertTrue(self.path().is_symlink())
        json.loads(old.read_text())
        self.assertEqual(stat.S_IMODE(old.stat().st_mode), 0o640)
        subprocess.run(["sh", "-c", f"umask 027; '{harness.ENGINE}' --profile-paths=new.json s.lua"], cwd=self.folder, check=True, capture_output=True)
        self.assertEqual(stat.S_IMODE(self.path("new.json").stat().st_mode), 0o640)

    def test_what_is_no_regular_file(self):
        self.write("s.lua", "x = 1")
        got = self.run_engine(["--profile-paths=/dev/stdout", "--profile-format=json", "s.lua"])
        self.assertEqual((got.code, json.loads(got.out)["version"]), (0, 1))
        os.mkfifo(self.path("pipe"))
        reader = subprocess.Popen(["cat", "pipe"], cwd=self.folder, stdout=subprocess.PIPE)
        got = self.run_engine(["--profile-paths=pipe", "--profile-format=json", "s.lua"])
        out, _ = reader.communicate(timeout=30)
        self.assertEqual((got.code, json.loads(out)["version"]), (0, 1))
        self.assertTrue(stat.S_ISFIFO(self.path("pipe").stat().st_mode))

    def test_names_that_leave_no_room_for_another(self):
        self.write("s.lua", "x = 1")
        name = "n" * 250 + ".json"
        self.assertEqual(self.run_engine([f"--profile-paths={name}", "s.lua"]).code, 0)
        json.loads(self.path(name).read_text())

    def test_snapshots_that_cannot_be_written(self):
        os.mkdir(self.path("folder"))
        self.write("w.lua", "io.write('ready\\n') io.stdout:flush() io.read('l') for i = 1, 1e6 do end")
        process = self.start("--profile-paths=folder/out.json", "w.lua")
        os.rmdir(self.path("folder"))
        process.send_signal(signal.SIGUSR1)
        _, err = process.communicate(b"go\n", timeout=30)
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"mangata: cannot write profile 'folder/out.json': No such file or directory\n", err)

    def test_filters_that_match_nothing(self):
        self.write("s.lua", "local function f() end f()")
        for options, why in ((["--profile-func=g"], "no function that ran matches '--profile-func=g'"),
                             (["--profile-file=x.lua"], "no file of a function that ran matches '--profile-file=x.lua'"),
                             (["--profile-func=f", "--profile-file=x"], "no file of a function that ran matches '--profile-file=x'")):
            for kind in ("--profile-paths=out.json", "--profile-edges=out.json"):
                got = self.run_engine([kind, *options, "s.lua"])
                self.assertEqual((got.code, got.err), (0, f"lua: {why}\n"), options)
        self.assertEqual(self.run_engine(["--profile-paths=out.json", "--profile-func=f", "--profile-file=*.lua", "s.lua"]).err, "")


if __name__ == "__main__":
    harness.main()
