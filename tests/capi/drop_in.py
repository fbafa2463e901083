#!/usr/bin/env python3
"""liblua5.4.so.0 in the place of Debian's: the same names and versions, and a host that prints the same with both.

    drop_in.py --library build/release/lib/lua5.4/liblua5.4.so.0 --host build/release/tests/capi/host
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

HEADERS = Path(__file__).resolve().parents[2] / "runtime" / "include" / "lua5.4"
NODE = "LUA_5.4"
DEBIAN = "/usr/lib/x86_64-linux-gnu/liblua5.4.so.0"
SKIPPED = 77


def declared() -> set[str]:
    """What the headers declare."""
    text = "".join((HEADERS / name).read_text(encoding="utf-8") for name in ("lua.h", "lauxlib.h", "lualib.h"))
    return {a or b for a, b in re.findall(r"^(?:LUA|LUALIB|LUAMOD)_API [^(]*?(?:\((lua\w*)\)|(lua_ident))", text, re.M)}


def exported(library: str) -> dict[str, str]:
    """Names of a library with their versions."""
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = {}
    for line in symbols.splitlines():
        name, _, version = line.split()[-1].partition("@@")
        if name != NODE:
            names[name] = version
    return names


def run_host(host: str, library: str) -> str:
    environment = os.environ | {"LD_LIBRARY_PATH": os.path.dirname(library), "LC_ALL": "C"}
    done = subprocess.run([host], env=environment, capture_output=True, text=True, timeout=60)
    return re.sub(r"0x[0-9a-f]+", "ADDRESS", done.stdout + done.stderr) + f"exit {done.returncode}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True)
    parser.add_argument("--host", required=True)
    arguments = parser.parse_args()
    ours = exported(arguments.library)
    problems = [f"declared, not exported: {name}" for name in sorted(declared() - set(ours))]
    problems += [f"exported, not declared: {name}" for name in sorted(set(ours) - declared())]
    problems += [f"{name} has the version '{version}'" for name, version in ours.items() if version != NODE]
    if os.path.exists(DEBIAN):
        problems += [f"Debian's library has {name}" for name in sorted(set(exported(DEBIAN)) - set(ours))]
    output = run_host(arguments.host, arguments.library)
    if not output.endswith("closed\nexit 0\n"):
        problems.append("the host does not end well:\n" + output)
    if os.path.exists(DEBIAN):
        expected = run_host(arguments.host, DEBIAN)
        if output != expected:
            problems.append(f"--- with Debian's library\n{expected}--- with ours\n{output}")
    print("\n".join(problems) if problems else f"{len(ours)} names, one output")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
