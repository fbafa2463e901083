// vm/frontend: messages of the parser, and the code it generates.
#include <gtest/gtest.h>

#include "vm/bytecode/disassembler.h"
#include "vm/bytecode/proto.h"
#include "vm/bytecode/verifier.h"
#include "vm/frontend/compile.h"

namespace mangata {
namespace {

std::string repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; i++) out.append(text);
  return out;
}

std::string error_of(std::string_view text) {
  Vm vm;
  if (compile(vm, text, "=input").ok()) return "no error";
  return std::string(vm.error.as_string()->view());
}

/// The instructions of the main function, or of its only nested function if there is one, after the vararg
/// prologue.
std::vector<std::string> code_of(std::string_view text) {
  Vm vm;
  const Result<Proto*> compiled = compile(vm, text, "=input");
  if (!compiled.ok()) return {std::string(vm.error.as_string()->view())};
  EXPECT_EQ(verify(*compiled.value()), "");
  const Proto& proto = compiled.value()->nested.empty() ? *compiled.value() : *compiled.value()->nested[0];
  std::vector<std::string> code;
  for (size_t pc = proto.is_vararg ? 1 : 0; pc < proto.original_code.size(); pc++) {
    code.push_back(disassemble_instruction(proto, OriginalPc(pc)));
  }
  return code;
}

std::vector<int32_t> lines_of(std::string_view text) {
  Vm vm;
  return compile(vm, text, "=input").value()->lines;
}

using Code = std::vector<std::string>;

TEST(Parser, SyntaxErrorsSayWhatWasExpectedAndNearWhat) {
  EXPECT_EQ(error_of("x ="), "input:1: unexpected symbol near <eof>");
  EXPECT_EQ(error_of("x y"), "input:1: syntax error near 'y'");
  EXPECT_EQ(error_of("for i do end"), "input:1: '=' or 'in' expected near 'do'");
  EXPECT_EQ(error_of("if x\nthen y()\n"), "input:3: 'end' expected (to close 'if' at line 1) near <eof>");
  EXPECT_EQ(error_of("f(\n1"), "input:2: ')' expected (to close '(' at line 1) near <eof>");
  EXPECT_EQ(error_of("f(1"), "input:1: ')' expected near <eof>");
  EXPECT_EQ(error_of("end"), "input:1: <eof> expected near 'end'");
  EXPECT_EQ(error_of("x = 'a' 'b\\65'"), "input:1: unexpected symbol near ''bA''");
  EXPECT_EQ(error_of("x = [=[a]=] [[\nb]] c"), "input:2: unexpected symbol near '[[b]]'");
  EXPECT_EQ(error_of("x = }"), "input:1: unexpected symbol near '}'");
  EXPECT_EQ(error_of("x = \x01"), "input:1: unexpected symbol near '<\\1>'");
  EXPECT_EQ(error_of("function f(a,) end"), "input:1: <name> or '...' expected near ')'");
  EXPECT_EQ(error_of("function f() return ... end"),
            "input:1: cannot use '...' outside a vararg function near '...'");
  EXPECT_EQ(error_of("a:b"), "input:1: function arguments expected near <eof>");
}

TEST(Parser, ErrorsOfVariablesAndLabels) {
  EXPECT_EQ(error_of("local x <const> = 1; x = 2"), "input:1: attempt to assign to const variable 'x'");
  EXPECT_EQ(error_of("local x <close> = nil; return function() x = 2 end"),
            "input:1: attempt to assign to const variable 'x'");
  EXPECT_EQ(error_of("local x <foo> = 1"), "input:1: unknown attribute 'foo'");
  EXPECT_EQ(error_of("local a <close>, b <close> = 1"),
            "input:1: multiple to-be-closed variables in local list");
  EXPECT_EQ(error_of("break"), "input:1: break outside loop at line 1");
  EXPECT_EQ(error_of("\ngoto x"), "input:2: no visible label 'x' for <goto> at line 2");
  EXPECT_EQ(error_of("goto x; local y; ::x:: f()"),
            "input:1: <goto x> at line 1 jumps into the scope of local 'y'");
  EXPECT_EQ(error_of("goto x; local y; ::x:: ;"), "no error");
  EXPECT_EQ(error_of("::a::\nf()\n::a::"), "input:3: label 'a' already defined on line 1");
  EXPECT_EQ(error_of("while true do local function f() break end end"),
            "input:1: break outside loop at line 1");
}

