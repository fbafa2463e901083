#!/usr/bin/env python3
"""LuaRocks, run by Mangata, installs a rock in Lua and one in C from local folders, and Mangata loads both. Skipped without luarocks.

    test_luarocks.py --engine build/release/bin/mangata --include runtime/include/lua5.4
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77

SPEC = """
package = "{name}"
version = "1.0-1"
source = {{ url = "file://{folder}" }}
dependencies = {{ "lua >= 5.4" }}
build = {{ type = "builtin", modules = {{ {name} = {module} }} }}
"""

IN_LUA = 'return { name = function() return "a rock in Lua" end }'

IN_C = """
#include <lauxlib.h>
static int name(lua_State *L) {
  lua_pushfstring(L, "a rock in %s", "C");
  return 1;
}
int luaopen_stone(lua_State *L) {
  static const luaL_Reg functions[] = {{"name", name}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
"""


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", type=Path, required=True)
    parser.add_argument("--include", type=Path, required=True)
    given = parser.parse_args()
    luarocks = shutil.which("luarocks")
    if luarocks is None or shutil.which("gcc") is None:
        print("there is no luarocks")
        return SKIPPED
    engine = given.engine.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        configuration = folder / "config.lua"
        configuration.write_text(f'lua_interpreter = "{engine.name}"\nvariables = {{ LUA = "{engine}", LUA_BINDIR = "{engine.parent}", '
                                 f'LUA_INCDIR = "{given.include.resolve()}" }}\n')
        environment = {key: value for key, value in os.environ.items() if not key.startswith("LUA")}
        environment |= {"LUAROCKS_CONFIG": str(configuration), "HOME": name}
        for rock, source, text, module in (("pebble", "pebble.lua", IN_LUA, '"pebble.lua"'),
                                           ("stone", "stone.c", IN_C, '{ sources = { "stone.c" } }')):
            here = folder / rock
            here.mkdir()
            (here / source).write_text(text)
            spec = here / f"{rock}-1.0-1.rockspec"
            spec.write_text(SPEC.format(name=rock, folder=here, module=module))
            run([engine, os.path.realpath(luarocks), "--lua-version", "5.4", "--tree", folder / "tree", "make", spec.name],
                cwd=here, env=environment)
        paths = {"LUA_PATH": f"{folder}/tree/share/lua/5.4/?.lua", "LUA_CPATH": f"{folder}/tree/lib/lua/5.4/?.so"}
        output = run([engine, "-e", "print(require 'pebble'.name()) print(require 'stone'.name())"], env=environment | paths)
    if output != "a rock in Lua\na rock in C\n":
        sys.exit(f"the rocks say: {output!r}")
    print("luarocks installs rocks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
