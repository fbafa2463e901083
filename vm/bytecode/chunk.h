// Binary chunks: string.dump and load. Our own format: versioned, checksummed, and verified before it can run, so that a
// hostile chunk is an error ("bad binary format (...)"), never a crash.
#pragma once

#include <string>
#include <string_view>

#include "vm/vm.h"

namespace mangata {

/// The first bytes of every chunk. [DESIGN] They begin with the header of Lua 5.4's own chunks, byte for byte, so that tools (and
/// the official tests) recognise a binary chunk of Lua 5.4. What follows is read by PUC Lua as the length of a name, too
/// large to be one: it refuses the chunk ("integer overflow") before it could run foreign bytecode; and we refuse its chunks,
/// which lack the name.
inline constexpr std::string_view kChunkSignature{
    "\x1bLua\x54\x00\x19\x93\r\n\x1a\n\x04\x08\x08"  // signature, version 5.4, format, damage check, sizes
    "\x78\x56\0\0\0\0\0\0"                             // the integer 0x5678
    "\0\0\0\0\0\x28\x77\x40"                           // the float 370.5
    "Mangata bytecode",
    47};

std::string dump_chunk(const Proto& proto, bool strip);

/// Announces every Proto to vm.hooks->proto_created. Raises "name: bad binary format (truncated chunk)" and the like.
Result<Proto*> load_chunk(Vm& vm, std::string_view bytes, std::string_view chunk_name);

/// Text or binary by the first byte, as lua_load: mode "b", "t" or "bt". The result is a closure whose first upvalue is the
/// globals table. "attempt to load a text chunk (mode is 'b')".
Result<LuaFunction*> load(Vm& vm, std::string_view bytes, std::string_view chunk_name, std::string_view mode = "bt");

}  // namespace mangata
