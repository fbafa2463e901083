// A Lua pattern (Lua 5.4 manual §6.4.1) as a list of steps, the form in which it is matched.
//
// [DESIGN] A pattern has no alternatives but its repetitions, so whatever depends only on where in the
// pattern the matcher is, is known beforehand: which captures are open, closed or begun, which one a ")"
// closes, and whether "%1" may refer to what it does. A step therefore has the number of its capture, and a
// flaw of the pattern is a step of its own, kError: it is raised only when the matcher arrives there, as PUC
// Lua does, which reads patterns while it matches.
//
// Of a repetition the program knows two more things. `follow`: the step that the rest of the pattern begins
// with, when that has to consume a byte; the rest is tried only where this byte agrees. `is_decided`: no byte
// belongs to both the repeated item and that step, so all but one way to divide the subject between them
// fail, and matching goes on without a way back.
//
// Sets are bits of tables of 256 words, one bit for each set; classes ("%a") are bits of the C library's
// table for the current locale, or of its complement. So there is one test for both.
//
// Read next: pattern.h, the matcher.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mangata {

inline constexpr size_t kByteCount = 256;

/// All bytes, what "." stands for.
inline constexpr std::array<uint16_t, kByteCount> kAnyByte = [] {
  std::array<uint16_t, kByteCount> any{};
  any.fill(1);
  return any;
}();

/// Some of the 256 bytes: a single one, or those whose word in `table` has the bit `mask`.
struct ByteSet {
  const uint16_t* table = nullptr;  ///< null: only `byte`
  uint16_t mask = 0;  ///< some of the classes of CharacterClasses
  uint8_t byte = 0;  ///< of a single one

  bool is_single() const { return table == nullptr; }
  bool is_any() const { return table == kAnyByte.data(); }
  /// As a pattern tests a byte of the subject.
  bool contains(char c) const {
    const auto value = static_cast<uint8_t>(c);
    return table == nullptr ? value == byte : (table[value] & mask) != 0;
  }
  /// Some byte is in both.
  bool meets(const ByteSet& other) const;
};

enum class PatternOp : uint8_t {
  End,           ///< the pattern is used up: a match
  Literal,       ///< `length` bytes at `text`
  Item,          ///< one byte of `set`
  Star,          ///< "*": as many as possible
  Plus,          ///< "+"
  Lazy,          ///< "-": as few as possible
  Optional,      ///< "?"
  Open,          ///< "(": capture `index` begins
  OpenPosition,  ///< "()": capture `index` is the position
  Close,         ///< ")": capture `index` ends
  Balanced,      ///< "%bxy": x is text[0], y is text[1]
  Frontier,      ///< "%f" and `set`
  Reference,     ///< "%1": what capture `index` has
  EndOfSubject,  ///< a final "$"
  Error,         ///< `text`: what is wrong here, "@" for "%" and `index` + 1
};

struct PatternStep {
  PatternOp op;
  bool is_decided = false;  ///< of a repetition: only its end can go on, so it never gives anything back
  uint8_t follow_depth = 0;  ///< captures that open or close between this step and `follow`
  int8_t index = 0;  ///< of a capture, from 0
  uint32_t length = 0;  ///< of `text`, in bytes
  const PatternStep* follow = nullptr;  ///< of a repetition: what has to consume a byte behind it; null: nothing has to
  union {
    ByteSet set = {};
    const char* text;
  };

  /// What a step that has to consume begins with.
  ByteSet first_byte() const {
    return op == PatternOp::Literal ? ByteSet{.byte = static_cast<uint8_t>(*text)} : set;
  }
};

/// The classification of bytes by the C library in the current locale, and its complement, by _ISalpha and so
/// on.
struct CharacterClasses {
  const uint16_t* own;  ///< of a byte: its classes
  const uint16_t* complement;  ///< of a byte: those that it does not have
};

/// Who is asked now and then, while a long pattern is compiled, whether to go on: `bytes` are in use.
struct CompileWatch {
  bool (*goes_on)(void* context, size_t bytes) = nullptr;  ///< false: stop
  void* context = nullptr;  ///< its first argument
};

class PatternProgram {
 public:
  static constexpr int kMaxCaptures = 32;  ///< as LUA_MAXCAPTURES of lua5.4

  PatternProgram() = default;
  PatternProgram(const PatternProgram&) = delete;
  PatternProgram& operator=(const PatternProgram&) = delete;

  /// Replaces what the program was. `pattern` comes without its anchor "^" and need not outlive the call; the
  /// classes must. False: the watch has ended it, and the program is of no use.
  bool compile(std::string_view pattern, const CharacterClasses& classes, const CompileWatch& watch = {});

  std::string_view pattern() const { return pattern_; }
  const PatternStep* first() const { return steps_.data(); }
  /// The step that every match begins with, when it has to consume a byte; else null.
  const PatternStep* first_item() const { return first_item_; }
  /// How many captures a match has.
  int capture_count() const { return capture_count_; }

 private:
  friend class PatternCompiler;

  std::string pattern_;
  std::vector<PatternStep> steps_;
  std::vector<uint16_t> tables_;  ///< 256 words for each 16 sets
  const PatternStep* first_item_ = nullptr;
  int capture_count_ = 0;
};

}  // namespace mangata
