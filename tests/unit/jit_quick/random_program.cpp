#include "tests/unit/jit_quick/random_program.h"

#include <bit>
#include <iterator>
#include <utility>

namespace mangata::jit::ir {
namespace {

uint64_t mixed(uint64_t a, uint64_t b) { return (a ^ b << 7) * 0x9e3779b97f4a7c15u + 1; }
uint64_t many(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
  return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h;
}
/// Reads and writes memory.
uint64_t touch(uint64_t* memory, uint64_t index, uint64_t change) { return memory[index % RandomProgram::kWords] += change; }
/// Reads memory, and writes what its last argument points to.
uint64_t look(const uint64_t* memory, uint64_t index, uint64_t* result) { return *result = memory[index % RandomProgram::kWords] * 3; }
uint64_t* at(uint64_t word) { return reinterpret_cast<uint64_t*>(word); }
double scaled(double a, uint64_t b) { return a * 0.5 + static_cast<double>(b & 15); }

template <typename Function>
uint64_t address(Function* function) {
  return reinterpret_cast<uint64_t>(function);
}

}  // namespace

std::vector<Interpreter::Known> RandomProgram::callees() {
  return {{address(&mixed), [](std::span<const uint64_t> in) { return mixed(in[0], in[1]); }},
          {address(&many), [](std::span<const uint64_t> in) { return many(in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]); }},
          {address(&touch), [](std::span<const uint64_t> in) { return touch(at(in[0]), in[1], in[2]); }},
          {address(&look), [](std::span<const uint64_t> in) { return look(at(in[0]), in[1], at(in[2])); }},
          {address(&scaled), [](std::span<const uint64_t> in) { return std::bit_cast<uint64_t>(scaled(std::bit_cast<double>(in[0]), in[1])); }}};
}

RandomProgram::RandomProgram(uint64_t seed, int size, bool has_variables)
    : engine_(seed), module_{{Function("random")}}, b_(&module_.functions[0], {.constants = false, .identities = false, .repetitions = random(2) == 0}) {
  Function& f = module_.functions[0];
  f.add_result(Type::I64);
  memory_ = f.add_parameter(Type::Pointer);
  Scope scope;
  scope.words = {f.add_parameter(Type::I64), f.add_parameter(Type::I64)};
  scope.floats = {f.add_parameter(Type::F64)};
  b_.set_position(b_.new_block());
  if (has_variables) {
    for (int i = 0; i < 3; ++i) {
      variables_.push_back(b_.new_variable(Type::I64));
      b_.set(variables_.back(), word(scope));
    }
  }
  add_exit_groups();
  for (const uint64_t value : {uint64_t{0}, uint64_t{7}, uint64_t{0x123456789abcdef}}) scope.words.push_back(b_.i64(value));
  scope.floats.push_back(b_.f64(0.75));
  statements(scope, size, 0);
  observe(scope);
  b_.return_values({word(scope)});
  finish_exits();
}

/// Is not a NaN.
Value RandomProgram::known(Value number) { return b_.select(b_.feq(number, number), number, b_.f64(3.5)); }

void RandomProgram::observe(const Scope& scope) {
  for (int i = 0; i < kWords; ++i) {
    const Value stored = random(3) == 0 ? known(real(scope)) : word(scope);
    b_.store(stored, memory_, 8 * i, Memory::Any);
  }
}

/// Often one that was there before, or made of such.
Value RandomProgram::condition(Scope& scope) {
  Pool& known = scope.conditions;
  const auto any = [&] { return known[random(known.size())]; };
  switch (known.empty() ? 9 : random(10)) {
    case 0:
    case 1: return any();
    case 2: return b_.bit_xor(any(), b_.boolean(true));
    case 3: known.push_back(b_.bit_and(any(), any())); break;
    case 4: known.push_back(b_.bit_or(any(), any())); break;
    default: known.push_back(fresh_condition(scope)); break;
  }
  return known.back();
}

