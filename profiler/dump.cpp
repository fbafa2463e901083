#include "profiler/dump.h"

#include "numbering/dump.h"
#include "profiler/edge_record.h"
#include "profiler/function_record.h"
#include "profiler/instrument.h"
#include "vm/bytecode/disassembler.h"
#include "vm/bytecode/proto.h"
#include "vm/object/string.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

std::string title(const char* stage, const Proto& proto) {
  const std::string source = proto.source == nullptr ? "?" : chunk_id(proto.source->view());
  return std::string(stage) + " <" + source + ":" + std::to_string(proto.line_defined) + ">";
}

const char* arm_name(Arm arm) {
  switch (arm) {
    case Arm::Fallthrough:
      return "falls through";
    case Arm::Taken:
      return "jumps";
    case Arm::Exit:
      return "returns";
  }
  return "";
}

std::string kind_text(const numbering::CounterTable& table) {
  return table.kind == numbering::TableKind::Array ? "an array" : "a hash table";
}

std::string events_text(const std::vector<numbering::Event>& events) {
  std::string text;
  for (const numbering::Event& event : events)
    text += (text.empty() ? "" : "; ") + numbering::describe(event);
  return text;
}

std::string word_plus(int64_t value) { return value == 0 ? "r" : "r + " + std::to_string(value); }

std::string event_text(const PathEventRecord& event) {
  const std::string value = std::to_string(event.value);
  const std::string start = "r = " + std::to_string(event.start);
  const std::string window = "window " + std::to_string(event.index);
  switch (event.kind) {
    case PathEventKind::Start:
      return start;
    case PathEventKind::Add:
    case PathEventKind::AddPacked:
      return "r += " + value;
    case PathEventKind::Count:
      return "count[" + word_plus(event.value) + "]++";
    case PathEventKind::CountAndStart:
      return "count[" + word_plus(event.value) + "]++; " + start;
    case PathEventKind::CountPacked:
      return "count[" + word_plus(event.value) + "]++";
    case PathEventKind::CountPackedAndStart:
      return "count[" + word_plus(event.value) + "]++; " + start;
    case PathEventKind::CountPreferred:
      return "count preferred[" + word_plus(event.value) + "]++";
    case PathEventKind::CountPreferredAndStart:
      return "count preferred[" + word_plus(event.value) + "]++; " + start;
    case PathEventKind::CountEdge:
      return "count[" + value + "]++";
    case PathEventKind::EnterLoop:
      return "enter " + window + ": r = r << 32 + " + value;
    case PathEventKind::WindowAdd:
      return "r += " + value;
    case PathEventKind::WindowBackedge:
      return "iteration of " + window + ": r += " + value;
    case PathEventKind::LeaveLoop:
      return "leave " + std::to_string(event.index);
    case PathEventKind::HashStep:
      return "r = hash(r, " + value + ")";
    case PathEventKind::HashCount:
      return "r = hash(r, " + value + "); count[r]++; " + start;
    case PathEventKind::AllocationEntry:
      return "allocations: an activation begins";
    case PathEventKind::AllocationPath:
      return "allocations: those of a path";
    case PathEventKind::AllocationExit:
      return "allocations: those of a path; the activation ends";
    case PathEventKind::Trace:
      return "trace " + value;
  }
  return "";
}

/// An event at `pc` of an instrumented copy.
std::string text_at(const PathEventRecord& event, int pc) {
  std::string text = event_text(event);
  if (event.jump != 0) text += "; to " + std::to_string(pc + 1 + event.jump);
  return text;
}

std::string edge_text(size_t from_block, size_t to_block, size_t exit_block, Arm arm) {
  const std::string target = to_block == exit_block ? "exit" : "b" + std::to_string(to_block);
  return "  b" + std::to_string(from_block) + " -> " + target + " (" + arm_name(arm) + "): ";
}

std::string edges_text(const InstrumentationPlan& plan, size_t exit_block) {
  std::string text = "  entry: " + events_text(plan.at_entry) + "\n";
  for (const PlannedEdge& edge : plan.edges) {
    if (edge.events.empty()) continue;
    text += edge_text(static_cast<size_t>(edge.from_block), static_cast<size_t>(edge.to_block), exit_block, edge.arm) +
            events_text(edge.events) + "\n";
  }
  return text;
}

