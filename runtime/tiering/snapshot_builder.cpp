#include "runtime/tiering/snapshot_builder.h"

#include <algorithm>
#include <iterator>

#include "profiler/function_statistics.h"
#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

constexpr size_t kHottestPaths = 8;

}  // namespace

uint32_t tier_of(const Proto& proto) { return proto.compiled != nullptr ? MANGATA_BASELINE : MANGATA_INTERPRETER; }

void SnapshotBuilder::build(const Proto& proto, const FunctionState& function, const Question& question, const CodeSize& code,
                            bool decodes_paths, bool has_times, Snapshot* snapshot) const {
  ProfileSnapshot& fields = snapshot->fields();
  fields.occasion = question.occasion;
  fields.clock = question.clock;
  fields.events_since = question.events_since;
  fields.function = proto.id;
  fields.asked = function.asked;
  fields.bytecodes = static_cast<uint32_t>(proto.original_code.size());
  fields.tier = tier_of(proto);
  fields.profile = function.decision.profile;
  fields.versions = function.versions;
  std::copy(std::begin(function.decision.memory), std::end(function.decision.memory), fields.memory);
  fields.code_bytes = static_cast<uint32_t>(code.of_function);
  fields.cache_used = code.used;
  fields.cache_limit = code.limit;
  if (!settings_.describes) return;
  fields.is_counted_exactly = settings_.is_counted_exactly;
  fields.events = function.sampled->so_far.events;
  if (has_times) fields.nanoseconds = function.sampled->so_far.nanoseconds;
  fields.is_straight = !settings_.is_reported && function.sampled->is_straight;
  fields.is_optimizable = settings_.optimizes;
  snapshot->set_identity(function.sampled->identity);
  if (settings_.has_profile) snapshot->set_statistics(take_statistics(*function.sampled, decodes_paths ? kHottestPaths : 0));
}

}  // namespace mangata
