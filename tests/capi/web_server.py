#!/usr/bin/env python3
"""lighttpd's mod_magnet, which Debian links with liblua5.4.so.0, answers the same on ours. Skipped where it is not installed.

    web_server.py --library build/release/lib/lua5.4/liblua5.4.so.0
"""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

SKIPPED = 77
MODULE = Path("/usr/lib/lighttpd/mod_magnet.so")

SCRIPT = """
local r, sum = lighty.r, 0
for i = 1, 100000 do sum = sum + i % 7 end
local words = {}
for word in r.req_attr["uri.path"]:gmatch("%w+") do words[#words + 1] = word end
table.sort(words)
r.resp_header["X-Answer"] = ("%d/%s"):format(sum, r.req_header["X-Question"] or "none")
r.resp_body.set({_VERSION, " ", table.concat(words, ","), " ", tostring(pcall(error, {})), "\\n"})
return 200
"""

CONFIGURATION = """
server.document-root = "{folder}"
server.port = {port}
server.bind = "127.0.0.1"
server.modules = ("mod_magnet")
server.errorlog = "{folder}/errors"
magnet.attract-raw-url-to = ("{folder}/answer.lua")
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, path):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"X-Question": path})
    for _ in range(100):  # until it listens
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return f"{answer.status} {answer.headers['X-Answer']} {answer.read().decode()}"
        except (ConnectionError, urllib.error.URLError) as error:
            if isinstance(error, urllib.error.HTTPError):
                return f"{error.code}"
            time.sleep(0.1)
    return "no answer"


def answers(folder, library):
    port = free_port()
    (folder / "answer.lua").write_text(SCRIPT)
    (folder / "configuration").write_text(CONFIGURATION.format(folder=folder, port=port))
    environment = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    if library is not None:
        environment["LD_LIBRARY_PATH"] = str(library.parent)
    server = subprocess.Popen([shutil.which("lighttpd"), "-D", "-f", str(folder / "configuration")], env=environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        given = [ask(port, path) for path in ["/b/a", "/", "/z/y/x"] + [f"/{i}/path" for i in range(20)]]
        mapped = Path(f"/proc/{server.pid}/maps").read_text()
    finally:
        server.terminate()
        server.wait()
    return given, library is None or str(library.parent) in mapped


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", type=Path, required=True)
    given = parser.parse_args()
    if shutil.which("lighttpd") is None or not MODULE.exists():
        print("there is no lighttpd with mod_magnet")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        expected, _ = answers(Path(name), None)
        ours, is_ours = answers(Path(name), given.library.resolve())
    if not is_ours:
        sys.exit("the server did not load our library")
    if ours != expected or not ours[0].startswith("200 300000/"):
        sys.exit("\n".join(f"{a!r} became {b!r}" for a, b in zip(expected, ours)))
    print(f"{len(ours)} answers, the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
