// From the text of a pattern to its program; see pattern_program.h.
#include "runtime/lib/pattern_program.h"

#include <cctype>

#include <array>
#include <climits>

namespace mangata {
namespace {

constexpr char kEscape = '%';
constexpr size_t kSetsPerTable = 16;

/// "%z", the NUL, is deprecated, but PUC Lua has it. The C library has no bit for it.
constexpr std::array<uint16_t, kByteCount> make_nul() {
  std::array<uint16_t, kByteCount> table{};
  table.fill(2);
  table[0] = 1;
  return table;
}
constexpr std::array<uint16_t, kByteCount> kNul = make_nul();

/// For each class letter the C library's bit of it ("%a" is isalpha and so on); 0: an ordinary character.
constexpr std::array<uint16_t, 26> make_class_bits() {
  std::array<uint16_t, 26> bits{};
  const auto set = [&bits](char letter, int bit) { bits[letter - 'a'] = static_cast<uint16_t>(bit); };
  set('a', _ISalpha);
  set('c', _IScntrl);
  set('d', _ISdigit);
  set('g', _ISgraph);
  set('l', _ISlower);
  set('p', _ISpunct);
  set('s', _ISspace);
  set('u', _ISupper);
  set('w', _ISalnum);
  set('x', _ISxdigit);
  return bits;
}
constexpr std::array<uint16_t, 26> kClassBits = make_class_bits();

/// "%letter": a class, or the character itself.
ByteSet class_of(char letter, const CharacterClasses& classes) {
  const auto code = static_cast<uint8_t>(letter);
  const bool is_complement = (code & 0x20) == 0;
  const unsigned index = (code | 0x20u) - 'a';
  if (index >= kClassBits.size()) return {.byte = code};
  if (index == 'z' - 'a') return {kNul.data(), static_cast<uint16_t>(is_complement ? 2 : 1)};
  const uint16_t bit = kClassBits[index];
  if (bit == 0) return {.byte = code};
  return {is_complement ? classes.complement : classes.own, bit};
}

bool is_repetition(PatternOp op) { return op >= PatternOp::Star && op <= PatternOp::Optional; }

}  // namespace

bool ByteSet::meets(const ByteSet& other) const {
  if (is_single()) return other.contains(static_cast<char>(byte));
  if (other.is_single()) return contains(static_cast<char>(other.byte));
  uint16_t common = 0;
  for (size_t i = 0; i < kByteCount; ++i) {
    const bool here = (table[i] & mask) != 0, there = (other.table[i] & other.mask) != 0;
    common = static_cast<uint16_t>(common | static_cast<uint16_t>(here & there));
  }
  return common != 0;
}

class PatternCompiler {
 public:
  PatternCompiler(PatternProgram& program, const CharacterClasses& classes, const CompileWatch& watch)
      : program_(program),
        classes_(classes),
        watch_(watch),
        at_(program.pattern_.data()),
        end_(at_ + program.pattern_.size()) {}

  bool compile() {
    program_.steps_.clear();
    size_t set_count = 0;
    for (const char* p = at_; p != end_ && worked(); ++p) set_count += *p == '[';
    const size_t words = (set_count + kSetsPerTable - 1) / kSetsPerTable * kByteCount;
    table_bytes_ = words * sizeof(uint16_t);
    if (!goes_on()) return false;
    program_.tables_.assign(words, 0);
    while (at_ != end_ && !has_failed_ && worked()) add_step();
    flush_literal();
    if (!has_failed_) add(PatternOp::End);
    program_.capture_count_ = begun_count_;
    look_ahead();
    return !is_stopped_;
  }

 private:
  static constexpr size_t kWorkBetweenLooks = 4096;

  /// Asks the watch; false once it has ended the compilation.
  bool goes_on() {
    if (is_stopped_) return false;
    const size_t bytes = table_bytes_ + program_.steps_.capacity() * sizeof(PatternStep);
    is_stopped_ = watch_.goes_on != nullptr && !watch_.goes_on(watch_.context, bytes);
    return !is_stopped_;
  }
  /// After each step, and each byte of a set: as goes_on(), which it asks now and then.
  bool worked() { return ++work_ % kWorkBetweenLooks == 0 ? goes_on() : !is_stopped_; }

