#!/usr/bin/env python3
"""Counts public members without a comment, in the headers of each folder, and fails when there are more than UNCOMMENTED says, or fewer:
the number of a folder goes down only, and is written down when it does.

    check_comments.py [--list [PREFIX]] [ROOT]          --list: names them instead, those below PREFIX

A member has a comment when one stands above it or behind it, or above the group that it is in: lines without an empty line between.
These need none, because name and type say all, or another place does:
  * constructors of one parameter or none, of which the class is made, destructors, operators, overrides, friends, names for types;
  * what is in a namespace `detail`; an `offsetof`;
  * members of a specialization of a template, which the template has with comments; what ends in `_`;
  * a function without parameters, or with one, that is one `return` on its own line: `size_t size() const { return size_; }`; what sets
    one member so; a constructor that only sets members;
  * a member named as the last word of its type: `EventKind kind`, `LoopId loop`, `std::vector<Window> windows`: the comment is the type's;
  * `begin`, `end`, `size`, `empty` as in the standard library.
  * `from` and `to` of an edge.
"""

import re
import sys
from pathlib import Path

FOLDERS = ("numbering", "vm", "profiler", "jit", "runtime")
FOREIGN = ("runtime/include/lua5.4/",)   # the declarations of Lua's own API, whose manual has the comments
# How many public members have no comment, in each folder that has any.
UNCOMMENTED = {
    "jit/build": 12,
    "jit/ir": 13,
    "jit/optimizer": 1,
    "jit/passes": 2,
    "jit/quick/allocation": 2,
    "jit/quick/code": 27,
    "jit/quick/order": 3,
    "jit/quick/x64": 4,
    "jit/region": 2,
}

CLASS = re.compile(r"^(?:template\s*<.*>\s*)?(?:requires.*)?(class|struct|union)\b\s*(?:alignas\(.*?\)\s*|\[\[\w+\]\]\s*)*([\w:]*(?:<.*>)?)(?:\s+final)?\s*(?::[^:].*)?$", re.S)
ENUM = re.compile(r"^enum\b")
SCOPE = re.compile(r"^(?:inline\s+)?namespace\b|^extern\s+\"C\"")
NO_MEMBER = re.compile(r"^(?:friend|using|typedef|static_assert|namespace|template\s*(?:<.*>)?\s*(?:class|struct)\s+\w+$|(?:class|struct|enum|union|enum class)\s+[\w:]+(?:\s*:\s*[\w: ]+)?$|#)", re.S)
TRIVIAL = re.compile(r"^(?:(?:virtual\s+)?~|.*=\s*offsetof\(|.*\boperator\b|.*=\s*(?:default|delete)$|.*\boverride\b)", re.S)
ONE_RETURN = re.compile(r"^\{\s*(?:return\s+[^;]*;|\w+_?\s*=\s*(?:std::move\()?\w+\)?;)\s*\}$")
SETS_MEMBERS = re.compile(r"^\{\s*\}$")
STANDARD = {"begin", "end", "size", "empty"}
ENDS = {"from", "to"}   # of an edge


class Member:
    def __init__(self, name, line, commented):
        self.name, self.line, self.commented = name, line, commented


def members(text):
    """Every public member of the classes of a header that needs a comment, and whether it has one."""
    return list(Scanner(text).run())


