// What debuggers and profilers are told about compiled code: the description of a region, and who listens.
//
// The owner of a region describes it once it is written and before its first run, and says when it goes.
// Nobody listens by default; CodeObservers::empty() saves making the description. Read next: perf_map.h,
// jitdump.h, gdb_registry.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mangata {

struct Instruction;

/// From `offset` to the next row, the code belongs to source line `line`.
struct CodeLine {
  uint32_t offset;  ///< in bytes from CodeDescription::start
  int line;  ///< in the source
};

/// From `offset` on, the code belongs to one instruction of the bytecode: at CodeDescription::bytecode + index; of a region, to the
/// instructions at CodeDescription::inlined[index].
struct CodePlace {
  static constexpr uint32_t kNone = UINT32_MAX;  ///< CodePlace::index of code that belongs to no instruction
  uint32_t offset;  ///< in bytes from CodeDescription::start
  uint32_t index;  ///< kNone: to none in particular
};

/// From `offset` on, the stack pointer in the caller is rsp (or rbp) + cfa_offset_bytes, and the return address lies
/// just below. If saved_register is a DWARF register number (rbx 3, rbp 6, r12 to r15 12 to 15), the
/// instruction before `offset` has pushed it.
struct CodeFrameRow {
  uint32_t offset;  ///< in bytes from CodeDescription::start
  uint32_t cfa_offset_bytes;  ///< distance to where the stack pointer was in the caller, before the call
  int saved_register = -1;  ///< -1: the instruction pushes none
  bool is_from_rbp = false;  ///< cfa_offset_bytes is
};

struct CodeDescription {
  const uint8_t* start = nullptr;  ///< where it runs
  size_t size_bytes = 0;  ///< of the code at `start`
  std::string name = {};             ///< "fib", "main chunk", "(entry)": see symbol_name
  std::string source = {};           ///< the file; empty: not from a file
  int line_defined = 0;              ///< 0: none (the main chunk, a trampoline)
  std::vector<CodeLine> lines = {};  ///< ascending offsets
  std::vector<CodeFrameRow> frame = {
      {0, 16}};  ///< ascending; by default that of a Lua function: rbx was pushed; empty: it is not known
  const Instruction* bytecode = nullptr;  ///< null: it belongs to no function
  std::vector<CodePlace> places = {};     ///< ascending offsets
  bool is_region = false;                 ///< optimized code: it keeps a frame pointer, and its base in none of the pinned registers
  std::vector<std::vector<const Instruction*>> inlined = {};  ///< of a region: what runs in its own frame, and in those inlined there
};

/// "lua:name@file:line", as far as known, without control characters; optimized code has a star before the name, as in V8's maps.
std::string symbol_name(const CodeDescription& code);

class CodeObserver {
 public:
  virtual ~CodeObserver() = default;
  /// Code is in place and is about to run. The description is good during the call.
  virtual void code_added(const CodeDescription& code) = 0;
  /// The region that starts at `start` was told of before and is about to be freed.
  virtual void code_removed(const uint8_t* start) = 0;
  /// So many bytes behind each region's code must be used by nothing else.
  virtual size_t spare_bytes() const { return 0; }
};

/// Told of a file that cannot be opened or written, once: what it is, and errno.
using ObserverFailure = std::function<void(const std::string& file, int error_number)>;

struct CodeObserverOptions {
  bool perf_map = false;  ///< --perf-map
  bool jitdump = false;   ///< --jitdump
  bool gdb = false;       ///< --gdb
  ObserverFailure failed = {};  ///< empty: nobody is told
};

/// All that the options ask for, as one.
class CodeObservers : public CodeObserver {
 public:
  CodeObservers() = default;
  explicit CodeObservers(const CodeObserverOptions& options);

  /// It hears of what is added from now on.
  void add(std::unique_ptr<CodeObserver> observer) { observers_.push_back(std::move(observer)); }
  bool empty() const { return observers_.empty(); }
  void code_added(const CodeDescription& code) override;
  void code_removed(const uint8_t* start) override;
  size_t spare_bytes() const override;

 private:
  std::vector<std::unique_ptr<CodeObserver>> observers_;
};

}  // namespace mangata
