#include "runtime/tiering/script_values.h"

#include <cmath>
#include <concepts>

#include "runtime/tiering/decision_words.h"
#include "runtime/tiering/policy_fields.h"
#include "vm/native.h"
#include "vm/object/table.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

Value integer(uint64_t number) { return Value::integer(static_cast<int64_t>(number)); }

Value text(Vm& vm, std::string_view bytes) {
  const Result<String*> string = vm.new_string(bytes);
  if (string.ok()) return Value::string(string.value());
  vm.error = Value::nil();
  return Value::nil();
}

void append(Vm& vm, Table* list, Value value) { (void)table_append(vm, list, value); }

/// Sets the fields of a table.
struct FieldSetter {
  Vm& vm;
  Table* table;

  void set(const char* word, Value value) { set_field(vm, table, word, value); }
  void number(const char* word, double value) { set(word, Value::number(value)); }
  template <std::integral T>
  void number(const char* word, T value) { set(word, Value::integer(static_cast<int64_t>(value))); }
  template <typename T>
  void measured(const char* word, T value) { number(word, value); }
  template <typename T>
  void machine(const char* word, T value) { number(word, value); }
  void flag(const char* word, uint32_t value) { set(word, Value::boolean(value != 0)); }
  void late_flag(const char* word, uint32_t value) { flag(word, value); }
  void text(const char* word, const char* value) { set(word, mangata::text(vm, value)); }
  void occasion(const char* word, uint32_t value) { set(word, vm.string_value(word_at(kOccasionWords, value))); }
  void tier(const char* word, uint32_t value) { set(word, vm.string_value(word_at(kTierWords, value))); }
  void profile(const char* word, uint32_t value) { set(word, vm.string_value(word_at(kProfileWords, value))); }
  void words(const char* word, const uint64_t (&value)[MANGATA_MEMORY_WORDS]) {
    Table* list = table_new(vm);
    for (const uint64_t each : value) append(vm, list, integer(each));
    set(word, Value::table(list));
  }
  void list(const char*, const void*) {}
  template <typename T>
  void hidden(const char*, const T&) {}
};

Value loop_to_lua(Vm& vm, const mangata_loop_snapshot& loop) {
  Table* table = table_new(vm);
  visit_loop_fields(loop, FieldSetter{vm, table});
  Table* accuracy = table_new(vm);
  for (uint32_t k = 0; k < loop.accuracy_count; ++k) append(vm, accuracy, Value::number(loop.accuracy[k]));
  set_field(vm, table, "accuracy", Value::table(accuracy));
  return Value::table(table);
}

Value path_to_lua(Vm& vm, const mangata_path_snapshot& path) {
  Table* table = table_new(vm);
  visit_path_fields(path, FieldSetter{vm, table});
  return Value::table(table);
}

Value region_to_lua(Vm& vm, const mangata_region_snapshot& region) {
  Table* table = table_new(vm);
  visit_region_fields(region, FieldSetter{vm, table});
  return Value::table(table);
}

/// "interpreter" or "baseline", say.
template <size_t N>
bool read_word(Value value, const char* const (&words)[N], uint32_t* out) {
  if (!value.is_string()) return false;
  const auto index = index_of_word(words, value.as_string()->view());
  if (index) *out = *index;
  return index.has_value();
}

bool read_countdown(Value value, int32_t& out) {
  double number = 0;
  if (!value.is_number() || !to_number(value, &number) || !(number >= 0)) return false;
  out = number < MANGATA_NEVER ? static_cast<int32_t>(number) : MANGATA_NEVER;
  return true;
}

/// A list of integers from `low` to `high`, as many as fit into `out`; the others are ignored.
template <typename T, size_t N>
bool read_list(Value value, int64_t low, int64_t high, T (&out)[N]) {
  if (!value.is_table()) return false;
  for (size_t i = 0; i < N; ++i) {
    const Value element = table_get_integer(value.as_table(), static_cast<int64_t>(i) + 1);
    int64_t number = 0;
    if (!element.is_nil() && (!number_to_integer(element, &number) || number < low || number > high))
      return false;
    out[i] = static_cast<T>(number);
  }
  return true;
}

