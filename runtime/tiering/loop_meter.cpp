#include "runtime/tiering/loop_meter.h"

namespace mangata {

uint64_t LoopMeter::now() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return 0;  // there is no machine code to be measured
#endif
}

void LoopMeter::stretch_ends(const Place& place, uint64_t now) {
  const bool is_one = place.proto == began_.proto && place.code == began_.code && place.iterations && began_.iterations;
  if (!is_one || *place.iterations <= *began_.iterations) return;
  Measured& measured = measured_[place.proto];
  measured.cycles += now - began_at_;
  measured.iterations += *place.iterations - *began_.iterations;
}

void LoopMeter::forget(const Proto& proto) {
  measured_.erase(&proto);
  if (began_.proto == &proto) began_ = {};
}

LoopMeter::Measured LoopMeter::of(const Proto& proto) const {
  const auto found = measured_.find(&proto);
  return found == measured_.end() ? Measured{} : found->second;
}

}  // namespace mangata