TEST(Parser, Limits) {
  std::string locals = "local a0";
  for (int i = 1; i < 200; i++) locals += ",a" + std::to_string(i);
  EXPECT_EQ(error_of(locals), "no error");
  EXPECT_EQ(error_of(locals + " local b"),
            "input:1: too many local variables (limit is 200) in main function near <eof>");
  EXPECT_EQ(error_of("\nfunction f() " + locals + ",x"),
            "input:2: too many local variables (limit is 200) in function at line 2 near <eof>");
  EXPECT_EQ(error_of("f(" + repeated("x,", 300) + "x)"),
            "input:1: function or expression needs too many registers near 'x'");
  EXPECT_EQ(error_of("return " + repeated("(", 100) + "1" + repeated(")", 100)), "no error");
  EXPECT_EQ(error_of("return " + repeated("(", 1000000)), "C stack overflow");
  EXPECT_EQ(error_of(repeated("do ", 1000000)), "C stack overflow");
  EXPECT_EQ(error_of("a" + repeated(",a", 1000) + "=1"), "C stack overflow");
  EXPECT_EQ(error_of("return " + repeated("not ", 1000) + "1"), "C stack overflow");
}

TEST(Parser, TheDepthOfTheNativeStackIsRestored) {
  Vm vm;
  EXPECT_FALSE(compile(vm, repeated("(", 1000), "=input").ok());
  EXPECT_EQ(vm.current->native_depth, 0u);
}

TEST(Parser, ConstantsAreFolded) {
  EXPECT_EQ(code_of("return 2^3*4+1, -(-5), ~0, 'a' == 'a', 7 // 2, 1 << 62")[0], "LoadFloat r0 33");
  EXPECT_EQ(code_of("local a <const> = 3; return a * 2")[0], "LoadInteger r0 6");
  // What would raise an error or give NaN or zero is left to run time.
  EXPECT_EQ(code_of("return 1 // 0")[1], "FloorDivConstant r0 r0 k0");
  EXPECT_EQ(code_of("return 0.0 * -1")[1], "MulConstant r0 r0 k0 swapped");
  EXPECT_EQ(code_of("return 0 / 0")[1], "DivConstant r0 r0 k0");
}

TEST(Parser, ConstantOperandsAreSwappedOnlyWhereOperatorsCommute) {
  const Code expected = {"AddConstant r1 r0 k0 swapped", "Sub r2 r2 r0", "BitAndConstant r3 r0 k0 swapped",
                         "ShiftLeft r4 r4 r0"};
  const Code code = code_of("local function f(x) return 2 + x, 2 - x, 2 & x, 2 << x end");
  EXPECT_EQ((Code{code[0], code[2], code[3], code[5]}), expected);
}

TEST(Parser, ZeroIsSubtractedByAddingIt) {
  const Code code = code_of("local function f(x) return x - 0, x - 0.0, x - 1 end");
  const Code expected = {"AddConstant r1 r0 k0 subtracted", "SubConstant r2 r0 k1", "SubConstant r3 r0 k2"};
  EXPECT_EQ((Code{code[0], code[1], code[2]}), expected);
}

TEST(Parser, CallsLeaveRoomForTheFrameHeader) {
  EXPECT_EQ(code_of("local function f(g, o) g(1, g()) o:m(2) return g(o) end"),
            (Code{"Move r2 r0", "LoadInteger r5 1", "Move r6 r0", "Call r6 1 0", "Call r2 0 1",  //
                  "Self r2 r1 k0 ic0", "LoadInteger r6 2", "Call r2 3 1",                        //
                  "Move r2 r0", "Move r5 r1", "TailCall r2 2 0", "Return0"}));
}

