// Errors with names and positions, in the words of Lua 5.4 (manual §2.3).
//
// Raising stores the error value in Vm::error and returns Raised. Nothing is unwound here: the frame that
// failed is still the running one, which is how the messages find their names and positions. Read next:
// vm/operations/debug_names.h.
#include <string>

#include "vm/bytecode/proto.h"
#include "vm/operations/debug_names.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {
namespace {

constexpr size_t kMaxChunkIdLength = 59;
/// Of its text, and as much again for its position; and of finding what the program calls the value.
constexpr int64_t kWorkOfMessage = 6, kWorkOfName = 6;

/// " (local 'x')", or nothing.
std::string in_parentheses(const FoundName& found) {
  if (found.kind == nullptr) return {};
  return std::string(" (") + found.kind + " '" + found.name + "')";
}

Raised raise_named_type_error(Vm& vm, const Value& culprit, const char* operation, const FoundName& found) {
  charge_native(vm, kWorkOfName);
  return raise_message(vm, std::string("attempt to ") + operation + " a " +
                               std::string(object_type_name(vm, culprit)) + " value" + in_parentheses(found));
}

bool is_bitwise(ArithmeticOperator op) {
  return (op >= ArithmeticOperator::BitAnd && op <= ArithmeticOperator::ShiftRight) ||
         op == ArithmeticOperator::BitNot;
}

}  // namespace

std::string_view object_type_name(Vm& vm, const Value& value) {
  if (value.is_table() || value.is_userdata()) {
    const Value name = find_metamethod(vm, vm.metatable_of(value), Metamethod::Name);
    if (name.is_string()) return name.as_string()->view();
  }
  return type_name(value);
}

std::string chunk_id(std::string_view source) {
  if (!source.empty() && source[0] == '=') return std::string(source.substr(1, kMaxChunkIdLength));
  constexpr std::string_view kDots = "...";
  if (!source.empty() && source[0] == '@') {
    source.remove_prefix(1);
    if (source.size() <= kMaxChunkIdLength) return std::string(source);
    const size_t kept = kMaxChunkIdLength - kDots.size();
    return std::string(kDots).append(source.substr(source.size() - kept));
  }
  constexpr std::string_view kBefore = "[string \"", kAfter = "\"]";
  const size_t room = kMaxChunkIdLength - kBefore.size() - kDots.size() - kAfter.size();
  const std::string_view line = source.substr(0, source.find('\n'));
  std::string id(kBefore);
  id.append(line.substr(0, room));
  if (line.size() < source.size() || line.size() >= room) id.append(kDots);
  return id.append(kAfter);
}

std::string where(Vm& vm, int level) { return where(*vm.current, level); }

std::string where(Thread& thread, int level) {
  const Value* base = frame_at_level(thread, level);
  if (base == nullptr) return {};
  const int line = current_line(base);
  if (line <= 0) return {};
  const Proto& proto = *function_slot(const_cast<Value*>(base))->as_lua_function()->proto;
  const std::string_view source = proto.source == nullptr ? "=?" : proto.source->view();
  return chunk_id(source) + ":" + std::to_string(line) + ": ";
}

Raised raise_value(Vm& vm, Value value) {
  vm.error = value;
  return {};
}

Raised raise_plain(Vm& vm, std::string_view message) {
  charge_native(vm, kWorkOfMessage);
  const Result<String*> text = vm.new_string(message);
  if (text.ok()) vm.error = Value::string(text.value());
  return {};  // else "not enough memory" is pending
}

Raised raise_message(Vm& vm, std::string_view message) {
  Value* base = vm.current->base;
  if (current_pc(base) == kNoPc) return raise_plain(vm, message);
  charge_native(vm, kWorkOfMessage);
  const Proto& proto = *function_slot(base)->as_lua_function()->proto;
  // Unlike where(), this always gives a position: "?:-1:" in a stripped function.
  std::string text = proto.source == nullptr ? "?" : chunk_id(proto.source->view());
  text.append(":").append(std::to_string(current_line(base))).append(": ").append(message);
  return raise_plain(vm, text);
}

Raised raise_out_of_memory(Vm& vm) { return raise_value(vm, Value::string(vm.memory_error)); }

Raised raise_type_error(Vm& vm, Value culprit, const char* operation) {
  return raise_named_type_error(vm, culprit, operation, name_of_operand(vm, culprit));
}

Raised raise_slot_type_error(Vm& vm, const Value* slot, const char* operation) {
  return raise_named_type_error(vm, *slot, operation, name_of_slot(vm, slot));
}

Raised raise_call_error(Vm& vm, Value callee) {
  Value* base = vm.current->base;
  const uint32_t flags = frame_of(base)->flags;
  FoundName found;
  if ((flags & FrameHeader::kHooked) != 0) {
    found = {"hook", "?"};
  } else if ((flags & FrameHeader::kFinalizer) != 0) {
    found = {"metamethod", "__gc"};
  } else if (const OriginalPc pc = current_pc(base); pc != kNoPc) {
    found = name_of_callee(vm, *function_slot(base)->as_lua_function()->proto, pc);
  }
  return raise_named_type_error(vm, callee, "call", found);
}

Raised raise_compare_error(Vm& vm, Value a, Value b) {
  const std::string left(object_type_name(vm, a)), right(object_type_name(vm, b));
  if (left == right) return raise_message(vm, "attempt to compare two " + left + " values");
  return raise_message(vm, "attempt to compare " + left + " with " + right);
}

Raised raise_arithmetic_error(Vm& vm, ArithmeticOperator op, Value a, Value b) {
  if (!is_bitwise(op)) return raise_type_error(vm, a.is_number() ? b : a, "perform arithmetic on");
  if (!a.is_number() || !b.is_number()) {
    return raise_type_error(vm, a.is_number() ? b : a, "perform bitwise operation on");
  }
  int64_t ignored;
  const Value culprit = number_to_integer(a, &ignored) ? b : a;
  return raise_message(
      vm, "number" + in_parentheses(name_of_operand(vm, culprit)) + " has no integer representation");
}

Raised raise_concat_error(Vm& vm, Value a, Value b) {
  const bool left_is_fine = a.is_string() || a.is_number();
  return raise_type_error(vm, left_is_fine ? b : a, "concatenate");
}

Raised raise_for_error(Vm& vm, Value value, const char* what) {
  return raise_message(vm, std::string("bad 'for' ") + what + " (number expected, got " +
                               std::string(object_type_name(vm, value)) + ")");
}

}  // namespace mangata
