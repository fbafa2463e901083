#include "jit/driver/machine_code_dump.h"

#include "jit/abi/compiled_code.h"
#include "jit/listing/disassembler.h"
#include "jit/listing/host_symbols.h"
#include "jit/observers/code_description.h"
#include "profiler/dump.h"
#include "vm/bytecode/disassembler.h"
#include "vm/interpreter/path_event.h"
#include "vm/object/string.h"
#include "vm/operations/operations.h"

namespace mangata::jit {
namespace {

/// "name[index]" and what is left, when `address` lies in the array; empty otherwise.
template <typename T>
std::string element_name(const char* name, const T* array, size_t count, uint64_t address) {
  const uint64_t offset = address - reinterpret_cast<uint64_t>(array);
  if (offset >= count * sizeof(T)) return {};
  std::string text = std::string(name) + "[" + std::to_string(offset / sizeof(T)) + "]";
  if (const uint64_t rest = offset % sizeof(T); rest != 0) text += "+" + std::to_string(rest);
  return text;
}

std::string counter_name(const PathCounters& counters, uint64_t address) {
  std::string name = element_name("count", counters.paths.array.data(), counters.paths.array.size(), address);
  for (size_t i = 0; name.empty() && i < counters.windows.size(); ++i) {
    const auto& array = counters.windows[i].counts.array;
    name =
        element_name(("window " + std::to_string(i) + " count").c_str(), array.data(), array.size(), address);
  }
  return name;
}

/// What compiled code refers to by address.
std::string symbol(const Proto& proto, const Thunks& thunks, uint64_t address) {
  for (const CodeDescription& thunk : thunks.descriptions) {
    if (address == reinterpret_cast<uint64_t>(thunk.start)) return thunk.name;
  }
  for (const Value& constant : proto.constants) {
    if (constant.is_string() && constant.payload == address) return constant_text(constant);
  }
  for (size_t i = 0; i < proto.nested.size(); ++i) {
    if (reinterpret_cast<uint64_t>(proto.nested[i]) == address) return "function[" + std::to_string(i) + "]";
  }
  const size_t length = proto.compiled->resume_offsets.size();
  std::string name = element_name("code", proto.code, length + 1, address);
  if (name.empty()) name = element_name("cache", proto.caches.data(), proto.caches.size(), address);
  if (name.empty()) name = element_name("second cache", proto.second_caches.data(), proto.second_caches.size(), address);
  if (name.empty()) name = element_name("constant", proto.constants.data(), proto.constants.size(), address);
  if (name.empty() && proto.path_counters != nullptr) name = counter_name(*proto.path_counters, address);
  return name.empty() ? host_symbol(address) : name;
}

}  // namespace

std::optional<std::string> dump_machine_code(const Proto& proto, const Thunks& thunks, std::string* error) {
  const CompiledCode& compiled = *proto.compiled;
  const auto event_text = [&proto](CodePc pc) { return describe_event(proto, proto.code[value_of(pc)], pc); };
  Listing listing{.code = compiled.machine_code(),
                  .comments = bytecode_comments(proto, compiled.instruction_offsets(), event_text),
                  .symbol = [&](uint64_t address) { return symbol(proto, thunks, address); }};
  listing.comments.push_back({compiled.slow_paths_offset, "slow paths"});
  const auto text = disassemble(listing, error);
  if (!text) return {};
  const std::string source = proto.source == nullptr ? "?" : chunk_id(proto.source->view());
  return "asm <" + source + ":" + std::to_string(proto.line_defined) + "> (" +
         std::to_string(proto.original_code.size()) + " instructions, " +
         std::to_string(compiled.code_bytes) + " bytes)\n" + *text;
}

}  // namespace mangata::jit