// Each kind of field in policy_fields.def. False: it must be something else.
bool read_tier(Value value, uint32_t& out) { return read_word(value, kTierWords, &out); }
bool read_profile(Value value, uint32_t& out) { return read_word(value, kProfileWords, &out); }
bool read_compiler(Value value, uint32_t& out) { return read_word(value, kCompilerWords, &out); }
bool read_loops(Value value, uint8_t (&out)[MANGATA_MAX_LOOPS]) { return read_list(value, 0, MANGATA_MAX_K, out); }
bool read_words(Value value, uint64_t (&out)[MANGATA_MEMORY_WORDS]) { return read_list(value, INT64_MIN, INT64_MAX, out); }
bool read_flag(Value value, uint32_t& out) {
  out = value.is_truthy();
  return value.is_boolean();
}
bool read_late_flag(Value value, uint32_t& out) { return read_flag(value, out); }
template <size_t N>
bool read_text(Value value, char (&out)[N]) {
  if (value.is_string()) copy_text(value.as_string()->view(), out);
  return value.is_string();
}
bool read_hidden(Value, uint32_t&) { return false; }

struct Field {
  std::string_view name;  ///< empty: scripts do not know it
  const char* expected;
  bool (*read)(Value value, Decision* decision);
};

constexpr Field kFields[] = {
#define DECISION_FIELD(kind, member, word, expected) {word, expected, [](Value value, Decision* decision) { return read_##kind(value, decision->member); }},
#define PROFILE_FIELD(...)
#define LOOP_FIELD(...)
#define PATH_FIELD(...)
#define REGION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
};

const Field* field_named(Value key) {
  if (!key.is_string()) return nullptr;
  for (const Field& field : kFields) {
    if (!field.name.empty() && field.name == key.as_string()->view()) return &field;
  }
  return nullptr;
}

}  // namespace

Value snapshot_to_lua(Vm& vm, const ProfileSnapshot& snapshot) {
  Table* table = table_new(vm);
  visit_profile_fields(snapshot, FieldSetter{vm, table});
  Table* loops = table_new(vm);
  for (uint32_t i = 0; i < snapshot.loop_count; ++i) append(vm, loops, loop_to_lua(vm, snapshot.loops[i]));
  set_field(vm, table, "loops", Value::table(loops));
  Table* hottest = table_new(vm);
  for (uint32_t i = 0; i < snapshot.path_count; ++i)
    append(vm, hottest, path_to_lua(vm, snapshot.hottest[i]));
  set_field(vm, table, "hottest", Value::table(hottest));
  Table* regions = table_new(vm);
  for (uint64_t i = 0; i < snapshot.region_count; ++i) append(vm, regions, region_to_lua(vm, snapshot.regions[i]));
  set_field(vm, table, "regions", Value::table(regions));
  return Value::table(table);
}

bool decision_from_lua(Vm& vm, Value value, Decision* decision, std::string* error) {
  if (value.is_nil()) return true;
  if (!value.is_table()) {
    *error = "a decision must be a table or nil, not a " + std::string(type_name(value));
    return false;
  }
  uint32_t cursor = 0;
  Value key, element;
  while (table_iterate(value.as_table(), &cursor, &key, &element)) {
    const Field* field = field_named(key);
    if (field == nullptr) {
      const Result<String*> name =
          key.is_string() || key.is_number() ? to_string_coercion(vm, key) : Result<String*>(Raised{});
      *error =
          "a decision has no field '" + std::string(name.ok() ? name.value()->view() : type_name(key)) + "'";
      return false;
    }
    if (!field->read(element, decision)) {
      *error = "field '" + std::string(field->name) + "' of a decision must be " + field->expected;
      return false;
    }
  }
  return true;
}

}  // namespace mangata
