#!/usr/bin/env python3
"""--profile-max-memory: profiles with very many different paths stay within it, keep the hottest, and say what they leave out."""

import os
import subprocess

import harness

# Two iterations in turn, and in between, now and then, one of 256 at random: some windows are hot, most of them occur once.
PROGRAM = """
local count, state = 0, 1
local function chance(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % n
end
local function input(i)
  if chance(3) == 0 then return chance(256) end
  return i % 2 * 255
end
for i = 1, tonumber(arg[1]) do
  local x = input(i)
  if x & 1 ~= 0 then count = count + 1 end
  if x & 2 ~= 0 then count = count + 2 end
  if x & 4 ~= 0 then count = count + 3 end
  if x & 8 ~= 0 then count = count + 4 end
  if x & 16 ~= 0 then count = count + 5 end
  if x & 32 ~= 0 then count = count + 6 end
  if x & 64 ~= 0 then count = count + 7 end
  if x & 128 ~= 0 then count = count + 8 end
end
"""


class ProfileMemory(harness.ProfileTest):
    option = "--profile-paths"

    def setUp(self) -> None:
        super().setUp()
        self.write("many.lua", PROGRAM)

    def profile(self, count: int, *options: str) -> dict:
        got = self.run_engine(["--profile-paths=out.json", "--profile-time=off", "--profile-k=3", *options, "many.lua", str(count)])
        self.assertEqual(got.code, 0, got.err)
        return self.take_report()

    @staticmethod
    def windows(report: dict) -> dict[str, int]:
        return {window["key"]: window["count"] for f in report["functions"] for loop in f.get("loops", []) for window in loop["windows"]}

    def test_the_hottest_are_kept_and_counts_are_exact(self):
        whole, part = self.profile(4000), self.profile(4000, "--profile-max-memory=4M")
        self.assertNotIn("left_out", whole)
        all_windows, kept = self.windows(whole), self.windows(part)
        self.assertTrue(10 < len(kept) < len(all_windows), (len(kept), len(all_windows)))
        self.assertEqual({key: all_windows[key] for key in kept}, kept)
        rest = [count for key, count in all_windows.items() if key not in kept]
        self.assertLessEqual(max(rest), min(kept.values()))
        left_out = part["left_out"]
        self.assertEqual(left_out["most_missing"], 0)
        self.assertEqual(left_out["max_memory"], 4 << 20)
        self.assertEqual(part["totals"]["completed"], whole["totals"]["completed"])
        self.assertEqual(left_out["executions"] + sum(p["count"] for f in part["functions"] for p in f["paths"]) + sum(kept.values()),
                         whole["totals"]["completed"])

    def test_counters_that_are_given_up_make_lower_bounds(self):
        whole, part = self.profile(100000, "--profile-max-memory=4G", "--profile-top=200"), self.profile(100000, "--profile-max-memory=2M")
        missing = part["left_out"]["most_missing"]
        self.assertGreater(missing, 0)
        self.assertEqual(part["totals"]["completed"], whole["totals"]["completed"])
        all_windows = self.windows(whole)
        for key, count in self.windows(part).items():
            if key in all_windows:
                self.assertTrue(count <= all_windows[key] <= count + missing, key)
        hottest = sorted(all_windows, key=all_windows.get)[-5:]
        self.assertTrue(set(hottest) <= set(self.windows(part)))

    def test_text_says_it(self):
        got = self.run_engine(["--profile-paths", "--profile-k=3", "--profile-max-memory=2M", "many.lua", "100000"])
        self.assertRegex(got.err, r"Left out, to stay within 2M \(--profile-max-memory\): \d+ paths of the rarest, which ran \d+ times in all\.")
        self.assertRegex(got.err, r"are lower bounds: at most \d+ too low\.")
        got = self.run_engine(["--profile-paths", "--profile-k=3", "many.lua", "1000"])
        self.assertNotIn("Left out", got.err)

    def test_tiers_agree(self):
        reports = [self.profile(60000, "--profile-max-memory=2M", policy) for policy in ("--policy=interpreter", "--policy=baseline")]
        for report in reports:
            del report["runs"]  # of this run: all else is compared
        self.assertEqual(reports[0], reports[1])

    def test_memory_stays_flat(self):
        used = []
        for count in (400000, 2000000):
            command = [harness.ENGINE, "--policy=baseline", "--profile-paths=out.json", "--profile-k=3", "--profile-max-memory=8M", "many.lua", str(count)]
            process = subprocess.Popen(command, cwd=self.folder)
            _, status, usage = os.wait4(process.pid, 0)
            self.assertEqual(status, 0)
            used.append(usage.ru_maxrss)
        self.assertLess(used[1], 1.3 * used[0], used)
        self.assertLess(used[1], 200 << 10, used)

    def test_sizes_that_are_refused(self):
        for size in ("0", "x", "1000", "-1M"):
            self.assertEqual(self.run_engine(["--profile-paths", f"--profile-max-memory={size}", "-e", ""]).code, 1, size)


if __name__ == "__main__":
    harness.without_huge_pages()
    harness.main()
