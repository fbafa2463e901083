#!/usr/bin/env python3
"""Checks the shape of the source tree: who includes whom, who may use which library, and how long a file may get.

The folders are layers and includes point in one direction only. The tables below are the rule; a change of the
architecture starts with a change here. Prints one line for each offence and fails when there is any.

    check_layers.py [ROOT]
"""

import re
import sys
from pathlib import Path

# Which of our folders a folder may include, besides itself.
LAYERS = {
    "numbering": set(),
    "vm": set(),
    "profiler": {"vm", "numbering"},
    "jit": {"vm", "numbering", "profiler"},
    "runtime": {"vm", "numbering", "profiler", "jit"},
    "bench": {"vm", "numbering", "profiler", "jit", "runtime", "tests"},  # the generators of random input
    "tests": {"vm", "numbering", "profiler", "jit", "runtime"},
}

# Which folders a folder inside a layer may include, besides itself and what its layer may. A folder is the first below the layer, with
# all that is in it; "" are the files that lie in the layer's own folder. These folders are layers, too: none includes one that stands
# below it in this table.
FOLDERS = {
    "jit": {
        "ir": set(),
        "passes": {"ir"},
        "assembler": set(),
        "code_memory": set(),
        "quick": {"ir", "assembler", "code_memory"},
        "listing": set(),
        "observers": {"listing"},
        "abi": {"code_memory", "observers"},
        "x64": {"assembler", "code_memory", "abi"},
        "baseline": {"ir", "code_memory", "abi", "x64"},
        "driver": {"code_memory", "listing", "observers", "abi", "x64", "baseline"},
        "region": {"observers", "abi", "baseline", "driver"},
        "build": {"ir", "abi", "region"},
        "at_once": {"ir", "passes", "code_memory", "quick", "abi", "driver", "region", "build"},
        "optimizer": {"ir", "passes", "abi", "region", "build"},
    },
    "runtime": {
        "include": set(),
        "output": set(),
        "c_boundary": {"include"},
        "sampling": {"c_boundary"},
        "lib": {"c_boundary"},
        "ffi": {"c_boundary", "lib"},
        "library_set": {"lib", "ffi"},
        "tiering": {"output", "lib", "library_set"},
        "options": {"output", "library_set", "tiering"},
        "": {"output", "sampling", "lib", "library_set", "tiering", "options"},
        "capi": {"c_boundary", "lib", "options", ""},
        "embed": {"lib", "tiering", "options", ""},
        "cli": {"output", "lib", "tiering", "options", ""},
    },
}

# Files that may not include the virtual machine though their folder may: profiles and their reports are read without one, and the IR
# knows no bytecode.
MACHINE_FREE = ("profiler/model/", "profiler/coverage/model/", "profiler/reader/", "profiler/page/", "profiler/markup",
                "profiler/report", "profiler/edge_report", "profiler/selection", "profiler/source_lines",
                "profiler/text_table", "profiler/path_profile.h", "profiler/outcome", "profiler/glob",
                "jit/ir/", "jit/passes/", "jit/quick/")

# Which third-party headers may appear below which folders. A prefix that ends in "/" is a directory of headers.
LIBRARIES = {
    "malloc.h": ["runtime/cli/", "jit/"],
    "time.h": ["runtime/sampling/"],
    "boost/context/": ["vm/interpreter/"],
    "sanitizer/": ["vm/interpreter/", "vm/heap/", "vm/object/"],
    "nlohmann/": ["profiler/", "runtime/tiering/", "tests/"],
    "protozero/": ["profiler/report_pprof", "tests/unit/profile_model/"],
    "zlib.h": ["profiler/report_gzip", "tests/unit/profile_model/"],
    "stddef.h": ["runtime/tiering/policy_abi.h"],  # plug-ins may be written in C
    "stdint.h": ["runtime/tiering/policy_abi.h"],
    "histedit.h": ["runtime/cli/"],
    "editline/": ["runtime/cli/"],
    "ffi.h": ["runtime/ffi/"],
    "asmjit/": ["jit/assembler/", "jit/code_memory/emit_region", "jit/quick/quick_compiler", "jit/quick/x64/", "jit/x64/", "tests/unit/jit/", "bench/micro/"],
    "Zydis/": ["jit/listing/disassembler"],
    "llvm/": ["jit/optimizer/"],
    "gtest/": ["tests/"],
    "gmock/": ["tests/"],
    "benchmark/": ["bench/micro/"],
    "lua.hpp": ["bench/micro/embed_benchmark"],
    "mangata/": ["runtime/include/", "runtime/embed/", "bench/micro/", "tests/"],  # the public API, as an embedding program sees it
}

