// Policies written in Lua: --policy=./p.lua[:PARAMETERS].
//
// [DESIGN] The script runs in a machine of its own, with all libraries, in the interpreter only: nothing it
// does is seen by the program, and no policy is asked about it. It returns
//
//     function(snapshot) ... return {tier = "baseline", profile = "paths", sample = 8000, reason = "..."} end
//
// or a table {decide = that function, first = {entry = 20, loop = 60}, samples = true}, in which `first` may
// also be a function that returns such a table. A decision is made in the middle of the program, perhaps near
// the end of a coroutine's native stack, so the script runs in a coroutine of its machine, which has a native
// stack of its own.
//
// A script that fails while it is loaded is no policy. One that fails later is reported once, and what it was
// asked about stays as it is.
#include <cstdio>

#include "runtime/lib/load_file.h"
#include "runtime/library_set/library_set.h"
#include "runtime/tiering/built_in_policies.h"
#include "runtime/tiering/script_values.h"
#include "vm/interpreter/coroutine.h"
#include "vm/native.h"
#include "vm/object/table.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

constexpr const char* kDecideKey =
    "mangata.policy.decide";  // in the registry, which keeps the function alive

std::string message_of(Vm& vm, Value error) {
  const Result<String*> message = to_display_string(vm, error);
  if (message.ok()) return std::string(message.value()->view());
  vm.error = Value::nil();
  return "an error that has no text";
}

/// Calls its first argument with the second one. A safepoint even if that allocates nothing: snapshots are
/// garbage by then.
Result<int> call_function(Call& call) {
  call.push(TRY(call.call_value(call[0], {call[1]})));
  TRY(call.vm().heap.safepoint());
  return 1;
}

class ScriptPolicy : public Policy {
 public:
  ScriptPolicy() { open_libraries(vm_); }

  bool load(const std::string& path, std::string_view parameters, std::string* error) {
    const Result<LuaFunction*> chunk = load_file(vm_, path.c_str(), "t");
    if (!chunk.ok()) {
      *error = message_of(vm_, vm_.error);
      vm_.error = Value::nil();
      return false;
    }
    Value result = Value::nil();
    if (!run(Value::function(chunk.value()), vm_.string_value(parameters), &result, error)) return false;
    if (result.is_table()) return read_table(path, result.as_table(), error);
    return keep_decide(path, result, error);
  }

  bool samples() const override { return samples_; }
  bool optimizes() const override { return samples(); }
  bool needs_names() const override { return true; }
  void first(Decision* decision) override {
    decision->entry = first_.entry;
    decision->loop = first_.loop;
  }

  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    Decision made = *decision;
    Value result = Value::nil();
    std::string error;
    const Value function = table_get_string(vm_.registry, vm_.intern(kDecideKey));
    if (run(function, snapshot_to_lua(vm_, snapshot), &result, &error) &&
        decision_from_lua(vm_, result, &made, &error)) {
      *decision = made;
      return;
    }
    ++failures_;
    give_reason(decision, "failed: " + error);
    if (failures_ > 1) return;
    std::fprintf(stderr,
                 "mangata: the policy has failed: %s (function %s of %s:%d stays as it is; further failures "
                 "are not reported)\n",
                 error.c_str(), snapshot.name, snapshot.source, snapshot.line);
  }

  std::vector<PolicyTotal> totals() const override {
    if (failures_ == 0) return {};
    return {{"failed", failures_}};
  }

 private:
  /// Calls `function` with one argument in a coroutine. *result is not rooted: valid until something runs
  /// again.
  bool run(Value function, Value argument, Value* result, std::string* error) {
    Thread* coroutine = vm_.new_thread();
    if (coroutine == nullptr) {
      *error = "not enough memory";
      return false;
    }
    prepare_coroutine(*coroutine, Value::function(vm_.new_native(call_function, "policy")));
    for (const Value& value : {function, argument}) *coroutine->top++ = value;
    int count = 0;
    open_header(*coroutine, 2);
    const ResumeOutcome outcome = resume(vm_, *coroutine, 2, &count);
    *result = coroutine->top[-1];  // the one result, or the error
    if (outcome == ResumeOutcome::Returned) return true;
    *error = message_of(vm_, *result);
    return false;
  }

  bool keep_decide(const std::string& path, Value decide, std::string* error) {
    if (!decide.is_function()) {
      *error = path + ": it must return a function, or a table with a function 'decide'";
      return false;
    }
    set_field(vm_, vm_.registry, kDecideKey, decide);
    return true;
  }

  bool read_table(const std::string& path, Table* table, std::string* error) {
    if (!keep_decide(path, table_get_string(table, vm_.intern("decide")), error)) return false;
    const Value samples = table_get_string(table, vm_.intern("samples"));
    samples_ = samples.is_nil() || samples.is_truthy();
    Value first = table_get_string(table, vm_.intern("first"));
    if (first.is_function() && !run(first, Value::nil(), &first, error)) return false;
    if (decision_from_lua(vm_, first, &first_, error)) return true;
    *error = path + ": first: " + *error;
    return false;
  }

  Vm vm_;
  bool samples_ = true;
  Decision first_ = {};
  uint64_t failures_ = 0;
};

}  // namespace

std::unique_ptr<Policy> make_script_policy(std::string_view path, std::string_view parameters,
                                           std::string* error) {
  auto policy = std::make_unique<ScriptPolicy>();
  if (!policy->load(std::string(path), parameters, error)) return nullptr;
  return policy;
}

}  // namespace mangata
