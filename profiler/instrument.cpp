#include "profiler/instrument.h"

#include <span>

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::EdgeId;

class Translator {
 public:
  explicit Translator(const InstrumentationPlan& plan) : plan_(plan) {}

  std::vector<PathEventRecord> entry_records() const {
    std::vector<PathEventRecord> entry = records(plan_.at_entry);
    if (plan_.counts_allocations) entry.insert(entry.begin(), {.kind = PathEventKind::AllocationEntry});
    return entry;
  }

  std::vector<PathEventRecord> records(std::span<const numbering::Event> events) const {
    std::vector<PathEventRecord> records;
    for (const numbering::Event& event : events) {
      if (plan_.counts_allocations && ends_path(event)) records.push_back(allocation_event(event));
      records.push_back(record(event));
    }
    return records;
  }

 private:
  /// A constant of r, as the word holds it.
  int64_t in_word(int64_t constant) const {
    return plan_.is_packed() ? static_cast<int64_t>(static_cast<uint32_t>(constant)) : constant;
  }

  static bool ends_path(const numbering::Event& event) {
    using Kind = numbering::EventKind;
    return event.kind == Kind::Count || event.kind == Kind::CountAndStart || event.kind == Kind::WindowBackedge ||
           event.kind == Kind::HashCount;
  }

  /// In front of `event`, which ends a path.
  static PathEventRecord allocation_event(const numbering::Event& event) {
    using Kind = numbering::EventKind;
    const bool exits = event.kind == Kind::Count || (event.kind == Kind::HashCount && event.index == numbering::Event::kNoLoop);
    return {.kind = exits ? PathEventKind::AllocationExit : PathEventKind::AllocationPath};
  }

  PathEventRecord record(const numbering::Event& event) const {
    using Kind = numbering::EventKind;
    using To = PathEventKind;
    const bool packed = plan_.is_packed();
    const bool preferential = plan_.counters.kind == numbering::TableKind::Preferential;
    switch (event.kind) {
      case Kind::Start:
        return {To::Start, 0, 0, in_word(event.start), 0};
      case Kind::Add:
        return {packed ? To::AddPacked : To::Add, 0, in_word(event.value), 0, 0};
      case Kind::Count:
        return {preferential ? To::CountPreferred : packed ? To::CountPacked
                                                           : To::Count,
                0, in_word(event.value), 0, 0};
      case Kind::CountAndStart:
        return {preferential ? To::CountPreferredAndStart : packed ? To::CountPackedAndStart
                                                                   : To::CountAndStart,
                0,
                in_word(event.value), in_word(event.start), 0};
      case Kind::EnterLoop: {
        const numbering::Window& window = plan_.windows[event.index];
        return {To::EnterLoop, 0, int64_t{window.k} << (window.k * window.digit_bits), 0, event.index};
      }
      case Kind::WindowAdd:
        return {To::WindowAdd, 0, event.value, 0, event.index};
      case Kind::WindowBackedge:
        return {To::WindowBackedge, 0, event.value, 0, event.index};
      case Kind::LeaveLoop:
        return {To::LeaveLoop, 0, 0, 0, event.index};
      case Kind::HashStep:
        return {To::HashStep, 0, event.value, 0, event.index};
      case Kind::HashCount:
        return {To::HashCount, 0, event.value, event.start, event.index};
    }
    return {};
  }

  const InstrumentationPlan& plan_;
};

class Instrumenter {
 public:
  Instrumenter(const Proto& proto, const FunctionShape& shape, const EdgeCode& events)
      : proto_(proto), shape_(shape), events_(events), block_start_(shape.blocks.size()) {}

  InstrumentedCode run() {
    for (size_t block = 0; block < shape_.blocks.size(); ++block) {
      if (shape_.bytecodes_in(BlockId(block)) != 0) emit_block(BlockId(block));
    }
    for (const Branch& branch : branches_) emit_taken_edge(branch);
    return std::move(result_);
  }

