// Entering a region: the types and the room that its code counts on.
#include "jit/optimizer/lowering.h"

namespace mangata::jit {

std::unique_ptr<llvm::Module> Lowering::lower(const std::string& name, const llvm::TargetMachine& machine) {
  module_ = std::make_unique<llvm::Module>(name, context_);
  module_->setDataLayout(machine.createDataLayout());
  module_->setTargetTriple(machine.getTargetTriple().str());
  llvm::Type* pointer_type = b_.getPtrTy();
  auto* type = llvm::FunctionType::get(b_.getInt64Ty(), {pointer_type, pointer_type, pointer_type}, false);
  llvm::Function* region = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, *module_);
  if (is_recursive()) make_direct_function(name + "_direct");
  for (llvm::Function& each : *module_) {
    each.addFnAttr(llvm::Attribute::NoUnwind);
    each.addFnAttr("frame-pointer", input_.keeps_places ? "all" : "none");
  }
  function_ = direct_ != nullptr ? direct_ : region;
  thread_ = function_->getArg(0);
  base_ = function_->getArg(1);
  vm_ = function_->getArg(2);
  describe_function(function_);
  lower_entry();
  forget_place();
  if (direct_ != nullptr) wrap_direct(region);
  return std::move(module_);
}

/// Of the frame, where they were always the same; those registers have their values from here on.
llvm::Value* Lowering::check_types() {
  const RegionFunction& root = input_.root();
  IrValue* all = b_.getTrue();
  for (int slot = 0; slot < root.register_count; ++slot) {
    const TagMask tags = input_.entry_tags[static_cast<size_t>(slot)];
    if (!root.live[static_cast<size_t>(input_.entry_pc)].test(static_cast<size_t>(slot)) ||
        is_captured(slot) || !is_single(tags))
      continue;
    const Tag tag = static_cast<Tag>(std::countr_zero(tags));
    const Kind kind = kind_of(tag);
    if (!has_known_tag(kind) || !has_payload(kind)) continue;  // headers of frames that are gone have more in their tags
    IrValue* found =
        load(b_.getInt64Ty(), frame_address(slot, static_cast<int>(offsetof(Value, tag))), Memory::Frame);
    all = b_.CreateAnd(all, b_.CreateICmpEQ(found, word(static_cast<uint64_t>(tag))));
    fact(slot) = {.kind = kind};
  }
  return all;
}

void Lowering::load_registers() {
  for (int slot = 0; slot < input_.root().register_count; ++slot) {
    const Kind kind = state_.slots[static_cast<size_t>(slot)].kind;
    if (kind == Kind::Frame) continue;
    llvm::Type* type = kind == Kind::Float ? b_.getDoubleTy() : b_.getInt64Ty();
    IrValue* value = load(type, frame_address(slot), Memory::Frame);
    b_.CreateStore(value, kind == Kind::Float ? float_cell(slot) : payload_cell(slot));
  }
}

/// Checks the types that were recorded at the head; the frame stays as it is when they are others.
void Lowering::lower_entry() {
  const RegionFunction& root = input_.root();
  entry_ = Block::Create(context_, "entry", function_);
  Block* checks = make_block("checks");
  Block* refused = make_block("refused");
  exits_.push_back({.why = ExitSite::Why::Entry,
                    .own_pc = input_.entry_pc,
                    .to_pc = root.original_pcs[static_cast<size_t>(input_.entry_pc)],
                    .proto = root.proto,
                    .counts_call = input_.counts_events && input_.is_function});
  b_.SetInsertPoint(checks);
  slots_ = root.register_count;
  state_ = {};
  state_.slots.resize(static_cast<size_t>(root.register_count));
  state_.frames.push_back({.function = &root});
  track_ = {};
  granted_ = llvm::IRBuilder<>(entry_, entry_->begin()).CreateAlloca(b_.getInt64Ty());
  left_ = llvm::IRBuilder<>(entry_, entry_->begin()).CreateAlloca(b_.getInt64Ty());
  const bool counts_call = input_.counts_events && input_.is_function;
  const uint64_t rounds = input_.is_function && (!counts_call || counts_in_memory_) ? 1 : 0;
  b_.CreateStore(word(no_events()->getZExtValue() + rounds), granted_);
  b_.CreateStore(no_events(), left_);
  if (direct_ != nullptr) {
    take_parameters();
  } else {
    Block* enter = make_block("enter");
    set_likely(b_.CreateCondBr(check_types(), enter, refused), true);
    b_.SetInsertPoint(enter);
    load_registers();
  }
  count_own_call();
  if (root.counters != nullptr) {
    b_.CreateStore(direct_ != nullptr ? direct_->getArg(kFirstParameter - 1) : load(b_.getInt64Ty(), frame_address(-1), Memory::Frame),
                   path_cell(0));
  }
  pc_ = -1;
  ended_ = false;
  go_to(input_.entry_pc);
  if (!ended_) pending_.push_back({b_.GetInsertBlock(), state_, pc_, track_});
  while (!pending_.empty() && instructions_ <= most_instructions_) {
    Walk walk = std::move(pending_.back());
    pending_.pop_back();
    run(std::move(walk));
  }
  lower_refusal(refused);
  b_.SetInsertPoint(entry_);
  if (direct_ != nullptr || slots_ > root.register_count || counts_call) {
    IrValue* begins = direct_ != nullptr ? may_begin() : has_room();
    if (counts_call) begins = b_.CreateAnd(begins, is_enough(region_fuel()));
    set_likely(b_.CreateCondBr(begins, checks, refused), true);
  } else {
    b_.CreateBr(checks);
  }
}

/// The frame stays as it is, or gets the parameters.
void Lowering::lower_refusal(Block* refused) {
  b_.SetInsertPoint(refused);
  if (direct_ != nullptr) return refuse_directly();
  b_.CreateRet(word(0));  // the first exit
}

/// Frames of inlined functions need it.
llvm::Value* Lowering::has_room() {
  IrValue* limit = load(b_.getInt64Ty(), at(thread_, offsetof(Thread, stack_soft_limit)), Memory::Machine);
  IrValue* end = b_.CreateAdd(b_.CreatePtrToInt(base_, b_.getInt64Ty()), word(static_cast<uint64_t>(slots_) * sizeof(Value)));
  return b_.CreateICmpULE(end, limit);
}

}  // namespace mangata::jit
