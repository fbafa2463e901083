// What was recorded of prototypes that have died since.
#include "jit/region/type_recorder.h"

#include <gtest/gtest.h>

#include "vm/bytecode/chunk.h"
#include "vm/object/function.h"
#include "vm/vm.h"

namespace mangata::jit {
namespace {

class Callees : public testing::Test {
 protected:
  Vm vm_;
  NamedProtos named_;
  TypeRecorder recorder_{&named_};
  const Proto& caller_ = *load(vm_, "f()", "=caller").value()->proto;
  int pc_ = 0;  // of the call
  std::vector<LuaFunction*> functions_;

  void SetUp() override {
    while (caller_.original_code[static_cast<size_t>(pc_)].op != Opcode::Call) ++pc_;
  }
  /// Records that the instruction calls so many different functions, one after the other.
  void call(size_t count) {
    const Thread& thread = *vm_.main_thread;
    for (size_t i = 0; i < count; ++i) {
      functions_.push_back(load(vm_, "return", "=callee").value());
      thread.base[caller_.original_code[static_cast<size_t>(pc_)].a] = Value::function(functions_.back());
      recorder_.instruction(thread, caller_, OriginalPc(pc_));
    }
  }
  const SiteTypes& site() const { return (*recorder_.sites(caller_))[static_cast<size_t>(pc_)]; }
};

TEST_F(Callees, ThatDieAreForgotten) {
  call(2);
  EXPECT_EQ(site().several_callees().size(), 2u);
  recorder_.forget(*functions_[0]->proto);
  EXPECT_EQ(site().several_callees().size(), 0u);
  EXPECT_EQ(site().callee, nullptr);
}

// Regions are made from the last one, too, though it is none of those that are listed.
TEST_F(Callees, ThatAreOneOfTooManyAreForgottenToo) {
  call(SiteTypes::kMostCallees + 1);
  const Proto* const last = functions_.back()->proto;
  EXPECT_EQ(site().callee, last);
  recorder_.forget(*last);
  EXPECT_EQ(site().callee, nullptr);
  EXPECT_TRUE(site().many_callees);
}

// Whoever keeps records asks `NamedProtos` first.
TEST_F(Callees, AreNamed) {
  call(1);
  EXPECT_EQ(named_.count(&caller_), 1u);
  EXPECT_EQ(named_.count(functions_[0]->proto), 1u);
  EXPECT_EQ(named_.count(load(vm_, "return", "=other").value()->proto), 0u);
}

// Another prototype may come to lie where a dead one lay.
TEST_F(Callees, AreNamedAnewAfterTheirDeath) {
  call(1);
  const Proto& callee = *functions_[0]->proto;
  recorder_.forget(callee);
  named_.erase(&callee);
  recorder_.instruction(*vm_.main_thread, caller_, OriginalPc(pc_));
  EXPECT_EQ(named_.count(&callee), 1u);
  EXPECT_EQ(site().callee, &callee);
  recorder_.forget(callee);
  EXPECT_EQ(site().callee, nullptr);
}

// What a call leaves is known at the instruction behind it, which finds the last of its results below Thread::top.
TEST(OpenResults, AreCountedWhileTheyAreAsMany) {
  Vm vm;
  TypeRecorder recorder;
  const Proto& caller = *load(vm, "f(g())", "=caller").value()->proto;
  int pc = 0;
  while (caller.original_code[static_cast<size_t>(pc)].op != Opcode::Call) ++pc;
  Thread& thread = *vm.main_thread;
  Value* const results = thread.base + caller.original_code[static_cast<size_t>(pc)].a;
  const auto call_leaves = [&](int count) {
    recorder.instruction(thread, caller, OriginalPc(pc));
    thread.top = results + count;
    recorder.instruction(thread, caller, OriginalPc(pc + 1));
    return (*recorder.sites(caller))[static_cast<size_t>(pc)].open_results();
  };
  EXPECT_EQ(call_leaves(2), 2);
  EXPECT_EQ(call_leaves(2), 2);
  EXPECT_EQ(call_leaves(1), SiteTypes::kDiffers);
  EXPECT_EQ(call_leaves(1), SiteTypes::kDiffers);
  thread.top = thread.base;
}

}  // namespace
}  // namespace mangata::jit
