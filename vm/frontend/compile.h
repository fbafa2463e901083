// Source text to prototypes: lexer, one-pass parser and code generator (Lua 5.4 manual §3, §9).
#pragma once

#include <string_view>

#include "vm/vm.h"

namespace mangata {

/// Compiles a chunk. `chunk_name` as for lua_load ("@file", "=name", or the text itself). A syntax error is raised with the
/// message of Lua 5.4 ("name:line: ... near 'x'"). Not a safepoint: nothing is collected meanwhile. Every Proto is announced to
/// vm.hooks->proto_created, inner ones first.
Result<Proto*> compile(Vm& vm, std::string_view text, std::string_view chunk_name);

/// The tokens of a chunk, one per line, for --dump=tokens.
Result<void> dump_tokens(Vm& vm, std::string_view text, std::string_view chunk_name, std::string& out);

}  // namespace mangata