 private:
  /// A jump whose offset is still that of the original code.
  struct Branch {
    int32_t pc;
    EdgeId edge;
  };

  int32_t here() const { return static_cast<int32_t>(result_.code.size()); }

  void emit(const Instruction& instruction, OriginalPc original_pc) {
    result_.code.push_back(instruction);
    result_.to_original.push_back(original_pc);
  }

  void emit_event(const PathEventRecord& event, OriginalPc original_pc) {
    emit(Instruction::abi(Opcode::PathEvent, 0, 0, static_cast<int32_t>(result_.events.size())), original_pc);
    result_.events.push_back(event);
  }
  void emit_events(const std::vector<PathEventRecord>& events, OriginalPc original_pc) {
    for (const PathEventRecord& event : events) emit_event(event, original_pc);
  }

  void emit_entry_events(OriginalPc original_pc) {
    emit_events(events_.at_entry, original_pc);
    result_.first_started_pc = here();
  }

  void emit_block(BlockId id) {
    const BlockShape& block = shape_.blocks[id.index()];
    // The frame of a vararg function gets its final place only by its first instruction.
    if (block.first_pc == 0 && !proto_.is_vararg) emit_entry_events(OriginalPc(0));
    block_start_[id.index()] = here();
    for (int32_t pc = block.first_pc; pc < block.end_pc - 1; ++pc) emit_instruction(pc);
    const int32_t last_pc = block.end_pc - 1;
    const auto edges = shape_.graph.out_edges(id);
    for (const EdgeId edge : edges) {
      if (shape_.arms[edge.index()] == Arm::Exit) emit_events(events_.on_edge[edge.index()], OriginalPc(last_pc));
    }
    for (const EdgeId edge : edges) {
      if (shape_.arms[edge.index()] == Arm::Taken) branches_.push_back({here(), edge});
    }
    emit_instruction(last_pc);
    for (const EdgeId edge : edges) {
      if (shape_.arms[edge.index()] == Arm::Fallthrough) emit_events(events_.on_edge[edge.index()], OriginalPc(last_pc));
    }
  }

  void emit_instruction(int32_t pc) {
    emit(proto_.original_code[static_cast<size_t>(pc)], OriginalPc(pc));
    if (pc == 0 && proto_.is_vararg) emit_entry_events(OriginalPc(0));
  }

  void emit_taken_edge(const Branch& branch) {
    BlockId block = shape_.graph.target(branch.edge);
    std::vector<PathEventRecord> events = events_.on_edge[branch.edge.index()];
    if (shape_.bytecodes_in(block) == 0) {  // see path_shape_of
      const EdgeId behind = shape_.graph.out_edges(block).front();
      events.insert(events.end(), events_.on_edge[behind.index()].begin(), events_.on_edge[behind.index()].end());
      block = shape_.graph.target(behind);
    }
    const int32_t target = block_start_[block.index()];
    Instruction& jump = result_.code[static_cast<size_t>(branch.pc)];
    if (events.empty()) {
      jump.imm = target - (branch.pc + 1);
      return;
    }
    jump.imm = here() - (branch.pc + 1);
    emit_events(events, result_.to_original[static_cast<size_t>(branch.pc)]);
    result_.events.back().jump = target - here();
  }

  const Proto& proto_;
  const FunctionShape& shape_;
  const EdgeCode& events_;
  InstrumentedCode result_;
  std::vector<int32_t> block_start_;
  std::vector<Branch> branches_;
};

}  // namespace

EdgeCode edge_code(const InstrumentationPlan& plan) {
  const Translator translator(plan);
  EdgeCode code;
  code.at_entry = translator.entry_records();
  for (const PlannedEdge& edge : plan.edges) code.on_edge.push_back(translator.records(edge.events));
  return code;
}

InstrumentedCode instrument(const Proto& proto, const FunctionShape& shape, const EdgeCode& events) {
  return Instrumenter(proto, shape, events).run();
}

bool leaves_function(Opcode op) { return opcode_info(op).flow == ControlFlow::Return; }

}  // namespace mangata
