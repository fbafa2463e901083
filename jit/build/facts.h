// What is known of the registers at one point of the code that is generated.
//
// [DESIGN] The value of a register is in its frame slot (Frame), or unboxed in variables of the generated
// function (jit/ir): one for the payload as an integer, one as a double, one for
// the tag. `kind` says which, and what the tag is. A register is *dirty* while its slot in the frame is older
// than the value: side exits and runtime calls store it there.
//
// Read next: lowering.h.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "jit/abi/frame_slot.h"
#include "jit/region/region_input.h"

namespace mangata::jit {

enum class Kind : uint8_t {
  Frame,  ///< in the frame only
  Any,    ///< payload and tag
  // The tag is known: these are the Tags, kFirstTag further on.
  Nil,
  False,
  True,
  Integer,
  Float,
  LightUserdata,
  String = 10,
  Table,
  LuaFunction,
  NativeFunction,
  Userdata,
  Thread,
};

inline constexpr uint8_t kFirstTag = static_cast<uint8_t>(Kind::Nil);
constexpr bool has_known_tag(Kind kind) { return kind > Kind::Any; }
constexpr bool has_payload(Kind kind) { return kind == Kind::Any || kind > Kind::True; }
constexpr bool is_number(Kind kind) { return kind == Kind::Integer || kind == Kind::Float; }
/// Precondition: has_known_tag(kind).
constexpr Tag tag_of(Kind kind) { return static_cast<Tag>(static_cast<uint8_t>(kind) - kFirstTag); }
/// Any for Tag::Frame, which no value has.
constexpr Kind kind_of(Tag tag) {
  return tag == Tag::Frame ? Kind::Any : static_cast<Kind>(static_cast<uint8_t>(tag) + kFirstTag);
}
/// Precondition: is_single(tags).
constexpr Kind kind_of_only(TagMask tags) { return kind_of(static_cast<Tag>(std::countr_zero(tags))); }
static_assert(kind_of(Tag::Nil) == Kind::Nil && kind_of(Tag::LightUserdata) == Kind::LightUserdata &&
              kind_of(Tag::String) == Kind::String && kind_of(Tag::Thread) == Kind::Thread);

struct Fact {
  Kind kind = Kind::Frame;
  bool dirty = false;
  uint8_t elements = kUnknownElements;  ///< of a table: its ElementKind
  const Shape* shape = nullptr;         ///< of a table, when known
  const Proto* method = nullptr;        ///< of a function, what it probably is
  uint8_t new_slots = kNotNew;          ///< of a table without a metatable that was made here: room for so many properties
  int8_t replaced_table = kReal;        ///< of a table that exists only here: its index in State::tables
  bool is_constant = false;             ///< the payload is known, too: it is what the cell has
  uint64_t constant = 0;

  static constexpr int8_t kReal = -1;
  static constexpr uint8_t kUnknownElements = 0xff;
  static constexpr uint8_t kNotNew = 0xff;

