#include "tests/unit/jit_ir/ir_text.h"

namespace mangata::jit::ir {
namespace {

TEST(IrText, WhatWasReadIsWrittenTheSame) {
  const std::string text = R"(function region(pointer %0, pointer %1, pointer %2) -> i64 {
  variable v0 i64
  variable v1 f64
block0:
  %3 = load.i64 %1 + 8 frame
  %4 = eq %3, i64 3
  set_variable v0, i64 -1
  set_variable v1, f64 0x1.8p-30
  branch %4, block1, block2 weights 1048576 1
block1:
  %5 = load.f64 %1 - 16 frame
  %6 = load.i16 %2 + 3 machine volatile
  %7 = fma %5, f64 2.0, f64 0b7ff8000000000000
  %8 = address %1 + %3 * 16 + 8
  %9 = address %8 - 4
  store %7, %9 + 24 floats
  store v1, %9 + 32 floats
  %10 = call.i64.i64 pointer 0x1234(%0, %3)
  %11 = second_word %10
  call pointer 0x1238(%0) touches private
  %12 = call.i8 pointer 0x1238(%0, i32 7) touches none
  %13 = zext.i64 %12
  %14 = undefined.i64
  %15 = stack_area 32
  %16 = stack_pointer
  %17 = get_variable.i64 v0
  %18 = select %4, %11, %13
  %19 = call_function 1(%18, true)
  %20 = result.i64 %19, 0
  jump block3(%20, i64 0)
block2: cold
  return i64 0
block3(i64 %21, i64 %22):
  %23 = add %21, i64 1
  %24 = slt %23, %22
  branch %24, block4, block5
block4:
  jump block3(%23, %22)
block5:
  switch %23, i64 1: block2, i64 -7: block6, else block7
block6:
  %25 = call_compiled.i64 pointer 0x1240(%0, %1, %2, i64 1, %0)
  unreachable
block7:
  return %23
}

function direct(i64 %0, bool %1) -> i64, f64 {
block0:
  %2 = integer_to_float %0
  return %0, %2
}
)";
  const Module module = read_or_fail(text);
  EXPECT_EQ(verify(module), "");
  EXPECT_EQ(to_text(module), text);
}

std::string error_of(const std::string& text) {
  std::string error;
  EXPECT_FALSE(read_module(text, &error));
  return error;
}

TEST(IrText, ErrorsNameTheirLine) {
  EXPECT_EQ(error_of("function f() {\nblock0:\n  %0 = plus i64 1, i64 2\n}\n"), "line 3: 'plus' is no operation");
  EXPECT_EQ(error_of("function f() {\nblock0:\n  jump block1\n}\n"), "line 4: a block that is jumped to is missing");
  EXPECT_EQ(error_of("function f() {\nblock0:\n  return %3\n}\n"), "line 4: %3 is nowhere defined");
  EXPECT_EQ(error_of("function f() {\nblock0:\n  %0 = add i64 1, i63 2\n}\n"), "line 3: 'i63' is no type");
}

TEST(IrText, AValueMayBeUsedAboveItsLine) {
  const Module module = read_or_fail(R"(function f() -> i64 {
block0:
  jump block2
block1:
  return %0
block2:
  %0 = add i64 1, i64 2
  jump block1
}
)");
  EXPECT_EQ(verify(module), "");
}

}  // namespace
}  // namespace mangata::jit::ir