  PatternStep& add(PatternOp op) {
    PatternStep& step = program_.steps_.emplace_back();
    step.op = op;
    return step;
  }
  /// Everything behind a flaw is never looked at.
  void fail(const char* message, int index = 0) {
    PatternStep& step = add(PatternOp::Error);
    step.text = message;
    step.index = static_cast<int8_t>(index);
    has_failed_ = true;
  }
  void flush_literal() {
    if (literal_ == nullptr) return;
    PatternStep& step = add(PatternOp::Literal);
    step.text = literal_;
    step.length = static_cast<uint32_t>(at_ - literal_);
    literal_ = nullptr;
  }

  void add_step() {
    const char c = *at_;
    const bool is_last = at_ + 1 == end_;
    if (c == '(' || c == ')' || (c == '$' && is_last)) {
      flush_literal();
      ++at_;
      if (c == '(') return open();
      if (c == ')') return close();
      add(PatternOp::EndOfSubject);
      return;
    }
    if (c == kEscape && !is_last) {
      const char kind = at_[1];
      if (kind == 'b' || kind == 'f' || (kind >= '0' && kind <= '9')) {
        flush_literal();
        at_ += 2;
        if (kind == 'b') return balanced();
        if (kind == 'f') return frontier();
        return reference(kind - '1');
      }
    }
    add_item();
  }

  void open() {
    const bool is_position = at_ != end_ && *at_ == ')';
    if (is_position) ++at_;
    if (begun_count_ == PatternProgram::kMaxCaptures) return fail("too many captures");
    is_unfinished_[begun_count_] = !is_position;
    add(is_position ? PatternOp::OpenPosition : PatternOp::Open).index = static_cast<int8_t>(begun_count_++);
  }

  void close() {
    int innermost = begun_count_ - 1;
    while (innermost >= 0 && !is_unfinished_[innermost]) --innermost;
    if (innermost < 0) return fail("invalid pattern capture");
    is_unfinished_[innermost] = false;
    add(PatternOp::Close).index = static_cast<int8_t>(innermost);
  }

  void balanced() {
    if (end_ - at_ < 2) return fail("malformed pattern (missing arguments to '%b')");
    add(PatternOp::Balanced).text = at_;
    at_ += 2;
  }

  void frontier() {
    if (at_ == end_ || *at_ != '[') return fail("missing '[' after '%f' in pattern");
    ByteSet set;
    if (read_set(&set)) add(PatternOp::Frontier).set = set;
  }

  void reference(int index) {
    if (index < 0 || index >= begun_count_ || is_unfinished_[index]) {
      return fail("invalid capture index @", index);
    }
    add(PatternOp::Reference).index = static_cast<int8_t>(index);
  }

  /// A class with its repetition. Plain characters that follow each other become one literal.
  void add_item() {
    const char* start = at_;
    if (*start != '[' && *start != '.' && *start != kEscape && !is_suffix(start + 1)) {
      if (literal_ == nullptr) literal_ = start;
      ++at_;
      if (at_ - literal_ == INT_MAX) flush_literal();
      return;
    }
    flush_literal();
    ByteSet set;
    if (*start == '[') {
      if (!read_set(&set)) return;
    } else if (*start == kEscape) {
      if (start + 1 == end_) return fail("malformed pattern (ends with '%')");
      set = class_of(start[1], classes_);
      at_ += 2;
    } else {
      set = *start == '.' ? ByteSet{kAnyByte.data(), 1} : ByteSet{.byte = static_cast<uint8_t>(*start)};
      ++at_;
    }
    PatternOp op = PatternOp::Item;
    if (is_suffix(at_)) {
      const char suffix = *at_++;
      op = suffix == '*'   ? PatternOp::Star
           : suffix == '+' ? PatternOp::Plus
           : suffix == '-' ? PatternOp::Lazy
                           : PatternOp::Optional;
    }
    add(op).set = set;
  }

