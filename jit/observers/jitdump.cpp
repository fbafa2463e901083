#include "jit/observers/jitdump.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>
#include <utility>

#include "jit/observers/dwarf.h"

namespace mangata {
namespace {

constexpr uint32_t kMagic = 0x4A695444;  // "JiTD"
constexpr uint32_t kVersion = 1;
constexpr uint32_t kHeaderBytes = 40;

enum class RecordKind : uint32_t {
  CodeLoad = 0,
  CodeDebugInfo = 2,
  CodeClose = 3,
  CodeUnwindingInfo = 4
};

uint64_t timestamp() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

/// The head common to all records; the result is where finish_record puts the size.
size_t start_record(ByteWriter* record, RecordKind kind) {
  record->u32(static_cast<uint32_t>(kind));
  const size_t size_field = record->reserve_u32();
  record->u64(timestamp());
  return size_field;
}

}  // namespace

Jitdump::Jitdump(const std::string& directory, ObserverFailure failed)
    : file_("jitdump", directory + "/jit-" + std::to_string(getpid()) + ".dump", O_RDWR, std::move(failed)) {
  write_header();
  if (!file_.is_open()) return;
  void* mapped = mmap(nullptr, static_cast<size_t>(sysconf(_SC_PAGESIZE)), PROT_READ | PROT_EXEC, MAP_PRIVATE,
                      file_.descriptor(), 0);
  if (mapped == MAP_FAILED) {
    file_.fail();
  } else {
    marker_ = mapped;
  }
}

Jitdump::~Jitdump() {
  if (!ok()) return;
  ByteWriter record;
  const size_t size_field = start_record(&record, RecordKind::CodeClose);
  record.patch_u32(size_field, record.size());
  append(record);
  munmap(marker_, static_cast<size_t>(sysconf(_SC_PAGESIZE)));
}

void Jitdump::write_header() {
  ByteWriter header;
  header.u32(kMagic);
  header.u32(kVersion);
  header.u32(kHeaderBytes);
  header.u32(EM_X86_64);
  header.u32(0);
  header.u32(static_cast<uint32_t>(getpid()));
  header.u64(timestamp());
  header.u64(0);  // flags: timestamps are those of the monotonic clock
  append(header);
}

void Jitdump::code_added(const CodeDescription& code) {
  if (!code.lines.empty() && !code.source.empty()) write_lines(code);  // the format wants it before its code
  if (!code.frame.empty()) write_frames(code);  // and so it does here
  write_code(code);
}

void Jitdump::write_lines(const CodeDescription& code) {
  ByteWriter record;
  const size_t size_field = start_record(&record, RecordKind::CodeDebugInfo);
  const auto start = reinterpret_cast<uint64_t>(code.start);
  record.u64(start);
  record.u64(code.lines.size());
  for (const CodeLine& row : code.lines) {
    record.u64(start + row.offset);
    record.u32(static_cast<uint32_t>(row.line));
    record.u32(0);  // discriminator
    record.string(code.source);
  }
  record.patch_u32(size_field, record.size());
  append(record);
}

void Jitdump::write_frames(const CodeDescription& code) {
  RelocatableFrames frames = make_relocatable_frames(code);
  if (frames.bytes.size() + 8 > kSpareBytes) {
    constexpr size_t kOfPrologue = 2;
    if (code.frame.size() <= kOfPrologue) return;
    frames = make_relocatable_frames({.start = code.start, .size_bytes = code.size_bytes, .frame = {code.frame.begin(), code.frame.begin() + kOfPrologue}});
  }
  ByteWriter record;
  const size_t size_field = start_record(&record, RecordKind::CodeUnwindingInfo);
  record.u64(frames.bytes.size());
  record.u64(frames.header_bytes);
  record.u64(frames.bytes.size());  // as if it were in memory, behind the code
  record.raw(frames.bytes.data(), frames.bytes.size());
  record.pad_to(8);
  record.patch_u32(size_field, record.size());
  append(record);
}

void Jitdump::write_code(const CodeDescription& code) {
  ByteWriter record;
  const size_t size_field = start_record(&record, RecordKind::CodeLoad);
  const auto start = reinterpret_cast<uint64_t>(code.start);
  record.u32(static_cast<uint32_t>(getpid()));
  record.u32(static_cast<uint32_t>(syscall(SYS_gettid)));
  record.u64(start);
  record.u64(start);
  record.u64(code.size_bytes);
  record.u64(code_index_++);
  record.string(symbol_name(code));
  record.raw(code.start, code.size_bytes);
  record.patch_u32(size_field, record.size());
  append(record);
}

void Jitdump::append(const ByteWriter& bytes) { file_.append(bytes.data(), bytes.size()); }

}  // namespace mangata
