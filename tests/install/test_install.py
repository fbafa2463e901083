#!/usr/bin/env python3
"""Installs Mangata into a temporary prefix, builds the hosts of examples/embed against it, by find_package and by pkg-config, and
runs them, as well as a host of the C API. Also: the manual page names the options of --help.

    test_install.py --build BUILD --source SOURCE --cxx COMPILER [--package]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
EXPECTED = {
    "hello": ["hello, world!"],
    "game": [r"frame 2: lost: pilots:\d+: time limit exceeded", r"frame 5: lost: pilots:\d+: time limit exceeded", r"steady is at \(6.00, 0.00\)",
             r"lost is at \(12.00, 0.00\)"],
    "server": ["sum: 500000500000", "words: 4", r"endless: error: endless:\d+: time limit exceeded", r"greedy: error: greedy:\d+: (not enough memory|time limit exceeded)",
               r"pattern: error: pattern:\d+: time limit exceeded", "files: error: files:1: attempt to index a nil value \\(global 'io'\\)",
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


def try_hosts(prefix, source, cxx, folder, names):
    """Builds and runs hosts on the tree at `prefix`, in `folder`; of examples/embed those of these names."""
    check_manual(prefix)
    for name, project in (("hosts", source / "examples/embed"), ("lua", source / "tests/install/lua_host")):
        run("cmake", "-S", project, "-B", folder / name, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={cxx}")
        run("cmake", "--build", folder / name, *(["--target", *names] if name == "hosts" else []))
    for name in names:
        check_output(name, run(folder / "hosts" / name))
    libraries = next(prefix.glob("lib*/**/libmangata.so")).parent
    environment = dict(os.environ, PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
    flags = run("pkg-config", "--cflags", "--libs", "mangata", env=environment).split()
    hello = folder / "hello"
    run(cxx, "-std=c++20", "-fno-exceptions", source / "examples/embed/hello.cpp", "-o", hello, *flags)
    check_output("hello", run(hello, env=dict(os.environ, LD_LIBRARY_PATH=str(libraries))))
    lua_flags = run("pkg-config", "--cflags", "--libs", "mangata-lua54", env=environment).split()
    by_flags = folder / "lua_by_flags"
    run("cc", source / "tests/install/lua_host/lua_host.c", "-o", by_flags, *lua_flags)
    for host in (folder / "lua/lua_host", by_flags):
        if run(host) != "Lua 5.4: 10000100000\n":
            sys.exit(f"{host} prints {run(host)!r}")
        if "mangata/lua5.4/liblua5.4.so.0" not in run("ldd", host):
            sys.exit(f"{host} runs on another library:\n{run('ldd', host)}")


def unpack_package(build, folder):
    """The Debian package, made by cpack and unpacked; its /usr. None where the tools are missing."""
    if not all(shutil.which(tool) for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps")):
        return None
    run("cpack", "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", folder / "package", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none")
    package = next((folder / "package").glob("*.deb"))
    control = run("dpkg-deb", "--field", package, "Depends")
    if "libc6" not in control:
        sys.exit(f"{package.name} depends on: {control}")
    run("dpkg-deb", "-x", package, folder / "root")
    return folder / "root/usr"


def main():
    parser = argparse.ArgumentParser()
    for name in ("build", "source", "cxx"):
        parser.add_argument("--" + name, type=Path, required=True)
    parser.add_argument("--package", action="store_true", help="what the Debian package holds, not what cmake --install writes")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prefix = folder / "prefix"
        if given.package:
            prefix = unpack_package(given.build, folder)
            if prefix is None:
                print("no tools to make a Debian package")
                return SKIPPED
        else:
            run("cmake", "--install", given.build, "--prefix", prefix)
        try_hosts(prefix, given.source, given.cxx, folder, ["hello"] if given.package else list(EXPECTED))
    print("hosts are served by find_package and by pkg-config")
    return 0


if __name__ == "__main__":
    sys.exit(main())
