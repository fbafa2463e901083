#include "jit/ir/numbering.h"

#include <algorithm>

namespace mangata::jit::ir {
namespace {

bool is_numbered(const Operation& operation) {
  const OperationInfo& info = info_of(operation.op);
  if (info.effect == Effect::Reads) return !operation.is_volatile;
  return info.effect == Effect::Pure && info.shape != Shape::Area && info.shape != Shape::Nullary;
}

}  // namespace

void Numbering::clear() {
  ++era_;
  used_ = 0;
}

uint64_t Numbering::hash_of(const Operation& operation) {
  uint64_t hash = static_cast<uint64_t>(operation.op) | static_cast<uint64_t>(operation.type) << 8 | static_cast<uint64_t>(operation.list_count) << 32;
  const auto mix = [&](uint64_t word) { hash = (hash ^ word) * kHashMultiplier, hash ^= hash >> 32; };
  mix(operation.immediate);
  mix(operation.operands[0].index | uint64_t{operation.operands[1].index} << 32);
  mix(operation.operands[2].index);
  return hash;
}

bool Numbering::is_same(const Operation& a, const Operation& b) {
  return a.op == b.op && a.type == b.type && a.immediate == b.immediate && a.list_count == b.list_count && a.memory == b.memory &&
         a.operands == b.operands;
}

uint32_t Numbering::generation_of(const Operation& operation) const {
  if (info_of(operation.op).effect != Effect::Reads) return 0;
  const uint32_t any = written_[static_cast<size_t>(Memory::Any)];
  if (operation.memory == Memory::Any) return *std::max_element(written_, written_ + kMemoryClasses);
  return std::max(any, written_[static_cast<size_t>(operation.memory)]);
}

Value Numbering::find(const Function& function, const Operation& operation) const {
  if (operation.op == Opcode::GetVariable) {
    if (operation.immediate >= held_.size()) return {};
    const auto& [value, era] = held_[operation.immediate];
    return era == era_ ? value : Value{};
  }
  if (!is_numbered(operation)) return {};
  const uint64_t hash = hash_of(operation);
  const uint32_t generation = generation_of(operation);
  for (size_t i = hash % table_.size(); table_[i].era == era_; i = (i + 1) % table_.size()) {
    const Entry& entry = table_[i];
    if (entry.hash == hash && entry.generation == generation && is_same(function[entry.value], operation)) return entry.value;
  }
  return {};
}

void Numbering::insert(uint64_t hash, Value value, uint32_t generation) {
  size_t i = hash % table_.size();
  while (table_[i].era == era_) i = (i + 1) % table_.size();
  table_[i] = {hash, value, era_, generation};
  if (++used_ * 2 < table_.size()) return;
  std::vector<Entry> old(table_.size() * 2);
  old.swap(table_);
  used_ = 0;
  for (const Entry& entry : old) {
    if (entry.era == era_) insert(entry.hash, entry.value, entry.generation);
  }
}

void Numbering::add(const Function&, const Operation& operation, Value value) {
  switch (info_of(operation.op).effect) {
    case Effect::WritesVariable:
    case Effect::ReadsVariable: {
      if (operation.immediate >= held_.size()) held_.resize(operation.immediate + 1);
      held_[operation.immediate] = {operation.op == Opcode::SetVariable ? operation.operands[0] : value, era_};
      return;
    }
    case Effect::Writes:
      written_[static_cast<size_t>(operation.memory)] = ++now_;
      return;
    case Effect::Calls:
      if (operation.touches == CallMemory::All || operation.touches == CallMemory::Reads) written_[static_cast<size_t>(Memory::Any)] = ++now_;
      return;
    case Effect::Pure:
    case Effect::Reads:
      if (is_numbered(operation)) insert(hash_of(operation), value, generation_of(operation));
      return;
    case Effect::ReadsStack:
    case Effect::Control:
      return;
  }
}

}  // namespace mangata::jit::ir