  bool is_suffix(const char* p) const {
    return p != end_ && (*p == '*' || *p == '+' || *p == '-' || *p == '?');
  }

  /// "[set]" from its "[" on; false: it has none, or the watch has ended all. The first character belongs to the set even when it
  /// is a "]".
  bool read_set(ByteSet* set) {
    const size_t number = set_count_++;
    uint16_t* table = program_.tables_.data() + number / kSetsPerTable * kByteCount;
    const auto mask = static_cast<uint16_t>(1u << number % kSetsPerTable);
    *set = {table, mask};
    const char* p = at_ + 1;
    const bool is_complement = p != end_ && *p == '^';
    if (is_complement) ++p;
    const char* last = p;  // of the closing "]"
    do {
      if (last == end_) return fail("malformed pattern (missing ']')"), false;
      if (*last++ == kEscape && last != end_) ++last;
      if (!worked()) return false;
    } while (last == end_ || *last != ']');
    while (p < last) {
      if (!worked()) return false;
      if (*p == kEscape) {
        add_class(table, mask, class_of(p[1], classes_));
        p += 2;
      } else if (p[1] == '-' && p + 2 < last) {
        for (unsigned c = static_cast<uint8_t>(p[0]); c <= static_cast<uint8_t>(p[2]); ++c) table[c] |= mask;
        p += 3;
      } else {
        table[static_cast<uint8_t>(*p++)] |= mask;
      }
    }
    if (is_complement) {
      for (size_t c = 0; c < kByteCount; ++c) table[c] ^= mask;
    }
    at_ = last + 1;
    return true;
  }

  static void add_class(uint16_t* table, uint16_t mask, const ByteSet& members) {
    if (members.is_single()) {
      table[members.byte] |= mask;
      return;
    }
    for (size_t c = 0; c < kByteCount; ++c) {
      table[c] = static_cast<uint16_t>(table[c] | ((members.table[c] & members.mask) != 0 ? mask : 0));
    }
  }

  /// Finds for every repetition, and for the whole pattern, what it is followed by. The steps do not move any
  /// more.
  void look_ahead() {
    const PatternStep* follow = nullptr;
    uint8_t depth = 0;
    for (size_t i = program_.steps_.size(); i-- > 0 && worked();) {
      PatternStep& step = program_.steps_[i];
      if (is_repetition(step.op)) {
        step.follow = follow;
        step.follow_depth = depth;
        step.is_decided = follow != nullptr ? !step.set.meets(follow->first_byte())
                                            : is_decided_by_end(step.op, program_.steps_[i + 1 + depth].op);
      }
      const bool is_capture =
          step.op == PatternOp::Open || step.op == PatternOp::OpenPosition || step.op == PatternOp::Close;
      if (is_capture) {
        ++depth;
        continue;
      }
      const bool has_to_consume =
          step.op == PatternOp::Literal || step.op == PatternOp::Item || step.op == PatternOp::Plus;
      follow = has_to_consume ? &step : nullptr;
      depth = 0;
    }
    program_.first_item_ = follow;
  }

  static bool is_decided_by_end(PatternOp op, PatternOp next) {
    return next == PatternOp::EndOfSubject || (next == PatternOp::End && op != PatternOp::Lazy);
  }

  PatternProgram& program_;
  const CharacterClasses& classes_;
  const CompileWatch& watch_;
  const char* at_;
  const char* const end_;
  const char* literal_ = nullptr;  ///< where the run of plain characters began that ends here
  size_t set_count_ = 0;
  size_t table_bytes_ = 0;
  int begun_count_ = 0;
  bool is_unfinished_[PatternProgram::kMaxCaptures] = {};
  bool has_failed_ = false;
  size_t work_ = 0;
  bool is_stopped_ = false;
};

bool PatternProgram::compile(std::string_view pattern, const CharacterClasses& classes,
                             const CompileWatch& watch) {
  pattern_ = pattern;
  return PatternCompiler(*this, classes, watch).compile();
}

}  // namespace mangata
