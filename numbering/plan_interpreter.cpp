#include "numbering/plan_interpreter.h"

namespace mangata::numbering {

PlanInterpreter::PlanInterpreter(const EventPlan& plan, PlanCounters& counters)
    : plan_(plan), counters_(counters) {
  execute(plan.at_entry);
}

void PlanInterpreter::take(EdgeId edge) { execute(plan_.on_edge(edge)); }

void PlanInterpreter::execute(std::span<const Event> events) {
  const auto r = [&] { return static_cast<uint64_t>(path_register_); };
  for (const Event& event : events) {
    const auto value = static_cast<uint64_t>(event.value);
    ++executed_;
    switch (event.kind) {
      case EventKind::Start:
        path_register_ = event.start;
        break;
      case EventKind::Add:
        path_register_ = static_cast<int64_t>(r() + value);
        break;
      case EventKind::Count:
        ++counters_.paths[r() + value];
        break;
      case EventKind::CountAndStart:
        ++counters_.paths[r() + value];
        path_register_ = event.start;
        break;
    }
  }
}

}  // namespace mangata::numbering
