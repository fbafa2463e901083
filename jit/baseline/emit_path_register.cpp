// The path register between events: where it is (jit/baseline/path_locations.h), and on its way to and from
// the frame header.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

void BaselineCompiler::load_path(const PathLocation& location) {
  if (location.in_register || !location.is_anywhere()) return;
  if (location.is_known) return load_immediate(kPath, location.value);
  masm_.load(kPath, word_at(kBase, kPathOffset));
}

void BaselineCompiler::spill_path() {
  if (has_events_) spill_path(path_location());
}

void BaselineCompiler::spill_path(const PathLocation& location) {
  if (location.in_frame || !location.is_anywhere()) return;
  const Mem in_frame = word_at(kBase, kPathOffset);
  if (!location.is_known) {
    masm_.store(in_frame, kPath);
  } else if (const auto value = static_cast<int64_t>(location.value); value == static_cast<int32_t>(value)) {
    masm_.store(in_frame, static_cast<int32_t>(value));
  } else {
    load_immediate(kScratch, location.value);
    masm_.store(in_frame, kScratch);
  }
}

void BaselineCompiler::reload_path() {
  if (!has_events_) return;
  PathLocation location = path_location();
  if (!location.in_register && !path_locations_->loads_register_at(pc_)) return;
  location.in_register = false;
  location.in_frame = true;
  load_path(location);
}

}  // namespace mangata::jit
