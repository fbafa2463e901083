"""--profile-coverage: the paths that were never taken, and --profile-sampled: what the policy had counted."""

import itertools
import json

import harness

TESTED = """local function tested(a, b, c)
  local s = 0
  if a then s = s + 1 end
  if b then s = s + 2 end
  if c then s = s + 4 end
  return s
end
local function idle(x) if x then return 1 end end
"""
CALLS = list(itertools.product(("true", "false"), repeat=3))


class ProfileCoverage(harness.CommandLineTest):
    def coverage(self, text: str, *options: str) -> dict:
        self.write("s.lua", text)
        got = self.run_engine(["--profile-paths=out.json", "--profile-coverage", *options, "s.lua"])
        self.assertEqual((got.code, got.err), (0, ""))
        report = json.loads((self.folder / "out.json").read_text())
        return report | {"by_name": {function["name"]: function for function in report["coverage"]}}

    def test_taken_and_never_taken_make_up_all_paths(self) -> None:
        for taken in (0, 1, 3, 7, 8):
            calls = "".join(f"tested({', '.join(call)})\n" for call in CALLS[:taken])
            report = self.coverage(TESTED + calls)
            function = report["by_name"]["tested"]
            self.assertEqual((function["possible"], function["taken"], len(function["never_taken"])), (8, taken, 8 - taken))
            ran = [path["key"] for f in report["functions"] if f["name"] == "tested" for path in f["paths"]]
            never = [path["key"] for path in function["never_taken"]]
            self.assertEqual(len(set(ran + never)), 8)
            self.assertNotIn("count", (function["never_taken"] or [{}])[0])

    def test_functions_that_never_ran_are_there(self) -> None:
        report = self.coverage(TESTED)
        self.assertEqual((report["by_name"]["idle"]["possible"], report["by_name"]["idle"]["taken"]), (2, 0))
        self.write("s.lua", TESTED + "tested(true, true, true)")
        got = self.run_engine(["--profile-paths", "--profile-coverage", "--profile-top=3", "s.lua"])
        self.assertIn("tested (s.lua:1): 1 of 8 paths taken; never:\n  entry > ", got.err)
        self.assertIn("  ... and 4 others\n", got.err)
        self.assertIn("Functions that did not complete any path:\n  idle (s.lua:8), 2 paths\n", got.err)

    def test_too_many_paths_to_list(self) -> None:
        branches = "".join(f"if x & {1 << i} ~= 0 then s = s + 1 end\n" for i in range(14))
        report = self.coverage(f"local function wide(x) local s = 0 {branches} return s end wide(1) wide(2)")
        function = report["by_name"]["wide"]
        self.assertEqual((function["possible"], function["taken"], function["listed"], function["never_taken"]),
                         (16384, 2, False, []))

    def test_filters(self) -> None:
        report = self.coverage(TESTED, "--profile-func=idle")
        self.assertEqual(list(report["by_name"]), ["idle"])

    def test_what_it_needs(self) -> None:
        got = self.run_engine(["--profile-coverage", "-e", "x = 1"])
        self.assertIn("'--profile-coverage' needs '--profile-paths'", got.err)
        got = self.run_engine(["--profile-paths", "--profile-coverage", "--profile-k=2", "-e", "x = 1"])
        self.assertIn("it excludes '--profile-k'", got.err)


class ProfileSampled(harness.CommandLineTest):
    def test_estimates(self) -> None:
        self.write("s.lua", """local function classify(n)
  if n % 4 == 0 then return 'yes' end
  return 'no'
end
local function run(n) for i = 1, n do classify(i) end end
run(400000)
""")
        if self.run_engine(["-ljit", "-e", "print((jit.status()))"]).out != "true\n":
            self.skipTest("no machine code here")
        adaptive = "--policy=adaptive:warm=500,sample=1000,quiet=20000"
        got = self.run_engine([adaptive, "--profile-sampled=out.json", "s.lua"])
        self.assertEqual((got.code, got.err), (0, ""))
        report = json.loads((self.folder / "out.json").read_text())
        self.assertTrue(report["estimate"])
        paths = {path["key"]: path["count"] for function in report["functions"] if function["name"] == "classify"
                 for path in function["paths"]}
        self.assertEqual(len(paths), 2)
        total = sum(paths.values())
        self.assertLess(abs(total - 400000), 20000, paths)
        self.assertLess(abs(max(paths.values()) / total - 0.75), 0.02, paths)
        text = self.run_engine([adaptive, "--profile-sampled", "s.lua"]).err
        self.assertIn("Counts are estimates", text)

    def test_what_it_needs(self) -> None:
        got = self.run_engine(["--policy=baseline", "--profile-sampled", "-e", "x = 1"])
        self.assertIn("'--profile-sampled' needs a policy that counts paths", got.err)
        got = self.run_engine(["--profile-sampled", "--profile-paths", "-e", "x = 1"])
        self.assertIn("'--profile-paths' and '--profile-sampled' exclude each other", got.err)


if __name__ == "__main__":
    harness.main()
