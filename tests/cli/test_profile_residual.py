#!/usr/bin/env python3
"""--profile-residual: the paths that an earlier profile does not have, from the command line."""

import json

import harness

CLASSIFY = """local function classify(x)
  if x < 0 then
    return "negative"
  end
  if x == 0 then
    return "zero"
  end
  return "positive"
end
for i = 1, select('#', ...) do classify(tonumber((select(i, ...)))) end
"""

WIDE = "local function wide(x)\n  local y = 0\n" + "".join(
    f"  if x & {1 << i} ~= 0 then y = y + 1 end\n" for i in range(14)
) + "  return y\nend\nlocal sum = 0\nfor i = 1, select('#', ...) do\n" \
    "  for _ = 1, 100 do sum = sum + wide(tonumber((select(i, ...)))) end\nend\nprint(sum)\n"


class ProfileResidual(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("s.lua", CLASSIFY)
        self.write("wide.lua", WIDE)

    def profile(self, file: str, *arguments: str) -> dict:
        got = self.run_engine([f"--profile-paths={file}", "--profile-time=off", *arguments])
        self.assertEqual((got.code, got.err), (0, ""))
        report = json.loads((self.folder / file).read_text())
        del report["runs"]  # of this run: all else is compared
        return report

    def refused(self, *options: str) -> str:
        got = self.run_engine([*options, "s.lua", "1"])
        self.assertEqual((got.code, got.out), (1, ""))
        return got.err

    def test_new_paths_come_first_in_the_text(self):
        self.profile("base.json", "s.lua", "1", "-1", "1")
        got = self.run_engine(["--profile-paths", "--profile-residual=base.json", "s.lua", "1", "0", "0"])
        self.assertEqual(got.code, 0)
        self.assertIn("1 new path in its functions, taken 2 times:", got.err)
        self.assertIn("2:F 5:T > return 6", got.err)
        self.assertNotIn("Stale", got.err)

    def test_says_how_compact_the_table_is(self):
        base = self.profile("base.json", "wide.lua", "1", "2", "3", "16383")
        known = {f["name"]: len(f["paths"]) for f in base["functions"]}
        run = ("--profile-residual=base.json", "wide.lua", "1", "2")
        got = {f["name"]: f for f in self.profile("got.json", *run)["functions"]}
        self.assertEqual(got["wide"]["preferential"]["paths"], known["wide"])
        self.assertGreaterEqual(got["wide"]["preferential"]["slots"], known["wide"])
        self.assertNotIn("preferential", got["main chunk"])
        forced = {f["name"]: f for f in self.profile("got.json", "--profile-array=0", *run)["functions"]}
        self.assertEqual(forced["main chunk"]["table"], "preferential")

    def test_nothing_new_is_said_too(self):
        self.profile("base.json", "s.lua", "1", "-1", "0")
        got = self.run_engine(["--profile-paths", "--profile-residual=base.json", "s.lua", "1", "-1", "0"])
        self.assertIn("no new paths in its functions.", got.err)

    def test_every_policy_counts_the_same(self):
        self.profile("base.json", "wide.lua", "1", "2", "3", "16383")
        run = ("wide.lua", "1", "3", "7", "16383", "8191", "0")
        expected = self.profile("plain.json", *run)
        for policy in ("interpreter", "baseline", "counter:entry=2,loop=5"):
            got = self.profile("got.json", f"--policy={policy}", "--profile-residual=base.json", *run)
            wide = next(function for function in got["functions"] if function["name"] == "wide")
            self.assertEqual(wide["table"], "preferential")
            residual = [path["count"] for path in wide["paths"] if path.get("residual")]
            self.assertEqual(sorted(residual), [100, 100, 100])
            self.assertEqual((got["baseline"]["residual"]["distinct"], got["baseline"]["stale"]), (3, []))
            self.assertEqual(self.without_comparison(got), self.without_comparison(expected), policy)

    def without_comparison(self, report: dict) -> dict:
        report = json.loads(json.dumps(report))
        report.pop("baseline", None)
        for function in report["functions"]:
            function.pop("in_baseline", None)
            function.pop("table")
            function.pop("preferential", None)
            for path in function["paths"]:
                path.pop("residual", None)
        return report

    def test_edited_functions_are_stale(self):
        self.profile("base.json", "s.lua", "1", "0")
        self.write("s.lua", CLASSIFY.replace("x < 0", "x < 7"))
        report = self.profile("new.json", "--profile-residual=base.json", "s.lua", "1", "0")
        self.assertEqual([(stale["name"], stale["gone"], len(stale["keys"])) for stale in report["baseline"]["stale"]],
                         [("classify", True, 2)])
        classify = next(function for function in report["functions"] if function["name"] == "classify")
        self.assertFalse(classify["in_baseline"])
        got = self.run_engine(["--profile-paths", "--profile-residual=base.json", "s.lua", "1", "0"])
        self.assertIn("It does not have 1 function that ran:\n  classify (s.lua:1)", got.err)
        self.assertIn("Stale in it", got.err)

    def test_hidden_paths_are_mentioned(self):
        self.profile("base.json", "--profile-top=1", "s.lua", "1", "1", "-1")
        got = self.run_engine(["--profile-paths", "--profile-residual=base.json", "s.lua", "1"])
        self.assertIn("It was written with filters", got.err)

    def test_files_that_are_no_profile_are_refused(self):
        self.write("bad.json", '{"format": "mangata-path-profile",\n  "version": }')
        self.write("other.json", '{"format": "something"}')
        use = ["--profile-paths", "--profile-residual="]
        self.assertIn("bad.json:2:14: not a path profile: it is not JSON", self.refused(use[0], use[1] + "bad.json"))
        self.assertIn("other.json: not a path profile: /format", self.refused(use[0], use[1] + "other.json"))
        self.assertIn("cannot read profile 'none.json'", self.refused(use[0], use[1] + "none.json"))
        self.assertIn("cannot read profile '.'", self.refused(use[0], use[1] + "."))
        self.assertIn("needs a file name", self.refused(*use))
        self.assertIn("needs '--profile-paths'", self.refused("--profile-residual=bad.json"))
        self.profile("k2.json", "--profile-k=2", "s.lua", "1")
        self.assertIn("k2.json: /k: a profile with --profile-k=2", self.refused(use[0], use[1] + "k2.json"))


if __name__ == "__main__":
    harness.main()
