"""jit.paths: exact counts of paths while a script asks for them."""

import json

import harness

CLASSIFY = """local function classify(n)
  if n % 2 == 0 then
    return 'even'
  end
  return 'odd'
end
local function run(n)
  local evens = 0
  for i = 1, n do
    if classify(i) == 'even' then evens = evens + 1 end
  end
  return evens
end
local function counts(name, snapshot)
  local result = {}
  for _, f in ipairs((snapshot or jit.paths.snapshot()).functions) do
    if f.name == name then
      for _, path in ipairs(f.paths) do result[#result + 1] = path.text .. ': ' .. path.count end
      for _, loop in ipairs(f.loops or {}) do
        for _, path in ipairs(loop.windows) do result[#result + 1] = path.text .. ': ' .. path.count end
      end
    end
  end
  table.sort(result)
  return table.concat(result, '\\n')
end
"""
EVEN, ODD = "entry > 2:T > return 3", "entry > 2:F > return 5"
POLICIES = ["--policy=adaptive", "--policy=baseline", "--policy=interpreter", "--policy=adaptive:warm=10,sample=20,quiet=50",
            "--stress=schedule:3", "--stress=profile:4"]


class JitPaths(harness.CommandLineTest):
    def lua(self, text: str, *options: str) -> str:
        self.write("s.lua", CLASSIFY + text)
        got = self.run_engine([*options, "-ljit", "s.lua"])
        self.assertEqual((got.code, got.err), (0, ""), options)
        return got.out

    def test_only_what_lies_between_is_counted(self) -> None:
        for policy in POLICIES:
            got = self.lua("""
                run(1000)
                assert(jit.paths.start())
                run(101)
                assert(jit.paths.stop())
                run(1000)
                print(counts('classify'))
                assert(jit.paths.start()) run(9) assert(jit.paths.stop())
                print(counts('classify'))
                assert(jit.paths.reset()) print(counts('classify') == '')
                assert(jit.paths.start()) run(3) assert(jit.paths.stop())
                print(counts('classify'))""", policy)
            self.assertEqual(got, f"{ODD}: 51\n{EVEN}: 50\n{ODD}: 56\n{EVEN}: 54\ntrue\n{ODD}: 2\n{EVEN}: 1\n", policy)

    def test_exact_counts_are_those_of_the_whole_run(self) -> None:
        # Of calls begun after start(), everything is counted, so it is what --profile-paths says of a program that is nothing else.
        for k in (1, 2, 4):
            for policy in POLICIES:
                counted = self.lua(f"""
                    run(100)
                    jit.paths.start{{k = {k}}} run(777) local s = jit.paths.snapshot() jit.paths.stop()
                    print(counts('run', s)) print(counts('classify', s))""", policy)
                self.write("whole.lua", CLASSIFY + "run(777) print(counts('run')) print(counts('classify'))")
                whole = self.run_engine([policy, f"--profile-k={k}", "--profile-paths=whole.json", "-ljit", "whole.lua"])
                self.assertEqual(counted, whole.out, f"{k} {policy}")
                self.assertIn(": ", counted)

    def test_loops_under_way_change_over(self) -> None:
        # From the second round on, in all but the policies whose machine code does not look.
        for policy in ("--policy=interpreter", "--policy=adaptive", "--policy=adaptive:warm=10,sample=20,quiet=50"):
            got = self.lua("""
                local function loop(n)
                  for i = 1, n do if i == 100 then jit.paths.start() end end
                  local s = jit.paths.snapshot() jit.paths.stop()
                  return s
                end
                for i = 1, 100 do loop(1) end
                jit.paths.reset()
                print(counts('loop', loop(1000)))""", policy)
            total = sum(int(line.split(": ")[-1]) for line in got.strip().split("\n"))
            self.assertTrue(890 <= total <= 900, f"{policy}: {got}")  # the last is still under way

    def test_generic_loops_change_over(self) -> None:
        for k in (1, 2, 3):
            got = self.lua(f"""
                local function loop(list)
                  for _, i in ipairs(list) do
                    if i == 100 then jit.paths.start{{k = {k}}} end
                    if i % 2 == 0 then list.evens = i end
                  end
                  jit.paths.stop()
                end
                local list = {{}}
                for i = 1, 1000 do list[i] = i end
                loop(list)
                for _, f in ipairs(jit.paths.snapshot().functions) do
                  if f.name == 'loop' then
                    local rounds = 0
                    for _, path in ipairs(f.loops and f.loops[1].windows or f.paths) do rounds = rounds + path.count end
                    print(rounds)
                  end
                end""", "--policy=adaptive")
            self.assertTrue(895 <= int(got) <= 901, f"{k}: {got}")

    def test_later_functions_are_counted(self) -> None:
        got = self.lua("jit.paths.start() local f = load('local function late() return 1 end for i = 1, 7 do late() end') f()"
                       "print(counts('late'))")
        self.assertEqual(got, "entry > return 1: 7\n")

    def test_the_snapshot_agrees_with_the_report(self) -> None:
        got = self.lua("""
            jit.paths.start{k = 2} run(100) jit.paths.stop()
            local s = jit.paths.snapshot()
            print(s.k, s.completed, s.distinct, s.bytecodes, #s.functions)
            local p = s.functions[1].paths[1]
            print(p.key, p.count, p.length, p.start.kind, p['end'].kind, p.steps[1].line, p.steps[1].arm, table.concat(p.lines, ' '))
            print(jit.paths.report{format = 'json'})""")
        first, second, rest = got.split("\n", 2)
        report = json.loads(rest)
        totals = report["totals"]
        self.assertEqual(first.split("\t"), [str(x) for x in (report["k"], totals["completed"], totals["distinct"],
                                                              totals["bytecodes"], len(report["functions"]))])
        path = report["functions"][0]["paths"][0]
        self.assertEqual(second.split("\t"), [str(x) for x in (
            path["key"], path["count"], path["length"], path["start"]["kind"], path["end"]["kind"], path["steps"][0]["line"],
            path["steps"][0]["arm"], " ".join(str(line) for line in path["lines"]))])

    def test_options(self) -> None:
        got = self.lua("""
            print(jit.paths.snapshot())
            jit.paths.start() run(10) print(jit.paths.stop()) print(jit.paths.stop())
            print(#jit.paths.snapshot{top = 1}.functions[1].paths)
            print((jit.paths.report{top = 1}:match('^[^\\n]*')))
            print(pcall(jit.paths.start, {k = 0})) print(pcall(jit.paths.start, {k = 17})) print(pcall(jit.paths.start, 1))
            print(pcall(jit.paths.report, {format = 'xml'}))""")
        lines = got.split("\n")
        self.assertEqual(lines[0], "nil\tno paths have been counted: call jit.paths.start()")
        self.assertEqual(lines[1:4], ["true", "nil\tno paths are being counted", "1"])
        self.assertRegex(lines[4], r"^Path profile: \d+ paths completed")
        self.assertIn("bad argument #1 to 'jit.paths.start' (field 'k' must be an integer from 1 to 16)", lines[5])
        self.assertIn("field 'k' must be an integer", lines[6])
        self.assertIn("table expected, got number", lines[7])
        self.assertIn("field 'format' must be 'text' or 'json'", lines[8])

    def test_during_a_profile_of_the_whole_run(self) -> None:
        self.write("s.lua", CLASSIFY + "run(10) print(jit.paths.start()) print(jit.paths.reset()) print(jit.paths.stop())"
                                       "print(counts('classify'))")
        got = self.run_engine(["--profile-paths=out.json", "-ljit", "s.lua"])
        why = "nil\tpaths are counted for the whole run (--profile-paths)\n"
        self.assertEqual(got.out, why * 3 + f"{ODD}: 5\n{EVEN}: 5\n")
        self.write("s.lua", "print(jit.paths.start()) print(jit.paths.snapshot())")
        got = self.run_engine(["--profile-edges=out.json", "-ljit", "s.lua"])
        self.assertEqual(got.out, "nil\tedges are counted for the whole run (--profile-edges)\n" * 2)

    def test_paths_that_errors_cut_off(self) -> None:
        got = self.lua("""
            local function fails(x) if x then error('e') end end
            jit.paths.start() pcall(fails, true) pcall(fails, true) fails(false) jit.paths.stop()
            pcall(fails, true)
            for _, f in ipairs(jit.paths.snapshot().functions) do
              if f.name == 'fails' then print(#f.paths, f.cut_paths[1].count, f.cut_paths[1]['end'].kind) end
            end""")
        self.assertEqual(got, "1\t2\tleft\n")


if __name__ == "__main__":
    harness.main()
