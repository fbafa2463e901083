#include "jit/build/lower_fields_of_shapes.h"

#include <algorithm>

#include "jit/build/lower_fields.h"
#include "jit/build/lower_upvalues.h"

namespace mangata::jit {
namespace {

/// The walk splits by the shape of the table; `access` generates the access of each path, false where it cannot.
template <typename Access>
bool by_cases(const LoweringTools& t, const Operand& table, const std::vector<FieldCase>& cases, Access access) {
  Writer& b = t.b;
  const Shape* known = t.registers.shape_of(table);
  if (known != nullptr) {
    const auto found = std::find_if(cases.begin(), cases.end(),
                                    [&](const FieldCase& one) { return one.cache.shape == known; });
    return found != cases.end() && access(*found) ? true : t.calls.do_instruction();
  }
  IrValue shape = b.load(IrType::I64, b.at(b.pointer(table), offsetof(Table, shape)), Memory::Header);
  for (const FieldCase& field_case : cases) {
    Block same = b.make_block("shape");
    Block differs = b.make_block("other_shape");
    b.branch(b.eq(shape, b.word(reinterpret_cast<uint64_t>(field_case.cache.shape))), same, differs);
    b.set_position(same);
    t.queue.beside([&] {
      t.registers.know_shape(table, field_case.cache.shape);
      t.walk.exit_block = {};
      if (!access(field_case)) t.calls.do_instruction();
      t.branches.go_to(t.walk.pc + 1);
    });
    b.set_position(differs);
  }
  t.walk.exit_block = {};
  b.jump(t.guards.exit_block());
  t.branches.finish();
  return false;
}

/// Whether the property is found without a call of Lua code, as far as is known.
bool may_share(const LoweringTools& t, const Instruction& in) {
  return !t.walk.function().operators.contains(CodePc(t.walk.pc)) && t.walk.function().caches[in.d].kind != InlineCache::kHandler;
}

IrValue name_constant(const LoweringTools& t, int constant) {
  return t.b.address_constant(t.walk.function().constants[static_cast<size_t>(constant)].as_string());
}

/// table.K[c] by the shared cache. Where a function is to be called for it, it leaves.
Operand load_shared(const LoweringTools& t, const Operand& table, int name) {
  Writer& b = t.b;
  IrValue value = b.call_two_words(b.address_constant(t.runtime.load_property), {b.vm(), b.pointer(table), name_constant(t, name)});
  const Operand found{.kind = Kind::Any, .payload = value, .tag = b.second_word(value)};
  t.guards.guard(b.ne(found.tag, b.word(kNotLoaded)));
  return found;
}

/// In a table of the shape of the case: goes to `found` with the value, or to `other` where the case no longer holds. False: it does not
/// say where the property is.
bool load_case(const LoweringTools& t, const Operand& table, const InlineCache& cache, Block found, Block other) {
  Writer& b = t.b;
  if (cache.kind != InlineCache::kOwn && cache.kind != InlineCache::kMetatable && cache.kind != InlineCache::kAbsent) return false;
  const auto go_on_if = [&](IrValue condition) {
    Block holds = b.make_block("holds");
    b.set_likely(b.branch(condition, holds, other), true);
    b.set_position(holds);
  };
  IrValue holder = b.pointer(table);
  if (cache.kind != InlineCache::kOwn) {
    IrValue epoch = b.load(IrType::I32, b.address_constant(t.input.epochs.at(cache.shape)), Memory::Machine);
    go_on_if(b.eq(epoch, b.i32(cache.epoch)));
  }
  if (cache.kind == InlineCache::kAbsent) return b.jump(found, {b.word(0), b.word(static_cast<uint64_t>(Tag::Nil))}), true;
  if (cache.kind == InlineCache::kMetatable) {
    holder = b.address_constant(cache.holder);
    IrValue shape = b.load(IrType::I64, b.at(holder, offsetof(Table, shape)), Memory::Header);
    go_on_if(b.eq(shape, b.word(reinterpret_cast<uint64_t>(cache.holder_shape))));
  }
  const Operand value = b.load_value(property(b, holder, cache.slot), Memory::Values);
  go_on_if(b.ne(value.tag, b.word(static_cast<uint64_t>(Tag::Nil))));  // a nil may be somewhere else
  b.jump(found, {value.payload, value.tag});
  return true;
}

/// R[a] := object.K[c], and for methods R[a+] := object
bool get_field_of_shapes(const LoweringTools& t, const Instruction& in, const std::vector<FieldCase>* several) {
  Writer& b = t.b;
  Operand object = in.op == Opcode::GetGlobal ? environment(t, in.b) : t.values.read(in.rb());
  if (!may_share(t, in) || !t.values.expect_table(&object)) return t.calls.do_instruction();
  Operand value;
  if (several == nullptr) {
    value = load_shared(t, object, in.c);
  } else {
    Block found = b.make_block("found");
    Block other = b.make_block("any_shape");
    value = {.kind = Kind::Any, .payload = b.add_parameter(found, IrType::I64), .tag = b.add_parameter(found, IrType::I64)};
    IrValue shape = b.load(IrType::I64, b.at(b.pointer(object), offsetof(Table, shape)), Memory::Header);
    for (const FieldCase& field_case : *several) {
      Block same = b.make_block("shape");
      Block differs = b.make_block("other_shape");
      b.branch(b.eq(shape, b.word(reinterpret_cast<uint64_t>(field_case.cache.shape))), same, differs);
      b.set_position(same);
      if (!load_case(t, object, field_case.cache, found, other)) b.jump(other);
      b.set_position(differs);
    }
    b.jump(other);
    b.set_position(other);
    const Operand shared = load_shared(t, object, in.c);
    b.jump(found, {shared.payload, shared.tag});
    b.set_position(found);
  }
  t.values.write_as_recorded(in.ra(), value);
  if (in.op == Opcode::Self) t.registers.set(t.walk.slot_of(in.ra() + kCallOverheadSlots), object);
  return true;
}

/// R[a].K[b] := RK[c]. A property that tables of the shape lack is added by the call.
bool set_field_of_shapes(const LoweringTools& t, const Instruction& in, const std::vector<FieldCase>* several) {
  Writer& b = t.b;
  Operand object = in.op == Opcode::SetGlobal ? environment(t, in.a) : t.values.read(in.ra());
  const Operand value = t.values.read_rk(in.c);
  if (!may_share(t, in) || !t.values.expect_table(&object)) return t.calls.do_instruction();
  Block stored = b.make_block("stored"), other = b.make_block("any_shape");
  IrValue owner = b.pointer(object);
  if (several != nullptr) {
    IrValue shape = b.load(IrType::I64, b.at(owner, offsetof(Table, shape)), Memory::Header);
    for (const FieldCase& field_case : *several) {
      if (field_case.cache.kind != InlineCache::kOwn) continue;
      Block same = b.make_block("shape");
      Block differs = b.make_block("other_shape");
      Block has_value = b.make_block("has_value");
      b.branch(b.eq(shape, b.word(reinterpret_cast<uint64_t>(field_case.cache.shape))), same, differs);
      b.set_position(same);
      IrValue address = property(b, owner, field_case.cache.slot);
      IrValue old_tag = b.load(IrType::I64, b.at(address, offsetof(Value, tag)), Memory::Values);
      b.set_likely(b.branch(b.ne(old_tag, b.word(static_cast<uint64_t>(Tag::Nil))), has_value, other), true);
      b.set_position(has_value);
      b.store_value(value, address, Memory::Values);
      t.heap.barrier(owner, address, value);
      b.jump(stored);
      b.set_position(differs);
    }
  }
  b.jump(other);
  b.set_position(other);
  IrValue is_stored = b.call(IrType::I8, b.address_constant(t.runtime.store_property),
                             {b.vm(), owner, name_constant(t, in.b), b.payload_bits(value), b.tag_value(value)});
  t.guards.exit_unless(b.ne(is_stored, b.i8(0)));
  b.jump(stored);
  b.set_position(stored);
  t.registers.forget_tables();
  return true;
}

/// What is called differs by the shape of the object.
bool has_methods(const LoweringTools& t, const std::vector<FieldCase>& cases) {
  if (t.walk.site().is_megamorphic) return false;
  return std::any_of(cases.begin(), cases.end(), [&](const FieldCase& field_case) { return field_case.method != cases.front().method; });
}

}  // namespace

const std::vector<FieldCase>* cases(const LoweringTools& t) {
  const auto found = t.walk.function().cases.find(CodePc(t.walk.pc));
  return found == t.walk.function().cases.end() || !t.limits.cases ? nullptr : &found->second;
}

bool lower_field_of_shapes(const LoweringTools& t, const Instruction& in) {
  const auto* several = in.op == Opcode::GetGlobal ? nullptr : cases(t);
  if (several == nullptr) return get_field_of_shapes(t, in, nullptr);
  Operand object = t.values.peek(in.rb());
  if (!t.values.expect_table(&object)) return t.calls.do_instruction();
  const bool is_known = t.registers.shape_of(object) != nullptr;
  if (!is_known && !(in.op == Opcode::Self && has_methods(t, *several))) return get_field_of_shapes(t, in, several);
  return by_cases(t, object, *several, [&](const FieldCase& field_case) {
    return in.op == Opcode::Self ? get_method(t, object, field_case) : get_field(t, object, field_case.cache, in.ra());
  });
}

bool lower_field_store_of_shapes(const LoweringTools& t, const Instruction& in) {
  const auto* several = in.op == Opcode::SetGlobal ? nullptr : cases(t);
  if (several == nullptr) return set_field_of_shapes(t, in, nullptr);
  Operand object = t.values.peek(in.ra());
  if (!t.values.expect_table(&object)) return t.calls.do_instruction();
  if (t.registers.shape_of(object) == nullptr) return set_field_of_shapes(t, in, several);
  const Operand value = t.registers.is_replaced(object) ? t.values.peek_rk(in.c) : t.values.read_rk(in.c);
  return by_cases(t, object, *several, [&](const FieldCase& field_case) { return set_field(t, object, field_case.cache, value); });
}

}  // namespace mangata::jit
