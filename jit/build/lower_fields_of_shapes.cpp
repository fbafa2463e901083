// Properties of tables of several shapes.
//
// [DESIGN] A site that met a few shapes compares with each, and has one value from all of them, so what follows is there once. The walk splits
// only for methods that differ: there the shape says what is called. A site that met more asks the cache that all such sites share
// (vm/interpreter/inline_cache.h), by a call that is no safepoint: nothing is stored for it.
#include <algorithm>

#include "jit/build/lowering.h"

namespace mangata::jit {

const std::vector<FieldCase>* Lowering::cases() const {
  const auto found = walk_.function().cases.find(CodePc(walk_.pc));
  return found == walk_.function().cases.end() || !limits_.cases ? nullptr : &found->second;
}

template <typename Access>
bool Lowering::by_cases(const Operand& table, const std::vector<FieldCase>& cases, Access access) {
  const Shape* known = table.slot != kNoFrameSlot ? registers_.fact(table.slot).shape : nullptr;
  if (known != nullptr) {
    const auto found = std::find_if(cases.begin(), cases.end(),
                                    [&](const FieldCase& one) { return one.cache.shape == known; });
    return found != cases.end() && access(*found) ? true : calls_.do_instruction();
  }
  IrValue shape = b_.load(IrType::I64, b_.at(b_.pointer(table), offsetof(Table, shape)), Memory::Header);
  for (const FieldCase& field_case : cases) {
    Block same = b_.make_block("shape");
    Block differs = b_.make_block("other_shape");
    b_.branch(b_.eq(shape, b_.word(reinterpret_cast<uint64_t>(field_case.cache.shape))), same, differs);
    b_.set_position(same);
    queue_.beside([&] {
      if (table.slot != kNoFrameSlot && !registers_.is_captured(table.slot)) registers_.fact(table.slot).shape = field_case.cache.shape;
      walk_.exit_block = {};
      if (!access(field_case)) calls_.do_instruction();
      branches_.go_to(walk_.pc + 1);
    });
    b_.set_position(differs);
  }
  walk_.exit_block = {};
  b_.jump(guards_.exit_block());
  branches_.finish();
  return false;
}

/// Whether the property is found without a call of Lua code, as far as is known.
bool Lowering::may_share(const Instruction& in) const {
  return !walk_.function().operators.contains(CodePc(walk_.pc)) && walk_.function().caches[in.d].kind != InlineCache::kHandler;
}

ir::Value Lowering::name_constant(int constant) {
  return b_.address_constant(walk_.function().constants[static_cast<size_t>(constant)].as_string());
}

/// table.K[c] by the shared cache. Where a function is to be called for it, it leaves.
Operand Lowering::load_shared(const Operand& table, int name) {
  IrValue value = b_.call_two_words(b_.address_constant(runtime_.load_property), {b_.vm(), b_.pointer(table), name_constant(name)});
  const Operand found{.kind = Kind::Any, .payload = value, .tag = b_.second_word(value)};
  guards_.guard(b_.ne(found.tag, b_.word(kNotLoaded)));
  return found;
}

/// In a table of the shape of the case: goes to `found` with the value, or to `other` where the case no longer holds. False: it does not
/// say where the property is.
bool Lowering::load_case(const Operand& table, const InlineCache& cache, Block found, Block other) {
  if (cache.kind != InlineCache::kOwn && cache.kind != InlineCache::kMetatable && cache.kind != InlineCache::kAbsent) return false;
  const auto go_on_if = [&](IrValue condition) {
    Block holds = b_.make_block("holds");
    b_.set_likely(b_.branch(condition, holds, other), true);
    b_.set_position(holds);
  };
  IrValue holder = b_.pointer(table);
  if (cache.kind != InlineCache::kOwn) {
    IrValue epoch = b_.load(IrType::I32, b_.address_constant(input_.epochs.at(cache.shape)), Memory::Machine);
    go_on_if(b_.eq(epoch, b_.i32(cache.epoch)));
  }
  if (cache.kind == InlineCache::kAbsent) return b_.jump(found, {b_.word(0), b_.word(static_cast<uint64_t>(Tag::Nil))}), true;
  if (cache.kind == InlineCache::kMetatable) {
    holder = b_.address_constant(cache.holder);
    IrValue shape = b_.load(IrType::I64, b_.at(holder, offsetof(Table, shape)), Memory::Header);
    go_on_if(b_.eq(shape, b_.word(reinterpret_cast<uint64_t>(cache.holder_shape))));
  }
  const Operand value = b_.load_value(property(b_, holder, cache.slot), Memory::Values);
  go_on_if(b_.ne(value.tag, b_.word(static_cast<uint64_t>(Tag::Nil))));  // a nil may be somewhere else
  b_.jump(found, {value.payload, value.tag});
  return true;
}

/// R[a] := object.K[c], and for methods R[a+] := object
bool Lowering::get_field_of_shapes(const Instruction& in, const std::vector<FieldCase>* several) {
  Operand object = in.op == Opcode::GetGlobal ? environment(in.b) : values_.read(in.rb());
  if (!may_share(in) || !values_.expect_table(&object)) return calls_.do_instruction();
  Operand value;
  if (several == nullptr) {
    value = load_shared(object, in.c);
  } else {
    Block found = b_.make_block("found");
    Block other = b_.make_block("any_shape");
    value = {.kind = Kind::Any, .payload = b_.add_parameter(found, IrType::I64), .tag = b_.add_parameter(found, IrType::I64)};
    IrValue shape = b_.load(IrType::I64, b_.at(b_.pointer(object), offsetof(Table, shape)), Memory::Header);
    for (const FieldCase& field_case : *several) {
      Block same = b_.make_block("shape");
      Block differs = b_.make_block("other_shape");
      b_.branch(b_.eq(shape, b_.word(reinterpret_cast<uint64_t>(field_case.cache.shape))), same, differs);
      b_.set_position(same);
      if (!load_case(object, field_case.cache, found, other)) b_.jump(other);
      b_.set_position(differs);
    }
    b_.jump(other);
    b_.set_position(other);
    const Operand shared = load_shared(object, in.c);
    b_.jump(found, {shared.payload, shared.tag});
    b_.set_position(found);
  }
  values_.write_as_recorded(in.ra(), value);
  if (in.op == Opcode::Self) registers_.set(walk_.slot_of(in.ra() + kCallOverheadSlots), object);
  return true;
}

/// R[a].K[b] := RK[c]. A property that tables of the shape lack is added by the call.
bool Lowering::set_field_of_shapes(const Instruction& in, const std::vector<FieldCase>* several) {
  Operand object = in.op == Opcode::SetGlobal ? environment(in.a) : values_.read(in.ra());
  const Operand value = values_.read_rk(in.c);
  if (!may_share(in) || !values_.expect_table(&object)) return calls_.do_instruction();
  Block stored = b_.make_block("stored"), other = b_.make_block("any_shape");
  IrValue owner = b_.pointer(object);
  if (several != nullptr) {
    IrValue shape = b_.load(IrType::I64, b_.at(owner, offsetof(Table, shape)), Memory::Header);
    for (const FieldCase& field_case : *several) {
      if (field_case.cache.kind != InlineCache::kOwn) continue;
      Block same = b_.make_block("shape");
      Block differs = b_.make_block("other_shape");
      Block has_value = b_.make_block("has_value");
      b_.branch(b_.eq(shape, b_.word(reinterpret_cast<uint64_t>(field_case.cache.shape))), same, differs);
      b_.set_position(same);
      IrValue address = property(b_, owner, field_case.cache.slot);
      IrValue old_tag = b_.load(IrType::I64, b_.at(address, offsetof(Value, tag)), Memory::Values);
      b_.set_likely(b_.branch(b_.ne(old_tag, b_.word(static_cast<uint64_t>(Tag::Nil))), has_value, other), true);
      b_.set_position(has_value);
      b_.store(b_.payload_bits(value), address, Memory::Values);
      b_.store(b_.tag_value(value), b_.at(address, offsetof(Value, tag)), Memory::Values);
      heap_.barrier(owner, address, value);
      b_.jump(stored);
      b_.set_position(differs);
    }
  }
  b_.jump(other);
  b_.set_position(other);
  IrValue is_stored = b_.call(IrType::I8, b_.address_constant(runtime_.store_property),
                              {b_.vm(), owner, name_constant(in.b), b_.payload_bits(value), b_.tag_value(value)});
  guards_.exit_unless(b_.ne(is_stored, b_.i8(0)));
  b_.jump(stored);
  b_.set_position(stored);
  registers_.forget_tables();
  return true;
}

/// What is called differs by the shape of the object.
bool Lowering::has_methods(const std::vector<FieldCase>& cases) const {
  if (walk_.site().is_megamorphic) return false;
  return std::any_of(cases.begin(), cases.end(), [&](const FieldCase& field_case) { return field_case.method != cases.front().method; });
}

/// A get whose site met several shapes. False: the walk has ended.
bool Lowering::lower_field_of_shapes(const Instruction& in) {
  const auto* several = in.op == Opcode::GetGlobal ? nullptr : cases();
  if (several == nullptr) return get_field_of_shapes(in, nullptr);
  Operand object = values_.peek(in.rb());
  if (!values_.expect_table(&object)) return calls_.do_instruction();
  const bool is_known = object.slot != kNoFrameSlot && registers_.fact(object.slot).shape != nullptr;
  if (!is_known && !(in.op == Opcode::Self && has_methods(*several))) return get_field_of_shapes(in, several);
  return by_cases(object, *several, [&](const FieldCase& field_case) {
    return in.op == Opcode::Self ? get_method(object, field_case) : get_field(object, field_case.cache, in.ra());
  });
}

/// Likewise a store.
bool Lowering::lower_field_store_of_shapes(const Instruction& in) {
  const auto* several = in.op == Opcode::SetGlobal ? nullptr : cases();
  if (several == nullptr) return set_field_of_shapes(in, nullptr);
  Operand object = values_.peek(in.ra());
  if (!values_.expect_table(&object)) return calls_.do_instruction();
  if (object.slot == kNoFrameSlot || registers_.fact(object.slot).shape == nullptr) return set_field_of_shapes(in, several);
  const Operand value = registers_.is_replaced(object) ? values_.peek_rk(in.c) : values_.read_rk(in.c);
  return by_cases(object, *several, [&](const FieldCase& field_case) { return set_field(object, field_case.cache, value); });
}

}  // namespace mangata::jit
