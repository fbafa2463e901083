#include "jit/x64/foreign_call.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

namespace mangata::jit {
namespace {

template <typename Result>
Result call(const CodeRegion& region, const void* function, const std::vector<uint64_t>& words) {
  return reinterpret_cast<Result (*)(const uint64_t*, const void*)>(region.rx)(words.data(), function);
}

double weigh(int64_t a, double b, int64_t c, float d, int64_t e, double f, int64_t g, double h, int64_t i,
             double j, int64_t k, double l, int64_t m, double n, double o, float p, double q, int64_t r) {
  return static_cast<double>(a) + 2 * b + 3 * static_cast<double>(c) + 4 * d + 5 * static_cast<double>(e) +
         6 * f + 7 * static_cast<double>(g) + 8 * h + 9 * static_cast<double>(i) + 10 * j +
         11 * static_cast<double>(k) + 12 * l + 13 * static_cast<double>(m) + 14 * n + 15 * o + 16 * p +
         17 * q + 18 * static_cast<double>(r);
}

int64_t eight(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int64_t h) {
  // The stack must be aligned where a function with arguments on it is entered.
  alignas(16) volatile char aligned[16] = {};
  const bool is_aligned = reinterpret_cast<uintptr_t>(&aligned) % 16 == 0 &&
                          reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) % 16 == 0;
  return is_aligned ? a - 2 * b + 3 * c - 4 * d + 5 * e - 6 * f + 7 * g - 8 * h : 0;
}

int64_t nothing() { return 42; }
float half(float x) { return x / 2; }

TEST(ForeignCall, ArgumentsGoWhereTheAbiPutsThem) {
  CodeCache cache;
  if (!cache.ok()) GTEST_SKIP();
  const std::string signature = "idifidididididdfdi";
  const auto region = emit_foreign_call(cache, signature);
  ASSERT_TRUE(region);
  std::vector<uint64_t> words;
  double expected = 0;
  for (size_t i = 0; i < signature.size(); ++i) {
    const int value = static_cast<int>(i) * 3 - 7;
    expected += static_cast<double>((static_cast<int>(i) + 1) * value);
    if (signature[i] == 'i') words.push_back(static_cast<uint64_t>(int64_t{value}));
    if (signature[i] == 'd') words.push_back(std::bit_cast<uint64_t>(static_cast<double>(value)));
    if (signature[i] == 'f') words.push_back(std::bit_cast<uint32_t>(static_cast<float>(value)));
  }
  EXPECT_EQ(call<double>(*region, reinterpret_cast<const void*>(&weigh), words), expected);
}

TEST(ForeignCall, IntegersOnTheStack) {
  CodeCache cache;
  if (!cache.ok()) GTEST_SKIP();
  const auto region = emit_foreign_call(cache, "iiiiiiii");
  ASSERT_TRUE(region);
  EXPECT_EQ(call<int64_t>(*region, reinterpret_cast<const void*>(&eight), {1, 2, 3, 4, 5, 6, 7, 8}), -36);
  const auto none = emit_foreign_call(cache, "");
  ASSERT_TRUE(none);
  EXPECT_EQ(call<int64_t>(*none, reinterpret_cast<const void*>(&nothing), {}), 42);
  const auto single = emit_foreign_call(cache, "f");
  ASSERT_TRUE(single);
  EXPECT_EQ(call<float>(*single, reinterpret_cast<const void*>(&half), {std::bit_cast<uint32_t>(5.0f)}),
            2.5f);
}

}  // namespace
}  // namespace mangata::jit
