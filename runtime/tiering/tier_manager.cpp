#include "runtime/tiering/tier_manager.h"

#include <cstdio>
#include <string>
#include <utility>

#include "vm/bytecode/proto.h"
#if defined(MANGATA_HAS_JIT)
#include "jit/jit.h"
#include "jit/machine_code_dump.h"
#else
namespace mangata::jit {
class Jit {};
}  // namespace mangata::jit
#endif

namespace mangata {

TierManager::TierManager([[maybe_unused]] Vm& vm, const Options& options)
    : policy_(options.policy), stress_(options.stress), random_(options.stress.seed) {
  if (policy_.kind == PolicySpec::Kind::Interpreter) return;
#if defined(MANGATA_HAS_JIT)
  std::string error;
  CodeObservers observers({.perf_map = options.perf_map, .jitdump = options.jitdump, .gdb = options.gdb}, &error);
  if (!error.empty()) std::fprintf(stderr, "mangata: %s\n", error.c_str());
  auto jit = std::make_unique<jit::Jit>(vm, options.max_code_bytes, std::move(observers));
  if (!jit->ok()) return;
  if (stress_.kind == StressSpec::Kind::Resume) jit->leave_often(1, stress_.seed);
  if (stress_.kind == StressSpec::Kind::Schedule) jit->leave_often(8, stress_.seed);
  jit_ = std::move(jit);
#endif
}

TierManager::~TierManager() = default;

/// SplitMix64.
static uint64_t next_random(uint64_t* state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

void TierManager::set_countdowns(Proto& proto) {
  switch (stress_.kind) {
    case StressSpec::Kind::Schedule:
      proto.entry_countdown = static_cast<int32_t>(next_random(&random_) % 6);
      proto.loop_countdown = static_cast<int32_t>(next_random(&random_) % 12);
      return;
    case StressSpec::Kind::Resume:
      proto.entry_countdown = 0;
      proto.loop_countdown = 0;
      return;
    case StressSpec::Kind::None: break;
  }
  if (policy_.kind == PolicySpec::Kind::Baseline) {
    proto.entry_countdown = 0;
    proto.loop_countdown = 0;
  } else {
    proto.entry_countdown = policy_.entry;
    proto.loop_countdown = policy_.loop;
  }
}

void TierManager::proto_created([[maybe_unused]] Proto& proto) {
  if (jit_ == nullptr) return;
#if defined(MANGATA_HAS_JIT)
  jit_->adopt(proto);
#endif
  set_countdowns(proto);
}

void TierManager::proto_destroyed([[maybe_unused]] Proto& proto) {
#if defined(MANGATA_HAS_JIT)
  if (jit_ != nullptr) jit_->release(proto);
#endif
}

void TierManager::compile(Proto& proto) {
  if (jit_ == nullptr) return;
  // Asked again only about loops: a frame that went on in the interpreter can come back at its next backedge.
  if (proto.compiled != nullptr) {
    set_countdowns(proto);
    return;
  }
#if defined(MANGATA_HAS_JIT)
  if (jit_->compile(proto)) set_countdowns(proto);
#endif
}

std::optional<std::string> TierManager::dump_machine_code([[maybe_unused]] Proto& proto, std::string* error) {
  if (jit_ == nullptr) {
    *error = "there is no machine code: with --policy=interpreter, or on this machine";
    return {};
  }
#if defined(MANGATA_HAS_JIT)
  compile(proto);
  if (proto.compiled != nullptr) return jit::dump_machine_code(proto, jit_->thunks(), error);
#endif
  *error = "the code cache is full (--max-code)";
  return {};
}

}  // namespace mangata
