// Side exits: what is stored where a region is left, and what is told of it (ExitSite).
//
// [DESIGN] A side exit stores what its frame does not have and returns the number of the exit; complete_exit() does the rest. One block
// stores for all exits that store the same slots, and all that leave return in one block: that is a fraction of the code of stores at each
// exit. So an exit is a jump whose arguments are the snapshot, and the body has no operation for it. That a table of places could take the
// place of jump and stores was measured by leaving out all that the exits of checks pass and store, which is more than it could save:
// compiling takes 10 to 20 % less in `planets`, 10 % in `trees`, nothing in `tokenizer`, and is 3 % of the time of programs of others;
// machine code is 65, 5 and 12 % smaller.
#pragma once

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "jit/abi/compiled_region.h"
#include "jit/build/event_counter.h"
#include "jit/build/register_file.h"

namespace mangata::jit {

class Exits {
 public:
  Exits(Writer& writer, RunningWalk& walk, RegisterFile& registers, EventCounter& events)
      : b_(writer), walk_(walk), registers_(registers), events_(events) {}

  /// One for which nothing is written: the frame is as it was.
  void add(ExitSite site) { sites_.push_back(std::move(site)); }
  /// The block leads out: baseline code goes on at `pc` of the running function. The walk does not end.
  void emit(int pc, ExitSite::Why why);
  /// From wherever the region returns that.
  Block leaving_block(int64_t status);
  /// The values that the frames need where the innermost goes on at `pc`, and do not have.
  std::vector<FrameSlot> dirty_slots(int pc);
  std::vector<ExitSite> take_sites() { return std::move(sites_); }

 private:
  struct StoredSlot {
    FrameSlot to;
    bool is_float = false;
    bool has_tag = false;  ///< it is stored, too
    friend bool operator==(const StoredSlot&, const StoredSlot&) = default;
  };
  using Stored = std::vector<StoredSlot>;
  struct HashOfStored {
    size_t operator()(const Stored& slots) const;
  };
  /// From which cell, and where to.
  using Stores = std::vector<std::pair<FrameSlot, FrameSlot>>;
  Block group(const Stored& slots);
  void add_dirty_slots(int pc, std::vector<FrameSlot>* slots);
  void leave(IrValue status);
  void store_tables(const std::vector<FrameSlot>& slots, ExitSite* site, Stores* stores);

  Writer& b_;
  RunningWalk& walk_;
  RegisterFile& registers_;
  EventCounter& events_;
  std::vector<ExitSite> sites_;
  std::unordered_map<Stored, Block, HashOfStored> groups_;
  std::map<int64_t, Block> leaving_blocks_;  ///< by what the region returns
  Block leaving_;                            ///< what leave() returns
  // Of emit(): an exit is written in a microsecond, and there are hundreds.
  std::vector<FrameSlot> dirty_, replaced_;
  Stores stores_;
  Stored stored_;
  std::vector<IrValue> words_;
};

}  // namespace mangata::jit
