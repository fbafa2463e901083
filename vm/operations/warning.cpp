#include "vm/operations/warning.h"

#include <cstdio>
#include <string>

namespace mangata {

void warn(Vm& vm, std::string_view piece, bool continues) {
  if (vm.warn_function != nullptr) {
    vm.warn_function(vm.warn_data, std::string(piece).c_str(), continues ? 1 : 0);
    return;
  }
  if (!vm.warning_continues && !continues && piece.starts_with('@')) {
    if (piece == "@on") vm.warnings_on = 1;
    if (piece == "@off") vm.warnings_on = 0;
    return;
  }
  if (vm.warnings_on != 0) {
    if (!vm.warning_continues) std::fputs("Lua warning: ", stderr);
    std::fwrite(piece.data(), 1, piece.size(), stderr);
    if (!continues) std::fputc('\n', stderr);
    std::fflush(stderr);
  }
  vm.warning_continues = continues;
}

}  // namespace mangata
