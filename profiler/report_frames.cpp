#include "profiler/report_frames.h"

#include <algorithm>

#include "profiler/model/views.h"

namespace mangata {
namespace {

/// Of the character of UTF-8 that the text begins with, in bytes; 0: it begins with none.
size_t character_length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3
                                                          : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool is_overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool is_surrogate = first == 0xED && byte(1) >= 0xA0;
  const bool is_beyond = first == 0xF4 && byte(1) >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const size_t length = character_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    const bool is_control = first < 0x20 || first == 0x7F;
    if (length == 0 || is_control) {
      line += is_control ? ' ' : '?';
    } else {
      line += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return line;
}

std::string frame_name(const FrameSymbol& symbol) {
  if (symbol.kind == FrameKind::Native) return one_line("[C] " + symbol.name);
  if (symbol.kind != FrameKind::Lua) return name_of(symbol);
  const std::string place = symbol.line_defined == 0 ? symbol.file : place_of(symbol);
  if (symbol.name.ends_with("<" + place + ">")) return one_line(symbol.name);  // a function that was stored nowhere is called by its place
  return one_line(symbol.name + " (" + place + ")");
}

std::string frame_file(const FrameSymbol& symbol) {
  return one_line(symbol.source.starts_with('@') ? std::string_view(symbol.source).substr(1) : symbol.file);
}

int32_t frame_line(const FrameSymbol& symbol) { return symbol.kind == FrameKind::Lua ? std::max(symbol.line_defined, 1) : 0; }

FrameSymbol frame_symbol_of(const FunctionProfile& function) {
  return {FrameKind::Lua, function.name, function.id, function.source, function.file, function.line_defined, function.column_defined};
}

}  // namespace mangata
