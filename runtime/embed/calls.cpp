// Compiling, calling, coroutines, and what becomes of errors.
#include <algorithm>

#include "runtime/embed/entry.h"
#include "runtime/lib/load_file.h"
#include "vm/bytecode/chunk.h"
#include "vm/interpreter/coroutine.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::abi {
namespace {

bool fail(Core* core, ErrorKind kind, Error* error) {
  Vm& vm = *core->vm;
  const bool is_memory = vm.error.is_identical(mangata::Value::string(vm.memory_error));
  if (vm.terminating) {
    describe_error(*core, vm.error, error);
  } else {
    *error = {is_memory ? ErrorKind::Memory : kind, text_of(vm, vm.error), {}};
  }
  vm.error = mangata::Value::nil();
  return false;
}

}  // namespace

std::string text_of(Vm& vm, const mangata::Value& value) {
  if (value.is_string()) return std::string(value.as_string()->view());
  if (value.is_number()) {
    char text[64];
    return {text, static_cast<size_t>(format_number(value, text))};
  }
  const mangata::Value method = vm.metamethod(value, Metamethod::ToString);
  if (method.is_string()) return std::string(method.as_string()->view());
  return "(error object is a " + std::string(mangata::type_name(value)) + " value)";
}

void describe_error(Core& core, mangata::Value value, Error* error) {
  Vm& vm = *core.vm;
  error->message = text_of(vm, value);
  error->traceback = std::move(core.traceback);
  core.traceback.clear();
  if (vm.terminating) {
    error->kind = core.termination;
    error->message = core.termination_message;
    error->traceback = core.termination_traceback;
  } else if (value.is_identical(mangata::Value::string(vm.memory_error))) {
    error->kind = ErrorKind::Memory;
    if (!core.memory_message.empty()) error->message = std::move(core.memory_message);
    core.memory_message.clear();
  } else {
    error->kind = ErrorKind::Runtime;
    core.vm->pinned.values[core.last_error_slot] = value;
  }
}

Raw last_error_value(Core* core) { return raw_of(core->vm->pinned.values[core->last_error_slot]); }

bool load(Core* core, std::string_view text, std::string_view chunk_name, Raw* out, Error* error) {
  Entry entry(core, error);
  if (!entry.ok()) return false;
  const auto chunk = mangata::load(*core->vm, text, chunk_name, core->load_mode());
  if (!chunk.ok()) return fail(core, ErrorKind::Syntax, error);
  *out = raw_of(mangata::Value::function(chunk.value()));
  return true;
}

bool load_file(Core* core, const char* path, Raw* out, Error* error) {
  Entry entry(core, error);
  if (!entry.ok()) return false;
  const auto source = read_source(*core->vm, path);
  if (!source.ok()) return fail(core, ErrorKind::Misuse, error);
  const SourceText& source_text = source.value();
  const auto chunk = mangata::load(*core->vm, source_text.text, source_text.chunk_name, core->load_mode());
  if (!chunk.ok()) return fail(core, ErrorKind::Syntax, error);
  *out = raw_of(mangata::Value::function(chunk.value()));
  return true;
}

bool call(Core* core, Raw function, const Raw* arguments, int count, int wanted, Results* results, Error* error) {
  Entry entry(core, error);
  if (!entry.ok()) return false;
  Thread& thread = entry.thread();
  mangata::Value* slot = thread.top;
  if (!reserve_stack(entry.thread(), kCallOverheadSlots + std::max(count, 0) + 1, error)) return false;
  slot[0] = value_of(function);
  slot[1].set_nil();
  slot[2].set_nil();
  for (int i = 0; i < count; ++i) slot[kCallOverheadSlots + i] = value_of(arguments[i]);
  thread.top = slot + kCallOverheadSlots + count;
  if (!entry.call(slot, count, wanted, error)) return false;
  *results = {reinterpret_cast<Raw*>(slot), static_cast<int>(thread.top - slot), slot};
  return true;
}

bool run(Core* core, std::string_view text, std::string_view chunk_name, int wanted, Results* results, Error* error) {
  const Entry entry(core, error);
  Raw chunk;
  return entry.ok() && load(core, text, chunk_name, &chunk, error) && call(core, chunk, nullptr, 0, wanted, results, error);
}

bool run_file(Core* core, const char* path, int wanted, Results* results, Error* error) {
  const Entry entry(core, error);
  Raw chunk;
  return entry.ok() && load_file(core, path, &chunk, error) && call(core, chunk, nullptr, 0, wanted, results, error);
}

void finish_call(Core* core, const Results& results) {
  if (core->vm != nullptr) core->vm->current->top = static_cast<mangata::Value*>(results.mark);
}

bool new_coroutine(Core* core, Raw function, Raw* out, Error* error) {
  Thread* coroutine = core->vm->new_thread();
  if (coroutine == nullptr) {
    *error = {ErrorKind::Memory, "not enough memory", {}};
    return false;
  }
  prepare_coroutine(*coroutine, value_of(function));
  *out = raw_of(mangata::Value::thread(coroutine));
  return true;
}

/// Through the library's own function, which knows what can go wrong.
bool resume(Core* core, Raw coroutine, const Raw* arguments, int count, int wanted, Results* results, bool* finished, Error* error) {
  std::vector<Raw> all;
  all.push_back(coroutine);
  all.insert(all.end(), arguments, arguments + count);
  Results flagged;
  if (!call(core, raw_of(core->vm->pinned.values[core->resume_slot]), all.data(), count + 1, -1, &flagged, error)) return false;
  auto* first = reinterpret_cast<mangata::Value*>(flagged.values);
  *finished = std::string_view(coroutine_status(core, coroutine)) == "dead";
  if (first[0].is_truthy()) {
    Thread& thread = *core->vm->current;
    if (!reserve_stack(thread, wanted, error)) {
      finish_call(core, flagged);
      return false;
    }
    while (flagged.count - 1 < wanted) {
      (thread.top++)->set_nil();
      ++flagged.count;
    }
    *results = {flagged.values + 1, wanted < 0 ? flagged.count - 1 : wanted, flagged.mark};
    return true;
  }
  Thread& failed = *value_of(coroutine).as_thread();
  if (failed.status == ThreadStatus::Failed) note_failure(*core->vm, failed, first[1]);  // its frames are there until it is closed
  describe_error(*core, first[1], error);
  finish_call(core, flagged);
  return false;
}

const char* coroutine_status(Core* core, Raw coroutine) {
  const Thread* thread = value_of(coroutine).as_thread();
  if (thread == core->vm->current) return "running";
  switch (thread->status) {
    case ThreadStatus::Suspended: return "suspended";
    case ThreadStatus::Dead:
    case ThreadStatus::Failed: return "dead";
    default: return "normal";
  }
}

bool close_coroutine(Core* core, Raw coroutine, Error* error) {
  Entry entry(core, error);
  if (!entry.ok()) return false;
  Thread& thread = *value_of(coroutine).as_thread();
  if (thread.status == ThreadStatus::Running || thread.status == ThreadStatus::Normal) {
    *error = {ErrorKind::Misuse, "cannot close a coroutine that runs", {}};
    return false;
  }
  // Its error slot must live while variables are closed.
  *entry.thread().top++ = value_of(coroutine);
  const bool ok = mangata::close_coroutine(*core->vm, thread);
  --entry.thread().top;
  if (!ok) describe_error(*core, *--thread.top, error);
  return ok;
}

}  // namespace mangata::abi
