#include "runtime/tiering/machine_code.h"

#include <cstdio>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/code_in_use.h"
#if defined(MANGATA_HAS_JIT)
#include "jit/jit.h"
#include "jit/machine_code_dump.h"
#endif

namespace mangata {

#if defined(MANGATA_HAS_JIT)

namespace {

class JitCode : public MachineCode {
 public:
  JitCode(Vm& vm, size_t max_code_bytes, CodeObservers observers)
      : vm_(vm), limit_(max_code_bytes), jit_(vm, max_code_bytes, std::move(observers)) {}
  bool ok() const { return jit_.ok(); }

  void adopt(Proto& proto) override { jit_.adopt(proto); }
  bool compile(Proto& proto) override { return jit_.compile(proto); }
  void version_changed(Proto& proto) override { jit_.version_changed(proto); }
  void release(Proto& proto) override { jit_.release(proto); }
  void retire(Proto& proto) override { jit_.retire(proto); }
  void free_retired() override { jit_.free_retired(code_in_use(vm_)); }
  void count_calls() override { jit_.count_calls(); }
  void leave_often(uint32_t period, uint64_t seed) override { jit_.leave_often(period, seed); }
  std::optional<std::string> dump(const Proto& proto, std::string* error) override {
    return jit::dump_machine_code(proto, jit_.thunks(), error);
  }

  size_t code_bytes(const Proto& proto) const override {
    size_t bytes = bytes_of(proto.compiled);
    for (const auto& version : proto.versions) bytes += bytes_of(version->compiled);
    return bytes;
  }
  size_t bytes_used() const override { return jit_.cache().used_bytes(); }
  size_t bytes_limit() const override { return limit_; }

 private:
  static size_t bytes_of(const CompiledCode* code) { return code == nullptr ? 0 : code->code_bytes; }

  Vm& vm_;
  size_t limit_;
  jit::Jit jit_;
};

}  // namespace

std::unique_ptr<MachineCode> MachineCode::make(Vm& vm, const Options& options) {
  std::string error;
  CodeObservers observers({.perf_map = options.perf_map, .jitdump = options.jitdump, .gdb = options.gdb}, &error);
  if (!error.empty()) std::fprintf(stderr, "mangata: %s\n", error.c_str());
  auto code = std::make_unique<JitCode>(vm, options.max_code_bytes, std::move(observers));
  if (!code->ok()) return nullptr;
  return code;
}

#else

std::unique_ptr<MachineCode> MachineCode::make(Vm&, const Options&) { return nullptr; }

#endif

}  // namespace mangata
