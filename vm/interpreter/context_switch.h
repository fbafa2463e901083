// Switching between native stacks.
//
// [DESIGN] A suspended stack is known by its *context*, a pointer to its top word, which is the address where
// it goes on. Whoever continues there finds the stack pointer just above that word and every other register
// undefined: what the code at that address needs, it has saved below. So compiled code, which keeps nothing
// in registers across calls, switches stacks inline (jit/baseline/switch_stub.h), with no return address
// between it and its resumer for the processor to mispredict, and either side may be C++ all the same.
#pragma once

namespace mangata {

/// Leaves the running context in *save and goes on at `target`; returns when somebody goes on at *save.
void switch_context(void** save, void* target);

/// A context on an empty stack that ends at `high`: it will call entry(argument), which must not return.
void* make_context(char* high, void (*entry)(void* argument), void* argument);

}  // namespace mangata
