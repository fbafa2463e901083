// Profiling events (vm/interpreter/path_event.h) as machine code. Counter tables are arrays embedded by address; hashed ones,
// and what happens once per stay in a loop, are runtime calls.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

void BaselineCompiler::emit_PathEvent(const Instruction& in) {
  const PathEventRecord& event = proto_->path_counters->events[static_cast<size_t>(in.imm)];
  emit_event(event);
  if (event.jump != 0) a_.jmp(labels_[static_cast<size_t>(pc_ + 1 + event.jump)]);
}

void BaselineCompiler::emit_runtime_event() {
  emit_runtime_call(runtime_path_event);
  reload_path();
}

/// word += value
void BaselineCompiler::emit_path_add(int64_t value) {
  if (value == 0) return;
  if (value == static_cast<int32_t>(value)) {
    a_.add(kPath, static_cast<int32_t>(value));
  } else {
    load_immediate(rax, static_cast<uint64_t>(value));
    a_.add(kPath, rax);
  }
}

/// count[word + value]++, or count[(word + value) >> 32]++.
void BaselineCompiler::emit_count(const PathEventRecord& event, bool packed) {
  load_immediate(rcx, address_of(proto_->path_counters->paths.array.data()));
  const int64_t scaled = event.value * 8;
  if (!packed && scaled == static_cast<int32_t>(scaled)) {
    a_.inc(qword_ptr(rcx, kPath, 3, static_cast<int32_t>(scaled)));
    return;
  }
  load_immediate(rax, static_cast<uint64_t>(event.value));
  a_.add(rax, kPath);
  if (packed) a_.shr(rax, 32);
  a_.inc(qword_ptr(rcx, rax, 3));
}

/// The steady state is a count and a shift; the first k iterations of a stay have a mark above the window's bits.
void BaselineCompiler::emit_window_backedge(const PathEventRecord& event) {
  const PathWindow& window = proto_->path_counters->windows[event.index];
  if (window.counts.array.empty()) return emit_runtime_event();
  const Label resume = a_.newLabel();
  const Label starting = slow_path([this, resume, value = event.value] {
    emit_path_add(-value);
    emit_runtime_event();
    a_.jmp(resume);
  });
  emit_path_add(event.value);
  load_immediate(rcx, address_of(window.counts.array.data()));
  a_.mov(eax, kPath.r32());
  a_.cmp(eax, int64_t{1} << window.window_bits());
  a_.jae(starting);
  a_.inc(qword_ptr(rcx, rax, 3));
  a_.shr(eax, window.digit_bits);
  a_.mov(kPath.r32(), eax);
  a_.bind(resume);
}

void BaselineCompiler::emit_event(const PathEventRecord& event) {
  const bool is_array = !proto_->path_counters->paths.array.empty();
  switch (event.kind) {
    case PathEventKind::Start: load_immediate(kPath, static_cast<uint64_t>(event.start)); break;
    case PathEventKind::Add:
    case PathEventKind::WindowAdd: emit_path_add(event.value); break;
    case PathEventKind::Count:
    case PathEventKind::CountPacked:
      if (!is_array) return emit_runtime_event();
      emit_count(event, event.kind == PathEventKind::CountPacked);
      break;
    case PathEventKind::CountAndStart:
    case PathEventKind::CountPackedAndStart:
      if (!is_array) return emit_runtime_event();
      emit_count(event, event.kind == PathEventKind::CountPackedAndStart);
      load_immediate(kPath, static_cast<uint64_t>(event.start));
      break;
    case PathEventKind::CountEdge:
      load_immediate(rcx, address_of(&proto_->path_counters->paths.array[static_cast<size_t>(event.value)]));
      a_.inc(qword_ptr(rcx));
      break;
    case PathEventKind::EnterLoop:
      a_.shr(kPath, 32);
      a_.shl(kPath, 32);
      emit_path_add(event.value);
      break;
    case PathEventKind::WindowBackedge: emit_window_backedge(event); break;
    case PathEventKind::LeaveLoop:
    case PathEventKind::HashStep:
    case PathEventKind::HashCount:
    case PathEventKind::Trace: emit_runtime_event(); break;
  }
}

}  // namespace mangata::jit
