// Functions that call themselves: machine code calls machine code, with arguments and results in registers.
//
// [DESIGN] Of such a function there are two functions of LLVM: the *direct* one, which takes unboxed parameters and returns an unboxed
// result, and around it the region that baseline code enters, which reads the parameters from the frame and puts the result there. A
// call of itself then needs neither the thunk, nor the checks of an entry from baseline code, nor the frame slots of its arguments.
// What remains is what somebody who looks at the stack in the middle of it must find: the caller's live values, the headers, and the
// callee's function. Parameters and registers of the callee count as dirty from its start.
//
// An activation that does not end with a return (a side exit, an error, or the refusal to begin, where stacks are full or attention was
// asked for) has left its frame complete, and finish_call() runs it to its end in other tiers: its result is in the frame then.
#include <algorithm>

#include "jit/optimizer/lowering.h"

namespace mangata::jit {
namespace {

constexpr int kMostParameters = 8;

/// Whether all its returns are of at most one value.
bool returns_one(const RegionFunction& function) {
  return std::none_of(function.code.begin(), function.code.end(), [](const Instruction& in) {
    return in.op == Opcode::Return && (in.b != 2 || in.c != 0);
  });
}

bool calls(const RegionFunction& function, const Proto* callee) {
  for (size_t pc = 0; pc < function.code.size(); ++pc) {
    const SiteTypes& site = function.sites[pc];
    if (function.code[pc].op == Opcode::Call && site.callee == callee && !site.many_callees && site.count != 0) return true;
  }
  return false;
}

}  // namespace

/// Whether it has a direct form, and uses it.
bool Lowering::is_recursive() const {
  const RegionFunction& root = input_.root();
  return input_.is_function && root.captured.none() && root.parameter_count <= kMostParameters && returns_one(root) &&
         std::any_of(input_.functions.begin(), input_.functions.end(),
                     [&](const auto& function) { return calls(*function, root.proto); });
}

/// Any: its tag is a parameter, too.
Kind Lowering::parameter_kind(int reg) const {
  const TagMask tags = input_.entry_tags[static_cast<size_t>(reg)];
  if (!is_single(tags)) return Kind::Any;
  const Kind kind = kind_of(static_cast<Tag>(std::countr_zero(tags)));
  return has_payload(kind) ? kind : Kind::Any;
}

/// { status, payload, tag } (thread, base, vm, path register, parameters)
void Lowering::make_direct_function(const std::string& name) {
  llvm::Type* word_type = b_.getInt64Ty();
  llvm::Type* pointer_type = b_.getPtrTy();
  std::vector<llvm::Type*> types{pointer_type, pointer_type, pointer_type, word_type};
  for (int reg = 0; reg < input_.root().parameter_count; ++reg) {
    const Kind kind = parameter_kind(reg);
    types.push_back(kind == Kind::Float ? b_.getDoubleTy() : word_type);
    if (kind == Kind::Any) types.push_back(word_type);
  }
  auto* type = llvm::FunctionType::get(llvm::StructType::get(word_type, word_type, word_type), types, false);
  direct_ = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, *module_);
  direct_->setCallingConv(llvm::CallingConv::Fast);
}

/// Of the direct function.
std::vector<Lowering::Operand> Lowering::parameters() const {
  std::vector<Operand> all;
  unsigned next = kFirstParameter;
  for (int reg = 0; reg < input_.root().parameter_count; ++reg) {
    Operand value{.kind = parameter_kind(reg), .payload = direct_->getArg(next++)};
    if (value.kind == Kind::Any) value.tag = direct_->getArg(next++);
    all.push_back(value);
  }
  return all;
}

/// They are where registers are; the frame does not have them.
void Lowering::take_parameters() {
  int reg = 0;
  for (const Operand& value : parameters()) write(reg++, value);
}

/// The direct function refuses to begin: it stores its parameters for whoever does.
void Lowering::refuse_directly() {
  // Not by register: what is known of them belongs to another place.
  int reg = 0;
  for (const Operand& value : parameters()) {
    store(payload_bits(value), frame_address(reg), Memory::Frame);
    store(tag_value(value), frame_address(reg, offsetof(Value, tag)), Memory::Frame);
    ++reg;
  }
  return_status(b_.getInt64(static_cast<uint64_t>(kRegionRefused)));
}

