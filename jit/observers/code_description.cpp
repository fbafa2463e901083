#include "jit/observers/code_description.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "profiler/function_names.h"
#include "vm/bytecode/disassembler.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

int line_of(const Proto& proto, CodePc pc) { return proto.line_at(proto.original_pc(proto.code + value_of(pc))); }

void add_line(CodeDescription* description, uint32_t offset, int line) {
  std::vector<CodeLine>& lines = description->lines;
  if (!lines.empty() && lines.back().offset == offset) lines.pop_back();  // an instruction without code
  if (lines.empty() || lines.back().line != line) lines.push_back({offset, line});
}

/// Behind its start, and but for the return behind `pop rbp`. Of the registers that it saves, rbp is enough to find its callers.
std::vector<CodeFrameRow> frame_of_region(std::span<const uint8_t> code) {
  constexpr uint32_t kBytes = 4;
  constexpr uint8_t kPrologues[][kBytes] = {{0x55, 0x48, 0x89, 0xE5}, {0x55, 0x48, 0x8B, 0xEC}};  // LLVM's, asmjit's
  constexpr int kRbp = 6;
  for (const auto& prologue : kPrologues) {
    if (code.size() > kBytes && std::equal(std::begin(prologue), std::end(prologue), code.begin())) return {{0, 8}, {1, 16, kRbp}, {kBytes, 16, -1, true}};
  }
  return {};
}

}  // namespace

void CodeNames::add(const Proto& proto) {
  std::vector<std::string> names = names_of_nested(proto);
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) names_[proto.nested[i]] = std::move(names[i]);
  }
}

std::string CodeNames::name_of(const Proto& proto) const {
  if (const auto found = names_.find(&proto); found != names_.end()) return found->second;
  return proto.line_defined == 0 ? "main chunk" : "function";
}

CodeDescription describe_function(const Proto& proto, std::string name, std::span<const uint8_t> code,
                                  std::span<const uint32_t> instruction_offsets, uint32_t slow_paths_offset, std::optional<CodePc> loop_pc) {
  CodeDescription description;
  description.start = code.data();
  description.size_bytes = code.size();
  description.name = std::move(name);
  description.line_defined = proto.line_defined;
  if (proto.source != nullptr) {
    const std::string_view source = proto.source->view();
    // A debugger opens "@file"; what is no file is shown as in error messages.
    description.source = source.starts_with('@') ? std::string(source.substr(1)) : chunk_id(source);
  }
  if (loop_pc) {
    description.frame = {{0, 16}};
  } else if (!instruction_offsets.empty()) {
    description.frame = {{0, 8}, {instruction_offsets[0], 16}};  // the prologue ends in a push
  }
  if (proto.lines.empty()) return description;

  const int first_line = proto.line_defined != 0 ? proto.line_defined : line_of(proto, CodePc{});
  add_line(&description, 0, first_line);
  const CodePc first = loop_pc.value_or(CodePc{});
  for (size_t i = 0; i < instruction_offsets.size(); ++i) add_line(&description, instruction_offsets[i], line_of(proto, first + static_cast<int>(i)));
  if (slow_paths_offset < code.size()) add_line(&description, slow_paths_offset, first_line);
  return description;
}

CodeDescription describe_region(const Proto& proto, std::string name, std::span<const uint8_t> code, std::vector<CodePlace> places,
                                std::vector<std::vector<const Instruction*>> inlined) {
  CodeDescription description = describe_function(proto, std::move(name), code, {}, static_cast<uint32_t>(code.size()));
  description.is_region = true;
  description.frame = frame_of_region(code);
  description.places = std::move(places);
  description.inlined = std::move(inlined);
  if (description.lines.empty()) return description;
  const int first_line = description.lines.front().line;
  for (const CodePlace& place : description.places) {
    const bool is_known = place.index < description.inlined.size() && !description.inlined[place.index].empty();
    add_line(&description, place.offset, is_known ? proto.line_at(proto.original_pc(description.inlined[place.index].front())) : first_line);
  }
  return description;
}

std::vector<CodePlace> places_of(std::span<const uint32_t> instruction_offsets, std::span<const CodePlace> slow_places) {
  std::vector<CodePlace> places{{0, 0}};
  for (size_t i = 0; i < instruction_offsets.size(); ++i) places.push_back({instruction_offsets[i], static_cast<uint32_t>(i)});
  places.insert(places.end(), slow_places.begin(), slow_places.end());
  return places;
}

std::vector<CodeComment> bytecode_comments(const Proto& proto, std::span<const uint32_t> instruction_offsets,
                                           const std::function<std::string(CodePc pc)>& event_text) {
  std::vector<CodeComment> comments;
  for (size_t pc = 0; pc < instruction_offsets.size(); ++pc) {
    if (proto.code[pc].op == Opcode::PathEvent) {
      comments.push_back({instruction_offsets[pc], event_text(CodePc(pc))});
      continue;
    }
    const OriginalPc original = proto.original_pc(proto.code + pc);
    std::string text = std::to_string(value_of(original));
    if (const int line = proto.line_at(original); line >= 0) text += " [" + std::to_string(line) + "]";
    comments.push_back({instruction_offsets[pc], text + " " + disassemble_instruction(proto, original)});
  }
  return comments;
}

}  // namespace mangata