# Headers in C for programs outside the tree, and those of such programs, which find them by their own names.
FOREIGN_HEADERS = ("runtime/include/lua5.4/", "tests/capi/", "tests/ffi/")

# What the operating system gives; numbering is to stay free of it.
SYSTEM = re.compile(r"sys/\w+\.h|linux/\w+\.h|cpuid\.h|cxxabi\.h|dlfcn\.h|elf\.h|errno\.h|fcntl\.h|immintrin\.h|langinfo\.h|link\.h|poll\.h"
                    r"|pthread\.h|semaphore\.h|signal\.h|spawn\.h|termios\.h|ucontext\.h|unistd\.h|unwind\.h")
STANDARD = re.compile(r"[a-z_0-9]+")   # <vector>, <cstdint>: no slash, no dot

LINE_LIMIT = 500
COUNTED = {".cpp", ".h", ".hpp", ".inc", ".py", ".lua", ".cmake", ".sh"}
# The dispatch loop is one function by nature (and .def tables are not counted at all).
LONG_FILES_ALLOWED = set()

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def folder_in_layer(file):
    """The first folder below the layer; "" of files that lie in the layer's own."""
    return "/".join(file.split("/")[1:-1][:1])


def check_folder(layer, file, target):
    """An include inside one layer: does its folder see the other one?"""
    table = FOLDERS.get(layer)
    if table is None:
        return None
    own, other = folder_in_layer(file), folder_in_layer(target)
    for folder in (own, other):
        if folder not in table:
            return f"{layer}/{folder} is in no table: FOLDERS says what it may include" if folder else f"{file}: nothing lies in {layer} itself"
    if other != own and other not in table[own]:
        return f'"{target}": {layer}/{own} may not include {layer}/{other}'
    return None


