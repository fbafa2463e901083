#include "runtime/output/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "runtime/output/output_name.h"

namespace mangata {
namespace {

/// All of it: 0, or an errno.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

/// The same, and closes it.
int write_and_close(int file, std::string_view text) {
  const int failure = write_all(file, text);
  return close(file) != 0 && failure == 0 ? errno : failure;
}

int write_directly(const std::string& name, std::string_view text) {
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return file < 0 ? errno : write_and_close(file, text);
}

/// What a new file may be read and written by.
mode_t default_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/// The file that `name` stands for, behind symbolic links.
std::string target_of(const std::string& name) {
  char* resolved = realpath(name.c_str(), nullptr);
  if (resolved == nullptr) return name;
  const std::string target = resolved;
  std::free(resolved);
  return target;
}

int replace(const std::string& name, mode_t mode, std::string_view text) {
  std::string temporary = name + ".XXXXXX";
  const int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return write_directly(name, text);
  int failure = fchmod(file, mode) == 0 ? 0 : errno;
  const int unwritten = write_and_close(file, text);
  if (failure == 0) failure = unwritten;
  if (failure == 0 && rename(temporary.c_str(), name.c_str()) != 0) failure = errno;
  if (failure != 0) unlink(temporary.c_str());
  return failure;
}

}  // namespace

bool write_whole_file(std::string_view what, const std::string& pattern, std::string_view text, OutputErrors& errors) {
  const std::string name = output_name(pattern);
  struct stat found;
  const bool exists = stat(name.c_str(), &found) == 0;
  const bool is_regular = !exists || S_ISREG(found.st_mode);
  const int failure = is_regular ? replace(target_of(name), exists ? found.st_mode & 07777 : default_mode(), text) : write_directly(name, text);
  if (failure != 0) errors.add(std::string(what) + " '" + name + "'", failure);
  return failure == 0;
}

int error_of_writing(const std::string& pattern) {
  const std::string name = output_name(pattern);
  struct stat found;
  if (stat(name.c_str(), &found) == 0) {
    if (S_ISFIFO(found.st_mode)) return 0;  // opening it would wait for a reader
    const int file = open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    close(file);
    return 0;
  }
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  close(file);
  unlink(name.c_str());
  return 0;
}

}  // namespace mangata