/// Whether stacks have room, and nobody asks for attention.
llvm::Value* Lowering::may_begin() {
  auto* name = llvm::MetadataAsValue::get(context_, llvm::MDNode::get(context_, llvm::MDString::get(context_, "rsp")));
  IrValue* stack = b_.CreateIntrinsic(llvm::Intrinsic::read_register, {b_.getInt64Ty()}, {name});
  IrValue* native_limit = load(b_.getInt64Ty(), at(thread_, offsetof(Thread, region_limit)), Memory::Machine);
  IrValue* has_native_room = b_.CreateICmpUGE(stack, native_limit);
  IrValue* is_quiet = nobody_asks();
  return b_.CreateAnd(b_.CreateAnd(has_room(), has_native_room), is_quiet);
}

/// Ends the generated function; of the direct one the rest of the result counts only behind a return.
void Lowering::return_status(IrValue* status) {
  if (direct_ == nullptr) {
    b_.CreateRet(status);
    return;
  }
  b_.CreateRet(b_.CreateInsertValue(llvm::PoisonValue::get(direct_->getReturnType()), status, 0));
}

void Lowering::return_directly(const Instruction& in) {
  const bool has_result = result_count(in) == 1;
  const Operand result = has_result ? read(in.a) : Operand{.kind = Kind::Nil};
  IrValue* all = llvm::PoisonValue::get(direct_->getReturnType());
  const int64_t status = has_result ? kRegionReturned : kRegionReturnedNothing;
  all = b_.CreateInsertValue(all, b_.getInt64(static_cast<uint64_t>(status)), 0);
  all = b_.CreateInsertValue(all, payload_bits(result), 1);
  all = b_.CreateInsertValue(all, tag_value(result), 2);
  count_events();
  end_events();
  b_.CreateRet(all);
  finish_walk();
}

/// By a call with the arguments in registers. False: it does not fit.
bool Lowering::call_itself(const Instruction& in) {
  const RegionFunction& callee = input_.root();
  if (direct_ == nullptr || in.c > 2 || site().is_unstable || is_captured(slot_of(in.a))) return false;
  const int count = argument_count(in);
  const bool is_open = in.c == 0;  // its results are; one is known to have come then
  for (int reg = count; reg < callee.parameter_count; ++reg) {
    if (parameter_kind(reg) != Kind::Any) return false;
  }
  Operand function = read(in.a);
  std::vector<Operand> arguments;
  for (int reg = 0; reg < std::min(count, callee.parameter_count); ++reg) {
    arguments.push_back(read(first_argument(in) + reg));
    const Kind kind = parameter_kind(reg);
    if (kind != Kind::Any && !expect(&arguments.back(), kind)) return false;
  }
  if (!guard_callee(&function, callee.proto)) return false;
  for (int i = 0; i < count; ++i) fact(slot_of(first_argument(in) + i)).dirty = false;  // the callee has them
  const int base = begin_native_call(in);
  state_.open_end = -1;
  std::vector<IrValue*> values{thread_, frame_address(base), vm_, word(0)};
  for (int reg = 0; reg < callee.parameter_count; ++reg) {
    const Operand value = reg < count ? arguments[static_cast<size_t>(reg)] : Operand{.kind = Kind::Nil};
    const Kind kind = parameter_kind(reg);
    values.push_back(kind == Kind::Any ? payload_bits(value) : value.payload);
    if (kind == Kind::Any) values.push_back(tag_value(value));
  }
  give_back_events();
  llvm::CallInst* call = b_.CreateCall(direct_, values);
  call->setCallingConv(llvm::CallingConv::Fast);
  IrValue* status = b_.CreateExtractValue(call, 0);
  IrValue* payload = b_.CreateExtractValue(call, 1);
  IrValue* tag = b_.CreateExtractValue(call, 2);
  forget_written(in);
  Block* returned = make_block("returned");
  Block* other = make_block("not_returned");
  IrValue* is_there = is_open ? b_.CreateICmpEQ(status, b_.getInt64(static_cast<uint64_t>(kRegionReturned))) : has_returned(status);
  set_likely(b_.CreateCondBr(is_there, returned, other), true);
  b_.SetInsertPoint(other);
  auto* signature = llvm::FunctionType::get(b_.getInt64Ty(), {b_.getPtrTy(), b_.getPtrTy(), b_.getInt64Ty(), b_.getPtrTy()}, false);
  IrValue* outcome = b_.CreateCall(signature, address_constant(runtime_.finish_call),
                                   {thread_, frame_address(base), status, address_constant(self_.get())});
  Block* finished = split_by_outcome(outcome);
  leave_behind_call();
  b_.SetInsertPoint(finished);
  if (is_open) {
    emit_exit(pc_ + 1, ExitSite::Why::Other);  // they end at Thread::top
    b_.SetInsertPoint(returned);
    write(in.a, {.kind = Kind::Any, .payload = payload, .tag = tag});
    state_.open_end = slot_of(in.a) + 1;
    return poll_soon(), true;
  }
  Block* goes_on = make_block("called");
  const Operand slow = in.c == 2 ? load_value(frame_address(slot_of(in.a)), Memory::Frame) : Operand{};
  b_.CreateBr(goes_on);
  b_.SetInsertPoint(returned);
  b_.CreateBr(goes_on);
  b_.SetInsertPoint(goes_on);
  if (in.c == 2) {
    const auto merge = [&](IrValue* from_frame, IrValue* from_register) {
      llvm::PHINode* phi = b_.CreatePHI(b_.getInt64Ty(), 2);
      phi->addIncoming(from_frame, finished);
      phi->addIncoming(from_register, returned);
      return phi;
    };
    IrValue* either = merge(slow.payload, payload);
    write(in.a, {.kind = Kind::Any, .payload = either, .tag = merge(slow.tag, tag)});
  }
  poll_soon();
  return true;
}

