// Library functions inline (vm/intrinsics.def), for arguments of the usual types.
//
// Which function a call reaches is guessed from the name in the source, and tested by the id of the function
// that is there: a program may give its functions any names, or put its own in the library.
#include <algorithm>
#include <string_view>

#include "jit/baseline/compiler.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata::jit {

using namespace registers;

namespace {

NativeId intrinsic_named(const String* name) {
  if (name == nullptr) return NativeId::None;
#define INTRINSIC(id, library, text) \
  if (name->view() == text) return NativeId::id;
#include "vm/intrinsics.def"
  return NativeId::None;
}

}  // namespace

/// What the Call at pc_ probably calls, by the instruction that has loaded the function: the last one before it that writes that register,
/// for arguments are computed in those above.
NativeId BaselineCompiler::guess_intrinsic(const Instruction& call) {
  constexpr int kFarthest = 256;  // functions of the library have few arguments, so what is farther away is none of them
  for (int pc = pc_ - 1; pc >= std::max(pc_ - kFarthest, 0); --pc) {
    const Instruction& in = proto_->code[pc];
    if (in.a != call.a || in.op == Opcode::PathEvent || opcode_info(in.op).flow != ControlFlow::Next) continue;
    if (family_of(in.op) == OpcodeFamily::FieldLoad) return intrinsic_named(proto_->constants[in.c].as_string());
    if (in.op == Opcode::GetUpvalue) return intrinsic_named(proto_->upvalues[in.b].name);
    if (in.op != Opcode::Move) return NativeId::None;
    if (!locals_) locals_.emplace(*proto_);
    const LocalVariable* local = locals_->at(in.rb(), proto_->original_pc(proto_->code + pc));
    return local == nullptr ? NativeId::None : intrinsic_named(local->name);
  }
  return NativeId::None;
}

/// Goes on where R[function] is that function.
void BaselineCompiler::emit_native_guard(Register function, NativeId id, const Label& otherwise) {
  branch_unless_tag(function, Tag::NativeFunction, otherwise);
  masm_.load(t0, payload_of(function));
  masm_.compare(byte_at(t0, offsetof(NativeFunction, type_byte)), static_cast<int>(id));
  masm_.branch(Condition::NotEqual, otherwise);
}

/// False: nothing was emitted. `otherwise` makes the real call.
bool BaselineCompiler::emit_intrinsic(const Instruction& in, NativeId id, const Label& otherwise) {
  const Register argument = in.ra() + kCallOverheadSlots;
  const int count = in.b - 1;
  const auto guard = [&] { emit_native_guard(in.ra(), id, otherwise); };
  if (count < 1) return false;
  switch (id) {
    case NativeId::MathAbs:
      guard(), emit_abs(in.ra(), argument, otherwise);
      return true;
    case NativeId::MathCeil:
    case NativeId::MathFloor:
      guard(), emit_round(in.ra(), argument, id == NativeId::MathCeil, otherwise);
      return true;
    case NativeId::MathSqrt:
      guard(), emit_square_root(in.ra(), argument, otherwise);
      return true;
    case NativeId::MathMax:
    case NativeId::MathMin:
      if (count != 2) return false;
      guard(), emit_extreme(in.ra(), argument, id == NativeId::MathMax, otherwise);
      return true;
    case NativeId::StringByte:
      if (count > 2) return false;
      guard(), emit_byte(in.ra(), argument, count, otherwise);
      return true;
    case NativeId::StringLength:
      guard();
      branch_unless_tag(argument, Tag::String, otherwise);
      masm_.load(t0, payload_of(argument));
      masm_.load(t0, word_at(t0, offsetof(String, length)));
      masm_.store(payload_of(in.ra()), t0);
      store_tag(in.ra(), Tag::Integer);
      return true;
    case NativeId::Type:
      guard();
      masm_.load(low(t0), short_tag_of(argument));
      masm_.compare(low(t0), static_cast<int>(Tag::Userdata));  // there are two kinds
      masm_.branch(Condition::Equal, otherwise);
      masm_.load(t0, word_at(kVm, t0, 3, static_cast<int>(offsetof(Vm, type_names))));
      masm_.store(payload_of(in.ra()), t0);
      store_tag(in.ra(), Tag::String);
      return true;
    default:
      return emit_bit_intrinsic(in, id, otherwise);
  }
}

