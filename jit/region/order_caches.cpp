#include "jit/region/order_caches.h"

#include <algorithm>
#include <array>
#include <utility>

#include "vm/interpreter/inline_cache.h"

namespace mangata::jit {
namespace {

/// The two shapes that the site met most, the first of them first; null: there are not so many.
std::array<Shape*, 2> most_met(const SiteTypes& site) {
  if (!site.many_shapes) return {const_cast<Shape*>(site.shape), nullptr};
  std::array<Shape*, 2> most = {};
  std::array<uint32_t, 2> counts = {};
  for (size_t i = 0; i < site.shape_count; ++i) {
    const uint32_t count = site.shape_counts[i];
    if (count > counts[0]) {
      most = {site.shapes[i], most[0]};
      counts = {count, counts[0]};
    } else if (count > counts[1]) {
      most[1] = site.shapes[i];
      counts[1] = count;
    }
  }
  return most;
}

/// What a store would have to learn depends on what is stored: only what is known of the shape is moved.
bool learn(Vm& vm, bool is_store, Shape* shape, String* key, InlineCache* cache) {
  return !is_store && learn_get_of_shape(vm, shape, key, cache);
}

void order(Vm& vm, Proto& proto, const Instruction& in, const SiteTypes& site) {
  InlineCache& first = proto.caches[in.d];
  InlineCache* second = proto.second_cache(in.d);
  if (second == nullptr) return;
  const bool is_store = in.op == Opcode::SetField;
  String* key = proto.constants[static_cast<size_t>(is_store ? in.b : in.c)].as_string();
  const uint8_t misses = first.miss_count;
  const std::array<Shape*, 2> wanted = most_met(site);
  if (wanted[0] == nullptr) return;
  if (first.shape == wanted[0] && (wanted[1] == nullptr || second->shape == wanted[1])) return;
  if (second->shape == wanted[0]) std::swap(first, *second);
  InlineCache fresh;
  if (first.shape != wanted[0] && learn(vm, is_store, wanted[0], key, &fresh)) {
    if (first.shape == wanted[1]) *second = first;
    first = fresh;
  }
  if (wanted[1] != nullptr && second->shape != wanted[1] && learn(vm, is_store, wanted[1], key, &fresh)) *second = fresh;
  first.miss_count = misses;
}

}  // namespace

void order_caches(Vm& vm, const TypeRecorder& types) {
  types.for_each_function([&](const Proto& proto, const Sites& sites) {
    for (size_t pc = 0; pc < sites.size(); ++pc) {
      const Instruction& in = proto.original_code[pc];
      const bool is_access = in.op == Opcode::GetField || in.op == Opcode::Self || in.op == Opcode::SetField;
      if (is_access && in.d != kNoInlineCache && sites.may_be_written(pc)) order(vm, const_cast<Proto&>(proto), in, sites[pc]);
    }
  });
}

}  // namespace mangata::jit
