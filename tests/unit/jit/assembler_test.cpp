// Whatever the short way encodes, asmjit encodes the same: random instructions by both, byte by byte.
#include "jit/assembler/assembler.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace mangata::jit {
namespace {

using asmjit::Label;
namespace x86 = asmjit::x86;
namespace Inst = asmjit::x86::Inst;

/// One stream of instructions, by two assemblers.
class Both {
 public:
  explicit Both(uint64_t seed) : random_(seed) {}

  size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
  template <typename T, size_t count>
  T any_of(const T (&values)[count]) { return values[below(count)]; }

  x86::Gp general_register() {
    const auto id = static_cast<uint32_t>(below(16));
    const size_t width = below(8);
    return width == 0 ? x86::Gp(x86::gpb(id)) : width == 1 ? x86::Gp(x86::gpw(id))
                                            : width < 5    ? x86::Gp(x86::gpd(id))
                                                           : x86::Gp(x86::gpq(id));
  }
  x86::Mem memory() {
    constexpr int32_t kOffsets[] = {0, 1, 8, 127, 128, -1, -128, -129, 4096, 0x7FFFFFFF, -0x7FFFFFFF - 1};
    constexpr uint32_t kSizes[] = {0, 1, 2, 4, 8, 8, 4};
    const x86::Gp base = below(30) == 0 ? x86::Gp(x86::gpd(3)) : x86::Gp(x86::gpq(static_cast<uint32_t>(below(16))));
    x86::Mem made = x86::ptr(base, any_of(kOffsets), any_of(kSizes));
    if (below(3) == 0) {
      uint32_t index = static_cast<uint32_t>(below(16));
      if (index == 4) index = 12;
      made.setIndex(below(20) == 0 ? x86::Gp(x86::gpd(index)) : x86::Gp(x86::gpq(index)), static_cast<uint32_t>(below(4)));
    }
    if (below(30) == 0) made.setSegment(x86::fs);
    return made;
  }
  asmjit::Imm constant() {
    constexpr int64_t kValues[] = {0, 1, -1, 2, 63, 127, 128, -128, -129, 255, 256, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, -0x80000000LL, 0x100000000, INT64_MAX, INT64_MIN};
    return asmjit::imm(any_of(kValues));
  }
  asmjit::Operand operand() {
    switch (below(8)) {
      case 0: return x86::xmm(static_cast<uint32_t>(below(16)));
      case 1:
      case 2: return constant();
      case 3:
      case 4: return memory();
      default: return general_register();
    }
  }

  void emit(asmjit::InstId id, const asmjit::Operand& first, const asmjit::Operand& second) {
    if (below(40) == 0) {
      for (Side* side : {&ours_, &theirs_}) side->assembler()->addInstOptions(asmjit::InstOptions::kLongForm);
    }
    compare(id, [&](asmjit::BaseEmitter* to) { return to->emit(id, first, second); });
  }
  void jump(asmjit::InstId id) {
    if (labels_.size() < 3 || below(3) == 0) labels_.push_back({ours_.assembler()->newLabel(), theirs_.assembler()->newLabel(), false});
    const Target& target = labels_[below(labels_.size())];
    const asmjit::Error by_us = ours_.assembler()->emit(id, target.ours), by_them = theirs_.assembler()->emit(id, target.theirs);
    ASSERT_EQ(by_us, by_them);
    expect_same(id);
  }
  void bind_one() {
    for (Target& target : labels_) {
      if (target.is_bound || below(2) == 0) continue;
      bind(&target);
      return;
    }
  }
  void end() {
    for (Target& target : labels_) {
      if (!target.is_bound) bind(&target);
    }
    expect_same(0);
    for (Side* side : {&ours_, &theirs_}) EXPECT_FALSE(side->holder.hasUnresolvedLinks());
  }

 private:
  struct Side {
    explicit Side(std::unique_ptr<x86::Assembler> by) : by(std::move(by)) {
      holder.init(asmjit::Environment::host());
      holder.attach(assembler());
    }
    x86::Assembler* assembler() { return by.get(); }
    std::unique_ptr<x86::Assembler> by;
    asmjit::CodeHolder holder;
  };
  struct Target {
    Label ours, theirs;
    bool is_bound = false;
  };

