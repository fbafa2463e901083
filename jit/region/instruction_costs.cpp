#include "jit/region/instruction_costs.h"

#include <algorithm>

#include "vm/bytecode/arithmetic_operator.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata::jit {
namespace {

constexpr InstructionCost kOrdinary = {4, 1.5};
/// Before a call that may look at the stack, a region stores what it has in registers, and loads it behind that.
constexpr double kPublished = 12;
constexpr InstructionCost kRuntimeCall = {40, 40 + kPublished};
/// What the caller has in registers is stored, and what it returns is checked; from LLVM's code it is through a thunk.
constexpr InstructionCost kCallOfLua = {25, 30};
constexpr InstructionCost kInlinedCall = {25, 2};
constexpr InstructionCost kCallOfItself = {25, 8};
/// Of strings, mostly: patterns, parts, formats.
constexpr InstructionCost kLibraryCall = {250, 250 + kPublished};
constexpr InstructionCost kIntrinsic = {25, 5};
/// From one coroutine to another, which baseline code does without the runtime.
constexpr InstructionCost kSwitch = {30, 150};
constexpr InstructionCost kStringOperation = {300, 300 + kPublished};
/// With what it costs the collector.
constexpr InstructionCost kNewTable = {200, 185};
constexpr InstructionCost kHashAccess = {20, 18};

InstructionCost cost_of_call(const RegionInput& input, const RegionFunction& function, size_t pc, bool inlines) {
  const SiteTypes& site = function.sites[pc];
  const bool is_of_itself = input.is_function && !site.many_callees && site.callee != nullptr && site.callee == input.root().proto;
  if (!inlines && !is_of_itself && (site.callee != nullptr || site.many_callees)) return kCallOfLua;
  if (inlines && function.callees[pc] != nullptr) return kInlinedCall;
  if (is_of_itself) return kCallOfItself;
  const auto several = site.several_callees();
  const auto is_inlined = [&](const Proto* callee) { return input.inlinable.contains(callee); };
  if (!several.empty() && std::all_of(several.begin(), several.end(), is_inlined)) return kInlinedCall;
  if (site.callee != nullptr || site.many_callees) return kCallOfLua;
  const auto id = static_cast<NativeId>(site.native_id);
  if (id == NativeId::Resume || id == NativeId::ResumeWrapped || id == NativeId::Yield) return kSwitch;
  return site.native_id > static_cast<uint8_t>(NativeId::Error) ? kIntrinsic : kLibraryCall;
}

InstructionCost cost_of_iteration(const RegionFunction& function, size_t pc) {
  const SiteTypes& site = function.sites[pc];
  if (function.callees[pc] != nullptr) return kInlinedCall;
  if (site.callee != nullptr || site.many_callees) return kCallOfLua;
  const auto id = static_cast<NativeId>(site.native_id);
  if (id == NativeId::ResumeWrapped) return kSwitch;
  if (id == NativeId::IpairsIterator) return {14, 3};
  return id == NativeId::Next ? InstructionCost{25, 22} : kLibraryCall;
}

/// Metamethods of userdata and C data.
bool may_be_no_table(const SiteTypes& site) { return (site.left & ~tag_bit(Tag::Table)) != 0; }

InstructionCost cost_of_field(const RegionFunction& function, size_t pc) {
  if (function.code[pc].op == Opcode::Self && function.sites[pc].left == tag_bit(Tag::String)) return {10, 3};
  if (may_be_no_table(function.sites[pc])) return kRuntimeCall;
  const bool is_slow = function.sites[pc].many_shapes && !function.cases.contains(CodePc(pc));
  return is_slow ? kHashAccess : InstructionCost{7, 2};
}

InstructionCost cost_of_element(const SiteTypes& site) {
  if (may_be_no_table(site)) return kRuntimeCall;
  if ((site.right & ~tag_bit(Tag::Integer)) != 0) return kHashAccess;
  return site.outside * 2 > site.count ? kHashAccess : InstructionCost{9, 3};
}

bool is_number(TagMask mask) { return mask != 0 && (mask & ~(tag_bit(Tag::Integer) | tag_bit(Tag::Float))) == 0; }

InstructionCost cost_of_arithmetic(const RegionFunction& function, size_t pc, const InstructionCost& of_numbers) {
  const SiteTypes& site = function.sites[pc];
  if (site.callee != nullptr) return function.operators.contains(CodePc(pc)) ? kInlinedCall : kCallOfLua;
  return is_number(site.result) ? of_numbers : kRuntimeCall;
}

/// Of an order: of numbers inline, of strings and by metamethods not.
InstructionCost cost_of_order(const SiteTypes& site) {
  const TagMask mask = site.left | site.right;
  if (mask == 0 || is_number(mask)) return kOrdinary;
  return mask == tag_bit(Tag::String) ? InstructionCost{25, 20} : kRuntimeCall;
}

InstructionCost cost_of_numbers(Opcode op) {
  switch (*operator_of(op)) {
    case ArithmeticOperator::Div:
    case ArithmeticOperator::Mod:
    case ArithmeticOperator::FloorDiv: return {12, 8};
    case ArithmeticOperator::Pow: return {60, 50};
    default: return {4, 1};
  }
}

}  // namespace

InstructionCost cost_of(const RegionInput& input, const RegionFunction& function, size_t pc, bool inlines) {
  const Opcode op = function.code[pc].op;
  switch (family_of(op)) {
    case OpcodeFamily::Move:
    case OpcodeFamily::Load:
    case OpcodeFamily::Jump: return {1, 0};
    case OpcodeFamily::Upvalue: return {2, 1};
    case OpcodeFamily::FieldLoad:
    case OpcodeFamily::FieldStore:
      return op == Opcode::GetGlobal || op == Opcode::SetGlobal ? InstructionCost{7, 2} : cost_of_field(function, pc);
    case OpcodeFamily::ElementLoad:
    case OpcodeFamily::ElementStore: return cost_of_element(function.sites[pc]);
    case OpcodeFamily::Constructor: return op == Opcode::NewTable ? kNewTable : kRuntimeCall;
    case OpcodeFamily::Closure: return {200, 200 + kPublished};
    case OpcodeFamily::Concat: return kStringOperation;
    case OpcodeFamily::Call: return cost_of_call(input, function, pc, inlines);
    case OpcodeFamily::Arithmetic: return cost_of_arithmetic(function, pc, cost_of_numbers(op));
    case OpcodeFamily::Bitwise:
    case OpcodeFamily::Unary: return cost_of_arithmetic(function, pc, {4, 1});
    case OpcodeFamily::Length: return {6, 3};
    case OpcodeFamily::Close: return kRuntimeCall;
    case OpcodeFamily::Vararg:
      if (op == Opcode::PrepareVararg) return {10, 0};
      return &function == &input.root() ? kRuntimeCall : InstructionCost{15, 1};
    case OpcodeFamily::GenericFor: return op == Opcode::GenericForCall ? cost_of_iteration(function, pc) : kOrdinary;
    case OpcodeFamily::Not:
    case OpcodeFamily::TruthBranch:
    case OpcodeFamily::CopyBranch:
    case OpcodeFamily::EqualityBranch:
    case OpcodeFamily::Return:
    case OpcodeFamily::NumericFor: return kOrdinary;
    case OpcodeFamily::OrderBranch: return cost_of_order(function.sites[pc]);
    case OpcodeFamily::Event: return {1, 1};
  }
  return kOrdinary;
}

}  // namespace mangata::jit
