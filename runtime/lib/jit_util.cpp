// jit.util: what is known of a function.
#include <algorithm>

#include "runtime/lib/jit_library.h"
#include "vm/bytecode/proto.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

class InfoTable {
 public:
  explicit InfoTable(Vm& vm) : vm_(vm), table_(table_new(vm)) {}
  void set(const char* key, size_t value) {
    set_field(vm_, table_, key, Value::integer(static_cast<int64_t>(value)));
  }
  void set(const char* key, int32_t value) { set_field(vm_, table_, key, Value::integer(value)); }
  void set(const char* key, bool value) { set_field(vm_, table_, key, Value::boolean(value)); }
  Status set(const char* key, std::string_view value) {
    set_field(vm_, table_, key, Value::string(TRY(vm_.new_string(value))));
    return {};
  }
  Value value() const { return Value::table(table_); }

 private:
  Vm& vm_;
  Table* table_;
};

/// Where its instruction `pc` comes from; nothing when it has no such instruction.
Status describe_place(InfoTable& info, const Proto& proto, int64_t pc) {
  const std::string_view source = proto.source == nullptr ? "=?" : proto.source->view();
  TRY(info.set("source", source));
  if (pc < 0 || static_cast<size_t>(pc) >= proto.original_code.size()) return {};
  const int32_t line = proto.line_at(OriginalPc(pc));
  info.set("currentline", line);
  return info.set("loc", chunk_id(source) + ":" + (line < 0 ? "?" : std::to_string(line)));
}

Status describe_state(InfoTable& info, const TierControl::State& state) {
  TRY(info.set("tier", std::string_view(state.tier)));
  TRY(info.set("profile", std::string_view(state.profile)));
  info.set("code_bytes", state.code_bytes);
  info.set("versions", state.versions);
  info.set("jit", state.is_on);
  return {};
}

Result<int> util_funcinfo(Call& call) {
  TRY(call.check_type(0, "function", call[0].is_function()));
  InfoTable info(call.vm());
  if (call[0].is_native_function()) {
    info.set("upvalues", static_cast<size_t>(call[0].as_native_function()->upvalue_count()));
    return call.ret(info.value());
  }
  const int64_t pc = TRY(call.optional_integer(1, 0));
  const Proto& proto = *call[0].as_lua_function()->proto;
  const auto numbers = static_cast<size_t>(std::count_if(
      proto.constants.begin(), proto.constants.end(), [](const Value& value) { return value.is_number(); }));
  info.set("linedefined", proto.line_defined);
  info.set("lastlinedefined", proto.last_line_defined);
  info.set("params", int32_t{proto.parameter_count});
  info.set("isvararg", proto.is_vararg);
  info.set("stackslots", int32_t{proto.max_stack_slots});
  info.set("bytecodes", proto.original_code.size());
  info.set("nconsts", numbers);
  info.set("gcconsts", proto.constants.size() - numbers);
  info.set("upvalues", proto.upvalues.size());
  info.set("children", !proto.nested.empty());
  TRY(describe_place(info, proto, pc));
  TRY(describe_state(info, control_of<TierControl>(call).state_of(proto)));
  return call.ret(info.value());
}

}  // namespace

Table* make_jit_util(Vm& vm, TierControl& tiers) {
  Table* library = table_new(vm);
  set_control_function(vm, library, "funcinfo", util_funcinfo, &tiers);
  return library;
}

}  // namespace mangata
