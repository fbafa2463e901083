// Reading files: the formats "n", "l", "L", "a" and counts, and the line iterators (Lua 5.4 manual §6.8,
// file:read, file:lines).

#include <langinfo.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "runtime/lib/file_handle.h"
#include "runtime/lib/string_builder.h"
#include "vm/poll.h"

namespace mangata {

namespace {

constexpr size_t kReadChunkBytes = 1 << 16;
constexpr int kMaxLineFormats = 250;

/// Keeps other threads away from a file while it is read byte by byte.
class FileLock {
 public:
  explicit FileLock(std::FILE* file) : file_(file) { ::flockfile(file_); }
  ~FileLock() { ::funlockfile(file_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::FILE* const file_;
};

/// Reads the longest prefix that looks like a numeral; the conversion decides whether it is one.
class NumeralReader {
 public:
  explicit NumeralReader(std::FILE* file) : file_(file), lock_(file) {
    do {
      next_ = ::getc_unlocked(file_);
    } while (std::isspace(next_) != 0);
  }

  /// The number, or nil.
  Value read() {
    const char point[] = {*nl_langinfo(RADIXCHAR), '.', '\0'};
    bool is_hexadecimal = false;
    int digit_count = 0;
    accept("-+");
    if (accept("0")) {
      is_hexadecimal = accept("xX");
      digit_count = is_hexadecimal ? 0 : 1;
    }
    digit_count += accept_digits(is_hexadecimal);
    if (accept(point)) digit_count += accept_digits(is_hexadecimal);
    if (digit_count > 0 && accept(is_hexadecimal ? "pP" : "eE")) {
      accept("-+");
      accept_digits(false);
    }
    std::ungetc(next_, file_);
    return too_long_ ? Value::nil() : string_to_number({text_, length_});
  }

 private:
  static constexpr size_t kMaxLength = 200;

  /// Takes the next character if it is one of `set`. A numeral that is too long takes nothing more.
  bool accept(const char* set) {
    return next_ != EOF && next_ != '\0' && std::strchr(set, next_) != nullptr && take();
  }
  int accept_digits(bool hexadecimal) {
    int count = 0;
    while ((hexadecimal ? std::isxdigit(next_) : std::isdigit(next_)) != 0 && take()) ++count;
    return count;
  }
  bool take() {
    if (length_ >= kMaxLength) {
      too_long_ = true;
      return false;
    }
    text_[length_++] = static_cast<char>(next_);
    next_ = ::getc_unlocked(file_);
    return true;
  }

  std::FILE* const file_;
  FileLock lock_;
  int next_;
  char text_[kMaxLength];
  size_t length_ = 0;
  bool too_long_ = false;
};

/// Pushes the next line; false at the end of the file.
Result<bool> read_line(Call& call, std::FILE* file, bool keep_newline) {
  char* line = nullptr;
  size_t capacity = 0;
  const ssize_t length = ::getdelim(&line, &capacity, '\n', file);
  const std::unique_ptr<char, decltype(&std::free)> owner(line, std::free);
  if (length < 0) {
    if (std::feof(file) == 0 && std::ferror(file) == 0) return raise_out_of_memory(call.vm());
    call.push(Value::nil());
    return false;
  }
  std::string_view text(line, static_cast<size_t>(length));
  if (!keep_newline && text.ends_with('\n')) text.remove_suffix(1);
  call.push(Value::string(TRY(call.vm().new_string(text))));
  return true;
}

/// Pushes all that is left.
Status read_all(Call& call, std::FILE* file) {
  StringBuilder text(call.vm());
  while (char* room = text.reserve(kReadChunkBytes)) {
    const size_t count = std::fread(room, 1, kReadChunkBytes, file);
    text.advance(count);
    if (count < kReadChunkBytes) break;
  }
  call.push(Value::string(TRY(text.finish())));
  return {};
}

/// Pushes up to `length` bytes; false when there are none left.
Result<bool> read_bytes(Call& call, std::FILE* file, size_t length) {
  StringBuilder text(call.vm());
  char* room = text.reserve(length);
  if (room != nullptr) text.advance(std::fread(room, 1, length, file));
  call.push(Value::string(TRY(text.finish())));
  return text.size() > 0;
}

/// Pushes the empty string; false at the end of the file.
bool test_end(Call& call, std::FILE* file) {
  const int c = std::getc(file);
  std::ungetc(c, file);
  call.push(Value::string(call.vm().empty_string));
  return c != EOF;
}

/// Reads and pushes one value by the format in argument `i`; false when there was nothing to read.
Result<bool> read_one(Call& call, std::FILE* file, int i) {
  if (call[i].is_number()) {
    const size_t length = static_cast<size_t>(TRY(call.check_integer(i)));
    return length == 0 ? test_end(call, file) : TRY(read_bytes(call, file, length));
  }
  std::string_view format = TRY(call.check_view(i));
  if (!format.empty() && format[0] == '*') format.remove_prefix(1);  // as in Lua 5.2
  switch (format.empty() ? '\0' : format[0]) {
    case 'n': {
      const Value number = NumeralReader(file).read();
      call.push(number);
      return !number.is_nil();
    }
    case 'l':
      return read_line(call, file, false);
    case 'L':
      return read_line(call, file, true);
    case 'a':
      TRY(read_all(call, file));
      return true;
    default:
      return call.bad_argument(i, "invalid format");
  }
}

enum LinesUpvalue {
  kFile,
  kCloseAtEnd,
  kFirstFormat
};

Result<int> next_line(Call& call) {
  const Value file = call.upvalue(kFile);
  FileHandle& handle = handle_in(file.as_userdata());
  if (handle.is_closed()) return call.error("file is already closed");
  const int format_count = static_cast<int>(call.callee()->upvalue_count()) - kFirstFormat;
  call.set_count(1);
  TRY(call.reserve_slots(format_count + kMinimumNativeSlots));
  for (int i = 0; i < format_count; ++i) call.push(call.upvalue(kFirstFormat + i));
  const int count = TRY(read_formats(call, handle.file, 1));
  if (call.top(count).is_truthy()) return count;
  if (count > 1 && call.top(count - 1).is_string()) {  // nil, message, code
    return call.error(call.top(count - 1).as_string()->view());
  }
  if (call.upvalue(kCloseAtEnd).is_truthy()) {
    call.set_count(0);
    call.push(file);
    TRY(close_file(call));
  }
  return 0;
}

}  // namespace

Result<int> read_formats(Call& call, std::FILE* file, int first) {
  charge_native(call.vm(), kWorkOfBuffer);
  const int format_count = call.count() - first;
  ::clearerr_unlocked(file);
  errno = 0;
  bool success = true;
  int count = 0;
  if (format_count <= 0) {
    success = TRY(read_line(call, file, false));
    count = 1;
  } else {
    TRY(call.reserve_slots(format_count + kMinimumNativeSlots));
    for (; count < format_count && success; ++count) success = TRY(read_one(call, file, first + count));
  }
  if (std::ferror(file) != 0) return call.ret_errno(errno, {});
  if (!success) call.top(1) = Value::nil();
  return count;
}

Result<Value> make_line_iterator(Call& call, Value file, int first, bool close_at_end) {
  const int format_count = call.count() > first ? call.count() - first : 0;
  if (format_count > kMaxLineFormats) return call.bad_argument(kMaxLineFormats + 1, "too many arguments");
  NativeFunction* iterator =
      call.vm().new_native(next_line, "lines_iterator", static_cast<uint32_t>(kFirstFormat + format_count));
  iterator->upvalues[kFile] = file;
  iterator->upvalues[kCloseAtEnd] = Value::boolean(close_at_end);
  for (int i = 0; i < format_count; ++i) iterator->upvalues[kFirstFormat + i] = call[first + i];
  return Value::function(iterator);
}

}  // namespace mangata
