"""A browser without a window: what a page looks like to one after scripted clicks, and what its console says.

The page is copied with one more script, which clicks and writes what it finds into the page; the browser prints the result.
"""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import unquote

NAMES = ("chromium", "chromium-browser", "google-chrome")
# Nothing is asked of the network: background services would, and there may be none.
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--disable-dev-shm-usage", "--enable-logging=stderr", "--window-size=1440,900", "--virtual-time-budget=5000", "--dump-dom")


def find() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def run(page: Path, actions: str) -> dict:
    """`actions` is the body of a function in JavaScript; what it returns, with errors and requests of the page.

    -- {"value": ..., "errors": [uncaught ones], "requests": [addresses], "console": [lines of the browser's log]}
    """
    script = ("""<script nonce="mangata">window.errors = [];
      window.addEventListener("error", (event) => errors.push(event.message));
      window.addEventListener("securitypolicyviolation", (event) => errors.push("policy: " + event.violatedDirective));</script>""")
    last = ("""<script nonce="mangata">{ let value = null;
      try { value = (() => {""" + actions + """})(); } catch (error) { errors.push(String(error)); }
      const requests = performance.getEntriesByType("resource").map((entry) => entry.name);
      const result = document.createElement("pre"); result.id = "result";
      result.textContent = encodeURIComponent(JSON.stringify({ value, errors, requests })); document.body.append(result); }</script>""")
    with tempfile.TemporaryDirectory() as folder:
        text = page.read_text(encoding="utf-8")
        copy = Path(folder) / "page.html"
        head, body = text.split("<body>", 1)
        front, end = body.rsplit("</body>", 1)
        copy.write_text(head + "<body>" + script + front + last + "</body>" + end, encoding="utf-8")
        done = subprocess.run([find(), *FLAGS, f"--user-data-dir={folder}/user", copy.as_uri()], capture_output=True, text=True, timeout=120, errors="replace")
    found = re.search(r'<pre id="result">([^<]*)</pre>', done.stdout)
    if not found:
        raise AssertionError(f"the browser did not run the page:\n{done.stderr[-2000:]}")
    result = json.loads(unquote(found[1]))
    result["console"] = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return result
