#include "jit/build/exits.h"

#include <algorithm>

namespace mangata::jit {

void Exits::emit(int pc, ExitSite::Why why) {
  const std::vector<OriginalPc>& original_pcs = walk_.function().original_pcs;
  ExitSite site{.why = why,
                .region_pc = CodePc(walk_.state.is_inlined() ? walk_.state.frames[1].return_pc : pc),
                .resumed_at = original_pcs[static_cast<size_t>(pc)],
                .left_at = original_pcs[static_cast<size_t>(std::max(walk_.pc, 0))],
                .jumped = pc != walk_.pc + 1,
                .proto = walk_.function().proto,
                .open_end = walk_.state.open_end,
                .events = static_cast<uint32_t>(walk_.state.uncounted_events)};
  stores_.clear(), replaced_.clear(), dirty_.clear();
  add_dirty_slots(pc, &dirty_);
  for (const FrameSlot slot : dirty_) {
    if (registers_.is_replaced(slot)) {
      replaced_.push_back(slot);
    } else {
      stores_.emplace_back(slot, slot);
    }
  }
  if (!replaced_.empty()) store_tables(replaced_, &site, &stores_);
  stored_.clear();
  words_.assign(1, b_.word(sites_.size()));
  site.tags.reserve(stores_.size());
  for (const auto& [from, to] : stores_) {
    const Operand value = registers_.held(from);
    const bool stores_tag = value.kind == Kind::Any || (why == ExitSite::Why::Loop && !walk_.state.is_inlined());  // a plain exit
    stored_.push_back({to, value.kind == Kind::Float, stores_tag});
    words_.push_back(value.kind == Kind::Float ? value.payload : b_.payload_bits(value));
    if (stores_tag) {
      words_.push_back(b_.tag_value(value));
    } else {
      site.tags.push_back({to, tag_of(value.kind)});
    }
  }
  for (const InlineFrame& frame : walk_.state.frames) {
    if (frame.function->counters == nullptr) continue;
    stored_.push_back({.to = frame.base - 1});  // the second slot of its header begins with the path register
    words_.push_back(b_.held_by(registers_.path_cell(frame.base)));
  }
  if (walk_.state.is_inlined()) {
    for (size_t i = 0; i < walk_.state.frames.size(); ++i) {
      const InlineFrame& frame = walk_.state.frames[i];
      const int resumed_at = i + 1 == walk_.state.frames.size() ? pc : walk_.state.frames[i + 1].return_pc;
      site.frames.push_back({.base = frame.base,
                             .wanted_results = frame.wanted,
                             .pc = frame.function->address + resumed_at,
                             .flags = frame.header_flags(),
                             .varargs = static_cast<uint32_t>(frame.varargs),
                             .origin = frame.origin(),
                             .result_slot = frame.result_slot});
    }
  }
  sites_.push_back(std::move(site));
  b_.jump(group(stored_), words_);
}

std::vector<FrameSlot> Exits::dirty_slots(int pc) {
  std::vector<FrameSlot> slots;
  add_dirty_slots(pc, &slots);
  return slots;
}

void Exits::add_dirty_slots(int pc, std::vector<FrameSlot>* slots) {
  walk_.state.for_each_live_slot(pc, [&](FrameSlot slot) {
    if (registers_.fact(slot).dirty) slots->push_back(slot);
  });
}

/// For an exit: scalar-replaced tables in those slots and what they lead to are to be made, from properties that are stored behind the
/// frames.
void Exits::store_tables(const std::vector<FrameSlot>& slots, ExitSite* site,
                         Stores* stores) {
  FrameSlot end = std::max(walk_.state.top().end(), walk_.state.open_end);
  std::map<int, size_t> numbers;  // of tables, in `site`
  std::vector<int> ids;
  const auto hold = [&](FrameSlot cell, FrameSlot slot) {
    const int id = registers_.fact(cell).replaced_table;
    const auto [found, is_new] = numbers.try_emplace(id, site->tables.size());
    if (is_new) {
      const ReplacedTable& table = walk_.state.tables[static_cast<size_t>(id)];
      site->tables.push_back(
          {.shape = table.shape, .room = table.room, .expected = table.expected, .fields_at = end, .slots = {}});
      ids.push_back(id);
      end = end + table.count();
    }
    site->tables[found->second].slots.push_back(slot);
  };
  for (const FrameSlot slot : slots) hold(slot, slot);
  for (size_t i = 0; i < ids.size(); ++i) {
    const int count = walk_.state.tables[static_cast<size_t>(ids[i])].count();
    for (int field = 0; field < count; ++field) {
      const FrameSlot cell = RegisterFile::field_slot(ids[i], static_cast<uint32_t>(field));
      const FrameSlot slot = site->tables[i].fields_at + static_cast<int>(site->tables[i].field_count++);
      if (registers_.is_replaced(cell)) {
        hold(cell, slot);
      } else {
        stores->emplace_back(cell, slot);
      }
    }
  }
  registers_.need_stack_to(end);
}

/// Of all exits that store the same slots: the block that does. Its parameters are the number of the exit and what is stored.
Block Exits::group(const Stored& slots) {
  if (const auto found = groups_.find(slots); found != groups_.end()) return found->second;
  const Block group = b_.make_block("leave");
  groups_.emplace(slots, group);
  b_.write_in(group, [&] {
    IrValue index = b_.add_parameter(group, IrType::I64);
    for (const auto& [slot, is_float, with_tag] : slots) {
      b_.store(b_.add_parameter(group, is_float ? IrType::F64 : IrType::I64), b_.frame_address(slot), Memory::Frame);
      if (with_tag) b_.store(b_.add_parameter(group, IrType::I64), b_.frame_address(slot, offsetof(Value, tag)), Memory::Frame);
    }
    leave(index);
  });
  return group;
}

/// The generated function returns that.
void Exits::leave(IrValue status) {
  if (!leaving_) {
    leaving_ = b_.make_block("leaves_all");
    IrValue passed_status = b_.add_parameter(leaving_, IrType::I64);
    b_.write_in(leaving_, [&] {
      events_.end();
      b_.return_status(passed_status);
    });
  }
  b_.jump(leaving_, {status});
}

Block Exits::leaving_block(int64_t status) {
  Block& block = leaving_blocks_[status];
  if (block) return block;
  block = b_.make_block("leaves_with");
  b_.write_in(block, [&] { leave(b_.word(static_cast<uint64_t>(status))); });
  return block;
}

size_t Exits::HashOfStored::operator()(const Stored& slots) const {
  size_t hash = slots.size();
  for (const StoredSlot& slot : slots) {
    hash = (hash ^ (static_cast<size_t>(value_of(slot.to)) << 2 | (slot.is_float ? 2u : 0u) | (slot.has_tag ? 1u : 0u))) * ir::kHashMultiplier;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace mangata::jit
