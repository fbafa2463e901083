// The address space of machine code: the same pages mapped twice, once to execute and once to write.
//
// [DESIGN] W^X always. No page is ever writable and executable, not even for a moment: code is written
// through the RW alias and runs from the RX one, so writing needs no mprotect, and a stray store through a
// code pointer faults.
//  * The pages are shared anonymous memory, and the second mapping is made by mremap of a zero length. A
//  memfd
//    would do the same, but perf resolves symbols from /tmp/perf-PID.map only in mappings that look
//    anonymous, and there are systems that forbid executable memfds. It is the second choice, for valgrind,
//    whose mremap does not know that length: without it, programs measured under valgrind would silently be
//    interpreted.
//  * The RX mapping is placed within reach of a `call rel32` of this library's own .text, so that compiled
//  code calls
//    the runtime's helpers directly. When no such place is free it is anywhere, and near_text() says so.
//  * Shared memory stays shared in a child after fork(), where both processes would write their code into the
//  same pages.
//    Each fork therefore copies the used part before, and the child moves the copy to the same addresses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mangata {

class CodeArena {
 public:
  /// Reserves `size_bytes`, rounded up to pages. Never fails loudly: ok() is false where the system refuses.
  explicit CodeArena(size_t size_bytes);
  ~CodeArena();
  CodeArena(const CodeArena&) = delete;
  CodeArena& operator=(const CodeArena&) = delete;

  bool ok() const { return rx_ != nullptr; }
  uint8_t* rx() const { return rx_; }
  uint8_t* rw() const { return rw_; }
  size_t size_bytes() const { return size_bytes_; }

  /// Whether every byte of the arena and the code of this library reach each other by a 32-bit displacement.
  bool near_text() const;

  /// Bytes of the arena that may have been written: what a fork has to copy.
  void set_written_bytes(size_t written_bytes) { written_bytes_ = written_bytes; }
  size_t written_bytes() const { return written_bytes_; }

  /// The pages up to there, and some of those behind, are entered into the RW alias in one go: one by one, each costs an exception.
  void prepare(size_t end);

  /// What lies before the offset is written to seldom from now on: its pages leave the RW alias, where they count as memory of the
  /// process a second time. Whoever writes to one gets it back.
  void leave_alias(size_t offset);

  /// Orders what was written through rw before any execution of it, on every thread of the process: a store
  /// through an alias needs a serializing instruction on the processor that executes it (Intel SDM vol.
  /// 3, 11.6). 0.4 µs.
  static void synchronize_instruction_streams();

 private:
  friend class ForkHandlers;

  bool map_executable_alias();
  bool map_memory_file();
  void copy_before_fork();
  void drop_copy();
  void adopt_copy();

  uint8_t* rx_ = nullptr;
  uint8_t* rw_ = nullptr;
  uint8_t* copy_ = nullptr;  ///< between the start of a fork and its end
  size_t size_bytes_;
  size_t written_bytes_ = 0;
  size_t left_bytes_ = 0;  ///< of the RW alias, from its start
  size_t prepared_bytes_ = 0;
};

}  // namespace mangata