def circles(includes):
    """Files that include each other, directly or by way of others: one sorted list for each such group. [Tarjan 1972]"""
    number, low, stack, found = {}, {}, [], []
    for root in sorted(includes):
        if root in number:
            continue
        walk = [(root, iter(includes[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        while walk:
            file, targets = walk[-1]
            target = next(targets, None)
            if target is None:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[file])
                if low[file] == number[file]:
                    group = stack[stack.index(file):]
                    del stack[stack.index(file):]
                    low.update((member, float("inf")) for member in group)  # no longer on the stack
                    if len(group) > 1 or file in includes.get(file, ()):
                        found.append(sorted(group))
            elif target not in number:
                number[target] = low[target] = len(number)
                stack.append(target)
                walk.append((target, iter(includes.get(target, ()))))
            else:
                low[file] = min(low[file], low[target])
    return found


def check_own_include(root, layer, file, target):
    """`#include "folder/file"`: rooted at the repository, existing, and in a layer we may see."""
    folder = target.split("/")[0]
    if folder not in LAYERS:
        return f'"{target}" does not start with one of our folders; includes are rooted at the repository'
    if not (root / target).is_file():
        return f'"{target}" does not exist'
    if folder == "vm" and file.startswith(MACHINE_FREE):
        return f'"{target}": profiles and reports need no virtual machine'
    if folder != layer and folder not in LAYERS[layer]:
        return f'"{target}": {layer} may not include {folder}'
    return check_folder(layer, file, target) if folder == layer else None


def check_foreign_include(layer, file, target):
    """`#include <header>`: the standard library, the system, or a library where the table allows it."""
    if STANDARD.fullmatch(target):
        return None
    if SYSTEM.fullmatch(target):
        return f"<{target}>: numbering uses nothing of the system" if layer == "numbering" else None
    for prefix, places in LIBRARIES.items():
        if target == prefix or (prefix.endswith("/") and target.startswith(prefix)):
            if any(file.startswith(place) for place in places):
                return None
            return f"<{target}> belongs to {' and '.join(places)} only"
    return f"<{target}> is in no table: add its library to LIBRARIES, or use C++ headers (<cstdint>, not <stdint.h>)"


# Code that switches over opcodes or their families names all of them: what is left out must not compile.
EXHAUSTIVE = ("jit/",)
# What is not folded is made. Selection names all operations in one place, and hands them on by family.
PARTIAL = ("jit/ir/fold", "jit/quick/x64/select_")
SWITCH = re.compile(r"switch \((?:family_of\(.*\)|[^()]*\.op|op)\) \{")


def body_of(text, start):
    """What stands between the brace before `start` and its partner, without what is in braces inside."""
    depth, body = 1, []
    for character in text[start:]:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth == 0:
            break
        if depth == 1:
            body.append(character)
    return "".join(body)


def silent_switches(file, text):
    """Switches over opcodes that have a default."""
    if not file.startswith(EXHAUSTIVE) or file.startswith(PARTIAL):
        return
    for match in SWITCH.finditer(text):
        body = body_of(text, match.end())
        if "default:" in body and re.search(r"case Opcode(Family)?::", body):
            yield f"{file}:{text.count(chr(10), 0, match.start()) + 1}: a switch over opcodes with a default: name the others"


ENCODES = re.compile(r"\ba_\.(?!code\()\w+|\basmjit::x86\b")


def encodings(file, text):
    """Emitters emit by jit/x64/masm.h alone: what they are made of is the same for every machine."""
    if not file.startswith("jit/baseline/"):
        return
    for match in ENCODES.finditer(text):
        yield f"{file}:{text.count(chr(10), 0, match.start()) + 1}: {match.group()} is of one machine: jit/x64 has operations and registers"


def offences(root):
    """All offences below `root`, each as `file:line: message`."""
    includes = {}
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*")):
            file = path.relative_to(root).as_posix()
            if not path.is_file() or "/__pycache__/" in file:
                continue
            if path.suffix in {".cpp", ".h", ".hpp", ".def", ".inc"} and not file.startswith(FOREIGN_HEADERS):
                text = path.read_text(encoding="utf-8")
                includes[file] = [target for kind, target in INCLUDE.findall(text) if kind == '"' and (root / target).is_file()]
                for match in INCLUDE.finditer(text):
                    kind, target = match.groups()
                    if kind == '"':
                        problem = check_own_include(root, layer, file, target)
                    else:
                        problem = check_foreign_include(layer, file, target)
                    if problem:
                        yield f"{file}:{text.count(chr(10), 0, match.start(1)) + 1}: {problem}"
                yield from silent_switches(file, text)
                yield from encodings(file, text)
            if path.suffix in COUNTED and file not in LONG_FILES_ALLOWED:
                count = len(path.read_text(encoding="utf-8", errors="replace").splitlines())
                if count > LINE_LIMIT:
                    yield f"{file}:{LINE_LIMIT + 1}: {count} lines, the limit is {LINE_LIMIT}; split it by idea"
    for group in circles(includes):
        yield f"{group[0]}:1: these files include each other: {', '.join(group)}"
    for file in sorted(LONG_FILES_ALLOWED):
        if not (root / file).is_file():
            yield f"tests/layers/check_layers.py: LONG_FILES_ALLOWED names {file}, which does not exist"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
    found = list(offences(root))
    print("\n".join(found) if found else "includes and file sizes are as the tables say")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
