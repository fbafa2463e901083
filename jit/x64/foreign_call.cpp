#include "jit/x64/foreign_call.h"

#include <asmjit/x86.h>

#include <vector>

#include "jit/code_memory/emit_region.h"

namespace mangata::jit {

using namespace asmjit::x86;

std::optional<CodeRegion> emit_foreign_call(CodeCache& cache, std::string_view arguments) {
  EmitErrors errors;
  asmjit::CodeHolder holder;
  Assembler a;
  if (!errors.attach(holder, a)) return {};
  const Gp integers[] = {rdi, rsi, rdx, rcx, r8, r9};
  constexpr size_t kFloats = 8;
  size_t integer_count = 0, float_count = 0;
  std::vector<size_t> on_stack;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool is_integer = arguments[i] == 'i';
    size_t& count = is_integer ? integer_count : float_count;
    if (count == (is_integer ? std::size(integers) : kFloats)) {
      on_stack.push_back(i);
    } else {
      ++count;
    }
  }
  const auto word = [](size_t i) { return qword_ptr(r10, static_cast<int>(i * 8)); };
  a.mov(r10, rdi);
  a.mov(r11, rsi);
  if (!on_stack.empty()) {
    a.push(rbp);
    a.mov(rbp, rsp);
    a.sub(rsp, (on_stack.size() * 8 + 15) / 16 * 16);
    for (size_t i = 0; i < on_stack.size(); ++i) {
      a.mov(rax, word(on_stack[i]));
      a.mov(qword_ptr(rsp, static_cast<int>(i * 8)), rax);
    }
  }
  size_t integer = 0, real = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == 'i') {
      if (integer < integer_count) a.mov(integers[integer++], word(i));
    } else if (real < float_count) {
      a.movsd(xmm(static_cast<uint32_t>(real++)), word(i));  // a float is the low half
    }
  }
  if (on_stack.empty()) {
    a.jmp(r11);
  } else {
    a.call(r11);
    a.leave();
    a.ret();
  }
  return emit_region(cache, holder, errors);
}

}  // namespace mangata::jit