  void bind(Target* target) {
    ours_.assembler()->bind(target->ours);
    theirs_.assembler()->bind(target->theirs);
    target->is_bound = true;
  }
  template <typename Emit>
  void compare(asmjit::InstId id, const Emit& emit) {
    const asmjit::Error by_us = emit(ours_.assembler()), by_them = emit(theirs_.assembler());
    ASSERT_EQ(by_us, by_them) << name_of(id);
    expect_same(id);
  }
  void expect_same(asmjit::InstId id) {
    const asmjit::CodeBuffer &by_us = ours_.holder.textSection()->buffer(), &by_them = theirs_.holder.textSection()->buffer();
    const std::vector<uint8_t> a(by_us.begin(), by_us.begin() + ours_.assembler()->offset()), b(by_them.begin(), by_them.begin() + theirs_.assembler()->offset());
    ASSERT_EQ(a.size(), b.size()) << name_of(id);
    if (a.size() > 64 && id != 0) {  // what is new, and now and then all
      ASSERT_TRUE(std::equal(a.end() - 64, a.end(), b.end() - 64)) << name_of(id);
    } else {
      ASSERT_EQ(a, b) << name_of(id);
    }
  }
  static std::string name_of(asmjit::InstId id) {
    asmjit::String name;
    asmjit::InstAPI::instIdToString(asmjit::Arch::kX64, id, name);
    return name.data();
  }

  std::mt19937_64 random_;
  Side ours_{std::make_unique<Assembler>()}, theirs_{std::make_unique<x86::Assembler>()};
  std::vector<Target> labels_;
};

constexpr asmjit::InstId kTwoOperands[] = {Inst::kIdMov, Inst::kIdMov, Inst::kIdMov, Inst::kIdAdd, Inst::kIdOr, Inst::kIdAnd, Inst::kIdSub, Inst::kIdXor,
                                           Inst::kIdCmp, Inst::kIdCmp, Inst::kIdTest, Inst::kIdLea, Inst::kIdShl, Inst::kIdShr, Inst::kIdSar, Inst::kIdMovzx,
                                           Inst::kIdMovsd, Inst::kIdAdc, Inst::kIdImul};
constexpr asmjit::InstId kJumps[] = {Inst::kIdJmp, Inst::kIdJo, Inst::kIdJno, Inst::kIdJb, Inst::kIdJc, Inst::kIdJae, Inst::kIdJnc, Inst::kIdJe,
                                     Inst::kIdJz, Inst::kIdJne, Inst::kIdJnz, Inst::kIdJbe, Inst::kIdJa, Inst::kIdJs, Inst::kIdJns, Inst::kIdJp,
                                     Inst::kIdJpe, Inst::kIdJnp, Inst::kIdJl, Inst::kIdJge, Inst::kIdJle, Inst::kIdJg, Inst::kIdCall};

TEST(Assembler, EncodesWhatAsmjitDoes) {
  for (uint64_t seed = 1; seed <= 40 && !testing::Test::HasFailure(); ++seed) {
    Both both(seed);
    for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
      if (both.below(12) == 0) {
        both.jump(both.any_of(kJumps));
      } else if (both.below(20) == 0) {
        both.bind_one();
      } else {
        both.emit(both.any_of(kTwoOperands), both.operand(), both.operand());
      }
    }
    both.end();
  }
}

/// Logs are written by asmjit alone.
TEST(Assembler, LeavesInstructionsWithALoggerToAsmjit) {
  asmjit::CodeHolder holder;
  asmjit::StringLogger logger;
  Assembler assembler;
  holder.init(asmjit::Environment::host());
  holder.attach(&assembler);
  assembler.mov(x86::rax, x86::rbx);
  holder.setLogger(&logger);
  assembler.mov(x86::rcx, x86::rdx);
  EXPECT_STREQ(logger.data(), "mov rcx, rdx\n");
}

TEST(Assembler, ReportsLabelsThatAreNone) {
  asmjit::CodeHolder holder;
  Assembler assembler;
  holder.init(asmjit::Environment::host());
  holder.attach(&assembler);
  EXPECT_EQ(assembler.jmp(Label(7)), static_cast<asmjit::Error>(asmjit::kErrorInvalidLabel));
}

}  // namespace
}  // namespace mangata::jit
