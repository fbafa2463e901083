// File-name patterns of --profile-func and --profile-file: `*` any text, `?` any character, all else itself.
#pragma once

#include <string_view>

namespace mangata {

bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace mangata
