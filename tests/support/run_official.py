#!/usr/bin/env python3
"""Runs two foreign test suites, which are not in this repository, under an engine.

    run_official.py --engine build/release/bin/mangata --testes PATH/lua-5.4.8/testes     file by file, _port mode
    run_official.py --engine ... --testes PATH --whole                                    all.lua in one process
    run_official.py --engine ... --harness PATH/lua-Harness --judge lua5.4                TAP counts of both

`--testes` wants the folder testes of lua/lua at tag v5.4.8.  What its driver all.lua does around each file is done here
too: the globals _port and _nomsg (and _soft on request), no `debug`, no internal tests (T is nil), the C locale, each
chunk passed through string.dump and load (stripped where all.lua strips), the result checked, the soft limit of the
native stack at 1100 KiB.  heavy.lua is never run.  The suite is copied first, because it writes files beside itself.

`--full` leaves _port out: libraries in C are built from testes/libs against the headers beside the folder, standard input is a
pipe that has ended, and two expectations of main.lua are taken out, which hold for PUC Lua with readline only (FULL_EDITS).
"""

import argparse
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# name -> (how the chunk is run, expression that must hold for its result r). Order and details are all.lua's.
FILES = {
    "main.lua": ("dump", None), "gc.lua": ("plain", None), "db.lua": ("dump", None), "calls.lua": ("dump", "r == deep and r"),
    "strings.lua": ("plain", None), "literals.lua": ("plain", None), "tpack.lua": ("dump", None),
    "attrib.lua": ("dump", "r == 27"), "gengc.lua": ("dump", None), "locals.lua": ("dump", "r == 5"),
    "constructs.lua": ("dump", None), "code.lua": ("strip", None), "big.lua": ("coroutine", None), "cstack.lua": ("dump", None),
    "nextvar.lua": ("dump", None), "pm.lua": ("dump", None), "utf8.lua": ("dump", None), "api.lua": ("dump", None),
    "events.lua": ("dump", "r == 12"), "vararg.lua": ("dump", None), "closure.lua": ("dump", None), "coroutine.lua": ("dump", None),
    "goto.lua": ("strip", None), "errors.lua": ("dump", None), "math.lua": ("dump", None), "sort.lua": ("strip", None),
    "bitwise.lua": ("dump", None), "verybig.lua": ("strip", "r == 10"), "files.lua": ("dump", None), "bwcoercion.lua": ("module", None),
}

# Text in main.lua -> what is expected instead: readline echoes input that is no terminal; the banner names PUC-Rio.
FULL_EDITS = {"1 --\n2a = 2\n3\n": "123\n", '"PUC%-Rio\\nhello"': '"\\nhello"'}
# Target in testes/libs -> its source (testes/libs/makefile).
FULL_LIBRARIES = {"lib1.so": "lib1.c", "lib11.so": "lib11.c", "lib2.so": "lib2.c", "lib21.so": "lib21.c", "lib2-v2.so": "lib22.c"}

PROLOGUE = "_nomsg = true _G.ARG = arg debug = nil T = nil function Message() end assert(os.setlocale'C') "
RUN = {
    "plain": "local r = assert(loadfile(NAME))() ",
    "dump": "local r = assert(load(string.dump(assert(loadfile(NAME)))))() ",
    "strip": "local r = assert(load(string.dump(assert(loadfile(NAME)), true)))() ",
    "module": "local r = require((NAME):sub(1, -5)) ",
    "coroutine": "local f = coroutine.wrap(assert(loadfile(NAME))) assert(f() == 'b') local r = f() assert(r == 'a') ",
}


def official_limits() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (1100 << 10, hard))


def driver(name: str, arguments: argparse.Namespace) -> str:
    how, check = FILES[name]
    code = ("" if arguments.full else "_port = true ") + PROLOGUE + ("_soft = true " if arguments.soft else "") + RUN[how].replace("NAME", repr(name))
    return code + (f"assert({check}) " if check else "") + "assert(debug == nil)"


def outcome(done: subprocess.CompletedProcess | None) -> tuple[str, str]:
    """("pass" or "FAIL" or "TIMEOUT", the last words of a failure)."""
    if done is None:
        return "TIMEOUT", ""
    if done.returncode == 0:
        return "pass", ""
    words = [line for line in done.stderr.decode("latin-1").split("\n") if line and "Lua warning" not in line]
    return "FAIL", f"[{done.returncode}] " + (words[0] if words else "")[:150]


def prepare_full(folder: Path, headers: Path) -> None:
    main = folder / "main.lua"
    text = main.read_text(encoding="latin-1")
    for old, new in FULL_EDITS.items():
        if text.count(old) != 1:
            sys.exit(f"main.lua is not the one of v5.4.8: {old!r} is there {text.count(old)} times")
        text = text.replace(old, new)
    main.write_text(text, encoding="latin-1")
    for target, source in FULL_LIBRARIES.items():
        command = ["cc", "-std=gnu99", "-O2", "-fPIC", "-shared", f"-I{headers}", "-o", target, source]
        subprocess.run(command, cwd=folder / "libs", check=True)


