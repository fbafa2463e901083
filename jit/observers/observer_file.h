// A file that an observer of code writes as it goes, without a buffer: it is complete however the process
// ends.
#pragma once

#include <string>

#include "jit/observers/code_observer.h"

namespace mangata {

class ObserverFile {
 public:
  /// `what` is how a failure calls it: "perf map". `flags` are those of open(2), besides the ones that make a
  /// new file.
  ObserverFile(const char* what, std::string path, int flags, ObserverFailure failed);
  ~ObserverFile();
  ObserverFile(const ObserverFile&) = delete;
  ObserverFile& operator=(const ObserverFile&) = delete;

  bool is_open() const { return file_ >= 0; }
  int descriptor() const { return file_; }
  const std::string& path() const { return path_; }
  /// All of it, or the file is closed: a reader would take what follows a gap for something else.
  void append(const void* bytes, size_t count);
  /// Closes the file and tells of it, by errno.
  void fail();

 private:
  std::string what_, path_;
  ObserverFailure failed_;
  int file_;
};

}  // namespace mangata
