// Stack tracebacks and the global names of functions (Lua 5.4 manual §6.10 debug.traceback).
//
// Long stacks show their first and last levels only. The texts are those of Lua 5.4: tools parse them.
#include <string>

#include "vm/operations/debug_info.h"
#include "vm/operations/debug_names.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {
namespace {

constexpr int kFirstLevels = 10;
constexpr int kLastLevels = 11;

/// The string key under which `table` holds `value`, or null.
String* key_of(Table* table, const Value& value) {
  uint32_t cursor = 0;
  Value key, candidate;
  while (table_iterate(table, &cursor, &key, &candidate)) {
    if (key.is_string() && raw_equals(candidate, value)) return key.as_string();
  }
  return nullptr;
}

int level_count(Thread& thread) {
  int count = 0;
  for (Value* base = innermost_frame(thread); (frame_of(base)->flags & FrameHeader::kBottom) == 0;
       base = outer_frame(base)) {
    ++count;
  }
  return count;
}

std::string function_description(Vm& vm, const DebugInfo& info, Value function) {
  const std::string global_name = global_function_name(vm, function);
  if (!global_name.empty()) return "function '" + global_name + "'";
  if (*info.name_what != '\0') return std::string(info.name_what) + " '" + info.name + "'";
  if (*info.what == 'm') return "main chunk";
  if (*info.what == 'C') return "?";
  return "function <" + info.short_source + ":" + std::to_string(info.line_defined) + ">";
}

void append_level(Vm& vm, Thread& thread, Value* base, std::string* out) {
  constexpr int64_t kWork = 150;
  charge_native(vm, kWork);
  const DebugInfo info = debug_info(vm, thread, base, Value::nil(), "Slnt");
  out->append("\n\t").append(info.short_source).append(":");
  if (info.current_line > 0) out->append(std::to_string(info.current_line)).append(":");
  out->append(" in ").append(function_description(vm, info, *function_slot(base)));
  if (info.is_tail_call) out->append("\n\t(...tail calls...)");
}

}  // namespace

std::string global_function_name(Vm& vm, Value function) {
  const Value loaded = table_get_string(vm.registry, vm.intern("_LOADED"));
  if (!loaded.is_table()) return {};
  uint32_t cursor = 0;
  Value module_name, module;
  while (table_iterate(loaded.as_table(), &cursor, &module_name, &module)) {
    if (!module_name.is_string()) continue;
    if (raw_equals(module, function)) return std::string(module_name.as_string()->view());
    if (!module.is_table()) continue;
    const String* field = key_of(module.as_table(), function);
    if (field == nullptr) continue;
    if (module_name.as_string()->view() == "_G") return std::string(field->view());
    return std::string(module_name.as_string()->view()) + "." + std::string(field->view());
  }
  return {};
}

std::string traceback(Vm& vm, Thread& thread, const std::string_view* message, int level) {
  std::string out;
  if (message != nullptr) out.append(*message).append("\n");
  out.append("stack traceback:");
  const int last = level_count(thread) - 1;
  const bool is_long = last - level > kFirstLevels + kLastLevels;
  const int first_skipped = level + kFirstLevels;
  const int skipped_count = last - level - kFirstLevels - kLastLevels + 1;
  Value* base = frame_at_level(thread, level);
  for (int current = level; base != nullptr && current <= last; ++current, base = outer_frame(base)) {
    if (is_long && current == first_skipped) {
      // Lua 5.4 does not count the level that the notice stands for.
      out.append("\n\t...\t(skipping ").append(std::to_string(skipped_count - 1)).append(" levels)");
    }
    if (is_long && current >= first_skipped && current < first_skipped + skipped_count) continue;
    append_level(vm, thread, base, &out);
  }
  return out;
}

}  // namespace mangata
