#include "runtime/lib/load_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "vm/bytecode/chunk.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

Raised raise_file_error(Vm& vm, const char* what, const char* file_name, int error_number) {
  std::string message = "cannot " + std::string(what) + " " + file_name;
  if (error_number != 0) message += ": " + std::string(std::strerror(error_number));
  return raise_plain(vm, message);
}

/// Drops a byte-order mark and turns a first line with # (Unix executables) into an empty one.
void skip_first_line_comment(std::string* text) {
  if (text->starts_with("\xEF\xBB\xBF")) text->erase(0, 3);
  if (!text->starts_with('#')) return;
  const size_t newline = text->find('\n');
  text->erase(0, newline == std::string::npos ? text->size() : newline);
  // A binary chunk may follow at once; in a text the newline stays, so that lines keep their numbers.
  if (text->size() > 1 && (*text)[1] == '\x1b') text->erase(0, 1);
}

}  // namespace

Result<SourceText> read_source(Vm& vm, const char* file_name) {
  SourceText source;
  source.chunk_name = file_name == nullptr ? "=stdin" : std::string("@") + file_name;
  errno = 0;
  std::FILE* file = file_name == nullptr ? stdin : std::fopen(file_name, "rb");
  if (file == nullptr) return raise_file_error(vm, "open", file_name, errno);
  char buffer[65536];
  size_t count;
  errno = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file)) > 0) source.text.append(buffer, count);
  const bool failed = std::ferror(file) != 0;
  const int error_number = errno;
  if (file_name != nullptr) std::fclose(file);
  if (failed) return raise_file_error(vm, "read", file_name == nullptr ? "stdin" : file_name, error_number);
  skip_first_line_comment(&source.text);
  return source;
}

Result<LuaFunction*> load_file(Vm& vm, const char* file_name, std::string_view mode) {
  const SourceText source = TRY(read_source(vm, file_name));
  return load(vm, source.text, source.chunk_name, mode);
}

}  // namespace mangata
