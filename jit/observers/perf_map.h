// --perf-map: /tmp/perf-PID.map, where `perf report` and `perf top` look for the names of code that is in no
// file.
//
// One line for each region: address and size in hexadecimal, and the name. The format cannot say that code is
// gone, and rows of freed code stay, as in V8's maps: of regions that lay at the same address at different times perf
// shows one. --jitdump keeps them apart.
#pragma once

#include <string>

#include "jit/observers/observer_file.h"

namespace mangata {

class PerfMap : public CodeObserver {
 public:
  /// `directory` is where perf-PID.map is written.
  explicit PerfMap(const std::string& directory = "/tmp", ObserverFailure failed = {});

  bool ok() const { return file_.is_open(); }
  const std::string& path() const { return file_.path(); }

  void code_added(const CodeDescription& code) override;
  void code_removed(const uint8_t*) override {}

 private:
  ObserverFile file_;
};

}  // namespace mangata
