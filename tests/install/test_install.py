#!/usr/bin/env python3
"""Installs Mangata into a temporary prefix, builds the hosts of examples/embed against it, by find_package and by pkg-config, and
runs them. Also: the manual page names the options of --help, and nothing that is installed names the build folder.

    test_install.py --build BUILD --source SOURCE --cxx COMPILER
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

EXPECTED = {
    "hello": ["hello, world!"],
    "game": ["frame 2: lost: time limit exceeded", "frame 5: lost: time limit exceeded", r"steady is at \(6.00, 0.00\)",
             r"lost is at \(12.00, 0.00\)"],
    "server": ["sum: 500000500000", "words: 4", "endless: error: time limit exceeded", "greedy: error: (not enough memory|time limit exceeded)",
               "pattern: error: time limit exceeded", "files: error: files:1: attempt to index a nil value \\(global 'io'\\)",
               "vandal: error: vandal:1: cannot set 'format': the table is read-only", "32 requests answered"],
}


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=500, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_output(name, output):
    for line in EXPECTED[name]:
        if not any(re.fullmatch(line, its) for its in output.splitlines()):
            sys.exit(f"{name}: no line {line!r} in:\n{output}")


def check_manual(prefix):
    text = run(prefix / "bin/mangata", "--help")
    manual = (prefix / "share/man/man1/mangata.1").read_text(encoding="utf-8").replace("\\-", "-")
    for option in re.findall(r"^  (--[a-z-]+)", text, re.MULTILINE):
        if option not in manual:
            sys.exit(f"mangata.1 does not tell of {option}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("build", "source", "cxx"):
        parser.add_argument("--" + name, type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "prefix"
        run("cmake", "--install", given.build, "--prefix", prefix)
        check_manual(prefix)
        built = Path(folder) / "hosts"
        run("cmake", "-S", given.source / "examples/embed", "-B", built, f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_COMPILER={given.cxx}")
        run("cmake", "--build", built)
        for name in EXPECTED:
            check_output(name, run(built / name))
        libraries = next(prefix.glob("lib*/**/libmangata.so")).parent
        environment = dict(os.environ, PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
        flags = run("pkg-config", "--cflags", "--libs", "mangata", env=environment).split()
        hello = Path(folder) / "hello"
        run(given.cxx, "-std=c++20", "-fno-exceptions", given.source / "examples/embed/hello.cpp", "-o", hello, *flags)
        check_output("hello", run(hello, env=dict(os.environ, LD_LIBRARY_PATH=str(libraries))))
    print("the installed tree serves hosts by find_package and by pkg-config")


if __name__ == "__main__":
    main()
