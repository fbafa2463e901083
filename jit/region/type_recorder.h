// Watches the interpreter for a while: which types, shapes and callees each instruction meets. The feedback
// of the optimizer.
//
// [DESIGN] Neither the interpreter nor baseline code notes types on its fast paths. When a function is to be
// optimized, the thread runs a few thousand instructions under Thread::hook_mask's kRecording, and the
// recorder looks at the operands of each. So what is recorded is recent and costs nothing otherwise, also for
// callees, which the optimizer may inline. What is missing from it costs a side exit, never a wrong result.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "jit/region/recorded_paths.h"
#include "jit/region/site_types.h"
#include "vm/bytecode/proto.h"
#include "vm/object/thread.h"

namespace mangata::jit {

/// Tags of the registers of a frame at the head of a loop.
using FrameTags = std::array<TagMask, 256>;

/// Prototypes that something is known of: those of one engine that records do not name need not be forgotten.
using NamedProtos = std::unordered_set<const Proto*>;

class TypeRecorder {
 public:
  /// @param named  where prototypes are added when they are named first; outlives it
  explicit TypeRecorder(NamedProtos* named = nullptr) : named_(named) {}

  /// The instruction that `thread` is about to execute.
  void instruction(const Thread& thread, const Proto& proto, OriginalPc pc);
  /// The prototype dies.
  void forget(const Proto& proto);
  /// What follows adds to what is known.
  void go_on() {
    count_ = 0;
    last_ = {};
    for (auto& [proto, record] : functions_) record.branches.clear();
  }
  /// What comes next is not what comes after what was seen last.
  void pause();
  /// So many instructions are looked at besides; what they do adds to what is known.
  void look_again(uint64_t instructions) {
    pause();
    count_ -= std::min(count_, instructions);
  }
  /// In code made from this, a check of the instruction has failed often.
  void check_failed(const Proto& proto, OriginalPc pc);
  /// In code made from this, a branch has often gone where it had never gone.
  void branch_went(const Proto& proto, OriginalPc pc, bool taken);

  uint64_t count() const { return count_; }
  /// Shapes and metatables that were met first since this was called last: whoever keeps the record keeps them alive.
  std::vector<Object*> take_new_objects() {
    objects_.insert(objects_.end(), new_objects_.begin(), new_objects_.end());
    return std::exchange(new_objects_, {});
  }
  bool has_new_objects() const { return !new_objects_.empty(); }
  /// All that was taken so far.
  const std::vector<Object*>& objects() const { return objects_; }
  /// Regions of `proto` are made from this, too, so it keeps all objects alive.
  void belongs_to(Proto& proto) {
    name(&proto);
    if (std::find(owners_.begin(), owners_.end(), &proto) == owners_.end()) owners_.push_back(&proto);
  }
  const std::vector<Proto*>& owners() const { return owners_; }
  /// It was called and went back so often that a region can be made from what was seen.
  bool has_seen_enough(const Proto& proto) const;
  /// By OriginalPc; null: never seen.
  const Sites* sites(const Proto& proto) const { return const_cast<TypeRecorder*>(this)->seen(proto); }
  /// Calls `visit(proto, sites)` for each function that was seen.
  template <typename Visit>
  void for_each_function(Visit visit) const {
    for (const auto& [proto, record] : functions_) visit(*proto, record.sites);
  }
  /// Of that function, in the order in which they happened.
  const std::vector<BranchEvent>& branches(const Proto& proto) { return record_of(proto).branches; }
  /// At a backedge's target or, of parameters, at a call; null: never seen there.
  const FrameTags* tags_at(const Proto& proto, OriginalPc head) const;
  /// In code made from this, the entry at `head` was refused to frames with such registers.
  void entry_refused(const Proto& proto, OriginalPc head, const std::vector<TagMask>& tags);
  /// The thread is about to execute `head` after a backedge, as at times between which it was not watched. Only what the first few such
  /// looks see is added to what is known of a head; heads of which nothing is known are left alone.
  void look_at_head(const Thread& thread, const Proto& proto, OriginalPc head);

 private:
  struct Last {
    const Proto* proto = nullptr;
    const Value* base = nullptr;
    OriginalPc pc{};
  };

  struct Head {
    FrameTags tags = {};
    unsigned looks = 0;  ///< by look_at_head()
  };

  struct Record {
    Sites sites;
    std::vector<BranchEvent> branches;
    std::map<OriginalPc, Head> heads;
  };

  void name(const Proto* proto) {
    if (named_ != nullptr) named_->insert(proto);
  }
  Record& record_of(const Proto& proto);
  Sites* seen(const Proto& proto);
  Head* head_of(const Proto& proto, OriginalPc head);
  void note_branch(const Thread& thread, const Proto& proto, OriginalPc pc);
  void finish_last(const Thread& thread, const Proto& proto, OriginalPc pc);
  static void see_result(const Thread& thread, const Instruction& in, SiteTypes* site);
  void look_at_operands(const Vm& vm, const Value* base, const Proto& proto, const Instruction& in, SiteTypes* site);
  void see_shape(const Value& object, SiteTypes* site);
  void see_callee(const Value& function, SiteTypes* site);
  void note_callee(const Proto* callee, SiteTypes* site);
  void see_handler(const Value& object, const Proto& proto, const Instruction& in, SiteTypes* site);
  void see_call(Vm& vm, const Value* base, const Instruction& in, SiteTypes* site);
  void see_metatable(const Table& metatable, SiteTypes* site);
  void see_metamethod(const Vm& vm, const Value* base, const Instruction& in, SiteTypes* site);

  NamedProtos* named_;
  uint64_t count_ = 0;
  Last last_;
  std::vector<Object*> new_objects_, objects_;
  std::vector<Proto*> owners_;
  std::unordered_map<const Proto*, Record> functions_;
  std::unordered_map<const Proto*, std::vector<const Proto*>> callers_;  ///< by callee: whose sites name it, and some that are dead
  const Proto *last_recorded_ = nullptr, *recorded_before_ = nullptr;  ///< a call and its return take turns
  Record *last_record_ = nullptr, *record_before_ = nullptr;           ///< theirs
};

}  // namespace mangata::jit
