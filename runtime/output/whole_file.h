// Files that are written at once, such as profiles.
//
// [DESIGN] Who reads such a file finds an old one or a new one, both whole: the text goes to a temporary file beside it, which then
// takes its name. What is no regular file (a pipe, a terminal, /dev/null) is written to directly, and so is a file in a folder where
// no other can be made. Symbolic links stay, and permissions, too. A process that is killed while it writes leaves NAME.XXXXXX behind.
#pragma once

#include <string>
#include <string_view>

#include "runtime/output/output_errors.h"

namespace mangata {

/// `what` is how messages call it: "profile". The name may have %p (output_name.h). False: `errors` has been told.
bool write_whole_file(std::string_view what, const std::string& pattern, std::string_view text, OutputErrors& errors);

/// Whether that would succeed now; nothing is changed. 0, or an errno.
int error_of_writing(const std::string& pattern);

}  // namespace mangata