/// Instructions that jump are shown with the offset they have in the copy.
std::string code_text(const Proto& proto, const InstrumentedCode& instrumented) {
  std::string text;
  for (size_t pc = 0; pc < instrumented.code.size(); ++pc) {
    const Instruction& instruction = instrumented.code[pc];
    const ControlFlow flow = opcode_info(instruction.op).flow;
    text += "  " + std::to_string(pc) + "  ";
    if (instruction.op == Opcode::PathEvent) {
      text += text_at(instrumented.events[static_cast<size_t>(instruction.imm)], static_cast<int>(pc));
    } else {
      text += disassemble_instruction(proto, instrumented.to_original[pc]);
      if (flow == ControlFlow::Jump || flow == ControlFlow::Branch) {
        text += "  [here: to " + std::to_string(static_cast<int>(pc) + 1 + instruction.imm) + "]";
      }
    }
    text += "\n";
  }
  return text;
}

std::string windows_text(const FunctionShape& shape, const FunctionNumbering& numbering) {
  std::string text;
  const auto& windows = numbering.events().windows;
  for (size_t i = 0; i < windows.size(); ++i) {
    const numbering::Window& window = windows[i];
    const numbering::BlockId head = numbering.loops()[window.loop].head;
    text += "  window " + std::to_string(i) + ": loop at b" + std::to_string(head.value) + " (line " +
            std::to_string(line_of_loop(shape, numbering.loops()[window.loop])) + "), k " + std::to_string(window.k) + ", " +
            std::to_string(window.body_paths) + " paths of " + std::to_string(window.digit_bits) + " bits, " +
            std::to_string(window.table.size) + " counters in " + kind_text(window.table) + "\n";
  }
  return text;
}

}  // namespace

std::string describe_event(const Proto& proto, const Instruction& event, CodePc pc) {
  return text_at(proto.path_counters->events[static_cast<size_t>(event.imm)], value_of(pc));
}

std::string dump_numbering(const Proto& proto, const ProfileOptions& options) {
  const FunctionShape shape = path_shape_of(proto);
  const auto numbered = number_function(shape, options);
  if (!numbered) return title("numbering", proto) + ": " + numbering::describe(numbered.error()) + "\n";
  if (numbered->hashed) {
    return title("numbering", proto) + " (hashed ids)\n" + numbering::dump(shape.graph) +
           numbering::dump(shape.graph, numbered->hashed->loops) +
           numbering::dump(shape.graph, numbered->hashed->events);
  }
  return title("numbering", proto) + "\n" + numbering::dump(shape.graph, numbered->plan);
}

std::string dump_plan(const Proto& proto, const ProfileOptions& options) {
  const FunctionShape shape = path_shape_of(proto);
  const auto numbered = number_function(shape, options);
  if (!numbered) return title("plan", proto) + ": " + numbering::describe(numbered.error()) + "\n";
  const InstrumentationPlan plan = instrumentation_plan(shape, *numbered);
  const std::string paths = numbered->hashed ? "hashed ids" : std::to_string(plan.counters.size) + " paths";
  return title("plan", proto) + " (" + paths + ", in " + kind_text(plan.counters) + ")\n" +
         windows_text(shape, *numbered) + edges_text(plan, shape.graph.exit().index()) + "code\n" +
         code_text(proto, instrument(proto, shape, edge_code(plan)));
}

std::string dump_edge_plan(const Proto& proto) {
  const EdgeRecord record(identity_of(proto), shape_of(proto));
  std::string text = title("plan", proto) + " (" + std::to_string(record.plan.counted.size()) + " of " +
                     std::to_string(record.shape.graph.edge_count()) + " edges counted)\n";
  for (size_t i = 0; i < record.plan.counted.size(); ++i) {
    const numbering::EdgeId edge = record.plan.counted[i];
    text += edge_text(record.shape.graph.source(edge).index(), record.shape.graph.target(edge).index(),
                      record.shape.graph.exit().index(), record.shape.arms[edge.index()]) +
            "count[" + std::to_string(i) + "]++\n";
  }
  return text + "code\n" + code_text(proto, instrument(proto, record.shape, edge_code(record)));
}

}  // namespace mangata
