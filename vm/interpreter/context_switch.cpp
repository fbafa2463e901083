#include "vm/interpreter/context_switch.h"

#if !defined(__x86_64__)
#include <boost/context/detail/fcontext.hpp>

#include "vm/interpreter/native_stack.h"
#endif

namespace mangata {

#if defined(__x86_64__)

extern "C" void mangata_switch_context(void** save, void* target);
extern "C" void mangata_start_context();

// The callee-saved registers of the System V ABI. A new context starts with the entry and its argument on its
// stack.
asm(R"(
  .text
  .hidden mangata_switch_context
  .globl mangata_switch_context
  .type mangata_switch_context, @function
mangata_switch_context:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  leaq 1f(%rip), %rax
  pushq %rax
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %rax
  jmpq *%rax
1:
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size mangata_switch_context, . - mangata_switch_context

  .hidden mangata_start_context
  .globl mangata_start_context
  .type mangata_start_context, @function
mangata_start_context:
  popq %rax
  popq %rdi
  xorl %ebp, %ebp
  callq *%rax
  ud2
  .size mangata_start_context, . - mangata_start_context
)");

void switch_context(void** save, void* target) { mangata_switch_context(save, target); }

void* make_context(char* high, void (*entry)(void* argument), void* argument) {
  auto* words = reinterpret_cast<void**>(high) - 5;  // leaves the stack pointer a multiple of 16 at the call
  words[0] = reinterpret_cast<void*>(&mangata_start_context);
  words[1] = reinterpret_cast<void*>(entry);
  words[2] = argument;
  return words;
}

#else

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

struct Start {
  void (*entry)(void* argument);
  void* argument;
};

/// First takes over what to do and goes back to make_context. Each later switch passes the address for the
/// context that it leaves.
void start(transfer_t transfer) {
  const Start work = *static_cast<Start*>(transfer.data);
  transfer = jump_fcontext(transfer.fctx, nullptr);
  *static_cast<void**>(transfer.data) = transfer.fctx;
  work.entry(work.argument);
  __builtin_unreachable();
}

}  // namespace

void switch_context(void** save, void* target) {
  const transfer_t from = jump_fcontext(static_cast<fcontext_t>(target), save);
  *static_cast<void**>(from.data) = from.fctx;
}

void* make_context(char* high, void (*entry)(void* argument), void* argument) {
  Start work{entry, argument};
  return jump_fcontext(make_fcontext(high, NativeStack::kBytes, start), &work).fctx;
}

#endif

}  // namespace mangata
