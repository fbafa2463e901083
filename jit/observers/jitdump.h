// --jitdump: jit-PID.dump in the current directory, perf's format for code that comes and goes, with lines
// and bytes.
//
//   perf record -k 1 mangata --jitdump script.lua      (-k 1: the clock of the dump)
//   perf inject --jit -i perf.data -o perf.jit.data
//   perf report -i perf.jit.data                        (perf annotate shows the machine code and the Lua
//   lines)
//
// With perf record --call-graph dwarf -k 1, the same leads through compiled code to who called it: unwinding data
// is written for each region whose frames are known, and costs the program nothing.
//
// Format: tools/perf/Documentation/jitdump-specification.txt of Linux. Each region is a debug record, an unwinding
// record and a load record. perf finds the file because the process maps it executable.
#pragma once

#include <string>

#include "jit/observers/byte_writer.h"
#include "jit/observers/observer_file.h"

namespace mangata {

class Jitdump : public CodeObserver {
 public:
  /// `directory` is where jit-PID.dump is written.
  explicit Jitdump(const std::string& directory = ".", ObserverFailure failed = {});
  ~Jitdump() override;
  Jitdump(const Jitdump&) = delete;
  Jitdump& operator=(const Jitdump&) = delete;

  bool ok() const { return marker_ != nullptr; }
  const std::string& path() const { return file_.path(); }

  void code_added(const CodeDescription& code) override;
  /// The format needs no record: a region loaded later at the same address replaces this one.
  void code_removed(const uint8_t*) override {}
  /// perf finds unwinding data at addresses behind the code, and takes them from whatever else is said to be there.
  size_t spare_bytes() const override { return kSpareBytes; }

 private:
  static constexpr size_t kSpareBytes = 192;

  void write_header();
  void write_lines(const CodeDescription& code);
  void write_frames(const CodeDescription& code);
  void write_code(const CodeDescription& code);
  void append(const ByteWriter& bytes);

  ObserverFile file_;
  void* marker_ = nullptr;  ///< the mapping by which perf finds the file
  uint64_t code_index_ = 0;
};

}  // namespace mangata