Value RandomProgram::fresh_condition(const Scope& scope) {
  const Value a = word(scope);
  const Value b = word(scope);
  switch (random(10)) {
    case 0: return b_.eq(b_.bit_and(a, b_.i64(1 + random(15))), b_.i64(0));
    case 1: return b_.ne(a, b);
    case 2: return b_.slt(a, b_.i64(random(100)));
    case 3: return b_.ult(b, a);
    case 4: return b_.flt(real(scope), real(scope));
    case 5: return b_.feq(real(scope), real(scope));
    case 6: return b_.fne(real(scope), real(scope));
    case 7: return b_.bit_xor(b_.fle(real(scope), real(scope)), b_.boolean(true));
    case 8: return b_.slt(b_.load(Type::I64, memory_, static_cast<int64_t>(8 * random(kWords)), Memory::Values), a);
    default: return b_.bit_and(b_.sle(a, b), b_.ule(b_.i64(random(1000)), a));
  }
}

void RandomProgram::statements(Scope& scope, int count, int depth) {
  for (int i = 0; i < count; ++i) statement(scope, depth);
}

void RandomProgram::statement(Scope& scope, int depth) {
  const uint64_t choice = random(depth < 3 ? 22 : 16);
  if (choice < 5) return integer(scope);
  if (choice < 6) return narrow(scope);
  if (choice < 9) return floating(scope);
  if (choice < 11) return memory(scope);
  if (choice < 12) return cold_call(scope);
  if (choice < 14) return variables_.empty() || random(3) == 0 ? guard(scope) : variable(scope);
  if (choice < 16) return again(scope);
  if (choice < 18) return diamond(scope, depth);
  if (choice < 20) return loop(scope, depth);
  if (choice < 21) return switch_on(scope);
  call(scope);
}

void RandomProgram::variable(Scope& scope) {
  const Variable chosen = variables_[random(variables_.size())];
  if (random(2) == 0) {
    b_.set(chosen, word(scope));
  } else {
    scope.words.push_back(b_.get(chosen));
  }
}

void RandomProgram::integer(Scope& scope) {
  Value a = word(scope);
  Value b = random(3) == 0 ? b_.i64(random(2) == 0 ? random(300) - 100 : engine_()) : word(scope);
  if (random(4) == 0) std::swap(a, b);
  const Value count = random(2) == 0 ? b_.i64(random(64)) : b_.bit_and(b, b_.i64(63));
  Value result;
  switch (random(18)) {
    case 0:
    case 1: result = b_.add(a, b); break;
    case 2: result = b_.sub(a, b); break;
    case 3: result = b_.mul(a, b); break;
    case 4: result = b_.bit_and(a, b); break;
    case 5: result = b_.bit_or(a, b); break;
    case 6: result = b_.bit_xor(a, b); break;
    case 7: result = b_.shl(a, count); break;
    case 8: result = b_.lshr(a, count); break;
    case 9: result = b_.ashr(a, count); break;
    case 10: result = b_.rotl(a, count); break;
    case 11: result = b_.binary(Opcode::RotR, a, count); break;
    case 12: result = b_.binary(random(2) == 0 ? Opcode::SDiv : Opcode::SRem, a, b_.add(b_.bit_and(b, b_.i64(255)), b_.i64(1))); break;
    case 13: result = b_.binary(Opcode::UDiv, a, b_.bit_or(b, b_.i64(1))); break;
    case 14: result = b_.select(condition(scope), a, b); break;
    case 15: result = b_.sub(b_.i64(0), b_.bswap(a)); break;
    case 16: result = b_.umulhigh(a, b); break;
    default: result = b_.zext(condition(scope), Type::I64); break;
  }
  scope.words.push_back(result);
}

void RandomProgram::narrow(Scope& scope) {
  constexpr Type kTypes[] = {Type::I8, Type::I16, Type::I32};
  const Type type = kTypes[random(3)];
  const Value a = b_.truncate(word(scope), type);
  const Value b = random(2) == 0 ? b_.constant(type, random(200)) : b_.truncate(word(scope), type);
  const Opcode ops[] = {Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::And, Opcode::Or, Opcode::Xor};
  const Value c = random(5) == 0 ? b_.ashr(a, b_.constant(type, random(8))) : b_.binary(ops[random(6)], a, b);
  switch (random(4)) {
    case 0: scope.words.push_back(b_.sext(c, Type::I64)); break;
    case 1: scope.words.push_back(b_.zext(b_.slt(c, b), Type::I64)); break;
    case 2: scope.floats.push_back(b_.integer_to_float(c)); break;
    default: scope.words.push_back(b_.zext(c, Type::I64)); break;
  }
}

