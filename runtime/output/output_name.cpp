#include "runtime/output/output_name.h"

#include <unistd.h>

namespace mangata {

bool is_output_name(std::string_view pattern) {
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    if (++i == pattern.size() || (pattern[i] != 'p' && pattern[i] != '%')) return false;
  }
  return true;
}

std::string output_name(std::string_view pattern) {
  std::string name;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%' || i + 1 == pattern.size()) {
      name += pattern[i];
    } else {
      name += pattern[++i] == 'p' ? std::to_string(getpid()) : std::string(1, pattern[i]);
    }
  }
  return name;
}

}  // namespace mangata