  /// It is the same table.
  void know_table_of(const Fact& other) {
    shape = other.shape;
    elements = other.elements;
    new_slots = other.new_slots;
  }
  /// Of a payload.
  void know_constant(uint64_t value) { is_constant = true, constant = value; }
  void forget_constant() { is_constant = false, constant = 0; }
  friend bool operator==(const Fact&, const Fact&) = default;
};

/// A call that has been replaced by the function's body; the first is the region's own frame.
struct InlineFrame {
  const RegionFunction* function = nullptr;
  FrameSlot base{};   ///< of its R[0]
  int return_pc = 0;  ///< in the caller
  int wanted = 0;     ///< results
  bool is_tail_called = false;
  FrameSlot result_slot = kCalled;  ///< of a metamethod: its result goes there, or is not wanted
  int varargs = 0;                  ///< so many lie below its function (vm/object/frame.h)
  static constexpr FrameSlot kCalled = kNoFrameSlot;  ///< no metamethod
  static constexpr FrameSlot kNoResult{-2};
  FrameSlot end() const { return base + function->register_count; }  ///< behind its registers
  FrameSlot callee_slot() const { return base - kCallOverheadSlots; }  ///< of its function
  FrameSlot vararg(int i) const { return callee_slot() - varargs + i; }
  /// Where its caller has put the function, and wants the results.
  FrameSlot origin() const { return varargs == 0 ? callee_slot() : callee_slot() - varargs - function->parameter_count - kCallOverheadSlots; }
  /// Of the instructions of its function. A vararg frame is where it belongs already.
  int first_pc() const { return function->proto->is_vararg ? 1 : 0; }
  uint32_t header_flags() const { return is_tail_called ? uint32_t{FrameHeader::kTailCalled} : 0; }
  friend auto operator<=>(const InlineFrame&, const InlineFrame&) = default;
};

/// A table that exists only in the region (replaced_tables.h). Its properties or its elements are values in cells of their own, as
/// registers are.
struct ReplacedTable {
  static constexpr int kMostFields = 8;
  const Shape* shape = nullptr;  ///< null: there is no such table
  uint8_t room = 0;              ///< for so many properties, when it is made; 0: it is for elements
  uint8_t expected = 0;          ///< so many of these
  const Table* metatable = nullptr;  ///< null: it has none
  std::array<Fact, kMostFields> fields;  ///< Kind::Frame: it lacks that property or element yet
  int count() const {
    int number = 0;
    while (number < kMostFields && fields[static_cast<size_t>(number)].kind != Kind::Frame) ++number;
    return number;
  }
  friend bool operator==(const ReplacedTable&, const ReplacedTable&) = default;
};

struct State {
  std::vector<Fact> slots;  ///< by FrameSlot
  std::vector<InlineFrame> frames;
  std::vector<ReplacedTable> tables;
  /// After a call with an open number of results, until they are consumed by the next instruction: the slot behind the last.
  FrameSlot open_end = kNoFrameSlot;
  /// Where events are counted: so many may happen yet before it is looked whether there are more (event_counter.h),
  int reserved_events = 0;
  int uncounted_events = 0;  ///< and so many have happened that are not counted yet.

  const InlineFrame& top() const { return frames.back(); }
  /// There are slots up to `end`.
  void reach(FrameSlot end) { slots.resize(std::max(slots.size(), static_cast<size_t>(end))); }
  /// Slots that are read yet, by whoever runs on at `pc` and by its callers.
  template <typename Visit>
  void for_each_live_slot(int pc, Visit visit) const {
    for (size_t i = 0; i < frames.size(); ++i) {
      const InlineFrame& frame = frames[i];
      const bool is_top = i + 1 == frames.size();
      const RegisterSet& live = frame.function->live[static_cast<size_t>(is_top ? pc : frames[i + 1].return_pc)];
      for (int vararg = 0; vararg < frame.varargs; ++vararg) visit(frame.vararg(vararg));
      if (i > 0) visit(frame.callee_slot());
      // Of a caller, what lies above the callee's function is the callee's.
      const FrameSlot end = is_top ? frame.end() : frames[i + 1].origin();
      for (FrameSlot slot = frame.base; slot < end; ++slot) {
        if (live.test(static_cast<size_t>(slot - frame.base))) visit(slot);
      }
    }
    // Open values may be more than there are registers.
    for (FrameSlot slot = top().end(); slot < open_end; ++slot) visit(slot);
  }
  /// Of registers, and of the properties of scalar-replaced tables.
  template <typename Visit>
  void for_each_fact(Visit visit) {
    for (Fact& fact : slots) visit(fact);
    for (ReplacedTable& table : tables) {
      for (Fact& field : table.fields) visit(field);
    }
  }
  bool is_inlined() const { return frames.size() > 1; }
};

/// Whether code generated for `general` may be entered with `special`.
bool covers(const Fact& general, const Fact& special);
bool all_cover(const State& general, const State& special);
Fact join(const Fact& a, const Fact& b);

/// The scalar-replaced tables that can be reached from the table `id`, that first.
std::vector<int> reachable_tables(const State& state, int id);
/// Those that no register leads to are no more.
void drop_unreachable_tables(State* state);

}  // namespace mangata::jit
