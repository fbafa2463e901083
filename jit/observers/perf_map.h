// --perf-map: /tmp/perf-PID.map, where `perf report` and `perf top` look for the names of code that is in no
// file.
//
// One line for each region: address and size in hexadecimal, and the name. The format cannot say that code is
// gone: of regions that lay at the same address at different times perf shows one. --jitdump keeps them
// apart.
#pragma once

#include <string>

#include "jit/observers/code_observer.h"

namespace mangata {

class PerfMap : public CodeObserver {
 public:
  explicit PerfMap(const std::string& directory = "/tmp");
  ~PerfMap() override;
  PerfMap(const PerfMap&) = delete;
  PerfMap& operator=(const PerfMap&) = delete;

  bool ok() const { return file_ >= 0; }
  const std::string& path() const { return path_; }

  void code_added(const CodeDescription& code) override;
  void code_removed(const uint8_t*) override {}

 private:
  std::string path_;
  int file_;  ///< written without a buffer: the map is complete however the process ends
};

}  // namespace mangata
