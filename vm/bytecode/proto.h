// A function prototype: the compiled form of one Lua function, shared by its closures.
//
// A Proto is a heap object with C++ members; the collector runs its destructor. original_code is immutable once a function can
// run; profiling adds instrumented versions of it (vm/bytecode/code_version.h), one of which is installed.
//
// Read next: vm/bytecode/opcodes.def, vm/interpreter/interpreter.h.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vm/bytecode/code_version.h"
#include "vm/bytecode/instruction.h"
#include "vm/object/object.h"
#include "vm/object/shape.h"
#include "vm/value/value.h"

namespace mangata {

/// How a closure gets one upvalue when it is created.
struct UpvalueDescription {
  String* name;        ///< null when stripped
  bool from_parent_register;  ///< captured from the register `index` of the enclosing function, else from its upvalue `index`
  uint8_t index;  ///< of a register or of an upvalue
  uint8_t kind;        ///< LocalKind of the variable
};

/// A local variable's scope, for debug information.
struct LocalVariable {
  String* name;  ///< null when stripped
  int32_t start_pc;  ///< first pc where it is active
  int32_t end_pc;    ///< first pc where it is dead
};

/// Where in its line (Proto::lines) the condition of a branch stands, the header of a `for` (of its branches), or what a loop begins
/// with (of its backedge; in the line of the first instruction): for those who tell paths of a program.
struct BranchPosition {
  OriginalPc pc;   ///< of the branch
  int32_t column;  ///< of its first byte, from 1
  int32_t length;  ///< of its text in bytes
};

/// What one table access or method call site has seen. Weak: the collector clears entries whose objects die.
struct InlineCache {
  enum Kind : uint8_t {
    kEmpty,
    kOwn,         ///< get or set: the key is property `slot` of tables with `shape`
    kAdd,         ///< set: tables with `shape` lack the key (and __newindex); storing makes `new_shape`, property `slot`
    kMetatable,   ///< get: absent in `shape`; found in `holder` (reached by __index tables) with `holder_shape` at `slot`
    kDictionary,  ///< get or set: the table is in dictionary mode and the key was at node `slot`
    kMetatableDictionary,  ///< as kMetatable, but `holder` is in dictionary mode and `slot` a node of its hash part
    kAbsent,      ///< get: absent in `shape` and in all that __index leads to from there: the result is nil
    kHandler,     ///< get or set: absent in `shape`; a Lua function is called, __index or __newindex of the table (`holder` null)
                  ///< or of `holder`: in metatables with `holder_shape` it is property `slot`
  };
  Shape* shape = nullptr;
  union {
    Shape* new_shape = nullptr;  ///< kAdd
    Shape* holder_shape;         ///< kMetatable, kHandler
  };
  Table* holder = nullptr;  ///< kHandler, kMetatable: the table that has the property
  uint32_t slot = 0;  ///< of the property, among those of the table or of `holder`
  uint32_t epoch = 0;     ///< kMetatable*, kAbsent, kAdd: valid while equal to shape->root->epoch
  Kind kind = kEmpty;
  uint8_t miss_count = 0;  ///< tables of other shapes than it was about
  /// A site that met so many keeps what it knows, and goes to the shared cache with all others (vm/interpreter/inline_cache.h).
  static constexpr uint8_t kMaxMisses = 8;
  bool is_full() const { return miss_count >= kMaxMisses; }
};

/// Type feedback of one instruction: bits written by slow paths only; later tiers read them.
enum FeedbackBit : uint8_t {
  kSawInteger = 1,
  kSawFloat = 2,
  kSawString = 4,
  kSawMetamethod = 8,
  kSawMixed = 16,     ///< an integer and a float met
  kSawOther = 32,
};

/// Entries of compiled code: one for each small number of arguments, and one for all.
inline constexpr int kNativeEntries = 5;

struct Proto : Object {
  // What calls, returns and handlers read, together.
  const Instruction* code = nullptr;            ///< of the installed version: what calls run
  uint8_t parameter_count = 0;
  bool is_vararg = false;
  uint8_t max_stack_slots = 2;                  ///< registers of a frame; at most 254
  CompiledCode* compiled = nullptr;             ///< of the installed version (jit/abi/compiled_code.h); null: interpreted
  /// What compiled code calls with so many arguments, the last with any number, in ecx: compiled code or a way into the
  /// interpreter.
  const void* native_entries[kNativeEntries] = {};
  int32_t entry_countdown = INT32_MAX;          ///< interpreted calls until TierHooks::function_is_hot
  int32_t loop_countdown = INT32_MAX;           ///< interpreted backedges until TierHooks::loop_is_hot
  std::vector<Value> constants;
  std::vector<InlineCache> caches;
  std::vector<InlineCache> second_caches;       ///< of compiled functions: by site, a second shape that it meets
  PathCounters* path_counters = nullptr;        ///< of the installed version; null: it has no events
  CodeVersion* version = nullptr;               ///< the installed one; null while there is only original_code

  std::vector<Instruction> original_code;  ///< as compiled from source; pcs that leave this process are of it
  std::vector<std::unique_ptr<CodeVersion>> versions;  ///< the original first; empty while there is no other
  std::vector<Proto*> nested;  ///< functions that stand in this one, by the operand of Closure
  std::vector<UpvalueDescription> upvalues;  ///< by index, as closures have them
  std::vector<int32_t> lines;                   ///< source line of every instruction of original_code; empty when stripped
  std::vector<LocalVariable> locals;  ///< by start_pc
  std::vector<BranchPosition> branch_positions;  ///< ascending; empty unless TierHooks::text_compiling asked for them
  std::vector<Object*> pinned;                  ///< what optimized code of the function refers to; never null
  std::vector<uint8_t> feedback;                ///< FeedbackBits of every instruction of original_code
  String* source = nullptr;                     ///< chunk name as given to load ("@file", "=name", or text); null when stripped: "=?"
  int32_t line_defined = 0;                     ///< 0 for a main chunk
  int32_t last_line_defined = 0;  ///< of its `end`; 0 for a main chunk
  int32_t column_defined = 0;                   ///< of `function` in line_defined, where several functions begin in it; else, or when not noted, 0
  uint32_t id = 0;                              ///< unique in a Vm, in order of creation

  /// The second cache of a site; null while the function was never compiled.
  InlineCache* second_cache(size_t index) { return second_caches.empty() ? nullptr : &second_caches[index]; }
  /// The pc in original_code of an instruction of any version.
  OriginalPc original_pc(const Instruction* instruction) const {
    return version == nullptr ? OriginalPc(instruction - code) : original_pc_in_version(instruction);
  }
  OriginalPc original_pc_in_version(const Instruction* instruction) const;
  int code_length() const { return version == nullptr ? static_cast<int>(original_code.size()) : version->length; }
  /// Whether a frame stopped at `pc` has not executed anything.
  bool is_start(const Instruction* pc) const { return pc == code || (version != nullptr && pc == version_at(pc)->code); }
  /// The version that has this instruction; null while there is only original_code.
  const CodeVersion* version_at(const Instruction* pc) const;
  /// What the PathEvents around `pc` count in.
  PathCounters* counters_at(const Instruction* pc) const {
    return version->contains(pc) ? path_counters : version_at(pc)->counters;
  }
  /// The machine code that a frame stopped at `pc` can go on in.
  CompiledCode* compiled_at(const Instruction* pc) const {
    return version == nullptr || version->contains(pc) ? compiled : version_at(pc)->compiled;
  }
  int line_at(OriginalPc pc) const { return lines.empty() ? -1 : lines[value_of(pc)]; }
};

}  // namespace mangata
