// Scalar replacement of tables: those that exist only in the region.
//
// [DESIGN] A new table is not made where the program makes it, but where somebody needs it: a runtime call, a native call, a store in
// a real table, a state that does not fit. Until then it is *scalar-replaced*: its shape is known, its properties are cells like those of
// registers (their slots begin at RegisterFile::kFirstField), and registers that hold it agree in Fact::replaced_table. Most tables of vectors,
// complex numbers and iterators are dead before anybody needs them, and cost nothing. A side exit stores the properties behind the
// frames and complete_exit() makes the tables. This is the partial escape analysis of Stadler, Würthinger and Mössenböck (CGO 2014),
// with the walk in the place of their iteration over the graph: what one path makes, another need not.
//
// read() makes a scalar-replaced table real: what does not know of them never meets one. What knows of them uses peek().
#include <algorithm>

#include "jit/build/lowering.h"
#include "jit/build/side_walks.h"

namespace mangata::jit {
namespace {

constexpr size_t kMostReplacedTables = 16;

/// All that a real table would have known at once: the kinds of its elements.
std::vector<Kind> kinds_of(const ReplacedTable& table) {
  std::vector<Kind> kinds;
  for (int i = 0; i < table.count(); ++i) kinds.push_back(table.fields[static_cast<size_t>(i)].kind);
  return kinds;
}

/// What its elements are when it is made.
ElementKind element_kind_of(const ReplacedTable& table) { return element_kind_of(kinds_of(table)).value_or(ElementKind::Any); }

bool is_unboxed(Kind kind) { return has_known_tag(kind) && tag_of(kind) < kFirstCollectableTag; }

}  // namespace

Operand Lowering::peek(Register reg) {
  const FrameSlot slot = walk_.slot_of(reg);
  return registers_.is_replaced(slot) ? Operand{.kind = Kind::Table, .slot = slot} : read_slot(slot);
}

Operand Lowering::peek_rk(int operand) {
  return (operand & kConstantOperand) != 0 ? registers_.constant(operand & kMaxRkConstant) : peek(Register{operand});
}

/// A scalar-replaced table stays one where the access can be made in it.
Operand Lowering::peek_for(Register reg, const InlineCache& cache) {
  const FrameSlot slot = walk_.slot_of(reg);
  if (!registers_.is_replaced(slot)) return read(reg);
  const ReplacedTable& table = registers_.replaced_table(slot);
  const bool fits = cache.kind != InlineCache::kAdd || cache.slot < table.room;
  return table.shape == cache.shape && fits ? peek(reg) : read(reg);
}

/// The constructor's table, when it is small, and has either properties, which are named there, or elements. False: it is made at
/// once.
bool Lowering::replace_table(const Instruction& in) {
  if ((in.b == 0) == (in.c == 0) || in.b + in.c > ReplacedTable::kMostFields) return false;
  registers_.fact(walk_.slot_of(in.ra())) = {};
  drop_unreachable_tables(&walk_.state);
  std::vector<ReplacedTable>& tables = walk_.state.tables;
  const auto free =
      std::find_if(tables.begin(), tables.end(), [](const ReplacedTable& table) { return table.shape == nullptr; });
  const auto id = static_cast<size_t>(free - tables.begin());
  if (id == kMostReplacedTables) return false;
  if (id == tables.size()) tables.emplace_back();
  tally_.note_replaced(walk_);
  tables[id].room = static_cast<uint8_t>(in.c);
  tables[id].expected = static_cast<uint8_t>(in.b);
  registers_.fact(walk_.slot_of(in.ra())) = {.kind = Kind::Table, .dirty = true, .replaced_table = static_cast<int8_t>(id)};
  set_replaced_shape(walk_.slot_of(in.ra()), input_.empty_shape);
  return true;
}

/// All that hold the table know its shape.
void Lowering::set_replaced_shape(FrameSlot slot, const Shape* shape) {
  const int id = registers_.fact(slot).replaced_table;
  walk_.state.for_each_fact([&](Fact& known) {
    if (known.replaced_table == id) known.shape = shape;
  });
  walk_.state.tables[static_cast<size_t>(id)].shape = shape;
}

/// R[to] := the property. With a metatable, one that is nil may be found along __index: that leaves, unless the cache (may be null)
/// knows that there is none.
void Lowering::get_replaced_field(FrameSlot slot, uint32_t field, Register to, const InlineCache* knows_absent) {
  const FrameSlot cell = registers_.field_slot(registers_.fact(slot).replaced_table, field);
  const bool has_metatable = registers_.replaced_table(slot).metatable != nullptr;
  const bool may_call = has_metatable && knows_absent == nullptr;
  if (has_metatable && knows_absent != nullptr) guard_epoch(*knows_absent);
  if (!registers_.is_replaced(cell)) {
    Operand value = read_slot(cell);
    if (may_call && value.kind == Kind::Nil) return exit_at(walk_.pc);
    const TagMask recorded = walk_.site().result;
    const bool is_known = value.kind != Kind::Any || (is_single(recorded) && recorded != tag_bit(Tag::Nil));
    if (!is_known && may_call) guard_not_nil(value);
    if (is_known && value.kind == Kind::Any) expect(&value, kind_of(static_cast<Tag>(std::countr_zero(recorded))));
  }
  copy_slot(walk_.slot_of(to), cell);
}

/// A property that it has, or gets; without a metatable also one that is nil (vm/object/table_store.cpp). The same for __newindex.
void Lowering::set_replaced_field(FrameSlot slot, const InlineCache& cache, const Operand& value) {
  const FrameSlot cell = registers_.field_slot(registers_.fact(slot).replaced_table, cache.slot);
  const bool may_call = registers_.replaced_table(slot).metatable != nullptr;
  const bool adds = cache.kind == InlineCache::kAdd;
  if (adds) {
    if (may_call) guard_epoch(cache), guard_not_nil(value);
  } else if (may_call && !guard_replaced_field_present(cell)) {
    return;
  }
  put(cell, value);
  if (adds) set_replaced_shape(slot, cache.new_shape);
}

/// One that is there already is no reason to call __newindex. False: it is nil, and the walk has ended.
bool Lowering::guard_replaced_field_present(FrameSlot cell) {
  if (registers_.is_replaced(cell)) return true;
  const Operand old = read_slot(cell);
  if (old.kind == Kind::Nil) return exit_at(walk_.pc), false;
  guard_not_nil(old);
  return true;
}

/// The elements of a constructor. False: nothing was generated.
bool Lowering::set_replaced_list(const Instruction& in, int count) {
  const FrameSlot slot = walk_.slot_of(in.ra());
  if (!registers_.is_replaced(slot) || in.imm != 0 || count == 0 || count > ReplacedTable::kMostFields) return false;
  const ReplacedTable& table = registers_.replaced_table(slot);
  if (table.room != 0 || table.count() != 0) return false;
  while (count > 0 && peek(in.ra() + count).kind == Kind::Nil) --count;  // at the end they are no elements
  if (count == 0) return walk_.state.open_end = kNoFrameSlot, true;
  std::vector<Kind> kinds;
  Operand last;
  for (int i = 0; i < count; ++i) {
    last = peek(in.ra() + 1 + i);
    kinds.push_back(last.kind);
  }
  if (!element_kind_of(kinds)) return false;
  guard_not_nil(last);
  for (int i = 0; i < count; ++i) {
    copy_slot(registers_.field_slot(registers_.fact(slot).replaced_table, static_cast<uint32_t>(i)), walk_.slot_of(in.ra() + 1 + i));
  }
  walk_.state.open_end = kNoFrameSlot;
  return true;
}

/// Where a scalar-replaced table has the element, among its fields; -1: it has none, or is real.
int Lowering::replaced_element(FrameSlot slot, int index) {
  if (!registers_.is_replaced(slot)) return -1;
  const ReplacedTable& table = registers_.replaced_table(slot);
  return table.room == 0 && index >= 1 && index <= table.count() ? index - 1 : -1;
}

/// Of one with a constant index. False: nothing was generated.
bool Lowering::get_replaced_element(const Instruction& in) {
  const FrameSlot slot = walk_.slot_of(in.rb());
  const int element = in.op == Opcode::GetInteger ? replaced_element(slot, in.c) : -1;
  if (element >= 0) get_replaced_field(slot, static_cast<uint32_t>(element), in.ra(), nullptr);
  return element >= 0;
}

/// The same, for one that is there.
bool Lowering::set_replaced_element(const Instruction& in) {
  const FrameSlot slot = walk_.slot_of(in.ra());
  const int element = in.op == Opcode::SetInteger ? replaced_element(slot, in.b) : -1;
  if (element < 0) return false;
  const ReplacedTable& table = registers_.replaced_table(slot);
  const Operand value = peek_rk(in.c);
  const FrameSlot cell = registers_.field_slot(registers_.fact(slot).replaced_table, static_cast<uint32_t>(element));
  std::vector<Kind> kinds = kinds_of(table);
  kinds[static_cast<size_t>(element)] = value.kind;
  if (value.kind == Kind::Nil || value.kind == Kind::Any || !element_kind_of(kinds)) return false;
  if (table.metatable != nullptr && !guard_replaced_field_present(cell)) return true;
  put(cell, value);
  return true;
}

/// Without a metatable: the last of them is not nil.
bool Lowering::get_replaced_length(const Instruction& in) {
  const FrameSlot slot = walk_.slot_of(in.rb());
  if (!registers_.is_replaced(slot) || registers_.replaced_table(slot).metatable != nullptr) return false;
  const ReplacedTable& table = registers_.replaced_table(slot);
  write_integer(in.ra(), b_.word(static_cast<uint64_t>(table.room != 0 ? 0 : table.count())));
  return true;
}

void Lowering::set_replaced_metatable(FrameSlot slot, const Shape* shape, const Table* metatable) {
  registers_.replaced_table(slot).metatable = metatable;
  set_replaced_shape(slot, shape);
}

/// It and all that it leads to are made here. No safepoint.
void Lowering::materialize(int id) {
  const std::vector<int> ids = reachable_tables(walk_.state, id);
  std::vector<IrValue> made;
  for (const int table_id : ids) {
    const ReplacedTable& table = walk_.state.tables[static_cast<size_t>(table_id)];
    made.push_back(make_table(table.shape, table.metatable, table.room, table.expected));
  }
  const auto become_real = [&](FrameSlot slot) {
    Fact& slot_fact = registers_.fact(slot);
    const auto found = std::find(ids.begin(), ids.end(), slot_fact.replaced_table);
    if (slot_fact.replaced_table < 0 || found == ids.end()) return;
    const ReplacedTable& table = registers_.replaced_table(slot);
    const bool has_elements = table.room == 0 && table.count() != 0;
    slot_fact = {.kind = Kind::Table,
                 .dirty = true,
                 .elements = has_elements ? static_cast<uint8_t>(element_kind_of(table)) : Fact::kUnknownElements,
                 .shape = table.shape,
                 .new_slots = table.metatable != nullptr ? Fact::kNotNew : table.room};
    IrValue address = b_.pointer_to_integer(made[static_cast<size_t>(found - ids.begin())]);
    b_.set(registers_.payload_cell(slot), address);
  };
  for (size_t slot = 0; slot < walk_.state.slots.size(); ++slot) become_real(static_cast<FrameSlot>(slot));
  for (size_t table = 0; table < walk_.state.tables.size(); ++table) {
    for (uint32_t i = 0; i < ReplacedTable::kMostFields; ++i) become_real(registers_.field_slot(static_cast<int>(table), i));
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    const ReplacedTable& table = walk_.state.tables[static_cast<size_t>(ids[i])];
    std::vector<Operand> values;
    for (int field = 0; field < table.count(); ++field) values.push_back(read_slot(registers_.field_slot(ids[i], static_cast<uint32_t>(field))));
    if (table.room == 0) {
      if (!values.empty()) make_elements(made[i], element_kind_of(table), values);
      continue;
    }
    for (size_t field = 0; field < values.size(); ++field) {
      IrValue place = b_.at(made[i], static_cast<int64_t>(sizeof(Table) + field * sizeof(Value)));
      b_.store(b_.payload_bits(values[field]), place, Memory::Values);
      b_.store(b_.tag_value(values[field]), b_.at(place, offsetof(Value, tag)), Memory::Values);
    }
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    barrier(made[i], made[i], runtime_.barrier_of_new_table);
    walk_.state.tables[static_cast<size_t>(ids[i])] = {};
  }
}

/// The same before the running instruction, which needs the table in that slot. A collection that is due is made.
void Lowering::materialize_at(FrameSlot slot) {
  materialize(registers_.fact(slot).replaced_table);
  collect_before(walk_.pc);
}

/// The same before the instruction at `pc`, where control merges: all tables, or those that hold more than numbers. Lists whose
/// elements are made in a loop would be replaced one iteration longer each time.
void Lowering::materialize_for(int pc, bool but_of_numbers) {
  bool made = false;
  for (size_t id = 0; id < walk_.state.tables.size(); ++id) {
    const ReplacedTable& table = walk_.state.tables[id];
    if (table.shape == nullptr) continue;
    const bool has_only_numbers = std::all_of(table.fields.begin(), table.fields.end(), [](const Fact& field) {
      return field.kind == Kind::Frame || is_unboxed(field.kind);
    });
    if (but_of_numbers && has_only_numbers) continue;
    materialize(static_cast<int>(id));
    made = true;
  }
  if (!made) return;
  drop_unreachable_tables(&walk_.state);
  collect_before(pc);
}

/// After tables have been made, none of which the program knows yet; nothing of the instruction at `pc` has happened.
void Lowering::collect_before(int pc) {
  if (pc == 0 || walk_.state.open_end != kNoFrameSlot) return;  // there will be others
  where_collection_is_due([&] {
    walk_.pc = pc - 1;
    IrValue outcome = runtime_call_behind(runtime_.collect);
    registers_.forget_tables();
    check_outcome(outcome);
    exit_at(pc, ExitSite::Why::Collector);
  });
}

/// For an exit: scalar-replaced tables in those slots and what they lead to are to be made, from properties that are stored behind the
/// frames.
void Lowering::store_tables(const std::vector<FrameSlot>& slots, ExitSite* site,
                            std::vector<std::pair<FrameSlot, FrameSlot>>* stores) {
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
      const FrameSlot cell = registers_.field_slot(ids[i], static_cast<uint32_t>(field));
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

}  // namespace mangata::jit
