#include "vm/bytecode/proto_lifecycle.h"

#include "vm/poll.h"

namespace mangata {
namespace {

template <typename T>
size_t bytes_of(std::vector<T>& list) {
  list.shrink_to_fit();
  return list.size() * sizeof(T);
}

template <typename T>
size_t bytes_of(const std::vector<T>& list) {
  return list.size() * sizeof(T);
}

template <typename AnyProto>
size_t sum_of_lists(AnyProto& proto) {
  return bytes_of(proto.original_code) + bytes_of(proto.constants) + bytes_of(proto.nested) +
         bytes_of(proto.upvalues) + bytes_of(proto.lines) + bytes_of(proto.locals) + bytes_of(proto.caches) +
         bytes_of(proto.second_caches) + bytes_of(proto.feedback) + bytes_of(proto.branch_positions);
}

}  // namespace

void complete_proto(Vm& vm, Proto& proto) {
  proto.feedback.resize(proto.original_code.size());
  const size_t bytes = sum_of_lists(proto);
  proto.original_code.reserve(proto.original_code.size() + 1);  // behind the shrinking; as in add_version()
  proto.code = proto.original_code.data();
  vm.heap.account_function(static_cast<ptrdiff_t>(bytes));
}

void add_second_caches(Vm& vm, Proto& proto) {
  if (!proto.second_caches.empty()) return;
  proto.second_caches.resize(proto.caches.size());
  // Two shapes were too many for the one cache of the interpreter.
  for (InlineCache& cache : proto.caches) {
    if (cache.kind == InlineCache::kMegamorphic) cache = {};
  }
  vm.heap.account_function(static_cast<ptrdiff_t>(bytes_of(proto.second_caches)));
}

size_t proto_external_bytes(const Proto& proto) { return proto.code == nullptr ? 0 : sum_of_lists(proto); }

Status announce_proto(Vm& vm, Proto& proto) {
  if (vm.hooks == nullptr) return {};
  for (Proto* nested : proto.nested) TRY(announce_proto(vm, *nested));
  // Without an embedder, an interrupt waits for Lua code, as in the lexer.
  if (vm.embedder != nullptr) TRY(poll_native(vm, 0));
  vm.error = Value::nil();
  vm.hooks->proto_created(proto);
  if (!vm.error.is_nil()) return Raised{};
  return {};
}

}  // namespace mangata
