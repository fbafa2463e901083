// The names of files that options ask to be written: %p is the process id, so that processes that get the same options write a file
// each; %% is %.
#pragma once

#include <string>
#include <string_view>

namespace mangata {

/// Whether no other letter follows a %.
bool is_output_name(std::string_view pattern);

/// The name for this process, as it is now: a process that was forked has another one. The pattern must be one.
std::string output_name(std::string_view pattern);

}  // namespace mangata
