// What options of the command line asked to be written, and could not be: profiles, logs, dumps, files for
// profilers.
#pragma once

#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>

namespace mangata {

/// Of one run. A program whose outputs are not whole does not end with exit code 0.
class OutputErrors {
 public:
  /// Says so on stderr, in the form of "cannot write log 'f.jsonl': No space left on device".
  void add(std::string_view what, int error_number);
  /// Says something else that is wrong with what was asked for.
  void tell(std::string_view message);
  bool any() const { return any_.load(); }

 private:
  std::atomic<bool> any_{false};  ///< machine code is described on the thread that compiles, too
};

/// A file that is written, or stderr or stdout. The first failure is told to `errors`, which must outlive it.
class OutputFile {
 public:
  /// Opens it for writing. `what` is how messages call it: "log", "profile". The name may have %p (output_name.h).
  static OutputFile open(std::string_view what, const std::string& pattern, OutputErrors& errors);
  static OutputFile standard(std::string_view what, std::FILE* stream, OutputErrors& errors);

  OutputFile() = default;  ///< nothing is written
  OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile() { close(); }

  bool is_open() const { return file_ != nullptr; }
  /// A standard stream is flushed, so that a failure is not taken for one of the program.
  void write(std::string_view text);
  /// Safe to repeat.
  void close();

 private:
  OutputFile(std::string description, std::FILE* file, bool is_own, OutputErrors& errors)
      : description_(std::move(description)), file_(file), is_own_(is_own), errors_(&errors) {}
  void check(bool ok);

  std::string description_;
  std::FILE* file_ = nullptr;
  bool is_own_ = false;
  bool has_failed_ = false;
  OutputErrors* errors_ = nullptr;
};

}  // namespace mangata