void RandomProgram::floating(Scope& scope) {
  const Value a = real(scope);
  const Value b = random(4) == 0 ? b_.f64(static_cast<double>(random(9)) - 4) : real(scope);
  switch (random(16)) {
    case 0:
    case 1: scope.floats.push_back(b_.fadd(a, b)); break;
    case 2: scope.floats.push_back(b_.fsub(a, b)); break;
    case 3: scope.floats.push_back(b_.fmul(a, b)); break;
    case 4: scope.floats.push_back(b_.fdiv(a, b)); break;
    case 5: scope.floats.push_back(b_.fneg(a)); break;
    case 6: scope.floats.push_back(b_.fabs(a)); break;
    case 7: scope.floats.push_back(b_.fsqrt(a)); break;
    case 8: scope.floats.push_back(b_.floor(a)); break;
    case 9: scope.floats.push_back(random(2) == 0 ? b_.ceil(a) : b_.trunc(a)); break;
    case 10: scope.floats.push_back(b_.fma(a, b, real(scope))); break;
    case 11: scope.floats.push_back(b_.integer_to_float(word(scope))); break;
    case 12: scope.words.push_back(b_.float_to_integer_saturating(a)); break;
    case 13: scope.words.push_back(b_.bits_of_float(known(a))); break;
    case 14: scope.floats.push_back(b_.select(condition(scope), a, b)); break;
    default: scope.floats.push_back(known(b_.float_of_bits(word(scope)))); break;
  }
}

void RandomProgram::memory(Scope& scope) {
  const auto [address, offset, memory] = place(scope);
  const int64_t narrow_offset = offset + static_cast<int64_t>(random(4));
  switch (random(7)) {
    case 0: b_.store(word(scope), address, offset, memory); break;
    case 1: b_.store(b_.truncate(word(scope), Type::I8), address, offset, memory); break;
    case 2: b_.store(known(real(scope)), address, offset, memory); break;
    case 3: scope.words.push_back(b_.add(word(scope), b_.load(Type::I64, address, offset, memory))); break;
    case 4: scope.words.push_back(b_.sext(b_.load(Type::I8, address, narrow_offset, memory), Type::I64)); break;
    case 5: scope.words.push_back(b_.zext(b_.load(Type::I32, address, offset, memory), Type::I64)); break;
    default: scope.floats.push_back(b_.fadd(known(b_.load(Type::F64, address, offset, memory)), real(scope))); break;
  }
}

/// Of eight bytes. The places are few, so that many are read or written several times.
RandomProgram::Place RandomProgram::place(const Scope& scope) {
  constexpr Memory kClasses[] = {Memory::Values, Memory::Values, Memory::Integers, Memory::Floats, Memory::Any};
  const uint64_t chosen = random(std::size(kClasses));
  const Memory memory = kClasses[chosen];
  const uint64_t first = memory == Memory::Any ? random(kWords - kWordsOfClass) : memory == Memory::Integers ? kWords - 2 * kWordsOfClass
                                                                              : memory == Memory::Floats     ? kWords - kWordsOfClass
                                                                                                             : 0;
  const bool has_index = random(2) == 0;
  if (!has_index) return {memory_, static_cast<int64_t>(8 * (first + random(4))), memory};
  const bool is_wide = memory == Memory::Values && random(3) == 0;  // over all words of that class
  return {b_.address(memory_, b_.bit_and(word(scope), b_.i64(kWordsOfClass - 1)), is_wide ? 16 : 8, 0), static_cast<int64_t>(8 * first), memory};
}

/// A place is read, or written, and then read or written once more; between the two, something may happen.
void RandomProgram::again(Scope& scope) {
  const auto [address, offset, memory] = place(scope);
  const bool is_float = random(3) == 0;
  const Type type = is_float ? Type::F64 : Type::I64;
  const auto load = [&] {
    const Value loaded = b_.load(type, address, offset, memory, random(10) == 0);
    if (!is_float) return scope.words.push_back(loaded), loaded;
    scope.floats.push_back(known(loaded));
    return scope.floats.back();
  };
  const auto store = [&](Value value) { b_.store(value, address, offset, memory, random(10) == 0); };
  const auto anything = [&] { return is_float ? known(real(scope)) : word(scope); };
  Value first = random(2) == 0 ? load() : anything();
  if (random(2) == 0) store(first);
  switch (random(6)) {
    case 0: this->memory(scope); break;
    case 1: touching_call(scope); break;
    case 2: statement(scope, 3); break;
    default: break;
  }
  if (random(2) == 0) return store(random(2) == 0 ? first : anything());
  load();
}