TEST(Parser, ComparisonsCarryTheirJump) {
  EXPECT_EQ(code_of("local function f(a, b) if a < b and not (a == nil) then return a end end"),
            (Code{"JumpIfNotLess r0 r1 -> 3", "JumpIfEqualConstant r0 k0 -> 3", "Return1 r0", "Return0"}));
  EXPECT_EQ(code_of("local function f(a) return a > 1 end"),
            (Code{"JumpIfGreaterConstant r0 k0 -> 3", "LoadFalse r1", "Jump -> 4", "LoadTrue r1",
                  "Return1 r1", "Return0"}));
  EXPECT_EQ(code_of("local function f(a, b) local c = a and b or 1 end"),
            (Code{"JumpIfFalse r0 -> 2", "CopyJumpIfTrue r2 r1 -> 3", "LoadInteger r2 1", "Return0"}));
}

TEST(Parser, LoopsJumpBackByBackedgesOnly) {
  EXPECT_EQ(code_of("local function f(a) while a do if a then g() end end end"),
            (Code{"JumpIfFalse r0 -> 5", "JumpIfFalse r0 -> 4", "GetGlobal r1 u0 k0 ic0", "Call r1 1 1",
                  "Jump -> 0", "Return0"}));
  EXPECT_EQ(code_of("local function f(a) repeat a = g() until a end"),
            (Code{"GetGlobal r1 u0 k0 ic0", "Call r1 1 2", "Move r0 r1", "JumpIfTrue r0 -> 5", "Jump -> 0",
                  "Return0"}));
  EXPECT_EQ(code_of("local function f(a) for i = 1, a do end end"),
            (Code{"LoadInteger r1 1", "Move r2 r0", "LoadInteger r3 1", "ForPrepare r1 -> 5",
                  "ForLoop r1 -> 4", "Return0"}));
  EXPECT_EQ(code_of("local function f(a) for k in a do end end"),
            (Code{"Move r1 r0", "LoadNil r2 3", "GenericForPrepare r1 -> 3", "GenericForCall r1 0 1",
                  "GenericForLoop r1 -> 3", "Close r1", "Return0"}));
}

TEST(Parser, AssignmentsEvaluateBeforeTheyStore) {
  EXPECT_EQ(code_of("local function f(t, i) t[i], t = i, 1 end"),
            (Code{"Move r2 r0", "Move r3 r1", "LoadInteger r0 1", "SetIndex r2 r1 r3", "Return0"}));
  EXPECT_EQ(code_of("local function f(a, b) a, b = b, a end"),
            (Code{"Move r2 r1", "Move r1 r0", "Move r0 r2", "Return0"}));
}

TEST(Parser, CapturedVariablesAreClosed) {
  EXPECT_EQ(code_of("local function f() while g do local x; h = function() return x end end end").back(),
            "Return r0 1 1");
  EXPECT_EQ(code_of("local function f() local x <close> = g; return h() end"),
            (Code{"GetGlobal r0 u0 k0 ic0", "ToBeClosed r0", "GetGlobal r1 u0 k1 ic1", "Call r1 1 0",
                  "Return r1 0 1", "Return r1 1 1"}));
}

TEST(Parser, LinesAreThoseOfOperatorsAndCalls) {
  EXPECT_EQ(lines_of("local a =\n1\nlocal b = a\n+\na"), (std::vector<int32_t>{1, 2, 4, 5}));
  EXPECT_EQ(lines_of("f\n(\n1,\n2)"), (std::vector<int32_t>{1, 1, 3, 4, 2, 4}));
  EXPECT_EQ(lines_of("for i =\n1,\n2\ndo\nend"), (std::vector<int32_t>{1, 2, 3, 3, 4, 1, 5}));
}

TEST(Parser, ManyConstantsStillWork) {
  std::string text = "local t = {";
  for (int i = 0; i < 70000; i++) text += std::to_string(i) + ".5,";
  text += "} t.x, t[1] = t.y + 12345.25, t == 'z'; u = v; t:m(1.75)";
  Vm vm;
  const Result<Proto*> compiled = compile(vm, text, "=input");
  ASSERT_TRUE(compiled.ok());
  EXPECT_EQ(verify(*compiled.value()), "");
}

TEST(Parser, EqualConstantsAreShared) {
  Vm vm;
  const Proto& proto = *compile(vm, "return 1.5, 1.5, 'a', 'a', 2^53, 0x20000000000000", "=input").value();
  EXPECT_EQ(proto.constants.size(), 4u);
}

}  // namespace
}  // namespace mangata
