// Memory that runs out while functions are compiled, or while it is decided what to compile: they stay in their tier, and the program
// does what it would have done.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <cerrno>
#include <memory>
#include <string>

#include "runtime/engine.h"
#include "runtime/tiering/policy.h"
#include "tests/unit/support/failing_malloc.h"
#include "vm/bytecode/chunk.h"
#include "vm/bytecode/proto.h"
#include "vm/operations/operations.h"

#if defined(MANGATA_HAS_FAILING_MALLOC)
static bool no_threads = false;

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return no_threads ? EAGAIN : create(thread, attributes, function, argument);
}
#endif

namespace mangata {
namespace {

/// Hot functions and loops, called and inlined; tables, closures, metatables, side exits.
constexpr const char* kProgram = R"(
  local mt = {}
  mt.__index = mt
  function mt.add(self, x) self.sum = self.sum + x return self end
  local function new(x) local t = {sum = x} return t end
  local function half(x) if x % 2 == 0 then return x // 2 end return x * 0.5 end
  local total = 0
  for round = 1, 12 do
    local list = {}
    for i = 1, 60 do list[i] = i * round end
    for i, v in next, list do
      local t = new(v)
      mt.add(t, half(v))
      if i % 7 == 0 then local f = function() return t.sum end total = total + f() else total = total + t.sum end
    end
    local text = ""
    for i = 1, 20 do text = text .. i end
    total = total + #text
  end
  return total
)";

/// The hooks and the recorder of an engine, in which memory may run out, and nowhere else.
class Hooks : public TierHooks, public InstructionRecorder {
 public:
  explicit Hooks(Engine& engine) : engine_(engine), recorder_(engine.vm().recorder) {
    engine.vm().hooks = this;
    engine.vm().recorder = this;
  }
  ~Hooks() override {
    engine_.vm().hooks = &engine_;
    engine_.vm().recorder = recorder_;
  }

  void proto_created(Proto& proto) override { engine_.proto_created(proto); }
  void proto_destroyed(Proto& proto) override { engine_.proto_destroyed(proto); }
  void path_cut(Proto& proto, const Value* base) override { engine_.path_cut(proto, base); }
  void function_is_hot(Proto& proto) override {
    const Failing failing;
    engine_.function_is_hot(proto);
  }
  void loop_is_hot(Proto& proto) override {
    const Failing failing;
    engine_.loop_is_hot(proto);
  }
  void sample_is_due(Proto& proto, int32_t events) override {
    const Failing failing;
    engine_.sample_is_due(proto, events);
  }
  void region_is_left(Proto& proto) override {
    const Failing failing;
    engine_.region_is_left(proto);
  }
  void recording_ended(Proto& proto) override {
    const Failing failing;
    engine_.recording_ended(proto);
  }

  void instruction_starts(Thread& thread, Proto& proto, OriginalPc pc) noexcept override {
    const Failing failing;
    recorder_->instruction_starts(thread, proto, pc);
  }

  static inline bool are_armed = false;

 private:
  struct Failing {
    Failing() {
      if (are_armed) FailingMalloc::resume(FailingMalloc::On::ThisThread);
    }
    ~Failing() {
      if (are_armed) FailingMalloc::disarm();
    }
  };
  Engine& engine_;
  InstructionRecorder* recorder_;
};

class FailingCompilation : public ::testing::Test {
 protected:
  void SetUp() override {
#if !defined(MANGATA_HAS_FAILING_MALLOC)
    GTEST_SKIP() << "a sanitizer has its own malloc";
#endif
  }

  /// The one result of the program, in a machine of its own. Its main chunk says that so many more variables are in scope.
  static double run(const char* policy, bool fail_in_hooks, size_t more_variables = 0, jit::Compilers compilers = jit::Compilers::Both) {
    std::string error;
    Options options;
    options.policy = make_policy(policy, &error, &options.regions);
    EXPECT_EQ(error, "");
    options.regions.compilers = compilers;
    options.log.deterministic = true;  // regions are waited for
    Engine engine(options);
    const Hooks hooks(engine);
    Vm& vm = engine.vm();
    const auto chunk = load(vm, kProgram, "=test");
    EXPECT_TRUE(chunk.ok());
    Proto& proto = *chunk.value()->proto;
    const auto length = static_cast<int32_t>(proto.original_code.size());
    if (more_variables != 0) proto.locals.insert(proto.locals.begin(), more_variables, {vm.string_value("v").as_string(), 0, length});
    Value* function = vm.main_thread->top;
    function[0] = Value::function(chunk.value());
    function[1].set_nil();
    function[2].set_nil();
    vm.main_thread->top = function + kCallOverheadSlots;
    Hooks::are_armed = fail_in_hooks;
    const bool ok = protected_call(vm, function, 0, 1, Value::nil());
    Hooks::are_armed = false;
    vm.main_thread->top = function;
    EXPECT_TRUE(ok && function[0].is_number());
    return ok && function[0].is_number() ? function[0].as_number() : 0;
  }
};

#if defined(MANGATA_HAS_FAILING_MALLOC)
// First: once there is a compile thread, it stays.
TEST_F(FailingCompilation, WithoutAThreadThereAreNoRegions) {
  const double expected = run("interpreter", false);
  no_threads = true;
  EXPECT_EQ(run("optimizer:warm=16,record=300", false), expected);
  no_threads = false;
  EXPECT_EQ(run("optimizer:warm=16,record=300", false), expected);
}
#endif

constexpr const char* kPolicies[] = {"baseline", "adaptive:entry=2,loop=3,warm=5,sample=20,quiet=50", "optimizer:warm=16,record=300"};

TEST_F(FailingCompilation, OnTheProgramsThreadLeavesFunctionsInTheirTier) {
  const double expected = run("interpreter", false);
  for (const char* policy : kPolicies) {
    for (const bool no_more : {false, true}) {
      bool came_to_it = true;
      int64_t runs = 0;
      for (int64_t which = 0; came_to_it; which += 1 + which / 6, ++runs) {
        FailingMalloc::arm(FailingMalloc::On::Nobody, which, no_more);
        ASSERT_EQ(run(policy, true), expected) << policy << ", allocation " << which << (no_more ? " and all behind it" : "");
        came_to_it = FailingMalloc::disarm();
      }
      EXPECT_GT(runs, 20) << "it compiles";
    }
  }
}

TEST_F(FailingCompilation, OnTheCompileThreadAbandonsTheRegion) {
  const double expected = run("interpreter", false);
  for (const bool no_more : {false, true}) {
    bool came_to_it = true;
    int64_t runs = 0;
    for (int64_t which = 0; came_to_it; which += 1 + which / 8, ++runs) {
      FailingMalloc::arm(FailingMalloc::On::OtherThreads, which, no_more);
      ASSERT_EQ(run("optimizer:warm=16,record=300", false, 0, jit::Compilers::Llvm), expected) << "allocation " << which << (no_more ? " and all behind it" : "");
      came_to_it = FailingMalloc::disarm();
    }
    if (!no_more) EXPECT_GT(runs, 60) << "LLVM allocates much";
  }
}

// As the debug information of a hostile chunk may, before it is refused.
TEST_F(FailingCompilation, MoreVariablesThanRegistersAreNone) {
  EXPECT_EQ(run("optimizer:warm=16,record=300", false, 300), run("interpreter", false));
}

}  // namespace
}  // namespace mangata
