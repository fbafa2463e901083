// What exits of a region have said is told to other records.
#include <gtest/gtest.h>

#include "jit/region/lessons.h"
#include "tests/unit/jit/recorded_machine.h"

namespace mangata::jit {
namespace {

TEST(Lessons, RecordsAreToldOfFunctionsThatTheyHaveSeen) {
  RecordedMachine machine;
  const Proto& main = machine.run("local function get(t) return t[1] end local function unused(t) return t[1] end for i = 1, 5 do get({i}) end");
  const Proto &get = *main.nested[0], &unused = *main.nested[1];
  const int pc = machine.pc_of(get, get.original_code[0].op);
  Lessons lessons;
  lessons.check_failed(get, static_cast<OriginalPc>(pc));
  lessons.check_failed(unused, static_cast<OriginalPc>(pc));
  const auto is_unstable = [&] { return (*machine.recorder.sites(get))[static_cast<size_t>(pc)].is_unstable; };
  EXPECT_FALSE(is_unstable());
  lessons.teach(&machine.recorder);
  EXPECT_TRUE(is_unstable());
  EXPECT_EQ(machine.recorder.sites(unused), nullptr);
}

TEST(Lessons, WhatWasForgottenIsNotTold) {
  RecordedMachine machine;
  const Proto& main = machine.run("local t = {1} for i = 1, 5 do t[1] = i end");
  Lessons lessons;
  lessons.check_failed(main, OriginalPc{});
  lessons.forget(main);
  lessons.teach(&machine.recorder);
  EXPECT_FALSE((*machine.recorder.sites(main))[0].is_unstable);
}

TEST(Lessons, ABranchThatWentTheOtherWayInOneRegionMayGoThereInAll) {
  RecordedMachine machine;
  const Proto& main = machine.run("local n = 0 for i = 1, 5 do if i > 9 then n = n + 1 end n = n - 1 end");
  const int test = machine.pc_of(main, Opcode::JumpIfNotGreaterConstant);
  const SiteTypes& site = machine.site(main, Opcode::JumpIfNotGreaterConstant);
  EXPECT_EQ(site.taken, site.count);
  Lessons lessons;
  lessons.branch_went(main, static_cast<OriginalPc>(test), /*taken=*/false);
  lessons.teach(&machine.recorder);
  EXPECT_EQ(site.taken + 1, site.count);
  EXPECT_EQ((*machine.recorder.sites(main))[static_cast<size_t>(test) + 1].count, 1u) << "what follows there has been executed, too";
  lessons.teach(&machine.recorder);
  EXPECT_EQ(site.taken + 1, site.count) << "it is known by now";
}

}  // namespace
}  // namespace mangata::jit
