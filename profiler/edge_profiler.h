// Exact counts of the edges that functions take, for little: only chords of a spanning tree are counted.
//
// The twin of PathProfiler (read its [DESIGN] first); what a path profile knows beyond this is in
// profiler/README.md. Read next: profiler/edge_record.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "profiler/edge_profile.h"

namespace mangata {

struct EdgeCode;
struct EdgeRecord;
struct FunctionIdentity;
struct Proto;
struct Value;

class EdgeProfiler {
 public:
  EdgeProfiler();
  virtual ~EdgeProfiler();
  EdgeProfiler(const EdgeProfiler&) = delete;
  EdgeProfiler& operator=(const EdgeProfiler&) = delete;

  // What TierHooks reports (vm/tier_hooks.h)
  void proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);
  void path_cut(Proto& proto, const Value* base);

  /// Call when every call has returned or was cut off: a call under way is in no count, and breaks flow
  /// conservation.
  EdgeProfile snapshot() const;

 protected:
  /// For tests: may add events of kind Trace.
  virtual void adjust_events(EdgeRecord& record, EdgeCode& events);
  /// Of a function that is seen for the first time. May add to what is known of it.
  virtual std::unique_ptr<EdgeRecord> make_record(FunctionIdentity identity, const Proto& proto);
  /// A program may load any number of chunks that never run again.
  virtual bool forgets_what_never_ran() const { return true; }

  void for_each_record(const std::function<void(const EdgeRecord&)>& visit) const;

 private:
  std::unordered_map<uint64_t, std::unique_ptr<EdgeRecord>> records_;  ///< by place_hash
};

}  // namespace mangata
