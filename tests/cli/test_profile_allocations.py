#!/usr/bin/env python3
"""--profile-alloc: bytes and objects that paths allocate, exactly, in every tier."""

import json

import harness

TIERS = [["--policy=interpreter"], ["--policy=baseline"], [], ["--policy=optimizer"], ["--stress=schedule:3"], ["--stress=region:1"]]

SCRIPT = """local function tables(n)
  local last
  for i = 1, n do
    last = {}
  end
  return last
end
local function points(n)
  local sum = 0
  for i = 1, n do
    local p = {x = i, y = i}
    sum = sum + p.x + p.y
  end
  return sum
end
local function closures(n)
  local f
  for i = 1, n do
    f = function() return i end
  end
  return f
end
local function strings(n)
  local s
  for i = 1, n do
    s = string.rep("x", 100 + i % 7)
  end
  return s
end
local function numbers(n)
  local sum = 0
  for i = 1, n do
    sum = sum + i
  end
  return sum
end
local function inner() return {} end
local function outer(n)
  local t
  for i = 1, n do
    t = inner()
  end
  return t
end
local function fails() local t = {} error(t) end
local co = coroutine.wrap(function() while true do coroutine.yield({}) end end)
local function resumes(n) for i = 1, n do co() end end
local function catches(n) for i = 1, n do pcall(fails) end end
local N = 1000
tables(N) points(N) closures(N) strings(N) numbers(N) outer(N) resumes(N) catches(N)
"""


class ProfileAllocations(harness.CommandLineTest):
    def profile(self, *options: str) -> dict:
        self.write("s.lua", SCRIPT)
        got = self.run_engine(["--profile-paths=p.json", "--profile-time=off", *options, "s.lua"])
        self.assertEqual((got.code, got.err), (0, ""))
        return json.loads((self.folder / "p.json").read_text())

    @staticmethod
    def loop_path(profile: dict, name: str) -> dict:
        """The path that a function of the script takes most."""
        function = next(f for f in profile["functions"] if f["name"] == name)
        return max(function["paths"], key=lambda path: path["count"])

    def test_each_path_has_what_it_allocates(self):
        profile = self.profile("--profile-alloc")
        objects = {name: self.loop_path(profile, name) for name in ("tables", "points", "closures", "strings", "numbers", "outer", "inner")}
        per_run = {name: path["allocated_objects"] / path["count"] for name, path in objects.items()}
        self.assertEqual(per_run, {"tables": 1, "points": 1, "closures": 2, "strings": 1, "numbers": 0, "outer": 0, "inner": 1})
        self.assertGreaterEqual(objects["strings"]["allocated_bytes"], 100 * objects["strings"]["count"])
        self.assertEqual(objects["numbers"]["allocated_bytes"], 0)

    def test_it_is_the_same_in_every_tier(self):
        expected = self.profile("--profile-alloc", *TIERS[0])
        for tier in TIERS[1:]:
            for k in ([], ["--profile-k=2"]):
                with self.subTest(tier=tier, k=k):
                    expected = self.profile("--profile-alloc", *k, *TIERS[0])
                    self.assertEqual(self.profile("--profile-alloc", *k, *tier)["functions"], expected["functions"])

    def test_counts_are_the_same_with_and_without(self):
        def counts(profile: dict) -> list:
            return [(f["id"], f["line"], p["key"], p["count"]) for f in profile["functions"] for p in f["paths"]]

        self.assertEqual(counts(self.profile("--profile-alloc")), counts(self.profile()))

    def test_a_profile_without_has_none(self):
        self.assertNotIn("allocated_bytes", self.loop_path(self.profile(), "tables"))

    def test_it_needs_a_profile_of_paths(self):
        for options in (["--profile-alloc"], ["--profile-alloc", "--profile-edges"]):
            got = self.run_engine([*options, "-e", ""])
            self.assertEqual(got.code, 1)
            self.assertIn("'--profile-alloc' needs '--profile-paths'", got.err)


if __name__ == "__main__":
    harness.main()
