#include "jit/quick/allocation/parallel_moves.h"

#include <array>
#include <utility>

namespace mangata::jit::quick {
namespace {

using Kind = Location::Kind;

/// Register to register: `source` by destination.
void sequence_registers(std::array<Register, kRegisters>& source, std::vector<Move>* moves) {
  std::array<uint8_t, kRegisters> readers = {};
  for (const Register from : source) {
    if (from != kNoRegister) ++readers[from];
  }
  const auto emit = [&](Register to, bool is_exchange) { moves->push_back({0, in_register(source[to]), in_register(to), is_exchange}); };
  // Destinations that nobody reads, then what their sources are destinations of.
  for (Register reg = 0; reg < kRegisters; ++reg) {
    Register to = reg;
    while (source[to] != kNoRegister && readers[to] == 0) {
      emit(to, false);
      const Register from = std::exchange(source[to], kNoRegister);
      --readers[from];
      to = from;
    }
  }
  // What is left are circles.
  for (Register to = 0; to < kRegisters; ++to) {
    while (source[to] != kNoRegister && source[to] != to) {
      emit(to, true);
      const Register from = source[to];
      source[to] = kNoRegister;
      for (Register reg = 0; reg < kRegisters; ++reg) {
        if (source[reg] == to) {
          source[reg] = from;
          break;
        }
      }
      if (source[from] == from) source[from] = kNoRegister;
    }
  }
}

}  // namespace

void sequence_moves(Code& code, std::vector<Move>& wanted, std::vector<Move>* moves) {
  std::array<Register, kRegisters> source;
  source.fill(kNoRegister);
  bool reads_slots = false;
  for (const Move& move : wanted) reads_slots |= move.from.kind == Kind::Slot;
  const auto is_read = [&](const Location& slot) {
    if (!reads_slots) return false;
    for (const Move& move : wanted) {
      if (move.from == slot) return true;
    }
    return false;
  };
  std::vector<Move> last;
  for (Move& move : wanted) {
    if (move.to.kind != Kind::Slot || move.from == move.to) continue;
    if (is_read(move.to)) {
      const auto temporary = static_cast<ValueIndex>(code.values.size());
      Value value;
      value.slot = code.slot_count++;
      code.values.push_back(value);
      last.push_back({0, in_slot(temporary), move.to, false});
      move.to = in_slot(temporary);
    }
    moves->push_back(move);
  }
  for (const Move& move : wanted) {
    if (move.to.kind == Kind::Register && move.from.kind == Kind::Register && move.to.reg != move.from.reg) source[move.to.reg] = move.from.reg;
  }
  sequence_registers(source, moves);
  for (const Move& move : wanted) {
    if (move.to.kind == Kind::Register && move.from.kind != Kind::Register) moves->push_back(move);
  }
  moves->insert(moves->end(), last.begin(), last.end());
}

}  // namespace mangata::jit::quick
