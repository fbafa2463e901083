#!/usr/bin/env python3
"""Numbers in a locale whose decimal point is a comma, which a program may ask for: written and read as printf and strtod do."""

import subprocess

import harness

PROGRAM = """
assert(os.setlocale('de_DE.UTF-8'))
io.write(1.5, ' ', 128.0, ' ', -2.25, '\\n')
print(1.5, 2.0, -0.0, 1e100, 1.5 .. '|', tostring(0.1), table.concat{1.5, 3.0}, #tostring(2.0), 1 / 0)
print(string.format('%f %g %.3e %s %5.1f %q %a', 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5))
print(tonumber('1,5'), tonumber('1.5'), tonumber(',5'), tonumber('1,'), tonumber('-1,5e1'), tonumber('0x1,8'), tonumber('0x1.8'))
print(tonumber('1,5.5'), tonumber('1.5,5'), tonumber('1,5,5'), tonumber(','), tonumber('-,'), tonumber('0x,'), tonumber('x,5'))
print('1,5' + 1, ('2,5'):rep(2), '1.5' * 2, 10 // '2,5', math.type(tonumber('3,0')), math.tointeger('3'))
print(pcall(load, 'return 1,5'), load('return 1.5')(), load('return 1,5')())
print(pcall(error, 1.5), pcall(string.rep, 'x', '2,0'))
print(('x'):gsub('x', {x = 1.5}), ('x'):gsub('x', 2.5))
local file = io.tmpfile()
file:write('1,5 2.5 ,5 x')
file:seek('set')
print(file:read('n', 'n', 'n', 'n'))
os.setlocale('C')
print(1.5, tonumber('1,5'))
"""


class Locales(harness.CommandLineTest):
    def test_the_decimal_point_is_that_of_the_locale(self):
        self.write("s.lua", PROGRAM)
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(self.folder / "de_DE.UTF-8")], capture_output=True)
        if made.returncode > 1 or not (self.folder / "de_DE.UTF-8").exists():
            self.skipTest("localedef cannot make the locale")
        self.assertIn("1,5 128", self.same(["s.lua"], env={"LOCPATH": str(self.folder)}).out)


if __name__ == "__main__":
    harness.main()
