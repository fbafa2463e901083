#include "vm/bytecode/code_version.h"

#include "vm/bytecode/proto.h"

namespace mangata {

CodeVersion& original_version(Proto& proto) {
  if (proto.versions.empty()) {
    auto original = std::make_unique<CodeVersion>();
    original->code = proto.original_code.data();
    original->length = static_cast<int32_t>(proto.original_code.size());
    proto.version = original.get();
    proto.versions.push_back(std::move(original));
  }
  return *proto.versions.front();
}

CodeVersion& add_version(Proto& proto, CodeVersion version) {
  original_version(proto);
  auto& added = *proto.versions.emplace_back(std::make_unique<CodeVersion>(std::move(version)));
  // One past the end is a place, too (contains()): it must not be another version's first.
  added.instrumented.reserve(added.instrumented.size() + 1);
  added.code = added.instrumented.data();
  added.length = static_cast<int32_t>(added.instrumented.size());
  return added;
}

void install_version(Proto& proto, CodeVersion& version) {
  if (proto.version == &version) return;
  proto.version->compiled = proto.compiled;
  proto.version = &version;
  proto.code = version.code;
  proto.path_counters = version.counters;
  proto.compiled = version.compiled;
  version.compiled = nullptr;
}

const CodeVersion* Proto::version_at(const Instruction* pc) const {
  if (version == nullptr || version->contains(pc)) return version;
  for (const auto& other : versions) {
    if (other->contains(pc)) return other.get();
  }
  return nullptr;
}

OriginalPc Proto::original_pc_in_version(const Instruction* instruction) const {
  const CodeVersion& in = *version_at(instruction);
  const auto pc = static_cast<size_t>(instruction - in.code);
  return in.instrumented.empty() ? OriginalPc(pc) : in.to_original[pc];
}

}  // namespace mangata
