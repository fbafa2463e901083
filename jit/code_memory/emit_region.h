// From an assembler's buffer to a region of the code cache.
#pragma once

#include <asmjit/core.h>

#include <optional>

#include "jit/code_memory/code_cache.h"

namespace mangata::jit {

/// The errors of an assembler. Code behind one is wrong, and an assembler goes on, so none may be missed: emit_region() refuses
/// code of a holder that has met one.
class EmitErrors : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { any_ = true; }
  /// For all that is emitted into `holder` by `emitter`. False: there is no memory.
  bool attach(asmjit::CodeHolder& holder, asmjit::BaseEmitter& emitter) {
    if (holder.init(asmjit::Environment::host()) != asmjit::kErrorOk) return false;
    holder.setErrorHandler(this);
    return holder.attach(&emitter) == asmjit::kErrorOk;
  }
  bool any() const { return any_; }

 private:
  bool any_ = false;
};

/// Copies the finished code of `holder` into a new region. Empty: no room, no memory, or a label was never bound (a bug).
///
/// The holder must be initialised without a base address: given one, asmjit encodes calls of the runtime relative to it at
/// once, and they would go astray in a region that starts elsewhere. Without one each call is relocated here, to a 6-byte
/// `call rel32` where the runtime is near, else to a call through a table of addresses behind the code.
std::optional<CodeRegion> emit_region(CodeCache& cache, asmjit::CodeHolder& holder, const EmitErrors& errors);

}  // namespace mangata::jit
