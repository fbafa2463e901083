#include "jit/observers/gdb_registry.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <unwind.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "jit/code_memory/code_cache.h"
#include "jit/observers/code_object.h"
#include "jit/observers/dwarf.h"

extern "C" {
// What gdb reads, declared once more.
struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  uint64_t symfile_size;
};
extern struct {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
} __jit_debug_descriptor;

// libgcc's: where a program makes frames known to its own unwinder.
void __register_frame(void*);
void __deregister_frame(void*);
}

namespace mangata {
namespace {

/// The sections of an object file by name.
std::map<std::string, Elf64_Shdr> sections_of(const std::vector<uint8_t>& object) {
  Elf64_Ehdr header;
  std::memcpy(&header, object.data(), sizeof header);
  std::vector<Elf64_Shdr> all(header.e_shnum);
  EXPECT_EQ(header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr), object.size());
  std::memcpy(all.data(), object.data() + header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
  std::map<std::string, Elf64_Shdr> by_name;
  for (const Elf64_Shdr& section : all) {
    const size_t bytes = section.sh_type == SHT_NOBITS ? 0 : section.sh_size;
    EXPECT_LE(section.sh_offset + bytes, header.e_shoff);
    by_name[reinterpret_cast<const char*>(object.data() + all[header.e_shstrndx].sh_offset +
                                          section.sh_name)] = section;
  }
  return by_name;
}

std::vector<std::string> registered_names() {
  std::vector<std::string> names;
  const jit_code_entry* previous = nullptr;
  for (const jit_code_entry* entry = __jit_debug_descriptor.first_entry; entry != nullptr;
       entry = entry->next_entry) {
    EXPECT_EQ(entry->prev_entry, previous);
    previous = entry;
    const std::vector<uint8_t> object(entry->symfile_addr, entry->symfile_addr + entry->symfile_size);
    const Elf64_Shdr strings = sections_of(object)[".strtab"];
    names.emplace_back(reinterpret_cast<const char*>(object.data() + strings.sh_offset + 1));
  }
  return names;
}

TEST(GdbRegistry, ListsWhatIsAlive) {
  using Names = std::vector<std::string>;
  static const uint8_t code[64] = {};
  EXPECT_EQ(__jit_debug_descriptor.version, 1u);
  {
    GdbRegistry registry;
    GdbRegistry other;  // of a second engine
    for (int i = 0; i < 4; ++i) {
      CodeDescription description{
          .start = code + 16 * i, .size_bytes = 16, .name = std::string(1, "abcd"[i])};
      (i == 1 ? other : registry).code_added(description);
    }
    EXPECT_EQ(registered_names(), (Names{"lua:d", "lua:c", "lua:b", "lua:a"}));
    registry.code_removed(code + 32);  // in the middle
    EXPECT_EQ(registered_names(), (Names{"lua:d", "lua:b", "lua:a"}));
    registry.code_removed(code + 48);  // the first
    EXPECT_EQ(registered_names(), (Names{"lua:b", "lua:a"}));
    registry.code_removed(code);      // the last
    registry.code_removed(code + 8);  // never heard of
    EXPECT_EQ(registered_names(), (Names{"lua:b"}));
    registry.code_added({.start = code, .size_bytes = 16, .name = "e"});
    EXPECT_EQ(registered_names(), (Names{"lua:e", "lua:b"}));
  }
  EXPECT_EQ(registered_names(), Names{});
  EXPECT_EQ(__jit_debug_descriptor.action_flag, 0u);
}

TEST(CodeObject, NamesTheCodeWhereItIs) {
  static const uint8_t code[100] = {};
  CodeDescription description{
      .start = code, .size_bytes = sizeof code, .name = "f", .source = "a.lua", .line_defined = 7};
  const auto object = make_code_object(description);
  ASSERT_EQ(std::memcmp(object.data(), ELFMAG, SELFMAG), 0);
  auto sections = sections_of(object);
  EXPECT_EQ(sections[".text"].sh_type, static_cast<uint32_t>(SHT_NOBITS));
  EXPECT_EQ(sections[".text"].sh_addr, reinterpret_cast<uint64_t>(code));
  EXPECT_EQ(sections[".text"].sh_size, sizeof code);
  ASSERT_EQ(sections[".symtab"].sh_size, 2 * sizeof(Elf64_Sym));
  Elf64_Sym symbol;
  std::memcpy(&symbol, object.data() + sections[".symtab"].sh_offset + sizeof symbol, sizeof symbol);
  EXPECT_EQ(symbol.st_value, reinterpret_cast<uint64_t>(code));
  EXPECT_EQ(symbol.st_size, sizeof code);
  EXPECT_STREQ(reinterpret_cast<const char*>(object.data() + sections[".strtab"].sh_offset + symbol.st_name),
               "lua:f@a.lua:7");
  EXPECT_EQ(sections.count(".debug_line"), 0u);
  description.lines = {{0, 7}, {10, 9}};
  EXPECT_EQ(sections_of(make_code_object(description)).count(".debug_line"), 1u);
}

struct Walk {
  std::vector<uintptr_t> pcs;
};

/// The callers of the caller, innermost first, as the unwinder of the compiler finds them.
[[gnu::noinline]] int walk_stack(Walk* walk) {
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        static_cast<Walk*>(data)->pcs.push_back(_Unwind_GetIP(context));
        return _URC_NO_REASON;
      },
      walk);
  return static_cast<int>(walk->pcs.size());
}

