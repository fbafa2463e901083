#!/usr/bin/env python3
"""--profile-k and --profile-many: paths of several iterations, and functions with too many paths, from the command line."""

import json

import harness

ALTERNATE = """local flip, left, right = true, 0, 0
for i = 1, 100 do
  if flip then
    left = left + i
  else
    right = right + i
  end
  flip = not flip
end
print(left, right)
"""

MANY = "local function f(x)\n  local y = 0\n" + "".join(
    f"  if x & {1 << i} ~= 0 then y = y + 1 end\n" for i in range(40)
) + "  return y\nend\nprint(f(5), f(6))\n"


class ProfileWindows(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("s.lua", ALTERNATE)
        self.write("many.lua", MANY)

    def report(self, script: str, *options: str) -> dict:
        got = self.run_engine(["--profile-paths=out.json", "--profile-time=off", *options, script])
        self.assertEqual((got.code, got.err), (0, ""))
        report = json.loads((self.folder / "out.json").read_text())
        del report["runs"]  # of this run: all else is compared
        return report

    def function(self, name: str, report: dict) -> dict:
        return next(function for function in report["functions"] if function["name"] == name)

    def test_rounds_are_parted_in_the_text(self):
        got = self.run_engine(["--profile-paths", "--profile-k=2", "s.lua"])
        self.assertEqual((got.code, got.out), (0, "2500\t2550\n"))
        self.assertIn("loop 2 > 3:F | 3:T > loop 2", got.err)
        self.assertIn("loop 2 > 3:T | 3:F > loop 2", got.err)
        self.assertIn("acc(1..k)", got.err)
        self.assertIn("0.50 1.00", got.err)

    def test_json_has_the_windows_of_each_loop(self):
        report = self.report("s.lua", "--profile-k=3")
        loop = report["functions"][0]["loops"][0]
        self.assertEqual((report["k"], loop["k"], loop["best_k"]), (3, 3, 2))
        # Of 100 iterations the windows are 2..4 to 97..99: 1..3 are counted with the path that enters, 98..100 leave.
        self.assertEqual(sum(path["count"] for path in loop["windows"]), 96)
        self.assertEqual([len(path["iteration_ends"]) for path in loop["windows"]], [2, 2])
        self.assertEqual(loop["accuracy"], [0.505, 1, 1])  # of 97

    def test_one_iteration_is_the_default(self):
        self.assertEqual(self.report("s.lua", "--profile-k=1"), self.report("s.lua"))
        self.assertNotIn("loops", self.report("s.lua")["functions"][0])

    def test_other_numbers_are_refused(self):
        for value in ["0", "17", "-1", "x", "", "2.5", "1e9"]:
            got = self.run_engine(["--profile-paths", f"--profile-k={value}", "s.lua"])
            self.assertEqual((got.code, got.out), (1, ""), value)
            self.assertIn("a number of iterations, 1 to 16", got.err)

    def test_too_many_paths_are_truncated_or_hashed(self):
        truncated = self.function("f", self.report("many.lua"))
        self.assertTrue(truncated["truncated"])
        hashed = self.function("f", self.report("many.lua", "--profile-many=hash"))
        self.assertFalse(hashed["truncated"])
        self.assertEqual([len(path["steps"]) for path in hashed["paths"]], [40, 40])
        self.assertEqual(hashed["hashed_ids"]["collisions"], 0)
        self.assertLess(hashed["hashed_ids"]["collision_bound"], 1e-9)
        got = self.run_engine(["--profile-many=maybe", "many.lua"])
        self.assertEqual((got.code, got.out), (1, ""))

    def test_the_path_in_flight_at_os_exit_has_its_rounds(self):
        self.write("exit.lua", "for i = 1, 9 do\n  if i == 5 then\n    os.exit(3)\n  end\nend\n")
        got = self.run_engine(["--profile-paths", "--profile-k=2", "exit.lua"])
        self.assertEqual(got.code, 3)
        self.assertIn("loop 1 > 2:F | 2:T > left 3", got.err)

    def test_dumps_show_windows(self):
        plan = self.run_engine(["--dump=plan", "--profile-k=2", "s.lua"]).out
        self.assertIn("window 0: loop at b", plan)
        self.assertIn("iteration of window 0", plan)
        numbering = self.run_engine(["--dump=numbering", "--profile-k=2", "s.lua"]).out
        self.assertIn("== one iteration of window 0", numbering)
        self.assertNotIn("window", self.run_engine(["--dump=plan", "s.lua"]).out)


if __name__ == "__main__":
    harness.main()
