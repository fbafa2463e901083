// bench/suite/dfa.lua, as a C++ programmer would write it: tables of bytes.
#include <string>

#include "bench/native/native.h"

namespace mangata::native {
namespace {

enum Class : uint8_t {
  kOther,
  kDigit,
  kDash,
  kColon,
  kDot,
  kClasses
};

Class class_of(unsigned char c) {
  if (c >= '0' && c <= '9') return kDigit;
  return c == '-' ? kDash : c == ':' ? kColon
                        : c == '.'   ? kDot
                                     : kOther;
}

constexpr uint8_t kNextState[13][kClasses] = {
    {},
    {1, 2, 1, 1, 1},    // 1 waiting
    {1, 2, 3, 5, 6},    // 2 first number
    {1, 4, 1, 1, 1},    // 3 number, dash
    {1, 4, 7, 1, 1},    // 4 number, dash, number
    {1, 8, 1, 1, 1},    // 5 number, colon
    {1, 10, 1, 1, 1},   // 6 number, dot
    {1, 11, 1, 1, 1},   // 7 number, dash, number, dash
    {1, 8, 1, 1, 1},    // 8 a time
    {1, 9, 1, 1, 1},    // 9 a version
    {1, 10, 1, 1, 12},  // 10 number, dot, number
    {1, 11, 1, 1, 1},   // 11 a date
    {1, 9, 1, 1, 1},    // 12 number, dot, number, dot
};

template <typename... Numbers>
std::string text_of(const char* format, Numbers... numbers) {
  char text[80];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

std::string make_text() {
  std::string text;
  for (int i = 1; i <= 150; ++i) {
    if (i > 1) text += ' ';
    text += i % 3 == 0   ? text_of("on %d-%02d-%02d", 2000 + i % 30, i % 12 + 1, i % 28 + 1)
            : i % 3 == 1 ? text_of("at %02d:%02d sharp", i % 24, i % 60)
                         : text_of("release %d.%d.%d, or was it %d - %d?", i % 5, i % 7, i % 11, i, i * i);
  }
  return text;
}

int64_t scan(const std::string& text, const uint8_t* classes) {
  int64_t dates = 0, times = 0, versions = 0, moves = 0;
  uint8_t state = 1;
  for (const char c : text) {
    const uint8_t previous = state;
    state = kNextState[state][classes[static_cast<unsigned char>(c)]];
    if (state == previous) {
      ++moves;
    } else if (state == 1) {
      if (previous == 11) {
        ++dates;
      } else if (previous == 8) {
        ++times;
      } else if (previous == 9) {
        ++versions;
      }
    }
  }
  return dates * 1000000 + times * 10000 + versions * 100 + moves % 100;
}

}  // namespace
}  // namespace mangata::native

int main(int count, char** arguments) {
  using namespace mangata::native;
  uint8_t classes[256];
  for (int c = 0; c < 256; ++c) classes[c] = class_of(static_cast<unsigned char>(c));
  const std::string text = make_text();
  for (int64_t i = repetitions(count, arguments, 3900); i > 0; --i) expect(scan(*unknown(&text), unknown(&classes[0])), 49505071);
}