TEST(EhFrame, UnwindsThroughATrampolineAndAFunction) {
  CodeCache cache;
  ASSERT_TRUE(cache.ok());
  auto region = cache.allocate(64);
  ASSERT_TRUE(region);
  // 0: push rbx; push r12; sub rsp, 8; mov rbx, rsi; xor r12d, r12d; call 32; add rsp, 8; pop r12; pop rbx;
  // ret 32: sub rsp, 8; call rbx; add rsp, 8; ret
  const uint8_t trampoline[] = {0x53, 0x41, 0x54, 0x48, 0x83, 0xEC, 0x08, 0x48, 0x89, 0xF3, 0x45, 0x31, 0xE4,
                                0xE8, 14, 0, 0, 0, 0x48, 0x83, 0xC4, 0x08, 0x41, 0x5C, 0x5B, 0xC3};
  const uint8_t function[] = {0x48, 0x83, 0xEC, 0x08, 0xFF, 0xD3, 0x48, 0x83, 0xC4, 0x08, 0xC3};
  std::memcpy(region->rw, trampoline, sizeof trampoline);
  std::memcpy(region->rw + 32, function, sizeof function);
  CodeCache::finish_writing();
  constexpr int kRbx = 3, kR12 = 12;
  std::vector<uint8_t> frames[] = {
      make_eh_frame({.start = region->rx,
                     .size_bytes = sizeof trampoline,
                     .frame = {{0, 8}, {1, 16, kRbx}, {3, 24, kR12}, {7, 32}}}),
      make_eh_frame({.start = region->rx + 32, .size_bytes = sizeof function, .frame = {{0, 8}, {4, 16}}}),
  };
  for (auto& frame : frames) __register_frame(frame.data());

  Walk direct;
  walk_stack(&direct);
  Walk walk;
  const auto enter = reinterpret_cast<int (*)(Walk*, int (*)(Walk*))>(region->rx);
  EXPECT_GT(enter(&walk, walk_stack), 3);
  for (auto& frame : frames) __deregister_frame(frame.data());

  const auto base = reinterpret_cast<uintptr_t>(region->rx);
  ASSERT_EQ(walk.pcs.size(), direct.pcs.size() + 2);
  EXPECT_EQ(walk.pcs[1] - base, 32u + 6);
  EXPECT_EQ(walk.pcs[2] - base, 18u);
  // All callers of this test are found in both walks: the registers that the trampoline saved were restored.
  for (size_t i = 2; i < direct.pcs.size(); ++i) EXPECT_EQ(walk.pcs[i + 2], direct.pcs[i]);
}

TEST(EhFrame, UnwindsByAFramePointer) {
  CodeCache cache;
  ASSERT_TRUE(cache.ok());
  auto region = cache.allocate(64);
  ASSERT_TRUE(region);
  // push rbp; mov rbp, rsp; sub rsp, 32; call rsi; add rsp, 32; pop rbp; ret
  const uint8_t function[] = {0x55, 0x48, 0x89, 0xE5, 0x48, 0x83, 0xEC, 0x20, 0xFF, 0xD6, 0x48, 0x83, 0xC4, 0x20, 0x5D, 0xC3};
  std::memcpy(region->rw, function, sizeof function);
  CodeCache::finish_writing();
  constexpr int kRbp = 6;
  std::vector<uint8_t> frame = make_eh_frame({.start = region->rx, .size_bytes = sizeof function, .frame = {{0, 8}, {1, 16, kRbp}, {4, 16, -1, true}}});
  __register_frame(frame.data());
  Walk direct;
  walk_stack(&direct);
  Walk walk;
  EXPECT_GT(reinterpret_cast<int (*)(Walk*, int (*)(Walk*))>(region->rx)(&walk, walk_stack), 3);
  __deregister_frame(frame.data());
  ASSERT_EQ(walk.pcs.size(), direct.pcs.size() + 1);
  EXPECT_EQ(walk.pcs[1] - reinterpret_cast<uintptr_t>(region->rx), 10u);
  for (size_t i = 2; i < direct.pcs.size(); ++i) EXPECT_EQ(walk.pcs[i + 1], direct.pcs[i]);
}

}  // namespace
}  // namespace mangata
