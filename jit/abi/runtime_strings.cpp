#include "jit/abi/runtime_strings.h"

#include <algorithm>

#include "vm/object/string_order.h"
#include "vm/poll.h"

namespace mangata::jit {

int64_t order_of_strings(Vm* vm, const String* a, const String* b) {
  charge_bytes(*vm, std::min(a->length, b->length));
  return string_order(a, b);
}

}  // namespace mangata::jit
