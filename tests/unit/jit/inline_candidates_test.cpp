// Which functions are copied into a region, to stand where they are called.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/jit/recorded_region.h"

namespace mangata::jit {
namespace {

std::vector<const Proto*> functions_of(const RegionInput& input) {
  std::vector<const Proto*> functions;
  for (const auto& function : input.functions) functions.push_back(function->proto);
  return functions;
}

class InlineCandidates : public ::testing::Test {
 protected:
  const RegionInput& of(std::string_view text, const RegionLimits& limits = {.checks_profitability = false}) {
    main_ = &machine_.run(text);
    input_ = input_of(machine_, *main_, limits, &why_);
    EXPECT_NE(input_, nullptr) << why_;
    return *input_;
  }
  const Proto* function(size_t index) const { return main_->nested[index]; }
  bool has(size_t index) const { return input_->inlinable.contains(function(index)); }

  RecordedMachine machine_;
  const Proto* main_ = nullptr;
  std::unique_ptr<RegionInput> input_;
  std::string why_;
};

TEST_F(InlineCandidates, CalleeOfACallIsOne) {
  of("local function f(x) return x + 1 end local n = 0 for i = 1, 50 do n = f(n) end");
  EXPECT_TRUE(has(0));
  EXPECT_EQ(functions_of(*input_), (std::vector<const Proto*>{main_, function(0)}));
  EXPECT_EQ(input_->root().callees[static_cast<size_t>(machine_.pc_of(*main_, Opcode::Call))]->proto, function(0));
  EXPECT_EQ(std::count(input_->pinned.begin(), input_->pinned.end(), function(0)) > 0, true) << "compiled code compares with it";
}

TEST_F(InlineCandidates, VariadicOnesAreAndThoseThatMakeClosuresAreNot) {
  of(R"(local function variadic(...) return 1 end
        local function maker() return function() end end
        local n = 0 for i = 1, 50 do n = variadic(n) maker() end)");
  EXPECT_TRUE(has(0));
  EXPECT_FALSE(has(1));
  EXPECT_EQ(input_->functions.size(), 2u);
}

TEST_F(InlineCandidates, SeveralCalleesAreAllListedButNotTooMany) {
  of(R"(local a, b = function(x) return x + 1 end, function(x) return x + 2 end
        local n, f = 0, a for i = 1, 50 do n = f(n) f = f == a and b or a end)");
  EXPECT_TRUE(has(0));
  EXPECT_TRUE(has(1));
  EXPECT_EQ(input_->root().callees[static_cast<size_t>(machine_.pc_of(*main_, Opcode::Call))], nullptr) << "which of them is not known";
}

TEST_F(InlineCandidates, SizeOfOneAndOfAllIsLimited) {
  constexpr std::string_view kText = R"(
    local function large(x) x = x + 1 x = x + 2 x = x + 3 x = x + 4 x = x + 5 x = x + 6 x = x + 7 x = x + 8 return x end
    local function small(x) return x end
    local n = 0 for i = 1, 50 do n = small(large(n)) end)";
  of(kText, {.inlined_size = 5, .checks_profitability = false});
  EXPECT_FALSE(has(0));
  EXPECT_TRUE(has(1));
  of(kText, {.size = main_->original_code.size() + 4, .checks_profitability = false});
  EXPECT_FALSE(has(0));
  EXPECT_TRUE(has(1)) << "the room that is left goes to the one that fits";
  std::string why;
  EXPECT_EQ(input_of(machine_, *main_, {.size = 3, .checks_profitability = false}, &why), nullptr);
  EXPECT_EQ(why, "the function is too large");
}

TEST_F(InlineCandidates, DepthIsLimited) {
  constexpr std::string_view kText = R"(
    local function third(x) return x + 1 end
    local function second(x) return third(x) * 2 end
    local function first(x) return second(x) - 1 end
    local n = 0 for i = 1, 50 do n = first(n) end)";
  of(kText, {.depth = 2, .checks_profitability = false});
  EXPECT_FALSE(has(0));
  EXPECT_TRUE(has(1));
  EXPECT_TRUE(has(2));
  of(kText);
  EXPECT_TRUE(has(0));
}

TEST_F(InlineCandidates, MethodsAreFoundByTheShapesOfTheirObjects) {
  of(R"(local a, b = { name = 1 }, { size = 2, name = 2 }
        a.get = function(self) return self.name end
        b.get = function(self) return self.size end
        local n = 0 for i = 1, 50 do local object = i % 2 == 0 and a or b  n = n + object:get() end)");
  const auto cases = input_->root().cases.find(CodePc(machine_.pc_of(*main_, Opcode::Self)));
  ASSERT_NE(cases, input_->root().cases.end());
  EXPECT_EQ(cases->second.size(), 2u);
  EXPECT_TRUE(has(0) && has(1));
}

TEST_F(InlineCandidates, InheritedMethodsAreFoundInTheirClasses) {
  machine_.run(R"(a, b = { name = 1 }, { size = 2, name = 2 }
                  first = { __index = { get = function(self) return self.name end } }
                  second = { __index = { get = function(self) return self.size end } })");
  table_set_metatable(machine_.vm, machine_.global("a").as_table(), machine_.global("first").as_table());
  table_set_metatable(machine_.vm, machine_.global("b").as_table(), machine_.global("second").as_table());
  of("local a, b = a, b local n = 0 for i = 1, 50 do local object = i % 2 == 0 and a or b  n = n + object:get() end");
  const auto cases = input_->root().cases.find(CodePc(machine_.pc_of(*main_, Opcode::Self)));
  ASSERT_NE(cases, input_->root().cases.end());
  ASSERT_EQ(cases->second.size(), 2u);
  for (const FieldCase& found : cases->second) {
    EXPECT_EQ(found.cache.kind, InlineCache::kMetatable);
    EXPECT_TRUE(found.method != nullptr && input_->inlinable.contains(found.method));
  }
  EXPECT_NE(cases->second[0].method, cases->second[1].method);
}

}  // namespace
}  // namespace mangata::jit