void BaselineCompiler::emit_abs(Register to, Register from, const Label& otherwise) {
  const Label is_float = masm_.new_label(), done = masm_.new_label();
  branch_unless_tag(from, Tag::Integer, is_float);
  masm_.load(t0, payload_of(from));
  masm_.take_absolute(t0, a3);
  masm_.store(payload_of(to), t0);
  store_tag(to, Tag::Integer);
  masm_.jump(done);
  masm_.bind(is_float);
  branch_unless_tag(from, Tag::Float, otherwise);
  masm_.load(t0, payload_of(from));
  masm_.clear_bit(t0, 63);
  masm_.store(payload_of(to), t0);
  store_tag(to, Tag::Float);
  masm_.bind(done);
}

/// Truncates, and corrects by one. What does not fit in an integer converts to the smallest one.
void BaselineCompiler::emit_round(Register to, Register from, bool up, const Label& otherwise) {
  const Label is_float = masm_.new_label(), done = masm_.new_label();
  branch_unless_tag(from, Tag::Integer, is_float);
  masm_.load(t0, payload_of(from));
  masm_.jump(done);
  masm_.bind(is_float);
  branch_unless_tag(from, Tag::Float, otherwise);
  masm_.load_float(f0, payload_of(from));
  masm_.truncate_float(t0, f0);
  masm_.branch_unless_fitting(t0, otherwise);
  masm_.convert_to_float(f1, t0);
  up ? masm_.load_float_comparison(a3, f0, f1) : masm_.load_float_comparison(a3, f1, f0);
  up ? masm_.add(t0, a3) : masm_.subtract(t0, a3);
  masm_.bind(done);
  masm_.store(payload_of(to), t0);
  store_tag(to, Tag::Integer);
}

void BaselineCompiler::emit_square_root(Register to, Register from, const Label& otherwise) {
  const Label done = masm_.new_label();
  const Label is_integer = slow_path([this, to, from, otherwise, done] {
    branch_unless_tag(from, Tag::Integer, otherwise);
    masm_.convert_to_float(f0, payload_of(from));
    masm_.square_root(f0, f0);
    masm_.store_float(payload_of(to), f0);
    store_tag(to, Tag::Float);
    masm_.jump(done);
  });
  branch_unless_tag(from, Tag::Float, is_integer);
  masm_.square_root(f0, payload_of(from));
  masm_.store_float(payload_of(to), f0);
  store_tag(to, Tag::Float);
  masm_.bind(done);
}

/// The second of two numbers of one type when it is greater, or less.
void BaselineCompiler::emit_extreme(Register to, Register from, bool greatest, const Label& otherwise) {
  const Label is_float = masm_.new_label(), done = masm_.new_label();
  masm_.load(t0, payload_of(from));
  masm_.load(a3, payload_of(from + 1));
  branch_unless_tag(from, Tag::Integer, is_float);
  branch_unless_tag(from + 1, Tag::Integer, otherwise);
  masm_.compare(a3, t0);
  greatest ? masm_.move_if(Condition::Greater, t0, a3) : masm_.move_if(Condition::Less, t0, a3);
  masm_.store(payload_of(to), t0);
  store_tag(to, Tag::Integer);
  masm_.jump(done);
  masm_.bind(is_float);
  branch_unless_tag(from, Tag::Float, otherwise);
  branch_unless_tag(from + 1, Tag::Float, otherwise);
  masm_.move_bits(f0, t0);
  masm_.move_bits(f1, a3);
  greatest ? masm_.compare_floats(f1, f0) : masm_.compare_floats(f0, f1);
  masm_.move_if(Condition::Above, t0, a3);
  masm_.store(payload_of(to), t0);
  store_tag(to, Tag::Float);
  masm_.bind(done);
}

/// A position inside the string.
void BaselineCompiler::emit_byte(Register to, Register from, int argument_count, const Label& otherwise) {
  branch_unless_tag(from, Tag::String, otherwise);
  if (argument_count == 2) {
    emit_element_index(from + 1, otherwise);
    masm_.move(a3, t0);
  } else {
    masm_.clear(a3);
  }
  masm_.load(t0, payload_of(from));
  masm_.compare(a3, word_at(t0, offsetof(String, length)));
  masm_.branch(Condition::AboveEqual, otherwise);
  masm_.load_unsigned(low(t0), byte_at(t0, a3, 0, offsetof(String, data)));
  masm_.store(payload_of(to), t0);
  store_tag(to, Tag::Integer);
}

}  // namespace mangata::jit
