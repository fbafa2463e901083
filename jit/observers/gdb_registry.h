// --gdb: compiled code as gdb sees it: names, source lines, and frames that it can unwind.
//
// The GDB JIT interface (GDB manual, "JIT Compilation Interface"): each region gets an object file in memory
// (code_object.h), linked into the list __jit_debug_descriptor; gdb has a breakpoint in
// __jit_debug_register_code and reads the list there. lldb does the same.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "jit/observers/code_observer.h"

namespace mangata {

class GdbRegistry : public CodeObserver {
 public:
  GdbRegistry();
  ~GdbRegistry() override;
  GdbRegistry(const GdbRegistry&) = delete;
  GdbRegistry& operator=(const GdbRegistry&) = delete;

  void code_added(const CodeDescription& code) override;
  void code_removed(const uint8_t* start) override;

 private:
  struct Entry;
  std::unordered_map<const uint8_t*, std::unique_ptr<Entry>> entries_;
};

}  // namespace mangata
