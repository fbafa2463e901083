"""Programs of several files as one, for Luau: its executable has no `require` of files by LUA_PATH, no io, os.exit, debug or integers.

A program is what its script requires by name, as functions, and the script. Modules that Luau cannot compile are absent, as are those in C.
Programs that load files as they run, or read them, do not run in it.
"""

import re
import subprocess
import tempfile
from pathlib import Path

REQUIRED = re.compile(r"""\brequire\s*\(?\s*["']([\w./-]+)["']""")
HEAD = """local _VERSION = "Lua 5.1"  -- which has no integers either; modules ask for it
local modules, loaded = {}, {}
local function require(name)
  if loaded[name] == nil then
    if modules[name] == nil then error("module '" .. name .. "' not found") end
    loaded[name] = modules[name](name) or true
  end
  return loaded[name]
end
"""


def find(name: str, path: str, folder: Path) -> Path | None:
    for template in path.split(";"):
        if template and (file := folder / template.replace("?", name.replace(".", "/"))).is_file():
            return file
    return None


def compiles(luau: str, text: str) -> bool:
    with tempfile.NamedTemporaryFile("w", suffix=".lua", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return subprocess.run([luau, file.name], capture_output=True, timeout=60).returncode == 0


def bundle(luau: str, script: str, path: str, folder: Path) -> str:
    """The text of the whole program. `path` has the form of LUA_PATH; relative templates begin in `folder`."""
    parts, seen, wanted = [], set(), REQUIRED.findall(script)
    while wanted:
        name = wanted.pop()
        file = find(name, path, folder)
        if name in seen or file is None:
            continue
        seen.add(name)
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
        part = f'modules["{name}"] = function(...)\n{"--" if text.startswith("#!") else ""}{text}\nend\n'
        if compiles(luau, "local modules = {}\n" + part):
            parts.append(part)
            wanted += REQUIRED.findall(text)
    return HEAD + "".join(parts) + script
