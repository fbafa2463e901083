// The library ffi in states of a host.
#include <gtest/gtest.h>

#include <mangata/mangata.hpp>

namespace {

using namespace mangata;

constexpr const char* kHasFfi = "return (pcall(require, 'ffi'))";

TEST(Ffi, IsThereForTrustedCodeOnly) {
  Engine engine;
  EXPECT_TRUE(State(engine).run<bool>(kHasFfi).value());
  EXPECT_FALSE(
      State(engine, {{}, {Library::kAll & ~Library::kFfi, false, false}}).run<bool>(kHasFfi).value());
  EXPECT_FALSE(
      State(engine, {{}, {Library::kSafe | Library::kPackage, false, false}}).run<bool>(kHasFfi).value());
  EXPECT_TRUE(
      State(engine, {{}, Sandbox::strict()}).run<bool>("return require == nil and package == nil").value());
}

TEST(Ffi, MemoryOfCdataIsLimited) {
  Engine engine;
  State state(engine, {{.memory_bytes = size_t{16} << 20}, {}});
  EXPECT_FALSE(
      state.run<bool>("local ffi = require 'ffi' return (pcall(ffi.new, 'char[?]', 64 << 20))").value());
  EXPECT_TRUE(state
                  .run<bool>("local ffi = require 'ffi' for i = 1, 200 do local x = ffi.new('char[?]', 1 << "
                             "20) end return true")
                  .value());
}

TEST(Ffi, StatesAreApart) {
  Engine engine;
  State first(engine), second(engine);
  ASSERT_TRUE(
      first.run("ffi = require 'ffi' ffi.cdef 'struct only { int here; };' x = ffi.new 'struct only'"));
  EXPECT_FALSE(second.run("require('ffi').new 'struct only'"));
  EXPECT_EQ(
      second.run<int>("local ffi = require 'ffi' ffi.cdef 'int abs(int);' return ffi.C.abs(-7)").value(), 7);
  EXPECT_EQ(first.run<int>("x.here = 5 return x.here").value(), 5);
}

}  // namespace
