#!/usr/bin/env python3
"""Memory of programs that need much is asked for in huge pages (Linux, transparent_hugepage); that of small ones is not."""

import pathlib
import re

import harness

SETTING = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
MAPPINGS = """
for line in io.lines('/proc/self/smaps') do
  if line:find('^%x+%-%x+ ') or line:find('^VmFlags') or line:find('^AnonHugePages') then print(line) end
end
"""
SMALL = "local t = {} for i = 1, 1000 do t[i] = {i} end\n" + MAPPINGS
OBJECTS = "local t = {} for i = 1, 200000 do t[i] = {i} end\n" + MAPPINGS       # some 16 MB of small objects
ONE_STRING = "local s = ('x'):rep(14 << 20)\n" + MAPPINGS                       # 14 MB in one piece


class HugePages(harness.CommandLineTest):
    def setUp(self):
        super().setUp()
        if not SETTING.exists():
            self.skipTest("the system has no transparent huge pages")
        if harness.has_sanitizer():
            self.skipTest("sanitizers have a heap of their own")
        self.may_ask = "[never]" not in SETTING.read_text()
        self.only_when_asked = "[madvise]" in SETTING.read_text()

    def mappings(self, program: str, **environment: str) -> list[tuple[str, int, int, bool]]:
        """Of each mapping: its name, its bytes, those in huge pages, and whether such were asked for."""
        self.write("s.lua", program)
        done = self.run_engine(["s.lua"], env=environment)
        self.assertEqual(done.code, 0, done)
        found = re.findall(r"^(\w+)-(\w+) \S+ \S+ \S+ \S+ *(.*)\nAnonHugePages: +(\d+) kB\nVmFlags:(.*)$", done.out, re.MULTILINE)
        return [(name, int(end, 16) - int(start, 16), int(huge) * 1024, " hg" in flags) for start, end, name, huge, flags in found]

    def asked(self, program: str, **environment: str) -> int:
        return sum(size for name, size, _, asks in self.mappings(program, **environment) if asks and name != "[heap]")

    def test_a_heap_of_objects_asks_for_them_beyond_its_first_pages(self):
        small, large = self.asked(SMALL), self.asked(OBJECTS)
        self.assertEqual(small, 2 << 20)  # the upper half of the first region, which is not touched
        self.assertGreaterEqual(large, 10 << 20)

    def test_large_objects_ask_for_them(self):
        self.assertGreaterEqual(self.asked(ONE_STRING), (2 << 20) + (14 << 20))

    def test_the_c_library_asks_unless_the_user_has_tuned_it(self):
        def heap_asks(**environment):
            return any(asks for name, _, _, asks in self.mappings(SMALL, **environment) if name == "[heap]")
        self.assertTrue(heap_asks())
        self.assertFalse(heap_asks(MALLOC_TRIM_THRESHOLD_="200000"))

    def test_only_programs_that_need_much_get_them(self):
        if not self.may_ask or not self.only_when_asked:
            self.skipTest("transparent_hugepage is not 'madvise'")
        self.assertEqual(sum(huge for _, _, huge, _ in self.mappings(SMALL)), 0)


if __name__ == "__main__":
    harness.main()
