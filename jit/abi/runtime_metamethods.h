// Instructions that may call a metamethod. When that is a Lua function, compiled code calls it itself, as it
// calls any other, instead of through C++ and back (metamethod_stubs.h).
#pragma once

#include "jit/abi/runtime_calls.h"

namespace mangata::jit {

/// base null: the runtime has executed the instruction, and `entry` is its Outcome. Otherwise the
/// metamethod's frame is set up at `base`, its function is to be called at `entry`, and it counts in
/// Thread::native_depth; its result will be in its function slot.
struct MetamethodCall {
  const void* entry;  ///< of its compiled code, or an Outcome
  Value* base;  ///< of its frame; null: there is none
};
using RuntimeCallOrMetamethod = MetamethodCall (*)(Thread* thread, Value* base, const Instruction* pc);

MetamethodCall arithmetic_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall length_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall get_field_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall get_global_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall set_global_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall self_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall get_index_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall get_integer_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall set_field_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall set_index_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall set_integer_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
MetamethodCall compare_or_metamethod(Thread* thread, Value* base, const Instruction* pc);
/// The metamethod of a comparison has returned `result`: the outcome of runtime_compare.
int64_t finish_comparison(Thread* thread, Value* base, const Instruction* pc, const Value* result);

}  // namespace mangata::jit
