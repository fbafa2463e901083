// Changes binary chunks as someone would who knows the format: the functions in them, not their bytes, so
// that the checksum is right and only the verifier (vm/bytecode/verifier.h) stands between the change and the
// machine.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "vm/bytecode/proto.h"

namespace mangata {

/// The same seed changes the same chunk in the same way, everywhere.
class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  /// A well-formed chunk with one to four changes; precondition: load_chunk accepts `chunk`.
  std::string mutate(Vm& vm, std::string_view chunk);

 private:
  int below(int limit) { return limit <= 0 ? 0 : static_cast<int>(random_() % static_cast<uint64_t>(limit)); }
  bool one_in(int count) { return below(count) == 0; }

  void change(Proto& proto);
  void change_code(Proto& proto);
  void change_operand(Proto& proto, Instruction& in);
  void change_jump(Proto& proto, int pc);
  void replace(Proto& proto, int pc);
  void insert(Proto& proto, int pc, Instruction in);
  void change_tables(Proto& proto);
  int some_register(const Proto& proto) { return below(proto.max_stack_slots); }

  std::mt19937_64 random_;
};

}  // namespace mangata
