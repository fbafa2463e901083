// What a thread does while it is recorded, and when a recording rests and goes on.
#include <algorithm>

#include "jit/abi/small_function.h"
#include "jit/region/order_caches.h"
#include "jit/region/region_builder.h"
#include "jit/region/region_price.h"
#include "jit/region/why_not.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/version_change.h"

namespace mangata::jit {
namespace {

/// Calls and backedges between the slices of a recording, on average: what alternates from call to call is not to be met in step.
constexpr uint64_t kRests[] = {6000, 20000, 60000};
/// Then a recording goes on, even if the program is somewhere else.
constexpr uint64_t kLongestRest = 400000;
/// Recordings of fewer instructions are made in one go.
constexpr uint64_t kLeastToSlice = 5000;

}  // namespace

bool RegionBuilder::start_recording(Proto& proto) {
  if (is_unavailable_) return false;
  const bool is_too_large = proto.original_code.size() > RegionLimits().size;
  if (is_too_large || (settings_.checks_profitability && is_too_small(proto))) {
    refused_.push_back(noted({.place = {.proto = &proto}, .why_not = why_no_region(is_too_large ? WhyNot::FunctionTooLarge : WhyNot::FunctionTooSmall)}));
    return false;
  }
  if (recording_ != nullptr && recording_->thread == vm_.current) {
    if (recording_->proto != &proto && std::find(waiting_.begin(), waiting_.end(), &proto) == waiting_.end())
      waiting_.push_back(&proto);
    return true;
  }
  recording_ = std::make_unique<Recording>();  // a thread that was recorded rests; its bit goes when it runs again
  recording_->proto = &proto;
  recording_->thread = vm_.current;
  const double price = price_of_recording(proto);
  budget_.spend(price + kPriceOfForming);
  paid_for_recordings_ += price;
  begin_with_what_is_known(proto);
  recording_->types->belongs_to(proto);
  vm_.current->hook_mask |= kRecording;
  return true;
}

unsigned RegionBuilder::slice_count() const { return settings_.recorded < kLeastToSlice ? 1 : std::size(kRests) + 1; }

void RegionBuilder::instruction_starts(Thread& thread, Proto& proto, OriginalPc pc) noexcept {
  Proto* done = nullptr;
  try {
    done = record(thread, proto, pc);
  } catch (const std::exception&) {
    give_up_recording();
  }
  if (done != nullptr) vm_.hooks->recording_ended(*done);
}

Proto* RegionBuilder::record(Thread& thread, Proto& proto, OriginalPc pc) {
  if (recording_ == nullptr || recording_->thread != &thread || recording_->rests) {
    thread.hook_mask &= static_cast<uint8_t>(~kRecording);
    return nullptr;
  }
  recording_->types->instruction(thread, proto, pc);
  if (recording_->types->has_new_objects()) {
    const std::vector<Object*> objects = recording_->types->take_new_objects();
    for (Proto* owner : recording_->types->owners()) pin(*owner, objects);
  }
  const unsigned slices = slice_count();
  if (recording_->types->count() * slices < settings_.recorded * (recording_->slices + 1)) return nullptr;
  thread.hook_mask &= static_cast<uint8_t>(~kRecording);
  if (++recording_->slices < slices) {
    recording_->rests = true;
    recording_->rested_for = 0;
    recording_->rest = random_.around(kRests[recording_->slices - 1]);
    return nullptr;
  }
  Proto* done = recording_->proto;
  if (!recording_->is_old) order_caches(vm_, *recording_->types);
  recorded_ = std::move(recording_);
  if (!recorded_->is_old) {
    lately_ = recorded_->types;
    events_since_ = 0;
  }
  return done;
}

/// Recordings see a few thousand instructions in a row. What registers hold where the loops of `proto` go back at other times would be
/// refused by regions, one of which would have to be made and left often to learn it.
void RegionBuilder::look_at_frame(const Proto& proto) {
  const auto postponed = postponed_.find(&proto);
  const auto learnt = learnt_.find(&proto);
  if (recording_ == nullptr && postponed == postponed_.end() && learnt == learnt_.end()) return;
  Value* base = vm_.current->base;
  if (!function_slot(base)->is_lua_function() || function_slot(base)->as_lua_function()->proto != &proto) return;
  const Instruction* pc = frame_of(base)->saved_pc;
  if (proto.is_start(pc) || !is_backedge(pc[-1])) return;
  const OriginalPc head = original_pc_behind_events(proto, pc + pc[-1].imm);
  const auto look = [&](const std::shared_ptr<TypeRecorder>& types) {
    if (types != nullptr) types->look_at_head(*vm_.current, proto, head);
  };
  if (recording_ != nullptr) look(recording_->types);
  if (postponed != postponed_.end()) look(postponed->second.types);
  if (learnt != learnt_.end()) look(learnt->second);
}

void RegionBuilder::events_happened(Proto& proto, uint64_t count) {
  free_superseded();
  look_at_frame(proto);
  if (const auto found = regions_.find(&proto); found != regions_.end()) {
    for (Region& region : found->second) region.outside += count;
  }
  events_since_ += count;
  if (recording_ == nullptr) {
    const auto found = std::find(waiting_.begin(), waiting_.end(), &proto);
    if (found == waiting_.end()) return;
    waiting_.erase(found);
    start_recording(proto);
    return;
  }
  if (!recording_->rests) return;
  recording_->rested_for += count;
  const bool is_known = recording_->types->sites(proto) != nullptr;
  if (recording_->rested_for < (is_known ? recording_->rest : kLongestRest)) return;
  recording_->rests = false;
  recording_->thread = vm_.current;
  recording_->types->pause();
  vm_.current->hook_mask |= kRecording;
}

}  // namespace mangata::jit
