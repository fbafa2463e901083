// "Did you mean": the option that was meant by a name that is none.
#pragma once

#include <string_view>

namespace mangata {

/// The name of an option that is close to `name`, such as "--profile-pahts" to "--profile-paths"; empty: none is.
std::string_view suggest_option(std::string_view name);

}  // namespace mangata
