// Engines and states: opening and closing.
#include "runtime/embed/core.h"

#include <algorithm>

#include "runtime/embed/entry.h"
#include "runtime/embed/limits.h"
#include "runtime/embed/sandbox.h"
#include "runtime/lib/libraries.h"
#include "runtime/tiering/policy.h"
#include "runtime/tiering/tier_manager.h"
#include "vm/native.h"
#include "vm/operations/debug_info.h"
#include "vm/operations/operations.h"

namespace mangata::abi {
namespace {

std::shared_ptr<Policy> policy_of(const EngineSettings& settings, std::string* problem, jit::RegionSettings* regions = nullptr) {
  if (settings.functions != nullptr) return make_function_policy(*settings.functions, settings.self);
  return make_policy(settings.policy, problem, regions);
}

std::function<void(const LogEvent&)> listener_of(const EngineSettings& settings) {
  return [listen = settings.listen, listener = settings.listener](const LogEvent& event) {
    static_assert(static_cast<int>(TieringEvent::Kind::NotOptimized) == static_cast<int>(LogEvent::Kind::NotOptimized));
    listen(listener, {static_cast<TieringEvent::Kind>(event.kind), event.function, event.source, event.line, event.loop_line, event.tier,
                      event.compiled, event.code_bytes, event.milliseconds, event.reason, event.text});
  };
}

}  // namespace

mangata::Result<int> note_traceback(Call& call) {
  Vm& vm = call.vm();
  const std::string message = text_of(vm, call[0]);
  const std::string_view view = message;
  core_of(vm).traceback = traceback(vm, call.thread(), &view, 1);
  return call.ret(call[0]);
}

void note_stop(Vm& vm, Thread& thread, std::string_view message, std::string* with_position, std::string* with_stack) {
  with_position->clear();
  for (int level = 0; with_position->empty() && frame_at_level(thread, level) != nullptr; ++level) *with_position = where(thread, level);
  with_position->append(message);
  const std::string_view view = *with_position;
  *with_stack = traceback(vm, thread, &view, 0);
}

void note_memory_error(Vm& vm) {
  Core& core = core_of(vm);
  note_stop(vm, *vm.current, vm.memory_error->view(), &core.memory_message, &core.traceback);
}

void note_failure(Vm& vm, Thread& coroutine, mangata::Value error) {
  Core& core = core_of(vm);
  if (error.is_identical(mangata::Value::string(vm.memory_error))) {
    note_stop(vm, coroutine, vm.memory_error->view(), &core.memory_message, &core.traceback);
    return;
  }
  const std::string message = text_of(vm, error);
  const std::string_view view = message;
  core.traceback = traceback(vm, coroutine, &view, 0);
}

Host* open_host(const EngineSettings& settings, Error* error) {
  std::string problem;
  if (policy_of(settings, &problem) == nullptr) {
    *error = {ErrorKind::Misuse, problem, {}};
    return nullptr;
  }
  auto* host = new Host;
  host->settings = settings;
  return host;
}

void retain(Host* host) { host->references.fetch_add(1, std::memory_order_relaxed); }
void release(Host* host) {
  if (host->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete host;
}
void retain(Core* core) { core->references.fetch_add(1, std::memory_order_relaxed); }
void release(Core* core) {
  if (core->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  release(core->host);
  delete core;
}
bool is_open(const Core* core) { return core->vm != nullptr; }

Core* open_state(Host* host, const Limits& limits, const Sandbox& sandbox, Error*) {
  auto* core = new Core;
  core->host = host;
  retain(host);
  const EngineSettings& settings = host->settings;
  std::string problem;
  Options& options = core->options;
  options.policy = policy_of(settings, &problem, &options.regions);
  options.max_code_bytes = settings.code_bytes;
  options.libraries = sandbox.libraries;
  options.interruptible = true;
  options.log.deterministic = settings.deterministic;
  options.seed = settings.seed;
  if (settings.listen != nullptr) options.log.listener = listener_of(settings);
  core->engine = std::make_unique<mangata::Engine>(options);
  Vm& vm = core->engine->vm();
  core->vm = &vm;
  vm.embedder = core;
  vm.on_interrupt = on_interrupt;
  core->fuel = std::make_unique<FuelMeter>(*core, *core->engine);
  vm.hooks = core->fuel.get();
  core->last_error_slot = pin(core, kNilValue);
  core->handler_slot = pin(core, raw_of(mangata::Value::function(vm.new_native(note_traceback, "?"))));
  core->resume_slot = pin(core, raw_of(mangata::Value::function(resume_function(vm))));
  prepare_owner_metatable(*core);
  core->globals_slot = pin(core, raw_of(mangata::Value::table(vm.globals)));
  core->is_sandboxed = sandbox.no_files_and_binaries;
  apply_sandbox(*core, sandbox);
  apply_limits(*core, limits);
  host->watch.add(*core);
  return core;
}

void close_state(Core* core) {
  if (core->vm == nullptr) return;
  Vm& vm = *core->vm;
  if (core->depth > 0) {
    if (core->close_when_left) return;
    core->close_when_left = true;
    retain(core);  // until then
    core->watched.requested.store(ErrorKind::StateGone);
    vm.request_interrupt();
    return;
  }
  {
    Error ignored;
    // Finalizers run under the limits. Whatever becomes of them, objects of the host are destroyed.
    Entry entry(core, &ignored);
    core->close_when_left = false;
    if (entry.ok()) vm.close();
  }
  vm.terminating = true;  // finalizers that the limits have stopped are not begun again
  core->owned.destroy_all();
  core->host->watch.remove(*core);
  core->vm = nullptr;
  core->engine.reset();
  core->names.clear();
}

}  // namespace mangata::abi
