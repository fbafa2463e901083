// [DESIGN] One instruction for each operation, in the order of the IR, so that whoever built it decides what LLVM sees. Parameters of
// blocks are phis; variables and areas are allocas of the entry, which SROA turns into values; classes of memory are types of TBAA.
// Blocks are translated in an order in which definitions come before their uses (reverse post order); but they stand where they stood.
#include "jit/optimizer/to_llvm.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include <map>
#include <vector>

#include "jit/ir/block_order.h"

namespace mangata::jit {
namespace {

using ir::Opcode;
using ir::Operation;
using ir::Value;

class Translator {
 public:
  Translator(const ir::Module& module, llvm::Module* result) : ir_(module), module_(*result), context_(result->getContext()), metadata_(context_), b_(context_) {}

  void translate_module(bool keeps_places) {
    for (const ir::Function& each : ir_.functions) declare(each, keeps_places);
    for (size_t i = 0; i < ir_.functions.size(); ++i) {
      const bool has_places = keeps_places && i + 1 == ir_.functions.size();
      described_ = has_places ? describe(functions_[i]) : nullptr;
      define(ir_.functions[i], functions_[i]);
    }
  }

 private:
  // --- functions
  llvm::Type* type_of(ir::Type type) {
    switch (type) {
      case ir::Type::None: return b_.getVoidTy();
      case ir::Type::Bool: return b_.getInt1Ty();
      case ir::Type::I8: return b_.getInt8Ty();
      case ir::Type::I16: return b_.getInt16Ty();
      case ir::Type::I32: return b_.getInt32Ty();
      case ir::Type::I64: return b_.getInt64Ty();
      case ir::Type::F64: return b_.getDoubleTy();
      case ir::Type::Pointer: return b_.getPtrTy();
    }
    return nullptr;
  }

  void declare(const ir::Function& function, bool keeps_places) {
    std::vector<llvm::Type*> parameters, results;
    for (const Value parameter : function.parameters()) parameters.push_back(type_of(function.type_of(parameter)));
    for (const ir::Type type : function.results()) results.push_back(type_of(type));
    llvm::Type* result = results.empty() ? b_.getVoidTy() : results.size() == 1 ? results.front()
                                                                                : llvm::StructType::get(context_, results);
    const bool is_entered = functions_.empty();
    auto* its = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                                       is_entered ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage, function.name(), module_);
    if (!is_entered) its->setCallingConv(llvm::CallingConv::Fast);
    its->addFnAttr(llvm::Attribute::NoUnwind);
    its->addFnAttr("frame-pointer", keeps_places ? "all" : "none");
    functions_.push_back(its);
  }

