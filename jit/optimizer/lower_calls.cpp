// Calls: functions that are walked into, library functions inline, everything else by the runtime.
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "jit/optimizer/lowering.h"

namespace mangata::jit {
namespace {
constexpr size_t kMostFrames = 6;
}

bool Lowering::lower_call(const Instruction& in) {
  if (in.b == 0 || in.c == 0) return exit_at(pc_), false;
  if (!site().many_callees) {
    const auto id = static_cast<NativeId>(site().native_id);
    if (id != NativeId::None && in.c == 2 && lower_intrinsic(in, id)) return true;
    if (const RegionFunction* callee = function().callees[static_cast<size_t>(pc_)];
        callee != nullptr && inline_call(in, *callee))
      return false;
  }
  return lower_by_runtime();
}

/// The walk goes on at the callee's first instruction.
bool Lowering::inline_call(const Instruction& in, const RegionFunction& callee) {
  if (state_.frames.size() >= kMostFrames) return false;
  for (const InlineFrame& frame : state_.frames) {
    if (frame.function == &callee) return false;
  }
  Operand function = read(in.a);
  if (is_captured(slot_of(in.a)) || !expect(&function, Kind::LuaFunction)) return false;
  IrValue* proto = load(b_.getInt64Ty(), at(pointer(function), offsetof(LuaFunction, proto)), Memory::Header);
  guard(b_.CreateICmpEQ(proto, word(reinterpret_cast<uint64_t>(callee.proto))));
  const int base = slot_of(in.a) + kCallOverheadSlots;
  state_.slots.resize(static_cast<size_t>(base + callee.register_count));
  slots_ = std::max(slots_, base + callee.register_count);
  const int arguments = in.b - 1;
  state_.frames.push_back({.function = &callee, .base = base, .return_pc = pc_ + 1, .wanted = in.c - 1});
  for (int reg = arguments; reg < callee.parameter_count; ++reg) write(reg, {.kind = Kind::Nil});
  for (int reg = callee.parameter_count; reg < callee.register_count; ++reg) fact(slot_of(reg)) = {};
  pc_ = -1;
  go_to(0);
  return true;
}

/// In a function that was walked into, back to its caller.
bool Lowering::lower_return(const Instruction& in) {
  if (!state_.is_inlined()) return exit_at(pc_), false;
  const InlineFrame frame = state_.top();
  const int count = in.op == Opcode::Return0 ? 0 : in.op == Opcode::Return1 ? 1 : in.b - 1;
  std::vector<Operand> results;
  std::vector<Fact> facts;
  for (int i = 0; i < std::min(count, frame.wanted); ++i) {
    results.push_back(read(in.a + i));
    facts.push_back(fact(slot_of(in.a + i)));
  }
  const int first = frame.base - kCallOverheadSlots;
  for (int i = 0; i < frame.wanted; ++i) {
    const auto index = static_cast<size_t>(i);
    if (static_cast<size_t>(first + i) >= state_.slots.size())
      state_.slots.resize(static_cast<size_t>(first + i) + 1);
    if (i >= count) {
      write_slot(first + i, {.kind = Kind::Nil});
      continue;
    }
    write_slot(first + i, results[index]);
    if (is_captured(first + i)) continue;
    fact(first + i).shape = facts[index].shape;
    fact(first + i).elements = facts[index].elements;
  }
  state_.frames.pop_back();
  const auto live_end = static_cast<size_t>(first + frame.wanted);
  const auto end = static_cast<size_t>(state_.top().base + function().register_count);
  state_.slots.resize(std::min(live_end, end));
  state_.slots.resize(end);
  pc_ = frame.return_pc - 1;
  go_to(frame.return_pc);
  return false;
}

/// Calls of library functions with the usual types of arguments (vm/intrinsics.def).
bool Lowering::lower_intrinsic(const Instruction& in, NativeId id) {
  const int arguments = in.b - 1;
  if (arguments < 1) return false;
  Operand function = read(in.a);
  Operand first = read(in.a + kCallOverheadSlots);
  const auto known_kind = [&](const Operand& operand) { return operand.kind != Kind::Any; };
  const auto is_it = [&] {
    if (!expect(&function, Kind::NativeFunction)) return false;
    IrValue* found =
        load(b_.getInt8Ty(), at(pointer(function), offsetof(NativeFunction, type_byte)), Memory::Header);
    guard(b_.CreateICmpEQ(found, b_.getInt8(static_cast<uint8_t>(id))));
    return true;
  };
  // The types of arguments are not recorded: those that are not known are guessed.
  const auto number = [&](Operand* operand) {
    return known_kind(*operand) ? is_number(operand->kind) : expect(operand, Kind::Float);
  };
  switch (id) {
    case NativeId::MathSqrt:
      if (!number(&first) || !is_it()) return false;
      return write_float(in.a, b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, as_double(first))), true;
    case NativeId::MathFloor:
    case NativeId::MathCeil: {
      if (!number(&first) || !is_it()) return false;
      if (first.kind == Kind::Integer) return write_integer(in.a, first.payload), true;
      IrValue* rounded = b_.CreateUnaryIntrinsic(
          id == NativeId::MathFloor ? llvm::Intrinsic::floor : llvm::Intrinsic::ceil, first.payload);
      llvm::Type* type = b_.getDoubleTy();
      guard(b_.CreateAnd(b_.CreateFCmpOGE(rounded, llvm::ConstantFP::get(type, -0x1p63)),
                         b_.CreateFCmpOLT(rounded, llvm::ConstantFP::get(type, 0x1p63))));
      return write_integer(in.a, b_.CreateFPToSI(rounded, b_.getInt64Ty())), true;
    }
    case NativeId::MathAbs:
      if (!number(&first) || !is_it()) return false;
      if (first.kind == Kind::Float)
        return write_float(in.a, b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, first.payload)), true;
      return write_integer(in.a, b_.CreateSelect(b_.CreateICmpSLT(first.payload, word(0)),
                                                 b_.CreateNeg(first.payload), first.payload)),
             true;
    case NativeId::MathMax:
    case NativeId::MathMin: {
      if (arguments != 2) return false;
      Operand second = read(in.a + kCallOverheadSlots + 1);
      if (!known_kind(first) || !known_kind(second) || first.kind != second.kind || !is_number(first.kind) ||
          !is_it())
        return false;
      const bool is_max = id == NativeId::MathMax;
      IrValue* second_wins = nullptr;
      if (first.kind == Kind::Integer) {
        second_wins = is_max ? b_.CreateICmpSLT(first.payload, second.payload)
                             : b_.CreateICmpSLT(second.payload, first.payload);
      } else {
        second_wins = is_max ? b_.CreateFCmpOLT(first.payload, second.payload)
                             : b_.CreateFCmpOLT(second.payload, first.payload);
      }
      return write(in.a, {.kind = first.kind,
                          .payload = b_.CreateSelect(second_wins, second.payload, first.payload)}),
             true;
    }
    case NativeId::StringByte: {
      if (arguments > 2 || !expect(&first, Kind::String)) return false;
      IrValue* index = word(0);
      if (arguments == 2) {
        Operand position = read(in.a + kCallOverheadSlots + 1);
        if (!expect(&position, Kind::Integer)) return false;
        index = b_.CreateSub(position.payload, word(1));
      }
      if (!is_it()) return false;
      guard(b_.CreateICmpULT(
          index, load(b_.getInt64Ty(), at(pointer(first), offsetof(String, length)), Memory::Header)));
      IrValue* byte =
          load(b_.getInt8Ty(),
               b_.CreateInBoundsGEP(b_.getInt8Ty(), at(pointer(first), offsetof(String, data)), index),
               Memory::Header);
      return write_integer(in.a, b_.CreateZExt(byte, b_.getInt64Ty())), true;
    }
    case NativeId::StringLength:
      if (!expect(&first, Kind::String) || !is_it()) return false;
      return write_integer(
                 in.a, load(b_.getInt64Ty(), at(pointer(first), offsetof(String, length)), Memory::Header)),
             true;
    default:
      return false;
  }
}

}  // namespace mangata::jit
