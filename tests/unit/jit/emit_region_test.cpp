#include "jit/code_memory/emit_region.h"

#include <asmjit/x86.h>
#include <gtest/gtest.h>

namespace mangata::jit {
namespace {

int helper(int x) { return x + 1000; }

TEST(EmitRegion, CallsReachTheRuntimeFromEveryRegion) {
  CodeCache cache;
  ASSERT_TRUE(cache.ok());
  for (int i = 0; i < 5; ++i) {  // five different addresses
    EmitErrors errors;
    asmjit::CodeHolder holder;
    asmjit::x86::Assembler a;
    ASSERT_TRUE(errors.attach(holder, a));
    a.sub(asmjit::x86::rsp, 8);
    a.call(asmjit::imm(reinterpret_cast<uint64_t>(&helper)));
    a.mov(asmjit::x86::edi, asmjit::x86::eax);
    a.add(asmjit::x86::rsp, 8);
    a.jmp(asmjit::imm(reinterpret_cast<uint64_t>(&helper)));
    const auto region = emit_region(cache, holder, errors);
    ASSERT_TRUE(region);
    EXPECT_EQ(reinterpret_cast<int (*)(int)>(region->rx)(i), i + 2000);
    EXPECT_EQ(region->size_bytes, 64u);
  }
}

TEST(EmitRegion, AFullCacheIsAnError) {
  CodeCache cache(64);
  EmitErrors errors;
  asmjit::CodeHolder holder;
  asmjit::x86::Assembler a;
  ASSERT_TRUE(errors.attach(holder, a));
  for (int i = 0; i < 65; ++i) a.nop();
  EXPECT_FALSE(emit_region(cache, holder, errors));
  EXPECT_EQ(cache.used_bytes(), 0u);
}

TEST(EmitRegion, CodeBehindAnErrorIsRefused) {
  CodeCache cache(1024);
  EmitErrors errors;
  asmjit::CodeHolder holder;
  asmjit::x86::Assembler a;
  ASSERT_TRUE(errors.attach(holder, a));
  a.nop();
  a.jmp(asmjit::Label());  // to nowhere
  a.ret();
  EXPECT_FALSE(emit_region(cache, holder, errors));
}

}  // namespace
}  // namespace mangata::jit