llvm::Value* Lowering::has_returned(IrValue* status) {
  static_assert(kRegionReturned == -3 && kRegionReturnedNothing == -4);
  return b_.CreateICmpEQ(b_.CreateAnd(status, word(~uint64_t{1})), b_.getInt64(static_cast<uint64_t>(kRegionReturnedNothing)));
}

/// As its last act, in the region's own frame: it begins anew. The function may be another one of the same prototype.
bool Lowering::tail_call_itself(const Instruction& in) {
  const RegionFunction& root = input_.root();
  if (!input_.is_function || site().callee != root.proto || site().many_callees || root.captured.any()) return false;
  Operand function = read(in.a);
  if (!guard_callee(&function, root.proto)) return false;
  reserve_event();
  take_event();
  store(function.payload, frame_address(-kCallOverheadSlots), Memory::Frame);
  static_assert(FrameHeader::kTailCalled < 256);  // the flags are one byte
  IrValue* flags = frame_address(-kFrameHeaderSlots, static_cast<int>(offsetof(FrameHeader, tag_low_1)) + 4);
  store(b_.CreateOr(load(b_.getInt8Ty(), flags, Memory::Frame), b_.getInt8(FrameHeader::kTailCalled)), flags, Memory::Frame);
  const int count = argument_count(in);
  for (int reg = 0; reg < root.parameter_count; ++reg) {
    reg < count ? copy_slot(reg, slot_of(first_argument(in) + reg)) : write(reg, {.kind = Kind::Nil});
  }
  for (int reg = root.parameter_count; reg < root.register_count; ++reg) fact(reg) = {};
  if (root.counters != nullptr) b_.CreateStore(word(0), path_cell(0));
  state_.open_end = -1;
  track_ = {};
  go_to(0);
  return true;
}

