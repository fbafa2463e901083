// Inline caches after a recording.
#include "jit/region/order_caches.h"

#include <gtest/gtest.h>

#include "tests/unit/jit/recorded_machine.h"
#include "vm/bytecode/proto_lifecycle.h"

namespace mangata::jit {
namespace {

/// The function reads or writes the property of three objects: the first once, the second seldom, the third mostly.
constexpr std::string_view kObjects = R"(
    local all = { { x = 1 }, { a = 1, x = 1 }, { b = 1, x = 1 } }
    for i = 1, 40 do f(all[i == 1 and 1 or i % 4 == 0 and 2 or 3]) end)";

Proto& recorded(RecordedMachine* machine, std::string_view function) {
  Proto& main = machine->run(std::string("local function f(t) ") + std::string(function) + " end " + std::string(kObjects));
  Proto& proto = *main.nested[0];
  add_second_caches(machine->vm, proto);
  order_caches(machine->vm, machine->recorder);
  return proto;
}

TEST(OrderCaches, PutsTheShapesThatWereMetMostFirst) {
  RecordedMachine machine;
  const Proto& proto = recorded(&machine, "return t.x");
  const SiteTypes& site = machine.site(proto, Opcode::GetField);
  ASSERT_EQ(site.shape_count, 3);
  const Instruction& in = proto.original_code[static_cast<size_t>(machine.pc_of(proto, Opcode::GetField))];
  EXPECT_EQ(proto.caches[in.d].shape, site.shapes[1]) << "which was met second";
  EXPECT_EQ(proto.caches[in.d].kind, InlineCache::kOwn);
  EXPECT_EQ(proto.second_caches[in.d].shape, site.shapes[2]);
}

TEST(OrderCaches, LearnsNothingOfStores) {
  RecordedMachine machine;
  const Proto& proto = recorded(&machine, "t.x = 2");
  const Instruction& in = proto.original_code[static_cast<size_t>(machine.pc_of(proto, Opcode::SetField))];
  for (const InlineCache& cache : {proto.caches[in.d], proto.second_caches[in.d]})
    EXPECT_TRUE(cache.kind == InlineCache::kOwn || cache.kind == InlineCache::kEmpty);
}

TEST(OrderCaches, TheOnlyShapeThatWasMetComesFirst) {
  RecordedMachine machine;
  Proto& main = machine.run("local t = { x = 1 } for i = 1, 9 do local y = t.x end");
  add_second_caches(machine.vm, main);
  const Instruction& in = main.original_code[static_cast<size_t>(machine.pc_of(main, Opcode::GetField))];
  const InlineCache met = main.caches[in.d];
  main.second_caches[in.d] = met;
  main.caches[in.d].shape = machine.vm.empty_shape;  // as met by objects before those
  order_caches(machine.vm, machine.recorder);
  EXPECT_EQ(main.caches[in.d].shape, met.shape);
  EXPECT_EQ(main.second_caches[in.d].shape, machine.vm.empty_shape);
}

TEST(OrderCaches, LeavesSitesOfOneShapeAlone) {
  RecordedMachine machine;
  Proto& main = machine.run("local t = { x = 1 } for i = 1, 9 do local y = t.x end");
  add_second_caches(machine.vm, main);
  const Instruction& in = main.original_code[static_cast<size_t>(machine.pc_of(main, Opcode::GetField))];
  const InlineCache before = main.caches[in.d];
  order_caches(machine.vm, machine.recorder);
  EXPECT_EQ(main.caches[in.d].shape, before.shape);
  EXPECT_EQ(main.second_caches[in.d].kind, InlineCache::kEmpty);
}

}  // namespace
}  // namespace mangata::jit
