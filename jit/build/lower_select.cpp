#include "jit/build/lower_select.h"

#include <algorithm>

#include "jit/build/lower_calls.h"
#include "jit/build/lower_intrinsics.h"

namespace mangata::jit {
namespace {

/// Of so many values, one by an index that is known only when the code runs.
constexpr int kMostCompared = 8;

/// The value of that index, from 1. Another index has been seen nowhere, or is refused by a check.
Operand value_at(const LoweringTools& t, IrValue index, const std::vector<Operand>& values) {
  Writer& b = t.b;
  const Kind kind = values[0].kind;
  const bool is_of_one_kind = has_payload(kind) && std::all_of(values.begin(), values.end(), [&](const Operand& value) { return value.kind == kind; });
  const bool has_tags = !is_of_one_kind || kind == Kind::Any;
  const auto payload_of = [&](const Operand& value) { return is_of_one_kind ? value.payload : b.payload_bits(value); };
  Operand result{.kind = has_tags ? Kind::Any : kind, .payload = payload_of(values[0])};
  if (has_tags) result.tag = b.tag_value(values[0]);
  for (size_t i = 1; i < values.size(); ++i) {
    IrValue is_it = b.eq(index, b.word(i + 1));
    result.payload = b.select(is_it, payload_of(values[i]), result.payload);
    if (has_tags) result.tag = b.select(is_it, b.tag_value(values[i]), result.tag);
  }
  return result;
}

}  // namespace

bool lower_select(const LoweringTools& t, const Instruction& in, Operand function, Operand first) {
  Writer& b = t.b;
  const int count = argument_count(t, in) - 1;
  const FrameSlot values = t.walk.slot_of(first_argument(in) + 1);
  const std::optional<uint64_t> known = has_payload(first.kind) && first.kind != Kind::Any ? b.known_word(first.payload) : std::nullopt;
  if (first.kind == Kind::String) {
    if (known != reinterpret_cast<uint64_t>(t.input.number_sign) || !guard_native(t, &function, NativeId::Select)) return false;
    return t.values.write_integer(in.ra(), b.word(static_cast<uint64_t>(count))), true;
  }
  const bool wants_one = in.op == Opcode::Call && in.c == 2;
  if (first.kind == Kind::Integer && known) {
    const auto index = static_cast<int64_t>(*known);
    if (index < 1 || (!wants_one && index != count)) return false;
    if (!guard_native(t, &function, NativeId::Select)) return false;
    if (index > count) return t.values.write(in.ra(), {.kind = Kind::Nil}), true;
    return t.values.copy(t.walk.slot_of(in.ra()), values + static_cast<int>(index - 1)), true;
  }
  if (!wants_one || count < 1 || count > kMostCompared || !t.values.expect(&first, Kind::Integer) || !guard_native(t, &function, NativeId::Select)) return false;
  t.guards.guard(b.ult(b.sub(first.payload, b.word(1)), b.word(static_cast<uint64_t>(count))));
  std::vector<Operand> operands;
  for (int i = 0; i < count; ++i) operands.push_back(t.values.read_slot(values + i));
  return t.values.write(in.ra(), value_at(t, first.payload, operands)), true;
}

}  // namespace mangata::jit
