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
  auto* signature = llvm::FunctionType::get(llvm::StructType::get(word_type, word_type),
                                            {b_.getPtrTy(), b_.getPtrTy(), word_type, word_type}, false);
  IrValue* value = b_.CreateCall(signature, address_constant(runtime_.load_key),
                                 {vm_, pointer(table), payload_bits(key), tag_value(key)});
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
  llvm::Type* word_type = b_.getInt64Ty();
  auto* signature = llvm::FunctionType::get(
      b_.getInt8Ty(), {b_.getPtrTy(), b_.getPtrTy(), word_type, word_type, word_type, word_type}, false);
  IrValue* stored = b_.CreateCall(
      signature, address_constant(runtime_.store_key),
      {vm_, pointer(table), payload_bits(key), tag_value(key), payload_bits(value), tag_value(value)});
  exit_unless(b_.CreateICmpNE(stored, b_.getInt8(0)));
  forget_tables();
  return true;
}

}  // namespace mangata::jit
