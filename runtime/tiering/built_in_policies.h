// What makes each policy from its parameters, some of which are about regions. Null: *error says what is wrong with them.
#pragma once

#include "runtime/tiering/policy.h"

namespace mangata {

#define POLICY(name, form, description) \
  std::unique_ptr<Policy> make_##name##_policy(std::string_view parameters, jit::RegionSettings& regions, std::string* error);
#include "runtime/tiering/policies.def"
#undef POLICY

// From files
std::unique_ptr<Policy> make_plugin_policy(std::string_view path, std::string_view parameters,
                                           std::string* error);
std::unique_ptr<Policy> make_script_policy(std::string_view path, std::string_view parameters,
                                           std::string* error);

}  // namespace mangata
