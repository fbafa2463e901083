// Which loops run their first iteration in code of its own, at functions that are worth it or not, each for one reason.
#include "jit/region/peeling.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/jit/compiled_machine.h"
#include "vm/bytecode/instruction.h"
#include "vm/interpreter/interpreter.h"
#include "vm/native.h"

namespace mangata::jit {
namespace {

/// Of the loop that ends last in the first function of the text, when each instruction has been executed, and all calls are of its
/// second function.
bool is_worth(const std::string& text, bool is_inlined = true) {
  Vm vm;
  const auto chunk = load(vm, text, "=test");
  EXPECT_TRUE(chunk.ok());
  const Proto& proto = *chunk.value()->proto->nested.at(0);
  size_t last = proto.original_code.size();
  while (!is_backedge(proto.original_code[--last])) {
  }
  const int head = static_cast<int>(last) + 1 + proto.original_code[last].imm;
  std::vector<bool> body(proto.original_code.size(), false);
  for (size_t pc = static_cast<size_t>(head); pc <= last; ++pc) body[pc] = true;
  Sites sites(proto.original_code.size());
  for (size_t pc = 0; pc < sites.size(); ++pc) {
    sites.at(pc).count = 1;
    if (proto.original_code[pc].op == Opcode::Call) sites.at(pc).callee = chunk.value()->proto->nested.at(1);
  }
  return is_peeling_profitable(proto, sites, body, OriginalPc(head), [&](const Proto&) { return is_inlined; });
}

TEST(Peeling, TablesThatOutliveTheIteration) {
  EXPECT_TRUE(is_worth("function f(t, n) local s = 0 for i = 1, n do s = s + t[i] end return s end"));
  EXPECT_TRUE(is_worth("function f(t, n) for i = 1, n do t.count = i end end"));
  EXPECT_TRUE(is_worth("local u = {} function f(n) for i = 1, n do u[i] = i end end")) << "an upvalue";
  EXPECT_TRUE(is_worth("function f(n) local s = 0 for i = 1, n do s = s + step end return s end")) << "a global variable";
}

TEST(Peeling, NoTableOrAnotherOneEachTime) {
  EXPECT_FALSE(is_worth("function f(n) local s = 0 for i = 1, n do s = s + i end return s end"));
  EXPECT_FALSE(is_worth("function f(list) while list do list = list.next end end"));
  EXPECT_FALSE(is_worth("function f(n) for i = 1, n do local t = {} t[1] = i end end"));
}

TEST(Peeling, LoopsInTheBody) {
  EXPECT_FALSE(is_worth("function f(t, n) for i = 1, n do for j = 1, n do t[j] = i end t[i] = i end end"));
  const std::string calls = "function f(t, n, g) for i = 1, n do t[i] = g(i) end end ";
  EXPECT_TRUE(is_worth(calls + "function g(x) return x + 1 end"));
  EXPECT_FALSE(is_worth(calls + "function g(x) while x > 1 do x = x / 2 end return x end"));
  EXPECT_TRUE(is_worth(calls + "function g(x) while x > 1 do x = x / 2 end return x end", false)) << "it is only called";
}

TEST(Peeling, FewAccessesInMuchCode) {
  std::string much = "x = x * 2 + 1 ";
  for (int i = 0; i < 4; ++i) much += much;
  EXPECT_FALSE(is_worth("function f(t, n) local x = 0 for i = 1, n do " + much + " t[i] = x end end"));
  EXPECT_FALSE(is_worth("function f(t, n, g) for i = 1, n do t[i] = g(i) end end function g(x) " + much + " return x end"));
}

TEST(Peeling, SteadyStateIsEnteredFromOutside) {
  LoopContexts loop;
  loop.contexts.resize(2);
  for (LoopContexts::Context& context : loop.contexts) {
    for (LoopContexts::Next& next : context.next = {{}, {}}) next.context = 1;
  }
  loop.contexts[1].share = 1;
  leave_out_first_iteration(&loop);
  ASSERT_EQ(loop.contexts.size(), 1u);
  EXPECT_EQ(loop.contexts[0].share, 1);
  ASSERT_EQ(loop.contexts[0].next.size(), 2u);
  for (const LoopContexts::Next& next : loop.contexts[0].next) EXPECT_EQ(next.context, 0u);
}

TEST(Peeling, ContextsOverSeveralIterationsStay) {
  LoopContexts loop;
  loop.k = 2;
  loop.contexts.resize(2);
  leave_out_first_iteration(&loop);
  EXPECT_EQ(loop.contexts.size(), 2u);
}

}  // namespace
}  // namespace mangata::jit
