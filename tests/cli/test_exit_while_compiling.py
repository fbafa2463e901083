#!/usr/bin/env python3
"""A program may end while LLVM compiles beside it: status and output are the program's own, at whatever moment that is."""

import concurrent.futures

import harness

# A region that is asked for at once, and an end after so many milliseconds of processor time.
PROGRAM = """local which = tonumber(arg[1])
local clock, ends = os.clock, os.clock() + which / 10000
local function step(i, t)
  local sum = 0
  for j = 1, 40 do
    if j % 3 == i % 3 then sum = sum + (t[j] or j) elseif j % 2 == 0 then sum = sum - j else t[j] = sum & 255 end
  end
  return sum
end
local t, all = {}, 0
local i = 0
repeat
  i = i + 1
  all = all + step(i, t)
until clock() > ends
print("done")
if which % 2 == 0 then os.exit(7) end
if which % 3 == 0 then error("ended") end
"""


class ExitWhileCompiling(harness.CommandLineTest):
    def test_status_and_output_at_any_moment(self):
        self.write("s.lua", PROGRAM)

        def outcome(which: int):
            got = self.run_engine(["--policy=optimizer:warm=16,record=300", "s.lua", str(which)])
            return which, got.code, got.out

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for which, code, out in pool.map(outcome, range(0, 400, 1 if harness.WHOLE else 5)):
                wanted = 7 if which % 2 == 0 else 1 if which % 3 == 0 else 0
                self.assertEqual((code, out), (wanted, "done\n"), f"after {which / 10} ms")


if __name__ == "__main__":
    harness.main()