class Scanner:
    """Reads declarations one after the other: text up to `;` or a body in braces, with the classes that they are in."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.group_comment = False   # does a comment stand above the lines since the last empty one?

    def run(self):
        scopes = []                  # of each open brace: the name of a class or "", and whether members are public now
        pending, first, commented, group = "", 0, False, False
        for number, line in enumerate(self.lines, 1):
            code, comment = split_comment(line)
            stripped = code.strip()
            if not stripped:
                if not pending:
                    group = bool(comment) or (group and bool(line.strip()))
                continue
            if stripped.startswith("#"):
                continue
            if not pending:
                first, commented = number, group
            pending = (pending + " " + stripped).strip()
            commented = commented or bool(comment)
            label = re.match(r"^(public|private|protected):$", pending)
            if label and scopes:
                scopes[-1] = (scopes[-1][0], label.group(1) == "public")
                pending, group = "", False
                continue
            while pending:
                taken = one_declaration(pending)
                if taken is None:
                    break
                kind, declaration, pending = taken
                if kind == "close":
                    if scopes:
                        scopes.pop()
                    group = False
                elif kind == "open":
                    head = declaration
                    match = CLASS.match(head)
                    visible = match is not None and match.group(1) != "class"
                    if SCOPE.match(head):
                        scopes.append(("", not re.search(r"\bdetail\b", head)))
                    else:
                        scopes.append((match.group(2) if match else "?", visible))
                    group = False
                elif scopes and scopes[-1][0] not in ("", "?") and all(public for name, public in scopes):
                    member = self.member(declaration, scopes[-1][0], first, commented)
                    if member:
                        yield member
                first, commented = number, group or bool(comment)

    @staticmethod
    def member(declaration, owner, line, commented):
        head, body = head_and_body(declaration)
        if NO_MEMBER.match(head) or TRIVIAL.match(head) or says_it(head, body):
            return None
        name = name_of(head)
        if name in STANDARD or name in ENDS or not name or name.endswith("_") or owner.endswith(">"):
            return None
        if (name == owner and "," not in head.partition("(")[2]) or (not function_head(head) and is_named_as_its_type(head, name)):
            return None
        return Member(f"{owner}::{name}", line, commented)


def split_comment(line):
    """Code and comment of a line; strings with `//` in them are code."""
    inside = None
    for i, char in enumerate(line):
        if inside:
            if char == inside and line[i - 1] != "\\":
                inside = None
        elif char == '"':
            inside = char
        elif line.startswith("//", i):
            return line[:i], line[i + 2:].strip()
    return line, ""


def one_declaration(text):
    """The first declaration of the text, as (kind, declaration, rest); nothing where it is not complete."""
    if text.startswith("}"):
        return "close", "", re.sub(r"^\}[^;{}]*;?|^\}", "", text, count=1).strip() if re.match(r"^\}\s*[\w\s,=*]*;", text) else text[1:].strip()
    depth, start = 0, None
    for i, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == ";" and depth == 0:
            return "member", text[:i].strip(), text[i + 1:].strip()
        elif char == "{" and depth == 0 and start is None:
            head = text[:i].strip()
            if CLASS.match(head) or SCOPE.match(head):
                return "open", head, text[i + 1:].strip()
            start = i
            depth += 1
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            rest = text[i + 1:].strip()
            if depth == 0 and function_head(text[:start]) and not rest.startswith((",", "{")):
                return "member", text[:i + 1], rest.removeprefix(";").strip()
    return None


def function_head(head):
    return re.search(r"\)\s*(?:const|noexcept|override|final|&|->.*|requires.*|:.*|\s)*$", head, re.S) is not None


def head_and_body(declaration):
    position = declaration.find("{")
    if position < 0:
        return declaration, ""
    return declaration[:position].strip(), declaration[position:].strip()


def name_of(head):
    head = re.sub(r"^template\s*<.*?>\s*(?=[\w:\[])", "", head, flags=re.S)
    head = re.sub(r"\[\[\w+\]\]|alignas\([^)]*\)", "", head)
    match = re.search(r"(~?\w+)\s*\(", head)
    if match:
        return match.group(1)
    match = re.search(r"(\w+)(?:\[[^\]]*\])*\s*(?::\s*\d+\s*)?(?:=.*)?$", head, re.S)
    return match.group(1) if match else ""


def says_it(head, body):
    """Is this a function that its one line explains?"""
    if ONE_RETURN.match(body):
        return "," not in head[head.find("("):]
    return bool(SETS_MEMBERS.match(body)) and re.search(r"\)\s*:", head) is not None


def is_named_as_its_type(head, name):
    words = name.rstrip("_").lower().replace("_", "")
    types = [each.lower() for each in re.findall(r"\w+", head.split("=")[0])]
    singular = re.sub(r"ies$", "y", words) if words.endswith("ies") else re.sub(r"(?<=[^s])s$", "", words)
    types = [re.sub(r"(?:id|index)$", "", each) for each in types[:-1]] + types[-1:]
    return any(type_ != words and type_.endswith((words, singular)) for type_ in types[:-1] if type_) or types.count(words) > 1


def headers(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            file = path.relative_to(root).as_posix()
            if path.suffix in {".h", ".hpp"} and path.is_file() and not file.startswith(FOREIGN):
                yield file, members(path.read_text(encoding="utf-8"))


def folder_of(file):
    return file.rpartition("/")[0]


def main():
    arguments = sys.argv[1:]
    listing = "--list" in arguments
    if listing:
        arguments.remove("--list")
        prefix = arguments.pop(0) if arguments and not Path(arguments[0]).is_absolute() else ""
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parents[2])
    missing, total = {}, 0
    for file, found in headers(root):
        total += len(found)
        for member in found:
            if not member.commented:
                missing.setdefault(folder_of(file), []).append(f"{file}:{member.line}: {member.name}")
    if listing:
        print("\n".join(line for lines in missing.values() for line in lines if line.startswith(prefix)))
        print(f"{sum(map(len, missing.values()))} of {total} public members have no comment: " +
              ", ".join(f"{folder} {len(lines)}" for folder, lines in missing.items()))
        return 0
    wrong = []
    for folder in sorted({*missing, *UNCOMMENTED}):
        allowed, lines = UNCOMMENTED.get(folder, 0), missing.get(folder, [])
        if len(lines) > allowed:
            wrong += [f"{folder}: {len(lines)} public members have no comment, {allowed} had none:", *lines]
        elif len(lines) < allowed:
            wrong.append(f"tests/layers/check_comments.py: UNCOMMENTED says {allowed} of {folder}, which are {len(lines)} now")
    print("\n".join(wrong) if wrong else f"{total} public members, {sum(map(len, missing.values()))} without a comment")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
