// Library functions inline (vm/intrinsics.def), for arguments of the usual types.
//
// Which function a call reaches is guessed from the name in the source, and tested by the id of the function
// that is there: a program may give its functions any names, or put its own in the library.
#include <algorithm>
#include <string_view>

#include "jit/baseline/compiler.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata::jit {

using namespace asmjit::x86;

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
    const LocalVariable* local = locals_->at(in.b, proto_->original_pc(proto_->code + pc));
    return local == nullptr ? NativeId::None : intrinsic_named(local->name);
  }
  return NativeId::None;
}

/// Goes on where R[function] is that function.
void BaselineCompiler::emit_native_guard(int function, NativeId id, const Label& otherwise) {
  branch_unless_tag(function, Tag::NativeFunction, otherwise);
  a_.mov(rax, payload_of(function));
  a_.cmp(byte_ptr(rax, offsetof(NativeFunction, type_byte)), static_cast<int>(id));
  a_.jne(otherwise);
}

/// False: nothing was emitted. `otherwise` makes the real call.
bool BaselineCompiler::emit_intrinsic(const Instruction& in, NativeId id, const Label& otherwise) {
  const int argument = in.a + kCallOverheadSlots;
  const int count = in.b - 1;
  const auto guard = [&] { emit_native_guard(in.a, id, otherwise); };
  if (count < 1) return false;
  switch (id) {
    case NativeId::MathAbs:
      guard(), emit_abs(in.a, argument, otherwise);
      return true;
    case NativeId::MathCeil:
    case NativeId::MathFloor:
      guard(), emit_round(in.a, argument, id == NativeId::MathCeil, otherwise);
      return true;
    case NativeId::MathSqrt:
      guard(), emit_square_root(in.a, argument, otherwise);
      return true;
    case NativeId::MathMax:
    case NativeId::MathMin:
      if (count != 2) return false;
      guard(), emit_extreme(in.a, argument, id == NativeId::MathMax, otherwise);
      return true;
    case NativeId::StringByte:
      if (count > 2) return false;
      guard(), emit_byte(in.a, argument, count, otherwise);
      return true;
    case NativeId::StringLength:
      guard();
      branch_unless_tag(argument, Tag::String, otherwise);
      a_.mov(rax, payload_of(argument));
      a_.mov(rax, qword_ptr(rax, offsetof(String, length)));
      a_.mov(payload_of(in.a), rax);
      store_tag(in.a, Tag::Integer);
      return true;
    case NativeId::Type:
      guard();
      a_.mov(eax, short_tag_of(argument));
      a_.cmp(eax, static_cast<int>(Tag::Userdata));  // there are two kinds
      a_.je(otherwise);
      a_.mov(rax, qword_ptr(kVm, rax, 3, static_cast<int>(offsetof(Vm, type_names))));
      a_.mov(payload_of(in.a), rax);
      store_tag(in.a, Tag::String);
      return true;
    default:
      return emit_bit_intrinsic(in, id, otherwise);
  }
}

void BaselineCompiler::emit_abs(int to, int from, const Label& otherwise) {
  const Label is_float = a_.newLabel(), done = a_.newLabel();
  branch_unless_tag(from, Tag::Integer, is_float);
  a_.mov(rax, payload_of(from));
  a_.mov(rcx, rax);
  a_.neg(rcx);
  a_.cmovns(rax, rcx);
  a_.mov(payload_of(to), rax);
  store_tag(to, Tag::Integer);
  a_.jmp(done);
  a_.bind(is_float);
  branch_unless_tag(from, Tag::Float, otherwise);
  a_.mov(rax, payload_of(from));
  a_.btr(rax, 63);
  a_.mov(payload_of(to), rax);
  store_tag(to, Tag::Float);
  a_.bind(done);
}

/// Truncates, and corrects by one. What does not fit in an integer converts to the smallest one.
void BaselineCompiler::emit_round(int to, int from, bool up, const Label& otherwise) {
  const Label is_float = a_.newLabel(), done = a_.newLabel();
  branch_unless_tag(from, Tag::Integer, is_float);
  a_.mov(rax, payload_of(from));
  a_.jmp(done);
  a_.bind(is_float);
  branch_unless_tag(from, Tag::Float, otherwise);
  a_.movsd(xmm0, payload_of(from));
  a_.cvttsd2si(rax, xmm0);
  a_.cmp(rax, 1);
  a_.jo(otherwise);
  a_.xorps(xmm1, xmm1);
  a_.cvtsi2sd(xmm1, rax);
  a_.xor_(ecx, ecx);
  up ? a_.ucomisd(xmm0, xmm1) : a_.ucomisd(xmm1, xmm0);
  a_.seta(cl);
  up ? a_.add(rax, rcx) : a_.sub(rax, rcx);
  a_.bind(done);
  a_.mov(payload_of(to), rax);
  store_tag(to, Tag::Integer);
}

void BaselineCompiler::emit_square_root(int to, int from, const Label& otherwise) {
  const Label done = a_.newLabel();
  const Label is_integer = slow_path([this, to, from, otherwise, done] {
    branch_unless_tag(from, Tag::Integer, otherwise);
    a_.xorps(xmm0, xmm0);
    a_.cvtsi2sd(xmm0, payload_of(from));
    a_.sqrtsd(xmm0, xmm0);
    a_.movsd(payload_of(to), xmm0);
    store_tag(to, Tag::Float);
    a_.jmp(done);
  });
  branch_unless_tag(from, Tag::Float, is_integer);
  a_.sqrtsd(xmm0, payload_of(from));
  a_.movsd(payload_of(to), xmm0);
  store_tag(to, Tag::Float);
  a_.bind(done);
}

/// The second of two numbers of one type when it is greater, or less.
void BaselineCompiler::emit_extreme(int to, int from, bool greatest, const Label& otherwise) {
  const Label is_float = a_.newLabel(), done = a_.newLabel();
  a_.mov(rax, payload_of(from));
  a_.mov(rcx, payload_of(from + 1));
  branch_unless_tag(from, Tag::Integer, is_float);
  branch_unless_tag(from + 1, Tag::Integer, otherwise);
  a_.cmp(rcx, rax);
  greatest ? a_.cmovg(rax, rcx) : a_.cmovl(rax, rcx);
  a_.mov(payload_of(to), rax);
  store_tag(to, Tag::Integer);
  a_.jmp(done);
  a_.bind(is_float);
  branch_unless_tag(from, Tag::Float, otherwise);
  branch_unless_tag(from + 1, Tag::Float, otherwise);
  a_.movq(xmm0, rax);
  a_.movq(xmm1, rcx);
  greatest ? a_.ucomisd(xmm1, xmm0) : a_.ucomisd(xmm0, xmm1);
  a_.cmova(rax, rcx);
  a_.mov(payload_of(to), rax);
  store_tag(to, Tag::Float);
  a_.bind(done);
}

/// A position inside the string.
void BaselineCompiler::emit_byte(int to, int from, int argument_count, const Label& otherwise) {
  branch_unless_tag(from, Tag::String, otherwise);
  if (argument_count == 2) {
    emit_element_index(from + 1, otherwise);
    a_.mov(rcx, rax);
  } else {
    a_.xor_(ecx, ecx);
  }
  a_.mov(rax, payload_of(from));
  a_.cmp(rcx, qword_ptr(rax, offsetof(String, length)));
  a_.jae(otherwise);
  a_.movzx(eax, byte_ptr(rax, rcx, 0, offsetof(String, data)));
  a_.mov(payload_of(to), rax);
  store_tag(to, Tag::Integer);
}

}  // namespace mangata::jit
