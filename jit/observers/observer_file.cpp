#include "jit/observers/observer_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace mangata {

ObserverFile::ObserverFile(const char* what, std::string path, int flags, ObserverFailure failed)
    : what_(what),
      path_(std::move(path)),
      failed_(std::move(failed)),
      file_(open(path_.c_str(), flags | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644)) {
  if (file_ < 0) fail();
}

ObserverFile::~ObserverFile() {
  if (is_open()) close(file_);
}

void ObserverFile::append(const void* bytes, size_t count) {
  const auto* next = static_cast<const char*>(bytes);
  while (is_open() && count > 0) {
    const ssize_t written = write(file_, next, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail();
    next += written;
    count -= static_cast<size_t>(written);
  }
}

void ObserverFile::fail() {
  const int error_number = errno;
  if (is_open()) close(file_);
  file_ = -1;
  if (failed_) failed_(what_ + " '" + path_ + "'", error_number);
}

}  // namespace mangata
