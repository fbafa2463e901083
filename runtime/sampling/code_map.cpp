#include "runtime/sampling/code_map.h"

#include <algorithm>

#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

uintptr_t address_of(const Instruction* code) { return reinterpret_cast<uintptr_t>(code); }

/// Calls visit(code, length) for each version.
template <typename Visit>
void for_each_version(const Proto& proto, const Visit& visit) {
  visit(proto.original_code.data(), proto.original_code.size());
  for (const auto& version : proto.versions) {
    if (version->code != proto.original_code.data()) visit(version->code, static_cast<size_t>(version->length));
  }
}

}  // namespace

void BytecodeMap::add(const Proto& proto) {
  for_each_version(proto, [&](const Instruction* code, size_t length) { ranges_[address_of(code)] = {&proto, address_of(code + length)}; });
}

void BytecodeMap::remove(const Proto& proto) {
  for_each_version(proto, [&](const Instruction* code, size_t) { ranges_.erase(address_of(code)); });
}

BytecodePlace BytecodeMap::find(const Instruction* address) const {
  auto range = ranges_.upper_bound(address_of(address));
  if (range == ranges_.begin()) return {};
  --range;
  if (address_of(address) >= range->second.end) return {};
  if ((address_of(address) - range->first) % sizeof(Instruction) != 0) return {};  // of a register that holds something else
  const Proto& proto = *range->second.proto;
  const CodeVersion* version = proto.version_at(address);
  if (version == nullptr || version->to_original.empty()) return {&proto, OriginalPc(address - proto.original_code.data())};
  return {&proto, version->to_original[static_cast<size_t>(address - version->code)]};
}

void CodeMap::add(const CodeDescription& code) {
  codes_[code.start] = {code.size_bytes, code.bytecode, code.places, code.inlined, code.is_region};
}

void CodeMap::remove(const uint8_t* start) { codes_.erase(start); }

CodeMap::Place CodeMap::find(const uint8_t* address) const {
  auto found = codes_.upper_bound(address);
  if (found == codes_.begin()) return {};
  --found;
  const Code& code = found->second;
  const auto offset = static_cast<size_t>(address - found->first);
  if (offset >= code.bytes) return {};
  Place result{.is_known = true, .is_region = code.is_region, .inlined = {}};
  const auto behind = std::upper_bound(code.places.begin(), code.places.end(), offset,
                                       [](size_t wanted, const CodePlace& place) { return wanted < place.offset; });
  if (behind == code.places.begin()) return result;
  const uint32_t index = behind[-1].index;
  if (index == CodePlace::kNone) return result;
  if (index < code.inlined.size()) {
    result.inlined = code.inlined[index];
  } else if (code.bytecode != nullptr) {
    result.instruction = code.bytecode + index;
  }
  return result;
}

void CodeMapObserver::code_added(const CodeDescription& code) {
  map_.add(code);
  added_(code);
}

void CodeMapObserver::code_removed(const uint8_t* start) {
  about_to_remove_(start);
  map_.remove(start);
}

}  // namespace mangata
