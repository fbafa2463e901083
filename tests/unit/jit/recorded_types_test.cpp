// What the recorder notes of each kind of instruction, in small programs.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/jit/recorded_machine.h"
#include "vm/object/table.h"

namespace mangata::jit {
namespace {

constexpr TagMask kInteger = tag_bit(Tag::Integer), kFloat = tag_bit(Tag::Float);

TEST(RecordedTypes, OperandsAndResultsHaveTheTagsTheyHad) {
  RecordedMachine machine;
  const Proto& main = machine.run("local a, b = 1, 2.5 for i = 1, 10 do b = b + a end");
  const SiteTypes& add = machine.site(main, Opcode::Add);
  EXPECT_EQ(add.count, 10u);
  EXPECT_EQ(add.left, kFloat);
  EXPECT_EQ(add.right, kInteger);
  EXPECT_EQ(add.result, kFloat);
  EXPECT_EQ(machine.site(main, Opcode::ForLoop).taken, 9u);
}

TEST(RecordedTypes, TagsAddUp) {
  RecordedMachine machine;
  const Proto& main = machine.run("local x = 1 for i = 1, 4 do x = x + 1 if i == 2 then x = x * 1.5 end end");
  EXPECT_EQ(machine.site(main, Opcode::AddConstant).left, kInteger | kFloat);
  EXPECT_EQ(machine.site(main, Opcode::MulConstant).left, kInteger);
  EXPECT_EQ(machine.site(main, Opcode::MulConstant).count, 1u);
}

TEST(RecordedTypes, RegistersAtTheHeadOfALoopAreThoseOfItsIterations) {
  RecordedMachine machine;
  const Proto& main = machine.run("local x = nil for i = 1, 5 do x = i * 0.5 end");
  const int head = machine.pc_of(main, Opcode::ForLoop) + 1 + main.original_code[static_cast<size_t>(machine.pc_of(main, Opcode::ForLoop))].imm;
  const FrameTags* tags = machine.recorder.tags_at(main, OriginalPc(head));
  ASSERT_NE(tags, nullptr);
  EXPECT_EQ((*tags)[0], kFloat) << "nil is what the first iteration finds, which comes from no backedge";
  EXPECT_EQ(machine.recorder.tags_at(main, OriginalPc(head + 1)), nullptr);
  std::vector<TagMask> refused(main.max_stack_slots, 0);
  refused[0] = tag_bit(Tag::Nil);
  machine.recorder.entry_refused(main, OriginalPc(head), refused);
  EXPECT_EQ((*machine.recorder.tags_at(main, OriginalPc(head)))[0], kFloat | tag_bit(Tag::Nil));
}

TEST(RecordedTypes, LooksAtAHeadAddWhatRegistersHoldWhileNobodyWatches) {
  RecordedMachine machine;
  const Proto& main = machine.run("local x = nil for i = 1, 5 do x = i * 0.5 end");
  const int loop = machine.pc_of(main, Opcode::ForLoop);
  const auto head = static_cast<OriginalPc>(loop + 1 + main.original_code[static_cast<size_t>(loop)].imm);
  Thread& thread = *machine.vm.main_thread;
  Value* base = thread.base;
  thread.base = thread.top + kCallOverheadSlots;
  thread.base[0] = Value::boolean(true);
  for (int i = 1; i < main.max_stack_slots; ++i) thread.base[i].set_nil();
  const auto other = static_cast<OriginalPc>(loop);
  machine.recorder.look_at_head(thread, main, other);
  EXPECT_EQ(machine.recorder.tags_at(main, other), nullptr) << "nothing was known of it";
  for (int i = 0; i < 16; ++i) machine.recorder.look_at_head(thread, main, head);
  EXPECT_EQ((*machine.recorder.tags_at(main, head))[0], kFloat | tag_bit(Tag::True));
  thread.base[0] = Value::integer(1);
  machine.recorder.look_at_head(thread, main, head);
  EXPECT_EQ((*machine.recorder.tags_at(main, head))[0], kFloat | tag_bit(Tag::True)) << "rare types are refused";
  thread.base = base;
}

TEST(RecordedTypes, NoRegistersAreNotedWhereJumpsLeadForward) {
  RecordedMachine machine;
  const Proto& main = machine.run("local n = 0 for i = 1, 5 do if i > 9 then n = n + 1 end n = n - 1 end");
  const int test = machine.pc_of(main, Opcode::JumpIfNotGreaterConstant);
  EXPECT_EQ(machine.recorder.tags_at(main, OriginalPc(test + 1 + main.original_code[static_cast<size_t>(test)].imm)), nullptr);
}

TEST(RecordedTypes, ParametersAreKnownAtTheStart) {
  RecordedMachine machine;
  const Proto& main = machine.run("local function f(a, b) return a end f(1, 'x') f(2.5, 'y')");
  const FrameTags* tags = machine.recorder.tags_at(*main.nested[0], OriginalPc{});
  ASSERT_NE(tags, nullptr);
  EXPECT_EQ((*tags)[0], kInteger | kFloat);
  EXPECT_EQ((*tags)[1], tag_bit(Tag::String));
}

TEST(RecordedTypes, ShapesAreListedUntilTheyAreTooMany) {
  RecordedMachine machine;
  const Proto& main = machine.run(R"(
    local function one(t) return t.x end
    local function four(t) return t.x end
    local function five(t) return t.x end
    local all = { { x = 1 }, { a = 1, x = 1 }, { b = 1, x = 1 }, { c = 1, x = 1 }, { d = 1, x = 1 } }
    for i = 1, 10 do one(all[1]) four(all[i % 4 + 1]) five(all[i % 5 + 1]) end)");
  const SiteTypes& one = machine.site(*main.nested[0], Opcode::GetField);
  EXPECT_FALSE(one.many_shapes);
  EXPECT_EQ(one.all_shapes().size(), 1u);
  const SiteTypes& four = machine.site(*main.nested[1], Opcode::GetField);
  EXPECT_TRUE(four.many_shapes);
  EXPECT_FALSE(four.is_megamorphic);
  EXPECT_EQ(four.all_shapes().size(), 4u);
  EXPECT_TRUE(machine.site(*main.nested[2], Opcode::GetField).is_megamorphic);
  const std::vector<Object*> found = machine.recorder.take_new_objects();
  EXPECT_EQ(std::count(found.begin(), found.end(), one.all_shapes()[0]) > 0, true);
  EXPECT_EQ(machine.recorder.objects(), found);
  EXPECT_FALSE(machine.recorder.has_new_objects());
}

TEST(RecordedTypes, ElementsAreInsideAppendedOrOutside) {
  RecordedMachine machine;
  const Proto& main = machine.run(R"(
    local function append(t, i) t[i] = i end
    local function read(t, i) return t[i] end
    local function scatter(t, i) t[i] = i end
    local array, map = {}, {}
    for i = 1, 8 do append(array, i) end
    for i = 1, 10 do read(array, i) end
    for i = 1, 8 do scatter(map, i * 1000) end)");
  const SiteTypes& append = machine.site(*main.nested[0], Opcode::SetIndex);
  EXPECT_TRUE(append.appends);
  EXPECT_EQ(append.outside, 0u);
  EXPECT_EQ(machine.site(*main.nested[1], Opcode::GetIndex).outside, 2u);
  const SiteTypes& scatter = machine.site(*main.nested[2], Opcode::SetIndex);
  EXPECT_FALSE(scatter.appends);
  EXPECT_EQ(scatter.outside, 8u);
}

TEST(RecordedTypes, CalleesAreOneOrSeveralOrTooMany) {
  RecordedMachine machine;
  const Proto& main = machine.run(R"(
    local function call(f) f() end
    local function call_some(f) f() end
    local function call_all(f) f() end
    local all = { function() end, function() end, function() end, function() end, function() end }
    for i = 1, 10 do call(all[1]) call_some(all[i % 3 + 1]) call_all(all[i % 5 + 1]) end)");
  const SiteTypes& one = machine.site(*main.nested[0], Opcode::Call);
  EXPECT_EQ(one.callee, main.nested[3]);
  EXPECT_FALSE(one.many_callees);
  const SiteTypes& some = machine.site(*main.nested[1], Opcode::Call);
  EXPECT_TRUE(some.many_callees);
  EXPECT_EQ(some.several_callees().size(), 3u);
  EXPECT_TRUE(machine.site(*main.nested[2], Opcode::Call).several_callees().empty());
  EXPECT_TRUE(machine.site(*main.nested[2], Opcode::Call).has_other_callees);
}

TEST(RecordedTypes, BranchesAreEventsInTheirOrder) {
  RecordedMachine machine;
  const Proto& main = machine.run("local n = 0 while n < 3 do n = n + 1 end");
  const auto& events = machine.recorder.branches(main);
  const OriginalPc test{machine.pc_of(main, Opcode::JumpIfNotLessConstant)};
  ASSERT_GE(events.size(), 1u);
  EXPECT_EQ(events.front().pc, BranchEvent::kStart);
  EXPECT_EQ(std::count_if(events.begin(), events.end(), [&](const BranchEvent& event) { return event.pc == test; }), 4);
  EXPECT_EQ(events.back().pc, test);
  EXPECT_GT(value_of(events.back().next_pc), machine.pc_of(main, Opcode::AddConstant)) << "the last one leaves the loop";
}

TEST(RecordedTypes, AnArmThatOptimizedCodeHasTakenCountsAsExecuted) {
  RecordedMachine machine;
  const Proto& main = machine.run("local n, m = 0, 0 for i = 1, 9 do if i > 100 then m = m + 1.5 n = n - 1 end end");
  const int test = machine.pc_of(main, Opcode::JumpIfNotGreaterConstant);
  ASSERT_EQ(machine.site(main, Opcode::AddConstant).count, 0u);
  const uint32_t before = machine.site(main, Opcode::JumpIfNotGreaterConstant).count;
  machine.recorder.branch_went(main, OriginalPc(test), false);
  EXPECT_EQ(machine.site(main, Opcode::JumpIfNotGreaterConstant).count, before + 1);
  EXPECT_EQ(machine.site(main, Opcode::AddConstant).count, 1u);
  EXPECT_EQ(machine.site(main, Opcode::SubConstant).count, 1u);
  EXPECT_EQ(machine.site(main, Opcode::AddConstant).result, 0) << "its types stay unknown";
  machine.recorder.check_failed(main, OriginalPc(machine.pc_of(main, Opcode::AddConstant)));
  EXPECT_TRUE(machine.site(main, Opcode::AddConstant).is_unstable);
}

TEST(RecordedTypes, TwoHundredCallsAndBackedgesAreEnough) {
  RecordedMachine machine;
  const Proto& few = machine.run("for i = 1, 199 do end");
  const Proto& enough = machine.run("for i = 1, 201 do end");
  EXPECT_FALSE(machine.recorder.has_seen_enough(few));  // one call, 198 backedges
  EXPECT_TRUE(machine.recorder.has_seen_enough(enough));
}

TEST(RecordedTypes, AnOperatorsMetamethodIsItsCallee) {
  RecordedMachine machine;
  const Proto& maker = machine.run("object, metatable = {}, { __add = function(a, b) return 7 end }");
  // Without libraries there is no setmetatable.
  table_set_metatable(machine.vm, machine.global("object").as_table(), machine.global("metatable").as_table());
  const Proto& main = machine.run("local object = object for i = 1, 3 do local x = 1 + object end");
  EXPECT_EQ(machine.site(main, Opcode::AddConstant).callee, maker.nested[0]);
  EXPECT_TRUE(machine.site(main, Opcode::AddConstant).right_handles);
}

}  // namespace
}  // namespace mangata::jit
