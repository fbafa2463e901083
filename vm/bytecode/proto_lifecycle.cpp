#include "vm/bytecode/proto_lifecycle.h"

#include <iterator>

#include "vm/poll.h"

namespace mangata {
namespace {

/// The list has room for so many elements more, and no others.
template <typename T>
void fit(std::vector<T>& list, size_t spare = 0) {
  if (list.capacity() == list.size() + spare) return;
  std::vector<T> fitting;
  fitting.reserve(list.size() + spare);
  fitting.insert(fitting.end(), std::make_move_iterator(list.begin()), std::make_move_iterator(list.end()));
  list.swap(fitting);
}

template <typename T>
size_t bytes_of(const std::vector<T>& list) {
  return list.size() * sizeof(T);
}

size_t sum_of_lists(const Proto& proto) {
  return bytes_of(proto.original_code) + bytes_of(proto.constants) + bytes_of(proto.nested) +
         bytes_of(proto.upvalues) + bytes_of(proto.lines) + bytes_of(proto.locals) + bytes_of(proto.caches) +
         bytes_of(proto.second_caches) + bytes_of(proto.feedback) + bytes_of(proto.branch_positions);
}

}  // namespace

void complete_proto(Vm& vm, Proto& proto) {
  proto.feedback.resize(proto.original_code.size());
  fit(proto.original_code, 1);  // as in add_version()
  fit(proto.constants), fit(proto.nested), fit(proto.upvalues), fit(proto.lines), fit(proto.locals), fit(proto.caches);
  fit(proto.branch_positions);
  const size_t bytes = sum_of_lists(proto);
  proto.code = proto.original_code.data();
  vm.heap.account_function(static_cast<ptrdiff_t>(bytes));
}

void add_second_caches(Vm& vm, Proto& proto) {
  if (!proto.second_caches.empty()) return;
  proto.second_caches.resize(proto.caches.size());
  // Two shapes were too many for the one cache of the interpreter.
  for (InlineCache& cache : proto.caches) {
    if (cache.is_full()) cache = {};
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
