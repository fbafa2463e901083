// Small algorithms of the libraries: UTF-8 and the random generator.
#include <gtest/gtest.h>

#include "runtime/lib/random.h"
#include "runtime/lib/utf8_codec.h"

namespace mangata {
namespace {

TEST(Utf8, DecodesWhatItEncodes) {
  for (uint64_t code = 0; code <= kMaxUtf8; code = code * 9 / 8 + 1) {
    char bytes[kMaxUtf8Bytes];
    const size_t length = encode_utf8(static_cast<uint32_t>(code), bytes);
    uint32_t decoded = 0;
    ASSERT_EQ(decode_utf8({bytes, length}, false, &decoded), length) << code;
    ASSERT_EQ(decoded, code);
    if (length > 1) {
      ASSERT_EQ(decode_utf8({bytes, length - 1}, false, &decoded), 0u) << code;  // cut off
    }
  }
}

TEST(Utf8, RefusesOverlongSurrogatesAndStrayBytes) {
  uint32_t code;
  EXPECT_EQ(decode_utf8("\xC0\x80", false, &code), 0u);
  EXPECT_EQ(decode_utf8("\xE0\x80\x80", false, &code), 0u);
  EXPECT_EQ(decode_utf8("\x80", false, &code), 0u);
  EXPECT_EQ(decode_utf8("\xFF", false, &code), 0u);
  EXPECT_EQ(decode_utf8("\xED\xA0\x80", true, &code), 0u);
  EXPECT_EQ(decode_utf8("\xED\xA0\x80", false, &code), 3u);
  EXPECT_EQ(decode_utf8("\xF4\x90\x80\x80", true, &code), 0u);
}

/// The numbers PUC Lua 5.4 gives after math.randomseed(42).
TEST(Random, GivesTheSequenceOfLua) {
  Random random;
  random.seed(42, 0);
  EXPECT_EQ(static_cast<int64_t>(random.next()), -1276290044721465627);
  EXPECT_EQ(random.project(random.next(), 9) + 1, 2u);
  EXPECT_NEAR(Random::to_float(random.next()), 0.54688311243421, 1e-14);
}

TEST(Random, ProjectsIntoTheInterval) {
  Random random;
  random.seed(1, 2);
  for (const uint64_t limit : {0ull, 1ull, 5ull, 63ull, 64ull, (1ull << 63) + 1, ~0ull}) {
    for (int i = 0; i < 1000; ++i) ASSERT_LE(random.project(random.next(), limit), limit);
  }
}

}  // namespace
}  // namespace mangata
