// What lies at an address: which machine code, and which instruction of which function's bytecode.
//
// Invariant: everything in these maps is alive. Whoever is about to free code or a prototype has the samples resolved before
// (TimeSampler), so an address in a sample means what it meant when the sample was taken.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>

#include "jit/observers/code_observer.h"
#include "vm/bytecode/pc.h"

namespace mangata {

struct Instruction;
struct Proto;

/// An instruction of a function, by its place in the code as compiled from source.
struct BytecodePlace {
  const Proto* proto = nullptr;  ///< null: there is none
  OriginalPc pc{-1};
};

/// The bytecode of all living functions, in all versions.
class BytecodeMap {
 public:
  /// All versions that it has.
  void add(const Proto& proto);
  /// Precondition: it was added.
  void remove(const Proto& proto);
  /// Of the instruction at `address`, which may be any number: then of none.
  BytecodePlace find(const Instruction* address) const;

 private:
  struct Range {
    const Proto* proto;
    uintptr_t end;
  };
  std::map<uintptr_t, Range> ranges_;  ///< by where they begin
};

/// All machine code, as its owners describe it.
class CodeMap {
 public:
  /// The description is copied.
  void add(const CodeDescription& code);
  /// Code that begins there; none does: nothing happens.
  void remove(const uint8_t* start);

  struct Place {
    bool is_known = false;   ///< there is code
    bool is_region = false;  ///< else baseline code
    std::span<const Instruction* const> inlined;  ///< of a region: what runs, the outermost frame first; may be empty
    const Instruction* instruction = nullptr;     ///< of baseline code; null: none in particular
  };
  /// Of the instruction that runs at the address.
  Place find(const uint8_t* address) const;

 private:
  struct Code {
    size_t bytes = 0;
    const Instruction* bytecode = nullptr;
    std::vector<CodePlace> places;
    std::vector<std::vector<const Instruction*>> inlined;
    bool is_region = false;
  };
  std::map<const uint8_t*, Code> codes_;
};

/// Keeps a CodeMap true.
class CodeMapObserver : public CodeObserver {
 public:
  using Added = std::function<void(const CodeDescription&)>;
  using Removed = std::function<void(const uint8_t* start)>;
  /// `about_to_remove` is called in front of each removal.
  CodeMapObserver(CodeMap& map, Added added, Removed about_to_remove)
      : map_(map), added_(std::move(added)), about_to_remove_(std::move(about_to_remove)) {}
  void code_added(const CodeDescription& code) override;
  void code_removed(const uint8_t* start) override;

 private:
  CodeMap& map_;
  Added added_;
  Removed about_to_remove_;
};

}  // namespace mangata
