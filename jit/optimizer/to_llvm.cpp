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
    auto* llvm_function = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                                                 is_entered ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage, function.name(), module_);
    if (!is_entered) llvm_function->setCallingConv(llvm::CallingConv::Fast);
    llvm_function->addFnAttr(llvm::Attribute::NoUnwind);
    llvm_function->addFnAttr("frame-pointer", keeps_places ? "all" : "none");
    functions_.push_back(llvm_function);
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
    make_phis();
    const ir::BlockOrder order(function);
    for (const ir::BlockId block : order.blocks()) translate(block);
    for (uint32_t i = 0; i < function.block_count(); ++i) {
      if (order.is_reachable({i})) continue;
      b_.SetInsertPoint(blocks_[i]);
      b_.CreateUnreachable();
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
      const Operation& operation = (*function_)[value];
      if (described_ != nullptr) b_.SetCurrentDebugLocation(llvm::DILocation::get(context_, operation.place, 0, described_));
      values_[value.index] = translate(operation);
      if (!operation.has_two_words) continue;
      pairs_[value.index] = values_[value.index];
      values_[value.index] = b_.CreateExtractValue(pairs_[value.index], 0);
    }
  }

  // --- values
  llvm::Value* constant(const Operation& operation) {
    switch (operation.type) {
      case ir::Type::F64: return llvm::ConstantFP::get(context_, llvm::APFloat(llvm::APFloat::IEEEdouble(), llvm::APInt(64, operation.immediate)));
      case ir::Type::Pointer:
        if (operation.immediate == 0) return llvm::ConstantPointerNull::get(b_.getPtrTy());
        return llvm::ConstantExpr::getIntToPtr(b_.getInt64(operation.immediate), b_.getPtrTy());
      default: return llvm::ConstantInt::get(type_of(operation.type), operation.immediate);
    }
  }

  llvm::Value* value(Value value) {
    const Operation& operation = (*function_)[value];
    if (operation.op == Opcode::Variable) return b_.CreateLoad(type_of(operation.type), variables_[operation.immediate]);
    llvm::Value*& lowered = values_[value.index];
    if (lowered == nullptr && function_->is_constant(value)) lowered = constant((*function_)[value]);
    return lowered;
  }

  llvm::BasicBlock* target(const Operation& operation, size_t number) { return blocks_[function_->target(operation, number).index]; }

  llvm::MDNode* tbaa(ir::Memory memory) {
    llvm::MDNode*& node = tbaa_[static_cast<size_t>(memory)];
    if (node == nullptr) {
      llvm::MDNode* root = metadata_.createTBAARoot("mangata");
      llvm::MDNode* type = metadata_.createTBAAScalarTypeNode(ir::kMemoryNames[static_cast<size_t>(memory)], root);
      node = metadata_.createTBAAStructTagNode(type, type, 0);
    }
    return node;
  }

  llvm::Value* with_offset(llvm::Value* address, const Operation& operation) {
    return operation.immediate == 0 ? address : b_.CreateInBoundsGEP(b_.getInt8Ty(), address, b_.getInt64(operation.immediate));
  }

  llvm::Value* load(const Operation& operation) {
    llvm::Value* address = with_offset(value(operation.operands[0]), operation);
    if (operation.is_volatile) return b_.CreateAlignedLoad(type_of(operation.type), address, llvm::Align(1), true);
    llvm::LoadInst* load = b_.CreateLoad(type_of(operation.type), address);
    if (operation.memory != ir::Memory::Any) load->setMetadata(llvm::LLVMContext::MD_tbaa, tbaa(operation.memory));
    return load;
  }

  llvm::Value* store(const Operation& operation) {
    llvm::Value* address = with_offset(value(operation.operands[1]), operation);
    if (operation.is_volatile) return b_.CreateAlignedStore(value(operation.operands[0]), address, llvm::Align(1), true);
    llvm::StoreInst* store = b_.CreateStore(value(operation.operands[0]), address);
    if (operation.memory != ir::Memory::Any) store->setMetadata(llvm::LLVMContext::MD_tbaa, tbaa(operation.memory));
    return store;
  }

  llvm::Value* address(const Operation& operation) {
    llvm::Value* pointer = value(operation.operands[0]);
    if (operation.operands[1]) {
      const uint32_t scale = ir::Function::scale_of(operation);
      llvm::Type* unit = scale == 8 ? b_.getInt64Ty() : scale == 1 ? b_.getInt8Ty()
                                                                   : static_cast<llvm::Type*>(llvm::ArrayType::get(b_.getInt8Ty(), scale));
      pointer = b_.CreateInBoundsGEP(unit, pointer, value(operation.operands[1]));
    }
    return with_offset(pointer, operation);
  }

  llvm::Value* stack_area(const Operation& operation) {
    llvm::IRBuilder<> builder(blocks_.front(), blocks_.front()->begin());
    return builder.CreateAlloca(llvm::ArrayType::get(b_.getInt64Ty(), (operation.immediate + 7) / 8));
  }

  llvm::Value* stack_pointer() {
    auto* name = llvm::MetadataAsValue::get(context_, llvm::MDNode::get(context_, llvm::MDString::get(context_, "rsp")));
    return b_.CreateIntrinsic(llvm::Intrinsic::read_register, {b_.getInt64Ty()}, {name});
  }

  // --- calls
  std::vector<llvm::Value*> values_of(const Operation& operation) {
    std::vector<llvm::Value*> all;
    for (const Value each : function_->list(operation)) all.push_back(value(each));
    return all;
  }

  llvm::Value* call(const Operation& operation) {
    const std::vector<llvm::Value*> arguments = values_of(operation);
    std::vector<llvm::Type*> types;
    for (const llvm::Value* each : arguments) types.push_back(each->getType());
    llvm::Type* word = b_.getInt64Ty();
    llvm::Type* result = operation.has_two_words ? llvm::StructType::get(word, word) : type_of(operation.type);
    llvm::CallInst* call = b_.CreateCall(llvm::FunctionType::get(result, types, false), value(operation.operands[0]), arguments);
    switch (operation.touches) {
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

  llvm::Value* call_function(const Operation& operation) {
    llvm::Function* callee = functions_[operation.immediate];
    llvm::CallInst* call = b_.CreateCall(callee, values_of(operation));
    call->setCallingConv(callee->getCallingConv());
    return call;
  }

  llvm::Value* result(const Operation& operation) {
    const Operation& call = (*function_)[operation.operands[0]];
    llvm::Value* all = value(operation.operands[0]);
    return ir_.functions[call.immediate].results().size() == 1 ? all : b_.CreateExtractValue(all, static_cast<unsigned>(operation.immediate));
  }

  // --- ends of blocks
  llvm::Value* jump(const Operation& operation) {
    const ir::BlockId to = function_->target(operation, 0);
    const std::vector<Value>& parameters = (*function_)[to].parameters;
    const std::span<const Value> arguments = function_->list(operation);
    for (size_t i = 0; i < parameters.size(); ++i) {
      llvm::cast<llvm::PHINode>(values_[parameters[i].index])->addIncoming(value(arguments[i]), b_.GetInsertBlock());
    }
    return b_.CreateBr(blocks_[to.index]);
  }

  llvm::Value* branch(const Operation& operation) {
    llvm::BranchInst* branch = b_.CreateCondBr(value(operation.operands[0]), target(operation, 0), target(operation, 1));
    if (operation.immediate != 0) {
      branch->setMetadata(llvm::LLVMContext::MD_prof, metadata_.createBranchWeights(ir::Function::weight_of(operation, 0), ir::Function::weight_of(operation, 1)));
    }
    return branch;
  }

  llvm::Value* switch_on(const Operation& operation) {
    const size_t cases = function_->target_count(operation) - 1;
    llvm::SwitchInst* all = b_.CreateSwitch(value(operation.operands[0]), target(operation, cases), static_cast<unsigned>(cases));
    for (size_t i = 0; i < cases; ++i) all->addCase(llvm::cast<llvm::ConstantInt>(value(function_->case_of(operation, i))), target(operation, i));
    return all;
  }

  llvm::Value* return_values(const Operation& operation) {
    const std::vector<llvm::Value*> values = values_of(operation);
    if (values.empty()) return b_.CreateRetVoid();
    if (values.size() == 1) return b_.CreateRet(values.front());
    llvm::Value* all = llvm::PoisonValue::get(b_.GetInsertBlock()->getParent()->getReturnType());
    for (unsigned i = 0; i < values.size(); ++i) {
      if (!llvm::isa<llvm::PoisonValue>(values[i])) all = b_.CreateInsertValue(all, values[i], i);
    }
    return b_.CreateRet(all);
  }

  // --- the table
  llvm::Value* translate(const Operation& operation);

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
  std::vector<llvm::BasicBlock*> blocks_;
  std::vector<llvm::AllocaInst*> variables_;
};

llvm::Value* Translator::translate(const Operation& operation) {
  const auto a = [&] { return value(operation.operands[0]); };
  const auto b = [&] { return value(operation.operands[1]); };
  switch (operation.op) {
    case Opcode::Constant:
    case Opcode::Parameter:
    case Opcode::Variable:
    case Opcode::BlockParameter: return nullptr;  // no block has them
    case Opcode::Undefined: return llvm::PoisonValue::get(type_of(operation.type));
    case Opcode::Add: return b_.CreateAdd(a(), b());
    case Opcode::Sub: return b_.CreateSub(a(), b());
    case Opcode::Mul: return b_.CreateMul(a(), b());
    case Opcode::SDiv: return b_.CreateSDiv(a(), b());
    case Opcode::SRem: return b_.CreateSRem(a(), b());
    case Opcode::UDiv: return b_.CreateUDiv(a(), b());
    case Opcode::UMulHigh: {
      llvm::Type* wide = b_.getIntNTy(128);
      return b_.CreateTrunc(b_.CreateLShr(b_.CreateMul(b_.CreateZExt(a(), wide), b_.CreateZExt(b(), wide)), 64), b_.getInt64Ty());
    }
    case Opcode::And: return b_.CreateAnd(a(), b());
    case Opcode::Or: return b_.CreateOr(a(), b());
    case Opcode::Xor: return b_.CreateXor(a(), b());
    case Opcode::Shl: return b_.CreateShl(a(), b());
    case Opcode::LShr: return b_.CreateLShr(a(), b());
    case Opcode::AShr: return b_.CreateAShr(a(), b());
    case Opcode::RotL: return b_.CreateIntrinsic(llvm::Intrinsic::fshl, {type_of(operation.type)}, {a(), a(), b()});
    case Opcode::RotR: return b_.CreateIntrinsic(llvm::Intrinsic::fshr, {type_of(operation.type)}, {a(), a(), b()});
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
    case Opcode::Fma: return b_.CreateIntrinsic(llvm::Intrinsic::fma, {b_.getDoubleTy()}, {a(), b(), value(operation.operands[2])});
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
    case Opcode::Select: return b_.CreateSelect(a(), b(), value(operation.operands[2]));
    case Opcode::ZExt: return b_.CreateZExt(a(), type_of(operation.type));
    case Opcode::SExt: return b_.CreateSExt(a(), type_of(operation.type));
    case Opcode::Truncate: return b_.CreateTrunc(a(), type_of(operation.type));
    case Opcode::IntegerToFloat: return b_.CreateSIToFP(a(), b_.getDoubleTy());
    case Opcode::FloatToInteger: return b_.CreateFPToSI(a(), b_.getInt64Ty());
    case Opcode::FloatToIntegerSaturating: return b_.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {b_.getInt64Ty(), b_.getDoubleTy()}, {a()});
    case Opcode::BitsOfFloat: return b_.CreateBitCast(a(), b_.getInt64Ty());
    case Opcode::FloatOfBits: return b_.CreateBitCast(a(), b_.getDoubleTy());
    case Opcode::PointerToInteger: return b_.CreatePtrToInt(a(), b_.getInt64Ty());
    case Opcode::IntegerToPointer: return b_.CreateIntToPtr(a(), b_.getPtrTy());
    case Opcode::Load: return load(operation);
    case Opcode::Store: return store(operation);
    case Opcode::Address: return address(operation);
    case Opcode::GetVariable: return b_.CreateLoad(type_of(operation.type), variables_[operation.immediate]);
    case Opcode::SetVariable: return b_.CreateStore(a(), variables_[operation.immediate]);
    case Opcode::StackArea: return stack_area(operation);
    case Opcode::StackPointer: return stack_pointer();
    case Opcode::Call:
    case Opcode::CallCompiled: return call(operation);
    case Opcode::SecondWord: return b_.CreateExtractValue(pairs_.at(operation.operands[0].index), 1);
    case Opcode::CallFunction: return call_function(operation);
    case Opcode::Result: return result(operation);
    case Opcode::Jump: return jump(operation);
    case Opcode::Branch: return branch(operation);
    case Opcode::Switch: return switch_on(operation);
    case Opcode::Return: return return_values(operation);
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