def run(command: list[str], folder: Path, timeout: float, env: dict | None = None, official: bool = True):
    try:
        return subprocess.run(
            command, cwd=folder, input=b"", capture_output=True, timeout=timeout, env=env,
            preexec_fn=official_limits if official else None,
        )
    except subprocess.TimeoutExpired:
        return None


def run_testes(engine: list[str], suite: Path, arguments: argparse.Namespace) -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "testes"
        shutil.copytree(suite, folder)
        if arguments.full:
            prepare_full(folder, suite.resolve().parent)
        if arguments.whole:
            switches = ("" if arguments.full else "_port = true ") + ("_soft = true " if arguments.soft else "")
            done = run(engine + ["-W", "-e", switches + "_nomsg = true", "all.lua"], folder, 1200)
            status, words = outcome(done)
            if status == "pass" and b"final OK !!!" not in done.stdout:
                status, words = "FAIL", "all.lua ended without its final line"
            print(f"all.lua  {status}  {words}")
            if status != "pass" and done:
                print(done.stdout.decode("latin-1")[-800:], done.stderr.decode("latin-1")[-1500:])
            return int(status != "pass")
        # Under _soft all.lua leaves big.lua out, and big.lua does nothing, not even yield what a run of it must.
        names = arguments.file or [name for name in FILES if not (arguments.soft and name == "big.lua")]
        for name in names:
            start = time.monotonic()
            status, words = outcome(run(engine + ["-W", "-e", driver(name, arguments)], folder, arguments.timeout))
            failed += status != "pass"
            print(f"{name:16} {status:8} {time.monotonic() - start:6.1f} s  {words}", flush=True)
    print(f"{len(names) - failed} passed, {failed} failed")
    return int(failed > 0)


def tap_counts(done: subprocess.CompletedProcess | None) -> tuple:
    """(ok, not ok, exit code, names of what is not ok) of one TAP run."""
    if done is None:
        return 0, 0, "timeout", []
    lines = done.stdout.decode("latin-1").split("\n")
    bad = [line for line in lines if line.startswith("not ok") and "# TODO" not in line]
    return sum(line.startswith("ok") for line in lines), len(bad), done.returncode, bad


def run_harness(engine: list[str], suite: Path, arguments: argparse.Namespace) -> int:
    """Each .t file under the engine and the judge; a difference in counts or exit code is a failure."""
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "harness"
        shutil.copytree(suite, folder)
        tests = sorted(p.name for p in folder.glob("*.t") if not arguments.file or p.name in arguments.file)
        for name in tests:
            command = ["-l", "profile_lua54", name]
            env = {"PATH": "/usr/bin:/bin", "LUA_PATH": "./?.lua;;", "LUA_INIT": ""}
            got = tap_counts(run(engine + command, folder, arguments.timeout, env, False))
            expected = tap_counts(run([arguments.judge] + command, folder, arguments.timeout, env, False))
            same = got[:3] == expected[:3] and [strip_number(b) for b in got[3]] == [strip_number(b) for b in expected[3]]
            failed += not same
            print(f"{name:18} {'same' if same else 'DIFFERS'}  engine {got[:3]}  judge {expected[:3]}", flush=True)
            for line in got[3] if not same else []:
                print("    " + line)
    print(f"{len(tests) - failed} passed, {failed} failed")
    return int(failed > 0)


def strip_number(line: str) -> str:
    return re.sub(r"^not ok \d+", "not ok", line)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="program and options, separated by blanks")
    parser.add_argument("--testes", type=Path, help="folder testes of lua/lua v5.4.8")
    parser.add_argument("--harness", type=Path, help="folder of lua-Harness (*.t)")
    parser.add_argument("--judge", default="lua5.4", help="the engine lua-Harness is compared with")
    parser.add_argument("--whole", action="store_true", help="run all.lua in one process")
    parser.add_argument("--full", action="store_true", help="not _port: also what only works on this kind of system")
    parser.add_argument("--soft", action="store_true", help="leave out the tests that need much memory or time")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one file")
    parser.add_argument("--file", action="append", help="only this file (may be repeated)")
    arguments = parser.parse_args()
    words = arguments.engine.split()
    program = shutil.which(words[0])
    if not program or not (arguments.testes or arguments.harness):
        parser.error("--engine must exist, and --testes or --harness be given")
    engine = [str(Path(program).resolve())] + words[1:]
    status = 0
    if arguments.testes:
        status |= run_testes(engine, arguments.testes, arguments)
    if arguments.harness:
        status |= run_harness(engine, arguments.harness, arguments)
    return status


if __name__ == "__main__":
    sys.exit(main())
