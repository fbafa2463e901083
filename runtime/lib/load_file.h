// Reading chunks from files: luaL_loadfilex. Shared by dofile, loadfile, require and the command line.
#pragma once

#include <string>
#include <string_view>

#include "vm/vm.h"

namespace mangata {

struct SourceText {
  std::string text;        ///< without a byte-order mark; a first line that starts with # is blanked
  std::string chunk_name;  ///< "@file" or "=stdin"
};

/// The contents of a file (null: standard input). Raises "cannot open name" / "cannot read name" with the system's reason.
Result<SourceText> read_source(Vm& vm, const char* file_name);

/// Reads and loads; `mode` as for load(). The globals table is the first upvalue.
Result<LuaFunction*> load_file(Vm& vm, const char* file_name, std::string_view mode);

}  // namespace mangata
