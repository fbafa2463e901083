// From the key of a path (profiler/JSON.md) back to the path: profiles of earlier runs are read by this.
#pragma once

#include <optional>
#include <string_view>

#include "profiler/function_record.h"

namespace mangata {

/// The completed path or window that PathTranslator gives this key, of a function with this shape and these loops. Empty: there
/// is none; the key is that of other code, or of other options.
std::optional<numbering::FlowPath> path_of_key(const FunctionRecord& record, std::string_view key);

}  // namespace mangata
