// bench/suite/utf8_decoder.lua, as a C++ programmer would write it.
#include <string>
#include <string_view>

#include "bench/native/native.h"

namespace mangata::native {
namespace {

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string make_text() {
  const std::string part = repeated("The quick brown fox. ", 8) +
                           repeated("Съешь же ещё этих мягких французских булок. ", 6) +
                           repeated("いろはにほへと ちりぬるを ", 6) +
                           repeated("mixed: naïve café, 5 €, π ≈ 3.14, 🌊🌙 ", 8);
  return repeated(part, 4) + "\xff \xc0\x80 \xed\xa0\x80 \xe2\x82";
}

struct Decoded {
  int64_t characters = 0, errors = 0, checksum = 0;
};

Decoded decode(const std::string& text) {
  Decoded result;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const size_t length = text.size();
  for (size_t i = 0; i < length;) {
    const unsigned first = bytes[i++];
    int64_t code = -1, least = 0;
    int more = 0;
    if (first < 128) {
      code = first;
    } else if (first < 194) {
      code = -1;
    } else if (first < 224) {
      code = first - 192, more = 1, least = 128;
    } else if (first < 240) {
      code = first - 224, more = 2, least = 2048;
    } else if (first < 245) {
      code = first - 240, more = 3, least = 65536;
    }
    if (code >= 0) {
      for (; more > 0; --more) {
        if (i >= length || bytes[i] < 128 || bytes[i] > 191) {
          code = -1;
          break;
        }
        code = code * 64 + bytes[i++] - 128;
      }
    }
    if (code >= least && code >= 0 && code < 1114112 && !(code >= 55296 && code < 57344)) {
      ++result.characters;
      result.checksum = (result.checksum + code) % 1000003;
    } else {
      ++result.errors;
    }
  }
  return result;
}

}  // namespace
}  // namespace mangata::native

int main(int count, char** arguments) {
  using namespace mangata::native;
  const std::string text = make_text();
  for (int64_t i = repetitions(count, arguments, 2200); i > 0; --i) {
    const Decoded decoded = decode(*unknown(&text));
    expect(decoded.characters * 1000 + decoded.errors, 3251005);
    expect(decoded.checksum, 414241);
  }
}