  /// Its instructions get lines.
  llvm::DISubprogram* describe(llvm::Function* function) {
    module_.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    module_.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
    llvm::DIBuilder builder(module_);
    llvm::DIFile* file = builder.createFile("region", "");
    builder.createCompileUnit(llvm::dwarf::DW_LANG_C, file, "", true, "", 0, "", llvm::DICompileUnit::LineTablesOnly);
    auto* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
    auto* described = builder.createFunction(file, function->getName(), "", file, 1, type, 1, llvm::DINode::FlagZero,
                                             llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
    builder.finalize();
    function->setSubprogram(described);
    return described;
  }

  void define(const ir::Function& function, llvm::Function* result) {
    function_ = &function;
    values_.assign(function.value_count(), nullptr);
    blocks_.clear(), variables_.clear();
    for (size_t i = 0; i < function.parameters().size(); ++i) values_[function.parameters()[i].index] = result->getArg(static_cast<unsigned>(i));
    for (uint32_t i = 0; i < function.block_count(); ++i) blocks_.push_back(llvm::BasicBlock::Create(context_, function[ir::BlockId{i}].name, result));
    b_.SetCurrentDebugLocation(llvm::DebugLoc());
    b_.SetInsertPoint(blocks_.front());
    for (const ir::Type type : function.variables()) variables_.push_back(b_.CreateAlloca(type_of(type)));
    count_uses();
    make_phis();
    const ir::BlockOrder order(function);
    for (const ir::BlockId block : order.blocks()) translate(block);
    for (uint32_t i = 0; i < function.block_count(); ++i) {
      if (order.is_reachable({i})) continue;
      b_.SetInsertPoint(blocks_[i]);
      b_.CreateUnreachable();
    }
  }

  /// Addresses that belong to accesses (ir::Builder::load) may be left without another use.
  void count_uses() {
    const ir::Function& function = *function_;
    uses_.assign(function.value_count(), 0);
    const auto use = [&](Value value) {
      if (value) ++uses_[value.index];
    };
    for (uint32_t i = 0; i < function.block_count(); ++i) {
      for (const Value value : function[ir::BlockId{i}].operations) {
        const Operation& its = function[value];
        const ir::Shape shape = ir::info_of(its.op).shape;
        for (size_t operand = 0; operand < static_cast<size_t>(ir::operand_count(shape)); ++operand) use(its.operands[operand]);
        if (ir::has_list(shape)) {
          for (const Value each : function.list(its)) use(each);
        }
      }
    }
  }

  void make_phis() {
    for (uint32_t i = 0; i < function_->block_count(); ++i) {
      b_.SetInsertPoint(blocks_[i]);
      for (const Value parameter : (*function_)[ir::BlockId{i}].parameters) values_[parameter.index] = b_.CreatePHI(type_of(function_->type_of(parameter)), 8);
    }
  }

  void translate(ir::BlockId block) {
    b_.SetInsertPoint(blocks_[block.index]);
    for (const Value value : (*function_)[block].operations) {
      const Operation& its = (*function_)[value];
      if (described_ != nullptr) b_.SetCurrentDebugLocation(llvm::DILocation::get(context_, its.place, 0, described_));
      if (its.op == Opcode::Address && uses_[value.index] == 0) continue;
      values_[value.index] = translate(its);
      if (!its.has_two_words) continue;
      pairs_[value.index] = values_[value.index];
      values_[value.index] = b_.CreateExtractValue(pairs_[value.index], 0);
    }
  }

  // --- values
  llvm::Value* constant(const Operation& its) {
    switch (its.type) {
      case ir::Type::F64: return llvm::ConstantFP::get(context_, llvm::APFloat(llvm::APFloat::IEEEdouble(), llvm::APInt(64, its.immediate)));
      case ir::Type::Pointer:
        if (its.immediate == 0) return llvm::ConstantPointerNull::get(b_.getPtrTy());
        return llvm::ConstantExpr::getIntToPtr(b_.getInt64(its.immediate), b_.getPtrTy());
      default: return llvm::ConstantInt::get(type_of(its.type), its.immediate);
    }
  }

  llvm::Value* value(Value value) {
    llvm::Value*& its = values_[value.index];
    if (its == nullptr && function_->is_constant(value)) its = constant((*function_)[value]);
    return its;
  }

  llvm::BasicBlock* target(const Operation& its, size_t number) { return blocks_[function_->target(its, number).index]; }

  llvm::MDNode* tbaa(ir::Memory memory) {
    llvm::MDNode*& node = tbaa_[static_cast<size_t>(memory)];
    if (node == nullptr) {
      llvm::MDNode* root = metadata_.createTBAARoot("mangata");
      llvm::MDNode* type = metadata_.createTBAAScalarTypeNode(ir::kMemoryNames[static_cast<size_t>(memory)], root);
      node = metadata_.createTBAAStructTagNode(type, type, 0);
    }
    return node;
  }

  llvm::Value* with_offset(llvm::Value* address, const Operation& its) {
    return its.immediate == 0 ? address : b_.CreateInBoundsGEP(b_.getInt8Ty(), address, b_.getInt64(its.immediate));
  }

  llvm::Value* load(const Operation& its) {
    llvm::Value* address = with_offset(value(its.operands[0]), its);
    if (its.is_volatile) return b_.CreateAlignedLoad(type_of(its.type), address, llvm::Align(1), true);
    llvm::LoadInst* load = b_.CreateLoad(type_of(its.type), address);
    if (its.memory != ir::Memory::Any) load->setMetadata(llvm::LLVMContext::MD_tbaa, tbaa(its.memory));
    return load;
  }

  llvm::Value* store(const Operation& its) {
    llvm::Value* address = with_offset(value(its.operands[1]), its);
    if (its.is_volatile) return b_.CreateAlignedStore(value(its.operands[0]), address, llvm::Align(1), true);
    llvm::StoreInst* store = b_.CreateStore(value(its.operands[0]), address);
    if (its.memory != ir::Memory::Any) store->setMetadata(llvm::LLVMContext::MD_tbaa, tbaa(its.memory));
    return store;
  }

  llvm::Value* address(const Operation& its) {
    llvm::Value* pointer = value(its.operands[0]);
    if (its.operands[1]) {
      const uint32_t scale = ir::Function::scale_of(its);
      llvm::Type* unit = scale == 8 ? b_.getInt64Ty() : scale == 1 ? b_.getInt8Ty()
                                                                   : static_cast<llvm::Type*>(llvm::ArrayType::get(b_.getInt8Ty(), scale));
      pointer = b_.CreateInBoundsGEP(unit, pointer, value(its.operands[1]));
    }
    return with_offset(pointer, its);
  }

  llvm::Value* stack_area(const Operation& its) {
    llvm::IRBuilder<> builder(blocks_.front(), blocks_.front()->begin());
    return builder.CreateAlloca(llvm::ArrayType::get(b_.getInt64Ty(), (its.immediate + 7) / 8));
  }

  llvm::Value* stack_pointer() {
    auto* name = llvm::MetadataAsValue::get(context_, llvm::MDNode::get(context_, llvm::MDString::get(context_, "rsp")));
    return b_.CreateIntrinsic(llvm::Intrinsic::read_register, {b_.getInt64Ty()}, {name});
  }

  // --- calls
  std::vector<llvm::Value*> values_of(const Operation& its) {
    std::vector<llvm::Value*> all;
    for (const Value each : function_->list(its)) all.push_back(value(each));
    return all;
  }

  llvm::Value* call(const Operation& its) {
    const std::vector<llvm::Value*> arguments = values_of(its);
    std::vector<llvm::Type*> types;
    for (const llvm::Value* each : arguments) types.push_back(each->getType());
    llvm::Type* word = b_.getInt64Ty();
    llvm::Type* result = its.has_two_words ? llvm::StructType::get(word, word) : type_of(its.type);
    llvm::CallInst* call = b_.CreateCall(llvm::FunctionType::get(result, types, false), value(its.operands[0]), arguments);
    switch (its.touches) {
      case ir::CallMemory::All:
        break;
      case ir::CallMemory::Reads:
        call->setMemoryEffects(llvm::MemoryEffects::readOnly() | llvm::MemoryEffects::argMemOnly());
        for (unsigned i = 0; i + 1 < arguments.size(); ++i) {
          if (types[i]->isPointerTy()) call->addParamAttr(i, llvm::Attribute::ReadOnly);
        }
        break;
      case ir::CallMemory::Private:
        call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
        call->setDoesNotThrow();
        call->addFnAttr(llvm::Attribute::WillReturn);
        break;
      case ir::CallMemory::None:
        call->setDoesNotAccessMemory();
        break;
    }
    return call;
  }

  llvm::Value* call_function(const Operation& its) {
    llvm::Function* callee = functions_[its.immediate];
    llvm::CallInst* call = b_.CreateCall(callee, values_of(its));
    call->setCallingConv(callee->getCallingConv());
    return call;
  }

  llvm::Value* result(const Operation& its) {
    const Operation& call = (*function_)[its.operands[0]];
    llvm::Value* all = value(its.operands[0]);
    return ir_.functions[call.immediate].results().size() == 1 ? all : b_.CreateExtractValue(all, static_cast<unsigned>(its.immediate));
  }

  // --- ends of blocks
  llvm::Value* jump(const Operation& its) {
    const ir::BlockId to = function_->target(its, 0);
    const std::vector<Value>& parameters = (*function_)[to].parameters;
    const std::span<const Value> arguments = function_->list(its);
    for (size_t i = 0; i < parameters.size(); ++i) {
      llvm::cast<llvm::PHINode>(values_[parameters[i].index])->addIncoming(value(arguments[i]), b_.GetInsertBlock());
    }
    return b_.CreateBr(blocks_[to.index]);
  }

  llvm::Value* branch(const Operation& its) {
    llvm::BranchInst* branch = b_.CreateCondBr(value(its.operands[0]), target(its, 0), target(its, 1));
    if (its.immediate != 0) {
      branch->setMetadata(llvm::LLVMContext::MD_prof, metadata_.createBranchWeights(ir::Function::weight_of(its, 0), ir::Function::weight_of(its, 1)));
    }
    return branch;
  }

  llvm::Value* switch_on(const Operation& its) {
    const size_t cases = function_->target_count(its) - 1;
    llvm::SwitchInst* all = b_.CreateSwitch(value(its.operands[0]), target(its, cases), static_cast<unsigned>(cases));
    for (size_t i = 0; i < cases; ++i) all->addCase(llvm::cast<llvm::ConstantInt>(value(function_->case_of(its, i))), target(its, i));
    return all;
  }

  llvm::Value* return_values(const Operation& its) {
    const std::vector<llvm::Value*> values = values_of(its);
    if (values.empty()) return b_.CreateRetVoid();
    if (values.size() == 1) return b_.CreateRet(values.front());
    llvm::Value* all = llvm::PoisonValue::get(b_.GetInsertBlock()->getParent()->getReturnType());
    for (unsigned i = 0; i < values.size(); ++i) {
      if (!llvm::isa<llvm::PoisonValue>(values[i])) all = b_.CreateInsertValue(all, values[i], i);
    }
    return b_.CreateRet(all);
  }

  // --- the table
  llvm::Value* translate(const Operation& its);

  const ir::Module& ir_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::MDBuilder metadata_;
  llvm::IRBuilder<> b_;
  std::vector<llvm::Function*> functions_;
  llvm::MDNode* tbaa_[ir::kMemoryClasses] = {};
  // The running function
  const ir::Function* function_ = nullptr;
  llvm::DISubprogram* described_ = nullptr;  ///< where places are kept: what their lines belong to
  std::vector<llvm::Value*> values_;         ///< by value; constants when they are used
  std::map<uint32_t, llvm::Value*> pairs_;   ///< calls of which two words come back: both
  std::vector<uint32_t> uses_;
  std::vector<llvm::BasicBlock*> blocks_;
  std::vector<llvm::AllocaInst*> variables_;
};

llvm::Value* Translator::translate(const Operation& its) {
  const auto a = [&] { return value(its.operands[0]); };
  const auto b = [&] { return value(its.operands[1]); };
  switch (its.op) {
    case Opcode::Constant:
    case Opcode::Parameter:
    case Opcode::BlockParameter: return nullptr;  // no block has them
    case Opcode::Undefined: return llvm::PoisonValue::get(type_of(its.type));
    case Opcode::Add: return b_.CreateAdd(a(), b());
    case Opcode::Sub: return b_.CreateSub(a(), b());
    case Opcode::Mul: return b_.CreateMul(a(), b());
    case Opcode::SDiv: return b_.CreateSDiv(a(), b());
    case Opcode::SRem: return b_.CreateSRem(a(), b());
    case Opcode::UDiv: return b_.CreateUDiv(a(), b());
    case Opcode::And: return b_.CreateAnd(a(), b());
    case Opcode::Or: return b_.CreateOr(a(), b());
    case Opcode::Xor: return b_.CreateXor(a(), b());
    case Opcode::Shl: return b_.CreateShl(a(), b());
    case Opcode::LShr: return b_.CreateLShr(a(), b());
    case Opcode::AShr: return b_.CreateAShr(a(), b());
    case Opcode::RotL: return b_.CreateIntrinsic(llvm::Intrinsic::fshl, {type_of(its.type)}, {a(), a(), b()});
    case Opcode::RotR: return b_.CreateIntrinsic(llvm::Intrinsic::fshr, {type_of(its.type)}, {a(), a(), b()});
    case Opcode::BSwap: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::bswap, a());
    case Opcode::FAdd: return b_.CreateFAdd(a(), b());
    case Opcode::FSub: return b_.CreateFSub(a(), b());
    case Opcode::FMul: return b_.CreateFMul(a(), b());
    case Opcode::FDiv: return b_.CreateFDiv(a(), b());
    case Opcode::FNeg: return b_.CreateFNeg(a());
    case Opcode::FAbs: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a());
    case Opcode::FSqrt: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a());
    case Opcode::Floor: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, a());
    case Opcode::Ceil: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, a());
    case Opcode::Trunc: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, a());
    case Opcode::Fma: return b_.CreateIntrinsic(llvm::Intrinsic::fma, {b_.getDoubleTy()}, {a(), b(), value(its.operands[2])});
    case Opcode::Eq: return b_.CreateICmpEQ(a(), b());
    case Opcode::Ne: return b_.CreateICmpNE(a(), b());
    case Opcode::Slt: return b_.CreateICmpSLT(a(), b());
    case Opcode::Sle: return b_.CreateICmpSLE(a(), b());
    case Opcode::Ult: return b_.CreateICmpULT(a(), b());
    case Opcode::Ule: return b_.CreateICmpULE(a(), b());
    case Opcode::FEq: return b_.CreateFCmpOEQ(a(), b());
    case Opcode::FLt: return b_.CreateFCmpOLT(a(), b());
    case Opcode::FLe: return b_.CreateFCmpOLE(a(), b());
    case Opcode::FNe: return b_.CreateFCmpUNE(a(), b());
    case Opcode::Select: return b_.CreateSelect(a(), b(), value(its.operands[2]));
    case Opcode::ZExt: return b_.CreateZExt(a(), type_of(its.type));
    case Opcode::SExt: return b_.CreateSExt(a(), type_of(its.type));
    case Opcode::Truncate: return b_.CreateTrunc(a(), type_of(its.type));
    case Opcode::IntegerToFloat: return b_.CreateSIToFP(a(), b_.getDoubleTy());
    case Opcode::FloatToInteger: return b_.CreateFPToSI(a(), b_.getInt64Ty());
    case Opcode::FloatToIntegerSaturating: return b_.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {b_.getInt64Ty(), b_.getDoubleTy()}, {a()});
    case Opcode::BitsOfFloat: return b_.CreateBitCast(a(), b_.getInt64Ty());
    case Opcode::FloatOfBits: return b_.CreateBitCast(a(), b_.getDoubleTy());
    case Opcode::PointerToInteger: return b_.CreatePtrToInt(a(), b_.getInt64Ty());
    case Opcode::IntegerToPointer: return b_.CreateIntToPtr(a(), b_.getPtrTy());
    case Opcode::Load: return load(its);
    case Opcode::Store: return store(its);
    case Opcode::Address: return address(its);
    case Opcode::GetVariable: return b_.CreateLoad(type_of(its.type), variables_[its.immediate]);
    case Opcode::SetVariable: return b_.CreateStore(a(), variables_[its.immediate]);
    case Opcode::StackArea: return stack_area(its);
    case Opcode::StackPointer: return stack_pointer();
    case Opcode::Call: return call(its);
    case Opcode::SecondWord: return b_.CreateExtractValue(pairs_.at(its.operands[0].index), 1);
    case Opcode::CallFunction: return call_function(its);
    case Opcode::Result: return result(its);
    case Opcode::Jump: return jump(its);
    case Opcode::Branch: return branch(its);
    case Opcode::Switch: return switch_on(its);
    case Opcode::Return: return return_values(its);
    case Opcode::Unreachable: return b_.CreateUnreachable();
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<llvm::Module> to_llvm(const ir::Module& module, llvm::LLVMContext& context, const llvm::TargetMachine& machine, bool keeps_places) {
  auto result = std::make_unique<llvm::Module>(module.functions.front().name(), context);
  result->setDataLayout(machine.createDataLayout());
  result->setTargetTriple(machine.getTargetTriple().str());
  Translator(module, result.get()).translate_module(keeps_places);
  return result;
}

}  // namespace mangata::jit
