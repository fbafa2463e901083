// What the code that all sites share takes for granted of the objects that it reads.
#include "jit/baseline/site_stubs.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/unit/jit/compiled_machine.h"

namespace mangata::jit {
namespace {

template <typename T>
void expect_elements_first(std::vector<T> vector) {
  const void* first = nullptr;
  std::memcpy(&first, &vector, sizeof(first));
  EXPECT_EQ(first, vector.data());
}

TEST(SiteStubs, VectorsBeginWithTheAddressOfTheirElements) {
  expect_elements_first(std::vector<Value>(3));
  expect_elements_first(std::vector<InlineCache>(3));
}

// A site with two shapes uses its two caches, one with more the shared one; and so on, one way of an access after another.
TEST(SiteStubs, EachWayOfAnAccessLeadsToTheSameValue) {
  CompiledMachine machine;
  EXPECT_EQ(machine.run(R"(
    local sum = 0
    local function get(o) return o.x or 0 end
    local objects = {{x = 1}, {y = 0, x = 2}, {z = 0, x = 4}, {}, {w = 0, v = 0, x = 8}}
    for i = 1, 40 do sum = sum + get(objects[i % #objects + 1]) end
    return sum
  )")
                .as_integer(),
            120);
  EXPECT_EQ(machine.run(R"(
    local function set(o, v) o.x = v end
    local objects = {{x = 1}, {y = 0, x = 2}, {z = 0}, {w = 0, x = true}}
    for i = 1, 40 do set(objects[i % #objects + 1], i) end
    return objects[1].x + objects[2].x + objects[3].x + objects[4].x
  )")
                .as_integer(),
            40 + 37 + 38 + 39);
}

}  // namespace
}  // namespace mangata::jit
