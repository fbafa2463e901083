// Tiering policies of the host.
#pragma once

#include <memory>

#include <mangata/policy_abi.h>
#include <mangata/result.hpp>

namespace mangata {
inline namespace v1 {

/// Decides how functions run and what is counted in them. The structures are documented in mangata/policy_abi.h.
/// Called on the threads of all states: decide() is a pure function of its snapshot; what it wants to remember of a function travels
/// in snapshot.memory and decision->memory. It must not throw, nor use a state.
class Policy {
 public:
  virtual ~Policy() = default;
  /// Before a function runs for the first time: only entry and loop are used, how many calls and iterations are interpreted first.
  virtual void first(mangata_decision* decision) const { decision->entry = decision->loop = 0; }
  virtual void decide(const mangata_profile_snapshot& snapshot, mangata_decision* decision) const = 0;
};

namespace detail {

inline const mangata_policy* policy_functions() {
  static const mangata_policy functions = {
      MANGATA_POLICY_ABI, "host", nullptr,
      [](void* self, mangata_decision* decision) { static_cast<const Policy*>(self)->first(decision); },
      [](void* self, const mangata_profile_snapshot* snapshot, mangata_decision* decision) {
        static_cast<const Policy*>(self)->decide(*snapshot, decision);
      },
      nullptr};
  return &functions;
}

}  // namespace detail
}  // namespace v1
}  // namespace mangata
