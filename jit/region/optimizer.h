// The optimizing compiler, as the engine sees it: a module that is loaded when the first region is to be
// compiled.
//
// [DESIGN] LLVM lives in mangata-orc.so and nowhere else: linked with the executable it would cost each start
// many milliseconds. Both are built from the same sources, which their version and kOptimizerLayout check. Without the module
// the engine works with two tiers. The module is never unloaded: LLVM's global state does not survive that.
//
// Read next: jit/region/region_input.h, jit/region/README.md.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "jit/abi/region_runtime.h"
#include "jit/region/region_input.h"

namespace mangata::jit {

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Compiles the region. For one thread at a time.
  virtual RegionCode compile(const RegionInput& input) = 0;
  /// Frees the code that compile() has returned with this entry; nothing runs it.
  virtual void release(RegionCode::Entry entry) = 0;
};

/// Of what is passed in memory, the calls and the opcodes, by their tables; a module with another one was built from other sources.
inline constexpr size_t kOptimizerLayout = [] {
  size_t hash = 14695981039346656037u;  // FNV-1a
  const auto add = [&hash](size_t number) { hash = (hash ^ number) * 1099511628211u; };
  const auto add_text = [&add](std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
  };
  for (const size_t size : {sizeof(RegionInput), sizeof(RegionFunction), sizeof(SiteTypes), sizeof(ExitSite), sizeof(RegionCode),
                            sizeof(RegionRuntime), sizeof(FieldCase)}) {
    add(size);
  }
#define RUNTIME_CALL(name, function, is_safepoint, result, parameters) add_text(#name #is_safepoint #result #parameters);
#define OPCODE_CALL(op, function) add_text(#op);
#include "jit/abi/region_runtime.def"
#define OP(name, ...) add_text(#name #__VA_ARGS__);
#include "vm/bytecode/opcodes.def"
  return hash;
}();
inline constexpr const char* kOptimizerSymbol = "mangata_make_optimizer";
using MakeOptimizer = Optimizer* (*)(const char* version, size_t layout, const RegionRuntime* runtime, std::string* error);

/// Loads the module: from the directory of the executable, from ../lib/mangata beside it, or MANGATA_ORC if
/// that is set. Null: *error says why.
std::unique_ptr<Optimizer> load_optimizer(std::string* error);

}  // namespace mangata::jit
