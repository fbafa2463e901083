#include "runtime/output/output_errors.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/output/output_name.h"

namespace mangata {

void OutputErrors::add(std::string_view what, int error_number) {
  any_.store(true);
  std::fprintf(stderr, "mangata: cannot write %.*s: %s\n", static_cast<int>(what.size()), what.data(),
               std::strerror(error_number));
}

void OutputErrors::tell(std::string_view message) {
  any_.store(true);
  std::fprintf(stderr, "mangata: %.*s\n", static_cast<int>(message.size()), message.data());
}

OutputFile OutputFile::open(std::string_view what, const std::string& pattern, OutputErrors& errors) {
  const std::string name = output_name(pattern);
  std::string description = std::string(what) + " '" + name + "'";
  std::FILE* file = std::fopen(name.c_str(), "w");
  if (file == nullptr) errors.add(description, errno);
  return OutputFile(std::move(description), file, true, errors);
}

OutputFile OutputFile::standard(std::string_view what, std::FILE* stream, OutputErrors& errors) {
  std::fflush(stdout);  // a program's own output comes first, and is not ours to check
  return OutputFile(std::string(what), stream, false, errors);
}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  close();
  description_ = std::move(other.description_);
  file_ = std::exchange(other.file_, nullptr);
  is_own_ = other.is_own_;
  has_failed_ = other.has_failed_;
  errors_ = other.errors_;
  return *this;
}

void OutputFile::write(std::string_view text) {
  if (file_ == nullptr) return;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file_) == text.size();
  check(is_written && (is_own_ || std::fflush(file_) == 0));
}

void OutputFile::close() {
  if (file_ == nullptr) return;
  std::FILE* file = std::exchange(file_, nullptr);
  check((is_own_ ? std::fclose(file) : std::fflush(file)) == 0);
}

void OutputFile::check(bool ok) {
  if (ok || has_failed_) return;
  has_failed_ = true;
  errors_->add(description_, errno);
}

}  // namespace mangata
