// Binary chunks: string.dump and load. Our own format: versioned, checksummed, and verified before it can run, so that a
// hostile chunk is an error ("bad binary format (...)"), never a crash.
#pragma once

#include <string>
#include <string_view>

#include "vm/vm.h"

namespace mangata {

/// The first bytes of every chunk; starts with ESC as PUC's do, so "mode" of load works on the first byte.
inline constexpr std::string_view kChunkSignature = "\x1bMng";

std::string dump_chunk(const Proto& proto, bool strip);

/// Announces every Proto to vm.hooks->proto_created. Raises "name: bad binary format (truncated chunk)" and the like.
Result<Proto*> load_chunk(Vm& vm, std::string_view bytes, std::string_view chunk_name);

/// Text or binary by the first byte, as lua_load: mode "b", "t" or "bt". The result is a closure whose first upvalue is the
/// globals table. "attempt to load a text chunk (mode is 'b')".
Result<LuaFunction*> load(Vm& vm, std::string_view bytes, std::string_view chunk_name, std::string_view mode = "bt");

}  // namespace mangata
