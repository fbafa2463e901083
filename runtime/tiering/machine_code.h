// The JIT as tiering uses it; in a build without one, machine code that never comes into being.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "runtime/options.h"
#include "vm/vm.h"

namespace mangata {

class MachineCode {
 public:
  /// Null: this machine has none.
  static std::unique_ptr<MachineCode> make(Vm& vm, const Options& options);
  virtual ~MachineCode() = default;

  virtual void adopt(Proto& proto) = 0;
  /// Of the version in force. False: the code cache is full.
  virtual bool compile(Proto& proto) = 0;
  virtual void version_changed(Proto& proto) = 0;
  virtual void release(Proto& proto) = 0;
  /// Nothing enters the machine code of `proto` any more; frames that are in it go on.
  virtual void retire(Proto& proto) = 0;
  /// Frees what was retired and no frame is in. Called from a native function.
  virtual void free_retired() = 0;
  /// Code compiled from now on counts calls, too, down in Vm::poll_countdown.
  virtual void count_calls() = 0;
  /// Frames leave compiled code after one of `period` runtime calls, at random.
  virtual void leave_often(uint32_t period, uint64_t seed) = 0;
  virtual std::optional<std::string> dump(const Proto& proto, std::string* error) = 0;

  /// Bytes of all versions of a function.
  virtual size_t code_bytes(const Proto& proto) const = 0;
  virtual size_t bytes_used() const = 0;
  virtual size_t bytes_limit() const = 0;
};

}  // namespace mangata
