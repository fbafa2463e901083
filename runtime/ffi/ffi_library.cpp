// See ffi_library.h. ffi_memory.cpp has the functions for memory.
#include "runtime/ffi/ffi_library.h"

#include <dlfcn.h>

#include "runtime/ffi/convert.h"
#include "runtime/ffi/library_functions.h"
#include "runtime/ffi/metamethods.h"
#include "runtime/ffi/namespaces.h"
#include "runtime/ffi/parser.h"
#include "runtime/ffi/type_argument.h"
#include "runtime/lib/libraries.h"
#include "runtime/lib/platform.h"
#include "vm/operations/operations.h"

namespace mangata::ffi {
namespace {

constexpr const char* kUnknown = "size of C type is unknown or too large";

Result<int> ffi_cdef(Call& call) {
  State& state = state_of(call.vm());
  const std::string_view source = TRY(call.check_view(0));
  const std::vector<TypeParameter> parameters = TRY(type_parameters(call, 1));
  Parser parser(state.types, state.names, source, parameters);
  state.parsed.clear();  // names may mean other types
  if (!parser.declarations().ok()) return call.error(parser.problem());
  return call.ret();
}

Result<int> ffi_new(Call& call) { return new_object(call, TRY(check_type(call, 0)), 1); }

Result<int> ffi_cast(Call& call) {
  State& state = state_of(call.vm());
  const TypeId type = TRY(check_type(call, 0));
  TRY(call.check_any(1));
  const TypeKind kind = state.types[type].kind;
  const bool is_scalar = kind == TypeKind::Bool || kind == TypeKind::Integer || kind == TypeKind::Float ||
                         kind == TypeKind::Enum || kind == TypeKind::Pointer;
  if (!is_scalar) return call.bad_argument(0, "invalid C type");
  const CData* data = cdata_of(call[1]);
  if (data != nullptr && data->type == type && !data->is_reference) return call.ret(call[1]);
  const uint64_t bytes = state.types.size_of(type);
  Userdata* made = new_cdata(state, type, bytes);
  std::string problem;
  if (!from_lua(state, type, reinterpret_cast<CData*>(made->payload)->address, bytes, call[1], Mode::Cast,
                &problem))
    return call.error(problem);
  return call.ret(Value::userdata(made));
}

Result<int> ffi_typeof(Call& call) {
  const TypeId type = TRY(check_type(call, 0, 1));
  return call.ret(new_type_object(state_of(call.vm()), type));
}

Result<int> ffi_metatype(Call& call) {
  State& state = state_of(call.vm());
  const TypeId type = TRY(check_type(call, 0));
  Table* metatable = TRY(call.check_table(1));
  const bool is_record = state.types[type].kind == TypeKind::Record;
  if (!is_record && !state.types.has_parts(type)) return call.bad_argument(0, "invalid C type");
  if (metatable_of(state, type) != nullptr) return call.error("cannot change a protected metatable");
  TRY(table_set(call.vm(), state.anchors, Value::table(metatable), Value::boolean(true)));
  if (is_record) {
    state.types.record(type).metatable = metatable;
  } else {
    state.metatables[index_of(state.types.unqualified(type))] = metatable;
  }
  return call.ret(new_type_object(state, type));
}

/// The size of a type with argument 1 elements in its variable array; kUnknownSize is a result.
Result<uint64_t> size_with_argument(Call& call, TypeId type) {
  const State& state = state_of(call.vm());
  if (!state.types.has_variable_size(type)) return state.types.size_of(type);
  const int64_t count = TRY(check_count(call, 1));
  return count < 0 ? kUnknownSize : state.types.size_with(type, static_cast<uint64_t>(count));
}

Result<int> ffi_sizeof(Call& call) {
  State& state = state_of(call.vm());
  const CData* data = cdata_of(call[0]);
  const bool is_value = data != nullptr && state.types[data->type].kind != TypeKind::TypeObject;
  uint64_t size = 0;
  if (is_value) {
    size = size_of_cdata(state, *data);
  } else {
    const TypeId type = TRY(check_type(call, 0));
    size = TRY(size_with_argument(call, type));
  }
  return call.ret(size == kUnknownSize ? Value::nil() : Value::integer(static_cast<int64_t>(size)));
}

Result<int> ffi_alignof(Call& call) {
  const TypeId type = TRY(check_type(call, 0));
  return call.ret(Value::integer(state_of(call.vm()).types.align_of(type)));
}

Result<int> ffi_offsetof(Call& call) {
  State& state = state_of(call.vm());
  const TypeId type = TRY(check_type(call, 0));
  const std::string_view name = TRY(call.check_view(1));
  const Field* field =
      state.types[type].kind == TypeKind::Record ? state.types.record(type).find(name) : nullptr;
  if (field == nullptr) return call.ret();
  const Value offset = Value::integer(static_cast<int64_t>(field->offset));
  if (!field->is_bit_field()) return call.ret(offset);
  return call.ret(offset, Value::integer(field->bit_offset), Value::integer(field->bit_width));
}

Result<int> ffi_istype(Call& call) {
  State& state = state_of(call.vm());
  const TypeId type = TRY(check_type(call, 0));
  TRY(call.check_any(1));
  const CData* data = cdata_of(call[1]);
  if (data == nullptr) return call.ret(Value::boolean(false));
  TypeId of = data->type;
  // A pointer to a struct counts as one.
  if (state.types[type].kind == TypeKind::Record && state.types[of].kind == TypeKind::Pointer)
    of = state.types[of].element;
  return call.ret(Value::boolean(state.types.same_unqualified(type, of)));
}

Result<int> ffi_gc(Call& call) {
  Vm& vm = call.vm();
  State& state = state_of(vm);
  const CData* data = cdata_of(call[0]);
  if (data == nullptr) return call.type_error(0, "cdata");
  TRY(call.check_any(1));
  const TypeKind kind = state.types[data->type].kind;
  if (kind != TypeKind::Pointer && kind != TypeKind::Array && kind != TypeKind::Record)
    return call.bad_argument(0, "invalid C type");
  TRY(table_set(vm, state.finalizers, call[0], call[1]));
  if (!call[1].is_nil()) vm.heap.add_finalizable(call[0].as_userdata());
  return call.ret(call[0]);
}

Result<int> ffi_abi(Call& call) {
  const std::string_view name = TRY(call.check_view(0));
  bool has = false;
  for (const std::string_view known : {"64bit", "le", "fpu", "hardfp"}) has = has || name == known;
  return call.ret(Value::boolean(has));
}

Result<int> open(Call& call) {
  Vm& vm = call.vm();
  auto owned = std::make_unique<State>(vm);
  State& state = *owned;
  vm.foreign_data = std::move(owned);
  Table* kept = table_new(vm);
  set_field(vm, vm.registry, "_FFI", Value::table(kept));
  const auto keep = [&](const char* name, Table* table) {
    set_field(vm, kept, name, Value::table(table));
    return table;
  };
  state.metatable = keep("metatable", make_metatable(vm));
  state.metatable->type_flags |= kUsedAsMetatable;
  state.anchors = keep("anchors", table_new(vm));
  state.finalizers = keep("finalizers", table_new(vm));
  Table* weak = keep("weak", table_new(vm));
  set_field(vm, weak, "__mode", vm.string_value("k"));
  table_set_metatable(vm, state.finalizers, weak);

  Table* library = keep("library", table_new(vm));
  set_functions(vm, library,
                {{"cdef", ffi_cdef},
                 {"new", ffi_new},
                 {"cast", ffi_cast},
                 {"typeof", ffi_typeof},
                 {"metatype", ffi_metatype},
                 {"sizeof", ffi_sizeof},
                 {"alignof", ffi_alignof},
                 {"offsetof", ffi_offsetof},
                 {"istype", ffi_istype},
                 {"gc", ffi_gc},
                 {"abi", ffi_abi},
                 {"load", load_library},
                 {"string", ffi_string},
                 {"copy", ffi_copy},
                 {"fill", ffi_fill},
                 {"errno", ffi_errno}});
  set_field(vm, library, "C", new_namespace(state, RTLD_DEFAULT));
  set_field(vm, library, "os", vm.string_value(kOperatingSystem));
  set_field(vm, library, "arch", vm.string_value(kArchitecture));
  return call.ret(Value::table(library));
}

/// The loader: once per machine, also if package.loaded is emptied.
Result<int> open_once(Call& call) {
  Vm& vm = call.vm();
  if (vm.foreign_data == nullptr) return open(call);
  const Value kept = table_get_string(vm.registry, vm.intern("_FFI"));
  return call.ret(table_get_string(kept.as_table(), vm.intern("library")));
}

}  // namespace

Value State::number_in(const Value& userdata) {
  Number number;
  if (cdata_of(userdata) == nullptr || (!real_part_of(*this, userdata, &number) && !number_of(*this, userdata, &number))) {
    return Value::nil();
  }
  return number.kind == Number::Kind::Float ? Value::number(number.real) : Value::integer(number.integer);
}

Result<int> new_object(Call& call, TypeId type, int first) {
  State& state = state_of(call.vm());
  uint64_t extra = 0, bytes = state.types.size_of(type);
  if (state.types.has_variable_size(type)) {
    const int64_t count = TRY(check_count(call, first));
    ++first;
    extra = static_cast<uint64_t>(count);
    bytes = count < 0 ? kUnknownSize : state.types.size_with(type, extra);
  }
  if (bytes == kUnknownSize) return call.bad_argument(0, kUnknown);
  TRY(call.vm().heap.ensure_headroom(bytes));
  Userdata* made = new_cdata(state, type, bytes, extra);
  if (made == nullptr) return raise_out_of_memory(call.vm());
  const int count = std::max(call.count() - first, 0);
  std::string problem;
  if (!initialize(state, type, reinterpret_cast<CData*>(made->payload)->address, bytes,
                  {call.base() + first, static_cast<size_t>(count)}, &problem)) {
    return call.error(problem);
  }
  const Value value = Value::userdata(made);
  if (state.types[type].kind == TypeKind::Record && state.types.record(type).metatable != nullptr) {
    const Value finalizer = find_metamethod(call.vm(), state.types.record(type).metatable, Metamethod::Gc);
    if (!finalizer.is_nil()) {
      TRY(table_set(call.vm(), state.finalizers, value, finalizer));
      call.vm().heap.add_finalizable(made);
    }
  }
  return call.ret(value);
}

}  // namespace mangata::ffi

namespace mangata {

void preload_ffi(Vm& vm) { preload(vm, "ffi", vm.new_native(ffi::open_once, "ffi")); }

}  // namespace mangata
