#include "jit/observers/code_description.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vm/bytecode/disassembler.h"
#include "vm/frontend/compile.h"
#include "vm/vm.h"

namespace mangata {
namespace {

constexpr const char* kProgram = R"(local M = {}
function M.f(a)
  local b = a + 1
  return b
end
return M
)";

/// As a compiler would place it: a prologue of 7 bytes, then 10 for each instruction.
std::vector<uint32_t> offsets_of(const Proto& proto) {
  std::vector<uint32_t> offsets;
  for (uint32_t pc = 0; pc < proto.original_code.size(); ++pc) offsets.push_back(7 + 10 * pc);
  return offsets;
}

TEST(CodeDescription, SaysWhatAnAuthorCallsTheFunctionAndWhereItIs) {
  Vm vm;
  const Proto& main = *compile(vm, kProgram, "@dir/m.lua").value();
  const Proto& f = *main.nested[0];
  CodeNames names;
  names.add(f);
  names.add(main);
  EXPECT_EQ(names.name_of(f), "M.f");
  EXPECT_EQ(names.name_of(main), "main chunk");

  const auto offsets = offsets_of(f);
  const uint32_t end = 7 + 10 * static_cast<uint32_t>(offsets.size());
  const std::vector<uint8_t> code(end + 30);
  const CodeDescription description = describe_function(f, names.name_of(f), code, offsets, end);
  EXPECT_EQ(symbol_name(description), "lua:M.f@dir/m.lua:2");
  EXPECT_EQ(description.size_bytes, code.size());
  ASSERT_EQ(description.frame.size(), 2u);
  EXPECT_EQ(description.frame[1].offset, 7u);
  EXPECT_EQ(description.frame[1].cfa_offset_bytes, 16u);

  // For each byte the line of its instruction.
  const auto line_at = [&](uint32_t offset) {
    int line = 0;
    for (const CodeLine& row : description.lines) {
      if (row.offset <= offset) line = row.line;
    }
    return line;
  };
  EXPECT_EQ(line_at(0), 2);
  for (size_t pc = 0; pc < offsets.size(); ++pc) {
    EXPECT_EQ(line_at(offsets[pc]), f.lines[pc]) << pc;
    EXPECT_EQ(line_at(offsets[pc] + 9), f.lines[pc]) << pc;
  }
  EXPECT_EQ(line_at(end), 2);
  for (size_t i = 1; i < description.lines.size(); ++i) {
    EXPECT_LT(description.lines[i - 1].offset, description.lines[i].offset);
    EXPECT_NE(description.lines[i - 1].line, description.lines[i].line);
  }
  names.remove(f);
  EXPECT_EQ(names.name_of(f), "function");
}

TEST(CodeDescription, OfAStrippedFunctionHasNoLines) {
  Vm vm;
  Proto& proto = *compile(vm, "return 1", "=stdin").value();
  proto.lines.clear();
  const std::vector<uint8_t> code(100);
  const auto description = describe_function(proto, "main chunk", code, offsets_of(proto), 50);
  EXPECT_TRUE(description.lines.empty());
  EXPECT_EQ(symbol_name(description), "lua:main chunk@stdin");
}

TEST(BytecodeComments, ShowInstructionsAndEvents) {
  Vm vm;
  Proto& proto = *compile(vm, "local a = 1\nreturn a", "=stdin").value();
  const auto plain = bytecode_comments(proto, offsets_of(proto), nullptr);
  ASSERT_EQ(plain.size(), proto.original_code.size());
  for (size_t pc = 0; pc < plain.size(); ++pc) {
    EXPECT_EQ(plain[pc].offset, 7 + 10 * pc);
    const std::string place = std::to_string(pc) + " [" + std::to_string(proto.lines[pc]) + "] ";
    EXPECT_EQ(plain[pc].text, place + disassemble_instruction(proto, OriginalPc(pc)));
  }
  EXPECT_NE(plain.back().text.find("[2]"), std::string::npos);

  // With an event before the second instruction.
  CodeVersion version;
  version.instrumented = {proto.original_code[0], proto.original_code[0], proto.original_code[1]};
  version.instrumented[1].op = Opcode::PathEvent;
  version.to_original = {OriginalPc(0), OriginalPc(1), OriginalPc(1)};
  install_version(proto, add_version(proto, std::move(version)));
  const std::vector<uint32_t> offsets = {7, 17, 27};
  const auto events =
      bytecode_comments(proto, offsets, [](CodePc pc) { return "event at " + std::to_string(value_of(pc)); });
  install_version(proto, original_version(proto));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].text, plain[0].text);
  EXPECT_EQ(events[1].text, "event at 1");
  EXPECT_EQ(events[2].text, plain[1].text);
  EXPECT_EQ(events[2].offset, 27u);
}

TEST(CodeDescription, OfARegionSaysTheLinesOfItsOwnFrame) {
  Vm vm;
  const Proto& main = *compile(vm, kProgram, "@dir/m.lua").value();
  const Proto& f = *main.nested[0];
  ASSERT_GT(f.original_code.size(), 2u);
  std::vector<uint8_t> code(100);
  const std::vector<const Instruction*> first = {&f.code[0]}, inlined = {&f.code[f.original_code.size() - 1], &main.code[0]};
  const std::vector<CodePlace> places = {{10, 1}, {50, 0}, {80, CodePlace::kNone}};
  const CodeDescription unknown = describe_region(f, "M.f", code, places, {first, inlined});
  EXPECT_EQ(symbol_name(unknown), "lua:*M.f@dir/m.lua:2");
  EXPECT_TRUE(unknown.frame.empty());  // it does not begin as code with a frame pointer does
  const auto line_at = [&](uint32_t offset) {
    int line = 0;
    for (const CodeLine& row : unknown.lines) {
      if (row.offset <= offset) line = row.line;
    }
    return line;
  };
  EXPECT_EQ(line_at(0), 2);
  EXPECT_EQ(line_at(10), f.lines.back());
  EXPECT_EQ(line_at(60), f.lines.front());
  EXPECT_EQ(line_at(90), 2);

  const uint8_t prologue[] = {0x55, 0x48, 0x8B, 0xEC};
  std::copy(std::begin(prologue), std::end(prologue), code.begin());
  const CodeDescription known = describe_region(f, "M.f", code, places, {first, inlined});
  ASSERT_EQ(known.frame.size(), 3u);
  EXPECT_TRUE(known.frame[2].is_from_rbp);
  EXPECT_EQ(known.frame[2].cfa_offset_bytes, 16u);
}

}  // namespace
}  // namespace mangata
