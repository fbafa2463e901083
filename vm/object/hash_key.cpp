// Random keys of hashes.
#include "vm/object/hash_key.h"

#include <chrono>
#include <exception>
#include <random>

#include "vm/object/short_bytes.h"

namespace mangata {

namespace {

uint64_t random_bits(uint64_t salt) {
  uint64_t bits = salt ^ static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  bits = mix_bits(bits ^ reinterpret_cast<uint64_t>(&bits),
                  kPlainHashKey.factor);  // the stack is somewhere else in each process
  try {
    std::random_device system;
    bits ^= uint64_t{system()} << 32 | system();
  } catch (const std::exception&) {
    // A system without random numbers: the time and the address must do.
  }
  return bits;
}

}  // namespace

HashKey random_hash_key() { return {random_bits(1), random_bits(2) | 1}; }

}  // namespace mangata
