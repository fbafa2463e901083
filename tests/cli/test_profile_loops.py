#!/usr/bin/env python3
"""Loops in path profiles: the lines they are called by, the branches that end a round, the k that is in force."""

import json

import harness

# The last thing in each of the outer loops is another loop.
NESTED = """local list, sum = {1, 2, 3}, 0
for _, v in ipairs(list) do
  sum = sum + v
  for j = 1, 2 do
    sum = sum + j
  end
end
for _, v in ipairs(list) do
  sum = sum + v
  for _, w in ipairs(list) do
    sum = sum + w
  end
end
for i = 1, 3 do
  sum = sum + i
  for j = 1, 2 do
    sum = sum + j
  end
end
while sum < 100 do
  sum = sum + 1
  for _, w in ipairs(list) do
    sum = sum + w
  end
end
print(sum)
"""

# Both outcomes of the condition lead back to the loop, and nothing lies between.
EMPTY_ARM = """for _ = 1, 10 do
  for _, v in ipairs{1, 2, 3} do
    if v > 1 then
    end
  end
end
"""

SHORT_STAYS = """local function f(list)
  local sum = 0
  for _, v in ipairs(list) do
    sum = sum + v
  end
  return sum
end
for _ = 1, 1000 do f{1, 2, 3} end
"""

# 14 conditions are more than half of the 27 bits that a window has; 33 are more paths than are numbered.
MANY = "local function f(x)\n  local y = 0\n  for i = 1, 40 do\n" + "".join(
    f"    if x & {1 << i} ~= 0 then y = y + 1 end\n" for i in range(14)
) + "  end\n  return y\nend\nf(12345)\n"
TOO_MANY = "local function g(x)\n  local y = 0\n" + "".join(
    f"  if x & {1 << i} ~= 0 then y = y + 1 end\n" for i in range(33)
) + "  for i = 1, 10 do y = y + 1 end\n  return y\nend\ng(5)\n"


class ProfiledLoops(harness.CommandLineTest):
    def report(self, text: str, *options: str) -> dict:
        self.write("s.lua", text)
        got = self.run_engine(["--profile-paths=out.json", *options, "s.lua"])
        self.assertEqual((got.code, got.err), (0, ""))
        return json.loads((self.folder / "out.json").read_text())

    def text(self, text: str, *options: str) -> str:
        self.write("s.lua", text)
        got = self.run_engine(["--profile-paths", *options, "s.lua"])
        self.assertEqual(got.code, 0)
        return got.err

    def function(self, name: str, report: dict) -> dict:
        return next(function for function in report["functions"] if function["name"] == name)

    def test_outer_loops_have_their_own_lines(self):
        (main,) = self.report(NESTED)["functions"]
        lines = {path[at]["line"] for path in main["paths"] for at in ("start", "end") if path[at]["kind"] == "loop"}
        self.assertEqual(lines, {2, 4, 8, 10, 14, 16, 20, 22})
        text = self.text(NESTED)
        self.assertIn("loop 4 > 4:done > loop 2", text)
        self.assertIn("loop 2 > 2:loop 4:enter > loop 4", text)
        self.assertIn("loop 10 > 10:done > loop 8", text)
        (main,) = self.report(NESTED, "--profile-k=2")["functions"]
        self.assertEqual({loop["line"] for loop in main["loops"]}, {4, 10, 16, 22})

    def test_the_last_condition_of_a_round_is_a_step(self):
        for options in ([], ["--profile-array=1"]):
            (main,) = self.report(EMPTY_ARM, "--profile-weight=count", *options)["functions"]
            rounds = [path for path in main["paths"] if path["end"]["kind"] == "loop" and path["end"]["line"] == 2]
            self.assertEqual([(path["steps"][-1]["line"], path["steps"][-1]["arm"], path["count"]) for path in rounds],
                             [(3, "T", 20), (3, "F", 9), (3, "F", 1)])
            self.assertEqual(len({path["key"] for path in main["paths"]}), len(main["paths"]))
        text = self.text(EMPTY_ARM)
        self.assertIn(" 20       3  loop 2 > 2:loop 3:T > loop 2\n", text)
        self.assertIn("loop 1 > 2:loop 3:F > loop 2\n", text)

    def test_the_last_condition_is_one_edge(self):
        (main,) = self.report(EMPTY_ARM)["functions"]
        edges = {path["steps"][-1]["arm"]: path["edges"] for path in main["paths"] if path["start"]["line"] == 2 and path["end"]["line"] == 2}
        self.assertEqual(edges, {"T": 2})  # to the body, and back
        self.assertEqual(self.report(EMPTY_ARM)["functions"][0]["by_edges"]["paths"], 40)

    def test_rounds_of_several_are_told_apart_too(self):
        (main,) = self.report(EMPTY_ARM, "--profile-k=2")["functions"]
        (loop,) = main["loops"]
        self.assertEqual((loop["rounds"], loop["distinct"], loop["accuracy"]), (20, 2, [1, 1]))
        self.assertEqual([[step["arm"] for step in path["steps"]] for path in loop["windows"]], [["loop", "T", "loop", "T"]])

    def test_stays_of_exactly_k_rounds(self):
        loop = self.function("f", self.report(SHORT_STAYS, "--profile-k=3"))["loops"][0]
        self.assertEqual((loop["backedges"], loop["rounds"], loop["distinct"], loop["windows"]), (3000, 1000, 1, []))
        self.assertRegex(self.text(SHORT_STAYS, "--profile-k=3"), r"\n +1000 +1 +3 +1 +1\.00 1\.00 1\.00 +f +s\.lua:1 +loop 3\n")

    def test_stays_of_fewer_than_k_rounds_are_listed(self):
        loop = self.function("f", self.report(SHORT_STAYS, "--profile-k=4"))["loops"][0]
        self.assertEqual((loop["backedges"], loop["rounds"], loop["distinct"], loop["accuracy"]), (3000, 0, 0, [0, 0, 0, 0]))
        self.assertRegex(self.text(SHORT_STAYS, "--profile-k=4"), r"\n +0 +0 +4 +- +- +f +s\.lua:1 +loop 3\n")

    def test_loops_with_too_many_paths_for_two_rounds_say_so(self):
        f = self.function("f", self.report(MANY, "--profile-k=3"))
        (loop,) = f["loops"]
        self.assertEqual((f["k"], f["shortened"], loop["k"], loop["line"], loop["backedges"]), (3, True, 1, 3, 39))
        self.assertEqual((loop["table"], loop["windows"], loop["body_paths"]), (None, [], None))
        self.assertIn("its paths run through fewer", self.text(MANY, "--profile-k=3"))

    def test_hashed_functions_say_that_their_k_is_one(self):
        report = self.report(TOO_MANY, "--profile-k=3", "--profile-many=hash")
        g = self.function("g", report)
        self.assertEqual((report["k"], g["k"], g["shortened"], g["loops"][0]["k"]), (3, 1, True, 1))
        self.assertIn("is therefore counted in single rounds", self.text(TOO_MANY, "--profile-k=3", "--profile-many=hash"))
        numbered = self.function("g", self.report(TOO_MANY, "--profile-k=3"))
        self.assertEqual((numbered["k"], numbered["shortened"], numbered["loops"][0]["k"]), (3, False, 3))
        self.assertNotIn("k", self.function("g", self.report(TOO_MANY, "--profile-many=hash")))


if __name__ == "__main__":
    harness.main()