void RandomProgram::touching_call(Scope& scope) {
  const Value index = b_.i64(random(kWords));
  switch (random(3)) {
    case 0: scope.words.push_back(b_.call(Type::I64, b_.constant(Type::Pointer, address(&touch)), {memory_, index, word(scope)})); break;
    case 1: {
      const Value result = b_.address(memory_, static_cast<int64_t>(8 * random(kWords)));
      scope.words.push_back(b_.call(Type::I64, b_.constant(Type::Pointer, address(&look)), {memory_, index, result}, CallMemory::Reads));
      break;
    }
    default: {
      const Value result = b_.stack_area(16);
      b_.call(Type::I64, b_.constant(Type::Pointer, address(&look)), {memory_, index, result}, CallMemory::Reads);
      scope.words.push_back(b_.load(Type::I64, result, 0, Memory::Any));
      break;
    }
  }
}

void RandomProgram::diamond(Scope& scope, int depth) {
  const BlockId arms[2] = {b_.new_block(), b_.new_block("", random(3) == 0)};
  const BlockId end = b_.new_block();
  const bool has_weights = random(2) == 0;
  b_.branch(condition(scope), arms[0], arms[1], has_weights ? 1000 : 0, has_weights ? random(1000) : 0);
  const size_t words = random(3);
  const size_t floats = random(2);
  for (const BlockId arm : arms) {
    b_.set_position(arm);
    Scope inner = scope;
    statements(inner, static_cast<int>(random(4)), depth + 1);
    Pool arguments;
    for (size_t i = 0; i < words; ++i) arguments.push_back(word(inner));
    for (size_t i = 0; i < floats; ++i) arguments.push_back(real(inner));
    for (uint64_t passed = random(6) == 0 ? random(20) : 0; passed > 0; --passed) {
      const BlockId next = b_.new_block();
      b_.jump(next);
      b_.set_position(next);
    }
    b_.jump(end, arguments);
  }
  b_.set_position(end);
  for (size_t i = 0; i < words; ++i) scope.words.push_back(b_.add_parameter(end, Type::I64));
  for (size_t i = 0; i < floats; ++i) scope.floats.push_back(b_.add_parameter(end, Type::F64));
}

/// Tested at its head or at its end, for up to seven iterations.
void RandomProgram::loop(Scope& scope, int depth) {
  const BlockId head = b_.new_block();
  const BlockId body = b_.new_block();
  const BlockId end = b_.new_block();
  const BlockId after = b_.new_block();
  const size_t carried_words = 1 + random(4);
  const size_t carried_floats = random(3);
  const Value limit = b_.bit_and(word(scope), b_.i64(7));
  Pool first{b_.i64(0)};
  for (size_t i = 0; i < carried_words; ++i) first.push_back(word(scope));
  for (size_t i = 0; i < carried_floats; ++i) first.push_back(real(scope));
  b_.jump(head, first);
  b_.set_position(head);
  const Value counter = b_.add_parameter(head, Type::I64);
  Scope inner = scope;
  inner.words.push_back(counter);
  Scope outer = scope;
  for (size_t i = 0; i < carried_words; ++i) inner.words.push_back(b_.add_parameter(head, Type::I64));
  for (size_t i = 0; i < carried_floats; ++i) inner.floats.push_back(b_.add_parameter(head, Type::F64));
  outer = inner;
  const bool at_head = random(2) == 0;
  if (at_head) {
    b_.branch(b_.ult(counter, limit), body, after);
  } else {
    b_.jump(body);
  }
  b_.set_position(body);
  statements(inner, 1 + static_cast<int>(random(6)), depth + 1);
  const Value next = b_.add(counter, b_.i64(1));
  Pool last{next};
  for (size_t i = 0; i < carried_words; ++i) last.push_back(word(inner));
  for (size_t i = 0; i < carried_floats; ++i) last.push_back(real(inner));
  if (at_head) {
    b_.jump(end);
  } else {
    b_.branch(b_.ult(next, limit), end, after, 8, 1);
    outer = inner;
  }
  b_.set_position(end);
  b_.jump(head, last);
  b_.set_position(after);
  scope = outer;
}

