// Which registers are live where, against a search through the code.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/jit/recorded_region.h"

namespace mangata::jit {
namespace {

/// Whether R[reg] may be read before it is written, from `pc` on: every way through the code is tried.
bool is_read(const RegionFunction& function, size_t pc, size_t reg, std::vector<bool>* seen) {
  if ((*seen)[pc]) return false;
  (*seen)[pc] = true;
  const Instruction& in = function.code[pc];
  const RegisterEffects effects = register_effects(in, function.register_count);
  if (effects.reads[reg]) return true;
  if (effects.writes[reg]) return false;
  const ControlFlow flow = opcode_info(in.op).flow;
  const bool falls = flow == ControlFlow::Next || flow == ControlFlow::Branch, jumps = flow == ControlFlow::Jump || flow == ControlFlow::Branch;
  return (falls && is_read(function, pc + 1, reg, seen)) || (jumps && is_read(function, pc + 1 + static_cast<size_t>(in.imm), reg, seen));
}

size_t variables_in_scope(const Proto& proto, size_t pc) {
  return static_cast<size_t>(std::count_if(proto.locals.begin(), proto.locals.end(), [&](const LocalVariable& local) {
    return local.start_pc <= static_cast<int>(pc) && static_cast<int>(pc) < local.end_pc;
  }));
}

constexpr std::string_view kPrograms[] = {
    "local n = 0 for i = 1, 20 do n = n + i * 2 end",
    "local t = {} for i = 1, 20 do t[i] = (i + 1) * (i - 1) if t[i] == 8 then t.x = i end end",
    "local a, b = 1, nil for i = 1, 20 do b = a or b a = b and i end",
    "local function f(x, y) return y, x end local p, q for i = 1, 20 do p, q = f(i, p) end",
    "local s = 'x' for i = 1, 20 do s = 'a' .. i .. #s end",
    "local s, t = 'x', 'y' for i = 1, 20 do local u = t .. (i > 3 and s or 'z') .. (s == u and t or s) end",
    "local i = 0 while true do i = i + 1 if i % 3 == 0 then goto next end if i > 20 then break end ::next:: end",
    "local t = { 1, 2, 3 } for i = 1, 20 do local a, b, c = t[1], t[2], t[3] t = { c, a, b } end",
};

TEST(Liveness, EveryRegisterThatMayBeReadIsLive) {
  for (const std::string_view text : kPrograms) {
    RecordedMachine machine;
    std::string why;
    const Proto& main = machine.run(text);
    const auto input = input_of(machine, main, {.checks_profitability = false}, &why);
    ASSERT_NE(input, nullptr) << text << ": " << why;
    const RegionFunction& root = input->root();
    for (size_t pc = 0; pc < root.code.size(); ++pc) {
      for (size_t reg = 0; reg < static_cast<size_t>(root.register_count); ++reg) {
        std::vector<bool> seen(root.code.size(), false);
        if (is_read(root, pc, reg, &seen) || reg < variables_in_scope(main, pc)) {
          EXPECT_TRUE(root.live[pc][reg]) << text << " R[" << reg << "] at " << pc;
        }
      }
    }
  }
}

TEST(Liveness, TemporariesAreDeadBehindTheirUse) {
  RecordedMachine machine;
  std::string why;
  // What is computed for the comparison is a string, of which baseline code knows no type.
  const Proto& main = machine.run("local s, n = 'x', 0 for i = 1, 20 do if s .. i == 'x7' then n = n + 1 end end");
  const auto input = input_of(machine, main, {.checks_profitability = false}, &why);
  ASSERT_NE(input, nullptr) << why;
  const auto concat = static_cast<size_t>(machine.pc_of(main, Opcode::Concat));
  const auto test = static_cast<size_t>(machine.pc_of(main, Opcode::JumpIfNotEqualConstant));
  const uint8_t temporary = input->root().code[concat].a;
  EXPECT_TRUE(input->root().live[concat][temporary]);
  EXPECT_TRUE(input->root().live[test][temporary]);
  EXPECT_FALSE(input->root().live[test + 1][temporary]);
  EXPECT_FALSE(input->root().live[static_cast<size_t>(input->entry_pc)][temporary]);
}

}  // namespace
}  // namespace mangata::jit