/// The region: checks the types of the parameters in the frame, and puts the result where the caller wants it (emit_returns.cpp).
void Lowering::wrap_direct(llvm::Function* region) {
  const RegionFunction& root = input_.root();
  function_ = region;
  thread_ = region->getArg(0), base_ = region->getArg(1), vm_ = region->getArg(2);
  new_block("entry");
  std::vector<IrValue*> values{thread_, base_, vm_};
  values.push_back(root.counters == nullptr ? word(0) : load(b_.getInt64Ty(), frame_address(-1), Memory::Frame));
  IrValue* all = b_.getTrue();
  for (int reg = 0; reg < root.parameter_count; ++reg) {
    const Operand value = load_value(frame_address(reg), Memory::Frame);
    const Kind kind = parameter_kind(reg);
    values.push_back(kind == Kind::Float ? b_.CreateBitCast(value.payload, b_.getDoubleTy()) : value.payload);
    if (kind == Kind::Any) {
      values.push_back(value.tag);
    } else {
      all = b_.CreateAnd(all, b_.CreateICmpEQ(value.tag, word(static_cast<uint64_t>(tag_of(kind)))));
    }
  }
  Block* enters = make_block("enters");
  Block* refused = make_block("refused");
  Block* returned = make_block("returned");
  Block* other = make_block("not_returned");
  Block* exits = make_block("exits");
  set_likely(b_.CreateCondBr(all, enters, refused), true);
  b_.SetInsertPoint(refused);
  b_.CreateRet(word(0));  // the first exit
  b_.SetInsertPoint(enters);
  llvm::CallInst* call = b_.CreateCall(direct_, values);
  call->setCallingConv(llvm::CallingConv::Fast);
  IrValue* status = b_.CreateExtractValue(call, 0);
  set_likely(b_.CreateCondBr(has_returned(status), returned, other), true);
  b_.SetInsertPoint(other);
  b_.CreateCondBr(b_.CreateICmpEQ(status, b_.getInt64(static_cast<uint64_t>(kRegionRefused))), refused, exits);
  b_.SetInsertPoint(exits);
  b_.CreateRet(status);
  b_.SetInsertPoint(returned);
  deliver_result(call);
}

/// Of the direct function. It is nil where nothing was returned.
void Lowering::deliver_result(IrValue* result) {
  const int first = -kCallOverheadSlots;
  IrValue* wanted =
      load(b_.getInt32Ty(), frame_address(-kFrameHeaderSlots, offsetof(FrameHeader, tag_low_2) + 4), Memory::Frame);
  store(b_.CreateExtractValue(result, 1), frame_address(first), Memory::Frame);
  store(b_.CreateExtractValue(result, 2), frame_address(first, offsetof(Value, tag)), Memory::Frame);
  Block* done = make_block("done");
  Block* more = make_block("more_wanted");
  Block* all = make_block("all_wanted");
  Block* fills = make_block("fills");
  set_likely(b_.CreateCondBr(b_.CreateICmpUGT(wanted, b_.getInt32(1)), more, done), false);
  b_.SetInsertPoint(more);
  b_.CreateCondBr(b_.CreateICmpEQ(wanted, b_.getInt32(FrameHeader::kWantedMask)), all, fills);
  b_.SetInsertPoint(all);
  IrValue* has_one = b_.CreateICmpEQ(b_.CreateExtractValue(result, 0), b_.getInt64(static_cast<uint64_t>(kRegionReturned)));
  store(b_.CreateSelect(has_one, frame_address(first + 1), frame_address(first)), at(thread_, offsetof(Thread, top)), Memory::Machine);
  b_.CreateBr(done);
  b_.SetInsertPoint(fills);
  llvm::PHINode* i = b_.CreatePHI(b_.getInt32Ty(), 2);
  i->addIncoming(b_.getInt32(1), more);
  IrValue* slot = b_.CreateInBoundsGEP(llvm::ArrayType::get(b_.getInt8Ty(), sizeof(Value)), frame_address(first), b_.CreateZExt(i, b_.getInt64Ty()));
  store(word(0), slot, Memory::Frame);
  store(word(static_cast<uint64_t>(Tag::Nil)), at(slot, offsetof(Value, tag)), Memory::Frame);
  IrValue* next = b_.CreateAdd(i, b_.getInt32(1));
  i->addIncoming(next, fills);
  b_.CreateCondBr(b_.CreateICmpULT(next, wanted), fills, done);
  b_.SetInsertPoint(done);
  b_.CreateRet(b_.getInt64(static_cast<uint64_t>(kRegionReturned)));
}

}  // namespace mangata::jit
