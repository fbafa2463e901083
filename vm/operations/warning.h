// Warnings (Lua 5.4 manual §6.1 warn, §4.1.5): messages on stderr that a program may switch on and off.
#pragma once

#include <string_view>

#include "vm/vm.h"

namespace mangata {

/// Emits one piece of a warning; `continues`: more pieces of it follow. A message of one piece that starts with '@' is a
/// control message: "@on" and "@off" are obeyed, others ignored.
void warn(Vm& vm, std::string_view piece, bool continues);

}  // namespace mangata
