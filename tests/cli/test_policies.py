"""--policy with plug-ins, scripts and records; --jit-log, --record-decisions, --deterministic, --simulate."""

import json
import re
from pathlib import Path

import harness

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "policies"

# In `turns` the branch takes turns, so that paths over two iterations tell more than single ones. Which way the one in
# `ascents` goes depends on addresses, and the last one on random numbers.
PROGRAM = """local function turns(n)
  local s = 0
  for i = 1, n do
    if i % 2 == 0 then s = s + i else s = s - 1 end
  end
  return s
end
local t = {}
for round = 1, 60 do t[#t + 1] = turns(2000) end
local objects = {}
for i = 1, 1000 do objects[{}] = i end
local function ascents()
  local n, last = 0, 0
  for _, i in pairs(objects) do
    if i > last then n = n + 1 end
    last = i
  end
  return n
end
for round = 1, 10 do ascents() end
local s = 0
for i = 1, 30000 do if math.random(10) > 5 then s = s + 1 end end
print(#t, t[60])
"""


class Policies(harness.CommandLineTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("p.lua", PROGRAM)

    def run_policy(self, *options: str, code: int = 0) -> harness.Outcome:
        if code == 0 and not harness.has_machine_code():
            self.skipTest("this engine has no JIT, so policies are not asked")
        got = self.run_engine([*options, "p.lua"])
        self.assertEqual(got.code, code, got.err)
        if code == 0:
            self.assertEqual(got.out, "60\t1000000\n")
        return got

    def lines(self, name: str) -> list[dict]:
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def decisions_about(self, function: str, name: str) -> list[dict]:
        return [line["decision"] for line in self.lines(name) if line.get("snapshot", {}).get("name") == function]

    def test_plugin(self) -> None:
        plugin = Path(harness.ENGINE).parents[1] / "examples" / "policies" / "loops_only.so"
        self.run_policy(f"--policy={plugin}:3000", "--jit-log=log.jsonl")
        about_turns = self.decisions_about("turns", "log.jsonl")
        self.assertEqual([d["profile"] for d in about_turns[:2]], ["none", "paths"])
        self.assertEqual(about_turns[0]["sample"], 3000)
        self.assertEqual(about_turns[1]["reason"], "1 loops")
        self.assertIn("stable", about_turns[-1]["reason"])

    def test_bad_plugins(self) -> None:
        self.write("text.so", "no shared object")
        for spec, message in [("./absent.so", "./absent.so: cannot open shared object file"), ("./text.so", "text.so: ")]:
            got = self.run_policy(f"--policy={spec}", code=1)
            self.assertTrue(got.err.startswith(f"lua: '--policy={spec}': "), got.err)
            self.assertIn(message, got.err)
            self.assertEqual(got.err.count("\n"), 1, "the usage would hide the message")

    def test_script(self) -> None:
        script = EXAMPLES / "two_iterations.lua"
        self.run_policy(f"--policy={script}", "--jit-log=log.jsonl")
        about_turns = self.decisions_about("turns", "log.jsonl")
        self.assertEqual((about_turns[0]["profile"], about_turns[0]["loop_k"]), ("iterations", [2]))
        self.assertTrue(all(d["profile"] == "iterations" for d in about_turns))
        snapshots = [line["snapshot"] for line in self.lines("log.jsonl") if line["snapshot"]["name"] == "turns"]
        self.assertEqual([loop["k"] for loop in snapshots[-1]["loops"]], [2])
        self.assertGreater(snapshots[-1]["loops"][0]["accuracy"][1], 0.99)

    def test_policies_choose_the_compiler(self) -> None:
        if not harness.has_machine_code():
            self.skipTest("this engine has no JIT, so there is nothing to choose")
        self.write("s.lua", "local function f() local n = 0 for i = 1, 100000 do n = n + i % 7 end return n end for _ = 1, 200 do f() end\n")
        for compiler, said in [("quick", "quick code"), ("llvm", "by LLVM")]:
            self.write("p.lua", "return function(s) local hot = s.events > 100000 return {tier = hot and 'optimized' or 'baseline',"
                       " sample = hot and 1000000000 or 100000, compiler = '%s'} end\n" % compiler)
            got = self.run_engine(["--policy=./p.lua", "--deterministic", "--jit-log", "s.lua"])
            if compiler == "llvm" and "there is no optimizer" in got.err:
                self.skipTest("this engine has no LLVM to choose")
            made = re.findall(r"optimized \[\d+ IR instructions.*", got.err)
            self.assertTrue(made and all(said in line for line in made), got.err)

    def test_example_that_notices_a_late_change(self) -> None:
        """What examples/policies/README.md tells: both see the change, short_rests sooner."""
        self.run_policy()
        program = str(EXAMPLES / "late_change.lua")
        seen_at = []
        for policy in ("adaptive:optimize=0", str(EXAMPLES / "short_rests.lua")):
            got = self.run_engine([f"--policy={policy}", "--deterministic", "--jit-log=log.jsonl", program])
            self.assertEqual(got.out, "15499999\n")
            drifts = [line["snapshot"]["clock"] for line in self.lines("log.jsonl")
                      if line.get("snapshot", {}).get("name") == "weigh" and line["decision"]["reason"].startswith("drift")]
            self.assertEqual(len(drifts), 1, policy)
            seen_at.append(drifts[0])
        self.assertLess(14_000_000, seen_at[1])
        self.assertLess(seen_at[1], seen_at[0])

    def test_costs_are_predicted_and_measured(self) -> None:
        self.run_policy("--policy=adaptive:warm=2000,sample=1000,quiet=5000", "--jit-log=log.jsonl")
        lines = [line for line in self.lines("log.jsonl") if "snapshot" in line]
        compiled = [line for line in lines if line["cost"]["compiled"]]
        self.assertGreater(len(compiled), 2)
        for line in lines:
            self.assertEqual(line["predicted"]["code_bytes"] > 0, bool(line["cost"]["compiled"]))
            self.assertEqual(line["predicted"]["slowdown"] > 0, line["decision"]["profile"] != "none")
            self.assertEqual(line["cost"]["nanoseconds_per_event"] > 0, line["snapshot"]["asked"] > 0)
        for line in compiled:  # what is predicted is the right order of magnitude
            self.assertLess(line["predicted"]["code_bytes"], 4 * line["cost"]["code_bytes"])
            self.assertGreater(line["predicted"]["code_bytes"], line["cost"]["code_bytes"] / 4)
        got = self.run_engine(["--policy=adaptive:size=0,warm=2000,sample=1000", "--jit-log", "p.lua"])
        self.assertRegex(got.err, r"baseline \[\d+ bytes, [\d.]+ ms, predicted \d+ bytes, [\d.]+ ms\]: warm")
        self.assertRegex(got.err, r"\+ paths \[.*; counting: predicted \+6%; so far [\d.]+ ns per event\]: hot")
        got = self.run_engine(["--policy=adaptive:warm=2000,sample=1000", "--deterministic", "--jit-log", "p.lua"])
        self.assertRegex(got.err, r"interpreter: lukewarm: 47 bytecodes wait for \d+ calls or iterations more")
        self.assertRegex(got.err, r"baseline \[predicted \d+ bytes, [\d.]+ ms\]: warm")
        self.assertNotIn("per event", got.err)

    def test_a_loop_at_the_start_of_a_function_counts_its_iterations_once(self) -> None:
        self.run_policy()
        self.write("loop.lua", "local function f(n) while n > 0 do n = n - 1 end end\nf(1000000)\nf(1000000)\n")
        self.run_engine(["--policy=adaptive:quiet=10000,rest=10000,optimize=0", "--jit-log=log.jsonl", "loop.lua"])
        last = [line["snapshot"] for line in self.lines("log.jsonl") if "snapshot" in line][-1]
        self.assertGreater(last["clock"], 1_900_000)
        self.assertLess(last["clock"], 2_050_000)

    def test_bad_scripts(self) -> None:
        self.write("syntax.lua", "return function(\n")
        self.write("raises.lua", "\nerror('no such mode: ' .. ...)")
        for spec, message in [("./syntax.lua", "./syntax.lua:2: <name> or '...' expected near <eof>"),
                              ("./raises.lua:deep", "./raises.lua:2: no such mode: deep"),
                              ("./absent.lua", "cannot open ./absent.lua: No such file or directory")]:
            got = self.run_policy(f"--policy={spec}", code=1)
            self.assertEqual(got.err, f"lua: '--policy={spec.split(':')[0]}': {message}\n")

    def test_failing_script(self) -> None:
        self.write("fails.lua", "return function(seen)\n  return {tier = seen.no.such}\nend")
        got = self.run_policy("--policy=./fails.lua", "--jit-log=log.txt")
        self.assertRegex(got.err, r"^lua: the policy has failed: ./fails.lua:2: attempt to index a nil value \(field 'no'\) .*\n$")
        log = (self.folder / "log.txt").read_text()
        self.assertIn("turns (p.lua:1): interpreter: failed: ./fails.lua:2", log)
        self.assertRegex(log, r"\ndecisions: \d+ failed\n$")

    def test_policy_asked_deep_in_a_coroutine(self) -> None:
        """Where the program's native stack is nearly used up, the script has one of its own."""
        self.write("deep.lua", """local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end
local function g(n) return (string.gsub('x', 'x', function() if n == 0 then return 'y' end return g(n - 1) end)) end
local sorts = 0
local function h(n) table.sort({2, 1}, function(a, b) sorts = sorts + 1 if n > 0 then h(n - 1) end return a < b end) end
print(coroutine.wrap(function() local depth = f(50000) h(6) return depth, sorts end)())
""")
        self.write("busy.lua", """return function(seen)
  local text = ('x'):rep(3000):gsub('x', function() return table.concat({'y', seen.name}) end)
  return {tier = 'baseline', sample = 5, reason = #text .. ' ' .. select('#', table.unpack({}, 1, 200))}
end""")
        got = self.run_engine(["--policy=./busy.lua", "deep.lua"])
        expected = self.run_engine(["--policy=interpreter", "deep.lua"])
        self.assertEqual(str(got), str(expected))

    def test_two_deterministic_runs(self) -> None:
        for log in ("log.jsonl", "log.txt"):
            texts = []
            for _ in range(2):
                self.run_policy("--policy=adaptive:warm=2000,sample=1000,quiet=5000", "--deterministic", f"--jit-log={log}")
                texts.append((self.folder / log).read_text())
            self.assertEqual(texts[0], texts[1])
            self.assertGreater(texts[0].count("\n"), 10)

    def test_runs_that_are_not_deterministic(self) -> None:
        """So the program above is one whose decisions can differ."""
        records = set()
        for _ in range(2):
            self.run_policy("--policy=adaptive:warm=2000,sample=1000,quiet=5000", "--record-decisions=a.jsonl")
            records.add((self.folder / "a.jsonl").read_text())
        self.assertEqual(len(records), 2)

    def test_deterministic_randomness(self) -> None:
        self.write("r.lua", "print(math.random(0), tostring({}), string.format('%p', print)) math.randomseed() print(math.random(0))")
        runs = {str(self.run_engine([option, "r.lua"])) for option in ["--deterministic"] * 3 + ["--deterministic=0"] * 2}
        self.assertEqual(len(runs), 1, runs)
        self.assertNotEqual(runs, {str(self.run_engine(["--deterministic=1", "r.lua"]))})
        self.assertNotEqual(self.run_engine(["r.lua"]).out, self.run_engine(["r.lua"]).out)
        self.assertIn("invalid value 'x' for option '--deterministic'", self.run_engine(["--deterministic=x", "r.lua"]).err)

    def test_replay(self) -> None:
        adaptive = "--policy=adaptive:warm=2000,sample=1000,quiet=5000"
        self.run_policy(adaptive, "--deterministic", "--record-decisions=a.jsonl")
        self.run_policy("--policy=replay:a.jsonl", "--deterministic", "--record-decisions=b.jsonl", "--jit-log=log.txt")
        self.assertEqual((self.folder / "a.jsonl").read_text(), (self.folder / "b.jsonl").read_text())
        count = len(self.lines("a.jsonl")) - 1
        self.assertGreater(count, 5)
        log = (self.folder / "log.txt").read_text()
        self.assertEqual(log.splitlines()[-1], f"decisions: {count} replayed, 0 not in the record, 0 left over")

    def test_replay_of_half_a_record(self) -> None:
        self.run_policy("--policy=adaptive:warm=2000,sample=1000,quiet=5000", "--deterministic", "--record-decisions=a.jsonl")
        lines = (self.folder / "a.jsonl").read_text().splitlines(keepends=True)
        kept = lines[: len(lines) // 2]
        self.write("half.jsonl", "".join(kept))
        self.run_policy("--policy=replay:half.jsonl", "--jit-log=log.jsonl")
        totals = self.lines("log.jsonl")[-1]["totals"]
        self.assertEqual(totals["replayed"] + totals["left over"], len(kept) - 1)
        self.assertGreater(totals["not in the record"], 0)

    def test_totals_after_os_exit(self) -> None:
        self.run_policy("--policy=adaptive", "--record-decisions=a.jsonl")
        self.write("q.lua", PROGRAM + "os.exit(true)\n")
        got = self.run_engine(["--policy=replay:a.jsonl", "--jit-log", "q.lua"])
        self.assertRegex(got.err, r"\ndecisions: \d+ replayed, \d+ not in the record, \d+ left over\n$")

    def test_bad_records(self) -> None:
        self.write("bad.jsonl", "{}\n")
        for option in ("--policy=replay:bad.jsonl", "--simulate=bad.jsonl"):
            got = self.run_policy(option, code=1)
            self.assertIn("bad.jsonl:1: no header of a record of decisions", got.err)
        self.assertIn("it needs the name of a file", self.run_policy("--policy=replay", code=1).err)
        self.assertIn("'--simulate=' needs a file name", self.run_policy("--simulate=", code=1).err)

    def test_simulator(self) -> None:
        adaptive = "--policy=adaptive:warm=2000,sample=1000,quiet=5000"
        self.run_policy(adaptive, "--record-decisions=a.jsonl")
        got = self.run_engine([adaptive, "--simulate=a.jsonl", "--deterministic", "--jit-log=log.jsonl"])
        count = len(self.lines("a.jsonl")) - 1
        self.assertEqual(got.out.splitlines()[1],
                         f"The same plan as in the record: {count} (100.0%); in every respect: {count} (100.0%)", got.out)
        self.assertNotIn("second", got.out)
        self.assertEqual(len(self.lines("log.jsonl")), count)
        other = self.run_engine([f"--policy={EXAMPLES / 'two_iterations.lua'}", "--simulate=a.jsonl"])
        self.assertEqual(other.code, 0, other.err)
        self.assertIn("First other plan: decision ", other.out)
        self.assertIn("\n  policy: baseline + paths over 2 iterations of loop ", other.out)
        self.assertRegex(other.out, r"Speed: [\d,]+ decisions per second; policies over this record per core-minute: [\d,]+\n$")


if __name__ == "__main__":
    harness.main()
