// Snapshots as Lua tables, and Lua tables as decisions: the fields are those of policy_abi.h, in the words of
// the records.
//
// None of these functions is a safepoint: values need no roots.
#pragma once

#include <string>

#include "runtime/tiering/policy.h"
#include "vm/vm.h"

namespace mangata {

Value snapshot_to_lua(Vm& vm, const ProfileSnapshot& snapshot);

/// Changes what the table has fields for. nil changes nothing. False: *error names the field that is wrong.
bool decision_from_lua(Vm& vm, Value value, Decision* decision, std::string* error);

}  // namespace mangata
