// KEY=VALUE,... behind the name of a policy.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace mangata {

/// Numbers from 0 to 2^31 - 1. False: *error names what is not understood.
bool parse_parameters(std::string_view text, std::initializer_list<std::pair<std::string_view, int32_t*>> known,
                      std::string* error);

}  // namespace mangata