void RandomProgram::add_exit_groups() {
  for (int i = 0; i < 2; ++i) {
    ExitGroup group{b_.new_block("exits", true), {}, {}, {}};
    group.index = b_.add_parameter(group.block, Type::I64);
    for (uint64_t n = random(20); n > 0; --n) group.words.push_back(b_.add_parameter(group.block, Type::I64));
    for (uint64_t n = random(4); n > 0; --n) group.floats.push_back(b_.add_parameter(group.block, Type::F64));
    groups_.push_back(group);
  }
}

void RandomProgram::finish_exits() {
  for (const ExitGroup& group : groups_) {
    b_.set_position(group.block);
    int64_t at = 0;
    for (const Value stored : group.words) b_.store(stored, memory_, 8 * at++, Memory::Any);
    for (const Value stored : group.floats) b_.store(known(stored), memory_, 8 * at++, Memory::Any);
    b_.return_values({group.index});
  }
}

void RandomProgram::guard(Scope& scope) {
  const ExitGroup& group = groups_[random(groups_.size())];
  const BlockId next = b_.new_block();
  const BlockId leaves = b_.new_block("", true);
  const Value rare = b_.eq(b_.bit_and(word(scope), b_.i64(31)), b_.i64(random(32)));
  b_.branch(rare, leaves, next, 1, 1048576);
  b_.set_position(leaves);
  Pool arguments{b_.i64(exits_++)};
  for (size_t i = 0; i < group.words.size(); ++i) arguments.push_back(word(scope));
  for (size_t i = 0; i < group.floats.size(); ++i) arguments.push_back(real(scope));
  b_.jump(group.block, arguments);
  b_.set_position(next);
}

void RandomProgram::call(Scope& scope) {
  switch (random(4)) {
    case 0: {
      const CallMemory touches = random(2) == 0 ? CallMemory::None : CallMemory::Private;
      scope.words.push_back(b_.call(Type::I64, b_.constant(Type::Pointer, address(&mixed)), {word(scope), word(scope)}, touches));
      break;
    }
    case 3: return touching_call(scope);
    case 1: {
      Pool arguments;
      for (int i = 0; i < 8; ++i) arguments.push_back(word(scope));
      scope.words.push_back(b_.call(Type::I64, b_.constant(Type::Pointer, address(&many)), arguments));
      break;
    }
    default:
      scope.floats.push_back(b_.call(Type::F64, b_.constant(Type::Pointer, address(&scaled)), {real(scope), word(scope)}));
      break;
  }
}

void RandomProgram::cold_call(Scope& scope) {
  const BlockId next = b_.new_block();
  const BlockId slow = b_.new_block("", true);
  const BlockId fast = b_.new_block();
  b_.branch(condition(scope), slow, fast, 1, 100000);
  b_.set_position(slow);
  Scope inner = scope;
  call(inner);
  b_.jump(next, {inner.words.back()});
  b_.set_position(fast);
  b_.jump(next, {word(scope)});
  b_.set_position(next);
  scope.words.push_back(b_.add_parameter(next, Type::I64));
}

void RandomProgram::switch_on(Scope& scope) {
  const BlockId end = b_.new_block();
  std::vector<Builder::Case> cases;
  for (uint64_t i = 0; i < 3; ++i) cases.push_back({i == 2 ? 0x123456789abcdef : i, b_.new_block()});
  const BlockId otherwise = b_.new_block();
  b_.switch_on(random(2) == 0 ? b_.bit_and(word(scope), b_.i64(3)) : word(scope), cases, otherwise);
  cases.push_back({0, otherwise});
  for (const Builder::Case& arm : cases) {
    b_.set_position(arm.block);
    Scope inner = scope;
    integer(inner);
    b_.jump(end, {inner.words.back()});
  }
  b_.set_position(end);
  scope.words.push_back(b_.add_parameter(end, Type::I64));
}

}  // namespace mangata::jit::ir
