#!/usr/bin/env python3
"""bench/real.py on made-up programs: what agrees is compared, what differs is named, and what is not there is left out.

Skipped (77) without lua5.4.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REAL = Path(__file__).resolve().parents[2] / "bench" / "real.py"

PROGRAMS = """
[agrees]
repository = "example.org/someone/first"
path = "./?.lua"
script = '''
local sum = 0
for i = 1, 400000 do sum = sum + require("module")(i) end
print(sum)
'''

[missing]
repository = "example.org/someone/absent"
path = "./?.lua"
script = "print(1)"
"""

DIFFERS = """
[differs]
repository = "example.org/someone/first"
path = "./?.lua"
script = "print((pcall(require, 'jit')))"
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    engine = parser.parse_args().engine
    if shutil.which("lua5.4") is None:
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "first").mkdir()
        (folder / "first" / "module.lua").write_text("return function(x) return x % 7 end\n")

        def run(programs: str, *options: str) -> subprocess.CompletedProcess:
            (folder / "programs.toml").write_text(programs)
            return subprocess.run([sys.executable, "-B", REAL, "--folder", folder, "--programs", folder / "programs.toml", "--engine", engine,
                                   "--runs", "1", *options], capture_output=True, text=True)

        together = run(PROGRAMS, "--together")
        assert together.returncode == 0 and "agrees" in together.stdout, together.stdout + together.stderr
        same = run(PROGRAMS)
        assert same.returncode == 0, same.stdout + same.stderr
        assert "absent" in same.stderr and "The output of every tier is that of lua5.4." in same.stdout, same.stdout + same.stderr
        row = re.search(r"(?m)^agrees +[\d.]+ +[\d.]+x +[\d.]+x +[\d.]+x .*$", same.stdout)
        assert row, same.stdout
        other = run(PROGRAMS + DIFFERS)
        assert other.returncode == 1, other.stdout + other.stderr
        assert other.stdout.count("DIFFERS: differs under ") == 3 and "agrees under" not in other.stdout, other.stdout
    return 0


if __name__ == "__main__":
    sys.exit(main())
