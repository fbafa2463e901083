#include "tests/unit/jit_ir/ir_text.h"

namespace mangata::jit::ir {
namespace {

std::string in_body(const std::string& body) { return problem_in("function f(i64 %0, f64 %1, pointer %2) -> i64 {\nblock0:\n" + body + "}\n"); }

TEST(IrVerifier, TypesOfOperands) {
  EXPECT_EQ(in_body("  %3 = add %0, %1\n  return %3\n"), "f: block0, operation 0 (add): the operands are no integers of a width");
  EXPECT_EQ(in_body("  %3 = fadd %0, %1\n  return %0\n"), "f: block0, operation 0 (fadd): the operands are no f64");
  EXPECT_EQ(in_body("  %3 = load.i64 %0 frame\n  return %3\n"), "f: block0, operation 0 (load): the address is no pointer");
  EXPECT_EQ(in_body("  %3 = zext.i8 i32 7\n  return %0\n"), "f: block0, operation 0 (zext): it is to be wider");
  EXPECT_EQ(in_body("  branch %0, block1, block1\nblock1:\n  return %0\n"), "f: block0, operation 0 (branch): the condition is no bool");
  EXPECT_EQ(in_body("  set_variable v0, %0\n  return %0\n"), "f: block0, operation 0 (set_variable): there is no such variable");
}

TEST(IrVerifier, StoresAndJumpsNameVariables) {
  const auto with_variable = [](const std::string& body) {
    return problem_in("function f(i64 %0, pointer %1) -> i64 {\n  variable v0 i64\nblock0:\n" + body + "}\n");
  };
  EXPECT_EQ(with_variable("  store v0, %1 frame\n  jump block1(v0)\nblock1(i64 %2):\n  return %2\n"), "");
  EXPECT_EQ(with_variable("  %2 = add v0, i64 1\n  return %2\n"), "f: block0, operation 0 (add): only stores and jumps name variables");
  EXPECT_EQ(with_variable("  return v0\n"), "f: block0, operation 0 (return): only stores and jumps name variables");
}

TEST(IrVerifier, Results) {
  EXPECT_EQ(in_body("  return %1\n"), "f: block0, operation 0 (return): a value has another type");
  EXPECT_EQ(in_body("  return\n"), "f: block0, operation 0 (return): there should be 1 values");
  EXPECT_EQ(in_body("  %3 = second_word %0\n  return %3\n"), "f: block0, operation 0 (second_word): the call has one word");
  EXPECT_EQ(in_body("  %3 = call_function 1()\n  return %0\n"), "f: block0, operation 0 (call_function): there is no such function");
}

TEST(IrVerifier, EndsOfBlocks) {
  EXPECT_EQ(in_body("  %3 = add %0, i64 1\n"), "f: block0 has no terminator");
  EXPECT_EQ(in_body("  return %0\n  return %0\n"), "f: a terminator is in the middle of a block");
  EXPECT_EQ(in_body("  jump block0\n"), "f: something jumps to the entry");
}

TEST(IrVerifier, ArgumentsOfJumps) {
  EXPECT_EQ(in_body("  jump block1(%1)\nblock1(i64 %3):\n  return %3\n"), "f: block0, operation 0 (jump): a value has another type");
  EXPECT_EQ(in_body("  jump block1\nblock1(i64 %3):\n  return %3\n"), "f: block0, operation 0 (jump): there should be 1 values");
  EXPECT_EQ(in_body("  branch true, block1, block1\nblock1(i64 %3):\n  return %3\n"), "f: block0, operation 0 (branch): a target has parameters");
}

TEST(IrVerifier, DefinitionsDominateUses) {
  EXPECT_EQ(in_body(R"(  branch true, block1, block2
block1:
  %3 = add %0, i64 1
  jump block3
block2:
  jump block3
block3:
  return %3
)"),
            "f: block3, operation 0 (return): %3 is not defined on every way to here");
  EXPECT_EQ(in_body("  %3 = zext.i64 %4\n  %4 = eq %3, i64 1\n  return %3\n"), "f: block0, operation 0 (zext): %4 is not defined on every way to here");
  EXPECT_EQ(in_body(R"(  jump block1(%0)
block1(i64 %3):
  %4 = add %3, i64 1
  %5 = slt %4, i64 9
  branch %5, block2, block3
block2:
  jump block1(%4)
block3:
  return %4
)"),
            "");
}

}  // namespace
}  // namespace mangata::jit::ir
