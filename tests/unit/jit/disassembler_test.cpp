#include "jit/listing/disassembler.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace mangata {
namespace {

void helper() {}

/// A bit of everything; the bytes in the middle are an address to be filled in.
std::vector<uint8_t> loop_code() {
  return {
      0x53,                                         // 00 push rbx
      0x48, 0x8B, 0x43, 0x10,                       // 01 mov rax, [rbx+16]
      0x48, 0xFF, 0xC8,                             // 05 dec rax
      0x74, 0x18,                                   // 08 jz 22
      0x75, 0xF9,                                   // 0a jnz 05
      0xE8, 0, 0, 0, 0,                    // 0c call (helper)
      0x48, 0x8D, 0x05, 0x10, 0, 0, 0,           // 11 lea rax, [rip+16]
      0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0,  // 18 mov rax, (helper)
      0x49, 0x83, 0xEE, 0x80,                       // 22 sub r14, -128
      0xF2, 0x0F, 0x58, 0x43, 0x20,                 // 26 addsd xmm0, [rbx+32]
      0x5B,                                         // 2b pop rbx
      0xC3,                                         // 2c ret
      0x06,                                         // 2d (none in 64-bit mode)
      0xE9,                                         // 2e (a jump that is cut off)
  };
}

std::string name_of_helper(uint64_t address) {
  return address == reinterpret_cast<uint64_t>(&helper) ? "helper" : "";
}

constexpr const char* kExpected = R"(; 1 [3] GetTable R1 R0 K2
  0000  push rbx
; count path 7
  0001  mov rax, [rbx+0x10]
; inside
; a
; b
L1:
  0005  dec rax
  0008  jz L3
  000a  jnz L1
  000c  call L2
L2:
  0011  lea rax, [rip+0x10]
  0018  mov rax, helper
L3:
  0022  sub r14, -0x80
  0026  addsd xmm0, [rbx+0x20]
  002b  pop rbx
  002c  ret
  002d  (no instruction)
  002e  (no instruction)
)";

std::string disassembly(const std::vector<uint8_t>& code, std::vector<CodeComment> comments = {}) {
  std::string error;
  const auto text =
      disassemble({.code = code, .comments = std::move(comments), .symbol = name_of_helper}, &error);
  EXPECT_TRUE(text) << error;
  return text.value_or("");
}

TEST(Disassembler, ShowsLabelsNamesAndComments) {
  auto code = loop_code();
  const auto target = reinterpret_cast<uint64_t>(&helper);
  std::memcpy(&code[0x1A], &target, sizeof target);
  EXPECT_EQ(
      disassembly(code,
                  {{0, "1 [3] GetTable R1 R0 K2"}, {1, "count path 7"}, {3, "inside"}, {5, "a"}, {5, "b"}}),
      kExpected);
}

TEST(Disassembler, NamesWhatIsOutsideOfTheCode) {
  // Absolute addresses: what a call and a load relative to rip reach depends on where the code is.
  static const uint8_t code[] = {0xE8, 0xFB, 0x00, 0x00, 0x00,              // call code + 0x100
                                 0x48, 0x8B, 0x05, 0xF4, 0x01, 0x00, 0x00,  // mov rax, [code + 0x200]
                                 0xE9, 0xEF, 0x02, 0x00, 0x00};             // jmp code + 0x300
  std::string error;
  const auto base = reinterpret_cast<uint64_t>(code);
  const auto text =
      disassemble({.code = code,
                   .symbol =
                       [base](uint64_t address) {
                         return address == base + 0x100 ? "first" : address == base + 0x200 ? "second"
                                                                                            : "";
                       }},
                  &error);
  ASSERT_TRUE(text) << error;
  char third[24];
  std::snprintf(third, sizeof third, "0x%zx", static_cast<size_t>(base + 0x300));
  EXPECT_EQ(*text, std::string("  0000  call first\n"
                               "  0005  mov rax, [rip+0x1f4]  ; second\n"
                               "  000c  jmp ") +
                       third + "\n");
}

TEST(Disassembler, OfNothingIsEmpty) { EXPECT_EQ(disassembly({}), ""); }

}  // namespace
}  // namespace mangata
