// print and warn (Lua 5.4 manual §6.1).
#include <cstdio>

#include "runtime/lib/base_library.h"
#include "vm/operations/operations.h"
#include "vm/operations/warning.h"

namespace mangata {

Result<int> base_print(Call& call) {
  Vm& vm = call.vm();
  const int count = call.count();
  for (int i = 0; i < count; ++i) {
    if (i > 0) std::fputc('\t', stdout);
    const Value value = call[i];
    if (value.is_number() && vm.metatable_of(value) == nullptr) {
      char text[64];
      std::fwrite(text, 1, static_cast<size_t>(format_number(value, text)), stdout);
      continue;
    }
    const String* text = TRY(to_display_string(vm, value));
    std::fwrite(text->data, 1, text->length, stdout);
  }
  std::fputc('\n', stdout);
  std::fflush(stdout);
  return 0;
}

Result<int> base_warn(Call& call) {
  const int count = call.count();
  TRY(call.check_string(0));
  for (int i = 1; i < count; ++i)
    TRY(call.check_string(i));  // all of them first: a warning is never left unfinished
  for (int i = 0; i < count; ++i) warn(call.vm(), call[i].as_string()->view(), i < count - 1);
  return 0;
}

}  // namespace mangata
