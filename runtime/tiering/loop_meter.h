// What an iteration of a function's loops takes in baseline code, for comparing with what it takes in a region (--measure-loops).
//
// [DESIGN] Samples come every few hundred calls and backedges (TierHooks::sample_is_due). Between two that fell into the same
// function, with the same machine code installed, its loops have gone some iterations, which that code counts. The cycles in between,
// with all that was called there, are charged to those iterations. Stretches in which another function was sampled, or tiering did
// anything, are left out. So it is an estimate from where the program spends its time, and costs two readings of the
// clock for a sample, only while it is on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace mangata {

struct Proto;
struct CompiledCode;

class LoopMeter {
 public:
  /// Where the program is: the function, its machine code, and the iterations that this has counted; nothing: no such loop, or a region runs it.
  struct Place {
    const Proto* proto = nullptr;
    const CompiledCode* code = nullptr;
    std::optional<uint64_t> iterations;  ///< so far; empty: not known
  };
  struct Measured {
    uint64_t cycles = 0, iterations = 0;  ///< of stretches that began and ended in the same code
    double cycles_per_iteration() const { return iterations == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(iterations); }
  };

  /// In cycles of the processor's clock.
  static uint64_t now();
  /// The program goes on at `place`.
  void stretch_begins(const Place& place, uint64_t now) { began_ = place, began_at_ = now; }
  /// What has run since it went on is of `place` if it is of the same code.
  void stretch_ends(const Place& place, uint64_t now);
  /// Nothing is known of the function any more.
  void forget(const Proto& proto);
  /// Zeros: nothing was measured.
  Measured of(const Proto& proto) const;

 private:
  Place began_;
  uint64_t began_at_ = 0;
  std::unordered_map<const Proto*, Measured> measured_;
};

}  // namespace mangata
