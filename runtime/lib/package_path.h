// Where modules are looked for (Lua 5.4 manual §6.3): default paths, environment variables, and the search
// itself.
#pragma once

#include <string>
#include <string_view>

#include "runtime/lib/string_builder.h"
#include "vm/vm.h"

namespace mangata {

/// package.path: LUA_PATH_5_4 or LUA_PATH, in which ";;" stands for the default; the default alone when
/// neither is set or the registry has LUA_NOENV.
std::string initial_package_path(Vm& vm);
/// package.cpath, from LUA_CPATH_5_4 and LUA_CPATH.
std::string initial_package_cpath(Vm& vm);

/// Appends `text` to `out` with `to` for each `from`, which is not empty. Raises interrupts, and "not enough memory".
Status append_replaced(Vm& vm, StringBuilder& out, std::string_view text, std::string_view from, std::string_view to);

/// The first readable file among the templates of `path` with `name` for "?", after `separator` in it became
/// `replacement`, in *file. False when there is none, with `tried` saying which files were tried. Raises as append_replaced().
Result<bool> search_path(Vm& vm, std::string_view name, std::string_view path, std::string_view separator,
                         std::string_view replacement, std::string* file, StringBuilder& tried);

}  // namespace mangata
