// Runtime calls of table access, allocation and closures (conventions: runtime_calls.h). Each executes its
// whole instruction.
#pragma once

#include "jit/abi/runtime_calls.h"

namespace mangata::jit {

int64_t runtime_get_global(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_set_global(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_get_field(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_set_field(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_self(Thread* thread, Value* base, const Instruction* pc);

int64_t runtime_get_index(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_set_index(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_get_integer(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_set_integer(Thread* thread, Value* base, const Instruction* pc);

int64_t runtime_new_table(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_set_list(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_length(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_concat(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_closure(Thread* thread, Value* base, const Instruction* pc);
int64_t runtime_close(Thread* thread, Value* base, const Instruction* pc);

/// The safepoint of an instruction that has made R[a], above which no register is in use.
int64_t runtime_safepoint_below(Thread* thread, Value* base, const Instruction* pc);

/// While the heap is marking: `owner` was given the value at `location`. Not a safepoint.
using StoreBarrier = void (*)(Vm* vm, Object* owner, const Value* location);
void barrier_of_value(Vm* vm, Object* owner, const Value* location);
/// The same for a property that is new: the table has another shape, too.
void barrier_of_new_property(Vm* vm, Object* owner, const Value* location);

}  // namespace mangata::jit
