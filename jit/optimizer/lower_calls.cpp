// Calls: functions that are walked into, library functions inline, everything else by the runtime.
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "jit/optimizer/lowering.h"

namespace mangata::jit {
namespace {
/// Of one function, with the region's own: a recursive function is unrolled so often.
constexpr int kMostActivations = 3;
constexpr size_t kMostRecursiveSize = 60;
}

bool Lowering::lower_call(const Instruction& in) {
  if (in.b == 0 && (in.d != 0 || state_.open_end < 0)) return exit_at(pc_), false;
  const Proto* probable = fact(slot_of(in.a)).method;
  const RegionFunction* callee = function().callees[static_cast<size_t>(pc_)];
  if (probable != nullptr) {
    const auto found = input_.inlinable.find(probable);
    callee = found == input_.inlinable.end() ? nullptr : found->second;
  } else if (!site().many_callees) {
    const auto id = static_cast<NativeId>(site().native_id);
    if (id != NativeId::None && (in.c == 2 || in.c == 0) && lower_intrinsic(in, id)) {
      state_.open_end = in.c == 0 ? slot_of(in.a) + 1 : -1;
      return true;
    }
    probable = site().callee;
  }
  if (callee != nullptr && inline_call(in, *callee)) return false;
  if (in.b != 0 && in.c != 0 && probable != nullptr && call_natively(in, probable)) return true;
  if (in.c == 0) return exit_at(pc_), false;
  return in.b != 0 ? lower_by_runtime() : lower_by_runtime(runtime_.call_open);
}

/// Of the call, which may be open.
int Lowering::argument_count(const Instruction& in) const {
  return in.b != 0 ? in.b - 1 : state_.open_end - slot_of(in.a + kCallOverheadSlots);
}

/// Machine code calls machine code: arguments and results are in the frames (emit_calls.cpp).
bool Lowering::call_natively(const Instruction& in, const Proto* callee) {
  Operand function = read(in.a);
  if (is_captured(slot_of(in.a)) || !expect(&function, Kind::LuaFunction)) return false;
  IrValue* proto = load(b_.getInt64Ty(), at(pointer(function), offsetof(LuaFunction, proto)), Memory::Header);
  guard(b_.CreateICmpEQ(proto, word(reinterpret_cast<uint64_t>(callee))));
  store_dirty(pc_);
  for (Fact& its : state_.slots) its.dirty = false;
  publish_frames(pc_);
  const int caller_base = state_.top().base, base = slot_of(in.a) + kCallOverheadSlots;
  store(word(reinterpret_cast<uint64_t>(this->function().address + pc_ + 1)),
        frame_address(caller_base - kFrameHeaderSlots), Memory::Frame);
  write_header_tags(base, caller_base, in.c - 1);
  const int count = in.b - 1;
  const auto entry = static_cast<size_t>(std::min(count, kNativeEntries - 1));
  const auto offset = static_cast<int64_t>(offsetof(Proto, native_entries) + entry * sizeof(void*));
  IrValue* address = load(b_.getPtrTy(), at(address_constant(callee), offset), Memory::Machine);
  llvm::Type* pointer_type = b_.getPtrTy();
  auto* signature = llvm::FunctionType::get(
      b_.getInt64Ty(), {pointer_type, pointer_type, pointer_type, b_.getInt64Ty(), pointer_type}, false);
  IrValue* outcome =
      b_.CreateCall(signature, address_constant(input_.call_compiled),
                    {thread_, frame_address(base), address, word(static_cast<uint64_t>(count)), vm_});
  forget_written(in);
  check_outcome(outcome);
  return true;
}

/// The walk goes on at the callee's first instruction.
bool Lowering::inline_call(const Instruction& in, const RegionFunction& callee) {
  if (state_.frames.size() >= limits_.frames) return false;
  const auto activations = std::count_if(state_.frames.begin(), state_.frames.end(),
                                         [&](const InlineFrame& frame) { return frame.function == &callee; });
  if (activations > 0 && (activations >= kMostActivations || callee.code.size() > kMostRecursiveSize)) return false;
  Operand function = read(in.a);
  if (is_captured(slot_of(in.a)) || !expect(&function, Kind::LuaFunction)) return false;
  IrValue* proto = load(b_.getInt64Ty(), at(pointer(function), offsetof(LuaFunction, proto)), Memory::Header);
  guard(b_.CreateICmpEQ(proto, word(reinterpret_cast<uint64_t>(callee.proto))));
  const int base = slot_of(in.a) + kCallOverheadSlots;
  state_.slots.resize(static_cast<size_t>(base + callee.register_count));
  slots_ = std::max(slots_, base + callee.register_count);
  const int arguments = argument_count(in);
  state_.open_end = -1;
  state_.frames.push_back({.function = &callee, .base = base, .return_pc = pc_ + 1, .wanted = in.c - 1});
  if (callee.counters != nullptr) b_.CreateStore(word(0), path_cell(base));
  for (int reg = arguments; reg < callee.parameter_count; ++reg) write(reg, {.kind = Kind::Nil});
  for (int reg = callee.parameter_count; reg < callee.register_count; ++reg) fact(slot_of(reg)) = {};
  pc_ = -1;
  go_to(0);
  return true;
}

/// Of the return; negative: it is open, and nobody knows.
int Lowering::result_count(const Instruction& in) const {
  if (in.op == Opcode::Return0) return 0;
  if (in.op == Opcode::Return1) return 1;
  if (in.b != 0) return in.b - 1;
  return state_.open_end < 0 ? -1 : state_.open_end - slot_of(in.a);
}

/// In a function that was walked into, back to its caller.
bool Lowering::lower_return(const Instruction& in) {
  if (!state_.is_inlined()) return input_.is_function ? return_to_caller(in) : exit_at(pc_), false;
  const InlineFrame frame = state_.top();
  const int count = result_count(in);
  if (count < 0) return exit_at(pc_), false;
  const int first = frame.base - kCallOverheadSlots;
  const InlineFrame& caller = state_.frames[state_.frames.size() - 2];
  const int end_of_caller = caller.base + caller.function->register_count;
  const int wanted = frame.wanted < 0 ? count : frame.wanted;
  if (first + wanted > end_of_caller) return exit_at(pc_), false;
  std::vector<Operand> results;
  std::vector<Fact> facts;
  for (int i = 0; i < std::min(count, wanted); ++i) {
    results.push_back(read(in.a + i));
    facts.push_back(fact(slot_of(in.a + i)));
  }
  for (int i = 0; i < wanted; ++i) {
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
  state_.open_end = frame.wanted < 0 ? first + wanted : -1;
  const auto live_end = static_cast<size_t>(first + wanted);
  const auto end = static_cast<size_t>(end_of_caller);
  state_.slots.resize(std::min(live_end, end));
  state_.slots.resize(end);
  pc_ = frame.return_pc - 1;
  go_to(frame.return_pc);
  return false;
}

/// From a region that is a whole function: the results go to where the caller wants them (emit_returns.cpp).
void Lowering::return_to_caller(const Instruction& in) {
  constexpr int kMostResults = 4;
  constexpr uint32_t kAllWanted = 0x3ff;  // kMultipleResults, as a FrameHeader has it
  const int count = result_count(in);
  const bool closes = in.op == Opcode::Return && in.c != 0;
  if (count < 0 || closes || count > kMostResults) return exit_at(pc_, ExitSite::Why::Loop);
  IrValue* wanted =
      load(b_.getInt32Ty(), frame_address(-kFrameHeaderSlots, offsetof(FrameHeader, tag_low_2) + 4), Memory::Frame);
  Block* more = make_block("more_wanted");
  Block* all = make_block("all_wanted");
  Block* returns = make_block("returns");
  const int first = -kCallOverheadSlots;
  // All are stored even when fewer are wanted: what lies behind the wanted ones is free.
  set_likely(b_.CreateCondBr(b_.CreateICmpUGT(wanted, b_.getInt32(static_cast<uint32_t>(count))), more, returns), false);
  b_.SetInsertPoint(more);
  Block* fewer = make_block("fewer_than_wanted");
  b_.CreateCondBr(b_.CreateICmpEQ(wanted, b_.getInt32(kAllWanted)), all, fewer);
  b_.SetInsertPoint(fewer);
  emit_exit(pc_, ExitSite::Why::Loop);
  b_.SetInsertPoint(all);
  store(frame_address(first + count), at(thread_, offsetof(Thread, top)), Memory::Machine);
  b_.CreateBr(returns);
  b_.SetInsertPoint(returns);
  std::vector<Operand> results;
  for (int i = 0; i < count; ++i) results.push_back(read(in.a + i));
  for (int i = 0; i < count; ++i) {
    const Operand& result = results[static_cast<size_t>(i)];
    store(payload_bits(result), frame_address(first + i), Memory::Frame);
    store(tag_value(result), frame_address(first + i, offsetof(Value, tag)), Memory::Frame);
  }
  leave(b_.getInt64(static_cast<uint64_t>(kRegionReturned)));
  finish_walk();
}

/// Calls of library functions with the usual types of arguments (vm/intrinsics.def).
bool Lowering::lower_intrinsic(const Instruction& in, NativeId id) {
  const int arguments = argument_count(in);
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
  // Of open arguments no types are recorded; then they are guessed.
  const auto number = [&](Operand* operand) {
    return in.b == 0 && !known_kind(*operand) ? expect(operand, Kind::Float) : expect_number(operand, site().left);
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
      if (!expect_number(&first, site().left) || !expect_number(&second, site().right) || first.kind != second.kind || !is_it())
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
      guard_inside(in, b_.CreateICmpULT(index, load(b_.getInt64Ty(), at(pointer(first), offsetof(String, length)), Memory::Header)));
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
    case NativeId::Type:
      return is_it() && lower_type(in, first);
    default:
      return false;
  }
}

/// Goes on where the position is inside the string. Outside there is no result, which has been seen to be nil, or is rare.
void Lowering::guard_inside(const Instruction& in, IrValue* is_inside) {
  if (in.c != 2 || is_captured(slot_of(in.a)) || (site().result & tag_bit(Tag::Nil)) == 0) return guard(is_inside);
  Block* inside = make_block("inside");
  Block* outside = make_block("outside");
  set_likely(b_.CreateCondBr(is_inside, inside, outside), true);
  b_.SetInsertPoint(outside);
  beside([&] {
    write(in.a, {.kind = Kind::Nil});
    go_to(pc_ + 1);
  });
  b_.SetInsertPoint(inside);
}

bool Lowering::lower_type(const Instruction& in, const Operand& argument) {
  const auto name = [&](IrValue* string) {
    write(in.a, {.kind = Kind::String, .payload = string});
    return true;
  };
  if (argument.kind == Kind::Userdata) return false;  // there are two kinds
  if (argument.kind != Kind::Any)
    return name(word(reinterpret_cast<uint64_t>(input_.type_names[static_cast<size_t>(tag_of(argument.kind))])));
  guard(b_.CreateICmpNE(argument.tag, word(static_cast<uint64_t>(Tag::Userdata))));
  IrValue* names = at(vm_, offsetof(Vm, type_names));
  return name(load(b_.getInt64Ty(), b_.CreateInBoundsGEP(b_.getInt64Ty(), names, argument.tag), Memory::Machine));
}

}  // namespace mangata::jit
