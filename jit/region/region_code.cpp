#include "jit/region/region_code.h"

namespace mangata::jit {

VersionCode::VersionCode(const Proto& proto, bool with_events)
    : code_(proto.original_code.data()), length_(static_cast<int>(proto.original_code.size())) {
  if (!with_events || proto.path_counters == nullptr) return;
  code_ = proto.code;
  length_ = proto.code_length();
  to_original_ = &proto.version->to_original;
  counters_ = proto.path_counters;
  places_.resize(proto.original_code.size());
  for (CodePc pc{}; pc < end(); pc = pc + 1) {
    if (!is_event(pc)) places_[static_cast<size_t>(original_pc(pc))] = pc;
  }
}

CodePc VersionCode::behind_events(CodePc pc) const {
  return CodePc(mangata::behind_events(counters_, code_ + value_of(pc)) - code_);
}

std::vector<RegionEvent> VersionCode::events() const {
  std::vector<RegionEvent> result;
  if (!has_events()) return result;
  for (const PathEventRecord& record : counters_->events) {
    RegionEvent event{.record = record, .address = &record};
    CountTable* table = &counters_->paths;
    if (record.kind == PathEventKind::WindowBackedge) {
      PathWindow& window = counters_->windows[record.index];
      table = &window.counts;
      event.window_bits = window.window_bits();
      event.digit_bits = window.digit_bits;
    }
    if (!table->array.empty()) event.counts = table->array.data();
    result.push_back(event);
  }
  return result;
}

}  // namespace mangata::jit
