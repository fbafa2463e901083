#!/usr/bin/env python3
"""Compares the library `ffi` with a C compiler on random records and functions.

From a seed come structs and unions (nested, packed, aligned, with arrays, bit-fields, complex numbers, vectors and #pragma pack), and
functions that return one of their arguments. The C compiler makes a library of them that says, for each record, its size, its alignment, and which bytes each member
is made of; a Lua program with the same declarations compares that with what it finds, and calls the functions.

    against_compiler.py --engine build/release/bin/mangata [--cc cc] [--seed N] [--records N] [--functions N] [--keep FOLDER]

Skipped (77) without a C compiler.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

INTEGERS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long", "long long",
            "unsigned long long", "int8_t", "uint16_t", "int32_t", "uint64_t"]
BITS = {"char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32, "unsigned int": 32, "long": 64,
        "unsigned long": 64, "long long": 64, "unsigned long long": 64, "int8_t": 8, "uint16_t": 16, "int32_t": 32, "uint64_t": 64,
        "_Bool": 1}
FLOATS = ["float", "double"]
COMPLEX = ["float _Complex", "double _Complex"]
VECTORS = ["float", "int", "short", "double"]   # of them
ALIGNS = [1, 2, 4, 8, 16, 32]


class Record:
    """A struct or union, its text, and the paths of its members that are scalars."""

    def __init__(self, name):
        self.name = name
        self.text = ""
        self.scalars = []      # (path in C and Lua, is_float, is_bool)
        self.parts = []        # (path, type) of complex numbers


def random_record(rng, name, known, plain):
    """`plain`: what can be passed by value: no alignment, and no vectors of more than eight bytes."""
    record = Record(name)
    is_union = rng.random() < 0.2
    lines = []
    members = 0

    def member_name():
        nonlocal members
        members += 1
        return f"m{members}"

    def attribute():
        if rng.random() > 0.12:
            return ""
        if plain:
            return rng.choice(["", " __attribute__((packed))"])
        return rng.choice([" __attribute__((packed))", f" __attribute__((aligned({rng.choice(ALIGNS)})))"])

    def body(depth, prefix, is_union_body):
        out = []
        for _ in range(rng.randint(1, 5 if depth else 7)):
            kind = rng.random()
            member = member_name()
            if kind < 0.3:
                of = rng.choice(INTEGERS + ["_Bool"])
                out.append(f"{of} {member}{attribute()};")
                record.scalars.append((prefix + member, False, of == "_Bool"))
            elif kind < 0.42:
                out.append(f"{rng.choice(FLOATS)} {member}{attribute()};")
                record.scalars.append((prefix + member, True, False))
            elif kind < 0.72:
                of = rng.choice(INTEGERS + ["_Bool"])
                width = rng.randint(1, BITS[of])
                if not plain and rng.random() < 0.12:   # compilers do not agree on how records with these are passed
                    out.append(f"{of} : {rng.choice([0, width])};")
                else:
                    out.append(f"{of} {member} : {width}{attribute() if rng.random() < 0.5 else ''};")
                    record.scalars.append((prefix + member, False, of == "_Bool"))
            elif kind < 0.82:
                count = rng.randint(1, 3)
                of = rng.choice(INTEGERS + FLOATS)
                out.append(f"{of} {member}[{count}]{attribute()};")
                record.scalars += [(f"{prefix}{member}[{i}]", of in FLOATS, False) for i in range(count)]
            elif kind < 0.85:
                of = rng.choice(COMPLEX)
                out.append(f"{of} {member}{attribute()};")
                record.parts.append((prefix + member, of))
            elif kind < 0.86:   # its bytes are not all compared: some are padding
                out.append(f"long double {member}{attribute()};")
            elif kind < 0.88:
                of, size = (rng.choice(VECTORS[:3]), 8) if plain else (rng.choice(VECTORS), rng.choice([8, 16]))
                out.append(f"{of} {member}{attribute()} __attribute__((vector_size({size})));")
            elif kind < 0.93 and known:
                inner = rng.choice(known)
                out.append(f"{inner.name} {member}{attribute()};")
                record.scalars += [(f"{prefix}{member}.{path}", f, b) for path, f, b in inner.scalars]
                record.parts += [(f"{prefix}{member}.{path}", of) for path, of in inner.parts]
            elif depth < 2:
                word = rng.choice(["struct", "union"])
                if rng.random() < 0.5:
                    out.append(f"{word} {{ {' '.join(body(depth + 1, prefix, word == 'union'))} }};")
                else:
                    out.append(f"{word} {{ {' '.join(body(depth + 1, prefix + member + '.', word == 'union'))} }} {member}{attribute()};")
            else:
                out.append(f"int {member};")
                record.scalars.append((prefix + member, False, False))
        return out

    lines = body(0, "", is_union)
    whole = ""
    if rng.random() < 0.15:
        whole = " __attribute__((packed))" if plain else rng.choice([" __attribute__((packed))", f" __attribute__((aligned({rng.choice(ALIGNS)})))"])
    text = f"typedef {'union' if is_union else 'struct'} {{ {' '.join(lines)} }}{whole} {name};"
    if not plain and rng.random() < 0.15:
        text = f"#pragma pack(push, {rng.choice([1, 2, 4, 8])})\n{text}\n#pragma pack(pop)"
    record.text = text
    return record


def describe_in_c(record):
    """A function that writes a line for the record and one for each scalar: its bytes when it is all ones, and its value in a pattern."""
    out = [f"void describe_{record.name}(FILE *f) {{ static {record.name} r;",
           f'fprintf(f, "{record.name} %zu %zu\\n", sizeof(r), __alignof__({record.name}));']
    for path, is_float, is_bool in record.scalars:
        value = "1.5" if is_float else "1" if is_bool else "-1"
        cast = "double" if is_float else "long long"
        pattern = "%a" if is_float else "%lld"
        out.append(f"memset(&r, 0, sizeof r); r.{path} = {value}; dump(f, &r, sizeof r);")
        if is_bool or is_float:
            out.append(f'fprintf(f, " {pattern}\\n", ({cast})r.{path});')
        else:
            out.append(f'for (size_t i = 0; i < sizeof r; ++i) ((unsigned char *)&r)[i] = (unsigned char)(i * 73 + 41); '
                       f'fprintf(f, " {pattern}\\n", ({cast})r.{path});')
    for path, _ in record.parts:
        out.append(f"memset(&r, 0, sizeof r); r.{path} = 1.5 - 2.25i; dump(f, &r, sizeof r); "
                   f'fprintf(f, " %g\\n", (double)__imag__ r.{path});')
    return " ".join(out) + "}"


LUA_HEAD = r"""
local ffi = require "ffi"
local source = assert(io.open(arg[1])):read "a"
ffi.cdef(source)
local lines = io.lines(arg[2])
local C = ffi.load(arg[3])
local failures, checks = 0, 0
local function fail(...) failures = failures + 1 io.stderr:write(table.concat({ ... }, " "), "\n") end
local function hex(s) return (s:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end
local function check_complex(name, get, set)
  local want_bytes, want_imaginary = lines():match "(%S*) (%S+)"
  local r = ffi.new(name)
  set(r, ffi.new("complex", 1.5, -2.25))
  local bytes = hex(ffi.string(r, ffi.sizeof(r)))
  if bytes ~= want_bytes then fail(name, "bytes", bytes, "expected", want_bytes) end
  if get(r).im ~= tonumber(want_imaginary) then fail(name, "complex", tostring(get(r)), "expected", want_imaginary) end
  checks = checks + 1
end
local function check(name, get, set, is_float, is_bool)
  local want_bytes, want_value = lines():match "(%S*) (%S+)"
  local r = ffi.new(name)
  local size = ffi.sizeof(r)
  set(r, is_float and 1.5 or is_bool and true or -1)
  local bytes = hex(ffi.string(r, size))
  if bytes ~= want_bytes then fail(name, "bytes", bytes, "expected", want_bytes) end
  if not is_float and not is_bool then
    local p = ffi.cast("uint8_t *", r)
    for i = 0, size - 1 do p[i] = i * 73 + 41 end
  end
  local value = get(r)
  if is_bool then value = value and 1 or 0 end
  value = is_float and ("%a"):format(value) or tostring(value)
  if value ~= want_value then fail(name, "value", value, "expected", want_value) end
  checks = checks + 1
end
local function record(name)
  local want = lines()
  local got = ("%s %d %d"):format(name, ffi.sizeof(name), ffi.alignof(name))
  if got ~= want then fail("got", got, "expected", want) end
end
"""


def lua_value(rng, of, known):
    """(a Lua expression that makes an argument, a Lua expression that checks the result `x` against it)."""
    if isinstance(of, Record):
        return None
    if of in FLOATS:
        value = rng.randint(-4000, 4000) / 16
        return repr(value), f"x == {value!r}"
    if of in COMPLEX:
        re, im = rng.randint(-4000, 4000) / 16, rng.randint(-4000, 4000) / 16
        return f"ffi.new('{of}', {re!r}, {im!r})", f"x.re == {re!r} and x.im == {im!r}"
    if of == "_Bool":
        value = rng.choice(["true", "false"])
        return value, f"x == {value}"
    bits = BITS[of]
    unsigned = of.startswith("u")
    low, high = (0, min(2**bits - 1, 2**63 - 1)) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    value = rng.choice([low, high, rng.randint(low, high)])
    text = "math.mininteger" if value == -(2**63) else str(value)
    return text, f"x == {text}"


def random_function(rng, i, records):
    """C text and Lua text of a function that returns one of its arguments."""
    types = [rng.choice(records) if records and rng.random() < 0.3 else rng.choice(INTEGERS + FLOATS * 4 + COMPLEX * 2 + ["_Bool"])
             for _ in range(rng.randint(1, 14))]
    index = rng.randrange(len(types))
    names = [t.name if isinstance(t, Record) else t for t in types]
    signature = f"{names[index]} f{i}({', '.join(f'{n} a{k}' for k, n in enumerate(names))})"
    lua, values, test = [], [], ""
    for k, t in enumerate(types):
        if isinstance(t, Record):
            lua.append(f"local a{k} = ffi.new('{t.name}') local p{k} = ffi.cast('uint8_t *', a{k}) "
                       f"for i = 0, ffi.sizeof(a{k}) - 1 do p{k}[i] = i * {rng.randint(1, 120)} + 1 end")
            for path, is_float, is_bool in t.scalars:
                if is_bool or is_float:   # no traps, no NaN
                    lua.append(f"a{k}.{path} = {'true' if is_bool else repr(rng.randint(-400, 400) / 8)}")
            for path, of in t.parts:
                lua.append(f"a{k}.{path} = {lua_value(rng, of, records)[0]}")
            values.append(f"a{k}")
            if k == index:
                test = " and ".join([f"x.{path} == a{k}.{path}" for path, _, _ in t.scalars] +
                                    [f"tostring(x.{path}) == tostring(a{k}.{path})" for path, _ in t.parts])
        else:
            value, condition = lua_value(rng, t, records)
            values.append(value)
            if k == index:
                test = condition
    lua.append(f"local x = C.f{i}({', '.join(values)}) if not ({test or 'true'}) then fail('f{i}', '{signature}', tostring(x)) end checks = checks + 1")
    return signature, f"{signature} {{ return a{index}; }}", "do " + " ".join(lua) + " end"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--records", type=int, default=200)
    parser.add_argument("--functions", type=int, default=150)
    parser.add_argument("--keep", type=Path, help="write the files here and leave them")
    options = parser.parse_args()
    if shutil.which(options.cc) is None:
        print(f"{options.cc}: not found; skipped")
        return 77

    rng = random.Random(options.seed)
    records, plain = [], []
    for i in range(options.records):
        is_plain = rng.random() < 0.4
        record = random_record(rng, f"r{i}", plain if is_plain else records, is_plain)
        records.append(record)
        if is_plain and record.scalars:
            plain.append(record)
    functions = [random_function(rng, i, plain) for i in range(options.functions)]

    declarations = "\n".join(r.text for r in records) + "\n"
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        c_source = ("#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n" + declarations +
                    "static void dump(FILE *f, const void *p, size_t n) "
                    "{ for (size_t i = 0; i < n; ++i) fprintf(f, \"%02x\", ((const unsigned char *)p)[i]); }\n" +
                    "\n".join(describe_in_c(r) for r in records) + "\n" + "\n".join(f[1] for f in functions) +
                    "\nint describe(const char *name) { FILE *f = fopen(name, \"w\"); if (f == NULL) return 1; " +
                    " ".join(f"describe_{r.name}(f);" for r in records) + " return fclose(f); }\n")
        (folder / "t.c").write_text(c_source)
        (folder / "t.h").write_text(declarations + "".join(f"{f[0]};\n" for f in functions) + "int describe(const char *);\n")
        library = folder / "libt.so"
        subprocess.run([options.cc, "-w", "-Wno-psabi", "-O1", "-fPIC", "-shared", "-o", library, folder / "t.c"], check=True)
        lua = ["local ffi = require 'ffi' ffi.cdef 'int describe(const char *);' assert(ffi.load(arg[3]).describe(arg[2]) == 0)", LUA_HEAD]
        for r in records:
            lua.append(f"record('{r.name}')")
            for path, is_float, is_bool in r.scalars:
                lua.append(f"check('{r.name}', function(r) return r.{path} end, function(r, v) r.{path} = v end, "
                           f"{str(is_float).lower()}, {str(is_bool).lower()})")
            for path, _ in r.parts:
                lua.append(f"check_complex('{r.name}', function(r) return r.{path} end, function(r, v) r.{path} = v end)")
        lua = ["\n".join(lua)] + [f[2] for f in functions]
        lua.append("print(checks .. ' checks, ' .. failures .. ' failures') os.exit(failures == 0 and checks > 0)")
        (folder / "t.lua").write_text("\n".join(lua).replace("ffi.cdef(source)", "ffi.cdef((source:gsub('int describe[^\\n]*', '')))"))
        command = options.engine.split() + [str(folder / "t.lua"), str(folder / "t.h"), str(folder / "t.txt"), str(library)]
        return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
