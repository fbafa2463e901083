#include "jit/observers/code_observer.h"

#include <algorithm>

#include "jit/observers/gdb_registry.h"
#include "jit/observers/jitdump.h"
#include "jit/observers/perf_map.h"

namespace mangata {

std::string symbol_name(const CodeDescription& code) {
  std::string symbol = std::string(code.is_region ? "lua:*" : "lua:") + code.name;
  if (!code.source.empty()) symbol += "@" + code.source;
  if (code.line_defined != 0) symbol += ":" + std::to_string(code.line_defined);
  for (char& c : symbol) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F)
      c = '?';  // a source may be any string, with newlines
  }
  return symbol;
}

CodeObservers::CodeObservers(const CodeObserverOptions& options) {
  const auto add = [&](auto observer) {
    if (observer->ok()) observers_.push_back(std::move(observer));
  };
  if (options.perf_map) add(std::make_unique<PerfMap>("/tmp", options.failed));
  if (options.jitdump) add(std::make_unique<Jitdump>(".", options.failed));
  if (options.gdb) observers_.push_back(std::make_unique<GdbRegistry>());
}

void CodeObservers::code_added(const CodeDescription& code) {
  for (const auto& observer : observers_) observer->code_added(code);
}

size_t CodeObservers::spare_bytes() const {
  size_t most = 0;
  for (const auto& observer : observers_) most = std::max(most, observer->spare_bytes());
  return most;
}

void CodeObservers::code_removed(const uint8_t* start) {
  for (const auto& observer : observers_) observer->code_removed(start);
}

}  // namespace mangata
