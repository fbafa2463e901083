#!/usr/bin/env python3
"""A program may load and drop any number of distinct chunks: its memory stays what it is, under every policy."""

import os

import harness

# Memory of the process in KB, when half of the chunks have come and gone, and when all have.
PROGRAM = """
local count, text = tonumber(arg[1]), TEXT
local function resident()
  collectgarbage() collectgarbage()
  local file = io.open("/proc/self/statm")
  local _, pages = file:read("n", "n")
  file:close()
  return pages * 4
end
for i = 1, count do
  local chunk = assert(load((text:gsub("NUMBER", i)), "=chunk" .. i))
  chunk()
  if i == count // 2 or i == count then print(resident()) end
end
"""

# Functions that are called a few hundred times, fields and methods, regions that come into force or are asked for in vain.
WARM = """local x = NUMBER
local function add(a) if a % 3 == 0 then return a + x end return a end
local C = {fieldNUMBER = 1} C.__index = C
function C.new(v) return setmetatable({v = v, otherNUMBER = x}, C) end
function C:get() return self.v end
local s = 0
for i = 1, 300 do s = s + add(i) + C.new(i):get() end
return s"""
LOOPS = "local x, s = NUMBER, 0\n" + "".join(
    f"for r = 1, 3 do for i = 1, 4000 do if i & 3 == {i % 4} then s = s + x * {i} else s = s - i end end end\n" for i in range(8)
)
LOOP = "local x, s = NUMBER, 0 for i = 1, 6000 do if i & 3 == 0 then s = s + x else s = s ~ i end end return s"
# A region of a hundred instructions of IR, which the quick compiler makes at once.
QUICK_LOOP = """local x = NUMBER
local function f() local s = 0 for i = 1, 400 do s = s + (i & x) end return s end
return f() + f() + f()"""
QUICK_LOOPS = int(os.environ.get("MANGATA_REGIONS", 20000))


class DroppedChunks(harness.CommandLineTest):
    def growth_per_chunk(self, text: str, count: int, options: list[str]) -> float:
        """Bytes, over the second half."""
        self.write("s.lua", PROGRAM.replace("TEXT", "[[\n" + text + "]]"))
        # What AddressSanitizer keeps of freed memory is not ours.
        kept = {"ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=0:thread_local_quarantine_size_kb=0"}
        got = self.run_engine([*options, "s.lua", str(count)], env=kept)
        self.assertEqual(got.code, 0, str(got))
        half, all_of_them = (int(line) for line in got.out.split())
        return (all_of_them - half) * 1024 / (count / 2)

    def test_functions_that_were_called_often(self):
        # Of what is kept of each function that was counted, the least took 1,500 bytes.
        for policy in ["adaptive", "interpreter", "baseline", "eager", "optimizer"]:
            with self.subTest(policy=policy):
                self.assertLess(self.growth_per_chunk(WARM, 2000, ["--policy=" + policy]), 1000)

    def test_regions_that_nobody_waits_for(self):
        # More loops are asked for than can be compiled meanwhile: each took 4,000 bytes.
        options = ["--policy=optimizer:warm=200,record=200"]
        self.assertLess(self.growth_per_chunk(LOOPS, 400, options), 10000)

    def test_installed_regions(self):
        # The program waits for each.
        options = ["--policy=optimizer:warm=200,record=200", "--deterministic"]
        self.assertLess(self.growth_per_chunk(LOOP, 300, options), 6000)

    def test_quick_regions(self):
        options = ["--policy=optimizer:warm=500,record=300", "--opt-compiler=quick", "--jit-log=log.txt"]
        self.growth_per_chunk(QUICK_LOOP, 100, options)
        made = (self.folder / "log.txt").read_text().count("loop 2 optimized [")
        self.assertGreaterEqual(made, 99, "each of them has its own")
        # The smallest block of the C library's heap takes 32 bytes.
        self.assertLess(self.growth_per_chunk(QUICK_LOOP, QUICK_LOOPS, options[:2]), 30)


harness.without_huge_pages()
harness.main()
