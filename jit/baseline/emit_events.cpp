// Profiling events (vm/interpreter/path_event.h) as machine code. Counter tables are arrays embedded by address; hashed ones,
// and what happens once per stay in a loop, are calls of C++ functions on the path register.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

void BaselineCompiler::emit_PathEvent(const Instruction& in) {
  const PathEventRecord& event = proto_->path_counters->events[static_cast<size_t>(in.imm)];
  emit_event(event);
  if (event.jump != 0) a_.jmp(labels_[static_cast<size_t>(pc_ + 1 + event.jump)]);
}

/// Jumps where `in` does. Events on the way are executed here, so that there is only one jump; their instructions behind the
/// last block remain as places to resume at, and for conditional jumps.
void BaselineCompiler::emit_jump(const Instruction& in) {
  const int jump_pc = pc_;
  for (pc_ = jump_pc + 1 + in.imm; proto_->code[pc_].op == Opcode::PathEvent;) {
    const PathEventRecord& event = proto_->path_counters->events[static_cast<size_t>(proto_->code[pc_].imm)];
    emit_event(event);
    pc_ += 1 + event.jump;
  }
  a_.jmp(labels_[static_cast<size_t>(pc_)]);
  pc_ = jump_pc;
}

/// By a C++ function of the word. It looks at no frame, so nothing is published.
void BaselineCompiler::emit_rare_event(const PathEventRecord& event) {
  load_immediate(rdi, address_of(proto_->path_counters));
  load_immediate(rsi, address_of(&event));
  a_.mov(rdx, kPath);
  a_.call(asmjit::imm(address_of(reinterpret_cast<const void*>(&run_rare_event))));
  a_.mov(kPath, rax);
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

/// count[word + value]++
void BaselineCompiler::emit_count(const PathEventRecord& event) {
  load_immediate(rcx, address_of(proto_->path_counters->paths.array.data()));
  const int64_t scaled = event.value * 8;
  if (scaled == static_cast<int32_t>(scaled)) {
    a_.inc(qword_ptr(rcx, kPath, 3, static_cast<int32_t>(scaled)));
    return;
  }
  load_immediate(rax, static_cast<uint64_t>(event.value));
  a_.add(rax, kPath);
  a_.inc(qword_ptr(rcx, rax, 3));
}

/// count[upper half of (word + value)]++. The lower half of the value is 0.
void BaselineCompiler::emit_packed_count(const PathEventRecord& event) {
  load_immediate(rcx, address_of(proto_->path_counters->paths.array.data()));
  a_.mov(rax, kPath);
  a_.shr(rax, 32);
  if (event.value != 0) a_.add(eax, static_cast<int32_t>(event.value >> 32));
  a_.inc(qword_ptr(rcx, rax, 3));
}

/// The compact table of paths that were expected; all others out of line.
void BaselineCompiler::emit_preferred_count(const PathEventRecord& event) {
  const PathCounters& counters = *proto_->path_counters;
  const Label resume = a_.newLabel();
  const Label residual = slow_path([this, &event, resume] {
    emit_rare_event(event);
    a_.jmp(resume);
  });
  Gp number = kPath.r32();
  if (event.value != 0) {
    load_immediate(rax, static_cast<uint64_t>(event.value));
    a_.add(rax, kPath);
    a_.mov(edx, eax);
    number = edx;
  } else {
    a_.mov(rax, kPath);
  }
  a_.shr(rax, 32);
  a_.cmp(eax, static_cast<uint32_t>(counters.preferred.size()));
  a_.jae(residual);
  load_immediate(rcx, address_of(counters.preferred.data()));
  a_.cmp(dword_ptr(rcx, rax, 2), number);
  a_.jne(residual);
  load_immediate(rcx, address_of(counters.paths.array.data()));
  a_.inc(qword_ptr(rcx, rax, 3));
  if (event.kind == PathEventKind::CountPreferredAndStart) load_immediate(kPath, static_cast<uint64_t>(event.start));
  a_.bind(resume);
}

/// The steady state is a count and a shift; in the first k iterations of a stay the word is larger than any window.
void BaselineCompiler::emit_window_backedge(const PathEventRecord& event) {
  const PathWindow& window = proto_->path_counters->windows[event.index];
  if (window.counts.array.empty()) return emit_rare_event(event);
  const Label resume = a_.newLabel();
  const Label starting = slow_path([this, resume, &event] {
    emit_path_add(-event.value);
    emit_rare_event(event);
    a_.jmp(resume);
  });
  emit_path_add(event.value);
  a_.cmp(kPath, int32_t{1} << window.window_bits());
  a_.jae(starting);
  load_immediate(rcx, address_of(window.counts.array.data()));
  a_.inc(qword_ptr(rcx, kPath, 3));
  if (window.digit_bits != 0) a_.shr(kPath.r32(), window.digit_bits);
  a_.bind(resume);
}

void BaselineCompiler::emit_event(const PathEventRecord& event) {
  const bool is_array = !proto_->path_counters->paths.array.empty();
  switch (event.kind) {
    case PathEventKind::Start: load_immediate(kPath, static_cast<uint64_t>(event.start)); break;
    case PathEventKind::Add:
    case PathEventKind::EnterLoop:
    case PathEventKind::WindowAdd: emit_path_add(event.value); break;
    case PathEventKind::Count:
    case PathEventKind::CountPacked:
      if (!is_array) return emit_rare_event(event);
      event.kind == PathEventKind::Count ? emit_count(event) : emit_packed_count(event);
      break;
    case PathEventKind::CountAndStart:
    case PathEventKind::CountPackedAndStart:
      if (!is_array) return emit_rare_event(event);
      event.kind == PathEventKind::CountAndStart ? emit_count(event) : emit_packed_count(event);
      load_immediate(kPath, static_cast<uint64_t>(event.start));
      break;
    case PathEventKind::CountPreferred:
    case PathEventKind::CountPreferredAndStart: emit_preferred_count(event); break;
    case PathEventKind::CountEdge:
      load_immediate(rcx, address_of(&proto_->path_counters->paths.array[static_cast<size_t>(event.value)]));
      a_.inc(qword_ptr(rcx));
      break;
    case PathEventKind::WindowBackedge: emit_window_backedge(event); break;
    case PathEventKind::LeaveLoop:
    case PathEventKind::HashStep:
    case PathEventKind::HashCount: emit_rare_event(event); break;
    case PathEventKind::Trace:
      emit_runtime_call(runtime_path_event);
      reload_path();
      break;
  }
}

}  // namespace mangata::jit
