// Elements of tables by keys that are no indices, or none of an array: calls of the runtime that are no
// safepoints (vm/interpreter/key_access.h).
#include "jit/optimizer/lowering.h"

namespace mangata::jit {
namespace {

/// Long strings take fuel as keys (vm/operations/index.h).
bool may_be_charged(Kind key) { return key == Kind::Any || key == Kind::String; }

}  // namespace

/// R[to] := table[key]. Where the metatable is to be asked, it leaves.
bool Lowering::lower_get_by_key(int to, const Operand& table, const Operand& key) {
  if (may_be_charged(key.kind)) give_back_events();
  llvm::Type* word_type = b_.getInt64Ty();
  llvm::Type* value_type = llvm::StructType::get(word_type, word_type);
  IrValue* value;
  if (key.kind == Kind::Integer) {
    auto* signature = llvm::FunctionType::get(value_type, {b_.getPtrTy(), word_type}, false);
    value = b_.CreateCall(signature, address_constant(runtime_.load_integer_key), {pointer(table), payload_bits(key)});
  } else {
    auto* signature = llvm::FunctionType::get(value_type, {b_.getPtrTy(), b_.getPtrTy(), word_type, word_type}, false);
    value = b_.CreateCall(signature, address_constant(runtime_.load_key),
                          {vm_, pointer(table), payload_bits(key), tag_value(key)});
  }
  const Operand found{
      .kind = Kind::Any, .payload = b_.CreateExtractValue(value, 0), .tag = b_.CreateExtractValue(value, 1)};
  guard(b_.CreateICmpNE(found.tag, word(kNotLoaded)));
  write_as_recorded(to, found);
  return true;
}

/// table[key] := value; what may call a metamethod leaves. The table may get another shape and other
/// elements.
bool Lowering::lower_set_by_key(const Operand& table, const Operand& key, const Operand& value) {
  if (may_be_charged(key.kind)) give_back_events();
  llvm::SmallVector<IrValue*, 6> arguments{vm_, pointer(table), payload_bits(key)};
  if (key.kind != Kind::Integer) arguments.push_back(tag_value(key));
  arguments.append({payload_bits(value), tag_value(value)});
  llvm::SmallVector<llvm::Type*, 6> types{b_.getPtrTy(), b_.getPtrTy()};
  types.resize(arguments.size(), b_.getInt64Ty());
  const void* store = key.kind == Kind::Integer ? runtime_.store_integer_key : runtime_.store_key;
  IrValue* stored = b_.CreateCall(llvm::FunctionType::get(b_.getInt8Ty(), types, false), address_constant(store), arguments);
  exit_unless(b_.CreateICmpNE(stored, b_.getInt8(0)));
  forget_tables();
  return true;
}

}  // namespace mangata::jit
