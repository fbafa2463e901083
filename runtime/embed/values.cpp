// Pinned values, strings, and conversions.
#include "runtime/embed/entry.h"
#include "vm/native.h"
#include "vm/operations/debug_names.h"
#include "vm/operations/operations.h"

namespace mangata::abi {

uint32_t pin(Core* core, Raw value) {
  PinnedValues& pinned = core->vm->pinned;
  if (!pinned.free.empty()) {
    const uint32_t slot = pinned.free.back();
    pinned.free.pop_back();
    pinned.values[slot] = value_of(value);
    return slot;
  }
  pinned.values.push_back(value_of(value));
  return static_cast<uint32_t>(pinned.values.size() - 1);
}

void unpin(Core* core, uint32_t slot) {
  if (core->vm == nullptr) return;
  core->vm->pinned.values[slot].set_nil();
  core->vm->pinned.free.push_back(slot);
}

bool check_open(const Core* core, Error* error) {
  if (core != nullptr && core->vm != nullptr) [[likely]]
    return true;
  *error = {ErrorKind::StateGone, core == nullptr ? "the handle is empty" : "the state of this value has been closed", {}};
  return false;
}

namespace {

/// A function that raised without running any code: the pending error.
bool fail(Core* core, Error* error) {
  Vm& vm = *core->vm;
  describe_error(*core, vm.error, error);
  vm.error = mangata::Value::nil();
  return false;
}

}  // namespace

bool new_string(Core* core, std::string_view text, Raw* out, Error* error) {
  const auto string = core->vm->new_string(text);
  if (!string.ok()) return fail(core, error);
  *out = raw_of(mangata::Value::string(string.value()));
  return true;
}

bool new_table(Core* core, size_t elements, size_t fields, Raw* out, Error* error) {
  constexpr size_t kMostReserved = 1 << 24;
  Table* table = table_new(*core->vm);
  if ((elements != 0 || fields != 0) && !table_reserve(*core->vm, table, static_cast<uint32_t>(std::min(elements, kMostReserved)),
                                                       static_cast<uint32_t>(std::min<size_t>(fields, kMaxInlineSlots)))
                                             .ok()) {
    return fail(core, error);
  }
  *out = raw_of(mangata::Value::table(table));
  return true;
}

std::string_view string_view_of(Raw string) { return value_of(string).as_string()->view(); }
const char* type_name(Raw value) { return mangata::type_name(value_of(value)); }
std::string type_name(Core* core, Raw value) { return std::string(object_type_name(*core->vm, value_of(value))); }
bool raw_equal(Raw a, Raw b) { return raw_equals(value_of(a), value_of(b)); }

int to_integer(Raw value, int64_t* out) {
  if (mangata::to_integer(value_of(value), out)) return 1;
  double ignored;
  return mangata::to_number(value_of(value), &ignored) ? -1 : 0;
}

bool to_number(Raw value, double* out) { return mangata::to_number(value_of(value), out); }

bool coerce_to_string(Core* core, Raw* slot) {
  const mangata::Value value = value_of(*slot);
  if (value.is_string()) return true;
  if (!value.is_number()) return false;
  const auto text = to_string_coercion(*core->vm, value);
  if (!text.ok()) return false;  // a number is a short string: never
  *slot = raw_of(mangata::Value::string(text.value()));
  return true;
}

namespace {

mangata::Result<int> display_argument(Call& call) {
  return call.ret(mangata::Value::string(TRY(to_display_string(call.vm(), call[0]))));
}

}  // namespace

bool display(Core* core, Raw value, std::string* out, Error* error) {
  Entry entry(core, error);
  if (!entry.ok()) return false;
  Call frame(*core->vm, entry.thread());
  mangata::Value* function = entry.thread().top;
  if (!reserve_stack(entry.thread(), kCallOverheadSlots + 1, error)) return false;
  frame.push_function(mangata::Value::function(core->vm->new_native(display_argument, "tostring")));
  frame.push(value_of(value));
  if (!entry.call(function, 1, 1, error)) return false;
  *out = function[0].as_string()->view();
  entry.thread().top = function;
  return true;
}

}  // namespace mangata::abi
