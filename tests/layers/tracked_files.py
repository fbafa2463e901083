"""What belongs to the tree: the checks beside this file look at nothing that a build or a user has put there."""

import subprocess
from pathlib import Path


def tracked_files(root, *patterns):
    """The names from the root of files that git tracks and that are there; of a source tree without its history, of all but builds."""
    root = Path(root)
    try:
        listing = subprocess.run(["git", "-C", root, "ls-files", "-z", "--", *patterns], capture_output=True, check=True, text=True).stdout
        return [name for name in listing.split("\0") if name and (root / name).is_file()]
    except (OSError, subprocess.CalledProcessError):
        names = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
        return [name.as_posix() for name in names if "build" not in name.parts and (not patterns or any(map(name.match, patterns)))]
