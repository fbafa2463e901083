#include "runtime/tiering/loop_meter.h"

#include <gtest/gtest.h>

#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

/// Addresses are all that counts here.
const Proto* proto(uintptr_t number) { return reinterpret_cast<const Proto*>(number * 64); }
const CompiledCode* code(uintptr_t number) { return reinterpret_cast<const CompiledCode*>(number * 64); }

TEST(LoopMeter, StretchesBetweenTwoSamplesOfAFunctionAreChargedToItsIterations) {
  LoopMeter meter;
  meter.stretch_begins({proto(1), code(1), 100}, 5000);
  meter.stretch_ends({proto(1), code(1), 300}, 6000);
  meter.stretch_begins({proto(1), code(1), 300}, 9000);  // what tiering did takes no part
  meter.stretch_ends({proto(1), code(1), 400}, 9800);
  EXPECT_EQ(meter.of(*proto(1)).iterations, 300u);
  EXPECT_EQ(meter.of(*proto(1)).cycles, 1800u);
  EXPECT_DOUBLE_EQ(meter.of(*proto(1)).cycles_per_iteration(), 6.0);
}

TEST(LoopMeter, OtherFunctionsOtherCodeAndRegionsAreLeftOut) {
  LoopMeter meter;
  meter.stretch_begins({proto(1), code(1), 100}, 0);
  meter.stretch_ends({proto(2), code(2), 900}, 10);
  meter.stretch_begins({proto(1), code(1), 100}, 0);
  meter.stretch_ends({proto(1), code(3), 900}, 10);
  meter.stretch_begins({proto(1), code(1), 100}, 0);
  meter.stretch_ends({proto(1), code(1), {}}, 10);
  meter.stretch_begins({proto(1), code(1), {}}, 0);
  meter.stretch_ends({proto(1), code(1), 900}, 10);
  meter.stretch_begins({proto(1), code(1), 900}, 0);
  meter.stretch_ends({proto(1), code(1), 900}, 10);
  EXPECT_EQ(meter.of(*proto(1)).iterations, 0u);
  EXPECT_EQ(meter.of(*proto(1)).cycles_per_iteration(), 0);
}

TEST(LoopMeter, FunctionsThatDieAreForgotten) {
  LoopMeter meter;
  meter.stretch_begins({proto(1), code(1), 0}, 0);
  meter.stretch_ends({proto(1), code(1), 10}, 50);
  meter.stretch_begins({proto(1), code(1), 10}, 50);
  meter.forget(*proto(1));
  EXPECT_EQ(meter.of(*proto(1)).iterations, 0u);
  meter.stretch_ends({proto(1), code(1), 20}, 90);
  EXPECT_EQ(meter.of(*proto(1)).iterations, 0u);
}

}  // namespace
}  // namespace mangata
