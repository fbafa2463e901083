// Indexing from the host: tables without metatables at once, everything else in a protected call.
#include "runtime/embed/copies.h"
#include "runtime/embed/entry.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::abi {
namespace {

mangata::Result<int> index_arguments(Call& call) { return call.ret(TRY(get_index(call.vm(), call[0], call[1]))); }

mangata::Result<int> assign_arguments(Call& call) {
  TRY(set_index(call.vm(), call[0], call[1], call[2]));
  return call.ret();
}

mangata::Result<int> length_of_argument(Call& call) { return call.ret(TRY(mangata::length(call.vm(), call[0]))); }

/// function(arguments...), with one result in *out.
bool call_protected(Core* core, NativeCode code, std::initializer_list<Raw> arguments, Raw* out, Error* error) {
  Entry entry(core, error);
  if (!entry.ok()) return false;
  Thread& thread = entry.thread();
  Call frame(*core->vm, thread);
  mangata::Value* function = thread.top;
  if (!reserve_stack(entry.thread(), kCallOverheadSlots + 4, error)) return false;
  frame.push_function(mangata::Value::function(core->vm->new_native(code, "?")));
  for (const Raw& argument : arguments) frame.push(value_of(argument));
  if (!entry.call(function, static_cast<int>(arguments.size()), 1, error)) return false;
  *out = raw_of(function[0]);
  thread.top = function;
  return true;
}

}  // namespace

Raw globals(Core* core) { return raw_of(core->vm->pinned.values[core->globals_slot]); }

bool get(Core* core, Raw object, Raw key, Raw* out, Error* error) {
  if (object.tag == kTable) {
    Table* table = value_of(object).as_table();
    const mangata::Value value = table_get(table, value_of(key));
    if (!value.is_nil() || table->metatable() == nullptr) {
      *out = raw_of(value);
      return true;
    }
  }
  return call_protected(core, index_arguments, {object, key}, out, error);
}

namespace {

/// Garbage is collected if that is due, with `object` rooted.
bool collect_if_due(Core* core, Raw object, Error* error) {
  if (!core->vm->heap.needs_step()) [[likely]]
    return true;
  Entry entry(core, error);
  if (!entry.ok()) return false;
  Thread& thread = entry.thread();
  *thread.top++ = value_of(object);
  const bool ok = entry.safepoint(error);
  --thread.top;
  return ok;
}

}  // namespace

bool set(Core* core, Raw object, Raw key, Raw value, Error* error) {
  if (object.tag == kTable && (key.tag == kString || key.tag == kInteger) && value_of(object).as_table()->metatable() == nullptr) {
    Vm& vm = *core->vm;
    Table* table = value_of(object).as_table();
    const mangata::Value lua_key = value_of(key);
    const Status done = lua_key.is_string() ? table_set_string(vm, table, lua_key.as_string(), value_of(value))
                                            : table_set_integer(vm, table, lua_key.as_integer(), value_of(value));
    if (!done.ok()) {
      describe_error(*core, vm.error, error);
      vm.error = mangata::Value::nil();
      return false;
    }
    return collect_if_due(core, object, error);
  }
  Raw ignored;
  return call_protected(core, assign_arguments, {object, key, value}, &ignored, error);
}

bool length(Core* core, Raw object, int64_t* out, Error* error) {
  Raw raw;
  if (!call_protected(core, length_of_argument, {object}, &raw, error)) return false;
  if (to_integer(raw, out) > 0) return true;
  *error = {ErrorKind::Conversion, "object length is not an integer", {}};
  return false;
}

bool next(Core*, Raw table, uint32_t* cursor, Raw* key, Raw* value) {
  mangata::Value next_key, next_value;
  if (!table_iterate(contents_of(value_of(table).as_table()), cursor, &next_key, &next_value)) return false;
  *key = raw_of(next_key);
  *value = raw_of(next_value);
  return true;
}

Raw raw_get(Raw table, int64_t index) { return raw_of(table_get_integer(contents_of(value_of(table).as_table()), index)); }
int64_t raw_length(Raw table) { return table_length(contents_of(value_of(table).as_table())); }

bool raw_append(Core* core, Raw table, Raw value, Error* error) {
  Table* object = value_of(table).as_table();
  return raw_set(core, table, raw_of(mangata::Value::integer(table_length(object) + 1)), value, error);
}

bool raw_set(Core* core, Raw table, Raw key, Raw value, Error* error) {
  const mangata::Value lua_key = value_of(key);
  if (lua_key.is_nil() || (lua_key.is_float() && lua_key.as_float() != lua_key.as_float())) {
    *error = {ErrorKind::Misuse, lua_key.is_nil() ? "table index is nil" : "table index is NaN", {}};
    return false;
  }
  if (table_set(*core->vm, value_of(table).as_table(), lua_key, value_of(value)).ok()) return true;
  describe_error(*core, core->vm->error, error);
  core->vm->error = mangata::Value::nil();
  return false;
}

}  // namespace mangata::abi
